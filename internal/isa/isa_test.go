package isa

import (
	"os"
	"testing"
)

func load(t *testing.T, dir string) *ISA {
	t.Helper()
	data, err := os.ReadFile(dir + "/tables.bin")
	if err != nil {
		t.Fatal(err)
	}
	a := &ISA{Name: dir}
	a.Forms, a.Regs, a.Match = Load(string(data))
	return a
}

// TestTables checks invariants of the embedded tables that every consumer relies on.
func TestTables(t *testing.T) {
	for _, dir := range []string{"x86", "aarch64", "riscv"} {
		a := load(t, dir)
		f := a.Forms
		for id := FormID(1); int(id) < f.Len(); id++ {
			if f.Named(f.Name(id)) != id {
				t.Fatalf("%s: form %d %q not found by name", dir, id, f.Name(id))
			}
			if f.NumDefs(id) > f.NumOps(id) || f.NumOps(id) > MaxOps {
				t.Errorf("%s: %s has %d operands, %d definitions", dir, f.Name(id), f.NumOps(id), f.NumDefs(id))
			}
			n := 0
			for _, o := range f.Operands(id) {
				n += o.Class.Sub
			}
			if n != f.NumOps(id) && f.Flags(id)&(Pseudo|Variadic|CodeGenOnly) == 0 {
				t.Errorf("%s: %s declares %d MC operands, has %d", dir, f.Name(id), n, f.NumOps(id))
			}
		}
		for r := Reg(1); int(r) < a.Regs.Len(); r++ {
			if a.Regs.Units(r).Len() == 0 {
				t.Errorf("%s: register %s has no units", dir, a.Regs.Name(r))
			}
		}
		for m := 0; m < a.Match.Mnemonics(); m++ {
			if a.Match.Mnemonic(a.Match.MnemonicAt(m)) != m {
				t.Fatalf("%s: mnemonic %q not found", dir, a.Match.MnemonicAt(m))
			}
		}
	}
}
