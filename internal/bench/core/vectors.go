package core

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"incore/internal/machine"
)

// This file finds how many slots of vectors are dispatched in a cycle. A core may have fewer of them than its width, which eliminated moves and loads
// take, too. Loops of vector operations that are independent of each other show it.

// The sheet is a number of loops, drawn with a fixed seed, of a few operations. At most so large a part of them executes, or loads, so that ports do not limit them
// first; the rest are moves and zero idioms. Every other pair of loops has operations on integers, too.
const (
	vectorLoops = 128
	vectorLeast = 5
	vectorMost  = 14
	vectorSeed  = 20261201
	executing   = 0.55
	loading     = 0.3
	integers    = 0.15
)

// limitName is the parameter that the probe finds, and slotLimit its value.
const (
	limitName = machine.LimitPrefix + "vec"
	slotLimit = "%d slots %s"
	loadLimit = "%d slots loads %s"
)

// vectorSheet draws the loops.
func (s *session) vectorSheet() ([]inPlace, error) {
	rnd := rand.New(rand.NewPCG(vectorSeed, 1))
	loops := make([]inPlace, vectorLoops)
	for i := range loops {
		executes, loads, whole := executing*rnd.Float64(), loading*rnd.Float64(), integers*float64(i/2%2)
		for n := range vectorLeast + rnd.IntN(vectorMost-vectorLeast+1) {
			kinds, to, from := s.t.portlessVector, strconv.Itoa(n%vectorResults), strconv.Itoa(vectorResults+n%vectorSources)
			switch x := rnd.Float64(); {
			case x < executes:
				kinds = s.t.vector
			case x < executes+loads:
				kinds = s.t.loadVector
			case x < executes+loads+whole:
				kinds, to = s.t.simple[:1], s.t.registers[n%len(s.t.registers)]
				from = to
			}
			in, err := s.t.parse(kinds[rnd.IntN(len(kinds))](to, from))
			if err != nil {
				return nil, err
			}
			loops[i].body = append(loops[i].body, in)
		}
	}
	return loops, nil
}

// Vector registers that operations of the sheet write, and those that they read: the first ones, with which code is short, so that the front end does not limit
// the loops.
const (
	vectorResults = 6
	vectorSources = 2
)

// vectors finds how many slots of vectors are dispatched in a cycle.
func vectors() Probe {
	p := placed{name: "vectors", loops: "loops of vector operations", number: vectorLoops, least: vectorLoops / 3, draw: (*session).vectorSheet, none: "no limit is better"}
	p.able = func(s *session, base *machine.Model) (string, error) {
		if len(s.t.vector) == 0 {
			return "no loops for this instruction set", nil
		}
		ports, err := s.t.vectorPorts(base)
		if err != nil {
			return "", err
		}
		for _, l := range base.Core().DispatchLimits {
			if l.Ports&ports != 0 && l.Ports&^ports == 0 {
				return base.Name + " describes the dispatch of these ports", nil
			}
		}
		return "", nil
	}
	p.fit = func(ctx context.Context, f *fitting) (own, best front, err error) {
		ports, err := f.t.vectorPorts(f.base)
		if err != nil {
			return own, best, err
		}
		return f.vectors(ctx, int(f.width+.5), f.base.PortNames(ports))
	}
	return p.probe("slots of vectors that are dispatched in a cycle")
}

// vectorPorts returns the ports of the sheet's operations on vectors.
func (t *Target) vectorPorts(m *machine.Model) (ports machine.PortSet, err error) {
	for _, f := range slices.Concat(t.vector, t.loadVector) {
		in, err := t.parse(f("0", strconv.Itoa(vectorResults)))
		if err != nil {
			return 0, err
		}
		for _, u := range m.Cost(t.ISA, &in).Uops {
			if !u.Resource {
				ports |= u.Ports
			}
		}
	}
	return ports, nil
}

// vectors returns the base's own errors and the description to take.
func (f *fitting) vectors(ctx context.Context, width int, ports []string) (own, best front, err error) {
	if own, err = f.try(nil); err != nil {
		return own, own, err
	}
	var plain, loads [][]machine.Fact
	for n := 2; n < width; n++ {
		limit := func(format string) []machine.Fact {
			return []machine.Fact{{Name: limitName, Value: fmt.Sprintf(format, n, strings.Join(ports, " "))}}
		}
		plain, loads = append(plain, limit(slotLimit)), append(loads, limit(loadLimit))
	}
	best = own
	for _, all := range [...][][]machine.Fact{plain, loads} {
		if len(all) == 0 {
			continue
		}
		x, err := f.best(ctx, all)
		if err != nil {
			return own, best, err
		}
		if x.clearly(best) {
			best = x
		}
	}
	return own, best, nil
}
