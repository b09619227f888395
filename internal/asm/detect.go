package asm

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"incore/internal/base/regex"
	"incore/internal/base/source"
	"incore/internal/isa"
)

// Language is an instruction set with a syntax, and the evidence for them.
type Language struct {
	ISA    *isa.ISA
	Syntax string // one of ISA.Syntaxes
	Why    string // "detected: 41 of 45 instructions sampled are known", "given"
	// Known of the first Sampled instructions, and Registers register names, are known in the instruction set; 0 if it was given, not detected.
	Known, Sampled, Registers int
}

// Detected are the settings that override what was detected.
var Detected = []string{"isa", "syntax", "arch"}

// sampleSize is the number of instructions in the sample for detection, trialSize the number of them that it resolves to distinguish syntaxes.
const (
	sampleSize = 200
	trialSize  = 24
	// dialectLines is the number of lines that decide whether ';' separates statements or begins comments.
	dialectLines = 5000
)

// Input is a text with the results of scanning its first statements, which the detection of instruction set and syntax and the reader share.
type Input struct {
	file    *source.File
	text    string // for a listing, the assembly that it lists
	listing bool
	looks   []look
	macro   map[string]bool // names of macros; nil: not looked for yet
}

// look is the sample of a text's first statements under the dialect of one instruction set.
type look struct {
	isa     *isa.ISA
	dialect dialect
	sample  []string // statements that are instructions, at most sampleSize
	first   int      // number of sample's statements before the text switches the syntax; all if it does not
}

// NewInput returns the input for a text. It recognises listings.
func NewInput(f *source.File) *Input {
	in := &Input{file: f}
	in.text, in.listing = fromListing(f.Text)
	return in
}

// look scans the beginning of the text in the dialect of an instruction set, once.
func (in *Input) look(a *isa.ISA) *look {
	for i := range in.looks {
		if in.looks[i].isa == a {
			return &in.looks[i]
		}
	}
	l := look{isa: a, dialect: dialectOf(in.text, a), first: -1, sample: make([]string, 0, sampleSize)}
	macros := in.macros()
	scan(in.text, l.dialect, func(s stmt) bool {
		switch text := in.text[s.off:min(s.end, s.off+200)]; s.kind {
		case kindInst:
			if name, _ := word(text); !macros[strings.ToLower(name)] {
				l.sample = append(l.sample, text)
			}
		case kindDirective:
			if l.first < 0 && syntaxDirective(text) != "" {
				l.first = len(l.sample)
			}
		}
		return len(l.sample) < sampleSize
	})
	if l.first < 0 {
		l.first = len(l.sample)
	}
	in.looks = append(in.looks, l)
	return &in.looks[len(in.looks)-1]
}

// macroLine is the first line of a macro's definition, as GNU, NASM and Microsoft's assemblers have it.
var macroLine = regex.Lazy(`(?mi)^[ \t]*(?:\.macro[ \t]+([\w.$]+)|%i?r?macro[ \t]+([\w.$]+)|([A-Z_@?$][\w@?$]*)[ \t]+macro\b)`)

// macros returns the names, in lower case, of the macros that the text defines: their calls say nothing of the instruction set.
func (in *Input) macros() map[string]bool {
	if in.macro == nil {
		in.macro = map[string]bool{}
		for _, m := range macroLine().FindAllStringSubmatch(in.text, -1) {
			in.macro[strings.ToLower(m[1]+m[2]+m[3])] = true
		}
	}
	return in.macro
}

