package l1_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/l1"
	"incore/internal/analysis/uops"
	"incore/internal/isa"
	"incore/internal/isa/x86"
	"incore/internal/machine"
)

func bind(t *testing.T, model, text string) *machine.Bound {
	t.Helper()
	m, err := machine.Get(model)
	if err != nil {
		t.Fatal(err)
	}
	k := &isa.Kernel{ISA: x86.ISA()}
	for _, s := range strings.Split(text, ";") {
		insts, err := x86.ISA().Parse(nil, strings.TrimSpace(s), "att")
		if err != nil || len(insts) != 1 {
			t.Fatalf("%s: %v", s, err)
		}
		k.Lines = append(k.Lines, isa.Line{Inst: insts[0], Text: s})
	}
	return uops.Bind(m, k)
}

// TestMeasured holds the bounds against what an Emerald Rapids takes for the kernel, with all bases at different lines and aligned
// to 256 bytes (incore measure, 2026-11-21). Where other limits are larger, max is what the ports allow.
func TestMeasured(t *testing.T) {
	for _, c := range []struct {
		text     string
		ports    float64
		measured float64
	}{
		{"mov (%rax),%rbx", 0.33, 0.51},
		{"mov (%rax),%rbx; mov (%rax),%rdx; mov (%rax),%rdi", 1, 1.52},
		{"mov (%rax),%rbx; mov 8(%rax),%rdx; mov 16(%rax),%rdi", 1, 1.01},
		{"mov (%rax),%ebx; mov 4(%rax),%edx", 0.67, 0.66},
		{"mov (%rax),%ebx; mov 2(%rax),%edx", 0.67, 1.02},
		{"mov (%rax),%rbx; mov 72(%rax),%rdx; mov 144(%rax),%rdi; mov 216(%rax),%r9; mov 288(%rax),%r10; mov 360(%rax),%r11", 2, 2.03},
		{"mov (%rax),%rbx; mov (%rcx),%rdx; mov (%rsi),%rdi; mov (%r8),%r9", 1.33, 2.03},
		{"mov (%rax),%rbx; mov (%rcx),%rdx; mov (%rsi),%rdi; mov 8(%rax),%r9", 1.33, 1.62},
		{"vmovups (%rax),%ymm0", 0.33, 0.51},
		{"vmovups (%rax),%ymm0; vmovups 32(%rax),%ymm1; vmovups (%rcx),%ymm3", 1, 1.02},
		{"vmovups (%rax),%xmm0; mov 8(%rax),%rbx", 0.67, 1.01},
		{"add $8,%rax; mov (%rax),%rbx; mov 4096(%rax),%rdx; mov 8192(%rax),%rdi", 1, 1.03},
		{"mov %rbx,(%rax)", 0.5, 0.5},
		{"mov %rbx,(%rax); mov %rcx,8(%rax)", 1, 1.01},
		{"mov %rbx,(%rax); mov %rbx,(%rcx)", 1, 2.01},
		{"mov %rsi,1016(%rax); mov %rsi,16(%rax)", 1, 2.01},
		{"mov %rsi,1016(%rax); mov %rsi,1008(%rax); mov %rsi,16(%rax); mov %rsi,32(%rax)", 2, 2.02},
		{"mov %rsi,16(%rax); mov %rsi,24(%rax); mov %rsi,32(%rax); mov %rsi,128(%rax)", 2, 3.02},
	} {
		got := max(c.ports, l1.Analyze(bind(t, "emeraldrapids", c.text), l1.Aligned, nil).Max())
		if math.Abs(got-c.measured) > 0.08*c.measured {
			t.Errorf("%s: %.2f, measured %.2f", c.text, got, c.measured)
		}
	}
}

