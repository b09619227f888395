package core

import (
	"context"
	"fmt"
	"math"
	"strings"

	"incore/internal/isa"
)

// width finds how many instructions the core dispatches per cycle: those that need no port.
func width() Probe {
	return Probe{Name: "dispatch-width", Doc: "instructions without a port per cycle", run: func(ctx context.Context, s *session) ([]Finding, error) {
		f := Finding{Name: "dispatch-width", Fact: true}
		best := math.Inf(1)
		c := Curve{Name: "dispatch-width", X: "kinds of instruction"}
		kinds := []Program{{rep(s.t.Nop, 60)}, {rep(s.t.eliminated[0].chain[0], 30), rep(s.t.Nop, 30)}, {rep(s.t.idioms[0].chain[0], 30), rep(s.t.Nop, 30)}}
		for i, p := range kinds {
			v, d, err := s.cycles(ctx, p)
			if err == errNoFigure {
				continue
			} else if err != nil {
				return nil, err
			}
			best = math.Min(best, v/60)
			c.Points = append(c.Points, Point{i, v / 60, d / 60})
		}
		f.Curves = []Curve{c}
		w := math.Round(1 / best)
		if math.IsInf(best, 1) || math.Abs(1/best-w) > 0.08*w {
			f.How = fmt.Sprintf("%.2f instructions without a port per cycle: no whole number", 1/best)
			return []Finding{f}, nil
		}
		f.Value, f.Number, f.Doubt = fmt.Sprint(w), w, 0
		f.How = fmt.Sprintf("%.2f instructions without a port per cycle", 1/best)
		s.width = w
		return []Finding{f}, nil
	}}
}

// eliminated finds which copies and additions take no time in a chain.
func eliminated() Probe {
	return Probe{Name: "eliminated", Doc: "copies and additions of constants that take no time in a chain", run: func(ctx context.Context, s *session) (out []Finding, err error) {
		for _, p := range s.t.eliminated {
			v, d, err := s.chain(ctx, p)
			if err == errNoFigure {
				continue
			} else if err != nil {
				return nil, err
			}
			f := Finding{Name: p.name, Number: v, Doubt: d, How: fmt.Sprintf("%s: %.2f cycles each in a chain", strings.Join(p.chain, "; "), v), Curves: []Curve{{p.name, "cycles of a link", []Point{{1, v, d}}}}}
			switch {
			case v < 0.6:
				f.Value = "eliminated"
			case v < 0.93:
				f.Value = "eliminated in part"
			case math.Abs(v-math.Round(v)) < 0.07:
				f.Value = "executed"
			}
			out = append(out, f)
		}
		return out, nil
	}}
}

// chain measures the cycles of a pattern's link.
func (s *session) chain(ctx context.Context, p pattern) (float64, float64, error) {
	var prog Program
	for _, t := range p.chain {
		prog = append(prog, rep(t, 1))
	}
	v, d, err := s.cycles(ctx, prog)
	return v / float64(p.links), d / float64(p.links), err
}

// idioms finds which instructions do not wait for their equal operands: in a chain with another they take less than it alone.
func idioms() Probe {
	return Probe{Name: "idioms", Doc: "instructions that do not wait for their operands", run: func(ctx context.Context, s *session) (out []Finding, err error) {
		for _, p := range s.t.idioms {
			alone, _, err := s.cycles(ctx, Program{rep(p.other, 1)})
			if err == nil {
				var with, d, many float64
				if with, d, err = s.cycles(ctx, Program{rep(p.other, 1), rep(p.chain[0], 1)}); err == nil {
					if many, _, err = s.cycles(ctx, Program{rep(p.chain[0], 24)}); err == nil {
						out = append(out, idiom(p, alone, with, many/24, d, s.width))
					}
				}
			}
			if err != nil && err != errNoFigure {
				return nil, err
			}
		}
		return append(out, zeroIdioms(out)...), nil
	}}
}

// idiom judges one: with another instruction that takes alone cycles in a chain it takes with cycles, many of it alone many cycles each.
func idiom(p pattern, alone, with, many, doubt, width float64) Finding {
	f := Finding{Name: "idiom-" + p.name, Number: many, Doubt: doubt, Curves: []Curve{{"idiom-" + p.name, "chain alone, with it, cycles each of many", []Point{{0, alone, doubt}, {1, with, doubt}, {2, many, doubt}}}}}
	f.How = fmt.Sprintf("%s; %s: %.2f cycles, the second alone %.2f; many of the first %.2f each", p.chain[0], p.other, with, alone, many)
	switch {
	case with > alone+0.5:
		f.Value = "waits"
	case with > alone-0.5:
		// neither shorter nor longer: executed in no time, which nothing does
	case width > 0 && many < 1.12/width:
		f.Value = idiomZero
	default:
		f.Value = idiomFree
	}
	return f
}