// Detect finds the instruction set and syntax of a text from its mnemonics and registers.
// The error says that the text is no assembly of a known instruction set.
func (in *Input) Detect(isas []*isa.ISA) (Language, error) {
	votes := make([]vote, len(isas))
	for i, a := range isas {
		votes[i] = count(a, in.look(a).sample)
	}
	slices.SortStableFunc(votes, func(a, b vote) int { return b.score() - a.score() })
	if len(votes) > 1 && votes[1].score()*10 > votes[0].score()*6 {
		if resolved(votes[1].isa, votes[1].sample) > resolved(votes[0].isa, votes[0].sample) {
			votes[0], votes[1] = votes[1], votes[0]
		}
	}
	best := votes[0]
	sample := best.sample
	if len(sample) == 0 {
		return Language{}, emptyError(in.file)
	}
	if err := narrow(in.file); err != nil {
		return Language{}, err
	}
	if best.mnemonics*2 < len(sample) || best.registers == 0 && best.operands > 0 && best.mnemonics*10 < 9*len(sample) {
		return Language{}, notAssembly(in.file, best, isas)
	}
	return Language{ISA: best.isa, Syntax: in.syntax(best.isa), Why: fmt.Sprintf(
		"detected: %d of the first %d instructions and %d register names are known there", best.mnemonics, len(best.sample), best.registers), Known: best.mnemonics, Sampled: len(best.sample), Registers: best.registers}, nil
}

// syntax finds the syntax at the start of the text: of the instruction set's syntaxes the one that resolves most
// instructions. A text that switches the syntax itself starts in the default syntax.
func (in *Input) syntax(a *isa.ISA) string {
	l := in.look(a)
	sample := l.sample[:l.first]
	if len(a.Syntaxes) < 2 || len(sample) == 0 {
		return a.Syntaxes[0]
	}
	best, most := a.Syntaxes[0], -1
	for _, syntax := range a.Syntaxes {
		if n := trial(a, sample, syntax); n > most {
			best, most = syntax, n
		}
	}
	return best
}

// narrowLine is a directive that only assembly of 32 bits has, of Arm or RISC-V, whose mnemonics are mostly those of
// 64 bits.
var narrowLine = regex.Lazy(`(?m)^[ \t]*(?:(\.eabi_attribute\b|\.thumb(?:_func)?\b|\.syntax[ \t]+unified\b|\.arch[ \t]+armv[4-7])|\.attribute[ \t]+(?:5|arch)[ \t]*,[ \t]*"rv32)`)

// plan9Line is the first line of a function in Go's assembly; go tool objdump has no comma there.
var plan9Line = regex.Lazy(`(?m)^[ \t]*TEXT[ \t]+[^\s,]*\(SB\),`)

// plan9 returns an error for Go's assembly, whose mnemonics and registers others have too, with other meanings.
func plan9(f *source.File) error {
	at := plan9Line().FindStringIndex(f.Text[:min(len(f.Text), 1<<16)])
	if at == nil {
		return nil
	}
	return source.Diagnostic{Pos: source.Pos{File: f.Name, Line: 1 + strings.Count(f.Text[:at[0]], "\n")}, Msg: "is in Go's own assembly syntax",
		Hint: "give the executable, or the listing of go tool objdump -gnu"}
}

// narrow returns an error for assembly of 32 bits.
func narrow(f *source.File) error {
	at := narrowLine().FindStringSubmatchIndex(f.Text[:min(len(f.Text), 1<<16)])
	if at == nil {
		return nil
	}
	what := "32-bit RISC-V"
	if at[2] >= 0 {
		what = "32-bit Arm"
	}
	return source.Diagnostic{Pos: source.Pos{File: f.Name, Line: 1 + strings.Count(f.Text[:at[0]], "\n")}, Msg: "is " + what,
		Hint: "only 64-bit instruction sets are supported; compile for one (aarch64, riscv64)"}
}

// masmProcLine is a line that only Microsoft's assembler has.
var masmProcLine = regex.Lazy(`(?m)^\s*[A-Za-z_@?$][\w@?$]*\s+PROC\b`)

// emptyError returns the error for a text without statements.
func emptyError(f *source.File) error {
	d := source.Diagnostic{Pos: source.Pos{File: f.Name}, Msg: "holds no instructions", Hint: "give the compiler's assembly output (-S)"}
	switch {
	case strings.TrimSpace(f.Text) == "":
		d.Msg, d.Hint = "is empty", "was the compiler's output redirected here?"
	case strings.Contains(f.Text, "(SB)"):
		d.Msg, d.Hint = "is in Go's own assembly syntax", "give the listing of go tool objdump -gnu"
	}
	return d
}

