package asm

import (
	"strconv"
	"strings"

	"incore/internal/base/regex"
	"incore/internal/isa"
)

// fromListing turns a disassembly listing into assembly text with the same line
// numbers: addresses that are jump targets become labels, and the columns of
// machine code are removed. Other text is returned unchanged. It reads the listings of
// objdump -d, llvm-objdump -d and go tool objdump -gnu, and those of pasted.go.
func fromListing(text string) (out string, listing bool) {
	text = uncolumned(text)
	switch kind := listingKind(text); kind {
	case 'o':
		if out, ok := unplaced(text); ok {
			return out, true
		}
		return rewriteListing(addressed(tabbed(text)), objdumpLine), true
	case 'g':
		return rewriteListing(text, goLine), true
	case 0:
		return fromAssembler(text), signsOf(text).cpp && cppLabel().MatchString(text) // all its labels without a dot are functions
	case 's':
		return rewriteListing(text, screenReader()), true
	default:
		return rewriteListing(text, pastedReaders[kind]), true
	}
}

// listingKind detects a listing by its first lines: 'o' is objdump, 'g' go tool objdump, 0 no listing.
func listingKind(text string) byte {
	n := 0
	for line := range strings.Lines(text[:min(len(text), 1<<14)]) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.Contains(line, "file format ") && strings.Contains(line, ":"):
			return 'o'
		case objdumpLabel(line) != "", isObjdumpRow(line):
			return 'o'
		case strings.HasPrefix(line, "TEXT ") && strings.Contains(line, "(SB)"):
			return 'g'
		}
		if kind := pastedKind(line); kind != 0 {
			return kind
		}
		if n++; n > 50 {
			break
		}
	}
	return 0
}

// objdumpRow matches a row of objdump with its address and machine code, in bytes or in words of 16 or 32 bits: fragments of listings consist of such rows.
var objdumpRow = regex.Lazy(`^\s*[0-9a-f]+:\s+((?:[0-9a-f]{2} )+|[0-9a-f]{4} |[0-9a-f]{8} )\s*[a-z(]`)

// isObjdumpRow reports whether a line is such a row. Code of letters alone may be the mnemonic behind a numeric label.
func isObjdumpRow(line string) bool {
	m := objdumpRow().FindStringSubmatch(line)
	return m != nil && strings.ContainsAny(m[1], "0123456789")
}

// spacedRow matches such a row whose columns are divided by blanks alone, as pages and terminals copy them.
var spacedRow = regex.Lazy(`(?m)^(\s*[0-9a-f]+:)[ ]+((?:[0-9a-f]{2} )+|[0-9a-f]{4} |[0-9a-f]{8} )[ ]*([^ ].*)$`)

