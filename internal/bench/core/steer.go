package core

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"

	"incore/internal/machine"
)

// This file finds how operations on integers are distributed among their ports. Where dispatch gives an operation to a part of them before it is ready, operations that
// become ready together wait although ports are free. Loops of chains with consumers show it: their time depends on which operations share a part.

// The sheet is a number of loops, drawn with a fixed seed. Parameters are fitted to every other one; the rest tells how well they predict.
const (
	steerLoops  = 128
	steerMost   = 32 // operations in the longest loop
	steerChains = 3
	steerSeed   = 20261130
)

// wakeupFeature is the option of speculative wake-up.
const wakeupFeature = "speculative-wakeup"

// steerSheet draws the loops: one to three chains, and consumers of their links; some of the operations are of the rarer kinds, which go to few ports. The loops of
// a quarter have no chain, so that their ports are busy, and results of different latency meet.
func (s *session) steerSheet() ([]inPlace, error) {
	rnd := rand.New(rand.NewPCG(steerSeed, 1))
	loops := make([]inPlace, steerLoops)
	for i := range loops {
		chains, links, rare := 1+rnd.IntN(steerChains), 0.15+0.5*rnd.Float64(), (0.3+0.6*rnd.Float64())*float64(i%4/2)
		if i/2%4 == 3 {
			links, rare = 0, 0.5*rare
		}
		for n := 4 + rnd.IntN(steerMost-3); n > 0; n-- {
			from := s.t.registers[rnd.IntN(chains)]
			to := s.t.registers[steerChains+rnd.IntN(len(s.t.registers)-steerChains)]
			kind := s.t.simple[0]
			if rnd.Float64() < links {
				to = from
			} else if rnd.Float64() < rare {
				kind = s.t.simple[1+rnd.IntN(len(s.t.simple)-1)]
			}
			in, err := s.t.parse(kind(to, from))
			if err != nil {
				return nil, err
			}
			loops[i].body = append(loops[i].body, in)
		}
	}
	return loops, nil
}

// steering finds how operations on integers are distributed among the ports.
func steering() Probe {
	p := placed{name: "steering", loops: "loops of dependent operations", number: steerLoops, least: steerLoops / 3, draw: (*session).steerSheet,
		none: "no description in parts is better"}
	p.able = func(s *session, base *machine.Model) (string, error) {
		if len(s.t.simple) == 0 {
			return "no loops for this instruction set", nil
		}
		ports, err := s.t.simplePorts(base)
		switch {
		case err != nil:
			return "", err
		case bits.OnesCount64(uint64(ports)) < 2:
			return base.Name + " has no ports of integers", nil
		case base.Params.InOrder:
			return base.Name + " issues in order", nil
		case described(base, ports):
			return base.Name + " describes the schedulers of these ports", nil
		}
		return "", nil
	}
	p.fit = func(ctx context.Context, f *fitting) (own, best front, err error) {
		ports, err := f.t.simplePorts(f.base)
		if err != nil {
			return own, best, err
		}
		return f.steer(ctx, ports)
	}
	return p.probe("how operations on integers are distributed among their ports")
}

// simplePorts returns the ports of the plain operation.
func (t *Target) simplePorts(m *machine.Model) (machine.PortSet, error) {
	in, err := t.parse(t.simple[0](t.registers[0], t.registers[1]))
	if err != nil {
		return 0, err
	}
	c := m.Cost(t.ISA, &in)
	if len(c.Uops) != 1 || c.Uops[0].Resource {
		return 0, nil
	}
	return c.Uops[0].Ports, nil
}

// described reports whether a model says which scheduler some ports have.
func described(m *machine.Model, ports machine.PortSet) bool {
	return slices.ContainsFunc(m.Core().Schedulers, func(s machine.Scheduler) bool { return s.Ports&ports != 0 })
}

// steer returns the base's own errors and the description to take: of growing ones the last that is clearly better than those before.
func (f *fitting) steer(ctx context.Context, ports machine.PortSet) (own, best front, err error) {
	if own, err = f.try(nil); err != nil {
		return own, own, err
	}
	best = own
	names := f.base.PortNames(ports)
	wakeups := [][]machine.Fact{nil}
	if value(f.base, wakeupFeature) == "" {
		wakeups = append(wakeups, []machine.Fact{{Name: wakeupFeature, Value: "true"}})
	}
	steps := []func() (front, error){func() (front, error) { return f.best(ctx, wakeups) }}
	for parts := 2; parts <= min(len(names), machine.MaxPartitions); parts++ {
		if len(names)%parts == 0 {
			steps = append(steps, func() (front, error) { return f.parted(ctx, splits(names, len(names)/parts), wakeups) })
		}
	}
	if value(f.base, resultPorts) == "" {
		steps = append(steps, func() (front, error) { return f.bused(ctx, best, names) })
	}
	for _, step := range steps {
		x, err := step()
		if err != nil {
			return own, best, err
		}
		if x.clearly(best) {
			best = x
		}
	}
	return own, best, nil
}

