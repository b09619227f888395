package core

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"incore/internal/isa"
)

// width finds how many instructions the core dispatches per cycle: those that need no port.
//
// A core that lets a NOP share the slot of the instruction before it (Zen 4) takes twice as many NOPs as it has slots. Then as many NOPs behind as many other
// instructions without a port go at four thirds of the rate of these alone, two NOPs in a slot; they would go at the NOPs' rate if that were the width.
func width() Probe {
	return Probe{Name: "dispatch-width", Doc: "instructions without a port per cycle", run: func(ctx context.Context, s *session) ([]Finding, error) {
		const n = 60
		c := Curve{Name: "dispatch-width", X: "kinds of instruction: cycles each"}
		rate := func(p Program) (float64, error) {
			v, d, err := s.cycles(ctx, p)
			if err == nil {
				c.Points = append(c.Points, Point{len(c.Points), v / n, d / n})
				return n / v, nil
			} else if err == errNoFigure {
				return 0, nil
			}
			return 0, err
		}
		nops, err := rate(Program{rep(s.t.Nop, n)})
		if err != nil {
			return nil, err
		}
		best, fused, how := nops, false, ""
		alone := make([]float64, len(s.t.portless))
		for i, x := range s.t.portless {
			halves := 0.0
			if alone[i], err = rate(Program{rep(x, n)}); err == nil {
				halves, err = rate(Program{rep(x, n/2), rep(s.t.Nop, n/2)})
			}
			if err != nil {
				return nil, err
			}
			best = math.Max(best, math.Max(alone[i], halves))
			if w := alone[i]; nops > 1.5*w && math.Abs(w-math.Round(w)) < 0.08*w && math.Abs(halves/w-4./3) < 0.08*4/3 {
				fused, how = true, fmt.Sprintf("; a NOP shares the slot of the instruction before it: %.2f NOPs per cycle, %.2f halves NOPs and '%s'", nops, halves, x)
			}
		}
		if fused {
			best = slices.Max(alone)
		}
		f := Finding{Name: "dispatch-width", Fact: true, Curves: []Curve{c}}
		w := math.Round(best)
		if w == 0 || math.Abs(best-w) > 0.08*w {
			f.How = fmt.Sprintf("%.2f instructions without a port per cycle: no whole number", best)
			return []Finding{f}, nil
		}
		f.Value, f.Number, f.Doubt = fmt.Sprint(w), w, 0
		f.How = fmt.Sprintf("%.2f instructions without a port per cycle%s", best, how)
		s.width, s.slot, s.free = w, s.t.Nop, []string{s.t.Nop}
		if fused {
			s.free = nil
			for i, x := range s.t.portless {
				if alone[i] > 0.92*w {
					s.free = append(s.free, x)
				}
			}
			s.slot = s.free[0]
		}
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
			if r := math.Round(2*v) / 2; math.Abs(v-r) < 0.12 || p.mean {
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
		f := Finding{Name: "fuses", Fact: true}
		if s.width == 0 || s.t.ISA.FusesWith == nil || s.t.Jump == nil {
			f.How = "the dispatch width is not known"
			return []Finding{f}, nil
		}
		votes := map[string]*ballot{}
		c := Curve{Name: "fuses", X: "pair of opposite conditions, slots that the jump adds"}
		for _, first := range s.t.fusible {
			alone, err := s.alone(ctx, first)
			if err == errNoFigure {
				continue
			} else if err != nil {
				return nil, err
			}
			for cc := 0; cc < len(s.t.conditions); cc += 2 {
				// Of a condition and its opposite one is not taken, and costs the front end nothing besides: the lesser counts.
				least := math.Inf(1)
				var kinds []string
				for _, c := range []int{cc, cc + 1} {
					pair, err := s.pair(first, c)
					if err != nil {
						return nil, err
					}
					slots, _, err := s.slots(ctx, pair)
					if err == errNoFigure {
						continue
					} else if err != nil {
						return nil, err
					}
					least = math.Min(least, slots)
					kind := s.t.ISA.FusesWith(&pair[0], &pair[1])
					if kind == "" {
						kind = otherKind + strings.Fields(first)[0] + "+j" + s.t.conditions[c]
					}
					kinds = append(kinds, kind)
				}
				if len(kinds) < 2 {
					continue
				}
				more := least - alone // slots that the jump adds
				c.Points = append(c.Points, Point{len(c.Points), more, 0})
				for _, kind := range kinds {
					if votes[kind] == nil {
						votes[kind] = &ballot{}
					}
					votes[kind].count(more < fusedSlots, strings.Contains(first, "("))
				}
			}
		}
		f.Curves = []Curve{c}
		return f.conclude(votes), nil
	}}
}

// otherKind begins the names of pairs that instruction sets have no kind for.
const otherKind = "other: "

// fusedSlots is the dispatch slots that a jump adds from which on it did not fuse.
const fusedSlots = 0.45

// ballot counts the pairs of a kind that fused and those that did not, apart by whether the first instruction has a memory operand.
type ballot struct{ registers, memory [2]int }

func (b *ballot) count(fused, memory bool) {
	v := &b.registers
	if memory {
		v = &b.memory
	}
	if fused {
		v[0]++
	} else {
		v[1]++
	}
}

// verdict is whether the pairs fuse: all but one in five of them, which noise may have spoilt.
func verdict(v [2]int) (fuse, not bool) {
	return v[0] > 4*v[1], v[1] > 4*v[0]
}

// alone measures the slots of an operation without a jump, which holds what the frame of the measurement costs as well.
func (s *session) alone(ctx context.Context, first string) (float64, error) {
	in, err := s.insts(Program{rep(first, 1)})
	if err != nil {
		return 0, err
	}
	least := math.Inf(1) // all pairs stand on it
	for range 3 {
		v, _, err := s.slots(ctx, in)
		if err != nil {
			return 0, err
		}
		least = math.Min(least, v)
	}
	return least, nil
}

// pair makes an operation and a conditional jump to the next instruction.
func (s *session) pair(first string, cc int) ([]isa.Inst, error) {
	in, err := s.insts(Program{rep(first, 1)})
	if err != nil {
		return nil, err
	}
	return append(in, s.t.Jump(cc)), nil
}

// slots measures the dispatch slots of instructions, by what they take of the width beside others that take one.
func (s *session) slots(ctx context.Context, insts []isa.Inst) (float64, float64, error) {
	const times = 4
	n := int(2 * s.width)
	others, err := s.insts(Program{rep(s.slot, n)})
	if err != nil {
		return 0, 0, err
	}
	var all []isa.Inst
	for range times {
		all = append(append(all, insts...), others...)
	}
	v, d, err := s.measured(ctx, all)
	return v*s.width/times - float64(n), d * s.width / times, err
}

// conclude lists the kinds of pairs that fuse. A kind fuses if it does with registers alone, or with all that was tried; if none does with a memory operand that does without, that
// is the core's rule.
func (f *Finding) conclude(votes map[string]*ballot) []Finding {
	var fuse, not, mixed, memory, without []string
	for _, kind := range sortedKeys(votes) {
		v := votes[kind]
		all := [2]int{v.registers[0] + v.memory[0], v.registers[1] + v.memory[1]}
		if yes, no := verdict(all); yes {
			fuse = append(fuse, kind)
		} else if no {
			not = append(not, kind)
		} else if yes, _ := verdict(v.registers); yes {
			fuse = append(fuse, kind)
		} else {
			mixed = append(mixed, fmt.Sprintf("%s (%d of %d)", kind, all[0], all[0]+all[1]))
		}
		yes, _ := verdict(v.memory)
		if _, no := verdict(v.memory); no && !strings.HasPrefix(kind, otherKind) {
			without = append(without, kind)
		} else if yes {
			memory = append(memory, kind)
		}
	}
	var plain []string
	for _, k := range fuse {
		if !strings.HasPrefix(k, otherKind) {
			plain = append(plain, k)
		}
	}
	f.Value = strings.Join(plain, " ")
	f.How = fmt.Sprintf("the jump takes no slot after %s; one after %s", strings.Join(fuse, ", "), strings.Join(not, ", "))
	if len(mixed) > 0 {
		f.How += "; some: " + strings.Join(mixed, ", ")
	}
	out := []Finding{*f}
	if len(plain) > 0 && len(memory) == 0 && len(without) > 0 {
		out = append(out, Finding{Name: "fuse-registers", Value: "true", Feature: true, How: "with a memory operand none of " + strings.Join(without, ", ")})
	}
	return out
}