// tabbed divides the columns of objdump by tabs where blanks do.
func tabbed(text string) string {
	if strings.Contains(text, ":\t") {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	for line := range strings.Lines(text) {
		b.WriteString(spacedRow().ReplaceAllString(line, "$1\t$2\t$3"))
	}
	return b.String()
}

// listed is one line of a listing. Addresses are without leading zeros and "0x".
type listed struct {
	label    string // a function starts here
	addr     string
	inst     string
	target   string // address that the instruction jumps to, or its name "<L0>" (llvm-objdump --symbolize-operands)
	local    string // name of a jump target that is defined here: "<L0>"
	begins   bool   // a section begins here
	symbol   string // its name ("main+0x10"), as the listing shows it
	function string // the function that holds the instruction
}

// places distinguishes places of a listing with the same address or name: all sections of an object file begin at address 0,
// and the numbering of jump targets restarts in each function.
type places struct {
	sections, functions int
	separate            bool // sections have different addresses
}

func (p *places) see(l *listed) {
	if l.begins {
		p.sections++
	}
	if l.label != "" {
		p.functions++
	}
}

// key is a label for an address or a name.
func (p *places) key(addr string) string {
	switch {
	case addr == "":
		return ""
	case addr[0] == '<':
		return strconv.Itoa(p.functions) + "." + strings.Trim(addr, "<>")
	case p.separate && p.sections > 1:
		return addr + "." + strconv.Itoa(p.sections)
	}
	return addr
}

// rewriteListing makes assembly text of a listing, line by line.
func rewriteListing(text string, read func(line string) listed) string {
	lines := func(do func(l *listed)) {
		for line := range strings.Lines(text) {
			l := read(strings.TrimRight(line, "\r\n"))
			do(&l)
		}
	}
	var at places
	seen := map[string]bool{}
	lines(func(l *listed) {
		at.see(l)
		at.separate = at.separate || l.addr != "" && seen[l.addr]
		seen[l.addr] = true
	})
	targets, known, unlinked := map[string]bool{}, map[string]bool{}, false
	at = places{separate: at.separate}
	lines(func(l *listed) {
		at.see(l)
		unlinked = unlinked || l.unset()
		known[at.key(l.addr)], known[at.key(l.local)] = true, true
		targets[at.key(l.target)] = true
	})
	at = places{separate: at.separate}
	var b strings.Builder
	b.Grow(len(text))
	named, code := "", false // the last function, and whether instructions followed
	lines(func(l *listed) {
		at.see(l)
		switch {
		case l.label != "" && (l.label != named || code):
			named, code = l.label, false
			b.WriteString(quoted(named) + ":")
		case l.function != "" && l.function != named:
			named = l.function
			b.WriteString(quoted(named) + ":")
		}
		for _, here := range []string{at.key(l.addr), at.key(l.local)} {
			if here != "" && targets[here] {
				b.WriteString(".L" + here + ":")
			}
		}
		if l.inst != "" {
			code = true
			b.WriteByte('\t')
			b.WriteString(l.inst)
			switch {
			case l.target != "" && isa.NoReturn(l.symbol) && !strings.ContainsAny(l.symbol, "+ (:"):
				b.WriteString(l.symbol)
			case unlinked && l.target == l.addr:
				b.WriteString("0x" + l.target)
			case l.target != "" && known[at.key(l.target)]:
				b.WriteString(".L" + at.key(l.target))
			case l.target != "" && l.symbol != "" && !strings.Contains(l.symbol, "+"): // a place within a function that is not listed is not its start
				b.WriteString(strings.ReplaceAll(l.symbol, " ", "_"))
			case l.target != "":
				b.WriteString("0x" + l.target)
			}
		}
		b.WriteByte('\n')
	})
	return b.String()
}

// unset reports whether a conditional jump leads to itself: in object files for RISC-V only the linker sets the targets of jumps.
func (l *listed) unset() bool {
	m, _ := word(l.inst)
	return l.target != "" && l.target == l.addr && len(m) > 1 && m[0] == 'b' && m != "bl"
}

// quoted writes a name as a label of GNU as that may hold any sign.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `\"`) + `"` }

// objdumpLabel returns the name in "0000000000401126 <name>:".
func objdumpLabel(line string) string {
	line, _ = cutOffset(line)
	addr, rest, ok := strings.Cut(line, " <")
	if !ok || len(addr) < 8 || !isHex(addr) || !strings.HasSuffix(rest, ">:") {
		return ""
	}
	return rest[:len(rest)-2]
}

// cutOffset removes the place in the file that objdump -F adds to names, and reports whether there was one.
func cutOffset(s string) (string, bool) {
	name, colon := strings.CutSuffix(s, ":")
	i := strings.LastIndex(name, " (File Offset: 0x")
	if i < 0 || !strings.HasSuffix(name, ")") {
		return s, false
	}
	if colon {
		return name[:i] + ":", true
	}
	return name[:i], true
}

// prefixed is the beginning of a row of objdump --prefix-addresses: "0000000000000003 <dot+0x3> je     0000000000000028 <dot+0x28>".
var prefixed = regex.Lazy(`^([0-9a-f]{8,16}) (<.+> [a-z0-9(].*[^:])$`)

// cutPlace divides "<dot+0x3> je …" behind the name, which may hold angle brackets of its own.
func cutPlace(s string) (name, rest string) {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '<':
			depth++
		case '>':
			depth--
		}
		if depth == 0 && i+1 < len(s) && s[i+1] == ' ' {
			name, _, _ = strings.Cut(s[1:i], "+0x")
			return name, s[i+2:]
		}
	}
	return "", s
}

