package core

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"incore/internal/analysis/uops"
	"incore/internal/isa"
	"incore/internal/machine"
)

// microFusion finds whether a load and the operation on its value share a dispatch slot.
func microFusion() Probe {
	return Probe{Name: "micro-fusion", Doc: "whether a load and an operation on its value take one dispatch slot", run: func(ctx context.Context, s *session) ([]Finding, error) {
		f := Finding{Name: "micro-fusion", Feature: true}
		if f.How = s.unknown(s.t.loadOperation != "", "loads and operates on the value"); f.How != "" {
			return []Finding{f}, nil
		}
		in, err := s.insts(Program{rep(s.t.loadOperation, 1)})
		if err != nil {
			return nil, err
		}
		v, d, err := s.slots(ctx, in)
		if err == errNoFigure {
			f.How = "no figure"
			return []Finding{f}, nil
		} else if err != nil {
			return nil, err
		}
		// The measurement's own instructions, and slots that stay empty at the end of a cycle, add a part of a
		// slot.
		f.Number, f.Doubt, f.How = v, d, fmt.Sprintf("%s takes %.1f dispatch slots, beside instructions of one", s.t.loadOperation, v)
		f.Curves = []Curve{{"micro-fusion", "slots", []Point{{1, v, d}}}}
		f.Value = "true"
		if v > 1.6 {
			f.Feature, f.Value = false, "no"
		}
		return []Finding{f}, nil
	}}
}

// unknown returns the reason why a probe cannot run that needs a certain instruction and the dispatch width; "" if both are known.
func (s *session) unknown(has bool, does string) string {
	switch {
	case !has:
		return fmt.Sprintf("no instruction of %s %s", s.t.ISA.Name, does)
	case s.width == 0:
		return "the dispatch width is not known"
	}
	return ""
}

// timed measures statements: a finding without a value, whose number is their cycles; ok is false if they have none.
func (s *session) timed(ctx context.Context, name string, code []string) (f Finding, ok bool, err error) {
	v, d, err := s.cycles(ctx, each(code))
	if err == errNoFigure {
		return Finding{Name: name, How: "no figure"}, false, nil
	} else if err != nil {
		return Finding{}, false, err
	}
	f = Finding{Name: name, Number: v, Doubt: d, How: fmt.Sprintf("%s: %.2f cycles", strings.Join(code, "; "), v)}
	f.Curves = []Curve{{name, "cycles", []Point{{1, v, d}}}}
	return f, true, nil
}

// stackEngine finds whether push and pop depend on each other through the stack pointer. Without a stack engine, each
// updates it by a one-cycle addition, and a pair takes two cycles.
func stackEngine() Probe {
	return Probe{Name: "stack-engine", Doc: "whether push and pop move the stack pointer at no cost", run: func(ctx context.Context, s *session) ([]Finding, error) {
		if len(s.t.pushPop) == 0 {
			return []Finding{{Name: "stack-engine", How: fmt.Sprintf("no instruction of %s pushes", s.t.ISA.Name)}}, nil
		}
		f, ok, err := s.timed(ctx, "stack-engine", s.t.pushPop)
		if err != nil || !ok {
			return []Finding{f}, err
		}
		if f.Value = "no"; f.Number < twoCycles {
			f.Value, f.Feature = "true", true
		}
		sync, err := s.stackSync(ctx, f.Feature)
		return append([]Finding{f}, sync...), err
	}}
}

// twoCycles is the time from which on a chain has two operations of a cycle and not one.
const twoCycles = 1.6

// stackSync finds whether a core with a stack engine has to bring the stack pointer up to date before an instruction
// that reads it itself: an addition to it behind a push and a pop then takes two cycles, and else one. The µop goes
// where the base's additions go.
func (s *session) stackSync(ctx context.Context, engine bool) ([]Finding, error) {
	if !engine || s.t.addStack == "" || s.m.Base == nil {
		return nil, nil
	}
	in, err := s.insts(Program{rep(s.t.addStack, 1)})
	if err != nil {
		return nil, err
	}
	f, ok, err := s.timed(ctx, "stack-sync", append(slices.Clone(s.t.pushPop), s.t.addStack))
	if err != nil || !ok {
		return []Finding{f}, err
	}
	k := &isa.Kernel{ISA: s.t.ISA, Lines: []isa.Line{{Inst: in[0]}}}
	ports, _ := uops.Bind(s.m.Base, k).Insts[0].Ports(machine.UopExec)
	if f.Value = "no"; f.Number > twoCycles && ports != 0 {
		f.Value, f.Fact = strings.Join(s.m.Base.PortNames(ports), " "), true
	}
	return []Finding{f}, nil
}

