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
	if fewest, most := frontend.LineRange(b); once != 2 || twice != 3 || fewest != 2 || most != 2 {
		t.Errorf("73 bytes at a multiple of 16: %d lines, twice %d, from %d to %d, want 2, 3, 2, 2", once, twice, fewest, most)
	}
	b.Kernel.Align = 1
	if fewest, most := frontend.LineRange(b); fewest != 2 || most != 3 || frontend.Lines(b, 1) != 2 {
		t.Errorf("73 bytes at any place: from %d to %d lines, mostly %d, want 2, 3, 2", fewest, most, frontend.Lines(b, 1))
	}
}

// TestPastBranch: a cycle's fetch from the µop cache ends with the branch of a loop of one window of code, and goes on behind that of a longer one (Facile:
// of 7 slots, 6 a cycle, 2 cycles in fewer than 32 bytes, else the 1.75 of dispatch), but passes no second branch, and loop buffers have their own rule.
func TestPastBranch(t *testing.T) {
	const short, long = "addl %eax, %ecx; ", "addl $305419896, %ecx; " // 2 and 6 bytes
	six := strings.Repeat(short, 6)
	for _, c := range []struct {
		arch, text string
		addr       uint64
		want       float64
	}{
		{"skylake", six + "decl %edx; jne 0", 0, 2},
		{"skylake", strings.Repeat(long, 6) + "decl %edx; jne 0", 0, 1.75},
		{"skylake", six + "decl %edx; jne 0", 0x1000, 2},
		{"skylake", six + "decl %edx; jne 0", 0x1014, 1.75}, // which begins 12 bytes before the next window, with the branch
		{"skylake", strings.Repeat(long, 5) + long + "jmp 0", 0, 1.75},
		{"skylake", "movabsq $1311768467463790320, %rcx; movabsq $1311768467463790320, %rcx; movabsq $1311768467463790320, %rcx; jmp 0", 0, 1},
		{"ivybridge", strings.Repeat(long, 6) + "decl %edx; jne 0", 0, 2}, // from the loop buffer
		{"ivybridge", strings.Repeat(long, 60) + "decl %edx; jne 0", 0, 15.25},
	} {
		b := bind(t, c.arch, c.text)
		if at := c.addr; at > 0 {
			for i := range b.Insts {
				b.Insts[i].Line.Addr = at
				at += uint64(b.Insts[i].Line.Inst.Size)
			}
		}
		if got, err := frontend.Bound(b, frontend.Layout{}); err != nil || math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s at %#x: %s: %.2f cycles, %v, want %.2f", c.arch, c.addr, c.text, got, err, c.want)
		}
	}
}

// TestMovableLines: a loop of 10 bytes that begins 8 bytes behind a multiple of 16 crosses a line if a linker puts that multiple at its end; one that begins
// with a multiple, or 6 bytes behind it, crosses none.
func TestMovableLines(t *testing.T) {
	b := bind(t, "zen4", "nopl 8(%rax); nopl 8(%rax); jmp 0") // 4, 4 and 2 bytes
	for _, c := range []struct {
		addr         uint64
		movable      int
		fewest, most int
	}{{0x10000, 16, 1, 1}, {0x10008, 16, 1, 2}, {0x10038, 16, 1, 2}, {0x10008, 64, 1, 2}, {0x10000, 1, 1, 2}, {0x10006, 16, 1, 1}, {0x10007, 16, 1, 2}} {
		b.Kernel.Movable = c.movable
		at := c.addr
		for i := range b.Insts {
			b.Insts[i].Line.Addr = at
			at += uint64(b.Insts[i].Line.Inst.Size)
		}
		if fewest, most := frontend.LineRange(b); fewest != c.fewest || most != c.most {
			t.Errorf("at %#x, moved by multiples of %d: %d to %d lines, want %d to %d", c.addr, c.movable, fewest, most, c.fewest, c.most)
		}
	}
}
