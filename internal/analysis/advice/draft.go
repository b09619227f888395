package advice

import (
	"slices"
	"strconv"
	"strings"

	"incore/internal/base/regex"
	"incore/internal/isa"
)

// draft is a changed kernel.
type draft struct {
	l      *loop
	lines  []draftLine
	times  float64 // iterations of the original kernel whose work one iteration of the draft does
	count  int     // becomes Advice.Count, for remedies that try several numbers
	shift  uint64  // bytes by which the code is moved
	align  int     // to which it is moved
	front  []Line
	behind []Line
}

// draftLine is an instruction of a draft.
type draftLine struct {
	isa.Line
	from    int // instruction of the kernel; -1: none
	changed bool
	copy    int // iteration of the kernel, from 0
}

// draft returns an unchanged copy of the kernel.
func (l *loop) draft() *draft {
	d := &draft{l: l, times: 1}
	for i := range l.k.Lines {
		d.lines = append(d.lines, draftLine{Line: l.k.Lines[i], from: i})
	}
	return d
}

// set changes an instruction.
func (l *draftLine) set(in isa.Inst) {
	in.Size = 0
	l.Inst, l.changed = in, true
}

// insert puts statements in front of line number at.
func (d *draft) insert(at, from int, statements ...string) bool {
	var add []draftLine
	for _, text := range statements {
		insts, err := d.l.k.ISA.Parse(nil, text, d.l.k.ISA.Syntaxes[0])
		if err != nil || text == "" {
			return false
		}
		for _, in := range insts {
			add = append(add, draftLine{Line: isa.Line{Inst: in}, from: from, changed: true})
		}
	}
	d.lines = slices.Insert(d.lines, at, add...)
	return true
}

// kernel returns the draft as a kernel.
func (d *draft) kernel() *isa.Kernel {
	k := *d.l.k
	k.Lines = make([]isa.Line, len(d.lines))
	addr, placed := uint64(0), d.l.k.Placed()
	if placed {
		addr = d.l.k.Lines[0].Addr + d.shift
	}
	if k.Movable > 0 { // the section gets the alignment of what is in it
		k.Movable = max(k.Movable, d.align)
	}
	var buf []byte
	for i := range d.lines {
		l := &d.lines[i]
		if l.changed {
			l.Line = isa.Line{Inst: l.Inst, Text: d.text(&l.Inst)}
		}
		k.Lines[i] = l.Line
		in := &k.Lines[i].Inst
		if in.Size == 0 && k.ISA.Encode != nil {
			if code, err := k.ISA.Encode(buf[:0], in, addr); err == nil {
				buf, in.Size = code, uint8(len(code))
			}
		}
		k.Lines[i].Addr = 0
		if placed {
			k.Lines[i].Addr = addr
		}
		addr += uint64(in.Size)
	}
	return &k
}

// hexadecimal finds hexadecimal constants, which disassemblers write; compilers write decimal ones.
var hexadecimal = regex.Lazy(`0x[0-9a-f]+\b`)

// text returns an instruction as a compiler would write it.
func (d *draft) text(in *isa.Inst) string {
	if d.l.k.ISA.Print == nil {
		return d.l.k.ISA.FormName(in)
	}
	s := string(d.l.k.ISA.Print(nil, in, d.l.k.Syntax))
	return hexadecimal().ReplaceAllStringFunc(s, func(h string) string {
		if v, err := strconv.ParseUint(h[2:], 16, 64); err == nil && v < 1<<20 {
			return strconv.FormatUint(v, 10)
		}
		return h
	})
}

// shown returns the draft's lines for a report.
func (d *draft) shown() (out []Line) {
	for i := range d.lines {
		l := &d.lines[i]
		out = append(out, Line{From: l.from, Text: strings.Join(strings.Fields(l.Text), " "), New: l.changed || l.copy > 0})
	}
	return out
}

// unrolled returns the loop with n iterations in one. If possible, the n additions of a constant to a register become one.
func (l *loop) unrolled(n int) (*draft, bool) {
	if !l.k.Latch || n < 2 || !l.counted() {
		return nil, false
	}
	d := &draft{l: l, times: float64(n), count: n}
	for c := range n {
		for i := range l.k.Lines {
			if l.control[i] && c < n-1 {
				continue
			}
			line := draftLine{Line: l.k.Lines[i], from: i, copy: c}
			if s := l.stepAt(i); s != nil && s.merges {
				if c < n-1 {
					continue
				}
				in, ok := l.r.WithStep(l.inst(i), s.imm*int64(n))
				if !ok {
					return nil, false
				}
				line.set(in)
			}
			if !l.advance(&line, i, c, n) {
				return nil, false
			}
			d.lines = append(d.lines, line)
		}
	}
	return d, true
}

// stepAt returns the step of an instruction, nil if the instruction is not a step.
func (l *loop) stepAt(i int) *step {
	for k := range l.steps {
		if l.steps[k].inst == i {
			return &l.steps[k]
		}
	}
	return nil
}

// advance displaces the addresses of copy c of n by the increments that the merged steps have not yet added.
func (l *loop) advance(line *draftLine, i, c, n int) bool {
	e := &l.g.Bound.Insts[i].Effects
	for m := range e.Mem {
		by := int64(0)
		for k := range l.steps {
			s := &l.steps[k]
			if !s.merges || !l.uses(&e.Mem[m], s.reg) {
				continue
			}
			times := int64(c)
			switch {
			case i > s.inst && c < n-1:
				times++
			case i > s.inst:
				times = 0 // the merged step has already added the sum
			}
			by += times * s.imm * l.scale(&e.Mem[m], s.reg)
		}
		if by == 0 {
			continue
		}
		in, ok := l.r.Displaced(&line.Inst, &e.Mem[m], by)
		if !ok {
			return false
		}
		line.set(in)
	}
	return true
}
