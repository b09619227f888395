package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestFlatten(t *testing.T) {
	for _, c := range []struct {
		in, att, alt string
	}{
		{"ret", "ret", "ret"},
		{"add{q}\t{$src2, $src1|$src1, $src2}", "addq\t$src2, $src1", "add\t$src1, $src2"},
		{"v${op} \\{z\\}{$a|$b}", "v${op} \\{z\\}$a", "v${op} \\{z\\}$b"},
		{"x{a{b|c}|d}", "xa{b|c}", "xd"},
		{"mov{|.8b}", "mov", "mov.8b"},
		{"broken{a|b", "brokena", "brokenb"},
	} {
		if got := flatten(c.in, 0); got != c.att {
			t.Errorf("flatten(%q, 0) = %q, want %q", c.in, got, c.att)
		}
		if got := flatten(c.in, 1); got != c.alt {
			t.Errorf("flatten(%q, 1) = %q, want %q", c.in, got, c.alt)
		}
	}
}

// TestCpp parses expressions as TableGen writes them.
func TestCpp(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"MI->getOperand(1).getReg() == MI->getOperand(2).getReg()", `["same",1,2]`},
		{"MI.getOperand(0).isReg() && !MI.getOperand(1).isImm()", `["and",["isreg",0],["not",["isimm",1]]]`},
		{"MI->getOpcode() == X86::ADD64rr || (MI->getOpcode() == X86::SUB64rr || false)", `["opc","ADD64rr","SUB64rr"]`},
		{"true && MI->getOperand(3).getImm() == 4", `["imm",3,4]`},
		{"MI->getOperand(5).getImm() != X86::COND_BE", `["not",["imm",5,6]]`},
		{"MI->getOperand(1).getReg() == AArch64::WZR", `["reg",1,"WZR"]`},
		{"MI->getOperand(4).getReg() == 0", `["invalidreg",4]`},
		{"AArch64_AM::getShiftType(MI->getOperand(3).getImm()) == AArch64_AM::LSL", `["fneq","getShiftType",3,"LSL"]`},
		{"X86_MC::isLEA(*MI)", `["fn","isLEA"]`},
		{"llvm::is_contained({AArch64::ADDWrs, AArch64::ADDXrs}, MI->getOpcode())", `["opc","ADDWrs","ADDXrs"]`},
		{"!STI.hasFeature(RISCV::TuneHasSingleElementVecFP64)", `["not",["feature","TuneHasSingleElementVecFP64"]]`},
		{"CPUID == 3 || CPUID == 5", `["or",["var","CPUID",3],["var","CPUID",5]]`},
	} {
		body, err := parseCpp("{ int unused = 0; return " + c.in + "; }")
		if err != nil {
			t.Errorf("%s: %v", c.in, err)
			continue
		}
		got, _ := json.Marshal(body[0].expr)
		if string(got) != c.want {
			t.Errorf("%s: %s, want %s", c.in, got, c.want)
		}
	}
}

func TestCppErrors(t *testing.T) {
	for _, in := range []string{"", "{", "{ return MI->size(); }", "{ if (true return 1; }", "{ return `; }", "{ switch (x) { case"} {
		if _, err := parseCpp(in); err == nil {
			t.Errorf("parseCpp(%q) gave no error", in)
		}
	}
}

func FuzzCpp(f *testing.F) {
	f.Add("{ switch (MI->getOpcode()) { case A::B: if (x == 1) return true; default: break; } }")
	f.Add("{ return f(*MI, 1) && !(a || b); }")
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) < 1000 {
			parseCpp(s)
		}
	})
}

func TestSection(t *testing.T) {
	text := "x\n#ifdef A\n1\n#ifndef B\n2\n#endif\n3\n#endif // A\n4\n#ifdef C\n5\n#endif\n"
	if got := section(text, "A"); got != "#ifdef A\n1\n#ifndef B\n2\n#endif\n3\n#endif // A\n" {
		t.Errorf("section A = %q", got)
	}
	if got := section(text, "Z"); got != "" {
		t.Errorf("section Z = %q", got)
	}
}

// TestCollapse checks that collapsing undoes the expansion of groups.
func TestCollapse(t *testing.T) {
	res := []resource{{}, {name: "P0", units: 1}, {name: "P1", units: 1}, {name: "P5", units: 1},
		{name: "P01", units: 2, members: []int{1, 2}}, {name: "P015", units: 3, members: []int{1, 2, 3}}}
	b := &modelBuilder{model: schedModel{res: res, width: 4}, sets: unitSets(res)}
	for _, want := range [][]use{
		{{1, 1, 0}}, {{4, 1, 0}}, {{5, 2, 0}}, {{1, 2, 0}, {4, 1, 0}}, {{3, 1, 0}, {5, 1, 0}}, {{1, 4, 1}}, nil,
	} {
		got, raw := b.collapse(b.expand(want))
		if raw || !sameUses(got, want) {
			t.Errorf("collapse(expand(%v)) = %v, raw %v", want, got, raw)
		}
	}
	if _, raw := b.collapse([]use{{1, 3, 0}, {4, 1, 0}}); !raw {
		t.Error("uses that no expansion gives were collapsed")
	}
}

func TestFixedEncoding(t *testing.T) {
	text := `{"Inst": [1, 0, {"kind":"varbit","var":"rd","index":0}, {"kind":"varbit","var":"rd","index":1}, null,
		{"kind":"varbit","var":"imm","index":3}, {"kind":"var","var":"f"}, 1], "Size": 1, "DecoderNamespace": "Q"}`
	var r record
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatal(err)
	}
	want := object{"size": 1, "mask": 0x83, "value": 0x81, "dec": "Q", "fields": map[string][][]int{"rd": {{2, 0, 2}}, "imm": {{5, 3, 1}}, "f": {{6, 0, 1}}}}
	if got := fixedEncoded(named{"X", r}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestCompare(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	write := func(dir, name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(a, "x.json", `{"p":1,"q":[1,2]}`)
	write(b, "x.json", `{"q":[1,2.0],"p":1}`)
	if err := compare(a, b); err != nil {
		t.Errorf("equal files: %v", err)
	}
	write(b, "x.json", `{"q":[2,1],"p":1}`)
	if err := compare(a, b); err == nil || !strings.Contains(err.Error(), "1 files differ") {
		t.Errorf("different files: %v", err)
	}
	write(a, "y.json", `{}`)
	if err := compare(a, b); err == nil || !strings.Contains(err.Error(), "2 files differ") {
		t.Errorf("missing file: %v", err)
	}
}

// TestExtract runs the whole on LLVM's sources, where LLVM_SRC names them and llvm-tblgen-19 is installed.
func TestExtract(t *testing.T) {
	src := os.Getenv("LLVM_SRC")
	if src == "" {
		t.Skip("LLVM_SRC does not name LLVM's source tree")
	}
	work, out := t.TempDir(), t.TempDir()
	if err := (&extraction{src: src, work: work, out: out, tblgen: "llvm-tblgen-19"}).run([]string{"AArch64"}); err != nil {
		t.Fatal(err)
	}
	v, err := load(filepath.Join(out, "forms-AArch64.json"))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(v.(map[string]any)["forms"].([]any)); n < 7000 {
		t.Errorf("%d forms", n)
	}
}
