package roofs

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"incore/internal/isa/catalog"
	"incore/internal/program/cachesim"
	"incore/internal/roofline"
)

// TestCaches: levels are found in latencies with gentle ends and noise that only adds.
func TestCaches(t *testing.T) {
	level := func(size float64, noise int) float64 {
		c := 4.0
		for _, l := range []struct{ size, cycles float64 }{{32 << 10, 14}, {1 << 20, 50}, {16 << 20, 400}} {
			share := 1 / (1 + math.Pow(l.size*1.1/size, 6)) // of accesses that miss
			c += share * (l.cycles - c)
		}
		return c * (1 + 0.02*float64(noise%3))
	}
	var scan []step
	for i := 0; i <= 4*15; i++ {
		size := int64(leastSize * math.Pow(2, float64(i)/4))
		scan = append(scan, step{size, level(float64(size), i*7)})
	}
	found := caches(scan)
	if len(found) != 3 {
		t.Fatalf("found %v", found)
	}
	for i, want := range []float64{32 << 10, 1 << 20, 16 << 20} {
		if !near(found[i].Size, want) {
			t.Errorf("level %d: %.0f bytes, want about %.0f", i+1, found[i].Size, want)
		}
	}
	if got := caches(scan[:3]); len(got) != 0 {
		t.Errorf("levels %v in a flat scan", got)
	}
}

// TestPrograms: every loop is encoded, and runs where the machine has what it needs.
func TestPrograms(t *testing.T) {
	if err := Supported(); err != nil {
		t.Skip(err)
	}
	r := &runner{ctx: context.Background(), isa: catalog.ISA("x86-64"), dir: t.TempDir()}
	for _, w := range usable() {
		for _, op := range operations {
			if op.name == "nontemporal" && w.bits == 0 {
				continue
			}
			n := int64(4096)
			all, err := r.run(test{bytes: 3 * n, prepare: w.constants(elements[0]), body: w.stream(op.name, n, n), passes: 2, samples: 4}, nil)
			if err != nil {
				t.Fatalf("%s of %d bits: %v", op.name, w.bits, err)
			}
			if f := rate(all, 1); len(all[0]) != 3 || !(f.Best > 0) || !(f.Low <= f.Median && f.Median <= f.Best) {
				t.Errorf("%s of %d bits: %+v of %v", op.name, w.bits, f, all)
			}
		}
		for _, e := range elements {
			body, flops := w.peak(e, w.avx)
			if _, err := r.run(test{bytes: pageSize, prepare: func(p *program) { w.constants(e)(p); w.zero(p) }, body: body, passes: 1}, nil); err != nil || flops <= 0 {
				t.Errorf("peak of %d bits, %s: %v, %g operations", w.bits, e.name, err, flops)
			}
		}
	}
	c, err := r.latency(8 << 10)
	if err != nil || c < 1 {
		t.Errorf("latency %g cycles (%v)", c, err)
	}
}

// TestChained: a chain leads through every line once.
func TestChained(t *testing.T) {
	b := chained(64*100, 7)
	at, seen := 0, map[int]bool{}
	for !seen[at] {
		seen[at] = true
		at = int(uint64(b[at])|uint64(b[at+1])<<8|uint64(b[at+2])<<16|uint64(b[at+3])<<24) - arrayBase
	}
	if len(seen) != 100 || at != 0 {
		t.Errorf("%d lines, back at %d", len(seen), at)
	}
}

// TestFile: what is written is read back.
func TestFile(t *testing.T) {
	m := &roofline.Machine{Name: "x", Title: `a "CPU": #1`, VectorBits: 512, Peak: roofline.Peak{Double: 58.7, Single: 117}, Clock: 3.7,
		Levels:  []roofline.Level{{Name: "L1", Bandwidth: 339.8, Size: 32768, Ways: 8, Line: 64, Latency: 4, Uncertainty: 0.1}, {Name: "memory", Bandwidth: 29.89}},
		Sources: map[string]string{"peak": "measured: by us"}, Peaks: []roofline.PeakRow{{Precision: "double", VectorBits: 512, Operations: "mul, add", Rate: 1, Median: 1}},
		Bandwidths: []roofline.BandwidthRow{{Level: "L1", Operation: "triad", VectorBits: 512, Rate: 3, Median: 2, Low: 1}}}
	var first, second bytes.Buffer
	if err := roofline.WriteMachine(&first, m); err != nil {
		t.Fatal(err)
	}
	back, err := roofline.ReadMachine("x", first.Bytes())
	if err != nil {
		t.Fatalf("%v:\n%s", err, first.String())
	}
	if err := roofline.WriteMachine(&second, back); err != nil || first.String() != second.String() || !strings.Contains(second.String(), "mul, add") {
		t.Errorf("%v:\n%s\n%s", err, first.String(), second.String())
	}
}

// TestReconcile: rises of latency inside a cache that the system knows make no level, and a cache whose end does not show has the system's size.
func TestReconcile(t *testing.T) {
	var scan []step
	for size := 4 << 10; size <= 128<<20; size *= 2 {
		scan = append(scan, step{int64(size), float64(size>>10) + 1})
	}
	system := []cachesim.Level{{Name: "L1", Size: 32 << 10}, {Name: "L2", Size: 512 << 10}, {Name: "L3", Size: 32 << 20}}
	got, doubts := reconcile([]Found{{32 << 10, 4}, {212 << 10, 12}, {440 << 10, 19}, {2 << 20, 60}}, system, scan)
	if len(got) != 3 || got[0].Size != 32<<10 || got[1].Size != 512<<10 || got[1].Cycles != 19 || got[2].Size != 32<<20 || got[2].Cycles != 4097 {
		t.Errorf("%v", got)
	}
	for _, s := range []string{"212 KiB", "2048 KiB", "end of L3"} {
		if !strings.Contains(doubts, s) {
			t.Errorf("%q lacks %q", doubts, s)
		}
	}
	if got, doubts := reconcile([]Found{{1, 2}}, nil, nil); len(got) != 1 || doubts != "" {
		t.Errorf("without the system's word: %v %q", got, doubts)
	}
}