// latencies are the chains whose time is a parameter.
func latencies() Probe {
	return Probe{Name: "latencies", Doc: "load to use, store to load", run: func(ctx context.Context, s *session) (out []Finding, err error) {
		for _, p := range s.t.latencies {
			v, d, err := s.chain(ctx, p)
			if err == errNoFigure {
				continue
			} else if err != nil {
				return nil, err
			}
			f := Finding{Name: p.name, Fact: !p.bounded, Number: v, Doubt: d, Curves: []Curve{{p.name, "cycles", []Point{{1, v, d}}}}}
			f.How = fmt.Sprintf("%s: %.2f cycles", strings.Join(p.chain, "; "), v)
			if r := math.Round(2*v) / 2; math.Abs(v-r) < 0.12 {
				f.Value = fmt.Sprint(r)
			} else {
				f.How += ", no multiple of a half"
			}
			out = append(out, f)
		}
		return append(out, renaming(out)...), nil
	}}
}

// fusion finds which pairs of an operation and a conditional jump take one dispatch slot: beside NOPs, a jump
// that fuses adds nothing to what the operation takes.
func fusion() Probe {
	return Probe{Name: "fuses", Doc: "pairs of an operation and a conditional jump that take one dispatch slot", run: func(ctx context.Context, s *session) ([]Finding, error) {
		f := Finding{Name: "fuses"}
		if s.width == 0 || s.t.ISA.FusesWith == nil || s.t.Jump == nil {
			f.How = "the dispatch width is not known"
			return []Finding{f}, nil
		}
		votes := map[string][2]int{} // kind → pairs that take one slot, two
		c := Curve{Name: "fuses", X: "pair, slots that the jump adds"}
		for _, first := range s.t.fusible {
			alone, err := s.alone(ctx, first)
			if err == errNoFigure {
				continue
			} else if err != nil {
				return nil, err
			}
			for cc := range s.t.conditions {
				pair, err := s.pair(first, cc)
				if err != nil {
					return nil, err
				}
				slots, d, err := s.slots(ctx, pair)
				if err == errNoFigure {
					continue
				} else if err != nil {
					return nil, err
				}
				more := slots - alone // slots that the jump adds
				c.Points = append(c.Points, Point{len(c.Points), more, d})
				kind := s.t.ISA.FusesWith(&pair[0], &pair[1])
				if kind == "" {
					kind = "other: " + strings.Fields(first)[0] + "+j" + s.t.conditions[cc]
				}
				v := votes[kind]
				switch {
				case more < 0.45:
					v[0]++
				case more > 0.6:
					v[1]++
				}
				votes[kind] = v
			}
		}
		f.Curves = []Curve{c}
		f.conclude(votes)
		return []Finding{f}, nil
	}}
}

// alone measures the slots of an operation without a jump, which holds what the frame of the measurement costs as well.
func (s *session) alone(ctx context.Context, first string) (float64, error) {
	in, err := s.insts(Program{rep(first, 1)})
	if err != nil {
		return 0, err
	}
	v, _, err := s.slots(ctx, in)
	return v, err
}

// pair makes an operation and a conditional jump to the next instruction.
func (s *session) pair(first string, cc int) ([]isa.Inst, error) {
	in, err := s.insts(Program{rep(first, 1)})
	if err != nil {
		return nil, err
	}
	return append(in, s.t.Jump(cc)), nil
}

// slots measures the dispatch slots of instructions, by what they take of the width beside NOPs.
func (s *session) slots(ctx context.Context, insts []isa.Inst) (float64, float64, error) {
	n := int(4 * s.width)
	nops, err := s.insts(Program{rep(s.t.Nop, n)})
	if err != nil {
		return 0, 0, err
	}
	v, d, err := s.measured(ctx, append(insts, nops...))
	return v*s.width - float64(n), d * s.width, err
}

// conclude lists the kinds of pairs that fuse.
func (f *Finding) conclude(votes map[string][2]int) {
	var fuse, not, mixed []string
	for _, kind := range sortedKeys(votes) {
		switch v := votes[kind]; {
		case v[0] > 0 && v[1] == 0:
			fuse = append(fuse, kind)
		case v[0] == 0 && v[1] > 0:
			not = append(not, kind)
		case v[0] > 0:
			mixed = append(mixed, fmt.Sprintf("%s (%d of %d)", kind, v[0], v[0]+v[1]))
		}
	}
	var plain []string
	for _, k := range fuse {
		if !strings.HasPrefix(k, "other: ") {
			plain = append(plain, k)
		}
	}
	f.Value = strings.Join(plain, " ") // no fact for a model: kinds that were not tried (RIP-relative operands) would be lost
	f.How = fmt.Sprintf("the jump takes no slot after %s; one after %s", strings.Join(fuse, ", "), strings.Join(not, ", "))
	if len(mixed) > 0 {
		f.How += "; some: " + strings.Join(mixed, ", ")
	}
}
