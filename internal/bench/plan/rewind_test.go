package plan

import (
	"testing"

	"incore/internal/isa"
)

// TestGoBack: plans of forms that move the stack pointer end with a statement that moves it back by as much, others have none.
func TestGoBack(t *testing.T) {
	x := X86()
	for name, bytes := range map[string]int64{"PUSH64r": 8, "PUSH64i8": 8, "PUSH64rmm": 8, "PUSH16r": 2, "POP64r": -8, "POP16r": -2, "MOV64mr": 0, "ADD64rr": 0} {
		f := x.ISA.Forms.Named(name)
		p, err := x.Throughput(f, 1)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		last := &p.Insts[len(p.Insts)-1]
		back := x.ISA.Forms.Name(last.Form) == "LEA64r"
		if back != (bytes != 0) {
			t.Errorf("%s: ends in %s", name, x.ISA.Forms.Name(last.Form))
		}
		if want := bytes * int64(p.N); back && !hasImmediate(last, want) {
			t.Errorf("%s: %v does not move the pointer by %d bytes", name, last.Ops[:last.NOps], want)
		}
	}
}

// hasImmediate reports whether an instruction has a number among its operands.
func hasImmediate(in *isa.Inst, v int64) bool {
	for _, o := range in.Ops[:in.NOps] {
		if o.Kind == isa.OpImm && o.Imm == v {
			return true
		}
	}
	return false
}
