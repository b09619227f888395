package block

import (
	"fmt"
	"strconv"
	"strings"

	"incore/internal/bench/host"
	"incore/internal/isa"
)

// Assembled is a kernel as machine code that falls through at its end.
type Assembled struct {
	Code  []byte
	N     int   // instructions
	Lines []int // the kernel's line of each instruction
	// Symbols are the names in addresses; each has its own memory. Relative is the number of other addresses
	// that were relative to the instruction pointer.
	Symbols  []string
	Relative int
	// Branches is the number of conditional branches inside; they are redirected to the next instruction, taken or
	// not. Jumps is the number of jumps that are left out because their target follows anyway.
	Branches, Jumps int
}

// symbolBase is the address of the data of symbols: in reach of a 32-bit displacement, away from the targets
// of registers. Data that machine code addresses relative to the instruction pointer are moved to codeData and
// above, at the same page offset.
const (
	symbolBase = 0x3000000
	symbolStep = 0x1000 + 192
	codeData   = 0x10000000
)

// maxQuoted is the largest number of characters of a statement in a message.
const maxQuoted = 80

// quoted returns a statement's text for a message, without control characters.
func quoted(text string) string {
	r := []rune(strings.Join(strings.Fields(text[:min(len(text), 4*maxQuoted)]), " "))
	if len(r) > maxQuoted {
		r = append(r[:maxQuoted], '…')
	}
	return strconv.QuoteToGraphic(string(r))
}

// Assemble encodes a kernel: straight code, or a loop without its closing branch. A path through a loop (isa.Kernel.Path) and a path
// through machine code, whose lines have addresses, may contain branches.
func Assemble(k *isa.Kernel) (*Assembled, error) {
	a := &Assembled{}
	place := map[string]int64{}
	for i := range k.Lines {
		l := &k.Lines[i]
		if l.Inst.Form == isa.NoForm {
			return nil, &host.Reason{Kind: "unknown", Msg: fmt.Sprintf("line %s: unknown instruction %s", where(l), quoted(l.Text))}
		}
		f := k.ISA.Flow(&l.Inst)
		if i == len(k.Lines)-1 && (i > 0 || k.Latch) && (f.Kind == isa.FlowCond || f.Kind == isa.FlowJump) {
			break
		}
		in := l.Inst
		switch why := leaves(f.Kind); {
		case why == "":
		case f.Kind == isa.FlowJump && follows(k, i, f):
			a.Jumps++
			continue
		case f.Kind == isa.FlowCond && (l.Addr != 0 || k.Path) && passOver(k.ISA, &in):
			a.Branches++
		default:
			return nil, &host.Reason{Kind: "branch", Msg: fmt.Sprintf("line %s: %s", where(l), why)}
		}
		a.resolve(k.ISA, &in, l, place)
		code, err := k.ISA.Encode(a.Code, &in, 0)
		if err != nil {
			return nil, &host.Reason{Kind: "unencodable", Msg: fmt.Sprintf("line %s: %s: %v", where(l), quoted(l.Text), err)}
		}
		a.Code, a.Lines = code, append(a.Lines, i)
		a.N++
	}
	if a.N == 0 {
		return nil, &host.Reason{Kind: "empty", Msg: "has no instruction but a branch"}
	}
	return a, nil
}

// where returns the position of a line: its number, or its address.
func where(l *isa.Line) string {
	if l.No == 0 && l.Addr != 0 {
		return fmt.Sprintf("%#x", l.Addr)
	}
	return fmt.Sprint(l.No)
}

// follows reports whether a jump leads to the next line.
func follows(k *isa.Kernel, i int, f isa.Flow) bool {
	if k.Path {
		return i+1 < len(k.Lines)
	}
	return k.Lines[i].Addr != 0 && f.Target.Kind == isa.OpImm && i+1 < len(k.Lines) && uint64(f.Target.Imm) == k.Lines[i+1].Addr
}

// passOver redirects a branch to the next instruction.
func passOver(set *isa.ISA, in *isa.Inst) bool {
	if in.NOps == 0 || in.Ops[0].Kind != isa.OpImm && in.Ops[0].Kind != isa.OpExpr {
		return false
	}
	for range 2 { // the first pass determines its length
		code, err := set.Encode(nil, in, 0)
		if err != nil {
			in.Ops[0] = isa.Operand{Kind: isa.OpImm}
			continue
		}
		in.Ops[0] = isa.Operand{Kind: isa.OpImm, Imm: int64(len(code))}
	}
	var back isa.Inst
	code, err := set.Encode(nil, in, 0)
	if err != nil {
		return false
	}
	n, err := set.Decode(code, 0, &back)
	return err == nil && set.Flow(&back).Target.Imm == int64(n)
}

// resolve replaces symbols in displacements and immediates by addresses, and addresses relative to the instruction pointer by
// absolute ones.
func (a *Assembled) resolve(set *isa.ISA, in *isa.Inst, l *isa.Line, place map[string]int64) {
	absolute := -1
	for i := range in.Ops[:in.NOps] {
		if o := &in.Ops[i]; o.Kind == isa.OpExpr {
			at, ok := place[o.Expr.Sym]
			if !ok {
				at = symbolBase + int64(len(place))*symbolStep
				place[o.Expr.Sym] = at
				a.Symbols = append(a.Symbols, o.Expr.Sym)
			}
			*o = isa.Operand{Kind: isa.OpImm, Imm: at + o.Expr.Add}
			absolute = i
		}
	}
	m := set.Forms.MemOp(in.Form)
	if m < 0 || set.Constant == nil || !set.Constant(in.Reg(m)) {
		return
	}
	switch disp := &in.Ops[m+3]; {
	case absolute == m+3:
		in.Ops[m].Reg = isa.NoReg
	case l.Addr != 0 && disp.Kind == isa.OpImm && in.Reg(m) != isa.NoReg:
		target := l.Addr + uint64(in.Size) + uint64(disp.Imm)
		disp.Imm = int64(codeData + target%codeData)
		in.Ops[m].Reg = isa.NoReg
		a.Relative++
	}
}