// TestMerged holds the bound of stores that leave the store queue in blocks against what a Zen 4 takes (incore measure, 2026-11-22), with all
// bases at different lines and aligned to 256 bytes.
func TestMerged(t *testing.T) {
	store := func(at ...string) string {
		for i := range at {
			at[i] = "mov %rax," + at[i]
		}
		return strings.Join(at, "; ")
	}
	for _, c := range []struct {
		text     string
		ports    float64
		measured float64
	}{
		{store("(%rsi)"), 0.5, 0.5},
		{store("(%rsi)", "64(%rsi)"), 1, 2.02},
		{store("(%rsi)", "8(%rsi)", "16(%rsi)", "64(%rsi)"), 2, 1.99},
		{store("(%rsi)", "64(%rsi)", "8(%rsi)", "72(%rsi)"), 2, 4.01},
		{store("(%rsi)", "16(%rsi)", "32(%rsi)", "48(%rsi)"), 2, 2},
		{store("32(%rsi)", "24(%rsi)", "8(%rsi)"), 1.5, 2.01},
		{store("-8(%rsi)", "-16(%rsi)", "-24(%rsi)"), 1.5, 1.51},
		{store("28(%rsi)"), 0.5, 2},
		{store("60(%rsi)", "(%rsi)"), 1, 3},
		{"vmovaps %ymm0,(%rsi); mov %rax,32(%rsi)", 1, 2},
		{"movaps %xmm0,(%rsi); mov %rax,16(%rsi)", 1, 1},
	} {
		got := max(c.ports, l1.Analyze(bind(t, "zen4", c.text), l1.Aligned, nil).Max())
		if math.Abs(got-c.measured) > 0.08*c.measured {
			t.Errorf("%s: %.2f, measured %.2f", c.text, got, c.measured)
		}
	}
}

// TestUnrelated: loads through different registers meet in a bank only if the registers are known to be aligned.
func TestUnrelated(t *testing.T) {
	b := bind(t, "emeraldrapids", "mov (%rax),%rbx; mov (%rcx),%rdx")
	if a, u := l1.Analyze(b, l1.Aligned, nil).Loads, l1.Analyze(b, l1.Lucky, nil).Loads; a != 1 || u != 0.5 {
		t.Errorf("aligned %.2f, else %.2f", a, u)
	}
	b = bind(t, "emeraldrapids", "mov (%rax),%rbx; add $4,%rax; mov (%rax),%rcx; sub $4,%rax; lea 4(%rax),%rdx; mov (%rdx),%rsi")
	if got := l1.Analyze(b, l1.Lucky, nil).Loads; got != 1.5 { // 0 … 7, and 4 … 11 twice: three loads of bank 1
		t.Errorf("through constants: %.2f", got)
	}
	b = bind(t, "emeraldrapids", "push %rbx; push %rcx; mov (%rsp),%rdx; mov 8(%rsp),%rsi; add $16,%rsp")
	if got := l1.Analyze(b, l1.Lucky, nil); got.Loads != 0.5 || got.Stores != 1 {
		t.Errorf("through the stack pointer: %+v", got)
	}
	// 3.02 cycles on an Emerald Rapids (incore measure, 2026-11-22)
	b = bind(t, "emeraldrapids", "vmovaps (%rdx),%zmm0; vmovaps (%rcx),%zmm1; vmovaps (%rsi),%zmm2; vmovaps 64(%rdx),%zmm3; vmovaps 64(%rcx),%zmm4; vmovaps 64(%rsi),%zmm5")
	if got := l1.Analyze(b, l1.Lucky, nil).Loads; got != 3 {
		t.Errorf("whole lines: %.2f", got)
	}
	b = bind(t, "emeraldrapids", "vmovaps (%rdx),%zmm0; vmovaps (%rcx),%zmm1; mov (%rsi),%rbx")
	if got := l1.Analyze(b, l1.Lucky, nil).Loads; got != 1.5 {
		t.Errorf("whole lines and a word: %.2f", got)
	}
}

