package bench

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"incore/internal/bench/host"
	"incore/internal/isa"
)

// targets are what machines can be measured by architecture, as Go calls it.
var targets = map[string]func() *Target{"amd64": X86, "arm64": ARM64, "riscv64": RISCV64}

// Native is the target of the machine under us; the error says if there is none.
func Native() (*Target, error) {
	t, ok := targets[host.Arch]
	if !ok {
		return nil, fmt.Errorf("nothing can be measured on %s: measuring is for amd64, arm64 and riscv64", host.Arch)
	}
	return t(), nil
}

// For is the target of an instruction set, nil if there is none.
func For(set *isa.ISA) *Target {
	for _, t := range targets {
		if t := t(); t.ISA == set || t.ISA.Name == set.Name {
			return t
		}
	}
	return nil
}

// code is a plan's machine code in the state that it wants.
func (t *Target) code(p *Plan) *host.Code {
	values := maps.Clone(t.always)
	if values == nil {
		values = map[int]uint64{}
	}
	maps.Copy(values, p.Values)
	c := newCode(p.Code, Setup{Values: values, Denormal: p.Exact})
	c.Fill, c.Keep, c.Masks = p.Fill, false, maskRegisters()
	c.Stack, c.Tiles = p.Stack, t.tiles(p)
	c.Counter, c.Vectors = t.counter, t.vectors()
	v := p.VType
	if v.SEW == 0 {
		v = t.vtype
	}
	c.VType = vtypeBits(v)
	c.Narrow = t.narrow(p) && !c.Tiles
	return c
}

// narrow reports whether a plan names no vector registers of more than 128 bits.
func (t *Target) narrow(p *Plan) bool {
	const wide = 128
	return t.ISA.VectorBits != nil && !slices.ContainsFunc(p.Insts, func(in isa.Inst) bool { return t.ISA.VectorBits(&in) > wide })
}

// tiles reports whether a plan uses tiles.
func (t *Target) tiles(p *Plan) bool {
	return slices.ContainsFunc(p.Insts, func(in isa.Inst) bool {
		for i := range int(in.NOps) {
			if t.kindOf[in.Reg(i)] == tile {
				return true
			}
		}
		return false
	})
}

// vectors reports whether this machine has registers of scalable vectors.
func (t *Target) vectors() bool {
	has := t.features()
	return has["sve"] || has["v"]
}

// adapt completes a block's code for a machine whose driver needs a register that the block does not use, and whose
// vectors need a configuration.
func (t *Target) adapt(c *host.Code) {
	if t.counter < 0 {
		return
	}
	c.Counter, c.Vectors, c.VType = t.unused(c.Bytes), t.vectors(), vtypeBits(t.vtype)
}

// Number is the number of a general-purpose register in encodings, by its spelling; -1 if it is none of full width.
func (t *Target) Number(spelling string) int {
	if n, ok := t.numbers[t.ISA.Regs.Name(t.ISA.Regs.Spelled(spelling))]; ok {
		return n
	}
	return -1
}

// Numbers are the general-purpose registers by their spelling, with their numbers in encodings; those that are always
// zero are not among them.
func (t *Target) Numbers() map[string]int {
	out := map[string]int{}
	for name, n := range t.numbers {
		r := t.named(name)
		if t.ISA.Constant == nil || !t.ISA.Constant(r) {
			out[strings.TrimPrefix(t.spell(r, 0), "%")] = n
		}
	}
	return out
}

// carriesFlags reports whether machine code reads flags that its last execution left, other than those that the
// driver's loop never writes; and whether it leaves alone the register that a loop counts in which writes none.
func (t *Target) carriesFlags(code []byte) (carries, counter bool) {
	if t.loopLeaves == nil {
		return false, true
	}
	written, early := map[isa.Reg]bool{}, map[isa.Reg]bool{} // flags: by the code; read before it writes them
	counter = true
	var e isa.Effects
	for at := 0; at < len(code); {
		var in isa.Inst
		n, err := t.ISA.Decode(code[at:], uint64(at), &in)
		if err != nil {
			return false, false
		}
		counter = counter && !t.uses(&in, t.named(t.loopCounter))
		at += n
		t.ISA.Effects(&in, &e)
		for _, r := range e.Reads {
			if t.kindOf[r.Reg] == flags && !written[r.Reg] && !t.loopLeaves[t.ISA.Regs.Name(r.Reg)] {
				early[r.Reg] = true
			}
		}
		for _, w := range e.Writes {
			if t.kindOf[w.Reg] == flags {
				written[w.Reg] = true
			}
		}
	}
	for r := range early {
		carries = carries || written[r]
	}
	return carries, counter
}

// unused is the number of a general-purpose register that machine code does not use, -1 if it uses all.
func (t *Target) unused(code []byte) int {
	used := map[isa.Reg]bool{}
	var e isa.Effects
	for at := 0; at < len(code); {
		var in isa.Inst
		n, err := t.ISA.Decode(code[at:], uint64(at), &in)
		if err != nil {
			return -1
		}
		at += n
		for i := range int(in.NOps) {
			used[t.root[in.Reg(i)]] = true
			subs := t.ISA.Regs.Subs(in.Reg(i))
			for k := range subs.Len() {
				used[t.root[subs.At(k)]] = true
			}
		}
		t.ISA.Effects(&in, &e)
		for _, list := range [][]isa.Access{e.Reads, e.Writes} {
			for _, a := range list {
				used[t.root[a.Reg]] = true
			}
		}
	}
	best := -1
	for name, n := range t.numbers {
		r := t.named(name)
		free := t.kindOf[r] == gpr && !used[t.root[r]] && (t.ISA.Constant == nil || !t.ISA.Constant(r)) && (t.ISA.StackPointer == nil || !t.ISA.StackPointer(r)) && name != "X2" && name != "SP"
		if free && n > best {
			best = n
		}
	}
	return best
}

// page is the address whose page a plan's memory operands access.
func (t *Target) page() uint64 {
	s := Setup{}
	return s.Registers()[t.hardware(t.base)] &^ (pageBytes - 1)
}

// memory is all that the registers' initial values point to, with what displacements, indices and strides add.
func (t *Target) memory() []host.Span {
	const slack = 0x20000
	return []host.Span{{Start: sameValue - slack, Size: 32*distinctStep + 2*slack}, {Start: aligned, Size: slack}}
}
