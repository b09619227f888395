package x86

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"

	"incore/internal/isa"
)

// disassembled is one line of llvm-objdump.
type disassembled struct {
	addr uint64
	code []byte
	text string
}

// objdump calls do for every instruction that llvm-objdump finds in the executable sections of a file.
func objdump(t testing.TB, file string, do func(disassembled)) {
	t.Helper()
	path, err := exec.LookPath("llvm-objdump-19")
	if err != nil {
		t.Skip("llvm-objdump-19 is not installed")
	}
	cmd := exec.Command(path, "-d", "--no-leading-headers", file)
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	sc := bufio.NewScanner(pipe)
	for sc.Scan() {
		line := sc.Text()
		colon := strings.IndexByte(line, ':')
		tab := strings.IndexByte(line, '\t')
		if colon < 0 || tab < colon || line[0] != ' ' {
			continue
		}
		addr, err := strconv.ParseUint(strings.TrimSpace(line[:colon]), 16, 64)
		code, err2 := hex.DecodeString(strings.ReplaceAll(strings.TrimSpace(line[colon+1:tab]), " ", ""))
		if err != nil || err2 != nil {
			continue
		}
		do(disassembled{addr, code, line[tab+1:]})
	}
	_ = cmd.Wait()
}

// marker is the immediate of the instructions that tell the others apart in llvm-mc's output.
const marker = 0x5eba2a70 << 32

// mcDisassemble returns what llvm-mc -show-inst prints for each instruction in the form of describe, "" where it reports an error.
func mcDisassemble(t testing.TB, codes [][]byte) []string {
	t.Helper()
	rows := mcRows(t, codes)
	res := make([]string, len(rows))
	for i, r := range rows {
		if !r.invalid {
			for _, inst := range r.insts[:min(1, len(r.insts))] {
				res[i] = inst
			}
		}
	}
	return res
}

// mcRow is what llvm-mc finds in a piece of code.
type mcRow struct {
	insts    []string // in the form of describe, without prefixes that it takes for instructions
	prefixes int      // that it takes for instructions, before the first
	invalid  bool     // not all is code
	rejects  bool     // no instruction begins at the first byte, or behind those prefixes
}

// mcRows disassembles each piece of code.
func mcRows(t testing.TB, codes [][]byte) []mcRow {
	t.Helper()
	var in bytes.Buffer
	for i, c := range codes {
		for _, b := range c {
			fmt.Fprintf(&in, "0x%02x ", b)
		}
		in.WriteString("\n" + strings.Repeat("0x90 ", maxSize) + "0x48 0xb8") // what is cut off, or follows an error, goes on into these
		for k := 0; k < 64; k += 8 {
			fmt.Fprintf(&in, " 0x%02x", byte((marker+i)>>k))
		}
		in.WriteByte('\n')
	}
	cmd := exec.Command(llvmMC(t), "--disassemble", "-show-inst", "-triple=x86_64-linux-gnu", "-mattr=+avx512f")
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, &errs
	_ = cmd.Run()
	rows := make([]mcRow, len(codes))
	cur, inst := 0, ""
	take := func() { // the instruction whose operands are complete
		var i int
		if k, _ := fmt.Sscanf(inst, "MOV64ri Reg:51 Imm:%d", &i); k == 1 && i >= marker && i < marker+len(codes) {
			cur = i - marker + 1
		} else if inst != "" && cur < len(rows) {
			if r := &rows[cur]; !strings.HasSuffix(inst, "_PREFIX") {
				r.insts = append(r.insts, inst)
			} else if len(r.insts) == 0 {
				r.prefixes++
			}
		}
		inst = ""
	}
	for _, line := range strings.Split(out.String(), "\n") {
		if m := mcInst.FindStringSubmatch(line); m != nil {
			take()
			inst = m[1]
		} else if m := mcOp.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			inst += " " + m[1] + ":" + m[2]
		}
	}
	take()
	for _, l := range strings.Split(errs.String(), "\n") {
		if f := strings.SplitN(l, ":", 4); len(f) == 4 && strings.Contains(f[3], "invalid instruction") {
			if n, err := strconv.Atoi(f[1]); err == nil && n%2 == 1 && (n-1)/2 < len(rows) {
				r := &rows[(n-1)/2]
				column, _ := strconv.Atoi(f[2]) // of "0x90 "
				r.invalid, r.rejects = true, r.rejects || column <= 1+5*r.prefixes
			}
		}
	}
	return rows
}

// show is an instruction as mcDisassemble has it.
func show(in *isa.Inst) string { return describe([]isa.Inst{*in})[0] }

