package block

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"incore/internal/base/long"
	"incore/internal/bench/host"
	"incore/internal/isa"
)

// codeKernel makes a kernel of machine code at an address, whose last instruction is a branch to the first.
func codeKernel(t *testing.T, text string, addr uint64) (*isa.Kernel, func(uint64, int) []byte) {
	t.Helper()
	code, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	a := AMD64().ISA
	k := &isa.Kernel{ISA: a, Loop: true, Latch: true}
	for at := 0; at < len(code); {
		l := isa.Line{Addr: addr + uint64(at)}
		n, err := a.Decode(code[at:], l.Addr, &l.Inst)
		if err != nil {
			t.Fatal(err)
		}
		l.Text = string(a.Print(nil, &l.Inst, "att"))
		k.Lines = append(k.Lines, l)
		at += n
	}
	return k, func(from uint64, n int) []byte { return code[from-addr:][:n] }
}

// Loops whose ends are of different kinds, and their cycles: chains of one register.
var placedLoops = []struct {
	what, code string
	cycles     float64 // 0: too little to do to say
}{
	{"count down, imul", "480fafc0" + "48ffc9" + "75f7", 3},
	{"bound in a register, imul", "480fafc0" + "4883c608" + "4839d6" + "75f3", 3},
	{"a constant bound, unsigned, imul", "480fafc0" + "83c101" + "81f910270000" + "72f1", 3},
	{"end in memory, imul", "480fafc0" + "4883c608" + "483b7424f8" + "75f1", 3},
	{"downward, signed, imul twice", "480fafc0" + "480fafc0" + "4883ee10" + "4839f2" + "7cef", 6},
	{"a store, relative to the instruction pointer", "48890511111100" + "48ffc9" + "75f4", 0},
}

// TestInPlace measures loops in place: each must end as computed, with the cycles of its chain wherever in a page it stands.
func TestInPlace(t *testing.T) {
	for _, l := range placedLoops {
		for _, addr := range long.Some([]uint64{0x40103d, 0x401000, 0x401ffb}, 1) {
			k, bytes := codeKernel(t, l.code, addr)
			p, err := AMD64().Place(k, 0, bytes)
			if err != nil {
				if native, _ := Native(); native == nil || native.ISA != k.ISA {
					t.Skip(err)
				}
				t.Fatalf("%s: %v", l.what, err)
			}
			retry(t, l.what, func() (string, bool, error) {
				f, e, err := p.Loop(context.Background(), Setup{})
				if err != nil {
					return "", false, err
				}
				good := l.cycles == 0 || f.Cycles > 0.97*l.cycles && f.Cycles < 1.05*l.cycles
				return fmt.Sprintf("at %#x: %.3f cycles, want %.0f; %+v", addr, f.Cycles, l.cycles, e), good && e.Long > 2*e.Short-5, nil
			})
		}
	}
}

// TestNotInPlace has loops whose end can't be chosen, or that leave on their way: they are refused with the reason, not measured wrongly.
func TestNotInPlace(t *testing.T) {
	for what, code := range map[string]string{
		"the end hangs on a floating-point comparison": "660f2ec1" + "75fa",
		"nothing changes":      "480fafc0" + "4839d6" + "75f7",
		"a branch inside":      "4839d6" + "7403" + "480fafc0" + "48ffc9" + "75f2",
		"a branch inside, out": "4839f6" + "7420" + "48ffc9" + "75f6",
		"a stored bound":       "48894424f8" + "48ffc6" + "483b7424f8" + "75f1",
	} {
		k, bytes := codeKernel(t, code, 0x401010)
		p, err := AMD64().Place(k, 0, bytes)
		if err != nil {
			continue
		}
		if f, e, err := p.Loop(context.Background(), Setup{}); err == nil {
			t.Errorf("%s: measured as %+v, %+v", what, f, e)
		}
	}
}

