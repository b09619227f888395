package core

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"incore/internal/isa"
	"incore/internal/machine"
)

// The sheet is a number of loops of NOPs, drawn with a fixed seed. Parameters are fitted to every other one; the rest tells how well they predict.
const (
	sheetLoops = 240
	sheetNOPs  = 48  // in the longest loop
	sheetBytes = 128 // offsets of loops
	sheetSeed  = 20261129
)

// sheet draws the loops: half of them with NOPs of all lengths, the others with those of one to three lengths, so that few and many lie in a line of code.
func (s *session) sheet() ([]inPlace, error) {
	rnd := rand.New(rand.NewPCG(sheetSeed, 1))
	var nops []isa.Inst
	shortest := math.MaxInt
	for _, text := range s.t.fillers {
		in, err := s.t.parse(text)
		if err != nil {
			return nil, err
		}
		code, err := s.t.ISA.Encode(nil, &in, 0)
		if err != nil {
			return nil, err
		}
		nops, shortest = append(nops, in), min(shortest, len(code))
	}
	loops := make([]inPlace, sheetLoops)
	for i := range loops {
		from := nops
		if i%4 >= 2 {
			from = nil
			for range 1 + rnd.IntN(3) {
				from = append(from, nops[rnd.IntN(len(nops))])
			}
		}
		for range 1 + rnd.IntN(sheetNOPs) {
			loops[i].body = append(loops[i].body, from[rnd.IntN(len(from))])
		}
		loops[i].offset = rnd.IntN(sheetBytes/shortest) * shortest
	}
	return loops, nil
}

// fetch finds how the front end delivers the code of loops.
func fetch() Probe {
	p := placed{name: "fetch", loops: "loops of NOPs", number: sheetLoops, least: sheetLoops / 4, draw: (*session).sheet,
		none: "the base's own parameters are as good as others", worst: badFit, unfit: "no description of the front end fits"}
	p.able = func(*session, *machine.Model) (string, error) { return "", nil }
	p.fit = func(ctx context.Context, f *fitting) (own, best front, err error) {
		own, best, err = f.search(ctx)
		if err == nil && f.base.Core().NopFusion {
			best, err = f.apart(ctx, best)
		}
		return own, best, err
	}
	return p.probe("how the front end delivers loops: lines of code, entries of the µop cache, taken branches")
}

// badFit is the mean error of fresh loops above which no description of the front end is taken.
const badFit = 0.10

// nopFusion is the option of NOPs that share slots.
const nopFusion = "nop-fusion"

// apart searches again on a core whose NOPs share no slots, as the loops consist of them, and returns what is clearly better.
func (f *fitting) apart(ctx context.Context, best front) (front, error) {
	off := machine.Fact{Name: nopFusion, Value: "false"}
	m, err := f.base.With(off)
	if err != nil {
		return best, err
	}
	_, x, err := (&fitting{f.session, m, f.loops}).search(ctx)
	if err != nil || !x.clearly(best) {
		return best, err
	}
	x.facts = append(x.facts, off)
	return x, nil
}

// search returns the base's own errors and the description to take: of growing ones the last that is clearly better than those before.
func (f *fitting) search(ctx context.Context) (own, best front, err error) {
	if own, err = f.try(nil); err != nil {
		return own, own, err
	}
	best = own
	for _, kind := range f.kinds() {
		x, err := f.best(ctx, kind)
		if err != nil {
			return own, best, err
		}
		var widths [][]machine.Fact
		for _, w := range []int{0, 4, 5, 6, 7, 8, 9, 10, 12, 16} {
			widths = append(widths, with(x.facts, "fetch-width", w))
		}
		if y, err := f.best(ctx, widths); err != nil {
			return own, best, err
		} else if y.clearly(x) {
			x = y
		}
		if x.clearly(best) {
			best = x
		}
	}
	best.facts = slices.DeleteFunc(slices.Clone(best.facts), func(x machine.Fact) bool { return x.Value == value(f.base, x.Name) })
	return own, best, nil
}

// with adds a parameter to a description, or takes it away if it is zero.
func with(facts []machine.Fact, name string, n int) []machine.Fact {
	out := slices.DeleteFunc(slices.Clone(facts), func(x machine.Fact) bool { return x.Name == name })
	if n == 0 {
		return append(out, machine.Fact{Name: name})
	}
	return append(out, machine.Fact{Name: name, Value: strconv.Itoa(n)})
}

// kinds lists the descriptions, from short ones to long ones: a loop takes the cycles of its slots; a cycle for each line of code; entries of a µop cache. What a taken
// branch costs at least is seen directly: it is the time of the shortest loops.
func (f *fitting) kinds() (out [][][]machine.Fact) {
	least := math.Inf(1)
	for i := range f.loops {
		least = min(least, f.loops[i].cycles)
	}
	plain := []machine.Fact{{Name: "fetch-line"}, {Name: "fetch-entries"}}
	switch taken := int(math.Round(least)); {
	case taken > 1:
		plain = with(plain, "taken-branch", taken)
	case f.base.Core().TakenBranch > 1:
		plain = with(plain, "taken-branch", 0)
	}
	var lines, entries [][]machine.Fact
	for _, line := range []int{16, 32, 64, 128} {
		lines = append(lines, with(plain, "fetch-line", line))
		for slots := 3; slots <= 16; slots++ {
			for n := 1; n <= 4; n++ {
				text := fmt.Sprintf("%d line=%d entries=%d", slots, line, n)
				entries = append(entries, append(slices.DeleteFunc(slices.Clone(plain), func(x machine.Fact) bool { return x.Name == "fetch-entries" }), machine.Fact{Name: "fetch-entries", Value: text}))
			}
		}
	}
	return [][][]machine.Fact{{plain}, lines, entries}
}
