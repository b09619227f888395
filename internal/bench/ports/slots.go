package ports

import (
	"context"
	"math"
)

// singles measures every form alone.
func (f *inference) singles(ctx context.Context) error {
	for i := range f.forms {
		r := &f.forms[i]
		t, err := f.lab.ask(ctx, Mix{{i, 1}}, 1)
		if err == errNoFigure {
			r.Reason = "not measured alone"
			continue
		} else if err != nil {
			return err
		}
		r.Cycles, r.floor = t, t
		if !r.Tied {
			continue
		}
		if t, err = f.lab.ask(ctx, Mix{{i, 1}}, 2); err == nil {
			r.floor = math.Max(r.floor, t)
		} else if err != errNoFigure {
			return err
		}
	}
	return nil
}

// findIdle finds a form that takes a dispatch slot and no port: NOPs, unless a NOP shares the slot of the instruction before it (Zen 4). In that case an instruction that
// zeroes a register takes as long with two NOPs as two such instructions. If it were only slower than NOPs because of its ports, the three would take as long as it alone.
// If it is faster than NOPs, the NOPs need ports (Gracemont's long ones, by uops.info).
func (f *inference) findIdle(ctx context.Context) error {
	if f.zero == 0 {
		return nil
	}
	nop, zero := &f.forms[f.nop], &f.forms[f.zero]
	if nop.Reason == "" && zero.Reason == "" && zero.Cycles < 0.9*nop.Cycles {
		f.nop = f.zero
		return nil
	}
	if nop.Reason == "" && zero.Reason == "" && zero.Cycles > 1.5*nop.Cycles {
		t, err := f.lab.ask(ctx, Mix{{f.zero, 1}, {f.nop, 2}}, 2)
		if err != nil && err != errNoFigure {
			return err
		}
		if err == nil && math.Abs(t/(2*zero.Cycles)-1) < 0.1 {
			for i := range f.forms { // NOPs of all lengths
				if r := &f.forms[i]; r.Reason == "" && 1.2*r.Cycles < zero.Cycles {
					r.Reason, r.Shares = "shares the dispatch slot of the instruction before it", true // until the end, so that nothing is asked of it
				}
			}
			f.nop = f.zero
			return nil
		}
	}
	zero.Reason = "stands for itself only where NOPs share slots"
	return nil
}

// findWidth measures the dispatch width as NOPs per cycle. If other forms have the same throughput, NOPs may need ports, too; then
// a mix of NOPs and another form may be faster, and both fill dispatch slots.
func (f *inference) findWidth(ctx context.Context) error {
	if f.forms[f.nop].Reason != "" {
		return errNoFigure
	}
	f.width, f.fillers = 1/f.forms[f.nop].Cycles, []int{f.nop}
	tried := 0
	for i := range f.forms {
		r := &f.forms[i]
		if i == f.nop || r.Reason != "" || r.Tied || len(r.With) > 0 || 1/r.Cycles < 0.45*f.width || tried == maxFillers {
			continue
		}
		tried++
		t, err := f.lab.ask(ctx, Mix{{i, 1}, {f.nop, 1}}, 2)
		if err == nil && 2/t > 1.08*f.width {
			f.width, f.fillers = 2/t, []int{f.nop, i}
		} else if err != nil && err != errNoFigure {
			return err
		}
	}
	// the width is a whole number; the front end may reach slightly less
	if w := math.Round(f.width); w >= 1 && math.Abs(f.width-w) < 0.12*w {
		f.width = w
	}
	return nil
}

// maxFillers is the largest number of forms that are tried together with NOPs.
const maxFillers = 40

// findSlots measures forms' dispatch slots in mixes with fillers, by the part of the dispatch width that they
// take.
func (f *inference) findSlots(ctx context.Context) error {
	for i := range f.forms {
		r := &f.forms[i]
		n := int(math.Ceil(f.width*math.Max(2, 1.4*r.floor)/float64(len(f.fillers)))) * len(f.fillers)
		if n > maxBlockers || i == f.nop || r.Reason != "" {
			continue
		}
		m := Mix{{i, 1}}
		for _, k := range f.fillers {
			if k == i {
				m[0].N += n / len(f.fillers)
			} else {
				m = append(m, Count{k, n / len(f.fillers)})
			}
		}
		t, err := f.lab.ask(ctx, m, max(2, len(m)))
		if err == nil {
			r.Slots = t*f.width - float64(n)
		} else if err != errNoFigure {
			return err
		}
	}
	return nil
}
