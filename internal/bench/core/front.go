package core

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// A window has 64 bytes, that is 16 instructions of 4 bytes.
const (
	windowInsts = 16
	windowBytes = 64
)

// opCache finds the capacity of the µop cache in instructions. Bodies of 4-byte instructions run fast as long as
// they come from the µop cache, because one in 16 has a prefix that stalls the legacy decoders. Where no prefix
// stalls the decoders (AMD), these are narrower than dispatch, and bodies of one-slot instructions show it.
func opCache() Probe {
	return Probe{Name: "op-cache", Doc: "instructions that the µop cache holds", run: func(ctx context.Context, s *session) ([]Finding, error) {
		f := Finding{Name: "op-cache"}
		stumbling := func(w int) (p Program) {
			for range w {
				p = append(p, rep(s.t.stumbling, 1), rep(s.t.nops[windowBytes/windowInsts], windowInsts-1))
			}
			return p
		}
		for _, kind := range []struct {
			name, statement string
			code            func(int) Program
			what            string
		}{
			{"op-cache", s.t.stumbling, stumbling, "instructions of 4 bytes, one in 16 with a length-changing prefix: so many run at the full rate"},
			{"op-cache, a slot each", s.t.slot4, func(w int) Program { return Program{rep(s.t.slot4, w*windowInsts)} }, fmt.Sprintf("instructions of 4 bytes ('%s'): so many run at the full rate", s.t.slot4)},
		} {
			if kind.statement == "" {
				continue
			}
			c, err := s.perInst(ctx, kind.name, span(16, 512, 16), kind.code, windowInsts)
			if err != nil {
				return nil, err
			}
			f.Curves = append(f.Curves, c)
			if f.fromStep(c, 0.15, kind.what); f.Value != "" {
				break
			}
		}
		return []Finding{f}, nil
	}}
}

// perInst measures cycles per instruction of bodies of x units, each of unit instructions; the curve's X is in
// instructions.
func (s *session) perInst(ctx context.Context, name string, units []int, code func(int) Program, unit int) (Curve, error) {
	c, err := s.curve(ctx, name, "instructions", units, code)
	c.per(unit)
	return c, err
}

// per divides a point's cycles by its number of instructions, x·unit.
func (c *Curve) per(unit int) {
	for i := range c.Points {
		p := &c.Points[i]
		p.X *= unit
		p.Cycles /= float64(p.X)
		p.Doubt /= float64(p.X)
	}
}

// fromStep sets the finding to the X at which a curve leaves its level by a fraction.
func (f *Finding) fromStep(c Curve, fraction float64, what string) {
	base := level(c.Points, 5)
	last, first, ok := leave(c.Points, base, fraction*base, keepCoarse)
	if !ok || last == 0 {
		f.How = what + ": the rate never falls"
		return
	}
	at := math.Min(float64(last), float64(first))
	f.Number, f.Doubt = at, math.Max(float64(first)-at, float64(last)-at)
	for i := range c.Points[1:] {
		if float64(c.Points[i].X) == at {
			f.Doubt = math.Max(f.Doubt, float64(c.Points[i+1].X)-at)
		}
	}
	f.How = fmt.Sprintf("%s, and up to %.0f more", what, f.Doubt)
	if f.Doubt > 0.3*at {
		return
	}
	f.Value = fmt.Sprintf("%.0f", at)
}

// instCache finds the size of the L1 instruction cache: bodies of long NOPs that exceed it run slower than bodies that only exceed the
// µop cache.
func instCache() Probe {
	return Probe{Name: "l1i", Doc: "bytes of the L1 instruction cache", run: func(ctx context.Context, s *session) ([]Finding, error) {
		f := Finding{Name: "l1i"}
		c, err := s.curve(ctx, "l1i", "bytes", span(16, s.t.instCache, 4), func(k int) Program { return s.t.pad(k << 10) })
		if err != nil {
			return nil, err
		}
		for i := range c.Points {
			c.Points[i].X <<= 10
		}
		c.per(1)
		f.Curves = []Curve{c}
		f.fromStep(c, 0.15, "bytes of code that run at one rate")
		return []Finding{f}, nil
	}}
}

// branches finds the cost of taken jumps: sequences of jumps to the next instruction, at several distances.
func branches() Probe {
	return Probe{Name: "taken-branch", Doc: "cycles between taken jumps", run: func(ctx context.Context, s *session) ([]Finding, error) {
		f := Finding{Name: "taken-branch"}
		best := math.Inf(1)
		jump, err := s.insts(Program{rep(s.t.jump, 1)})
		if err != nil {
			return nil, err
		}
		length, err := s.t.ISA.Encode(nil, &jump[0], 0)
		if err != nil {
			return nil, err
		}
		type layout struct {
			name          string
			before, after Program
		}
		var layouts []layout
		for _, n := range []int{8, 24, 56} {
			layouts = append(layouts, layout{fmt.Sprintf("%d bytes of NOPs between", n), nil, s.t.pad(n)})
		}
		// after NOPs, a jump is the last instruction of a block of 16, 32 or 64 bytes and leads to the start of the
		// next, so that no fetch from a target to the next jump crosses a line, which costs one cycle more on Zen 4
		for _, n := range []int{16, 32, 64} {
			layouts = append(layouts, layout{fmt.Sprintf("at the end of blocks of %d bytes", n), s.t.pad(n - len(length)), nil})
		}
		for _, l := range layouts {
			nops := 0
			for _, st := range append(slices.Clone(l.before), l.after...) {
				nops += st.N
			}
			c, err := s.curve(ctx, "taken-branch, "+l.name, "jumps", []int{8, 16, 32, 64, 128, 256, 512, 1024, 2048}, func(n int) Program {
				var p Program
				for range n {
					p = append(append(append(p, l.before...), rep(s.t.jump, 1)), l.after...)
				}
				return p
			})
			if err != nil {
				return nil, err
			}
			for i := range c.Points {
				p := &c.Points[i]
				p.Cycles /= float64(p.X)
				p.Doubt /= float64(p.X)
				// two lengths must agree, and the dispatch width must not limit them
				if i > 0 && p.Cycles > 1.15*float64(nops+1)/s.width {
					best = math.Min(best, math.Max(p.Cycles, c.Points[i-1].Cycles))
				}
			}
			f.Curves = append(f.Curves, c)
		}
		if math.IsInf(best, 1) {
			f.How = "no jump takes longer than what stands between jumps"
			return []Finding{f}, nil
		}
		f.Number = best
		f.How = fmt.Sprintf("jumps to the next instruction but a few NOPs: %.2f cycles each at best", best)
		if r := math.Round(best*2) / 2; r > 0 && math.Abs(best-r) < 0.1*r {
			f.Value, f.Fact = fmt.Sprint(r), r == math.Trunc(r) // models have whole cycles
		}
		return []Finding{f}, nil
	}}
}
