package catalog

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"incore/internal/isa"
)

// place is where the instructions of these tests lie: far enough from both ends of the address space for every branch.
const place = 1 << 40

// FuzzReassemble: text, assembled, disassembled and assembled again gives the same bytes, and the text of any bytes that decode assembles.
func FuzzReassemble(f *testing.F) {
	for i, a := range ISAs() {
		for n, s := range statements(f, a) {
			f.Add(uint8(i), n%2 == 1, s, []byte{})
			for _, code := range assemble(a, s, a.Syntaxes[0]) {
				f.Add(uint8(i), n%2 == 1, "", code)
			}
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, second bool, text string, code []byte) {
		a := ISAs()[int(which)%len(ISAs())]
		syntax := a.Syntaxes[0]
		if second {
			syntax = a.Syntaxes[len(a.Syntaxes)-1]
		}
		for _, c := range assemble(a, text, syntax) {
			reassemble(t, a, syntax, c, text)
		}
		var in isa.Inst
		if n, err := a.Decode(code, place, &in); err == nil {
			reassemble(t, a, syntax, code[:n], "")
		}
	})
}

// TestReassemble is what FuzzReassemble does, of the statements that the readers of assembly text are tested with.
func TestReassemble(t *testing.T) {
	for _, a := range ISAs() {
		n := 0
		for _, s := range statements(t, a) {
			for _, syntax := range a.Syntaxes {
				for _, c := range assemble(a, s, syntax) {
					n++
					reassemble(t, a, syntax, c, s)
				}
			}
		}
		if n < 100 {
			t.Errorf("%s: only %d instructions", a.Name, n)
		}
	}
}

// statements are lines of the files that the tests of an instruction set read: what stands before "=>" or "→".
func statements(t testing.TB, a *isa.ISA) (out []string) {
	dir := map[string]string{"x86-64": "x86", "riscv64": "riscv"}[a.Name]
	if dir == "" {
		dir = a.Name
	}
	files, _ := filepath.Glob(filepath.Join("..", dir, "testdata", "*.txt"))
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for sc := bufio.NewScanner(bytes.NewReader(data)); sc.Scan(); {
			s, _, _ := strings.Cut(sc.Text(), "=>")
			s, _, _ = strings.Cut(s, "→")
			if s = strings.TrimSpace(s); s != "" && s[0] != '#' && !strings.HasPrefix(s, "//") {
				out = append(out, s)
			}
		}
	}
	if len(out) < 100 {
		t.Fatalf("%s: only %d statements", a.Name, len(out))
	}
	return out
}

// assemble is the machine code of each instruction of a statement; none of what has no encoding by itself: names of symbols, values out of range.
func assemble(a *isa.ISA, text, syntax string) (codes [][]byte) {
	insts, err := a.Parse(nil, text, syntax)
	if err != nil {
		return nil
	}
	for i := range insts {
		if code, err := a.Encode(nil, &insts[i], place); err == nil {
			codes = append(codes, code)
		}
	}
	return codes
}

// reassemble disassembles one instruction and assembles its text; from names the statement that it comes from, "" where it comes from no text.
// Machine code has superfluous prefixes and bits without a meaning, which its text does not tell: that comes back as other bytes of the same text.
func reassemble(t *testing.T, a *isa.ISA, syntax string, code []byte, from string) {
	t.Helper()
	var in, back isa.Inst
	n, err := a.Decode(code, place, &in)
	if err != nil || n != len(code) {
		t.Errorf("%s: %q is % x, of which %d bytes decode: %v", a.Name, from, code, n, err)
		return
	}
	text := string(a.Print(nil, &in, syntax))
	insts, err := a.Parse(nil, text, syntax)
	if err != nil && from == "" && a.Forms.Flags(in.Form)&isa.CodeGenOnly != 0 { // LLVM's assembler does not take what its disassembler prints either
		return
	}
	if err != nil || len(insts) != 1 {
		t.Errorf("%s: %q is % x, whose text %q means %d instructions: %v", a.Name, from, code, text, len(insts), err)
		return
	}
	again, err := a.Encode(nil, &insts[0], place)
	if err != nil {
		t.Errorf("%s: %q is % x, whose text %q does not assemble: %v", a.Name, from, code, text, err)
		return
	}
	if bytes.Equal(again, code) || syntax == "intel" && strings.HasPrefix(a.Forms.Name(in.Form), "FAR") { // LLVM's Intel text of far calls and jumps is that of near ones
		return
	}
	n, err = a.Decode(again, place, &back)
	other := string(a.Print(nil, &back, syntax))
	if err != nil || n != len(again) || from != "" && len(again) > len(code) || other != text && !stands(a, syntax, text, other, again) {
		t.Errorf("%s: %q is % x, whose text %q is % x, whose text is %q: %v", a.Name, from, code, text, again, other, err)
	}
}

// stands reports whether an assembler may say another text for one: the same mnemonic, and the code that both have (a shift by one, which has a form of its own), or a
// nop, as which assemblers take an exchange of rax with itself.
func stands(a *isa.ISA, syntax, text, other string, code []byte) bool {
	first, _, _ := strings.Cut(text, " ")
	second, _, _ := strings.Cut(other, " ")
	codes := assemble(a, other, syntax)
	same := first == second || second == "nop" && strings.HasPrefix(first, "xchg")
	return same && len(codes) == 1 && bytes.Equal(codes[0], code)
}