// objdumpLine reads "  401126:\t55 48 89 \tpush   %rbp" and labels.
func objdumpLine(line string) (l listed) {
	if m := prefixed().FindStringSubmatch(line); m != nil {
		l.addr = trimAddr(m[1])
		l.function, l.inst = cutPlace(m[2])
		l.code(l.inst)
		return l
	}
	if l.label = objdumpLabel(line); l.label != "" {
		return l
	}
	if l.begins = strings.HasPrefix(line, "Disassembly of section "); l.begins {
		return l
	}
	if isTargetName(strings.TrimSuffix(line, ":")) {
		l.local = strings.TrimSuffix(line, ":")
		return l
	}
	addr, rest, ok := strings.Cut(line, ":")
	addr = strings.TrimSpace(addr)
	if !ok || !isHex(addr) {
		return l
	}
	l.addr = trimAddr(addr)
	rest = strings.TrimSpace(rest)
	bytes, after, found := strings.Cut(rest, "\t")
	switch {
	case isByteColumn(bytes) && !found && !isLetters(bytes): // continuation of the machine code
		return l
	case isByteColumn(bytes) && (!isLetters(bytes) || strings.Contains(after, "\t")): // the mnemonics "fadd" and "fabd" are hexadecimal, too
		rest = strings.TrimLeft(after, " \t")
	}
	if isRelocation(rest) {
		return listed{}
	}
	l.inst = strings.TrimSpace(cutListingComment(rest))
	l.cutTarget()
	l.plainJump()
	return l
}

// isRelocation reports whether a line shows a relocation of the previous instruction (objdump -dr).
func isRelocation(s string) bool {
	for _, kind := range []string{"R_X86_64_", "R_AARCH64_", "R_RISCV_", "IMAGE_REL_", "X86_64_RELOC_", "ARM64_RELOC_"} {
		if strings.HasPrefix(s, kind) {
			return true
		}
	}
	return false
}

// isTargetName reports whether s is a name that llvm-objdump gives a jump's target, "<L12>".
func isTargetName(s string) bool {
	n, ok := strings.CutPrefix(s, "<L")
	n, end := strings.CutSuffix(n, ">")
	return ok && end && isNumber(n)
}

// goLine reads "  x.go:6\t0x45d960\t4885f6\tTESTQ SI, SI\t// test %rsi,%rsi": the
// GNU syntax that -gnu writes after the Plan 9 syntax.
func goLine(line string) (l listed) {
	if name, ok := strings.CutPrefix(line, "TEXT "); ok {
		l.label, _, _ = strings.Cut(name, "(SB)")
		return l
	}
	f := strings.FieldsFunc(line, func(r rune) bool { return r == '\t' })
	if len(f) < 4 || !strings.HasPrefix(strings.TrimSpace(f[1]), "0x") {
		return l
	}
	l.addr = trimAddr(strings.TrimSpace(f[1])[2:])
	if plan9, gnu, ok := strings.Cut(line, "// "); ok {
		l.inst = strings.TrimSpace(gnu)
		head, op := l.inst, ""
		if i := strings.LastIndexAny(l.inst, " ,"); i >= 0 {
			head, op = l.inst[:i+1], l.inst[i+1:]
		}
		hex, ok := strings.CutPrefix(op, "0x")
		if strings.Contains(plan9, "(PC)") { // of AArch64 and RISC-V: ".+0x14", "-12"
			hex, ok = relative(l.addr, op)
		}
		if ok && isHex(hex) && isBranchWord(head) {
			l.inst, l.target = head, trimAddr(hex)
			if i := strings.LastIndexAny(strings.TrimSpace(plan9), " \t"); i >= 0 {
				l.symbol, _, _ = strings.Cut(strings.TrimSpace(plan9)[i+1:], "(SB)")
			}
		}
	}
	l.plainJump()
	return l
}

