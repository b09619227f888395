package ports

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"incore/internal/base/long"
)

// toy is a machine written down: µops by form; form 0 is the NOP. slower makes a mix take longer than ports and dispatch allow.
type toy struct {
	width  float64
	maps   []Map
	zero   int // a zero idiom, 0 = none
	slower func(m Mix, bound, even float64) float64
	tied   int     // a form whose instances wait for each other, 0 = none
	pace   float64 // cycles that each takes beside others, or with a third of the registers
}

// infer plays the machine and infers it; every form takes one slot.
func (x *toy) infer(t *testing.T, names ...string) *Inference {
	t.Helper()
	forms := []Form{{Name: "nop"}}
	for i, n := range names {
		forms = append(forms, Form{Name: n, Tied: x.tied == i+1})
	}
	inf, err := Infer(context.Background(), forms, 0, func(_ context.Context, m Mix, parts int) (float64, float64, error) {
		var l load
		slots := 0.0
		for _, c := range m {
			for _, s := range x.maps[c.Form] {
				l.add(s, float64(c.N))
			}
			slots += float64(c.N)
		}
		v := math.Max(l.cycles(), slots/x.width)
		for _, c := range m {
			if c.Form == x.tied && c.Form != 0 && max(parts, len(m)+1) > 2 {
				v = math.Max(v, x.pace*float64(c.N))
			}
		}
		if x.slower != nil {
			v = math.Max(v, x.slower(m, v, l.even()))
		}
		return v, 0, nil
	}, Options{Macro: true, Zero: x.zero})
	if err != nil {
		t.Fatal(err)
	}
	return inf
}

// wrong are the forms that are explained by other µops than the machine's, up to the names of ports, or by none.
func (x *toy) wrong(inf *Inference, ports int) (names []string) {
	var ours []Map
	for i := range inf.Forms {
		ours = append(ours, inf.Forms[i].Uops)
	}
	to := Align(ours, x.maps, inf.Ports, ports)
	for i := range inf.Forms {
		if got, ok := ours[i].Renamed(to); !ok || !inf.Forms[i].Explained || !got.equal(x.maps[i]) {
			names = append(names, fmt.Sprintf("%s (%b)", inf.Forms[i].Name, got))
		}
	}
	return names
}

// TestSecondUop has a transfer of two µops in one slot that is as fast as what runs on the vector ports of one of them, and comes before it. It must not stand for these ports, nor
// make the core one that spreads µops because mixes with it miss their bounds.
func TestSecondUop(t *testing.T) {
	long.Only(t, "infers a map by many mixes")
	const ints, transfer, vec, high = 0b111111, 0b1100, 0b1111 << 6, 0b11 << 8
	x := toy{width: 8, maps: []Map{nil, {ints}, {0b111}, {0b100000}, {0b110000}, {transfer, high}, {high}, {vec}, {1 << 9}, {ints, ints}}}
	inf := x.infer(t, "add", "adds", "madd", "umulh", "fmov", "fcsel", "fadd", "fcmp", "addx")
	if wrong := x.wrong(inf, 10); len(wrong) > 0 || inf.Early {
		t.Errorf("wrong: %v; early %v", wrong, inf.Early)
	}
	if !slices.Contains(inf.Dropped, "fmov") {
		t.Errorf("of the forms that stand for classes only %v were found out", inf.Dropped)
	}
}

// TestTiedBlocker has a form that no other stands beside on its two ports, and whose instances wait for each other: beside others it takes a fifth longer than its ports do. That must not
// look like a port in common with what is on others.
func TestTiedBlocker(t *testing.T) {
	long.Only(t, "infers a map by many mixes")
	x := toy{width: 6, tied: 5, pace: 0.6, maps: []Map{nil, {0b0011}, {0b1100}, {0b0110}, {0b1111}, {0b1001}, {0b0010 << 4}, {0b0110 << 4}, {0b1001 << 4}, {0b1111 << 4}},
		slower: func(_ Mix, bound, even float64) float64 { return bound + 0.45*math.Max(0, even-bound) }}
	if wrong := x.wrong(x.infer(t, "mul", "add", "shift", "and", "pmul", "imul", "rorx", "cmov", "lea"), 8); len(wrong) > 0 {
		t.Errorf("wrong: %v", wrong)
	}
}