// TestPlaceText: loops of assembly text become what an assembler makes of them at the beginning of a page.
func TestPlaceText(t *testing.T) {
	a := AMD64()
	for _, c := range []struct{ text, code string }{
		{"imulq %rax, %rax\ndecq %rcx\njne .L1", "480fafc0" + "48ffc9" + "75f7"},
		{strings.Repeat("imulq %rax, %rax\n", 40) + "decq %rcx\njne .L1", strings.Repeat("480fafc0", 40) + "48ffc9" + "0f8557ffffff"},
		{"movq a(%rip), %rax\ndecq %rcx\njne .L1", ""}, // a has no place of its own
		{"decq %rcx\nimulq %rax, %rax", ""},
	} {
		k := &isa.Kernel{ISA: a.ISA, Syntax: "att", Loop: true}
		for _, text := range strings.Split(c.text, "\n") {
			in, err := a.ISA.Parse(nil, text, "att")
			if err != nil || len(in) != 1 {
				t.Fatal(text, err)
			}
			k.Lines = append(k.Lines, isa.Line{Inst: in[0], Text: text})
		}
		k.Latch = strings.HasPrefix(k.Lines[len(k.Lines)-1].Text, "j")
		body, err := Assemble(k)
		if err != nil {
			t.Fatal(err)
		}
		p, err := a.PlaceText(k, body, 0)
		switch {
		case err != nil && host.Arch != "amd64" && c.code != "":
			t.Skip(err)
		case err != nil && c.code == "":
		case err != nil:
			t.Errorf("%s: %v", c.text, err)
		case hex.EncodeToString(p.code) != c.code || p.Offset != 0 || p.N != len(k.Lines):
			t.Errorf("%s: %x at %#x, %d instructions; want %s", c.text, p.code, p.Offset, p.N, c.code)
		}
	}
}

// TestCountedTrips: a branch that counts itself (loop) ends a loop after the chosen number of iterations.
func TestCountedTrips(t *testing.T) {
	k, _ := codeKernel(t, "4801c3"+"e2fb", 0x401000) // add %rax,%rbx; loop
	l := AMD64().newTrips(k)
	regs := (&Setup{}).Registers()
	w, err := l.find(regs)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{5, 100, 3000} {
		if out, exact, ok := l.after(w, regs, n); !ok || out[1] != uint64(exact) || exact < n-1 || exact > n+longestTrial {
			t.Errorf("asked for %d iterations: %d found (%v), rcx is %d", n, exact, ok, out[1])
		}
	}
}

// TestTrips holds the number of iterations that is computed against one counted by hand.
func TestTrips(t *testing.T) {
	k, _ := codeKernel(t, "4883c608"+"4839d6"+"75f7", 0x401000) // add $8,%rsi; cmp %rdx,%rsi; jne
	l := AMD64().newTrips(k)
	regs := (&Setup{}).Registers()
	w, err := l.find(regs)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{5, 100, 3000} {
		out, exact, ok := l.after(w, regs, n)
		if want := (out[2] - out[6]) / 8; !ok || uint64(exact) != want || exact < n-1 || exact > n+longestTrial {
			t.Errorf("asked for %d iterations: %d found (%v), %d by the registers", n, exact, ok, want)
		}
	}
}