// TestSweep compares the decoder with llvm-objdump (lengths) and llvm-mc (forms, operands) on
// the executables and shared objects of this machine: some of them, or all files
// that match the patterns in INCORE_SWEEP (separated by colons).
func TestSweep(t *testing.T) {
	patterns := []string{"/usr/bin/[bgl][rsr]?p", "/usr/bin/ls", "/usr/lib/x86_64-linux-gnu/libm.so.6"}
	if s := os.Getenv("INCORE_SWEEP"); s != "" {
		patterns = strings.Split(s, ":")
	}
	var files []string
	for _, p := range patterns {
		m, _ := filepath.Glob(p)
		files = append(files, m...)
	}
	s := sweep{t: t, want: map[string]bool{}, causes: map[string]int{}, examples: map[string]string{}}
	for _, f := range files {
		if fi, err := os.Lstat(f); err != nil || !fi.Mode().IsRegular() {
			continue
		}
		if data, err := os.ReadFile(f); err != nil || !bytes.HasPrefix(data, []byte("\x7fELF\x02\x01")) || data[18] != 62 {
			continue
		}
		s.files++
		objdump(t, f, s.one)
		if len(s.codes) > 100000 {
			s.forms()
		}
	}
	s.forms()
	if s.n == 0 {
		t.Skip("no ELF files to compare with")
	}
	t.Logf("%d files, %d instructions (%d distinct): %d of other length, %d of other form or operands, %d of other text",
		s.files, s.n, s.distinct, s.length, s.form, s.text)
	s.report()
	if s.length > 0 || float64(s.form) > 1e-4*float64(s.n) {
		t.Errorf("too many differences")
	}
}

type sweep struct {
	t                                      *testing.T
	files, n, distinct, length, form, text int
	want                                   map[string]bool // code seen
	codes                                  [][]byte
	causes                                 map[string]int
	examples                               map[string]string
	prefix                                 []byte // printed by itself, waiting for its instruction
}

// diff counts a difference under its cause, with one example.
func (s *sweep) diff(cause string, example ...any) {
	s.causes[cause]++
	if s.causes[cause] == 1 {
		s.examples[cause] = strings.TrimSpace(fmt.Sprintln(example...))
	}
}

// prefixOnly are what llvm-objdump prints for a prefix by itself: lock always, others
// where no instruction follows that it knows.
var prefixOnly = map[string]bool{"lock": true, "rep": true, "repne": true, "data16": true, "addr32": true, "cs": true, "ds": true,
	"es": true, "ss": true, "fs": true, "gs": true, "rex64": true, "xacquire": true, "xrelease": true}

// llvmText is what llvm-objdump prints without comment, symbol and tabs.
func llvmText(s string) string {
	s, _, _ = strings.Cut(s, " #")
	if i := strings.LastIndex(s, " <"); i > 0 {
		s = s[:i]
	}
	return looseText.Replace(strings.Join(strings.Fields(s), " "))
}

// looseText drops prefixes without effect, which llvm-objdump doesn't always print.
var looseText = strings.NewReplacer("data16 ", "", "repne ", "", "rep ", "", "bnd ", "", "addr32 ", "")

// ourText is what we print without prefixes that llvm-objdump leaves out or prints apart.
func ourText(in *isa.Inst) string {
	c := *in
	c.Prefix &^= isa.PfxLock | isa.PfxDisp8 | isa.PfxDisp32 | isa.PfxVEX3 | isa.PfxRexW | isa.PfxNotrack
	s := string(printInst(nil, &c, "att"))
	if codes().table.Prefix(in.Form) == 0 {
		s = strings.TrimPrefix(s, "{evex} ")
	}
	return looseText.Replace(s)
}

func onlyPrefixes(text string) bool {
	for _, w := range strings.Fields(text) {
		if !prefixOnly[w] {
			return false
		}
	}
	return true
}

