package frontend_test

import (
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"incore/internal/analysis/frontend"
	"incore/internal/analysis/uops"
	"incore/internal/machine"
)

// placed binds a loop whose code begins at an address.
func placed(t *testing.T, arch, text string, at uint64) *machine.Bound {
	t.Helper()
	b := bind(t, arch, text)
	for i := range b.Kernel.Lines {
		l := &b.Kernel.Lines[i]
		l.Addr, at = at, at+uint64(l.Inst.Size)
	}
	return uops.Bind(b.Model, b.Kernel)
}

// TestMisplaced: a jump that crosses a 32-byte boundary or ends on one, or that is fused with an instruction that does.
func TestMisplaced(t *testing.T) {
	const loop = "addq $1, %rax; cmpq %rdi, %rax; jne 0"
	for _, c := range []struct {
		arch string
		addr uint64 // of the loop: the jump is at 7 to 9, fused with what is at 4
		want []int
	}{
		{"skylake", 0x1000 + 32 - 8, []int{2}}, // crosses
		{"skylake", 0x1000 + 32 - 9, []int{2}}, // ends on it
		{"skylake", 0x1000 + 32 - 5, []int{2}}, // what it is fused with crosses
		{"skylake", 0x1000 + 32 - 4, nil},
		{"skylake", 0x1000 + 32 - 10, nil},
		{"haswell", 0x1000 + 32 - 8, nil},
		{"cannonlake", 0x1000 + 32 - 8, nil}, // takes Skylake's parameters, not its erratum
	} {
		if got := frontend.Misplaced(placed(t, c.arch, loop, c.addr)); !slices.Equal(got, c.want) {
			t.Errorf("%s, loop at %#x: %v, want %v", c.arch, c.addr, got, c.want)
		}
	}
	if got := frontend.Misplaced(bind(t, "skylake", loop)); got != nil {
		t.Errorf("no addresses: %v", got)
	}
}

// TestOverflows: Haswell's µop cache holds 1,536 slots.
func TestOverflows(t *testing.T) {
	text := "addq $1, %rax" + strings.Repeat("; addq $1, %rax", 1536)
	if slots, entries := frontend.Overflows(bind(t, "haswell", text)); slots != 1537 || entries != 1536 {
		t.Errorf("%d slots of %d", slots, entries)
	}
	if slots, _ := frontend.Overflows(bind(t, "haswell", "nop")); slots != 0 {
		t.Errorf("a nop overflows: %d slots", slots)
	}
}

// TestLegacyLoops: loops that the µop cache does not hold, or not altogether.
func TestLegacyLoops(t *testing.T) {
	const (
		short = "addq $1, %rax; jne 0"
		long  = "nopw %ax" // four bytes
	)
	dense := strings.Repeat(long+"; ", 8) + strings.Repeat("nop; ", 19) + "decq %rdi; jne 0" // 8 slots in 32 bytes, 20 in the next
	for _, c := range []struct {
		name, arch, text string
		at               uint64
		left             int // instructions that the µop cache does not hold
		want             float64
	}{
		{"jump across a line", "skylake", short, 59, 2, 2},                                                                 // two blocks of the predecoder: so says uiCA (its pull request 13)
		{"jump fused across a line", "skylake", short, 61, 2, 2},                                                           // likewise
		{"not fused across lines", "skylake", short, 60, 0, 1},                                                             // two slots of one cycle
		{"in place", "skylake", short, 20, 0, 1},                                                                           //
		{"no erratum", "cannonlake", short, 59, 0, 1},                                                                      //
		{"both halves of a line", "skylake", dense, 0, 29, 2 + 4 + 1},                                                      // measured on Kaby Lake (D. Bundin): no slot from the µop cache; blocks of 4, 4, 16 and 5 instructions
		{"half a line", "haswell", dense, 0, 21, 2 + 1 + 6},                                                                // 8 slots, a cycle without any, 4, 4, 4, 4 and 3 slots, and the pair, which the last decoder does not take
		{"lines of many sets", "skylake", strings.Repeat("nopl 512(%rax,%rax); ", 64) + "decq %rdi; jne 0", 0, 0, 65. / 4}, // 17 lines in as many sets of 8
		{"17 slots", "haswell", strings.Repeat("nop; ", 16) + "decq %rdi; jne 0", 0, 0, 4.5},
		{"28 slots, then no branch", "haswell", "movl $1, %eax; " + strings.Repeat("nop; ", 27) + strings.Repeat(long+"; ", 15) + "jmp 0", 0, 44, 3 + 4 + 4},             // instructions found in blocks: 12, 16, and four times 4
		{"27 slots, then a branch", "haswell", "movl $1, %eax; " + strings.Repeat("nop; ", 25) + "jne 64; " + strings.Repeat(long+"; ", 15) + "jmp 0", 0, 27, 1 + 7 + 4}, // 27 slots through 4 decoders, 16 from the µop cache
		{"lines by branches", "haswell", "jne 64; jne 64; jne 64; " + strings.Repeat("nop; ", 12) + "jmp 0", 0, 16, 3 + 4},                                               // branches 2, 1 and 1 in three lines leave 9 slots for 12; each ends a group of the decoders
	} {
		b := placed(t, c.arch, c.text, 0x1000+c.at)
		got, err := frontend.Bound(b, frontend.Layout{})
		if left := len(frontend.Left(b)); err != nil || math.Abs(got-c.want) > 0.01 || left != c.left {
			t.Errorf("%s: %.3f cycles, %d instructions left out, %v; want %g, %d", c.name, got, left, err, c.want, c.left)
		}
	}
}

