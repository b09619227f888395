package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"

	"incore/internal/bench/host"
	"incore/internal/isa"
)

// MemoryTest is an experiment on loads and stores: a plan whose cycles, less what does not belong to it, divided
// by N, are the figure.
type MemoryTest struct {
	Name string // unique; the key by which a run that was stopped goes on
	Plan *Plan
	Unit string // what the figure is
}

// An addressing is a way to form an address in which one register waits for what was loaded.
type addressing struct {
	name        string
	base, index bool // the register that waits
	scale       int64
	disp        int64
}

// addressings are the modes that load-to-use latency is measured with: cores tell displacements apart by size, and indices by scale.
var addressings = []addressing{
	{"(base)", true, false, 1, 0}, {"disp8(base)", true, false, 1, 64}, {"disp32(base)", true, false, 1, 4096 + 192},
	{"(base,index)", false, true, 1, 0}, {"disp8(base,index)", false, true, 1, 64}, {"(base,index,8)", false, true, 8, 0}, {"disp32(base,index,8)", false, true, 8, 4096 + 192},
}

// Units of memory tests.
const (
	unitLatency = "cycles from address to result"
	unitForward = "cycles from stored register to loaded register"
	unitEach    = "cycles each"
)

// Which bytes a load has of those that a store wrote, behind unitForward.
const (
	sameBytes  = ", same bytes"
	fewerBytes = ", fewer bytes"
	moreBytes  = ", more bytes"
)

// lineBytes and pageBytes are the sizes that accesses may cross: of a cache line and of a page of addresses.
const (
	lineBytes = 64
	pageBytes = 4096
)

// MemoryTests makes the experiments on memory from the forms whose name matches: pure loads by addressing mode, stores
// forwarded to loads, and how many go through a cycle, within a line and across lines and pages; and what repeated moves take by their bytes.
func (t *Target) MemoryTests(match *regexp.Regexp) (out []MemoryTest) {
	loads, stores := t.moves(match)
	for _, f := range loads {
		for _, a := range addressings {
			if p, err := t.chase(f, a, 0); err == nil {
				out = append(out, MemoryTest{"load-to-use " + t.ISA.Forms.Name(f) + " " + a.name, p, unitLatency})
			}
		}
		for name, off := range t.crossings(f) {
			if p, err := t.chase(f, addressings[0], off); err == nil {
				out = append(out, MemoryTest{"load-to-use " + t.ISA.Forms.Name(f) + " across a " + name, p, unitLatency})
			}
		}
	}
	for _, f := range append(append([]isa.FormID(nil), loads...), stores...) {
		kind := "loads of "
		if t.ISA.Forms.Flags(f)&isa.MayStore != 0 {
			kind = "stores of "
		}
		offsets := t.crossings(f)
		offsets[""] = 0
		for name, off := range offsets {
			p, err := t.stream(f, off)
			if err != nil {
				continue
			}
			if name != "" {
				name = " across a " + name
			}
			out = append(out, MemoryTest{kind + t.ISA.Forms.Name(f) + name, p, unitEach})
		}
	}
	for _, s := range stores {
		out = append(out, t.forwards(s)...)
	}
	if len(out) > 0 {
		out = append(out, t.repetitions()...)
	}
	sortTests(out)
	return out
}

// repetitions plans instructions that move so many bytes in one go, of each number again and again.
func (t *Target) repetitions() (out []MemoryTest) {
	for text, bytes := range t.repeated {
		for _, n := range []int{0, 1, 8, 16, 32, 64, 128, 256, 512, 1024, 2048} {
			p := &Plan{Values: map[int]uint64{t.hardware(t.base): aligned}}
			var err error
			for _, s := range append(t.repeat(n/bytes), text) {
				err = cmp.Or(err, p.text(t, s, 0, 0, t.named(t.base)))
			}
			if err != nil || n%bytes != 0 {
				continue
			}
			p.Own[len(p.Own)-1], p.N = true, 1
			out = append(out, MemoryTest{fmt.Sprintf("%s, %d bytes", text, n), p, unitEach})
		}
	}
	return out
}

// moves lists the forms that only load one value into a register, and those that only store one.
func (t *Target) moves(match *regexp.Regexp) (loads, stores []isa.FormID) {
	for _, f := range t.Select(match, nil) {
		if t.Lacks(f) != "" || t.ISA.Forms.Flags(f)&(isa.MaskMerge|isa.MaskZero) != 0 {
			continue
		}
		_, in, err := t.first(f)
		if err != nil {
			continue
		}
		var e isa.Effects
		t.ISA.Effects(&in, &e)
		if len(e.Mem) != 1 || e.Mem[0].Elems != 1 || e.Mem[0].Bits < 8 || e.Mem[0].Load == e.Mem[0].Store {
			continue
		}
		data, flagged := 0, false
		for _, r := range e.Reads {
			flagged = flagged || r.Op < 0
			if r.Role == isa.RoleData {
				data++
			}
		}
		switch {
		case flagged:
		case e.Mem[0].Load && data == 0 && len(e.Writes) == 1 && e.Writes[0].Op == 0:
			loads = append(loads, f)
		case e.Mem[0].Store && data == 1 && len(e.Writes) == 0:
			stores = append(stores, f)
		}
	}
	return loads, stores
}

// crossings are displacements at which the form's access lies across a boundary in its middle, by the boundary's name.
func (t *Target) crossings(f isa.FormID) map[string]int64 {
	n := t.accessBytes(f)
	if n < 2 {
		return map[string]int64{}
	}
	return map[string]int64{"line": lineBytes - n/2, "page": pageBytes - n/2}
}

func (t *Target) accessBytes(f isa.FormID) int64 {
	x, err := newInstance(t, f)
	if err != nil {
		return 0
	}
	return x.bytes()
}

