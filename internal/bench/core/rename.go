package core

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"incore/internal/isa"
)

// width finds the dispatch width from instructions that need no port. If all of these need one (RISC-V's NOP is an
// addition), alternating instructions of different kinds reach a higher rate.
//
// A core that lets a NOP share the slot of the instruction before it (Zen 4) executes twice as many NOPs per cycle as
// it has slots. To detect this, width measures alternating groups of equally many other instructions without a port and
// NOPs: with sharing, two NOPs per slot, they reach four thirds of the rate of the others alone; without sharing, they
// would reach the NOPs' rate.
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
		nops, err := rate(Program{rep(s.t.nop, n)})
		if err != nil {
			return nil, err
		}
		best, fused, how, slot := nops, false, "", []string{s.t.nop}
		alone := make([]float64, len(s.t.portless))
		for i, x := range s.t.portless {
			halves := 0.0
			if alone[i], err = rate(Program{rep(x, n)}); err == nil {
				halves, err = rate(Program{rep(x, n/2), rep(s.t.nop, n/2)})
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
		for _, mix := range s.t.mixes {
			w, err := rate(inTurn(mix, n))
			if err != nil {
				return nil, err
			}
			if w > 1.04*best { // instructions that need no port on other cores need one here
				best, slot, how = w, mix, fmt.Sprintf(", of '%s' in turn", statements(mix...))
			}
		}
		f := Finding{Name: "dispatch-width", Fact: true, Curves: []Curve{c}}
		w := math.Round(best)
		if w == 0 || math.Abs(best-w) > 0.08*w {
			f.How = fmt.Sprintf("%.2f instructions without a port per cycle: no whole number", best)
			return []Finding{f}, nil
		}
		f.Value, f.Number, f.Doubt = fmt.Sprint(w), w, 0
		f.How = fmt.Sprintf("%.2f instructions without a port per cycle%s", best, how)
		s.width, s.slot, s.free = w, slot, []string{s.t.nop}
		if fused {
			s.free = nil
			for i, x := range s.t.portless {
				if alone[i] > 0.92*w {
					s.free = append(s.free, x)
				}
			}
			s.slot = s.free[:1]
		}
		return []Finding{f}, nil
	}}
}

// eliminated finds which copies and additions have no latency in a chain.
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

// chain measures the cycles per link of a pattern.
func (s *session) chain(ctx context.Context, p pattern) (float64, float64, error) {
	v, d, err := s.cycles(ctx, each(p.chain))
	return v / float64(p.links), d / float64(p.links), err
}

// idioms finds which instructions do not wait for their equal operands: a chain of such an instruction and another takes less
// time than the other alone.
func idioms() Probe {
	return Probe{Name: "idioms", Doc: "instructions that do not wait for their operands", run: func(ctx context.Context, s *session) (out []Finding, err error) {
		var tried []isa.Inst
		for _, p := range s.t.idioms {
			f, err := s.idiom(ctx, p)
			if err == errNoFigure {
				continue
			} else if err != nil {
				return nil, err
			}
			out, tried = append(out, f), append(tried, s.parse[p.chain[0]])
		}
		return append(out, zeroIdioms(out, s.t.ISA, tried)...), nil
	}}
}

// idiom measures an idiom in a chain with another instruction, that instruction alone, and many instances of
// the idiom.
func (s *session) idiom(ctx context.Context, p pattern) (Finding, error) {
	var cycles [4]float64
	var doubt float64
	for i, code := range []Program{{rep(p.other, 1)}, {rep(p.other, 1), rep(p.chain[0], 1)}, {rep(p.chain[0], manyIdioms)}, inTurn(p.plain, manyIdioms)} {
		v, d, err := s.cycles(ctx, code)
		if err != nil {
			return Finding{}, err
		}
		if cycles[i] = v; i == 1 {
			doubt = d
		}
	}
	f := judgeIdiom(p, &idiomCycles{cycles[0], cycles[1], cycles[2] / manyIdioms, cycles[3] / manyIdioms, doubt}, s.width)
	if in := s.parse[p.chain[0]]; f.Value != idiomZero && !waits(s.t.ISA, &in) {
		f.Value = idiomPlain
	}
	return f, nil
}

// manyIdioms is the number of instances of an idiom in a measurement of its throughput.
const manyIdioms = 24

// idiomCycles holds the cycles of an idiom's measurements: a chain without it, the chain with it, each of many idioms, and each of many ordinary
// instructions.
type idiomCycles struct{ alone, with, many, plain, doubt float64 }

// judgeIdiom classifies an idiom by its cycles. If ordinary instructions reach the dispatch width, the measurement cannot show whether an idiom needs a port.
func judgeIdiom(p pattern, c *idiomCycles, width float64) Finding {
	alone, with, many, plain, doubt := c.alone, c.with, c.many, c.plain, c.doubt
	f := Finding{Name: "idiom-" + p.name, Number: many, Doubt: doubt, Curves: []Curve{{"idiom-" + p.name, "chain alone, with it, cycles each of many, of many ordinary ones", []Point{{0, alone, doubt}, {1, with, doubt}, {2, many, doubt}, {3, plain, doubt}}}}}
	f.How = fmt.Sprintf("%s; %s: %.2f cycles, the second alone %.2f; many of the first %.2f each, of '%s' %.2f", p.chain[0], p.other, with, alone, many, p.plain[0], plain)
	switch {
	case with > alone+0.5:
		f.Value = "waits"
	case with > alone-0.5:
		// the idiom has no latency but does not break the chain: no known behaviour
	case width > 0 && many < 1.12/width && many < 0.95*plain:
		f.Value = idiomZero
	default:
		f.Value = idiomFree
	}
	return f
}