// TestNone: models that state no such limit have no bound.
func TestNone(t *testing.T) {
	if got := l1.Analyze(bind(t, "skylake", "mov (%rax),%rbx; mov %rbx,(%rcx); mov %rbx,(%rdx)"), l1.Aligned, nil); got.Max() != 0 || got.Cuts != nil {
		t.Errorf("%+v", got)
	}
}

// TestPlaces checks which loads are found to meet in a bank of 4 bytes: in different lines, at distances that stay.
func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		text  string
		equal bool
		want  int // pairs that conflict
	}{
		{"movq -272(%rbp), %rdi; cmpq -464(%rbp), %rdi", false, 1}, // 192 bytes apart
		{"movq (%rax), %rdi; cmpq 8(%rax), %rdi", false, 0},        // one line
		{"movq (%rax), %rdi; cmpq 72(%rax), %rdi", false, 0},       // different banks
		{"movq (%rax), %rdi; cmpq 68(%rax), %rdi", false, 1},       // they share one
		{"cmpb $23, 16(%rbp); movq (%r15), %rcx", false, 0},
		{"cmpb $23, 16(%rbp); movq (%r15), %rcx", true, 1},                 // 2048 bytes apart in BHive's page
		{"movq (%rsp), %rax; movq 64(%rax), %rcx", true, 1},                // what is loaded is the page
		{"movl (%rsp), %eax; addq %rcx, %rax; movq (%rax), %rcx", true, 0}, // not known
		{"movq (%rax), %rcx; movq 64(%rbx), %rdx; addq $8, %rbx", true, 0}, // one moves
	} {
		places, n := l1.Places(bind(t, "ivybridge", c.text), c.equal), 0
		for i := range places {
			for k := range places[:i] {
				if places[i].Conflict(&places[k], 4) != places[k].Conflict(&places[i], 4) {
					t.Errorf("%s: %d and %d conflict in one direction", c.text, i, k)
				}
				if places[i].Conflict(&places[k], 4) {
					n++
				}
			}
		}
		if n != c.want {
			t.Errorf("%s: %d pairs conflict, want %d", c.text, n, c.want)
		}
	}
}

// TestPieces: 512-bit loads on a Zen 4, whose ports take 256 bits (measured in cycles).
func TestPieces(t *testing.T) {
	const load = "vmovups %d(%%rsi), %%zmm0; "
	for _, c := range []struct {
		offsets        []int
		more           string
		want, measured float64
	}{
		{[]int{0, 64, 128, 192}, "", 0, 4.0}, // the ports say so
		{[]int{32, 96}, "", 0, 2.0},
		{[]int{8, 72}, "", 3, 3.0},
		{[]int{0, 16}, "", 3, 3.0},
		{[]int{0, 16}, "vmovups (%rdi), %ymm1", 3, 3.0}, // in the place that was free
		{[]int{0, 16}, "vmovups (%rdi), %ymm1; vmovups 64(%rdi), %ymm2", 4, 4.0},
		{[]int{0}, "vmovups (%rdi), %ymm1", 2, 2.0},
		{[]int{0}, "vmovups (%rdi), %ymm1; vmovups 64(%rdi), %ymm2", 0, 2.0},
		{[]int{0, 16, 2056, 4104}, "", 6, 6.0},
		{[]int{0, 4, 8, 12, 16, 20, 24, 28}, "", 12, 12.0},
	} {
		text := c.more
		for k := len(c.offsets) - 1; k >= 0; k-- {
			text = fmt.Sprintf(load, c.offsets[k]) + text
		}
		if got := l1.Analyze(bind(t, "zen4", strings.TrimSuffix(text, "; ")), l1.Aligned, nil).Slots; math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%v: %.3f, want %.3f (measured %.2f)", c.offsets, got, c.want, c.measured)
		}
	}
}