// TestLongBlocker has a form that keeps one of four ports busy twice, in one slot: what it contradicts is not the class that others speak for.
func TestLongBlocker(t *testing.T) {
	const v0, v1, v2, v3 = 1, 2, 4, 8
	x := toy{width: 8, maps: []Map{nil, {v1}, {v0 | v1}, {v0 | v2}, {v0 | v1 | v2 | v3}, {v1 | v3, v0 | v1 | v2 | v3}, {0b111 << 4}, {0b11 << 4}}}
	inf := x.infer(t, "fmov", "fcsel", "fcvt", "fadd", "addv", "add", "adds")
	if wrong := x.wrong(inf, 7); len(wrong) > 0 || slices.Contains(inf.Dropped, "fmov") {
		t.Errorf("wrong: %v; dropped %v", wrong, inf.Dropped)
	}
}

// TestChallenge has a core that spreads µops early, and one mix that takes a third longer than even that, as operations on masks in turn with multiplications do on Zen 4. Ports that no other form has
// would explain it; other mixes must show that they are not those.
func TestChallenge(t *testing.T) {
	long.Only(t, "infers a map by many mixes")
	const mul, mask = 1, 5
	maps := []Map{nil, {0b0011}, {0b1100}, {0b0110}, {0b1111}, {0b1100}, {0b1110}, {0b0010 << 4}, {0b0110 << 4}, {0b1001 << 4}, {0b1111 << 4}}
	x := toy{width: 6, maps: maps, slower: func(m Mix, bound, even float64) float64 {
		v := bound + 0.45*math.Max(0, even-bound)
		if len(m) == 2 && m[0].N == m[1].N && m[0].Form+m[1].Form == mul+mask && max(m[0].Form, m[1].Form) == mask {
			v *= 1.3
		}
		return v
	}}
	inf := x.infer(t, "mul", "add", "shift", "and", "mask", "dup", "imul", "rorx", "cmov", "lea")
	if wrong := x.wrong(inf, 8); len(wrong) > 0 || !inf.Early {
		t.Errorf("wrong: %v; early %v", wrong, inf.Early)
	}
	if n := len(inf.Forms[mask].Rivals); n > 0 {
		t.Errorf("%d rivals of the operation on masks", n)
	}
}

// TestSlowNops has NOPs that need ports, fewer than the core dispatches in a cycle: an instruction that zeroes a register fills the slots in their place.
func TestSlowNops(t *testing.T) {
	x := toy{width: 5, zero: 1, maps: []Map{{0b0011}, nil, {0b1111}, {0b0100}, {0b0110}, {0b110000}, {0b010000}}}
	inf := x.infer(t, "zero", "add", "mul", "shift", "fadd", "fmul")
	if wrong := x.wrong(inf, 6); len(wrong) > 0 || inf.Width != 5 {
		t.Errorf("width %g, wrong: %v", inf.Width, wrong)
	}
}

// TestUndecided has answers that still disagree when no more mixes are measured: the best one counts. (A sitting on a
// Zen 5 ended without the ports of any class.)
func TestUndecided(t *testing.T) {
	defer func(n int) { maxResolve = n }(maxResolve)
	maxResolve = 0
	x := toy{width: 6, maps: []Map{nil, {0b0001}, {0b0011}, {0b1100}, {0b1111}, {0b01 << 4}, {0b11 << 4}}}
	inf := x.infer(t, "mul", "shift", "branch", "add", "fdiv", "fadd")
	for _, c := range inf.Classes {
		if c.Ports == 0 {
			t.Errorf("%s blocks no port", inf.Forms[c.Forms[0]].Name)
		}
	}
	if inf.Ports == 0 || len(inf.Classes) == 0 {
		t.Errorf("%d ports, %d classes", inf.Ports, len(inf.Classes))
	}
}
