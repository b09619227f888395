package frontend_test

import (
	"math"
	"strings"
	"testing"

	"incore/internal/analysis/frontend"
)

// TestLines: an iteration takes a cycle for each line that its code touches. Measured on a Zen 4: 3 moves, dec and jne,
// together 13 bytes, take 1 cycle at 51 and 2 at 52, where the jump ends in the next line.
func TestLines(t *testing.T) {
	const loop = "movq %rax, %rdx; movq %rdx, %rbx; movq %rbx, %rsi; decl %ecx; jne 0"
	for _, c := range []struct {
		arch string
		addr uint64
		want int
	}{
		{"zen4", 0x1000 + 51, 1},
		{"zen4", 0x1000 + 52, 2},
		{"zen4", 0x1000 + 63, 2},
		{"zen4", 0x1040, 1},
		{"haswell", 0x1000 + 52, 0},
	} {
		b := bind(t, c.arch, loop)
		at := c.addr
		for i := range b.Insts {
			b.Insts[i].Line.Addr = at
			at += uint64(b.Insts[i].Line.Inst.Size)
		}
		if got := frontend.Lines(b, 1); got != c.want {
			t.Errorf("%s, loop at %#x: %d lines, want %d", c.arch, c.addr, got, c.want)
		}
		if got, err := frontend.Bound(b, frontend.Layout{}); err != nil || math.Abs(got-float64(max(1, c.want))) > 1e-9 {
			t.Errorf("%s, loop at %#x: %.2f cycles, %v, want %d", c.arch, c.addr, got, err, max(1, c.want))
		}
	}
	b := bind(t, "zen4", loop) // entered at its fourth instruction, in the middle of the line
	at := uint64(0x1040)
	for _, i := range []int{2, 3, 4, 0, 1} {
		b.Insts[i].Line.Addr = at
		at += uint64(b.Insts[i].Line.Inst.Size)
	}
	if got := frontend.Lines(b, 1); got != 1 {
		t.Errorf("loop that is entered in the middle: %d lines, want 1", got)
	}
	b = bind(t, "zen4", loop+strings.Repeat("; movq %rax, %rdx", 20))
	once, twice := frontend.Lines(b, 1), frontend.Lines(b, 2)
	if fewest, most := frontend.LineRange(b); once != 2 || twice != 3 || fewest != 2 || most != 3 {
		t.Errorf("73 bytes of unknown place: %d lines, twice %d, from %d to %d, want 2, 3, 2, 3", once, twice, fewest, most)
	}
}

// TestLoopCycle: on Zen 5 an iteration of two lines, or of more slots than are dispatched in a cycle, takes two cycles
// most times (zen5-loops: movupd, movupd, mulpd, mulpd, movupd, movupd, add, cmp and jne 1.83 at 48 of a line, and with
// 8 slots in one line 1.00; the 10 slots of mov, mov, lea, rol … 1.84).
func TestLoopCycle(t *testing.T) {
	const slot = "movupd (%rsi), %xmm2; "
	for _, c := range []struct {
		slots int
		addr  uint64
		want  float64
	}{
		{8, 0x1000, 1},
		{8, 0x1030, 1.86},
		{10, 0x1000, 1.86},
		{16, 0x1000, 2}, // as many as are dispatched
		{17, 0x1000, 2.79},
	} {
		b := bind(t, "zen5", strings.Repeat(slot, c.slots-1)+"jne 0")
		at := c.addr
		for i := range b.Insts {
			b.Insts[i].Line.Addr = at
			at += uint64(b.Insts[i].Line.Inst.Size)
		}
		if got, err := frontend.Bound(b, frontend.Layout{}); err != nil || math.Abs(got-c.want) > 0.01 {
			t.Errorf("%d slots at %#x: %.3f cycles, %v, want %.2f", c.slots, c.addr, got, err, c.want)
		}
	}
}