// relative returns the address that a distance in bytes leads to from another.
func relative(from, distance string) (hex string, ok bool) {
	at, err := strconv.ParseInt(from, 16, 64)
	distance = strings.TrimPrefix(strings.TrimPrefix(distance, "."), "+")
	by, wrong := strconv.ParseInt(distance, 0, 64)
	if wrong != nil {
		var bits uint64 // of a negative distance
		bits, wrong = strconv.ParseUint(distance, 0, 64)
		by = int64(bits)
	}
	if err != nil || wrong != nil || at+by < 0 || by > 1<<31 || by < -1<<31 {
		return "", false
	}
	return strconv.FormatInt(at+by, 16), true
}

// plainJump removes the size suffix of a direct jump: disassemblers write "jmpq", which assemblers reject.
func (l *listed) plainJump() {
	if rest, ok := strings.CutPrefix(l.inst, "jmpq"); ok && l.target != "" {
		l.inst = "jmp" + rest
	}
}

// isBranchWord reports whether an instruction's text, in any syntax, looks like a direct jump or call.
func isBranchWord(inst string) bool {
	m, _ := word(inst)
	return m != "" && (m[0] == 'j' || m[0] == 'b' || m[0] == 'c' && strings.HasPrefix(m, "c") && !strings.HasPrefix(m, "cmp") && !strings.HasPrefix(m, "cmov") || m[0] == 't')
}

// cutTarget splits a jump's target "401130 <main+0x10>" off the instruction's text.
func (l *listed) cutTarget() {
	l.inst, _ = cutOffset(l.inst)
	i := strings.LastIndex(l.inst, " <")
	if i < 0 || !strings.HasSuffix(l.inst, ">") {
		return
	}
	symbol := l.inst[i+2 : len(l.inst)-1]
	head := l.inst[:i]
	if isTargetName(l.inst[i+1:]) && (head == strings.TrimSpace(head) && !strings.ContainsAny(head, " ,") || isBranchWord(head)) {
		l.inst, l.target = strings.TrimSpace(head)+"\t", l.inst[i+1:]
		return
	}
	j := strings.LastIndexAny(head, " \t,") + 1
	addr := strings.TrimPrefix(head[j:], "0x")
	if isHex(addr) {
		l.inst, l.target, l.symbol = head[:j], trimAddr(addr), symbol
	} else {
		l.inst = head
	}
}

// cutListingComment removes objdump's comment after an instruction: "  # 4010 <x>", "  // b.any".
func cutListingComment(s string) string {
	for _, c := range []string{" # ", "\t# ", "\t// ", " // "} {
		if i := strings.Index(s, c); i >= 0 {
			s = s[:i]
		}
	}
	return s
}

// isByteColumn reports whether s is a column of machine code: groups of 2, 4 or 8 hex digits.
func isByteColumn(s string) bool {
	s = strings.TrimSpace(s)
	if s == "" {
		return false
	}
	for _, f := range strings.Fields(s) {
		if n := len(f); n != 2 && n != 4 && n != 8 || !isHex(f) {
			return false
		}
	}
	return true
}

// isLetters reports whether s is a word without digits.
func isLetters(s string) bool { return !strings.ContainsAny(s, "0123456789 ") }

func isHex(s string) bool {
	if s == "" || len(s) > 16 {
		return false
	}
	_, err := strconv.ParseUint(s, 16, 64)
	return err == nil
}

// trimAddr removes an address' leading zeros.
func trimAddr(s string) string {
	if t := strings.TrimLeft(s, "0"); t != "" {
		return strings.ToLower(t)
	}
	return "0"
}