// aligned is what the base register of tests holds: the start of a page.
const aligned = 0x4400000

// memoryPlan is an empty plan whose base register is at the start of a page.
func (t *Target) memoryPlan(f isa.FormID) *Plan {
	p, s := t.newPlan(f)
	p.Fill, p.Values = 0, map[int]uint64{}
	for i, v := range s.values {
		p.Values[i] = v
	}
	p.Values[t.hardware(t.base)] = aligned
	return p
}

// hardware is the number of a general-purpose root in encodings.
func (t *Target) hardware(name string) int { return t.numbers[name] }

// chase plans a load whose address waits for its own result, brought to zero and added.
func (t *Target) chase(f isa.FormID, a addressing, offset int64) (*Plan, error) {
	x, in, err := t.first(f)
	if err != nil {
		return nil, err
	}
	p := t.memoryPlan(f)
	m := t.ISA.Forms.MemOp(f)
	waits := t.named(t.base)
	if a.index {
		waits = t.named(t.spare[gpr][len(t.spare[gpr])-3])
		if t.root[in.Reg(0)] == waits {
			return nil, planError("the index is the result")
		}
		in.Ops[m+2] = isa.Operand{Kind: isa.OpReg, Reg: waits}
		in.Ops[m+1].Imm = a.scale
		p.Values[t.hardware(t.ISA.Regs.Name(waits))] = 0
	}
	in.Ops[m+3].Imm = a.disp + offset
	var e isa.Effects
	t.ISA.Effects(&in, &e)
	p.To = e.Writes[0]
	if err := p.add(t, in, true); err != nil {
		return nil, err
	}
	at := t.root[in.Reg(0)]
	if k := t.kindOf[at]; k != gpr {
		at = t.free(gpr, &in)
		if err := x.helped(p, e.Writes[0], at, gpr, &in); err != nil {
			return nil, err
		}
	}
	if err := p.text(t, t.clear, at, waits, 0); err != nil {
		return nil, err
	}
	p.Extra += 2
	return p, p.text(t, t.step, at, waits, 0)
}

// stream plans accesses that do not wait for each other, side by side or all across boundaries.
func (t *Target) stream(f isa.FormID, offset int64) (*Plan, error) {
	x, _, err := t.first(f)
	if err != nil {
		return nil, err
	}
	p := t.memoryPlan(f)
	for i := range x.count() {
		disp := int64(i) * x.bytes() % pageBytes
		if offset != 0 {
			disp = offset + int64(i)*lineBytes
			if offset > lineBytes {
				disp = offset + int64(i%8)*pageBytes
			}
		}
		in, err := x.build(choice{rot: i, disp: disp})
		if err != nil {
			return nil, err
		}
		if err := p.add(t, in, true); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// forwards plans round trips from a stored register to a load of the same or of other bytes, and back: the load of each
// size that the target has for the register's kind.
func (t *Target) forwards(store isa.FormID) (out []MemoryTest) {
	_, in, err := t.first(store)
	if err != nil {
		return nil
	}
	var e isa.Effects
	t.ISA.Effects(&in, &e)
	size := int64(e.Mem[0].Bits / 8)
	for _, r := range e.Reads {
		if r.Role != isa.RoleData || r.Op < 0 {
			continue
		}
		for bits, text := range t.reload[t.kindOf[r.Reg]] {
			n := int64(bits / 8)
			bytes := map[int]string{-1: fewerBytes, 0: sameBytes, 1: moreBytes}[cmp.Compare(n, size)]
			offsets := map[string]int64{"": 0}
			if n < size {
				offsets[fmt.Sprintf(" from byte %d", size-n)] = size - n
				if size > 2*n {
					offsets[" from byte 1"] = 1
				}
			}
			for name, off := range offsets {
				p := t.memoryPlan(store)
				moved := strings.Replace(text, "(", fmt.Sprintf("%d(", off), 1)
				if p.add(t, in, true) != nil || p.text(t, moved, t.root[r.Reg], t.named(t.base), 0) != nil {
					continue
				}
				out = append(out, MemoryTest{fmt.Sprintf("forward %s to %d bits%s", t.ISA.Forms.Name(store), bits, name), p, unitForward + bytes})
			}
		}
	}
	return out
}

// sortTests puts tests into the order of their names.
func sortTests(l []MemoryTest) {
	slices.SortFunc(l, func(a, b MemoryTest) int { return strings.Compare(a.Name, b.Name) })
}

// memoryPrefix starts the lines of memory tests in files of results.
const memoryPrefix = "# memory: "

// Memory measures memory tests one after another and writes each as it comes.
func (b *Bench) Memory(ctx context.Context, tests []MemoryTest, w io.Writer, progress func(done, failed int)) error {
	failed := 0
	for i := range tests {
		m := &tests[i]
		v, u, err := b.Run(ctx, m.Plan)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		line := ""
		if why := new(host.Reason); err == nil {
			c := v
			switch m.Unit {
			case unitLatency:
				c = b.own(m.Plan, v)
			case unitEach:
				c, u = v/m.Plan.N, u/m.Plan.N
			}
			if math.IsNaN(c) {
				continue
			}
			line = fmt.Sprintf("%s ± %s %s", trim(c, 2), trim(u, 2), m.Unit)
		} else if errors.As(err, &why) && why.Kind != "unsupported" {
			failed++
			line = oneLine(why)
		} else {
			return err
		}
		if _, err := fmt.Fprintf(w, "%s%s: %s\n", memoryPrefix, m.Name, line); err != nil {
			return fmt.Errorf("writing results: %w", err)
		}
		if progress != nil {
			progress(i+1, failed)
		}
	}
	return nil
}
