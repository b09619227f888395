package trace

import (
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/sim"
	"incore/internal/analysis/uops"
	"incore/internal/analyze/predict"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

// TestPositions holds what is recorded of stores against the blocks that they are in.
func TestPositions(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for _, c := range []machine.StoreCommit{{Merge: 16}, {Merge: 32}, {Merge: 64}, {Lines: true}, {Merge: 32, Partial: 3, Within: 5}} {
		block, most := uint64(c.Merge), math.MaxInt
		if c.Lines {
			block, most = lineBytes, 2
		}
		var s positions
		rewrites := machine.NewRewrites(&c)
		if c.Partial > 0 {
			s.rule, s.rewrites = &c, machine.NewRewrites(&c)
		}
		at, run := uint64(0), 1 // block of the last store, and how many left with it
		for n := range 5000 {
			bytes := uint64(1) << rng.Intn(7)
			addr := 4096 + uint64(rng.Intn(300))
			if rng.Intn(2) == 0 {
				addr &^= bytes - 1
			}
			want := 0
			first := addr / block
			if first == at && run < most {
				run++
			} else {
				want, run = 1, 1
			}
			last := (addr + bytes - 1) / block
			for b := first; b <= last; b++ {
				from := max(addr, b*block)
				want += rewrites.Add(b, machine.Span(int(from-b*block), int(addr+bytes-from), int(block)), b == first && want == 0)
			}
			if more := int(last - addr/block); more > 0 {
				want += more
				run = 1
			}
			at = last
			if p := s.next(addr, bytes); p.takes(&c, int(bytes)) != want || p.usual() && want != 1 {
				t.Fatalf("%+v: store %d of %d bytes at %d takes %d cycles, %d expected", c, n, bytes, addr, p.takes(&c, int(bytes)), want)
			}
		}
	}
}

// TestLeave: loops of stores to known places take the same cycles in a trace as in place, where they are bound by how stores leave the store queue.
func TestLeave(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	bound := 0
	for _, name := range []string{"zen4", "zen3", "emeraldrapids"} {
		m, err := machine.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		for range 6 {
			var code strings.Builder
			var disp []uint64
			var size []int
			for k := range 3 + rng.Intn(5) {
				disp = append(disp, uint64(rng.Intn(16)*8))
				if k > 0 && rng.Intn(2) == 0 {
					disp[k] = (disp[k-1] + 8) % 128
				}
				if size = append(size, 8); m.Core().StoreCommit.Partial > 0 && rng.Intn(2) == 0 {
					size[k] = 1
				}
				store := "488946%02x" // mov %rax, disp(%rsi)
				if size[k] == 1 {
					store = "408846%02x" // mov %al, disp(%rsi), of as many bytes
				}
				fmt.Fprintf(&code, store, disp[k])
			}
			fmt.Fprintf(&code, "48ffc975%02x", byte(-len(disp)*4-5)) // dec %rcx; jne
			r := &predict.Reader{ISA: catalog.ISAs()[0]}
			k, err := r.Hex(code.String() + "@0")
			if err != nil {
				t.Fatal(err)
			}
			var accesses []Access
			var words []uint64
			for i, d := range disp {
				accesses, words = append(accesses, Access{Line: i, Bytes: size[i], Store: true}), append(words, 1<<16+d)
			}
			b := uops.Bind(m, k)
			core, err := sim.Available(m)
			if err != nil {
				t.Fatal(err)
			}
			g := depgraph.Build(b, depgraph.Options{NoMemory: true})
			want, err := sim.Run(g, core, sim.Options{Aligned: true})
			if err != nil {
				t.Fatal(err)
			}
			rec := NewRecorder()
			rec.Leave = true
			if c := &m.Core().StoreCommit; c.Partial > 0 {
				rec.Rewrite(c)
			}
			id := rec.Add(NewBlock(k.ISA, k.Lines, accesses))
			rec.Blocks[id].groups = make([]int32, len(k.Lines))
			for range 8000 {
				rec.Visit(id, words)
			}
			rec.End()
			got := simulated(t, m, rec, len(k.Lines))
			if math.Abs(got-want.Cycles) > 0.03*want.Cycles {
				t.Errorf("%s: stores to %v take %.2f cycles in a trace, %.2f in place", name, disp, got, want.Cycles)
			}
			if want.Cycles > float64(len(disp))/2*1.2 {
				bound++
			}
		}
	}
	if bound < 6 {
		t.Errorf("only %d loops are bound by what the test is about", bound)
	}
}