// moveFusion finds whether a move of a register and an operation on what it writes share a dispatch slot: with slots
// of their own, pairs cannot be faster than two slots each.
func moveFusion() Probe {
	return Probe{Name: "move-fusion", Doc: "whether a move and an operation on its result take one dispatch slot", run: func(ctx context.Context, s *session) ([]Finding, error) {
		if how := s.unknown(len(s.t.moveFused) > 0, "moves a register and then works on it"); how != "" {
			return []Finding{{Name: "move-fusion", How: how}}, nil
		}
		f, ok, err := s.timed(ctx, "move-fusion", s.t.moveFused)
		if err != nil || !ok {
			return []Finding{f}, err
		}
		n := float64(len(s.t.moveFused))
		f.How += fmt.Sprintf(" for %.0f instructions, of which the core dispatches %.0f a cycle", n, s.width)
		if f.Value = "no"; f.Number < sharesASlot*n/s.width {
			f.Value, f.Feature = "true", true
		}
		return []Finding{f}, nil
	}}
}

// sharesASlot is the part of the time of a slot each that instructions take at most if some share a slot.
const sharesASlot = 0.9

// renamedAtMost is the most cycles of a round trip through renamed memory: those of a store.
const renamedAtMost = 1.1

// renaming concludes from round trips through memory at a plain address and at one in another register whether the core
// renames memory: then the first is limited only by the stores per cycle, and takes less time than any forwarding. On
// some cores (Zen 3) it does so only where the address is the stack pointer's.
func renaming(fs []Finding) []Finding {
	plain, other, stack := math.NaN(), math.NaN(), math.NaN()
	for i := range fs {
		switch fs[i].Name {
		case "renamed-stack":
			stack = fs[i].Number
		case "renamed-forward":
			plain = fs[i].Number
		case "store-forward":
			other = fs[i].Number
		}
	}
	value, by := "any", ""
	if !(plain <= renamedAtMost) {
		plain, value, by = stack, "stack", " by the stack pointer"
	}
	if !(plain <= renamedAtMost && other > plain+2) {
		return nil
	}
	how := fmt.Sprintf("a store and a load of the same bytes repeat every %.2f cycles at a plain address%s, every %.2f through another register", plain, by, other)
	for i := range fs {
		if fs[i].Name == "store-forward" {
			fs[i].Name, fs[i].Value = "forwarding", "mixed="+fs[i].Value // the name of the latency in models of cores with memory renaming: forwarding of integers that are not renamed
		}
	}
	return []Finding{{Name: "renaming", Value: value, Fact: true, How: how + "; the first is bound by the stores per cycle"}}
}

// tally counts the idioms of a kind in the instruction set, and those that this core recognises.
type tally struct{ known, all int }

func (t *tally) count(of, known bool) {
	if of {
		t.all++
	}
	if of && known {
		t.known++
	}
}

// zeroIdioms generalises from the tested idioms to all idioms of the instruction set: a kind is known if most
// tested idioms need no port or, if they have operands, do not wait for them.
func zeroIdioms(fs []Finding, set *isa.ISA, tried []isa.Inst) (out []Finding) {
	var zero, free tally
	for i := range fs {
		in := &tried[i]
		zero.count(set.ZeroIdiom != nil && set.ZeroIdiom(in), fs[i].Value == idiomZero)
		free.count(set.DepBreaking != nil && set.DepBreaking(in) && waits(set, in), fs[i].Value == idiomZero || fs[i].Value == idiomFree)
	}
	if 2*zero.known > zero.all {
		out = append(out, Finding{Name: "zero-idioms", Value: "true", Feature: true, How: fmt.Sprintf("%d of %d forms tried need no port", zero.known, zero.all)})
	}
	if 2*free.known > free.all {
		out = append(out, Finding{Name: "dep-breaking", Value: "true", Feature: true, How: fmt.Sprintf("%d of %d forms tried do not wait for their operands", free.known, free.all)})
	}
	return out
}

// waits reports whether an instruction has operands that it can wait for.
func waits(set *isa.ISA, in *isa.Inst) bool {
	var e isa.Effects
	set.Effects(in, &e)
	return slices.ContainsFunc(e.Reads, func(r isa.Access) bool { return r.Role == isa.RoleData })
}

// Results for an idiom.
const (
	idiomZero = "zero idiom, needs no port"
	idiomFree = "does not wait"
	// idiomPlain is an instruction without operands that is executed, or at least not shown to be eliminated.
	idiomPlain = "executed"
)