// parted returns the best of several ways to divide the ports, each with and without speculative wake-up, with the least imbalance that is not clearly worse than the
// best one.
func (f *fitting) parted(ctx context.Context, ways [][][]string, wakeups [][]machine.Fact) (front, error) {
	var all [][]machine.Fact
	for _, parts := range ways {
		for _, w := range wakeups {
			all = append(all, slices.Concat(chance(parts, firstImbalance), w))
		}
	}
	x, err := f.best(ctx, all)
	if err != nil {
		return x, err
	}
	at := slices.IndexFunc(x.facts, func(f machine.Fact) bool { return f.Name == steeringName })
	head, _, _ := strings.Cut(x.facts[at].Value, " imbalance=")
	var tried []front
	for _, n := range []int{2, 4, 8, firstImbalance, 32} {
		facts := slices.Clone(x.facts)
		facts[at].Value = fmt.Sprintf("%s imbalance=%d", head, n)
		y, err := f.best(ctx, [][]machine.Fact{facts})
		if err != nil {
			return y, err
		}
		tried = append(tried, y)
	}
	best := slices.MinFunc(tried, func(a, b front) int { return cmp.Compare(a.fitted, b.fitted) })
	return tried[slices.IndexFunc(tried, func(y front) bool { return !best.clearly(y) })], nil
}

// bused returns the best of a description with result buses.
func (f *fitting) bused(ctx context.Context, x front, ports []string) (front, error) {
	var all [][]machine.Fact
	for _, passes := range []int{1, 3, 8} {
		all = append(all, append(slices.Clone(x.facts), machine.Fact{Name: resultPorts, Value: fmt.Sprintf("%d %s", passes, strings.Join(ports, " "))}))
	}
	return f.best(ctx, all)
}

// resultPorts is the parameter for ports that write back one result a cycle.
const resultPorts = "result-ports"

// Names of the parameters that describe parts of the ports.
const (
	partName     = "scheduler-int"
	steeringName = machine.SteeringPrefix + "int"
)

// firstImbalance is the imbalance with which splits are compared.
const firstImbalance = 16

// portEntries is the number of a part's entries for each of its ports. It is an assumption, which findings state: the loops of the sheet do not fill the schedulers.
const portEntries = 16

// chance describes that dispatch gives operations to parts of the ports by chance.
func chance(parts [][]string, imbalance int) (facts []machine.Fact) {
	var names []string
	for i, p := range parts {
		names = append(names, fmt.Sprintf("int%d", i))
		facts = append(facts, machine.Fact{Name: fmt.Sprintf("%s%d", partName, i), Value: fmt.Sprintf("%d %s", portEntries*len(p), strings.Join(p, " "))})
	}
	return append(facts, machine.Fact{Name: steeringName, Value: fmt.Sprintf("chance %s imbalance=%d", strings.Join(names, " "), imbalance)})
}

// splits lists the ways to divide ports into parts of equal size.
func splits(ports []string, size int) (out [][][]string) {
	if len(ports) == 0 {
		return [][][]string{nil}
	}
	for set := uint(0); set < 1<<(len(ports)-1); set++ { // of the others that are in the first one's part
		if bits.OnesCount(set) != size-1 {
			continue
		}
		part, rest := []string{ports[0]}, []string(nil)
		for i, p := range ports[1:] {
			if set>>i&1 != 0 {
				part = append(part, p)
			} else {
				rest = append(rest, p)
			}
		}
		for _, more := range splits(rest, size) {
			out = append(out, slices.Concat([][]string{part}, more))
		}
	}
	return out
}

// statement makes a statement with a result and an operand.
type statement func(to, from string) string

// forms are statements by their formats: the result is the first operand, the source the second one.
func forms(formats ...string) (out []statement) {
	for _, f := range formats {
		out = append(out, func(to, from string) string { return strings.NewReplacer("TO", to, "FROM", from).Replace(f) })
	}
	return out
}