// TestSlots: accesses that cross lines, and what takes turns with vector loads, on a Zen 5 (zen5-loops, zen5-blocks; figures in cycles).
func TestSlots(t *testing.T) {
	for _, c := range []struct {
		text           string
		alignment      l1.Alignment
		want, measured float64
	}{
		{"movupd (%rsi,%r8,8), %xmm2; movupd 16(%rsi,%r8,8), %xmm3; movupd (%rdx,%r8,8), %xmm4; movupd 16(%rdx,%r8,8), %xmm5; movupd %xmm4, (%rdi,%r8,8); movupd %xmm5, 16(%rdi,%r8,8); add $4, %r8", l1.Aligned, 2.5, 2.48},
		{"movdqu (%rsi), %xmm8; movdqu %xmm8, (%rdi); movdqu -16(%rsi,%rdx), %xmm8; movdqu %xmm8, -16(%rdi,%rdx)", l1.Aligned, 1.0, 1.17}, // no two stores in a row
		{"lddqu -25(%rsi), %xmm0; lddqu -16(%rsi), %xmm1; movdqu %xmm0, -25(%rdi); movdqu %xmm1, -16(%rdi)", l1.Aligned, 1.5, 1.44},
		{"lddqu 29(%rsi), %xmm0; movdqu %xmm0, 29(%rdi); lddqu 13(%rsi), %xmm0; lddqu (%rsi), %xmm1; movdqu %xmm0, 13(%rdi); movdqu %xmm1, (%rdi)", l1.Aligned, 2.0, 1.95},
		{"movl 304(%rsp), %r11d; vucomiss 448(%rsp), %xmm4; vmovss 272(%rsp), %xmm1; movq 288(%rsp), %r10", l1.Aligned, 1.5, 1.41},          // the two loads of integers are neighbours
		{"vmovss (%rsi), %xmm0; vmovss 4(%rsi), %xmm1; movl (%rsi), %eax; vmovss 8(%rsi), %xmm2; movl (%rsi), %ecx", l1.Aligned, 1.5, 1.63}, // not here
		{"movl (%rsi), %eax; movl 4(%rsi), %ecx; movl 8(%rsi), %edx", l1.Aligned, 0, 0.75},                                                  // no vector
		{"movsd (%rsi,%rax,8), %xmm1; addsd (%rdx,%rax,8), %xmm1; movsd %xmm1, (%rdi,%rax,8); inc %rax", l1.Aligned, 1.0, 1.00},
		{"vmovupd (%rsi,%rdx,8), %ymm1; vaddpd 2056(%rsi,%rdx,8), %ymm1, %ymm1; vaddpd 1016(%rsi,%rdx,8), %ymm1, %ymm1; vaddpd 1024(%rsi,%rdx,8), %ymm1, %ymm1; add $4, %rdx", l1.Aligned, 2.5, 2.5},
		{"vmovupd (%rsi,%rdx,8), %ymm1; vaddpd 2056(%rsi,%rdx,8), %ymm1, %ymm1; add $4, %rdx", l1.Lucky, 1.25, 0}, // one of the two cannot be aligned
		{"vmovupd (%rsi,%rdx,8), %ymm1; vaddpd 2056(%rsi,%rdx,8), %ymm1, %ymm1; add $4, %rdx", l1.Unlucky, 1.5, 0},
		{"vmovupd (%rsi,%rdx,8), %ymm1; vaddpd 2056(%rcx,%rdx,8), %ymm1, %ymm1; add $4, %rdx", l1.Lucky, 1.0, 0}, // pointers of their own
		{"movups %xmm0, 312(%r15); movups %xmm0, 296(%r15); movups %xmm0, 280(%r15); movups %xmm0, 264(%r15)", l1.Aligned, 2.5, 2.53},
	} {
		if got := l1.Analyze(bind(t, "zen5", c.text), c.alignment, nil).Slots; math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %.3f, want %.3f (measured %.2f)", c.text, got, c.want, c.measured)
		}
	}
}