// notAssembly returns the error for a text that does not look like assembly of a known instruction set.
func notAssembly(f *source.File, best vote, isas []*isa.ISA) error {
	names := make([]string, len(isas))
	for i, a := range isas {
		names[i] = a.Name
	}
	settings := []string{"isa", "arch"}
	hint := "known are " + strings.Join(names, ", ") + "; if this is assembly, name its instruction set or a machine"
	if other := otherLanguage(f.Text); other != "" {
		hint, settings = other, nil
	}
	return source.Diagnostic{Pos: source.Pos{File: f.Name}, Hint: hint, Settings: settings,
		Msg: fmt.Sprintf("is not assembly of a known instruction set: %d of %d statements have a known mnemonic, %d operands a known register", best.mnemonics, len(best.sample), best.registers)}
}

// objectFile is the advice for what incore reads only when something else has translated it.
const objectFile = "compile it with -S, or disassemble its object file with objdump -d"

// languages are the marks of what people give in place of assembly, the first that fits. An assembly file that includes others is told from C by
// its directives.
var languages = []struct {
	mark         func() *regexp.Regexp
	what, advice string
}{
	{regex.Lazy(`(?m)^[ \t]*%(include|i?macro|define|use|assign)\b`), "NASM's with another file's macros", "run 'nasm -e' and give its output, or the object file"},
	{regex.Lazy(`\(SB\)`), "Go's Plan 9 assembly", "give the executable, or the listing of go tool objdump -gnu"},
	{regex.Lazy(`(?m)^#[ \t]*include\b(?s:.*)^[ \t]*\.(text|macro|global|globl|section|p2align|align)\b`), "assembly of another instruction set, or with macros of the files that it includes",
		"run 'cc -E' and give its output, or the object file"},
	{regex.Lazy(`(?m)^[ \t]*#[ \t]*include\b|\bint main\b`), "C or C++ source", objectFile},
	{regex.Lazy(`(?m)^package `), "Go source", objectFile},
	{regex.Lazy(`\bfn main\b`), "Rust source", objectFile},
	{regex.Lazy(`(?im)^[ \t]*(subroutine |end do\b)`), "Fortran source", objectFile},
	{regex.Lazy(`(?m)^define `), "LLVM IR", objectFile},
	{regex.Lazy(`\nInstructions \(size = `), "V8's own listing, in no assembler's syntax", "give what perf annotate shows of a profile with V8's own map of code"},
	{regex.Lazy(`\.visible \.entry`), "PTX", objectFile},
	{regex.Lazy(`<html`), "HTML", objectFile},
}

// otherLanguage says what a text looks like that is no assembly as a compiler or disassembler writes it, and what to give; "" if it looks like nothing known.
func otherLanguage(text string) string {
	text = text[:min(len(text), 1<<16)]
	for i := range languages {
		if l := &languages[i]; l.mark().MatchString(text) {
			return "it looks like " + l.what + "; " + l.advice
		}
	}
	return ""
}

// vote counts the evidence for an instruction set.
type vote struct {
	isa                            *isa.ISA
	mnemonics, registers, operands int
	sample                         []string
}

// score weighs mnemonics more than register names, because instruction sets share many register names.
func (v vote) score() int { return 4*v.mnemonics + v.registers }

// count counts the mnemonics and registers of a sample that an instruction set knows.
func count(a *isa.ISA, sample []string) (v vote) {
	v.isa, v.sample = a, sample
	for _, s := range sample {
		m, rest := word(s)
		if knownMnemonic(a, m) {
			v.mnemonics++
		}
		if rest != "" {
			v.operands++
		}
		for _, tok := range strings.FieldsFunc(rest, func(r rune) bool {
			return !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_')
		}) {
			if a.Regs.Spelled(strings.ToLower(tok)) != isa.NoReg {
				v.registers++
			}
		}
	}
	return v
}