// latencies measures the chains whose time is a parameter.
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

// fusion finds which pairs of instructions share a dispatch slot, mostly an operation and a conditional jump: in a
// mix with one-slot instructions, a second instruction that fuses adds no slot.
func fusion() Probe {
	return Probe{Name: "fuses", Doc: "pairs of instructions that take one dispatch slot", run: func(ctx context.Context, s *session) ([]Finding, error) {
		f := Finding{Name: "fuses", Fact: true}
		if f.How = s.unknown(s.t.ISA.FusesWith != nil && len(s.t.couples) > 0, "is known to fuse"); f.How != "" {
			return []Finding{f}, nil
		}
		votes, firsts := map[string]*ballot{}, map[string]float64{}
		c := Curve{Name: "fuses", X: "pair, or pair of opposite conditions: slots that the second adds"}
		for _, couple := range s.t.couples {
			key := statements(couple.first...)
			alone, ok := firsts[key]
			if !ok {
				var err error
				if alone, err = s.alone(ctx, couple.first); err == errNoFigure {
					alone = math.NaN()
				} else if err != nil {
					return nil, err
				}
				firsts[key] = alone
			}
			if math.IsNaN(alone) {
				continue
			}
			least, kinds, memory, err := s.second(ctx, couple)
			if err == errNoFigure {
				continue
			} else if err != nil {
				return nil, err
			}
			more := least - alone // slots that the second instruction adds
			c.Points = append(c.Points, Point{len(c.Points), more, 0})
			for _, kind := range kinds {
				if votes[kind] == nil {
					votes[kind] = &ballot{}
				}
				votes[kind].count(more < fusedSlots, memory)
			}
		}
		f.Curves = []Curve{c}
		return f.conclude(votes), nil
	}}
}

// second measures the slots of a couple, the smaller result of a condition and its opposite. It also returns the
// kinds of the pairs, and whether the first instruction accesses memory.
func (s *session) second(ctx context.Context, c couple) (least float64, kinds []string, memory bool, err error) {
	least = math.Inf(1)
	for _, second := range c.second {
		pair, err := s.insts(append(each(c.first), rep(second, 1)))
		if err != nil {
			return 0, nil, false, err
		}
		slots, _, err := s.slots(ctx, pair)
		if err != nil {
			return 0, nil, false, err
		}
		least = math.Min(least, slots)
		first := &pair[len(c.first)-1]
		kind := s.t.ISA.FusesWith(first, &pair[len(c.first)])
		if kind == "" {
			kind = otherKind + strings.Fields(c.first[len(c.first)-1])[0] + "+" + strings.Fields(second)[0]
		}
		kinds = append(kinds, kind)
		var e isa.Effects
		s.t.ISA.Effects(first, &e)
		memory = len(e.Mem) > 0
	}
	return least, kinds, memory, nil
}

// otherKind starts the names of pairs for which the instruction set defines no kind.
const otherKind = "other: "

// fusedSlots is the number of added dispatch slots from which on the second instruction did not fuse.
const fusedSlots = 0.45

// ballot counts the pairs of a kind that fused and those that did not, separately for first instructions with and without a memory
// operand.
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

// verdict reports whether the pairs fuse: noise may have disturbed up to one in five.
func verdict(v [2]int) (fuse, not bool) {
	return v[0] > 4*v[1], v[1] > 4*v[0]
}

// alone measures the slots of a couple's first instructions without the second, including the overhead of the
// measurement.
func (s *session) alone(ctx context.Context, first []string) (float64, error) {
	in, err := s.insts(each(first))
	if err != nil {
		return 0, err
	}
	least := math.Inf(1) // all pairs are compared with it
	for range 3 {
		v, _, err := s.slots(ctx, in)
		if err != nil {
			return 0, err
		}
		least = math.Min(least, v)
	}
	return least, nil
}

// slots measures the dispatch slots of instructions: the part of the width that they take in a mix with one-slot
// instructions.
func (s *session) slots(ctx context.Context, insts []isa.Inst) (float64, float64, error) {
	const times = 4
	n := int(2 * s.width)
	others, err := s.insts(inTurn(s.slot, n))
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

// conclude lists the kinds of pairs that fuse. A kind fuses if it does with register operands only, or with all
// tested operands. If no kind fuses with a memory operand but some do without, the core has that rule.
func (f *Finding) conclude(votes map[string]*ballot) []Finding {
	var fuse, not, mixed, memory, without []string
	for _, kind := range slices.Sorted(maps.Keys(votes)) {
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
	f.How = fmt.Sprintf("the second takes no slot: %s; it takes one: %s", strings.Join(fuse, ", "), strings.Join(not, ", "))
	if len(mixed) > 0 {
		f.How += "; some: " + strings.Join(mixed, ", ")
	}
	out := []Finding{*f}
	if len(plain) > 0 && len(memory) == 0 && len(without) > 0 {
		out = append(out, Finding{Name: "fuse-registers", Value: "true", Feature: true, How: "with a memory operand none of " + strings.Join(without, ", ")})
	}
	return out
}
