package x86

import (
	"encoding/hex"
	"math/rand/v2"
	"testing"

	"incore/internal/base/long"
	"incore/internal/isa"
	"incore/internal/isa/x86/enc"
)

// randomInst fills the operands of a form by its plan with values that can be encoded.
func randomInst(rng *rand.Rand, f isa.FormID) isa.Inst {
	c := codes()
	in := isa.Inst{Form: f}
	fc := &c.forms[f]
	s := &c.sigs[fc.sig]
	limit := uint8(16)
	if s.Map >= enc.MapEVEX && s.Map < enc.MapXOP {
		limit = 32
	}
	for _, st := range c.plans[fc.plan] {
		randomOperand(rng, &in, st, s, limit)
	}
	return in
}

func randomReg(rng *rand.Rand, class int, limit uint8) isa.Reg {
	if class <= enc.Class64 {
		limit = 16
	}
	for {
		if r := classRegs[class][rng.IntN(int(limit))]; r != isa.NoReg {
			return r
		}
	}
}

func randomOperand(rng *rand.Rand, in *isa.Inst, st enc.Step, s *sigInfo, limit uint8) {
	switch st.Op() {
	case enc.OpReg, enc.OpRM, enc.OpVVVV, enc.OpOpcode:
		in.AddReg(randomReg(rng, st.Class(), limit))
	case enc.OpIs4:
		in.AddReg(randomReg(rng, st.Class(), 16))
	case enc.OpMask:
		in.AddReg(K0 + 1 + isa.Reg(rng.IntN(7)))
	case enc.OpTied:
		in.Add(in.Ops[st.Arg()])
	case enc.OpMem:
		in.AddReg(randomReg(rng, enc.Class64, 16))
		index := isa.NoReg
		if st.Class() != enc.ClassNone {
			index = randomReg(rng, st.Class(), limit)
		} else if rng.IntN(2) == 0 {
			for index = RSP; index == RSP; {
				index = randomReg(rng, enc.Class64, 16)
			}
		}
		scale := int64(1)
		if index != isa.NoReg {
			scale = 1 << rng.IntN(4)
		}
		in.AddImm(scale)
		in.AddReg(index)
		in.AddImm([]int64{0, int64(int8(rng.Uint32())), int64(int8(rng.Uint32())) << s.Disp8, int64(int32(rng.Uint32()))}[rng.IntN(4)])
		in.AddReg(isa.NoReg)
		if s.AdSize == 32 { // movdir64b and its like with a 32-bit address
			in.Ops[in.NOps-5].Reg = randomReg(rng, enc.Class32, 16)
			in.Ops[in.NOps-3].Reg = isa.NoReg
			in.Ops[in.NOps-4].Imm = 1
		}
	case enc.OpImm:
		in.AddImm(randomImm(rng, st))
	case enc.OpRel:
		in.AddImm(int64(int8(rng.Uint32() | 0x10)))
	case enc.OpCC, enc.OpSCC, enc.OpDFV:
		in.AddImm(int64(rng.IntN(16)))
	case enc.OpRC:
		in.AddImm(int64(rng.IntN(4)))
	case enc.OpMoffs:
		in.AddImm(randomImm(rng, st))
		in.AddReg(isa.NoReg)
	case enc.OpSrcIdx:
		in.AddReg(RSI)
		in.AddReg(isa.NoReg)
	case enc.OpDstIdx:
		in.AddReg(RDI)
	}
}

func randomImm(rng *rand.Rand, st enc.Step) int64 {
	v := int64(rng.Uint64())
	if st.Op() == enc.OpImm && st.Class() == enc.ImmNibble {
		return v & 15
	}
	shift := 64 - 8*st.Arg()
	if st.Op() == enc.OpMoffs || st.Class() == enc.ImmUnsigned {
		return int64(uint64(v) << shift >> shift)
	}
	return v << shift >> shift
}

// unreachable are forms that the decoder never produces, and why.
var unreachable = map[string]string{
	"MASKMOVDQU": "twin of MASKMOVDQU64 for 32-bit mode, with the same machine code",
}

// TestRoundTrip encodes random operands of every form that the decoder knows,
// decodes the bytes, and asks llvm-mc what they are.
func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	c := codes()
	a := ISA()
	var insts []isa.Inst
	var bytesOf [][]byte
	missed := 0
	for f := isa.FormID(1); int(f) < len(c.forms); f++ {
		if c.forms[f].sig == 0 || !c.sigs[c.forms[f].sig].Decode || unreachable[a.Forms.Name(f)] != "" {
			continue
		}
		for range long.Count(3, 1) {
			in := randomInst(rng, f)
			code, err := encode(nil, &in, 0)
			if err != nil {
				missed++
				if missed < 25 {
					t.Errorf("%s %v: %v", a.FormName(&in), show(&in), err)
				}
				continue
			}
			var back isa.Inst
			n, err := decode(code, 0, &back)
			in.Size, in.Prefix = uint8(len(code)), back.Prefix
			if err != nil || n != len(code) || in != back {
				missed++
				if missed < 25 {
					t.Errorf("% x: encoded %s, decoded %s, %v", code, show(&in), show(&back), err)
				}
			}
			insts, bytesOf = append(insts, in), append(bytesOf, code)
		}
	}
	t.Logf("%d instructions of %d forms, %d don't come back", len(insts), len(insts)/3, missed)
	if testing.Short() {
		return
	}
	diffs := 0
	for i, want := range mcDisassemble(t, bytesOf) {
		in := insts[i]
		got := show(&in)
		if rel := relOperand(&in); rel >= 0 { // llvm-mc shows the distance
			in.Ops[rel].Imm -= int64(in.Size)
			got = show(&in)
		}
		if got != want {
			if diffs++; diffs < 40 {
				t.Errorf("%s: we %q, llvm-mc %q", hex.EncodeToString(bytesOf[i]), got, want)
			}
		}
	}
	t.Logf("%d of %d differ from llvm-mc", diffs, len(insts))
}

// relOperand is the MC operand that is a branch distance, -1 if none.
func relOperand(in *isa.Inst) int {
	at := 0
	for _, st := range codes().plans[codes().forms[in.Form].plan] {
		if st.Op() == enc.OpRel {
			return at
		}
		at += stepOps(st)
	}
	return -1
}