// knownMnemonic looks a mnemonic up as written and without its condition ("b.ne").
func knownMnemonic(a *isa.ISA, m string) bool {
	m = strings.ToLower(m)
	if a.Match.Mnemonic(m) >= 0 {
		return true
	}
	for _, syntax := range a.Syntaxes {
		if a.Match.Alias(m, syntax, func(string) bool { return true }) != "" {
			return true
		}
	}
	base, _, ok := strings.Cut(m, ".")
	return ok && a.Match.Mnemonic(base) >= 0
}

// resolved counts the instructions of a sample that an instruction set's parser accepts.
func resolved(a *isa.ISA, sample []string) int {
	best := 0
	for _, syntax := range a.Syntaxes {
		best = max(best, trial(a, sample, syntax))
	}
	return best
}

// trial resolves some of a sample's instructions with operands and counts the successes.
func trial(a *isa.ISA, sample []string, syntax string) (n int) {
	if a.Parse == nil {
		return 0
	}
	tried := 0
	var buf []isa.Inst
	for i := 0; i < len(sample) && tried < trialSize; i++ {
		if !strings.ContainsAny(sample[i], " \t") {
			continue
		}
		tried++
		if _, err := a.Parse(buf[:0], sample[i], syntax); err == nil {
			n++
		}
	}
	return n
}

// syntaxDirective returns the syntax that ".intel_syntax noprefix" or ".att_syntax" switches to, "" for other statements.
func syntaxDirective(text string) string {
	name, _ := word(text)
	if s, ok := strings.CutSuffix(strings.TrimPrefix(strings.ToLower(name), "."), "_syntax"); ok {
		return s
	}
	return ""
}

// operandsFollow reports whether a text begins with an operand of an instruction: a register or a constant of AT&T syntax, or a register, a number or an address with a
// comma behind it.
func operandsFollow(a *isa.ISA, text string) bool {
	text = strings.TrimSpace(text)
	if text == "" {
		return false
	}
	if rest := strings.TrimPrefix(text, "("); rest != "" && rest[0] == '%' {
		name, _ := word(strings.NewReplacer(",", " ", ")", " ").Replace(rest[1:]))
		return a.Regs.Spelled(strings.ToLower(name)) != isa.NoReg
	}
	if len(text) > 1 && text[0] == '$' && (text[1] == '-' || '0' <= text[1] && text[1] <= '9') {
		return true
	}
	operand, _, two := strings.Cut(text, ",")
	operand = strings.TrimSpace(operand)
	return two && (a.Regs.Spelled(strings.ToLower(operand)) != isa.NoReg || strings.HasPrefix(operand, "[") && strings.HasSuffix(operand, "]"))
}

// dialectOf detects the comment style of a text: ';' separates statements, but
// starts a comment in texts for Apple's, Microsoft's and other assemblers.
func dialectOf(text string, a *isa.ISA) dialect {
	d := dialect{comments: a.LineComments, hashLine: a.HashLine}
	if !strings.Contains(a.Separators, ";") {
		return d
	}
	d.separator = ';'
	comment, separator := 0, 0
	n := 0
	for line := range strings.Lines(text) {
		if n++; n > dialectLines {
			break
		}
		before, after, ok := strings.Cut(line, ";")
		if !ok || strings.ContainsAny(before, "\"'/") || !a.HashLine && strings.Contains(before, "#") {
			continue
		}
		after, _, _ = strings.Cut(after, ";") // a mnemonic may be a statement of its own
		m, _ := word(strings.TrimSpace(after))
		first := strings.TrimSpace(before) == ""
		switch {
		case m == "":
			if first {
				comment++
			}
		case m[0] == '.' || knownMnemonic(a, m) && !first:
			separator++
		case isName(m[0]) && strings.HasSuffix(m, ":") && !first: // "; CHECK:" or "; label:"
		case first && knownMnemonic(a, m):
		case !first && operandsFollow(a, strings.TrimSpace(after)[len(m):]):
			separator++ // a statement with an unknown mnemonic
		default:
			comment++
		}
	}
	if comment > separator || masmProcLine().MatchString(text) {
		d.separator = 0
		d.comments = append(slices.Clone(d.comments), ";")
		d.masm = strings.Contains(text, "PROC") || strings.Contains(text, "SEGMENT") || strings.Contains(text, " PTR ")
	}
	return d
}
