package predict

import (
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"incore/internal/analysis/sim"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

// FuzzBounds: no simulation is faster than the bounds of the model prove: ports, dispatch, front end, branches, cache and chains of dependences. The input
// chooses a core, and the instruction form and the operands of each instruction; closed has a branch back to the first at the end.
func FuzzBounds(f *testing.F) {
	cores := simulated(f)
	for i := range cores {
		f.Add(uint8(i), i%3 == 0, i%2 == 0, []byte("\x01\x02\x03\x04\x05\x06\x07\x08\x09\x90\xa1\xb2\xc3\xd4\xe5\xf6\x17\x28"))
	}
	f.Add(uint8(0), true, true, []byte("\x80\x00\x01\x80\x00\x01\x81\x00\x02\x82\x00\x01"))
	f.Fuzz(func(t *testing.T, core uint8, closed, unrolled bool, program []byte) {
		m := cores[int(core)%len(cores)]
		checkBounds(t, m, unrolled, blockOf(m, program, closed))
	})
}

// TestBoundsOfForms is what FuzzBounds does, with random blocks of all simulated cores.
func TestBoundsOfForms(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	n := 0
	for _, m := range simulated(t) {
		for i := range 6 {
			program := make([]byte, 3*(1+rng.IntN(10)))
			for k := range program {
				program[k] = byte(rng.Uint32())
			}
			if checkBounds(t, m, i%2 == 0, blockOf(m, program, i%3 == 0)) {
				n++
			}
		}
	}
	if t.Logf("%d blocks", n); n < 200 {
		t.Errorf("only %d blocks were simulated", n)
	}
}

// simulated are the cores that the simulator knows.
func simulated(t testing.TB) (out []*machine.Model) {
	for _, name := range machine.Names() {
		m, err := machine.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := sim.Available(m); err == nil {
			out = append(out, m)
		}
	}
	return out
}

// checkBounds simulates machine code and compares with the bounds; false: it is no code that can be simulated.
func checkBounds(t *testing.T, m *machine.Model, unrolled bool, code []byte) bool {
	r := Reader{ISA: catalog.ISA(m.ISA)}
	k, err := r.Code(code, 0)
	if err != nil {
		return false
	}
	x := Predictor{Model: m, Conditions: Conditions{Unrolled: unrolled}}
	g, e := x.Estimate(k)
	if e.Result == nil || slices.ContainsFunc(g.Bound.Insts, func(in machine.Inst) bool { return in.Flags&machine.Unknown != 0 }) {
		return false // bounds with unknown costs prove nothing
	}
	const tolerance = 0.002 // of a mean over iterations
	if least, what := e.Limits.Greatest(); e.Cycles < least*(1-tolerance)-tolerance {
		var text []string
		for i := range g.Bound.Insts {
			text = append(text, string(k.ISA.Print(nil, &g.Bound.Kernel.Lines[i].Inst, k.Syntax)))
		}
		t.Errorf("%s: %.3f cycles (exact: %v, pattern: %v, unrolled: %v), %s allow no less than %.3f: %s: %s", m.Name, e.Cycles, e.Result.Exact, e.Result.Pattern, unrolled, what, least,
			hex.EncodeToString(code), strings.Join(text, "; "))
	}
	return true
}

// common are forms that code consists of for the most part; other forms come from the whole table.
var common = map[string][]string{
	"x86-64": {"ADD64rr", "ADD64rm", "ADD64mr", "SUB64ri8", "MOV64rm", "MOV64mr", "MOV64rr", "MOV32rm", "LEA64r", "IMUL64rr", "CMP64rr", "CMP64mi8", "TEST64rr", "CMOV64rr", "SHL64ri", "SHL64rCL",
		"ADC64rr", "PUSH64r", "POP64r", "XOR32rr", "JCC_1", "SETCCr", "MOVZX32rm8", "MOVSX64rr32", "DIV64r", "MULSDrr", "ADDSDrm", "MOVAPSrr", "MOVSDrm", "MOVSDmr", "CVTSI642SDrr", "VADDPDYrr",
		"VFMADD231PDYr", "VFMADD231PDYm", "VMOVUPSYrm", "VMOVUPSYmr", "VPERMPDYri", "VFMADD231PDZr", "VMOVUPSZrm", "VMOVUPSZmr", "VDIVPDYrr", "VPXORYrr", "INC64m", "XCHG64rm", "NOOP"},
	"aarch64": {"ADDXrr", "ADDXri", "SUBSXri", "MADDXrrr", "LDRXui", "STRXui", "LDRDui", "STRDui", "LDRXpost", "STRXpre", "LDPXi", "STPXi", "LDRXroX", "FADDDrr", "FMULDrr", "FMADDDrrr", "FMLAv2f64",
		"UBFMXri", "CSELXr", "UDIVXr", "ORRXrs", "Bcc", "CBZX", "LDRQui", "STRQui", "FDIVDrr", "TBLv16i8One", "SCVTFUXDri", "MOVZXi"},
	"riscv64": {"ADD", "ADDI", "MUL", "LD", "SD", "LW", "SW", "FLD", "FSD", "FADD_D", "FMUL_D", "FMADD_D", "SLLI", "SLTU", "DIV", "XOR", "BNE", "C_ADDI", "C_LD", "FDIV_D", "LUI", "VSETVLI", "VADD_VV", "VFMACC_VV"},
}

// blockOf is machine code of the instructions that a program names, three bytes each.
func blockOf(m *machine.Model, program []byte, closed bool) (code []byte) {
	a := catalog.ISA(m.ISA)
	for i := 0; i+3 <= len(program) && i < 3*24; i += 3 {
		form := isa.FormID(1 + (int(program[i])<<8|int(program[i+1]))%(a.Forms.Len()-1))
		if program[i] >= 128 {
			form = a.Forms.Named(common[a.Name][int(program[i+1])%len(common[a.Name])])
		}
		in, ok := instance(a, form, rand.New(rand.NewPCG(uint64(program[i+2]), 1)))
		if !ok {
			continue
		}
		switch a.Flow(&in).Kind {
		case isa.FlowNext, isa.FlowCond:
			if more, err := a.Encode(code, &in, uint64(len(code))); err == nil {
				code = more
			}
		}
	}
	if closed {
		back := map[string]string{"x86-64": "jne 0", "aarch64": "cbnz x20, 0", "riscv64": "bnez x20, 0"}
		if insts, err := a.Parse(nil, back[a.Name], ""); err == nil {
			if more, err := a.Encode(code, &insts[0], uint64(len(code))); err == nil {
				code = more
			}
		}
	}
	return code
}

// instance makes an instruction of a form; few registers and addresses, so that instructions depend on each other.
func instance(a *isa.ISA, form isa.FormID, rng *rand.Rand) (in isa.Inst, ok bool) {
	in.Form = form
	values := []int64{0, 1, 2, 3, 4, 7, 8, 16, 32, 63, -1, -8, 1000}
	for i, o := range a.Forms.Operands(form) {
		tied := a.Forms.TiedDef(form, o.MC)
		switch {
		case o.Class.Kind == "pcrel", o.Class.Type == "OPERAND_PCREL":
			in.AddImm(0) // to the first instruction
		case o.Class.IsAddress():
			in.AddReg(a.Regs.Spelled([]string{"rsi", "rdi", "rax", "rsp"}[rng.IntN(4)]))
			in.AddImm(int64(1) << rng.IntN(4))
			index := isa.NoReg
			if v := o.Class.VectorIndex(); v != 0 {
				return in, false
			} else if rng.IntN(3) == 0 {
				index = a.Regs.Spelled("rcx")
			}
			in.AddReg(index)
			in.AddImm([]int64{0, 0, 8, 16, 64, 4096}[rng.IntN(6)])
			in.AddReg(isa.NoReg)
		case o.Class.Kind != "reg":
			if c := o.Class.Shifted(); c != nil {
				o.Class = c
				in.AddReg(register(a, &o, rng, i))
				in.AddImm(values[rng.IntN(len(values))])
				break
			}
			in.AddImm(values[rng.IntN(len(values))])
			for range o.Class.Sub - 1 {
				in.AddImm(0)
			}
		case tied >= 0:
			in.AddReg(in.Reg(tied))
		default:
			r := register(a, &o, rng, i)
			if r == isa.NoReg {
				return in, false
			}
			in.AddReg(r)
		}
	}
	return in, true
}

// register is one of the first registers of an operand's class.
func register(a *isa.ISA, o *isa.OpDecl, rng *rand.Rand, operand int) isa.Reg {
	members, _ := a.Regs.Class(o.Class.RegClass)
	n := members.Len()
	var some []isa.Reg
	for k := 0; k < n && len(some) < 5; k++ {
		if r := isa.Reg(members.At(k)); a.StackPointer == nil || !a.StackPointer(r) {
			some = append(some, r)
		}
	}
	if len(some) == 0 {
		return isa.NoReg
	}
	slices.Sort(some)
	return some[(rng.IntN(len(some))+operand)%len(some)]
}