// TestStoresAcrossLines: on a Zen 5 a store across two lines takes both turns that stores have in a cycle, as a store
// of 64 bytes does anywhere. Rows of 8 stores were measured at the beginning of a line and half a store behind it.
func TestStoresAcrossLines(t *testing.T) {
	for _, c := range []struct {
		store    string
		bytes    int
		measured [2]float64
	}{
		{"movq %%r8", 8, [2]float64{4.0, 4.5}},
		{"vmovups %%xmm0", 16, [2]float64{4.0, 5.0}},
		{"vmovups %%ymm0", 32, [2]float64{4.0, 6.0}},
		{"vmovups %%zmm0", 64, [2]float64{8.0, 8.0}},
	} {
		for behind, measured := range c.measured {
			text := fmt.Sprintf("addq $%d, %%rdi", 8*c.bytes)
			for i := range 8 {
				text = fmt.Sprintf(c.store+", %d(%%rdi); ", c.bytes*i+behind*c.bytes/2) + text
			}
			got := l1.Analyze(bind(t, "zen5", text), l1.Aligned, nil).Slots
			if math.Abs(got-measured) > 1e-9 && (got > 0 || behind > 0 && c.bytes < 64) { // without crossings the ports say it
				t.Errorf("%s: %.2f cycles, measured %.1f", text, got, measured)
			}
		}
	}
}

// TestInTurn: vector loads on a Zen 4, within a line of the cache (N), across one (C), of 64 bytes within (Z) and across (Y), twice each, and what they were measured to take.
func TestInTurn(t *testing.T) {
	for pattern, measured := range map[string]float64{"C": 1.99, "NC": 4.01, "NNC": 4.00, "NNNC": 5.97, "NCC": 4.99, "NNCC": 5.99, "NNNNC": 6.01, "NCCN": 5.97, "NCCCN": 8.02, "NNNCC": 6.99, "CNNC": 5.99,
		"ZN": 4.01, "ZNN": 3.99, "ZY": 5.97, "ZNY": 6.05, "ZNC": 4.97, "YN": 5.98, "YNN": 5.23, "ZC": 4.00, "ZCN": 4.98, "YC": 6.00} {
		var text []string
		for i, c := range pattern + pattern {
			at := 64 * (i % 4)
			switch c {
			case 'C':
				text = append(text, fmt.Sprintf("vmovups %d(%%rsi), %%ymm%d", at+48, i))
			case 'N':
				text = append(text, fmt.Sprintf("vmovups %d(%%rsi), %%ymm%d", at, i))
			case 'Z':
				text = append(text, fmt.Sprintf("vmovups %d(%%rsi), %%zmm%d", at, i))
			case 'Y':
				text = append(text, fmt.Sprintf("vmovups %d(%%rsi), %%zmm%d", at+4, i))
			}
		}
		b := bind(t, "zen4", strings.Join(text, "; "))
		got := l1.Analyze(b, l1.Aligned, nil).Slots
		if math.Abs(got-measured) > 0.05*measured && (got > 0 || measured > 4.1) { // what ports say alone is none of these bounds
			t.Errorf("%s: %.3f, measured %.2f", pattern, got, measured)
		}
	}
}

// TestKnownPlaces: accesses of which it is known where they go, whatever their registers.
func TestKnownPlaces(t *testing.T) {
	b := bind(t, "zen4", "lea (%rdi,%rcx,4), %rdx; vmovups (%rdx), %ymm0; add $8, %rcx")
	walk := func(from int64) []depgraph.Place {
		p := depgraph.Place{Inst: 1}
		for k := range int64(33) {
			p.At = append(p.At, from+32*k)
		}
		return []depgraph.Place{p}
	}
	for _, c := range []struct {
		places []depgraph.Place
		want   float64
	}{{nil, 0}, {walk(0), 0}, {walk(0x1004), 1}, {walk(-12), 1}} { // each second one crosses a line, always by the same port
		for _, alignment := range []l1.Alignment{l1.Aligned, l1.Lucky} {
			if got := l1.Analyze(b, alignment, c.places).Slots; got != c.want {
				t.Errorf("%v: %.3f, want %.3f", c.places, got, c.want)
			}
		}
	}
}