// TestWalks measures a loop that walks through two arrays: it must stay within the pages there are, and end as computed.
func TestWalks(t *testing.T) {
	long.Only(t, "measures a loop several times")
	const code = "c5fe6f1406" + "c5fe7f1407" + "4883c020" + "4839c8" + "75ed" // vmovdqu (%rsi,%rax),%ymm2; vmovdqu %ymm2,(%rdi,%rax); add $32,%rax; cmp %rcx,%rax; jne
	p, ok, err := AMD64().PlaceHex(code + "@30")
	if native, _ := Native(); native == nil || native.ISA != AMD64().ISA {
		t.Skip("not on x86-64")
	}
	if !ok || err != nil || p.Offset != 0x30 || p.N != 5 {
		t.Fatalf("%+v, %v, %v", p, ok, err)
	}
	f, e, err := p.Loop(context.Background(), Setup{Pages: 4})
	if host.Unstable(err) || host.Unsteady(err) || err != nil && strings.Contains(err.Error(), "illegal") {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	if len(f.Pages) > 4 || f.Rounds < 2 || e.Long <= 2*e.Short {
		t.Errorf("%d pages, %d rounds of %d and %d iterations", len(f.Pages), f.Rounds, e.Short, e.Long)
	}
}

// TestPlaceHex: other texts are no loops in place, and bad ones are refused.
func TestPlaceHex(t *testing.T) {
	if _, ok, _ := AMD64().PlaceHex("480fafc0"); ok {
		t.Error("a block without a place")
	}
	for _, text := range []string{"48ffc975fb@1000", "48ffc975fb@x", "48ffc9@0", "ff@0", "@0", "48ffc975f0@0"} {
		if p, ok, err := AMD64().PlaceHex(text); ok && err == nil {
			t.Errorf("%s: %+v", text, p)
		}
	}
}

// TestBlocks: of a line of CSV or TSV the first field is the block, be it code or a loop in place; assembly is the whole line.
func TestBlocks(t *testing.T) {
	const text = "hex,cycles\n480fafc0,3.0\n4801c875fb@30,1.0\n# comment\n\nimul %rax,%rax; dec %ecx\n\"add %rax,%rbx\",1\n"
	got, err := ReadCorpus(strings.NewReader(text))
	want := []string{"480fafc0", "4801c875fb@30", "imul %rax,%rax; dec %ecx", "add %rax,%rbx"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
}

// walk measures a loop that walks through four pages.
func walk(t *testing.T, hex string) (*Placed, *Figure, *Ended) {
	t.Helper()
	if host.Arch != "amd64" {
		t.Skip("in place on x86-64 only")
	}
	p, ok, err := AMD64().PlaceHex(hex)
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	f, end, err := p.Loop(context.Background(), Setup{Pages: 4})
	var why *host.Reason
	if host.Unstable(err) || host.Unsteady(err) || errors.As(err, &why) && why.Kind == "unsupported" { // what else runs on the core may make a loop unsteady, too
		t.Skipf("cannot measure here: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p, f, end
}

// TestRandomRounds runs a loop that walks through memory: its rounds are of unlike lengths, each of which the registers confirm.
func TestRandomRounds(t *testing.T) {
	long.Only(t, "measures a loop several times")
	// mov %rdx,%rsi; add %rcx,%rdx; add $8,%rax; mov %rdx,-8(%rax); mov %rsi,%rcx; cmp %rdi,%rax; jne
	p, f, end := walk(t, "4889d64801ca4883c008488950f84889f14839f875ea@18")
	if f.Rounds < leastRounds || end.Short >= end.Long || end.Long > longestRound {
		t.Errorf("%d rounds, of %d and %d iterations", f.Rounds, end.Short, end.Long)
	}
	t.Logf("%.3f ± %.3f cycles", f.Cycles, f.Uncertainty)
	regs := (&Setup{}).Registers()
	way, err := p.trips.find(regs)
	if err != nil {
		t.Fatal(err)
	}
	if f, end, err := p.settled(context.Background(), way, regs, Setup{Pages: 4}, 100); err == nil && (f.Rounds < leastRounds || end.Long-end.Short < 100) {
		t.Errorf("an estimate of 100 cycles: %d rounds, of %d and %d iterations", f.Rounds, end.Short, end.Long)
	}
	c := newCode(p.code, Setup{})
	c.InPlace = &host.InPlace{Offset: p.Offset}
	mean, err := p.rounds(c, way, regs, 200, 1)
	if err != nil {
		t.Fatal(err)
	}
	l := c.InPlace
	if mean < 195 || mean > 205 || len(l.Starts) != host.MostStarts || l.Counts[0] > 160 || l.Counts[host.MostStarts-1] < 240 {
		t.Errorf("%.1f iterations on average: %d", mean, l.Counts)
	}
	wrong := &host.Result{Final: regs}
	if p.checkAny(c, wrong) == nil {
		t.Error("registers that no round ends with are not found out")
	}
}

// TestSeveralRounds runs a loop that can go round 512 times only until it needs more pages: rounds of several fixed
// lengths within half of them.
func TestSeveralRounds(t *testing.T) {
	long.Only(t, "measures a loop until the core has room")
	// movups (%rsi,%rax),%xmm0; movups %xmm0,(%rdi,%rax); add $16,%rax; cmp %rdx,%rax; jne
	_, f, end := walk(t, "0f1004060f1104074883c0104839d075ef@20")
	if f.Rounds < leastRounds || end.Short*2 > end.Long || end.Long > predicted || end.Long*16*2 > 4*4096/2 {
		t.Errorf("%d rounds, of %d to %d iterations", f.Rounds, end.Short, end.Long)
	}
	if f.Cycles <= 0 || f.Uncertainty < 0 || f.Uncertainty > f.Cycles {
		t.Errorf("%v ± %v cycles", f.Cycles, f.Uncertainty)
	}
	t.Logf("%.3f ± %.3f cycles, %d to %d iterations", f.Cycles, f.Uncertainty, end.Short, end.Long)
}

// TestCarried: rounds that follow each other renew what an iteration takes from the one before it, and nothing else.
func TestCarried(t *testing.T) {
	for _, c := range []struct {
		what, code string
		want       []int
	}{
		{"sums of two registers in turn, and an index", "4889d64801ca4883c008488950f84889f14839f875ea", []int{0, 1, 2}}, // rax, rcx, rdx; rsi is written before it is read, rdi only read
		{"a chain", "480fafc048ffc975f7", []int{0, 1}},
		{"a byte that merges", "8a0648ffc975f9", []int{0, 1}},  // mov (%rsi),%al
		{"a byte in full", "0fb60648ffc975f8", []int{1}},       // movzbl (%rsi),%eax
		{"written as 32 bits", "8b0601d048ffc975f7", []int{1}}, // mov (%rsi),%eax; add %edx,%eax
	} {
		k, _ := codeKernel(t, c.code, 0x401000)
		if got := AMD64().newTrips(k).carried; !slices.Equal(got, c.want) {
			t.Errorf("%s: registers %v, want %v", c.what, got, c.want)
		}
	}
}

// TestSlopes finds what an execution takes from rounds some of which end in a miss, and says how well it is known.
func TestSlopes(t *testing.T) {
	line := func(n int, miss func(i int) float64) (x, y []float64) {
		for i := range n {
			x = append(x, float64(20+5*i))
			y = append(y, 100+2*x[i]+miss(i))
		}
		return x, y
	}
	for _, c := range []struct {
		what        string
		miss        func(i int) float64
		most, least float64 // uncertainty
	}{
		{"none", func(int) float64 { return 0 }, 1e-9, 0},
		{"two misses", func(i int) float64 { return map[int]float64{3: 20, 9: 20}[i] }, 0.02, 0},
		{"all, unlike ones", func(i int) float64 { return 20 * math.Abs(math.Sin(float64(i*i))) }, 0.8, 0.05},
	} {
		x, y := line(13, c.miss)
		v, u := slopes(x, y)
		if math.Abs(v-2) > 1.5*u+1e-9 || u > c.most || u < c.least {
			t.Errorf("%s: %g ± %g, want 2", c.what, v, u)
		}
		more, z := line(26, c.miss)
		for i := range more {
			more[i], z[i] = x[0]+(more[i]-x[0])/2, z[i]-(more[i]-x[0]) // as far apart as before
		}
		if _, w := slopes(more, z); w > u+1e-9 {
			t.Errorf("%s: ± %g with more lengths, ± %g with fewer", c.what, w, u)
		}
	}
	if v, _ := slopes([]float64{5}, []float64{7}); !math.IsNaN(v) {
		t.Errorf("a slope of one point: %g", v)
	}
}