// known names the cause of a difference from llvm 19 that is not a mistake; all occur in data only.
func known(code []byte, text string) string {
	n, rex, twice, addr32, legacy, ds := 0, false, false, false, false, false // prefixes, whether REX is the last, whether it has another prefix behind it …
	for ; n < len(code) && (isPrefix(code[n]) || code[n]&0xf0 == 0x40); n++ {
		twice = twice || rex
		rex = code[n]&0xf0 == 0x40
		addr32 = addr32 || code[n] == 0x67
		ds = ds || code[n] == 0x3e
		legacy = legacy || rex || code[n] == 0x66 || code[n] >= 0xf0
	}
	rest := code[n:]
	evex := len(rest) > 4 && rest[0] == 0x62
	switch {
	case twice:
		return "REX before another prefix: ignored by processors, not by llvm"
	case legacy && len(rest) > 0 && (rest[0] == 0xc4 || rest[0] == 0xc5 || rest[0] == 0x62 || rest[0] == 0x8f):
		return "lock, 66, f2, f3 or REX before VEX, EVEX or XOP: undefined, and to llvm a prefix by itself"
	case bytes.HasPrefix(rest, []byte{0x0f, 0x0f}):
		return "3DNow, which the decoder leaves out"
	case bytes.HasPrefix(rest, []byte{0x0f, 0xa6}), bytes.HasPrefix(rest, []byte{0x0f, 0xa7}):
		return "VIA's PadLock without rep, which llvm takes"
	case strings.Contains(text, "{%k0} {z}"), bytes.Contains(code, []byte{0x62}) && strings.Contains(text, "{z}"), evex && rest[3]&0x80 != 0 && rest[3]&7 == 0:
		return "zeroing without a mask, or into memory: undefined"
	case evex && rest[1]&7 == 4 && (rest[3]&0xe3 != 0 || rest[2]&3 > 1):
		return "EVEX of APX with bits that must be zero, which llvm ignores"
	case evex && rest[3]&0x60 == 0x60:
		return "EVEX of vectors of 1024 bits, whose length llvm ignores"
	case evex && rest[1]&8 != 0:
		return "EVEX.B4 with a vector register: llvm names a register of another class"
	case len(rest) > 0 && rest[0] == 0xd5:
		return "REX2: llvm takes push and pop for pushp and popp, r21 and r29 without displacement for a base, and has xmm16 to xmm31"
	case ds && len(rest) > 1 && rest[0] == 0xff && (rest[1]>>3&7 == 2 || rest[1]>>3&7 == 4):
		return "notrack before an indirect branch: llvm has it for the segment"
	case len(rest) > 0 && rest[0] > 0x90 && rest[0] < 0x98 && (bytes.IndexByte(code[:n], 0xf2) >= 0 || bytes.IndexByte(code[:n], 0xf3) >= 0) && bytes.IndexByte(code[:n], 0x66) >= 0:
		return "66 before xacquire or xrelease: llvm takes these for a prefix by itself, and an exchange for one of 32 bits"
	case addr32:
		return "llvm ignores the address-size prefix before REX.W in mov to and from absolute addresses"
	}
	return ""
}

func (s *sweep) one(d disassembled) {
	if onlyPrefixes(d.text) {
		s.prefix = append(s.prefix, d.code...)
		return
	}
	prefix := s.prefix
	s.prefix = nil
	s.n++
	var in isa.Inst
	if strings.Contains(d.text, "<unknown>") {
		if n, err := decode(d.code, d.addr, &in); err == nil && n <= len(d.code) {
			s.diff("we decode what llvm doesn't", hex.EncodeToString(d.code), show(&in))
		}
		return
	}
	for _, b := range prefix {
		if b&0xf0 == 0x40 { // REX before another prefix, in data: ignored by processors, llvm makes two instructions of it
			prefix = nil
			break
		}
	}
	code := append(append([]byte(nil), prefix...), d.code...)
	n, err := decode(code, d.addr-uint64(len(prefix)), &in)
	if err != nil && len(prefix) > 0 { // prefixes in data
		code = d.code
		n, err = decode(code, d.addr, &in)
	}
	if err != nil || n != len(code) {
		if c := known(code, d.text); c != "" {
			s.diff(c, hex.EncodeToString(code), d.text)
			return
		}
		s.length++
		s.diff(fmt.Sprintf("length %d (%v) of %s", n-len(code), err, strings.Fields(d.text)[0]), hex.EncodeToString(code), d.text)
		return
	}
	if s.want[string(code)] {
		return
	}
	s.distinct++
	if got, want := ourText(&in), llvmText(d.text); got != want && known(code, d.text) == "" {
		s.text++
		s.diff(fmt.Sprintf("text %s / %s", firstWord(got), firstWord(want)), hex.EncodeToString(code), "got", got, "want", want)
	}
	s.want[string(code)] = true
	s.codes = append(s.codes, code)
}

// forms compares forms and operands of the distinct codes collected.
func (s *sweep) forms() {
	for i, want := range mcDisassemble(s.t, s.codes) {
		var in isa.Inst
		// llvm-mc shows the distance itself: let the next instruction have address 0
		if _, err := decode(s.codes[i], -uint64(len(s.codes[i])), &in); err != nil {
			s.t.Errorf("%x: %v", s.codes[i], err)
		}
		if got := show(&in); got != want {
			if c := known(s.codes[i], ""); c != "" {
				s.diff(c, hex.EncodeToString(s.codes[i]), "got", got, "want", want)
				continue
			}
			s.form++
			s.diff(fmt.Sprintf("form %s / %s", firstWord(got), firstWord(want)), hex.EncodeToString(s.codes[i]), "got", got, "want", want)
		}
	}
	s.codes = s.codes[:0]
	if len(s.want) > 2e6 { // bounds the memory
		clear(s.want)
	}
}

func (s *sweep) report() {
	var keys []string
	for k := range s.causes {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool { return s.causes[keys[i]] > s.causes[keys[j]] })
	for _, k := range keys[:min(25, len(keys))] {
		s.t.Logf("%6d %s: %s", s.causes[k], k, s.examples[k])
	}
}

func firstWord(s string) string {
	w, _, _ := strings.Cut(s, " ")
	return w
}