// TestDecodeSwitch: from the µop cache to the decoders takes so many cycles; in the first of them the predecoder begins.
func TestDecodeSwitch(t *testing.T) {
	b := placed(t, "haswell", strings.Repeat("nopw %ax; ", 8)+strings.Repeat("nop; ", 19)+"decq %rdi; jne 0", 0x1000) // the µop cache holds the first half
	for cycles, want := range map[string]float64{"1": 9, "2": 10, "4": 12} {
		m, err := b.Model.With(machine.Fact{Name: "decoding", Value: "complex=4 switch=" + cycles})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := frontend.Bound(uops.Bind(m, b.Kernel), frontend.Layout{}); err != nil || math.Abs(got-want) > 0.01 {
			t.Errorf("%s cycles to switch: %.3f, %v, want %g", cycles, got, err, want)
		}
	}
}

// TestPlacesAnywhere: random loops at random places get a figure that the slots allow, and no better one than where the
// µop cache holds them.
func TestPlacesAnywhere(t *testing.T) {
	pool := []string{"nop", "nopw %ax", "addq $1, %rax", "movabsq $0x123456789abc, %rdx", "movl 1000(%rdi), %ecx", "addl %ecx, 8(%rsi)", "sete %dl", "cmpw $1000, %r8w",
		"xchgb %al, (%rdi)", "cmpq %rax, %rbx; je 0", "testl %ecx, %ecx; jne 0", "je 0", "divq %rcx"}
	rng := rand.New(rand.NewSource(1))
	for n := range 400 {
		arch := []string{"skylake", "haswell", "ivybridge", "cascadelake"}[n%4]
		parts := make([]string, 1+rng.Intn(40))
		for i := range parts {
			parts[i] = pool[rng.Intn(len(pool))]
		}
		text := strings.Join(parts, "; ") + "; decq %rdi; jne 0"
		b := placed(t, arch, text, 0x1000+uint64(rng.Intn(64)))
		got, err := frontend.Bound(b, frontend.Layout{})
		slots := 0.0
		for i := range b.Insts {
			slots += b.Insts[i].Slots
		}
		if least := slots / float64(b.Model.Params.DispatchWidth); err != nil || got < least-1e-6 || got > 10*least+5*float64(len(b.Insts)) {
			t.Errorf("%s: %s: %.2f cycles, %v; %g slots", arch, text, got, err, slots)
		}
		free, err := frontend.Bound(bind(t, arch, text), frontend.Layout{})
		if err != nil || len(frontend.Left(b)) == 0 && math.Abs(free-got) > 0.05*got+0.5 || free > got*1.05+0.5 {
			t.Errorf("%s: %s: %.2f cycles at its address, %.2f without one, %v, %d instructions left out", arch, text, got, free, err, len(frontend.Left(b)))
		}
	}
}
