package frontend_test

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"incore/internal/analysis/frontend"
	"incore/internal/analysis/uops"
	"incore/internal/isa"
	"incore/internal/isa/x86"
	"incore/internal/machine"
)

// TestBranchesPerCycle: executed code takes a branch per cycle at most, also where the µop cache continues after it, or
// two where it fetches entries of two runs together, and every slot of the runs comes once.
func TestBranchesPerCycle(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for _, arch := range []string{"skylake", "haswell", "zen3", "zen4", "zen5", "emeraldrapids"} {
		m, err := machine.Get(arch)
		if err != nil {
			t.Fatal(err)
		}
		var all []*frontend.Run
		for at := range uint64(6) { // of one to six nops across a boundary of 32 bytes
			k := &isa.Kernel{ISA: x86.ISA()}
			for i := range at + 1 {
				l := bind(t, arch, "nop").Kernel.Lines[0]
				l.Addr = 0x1000*(at+1) + 31 + i
				k.Lines = append(k.Lines, l)
			}
			b := uops.Bind(m, k)
			slots := make([]int32, len(b.Insts))
			for i := range slots {
				slots[i] = 1
			}
			all = append(all, frontend.NewRun(m.Core(), m, x86.ISA(), b.Insts, slots))
		}
		var runs []*frontend.Run
		want := 0
		for range 300 {
			n := rng.Intn(len(all))
			runs, want = append(runs, all[n]), want+n+1
		}
		f := frontend.Along(runs, make([]bool, len(runs)))
		got, cycles := 0, 0
		for ; got < want && cycles < 10*want; cycles++ {
			f.Fill()
			got += f.Have()
			f.Take(f.Have())
		}
		least := len(runs) - 1
		if m.Core().FetchEntries.Slots > 0 {
			least /= 2
		}
		if got != want || cycles < least || cycles > 2*len(runs) {
			t.Errorf("%s: %d of %d slots in %d cycles, of %d runs", arch, got, want, cycles, len(runs))
		}
	}
}

// TestShortLoopsInNests: on Zen 5 loops of up to six slots within a line of 64 bytes take half a cycle an iteration, others of up to twelve slots a cycle, as measured on
// one (family 26 model 2) for loops in a nest: 20 iterations of 1 to 4 slots 11.2 cycles with what is around them, of 7 slots 21.2, of 3 slots in two lines 20.2.
func TestShortLoopsInNests(t *testing.T) {
	m, err := machine.Get("zen5")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		at, slots int
		want      float64
	}{{0, 1, 0.5}, {16, 3, 0.5}, {32, 6, 0.5}, {0, 7, 1}, {0, 12, 1}, {56, 3, 1}, {36, 7, 1}} {
		b := uops.Bind(m, loopAt(t, fmt.Sprintf("%s7500@%x", strings.Repeat("0f1f4008", c.slots-1), c.at)))
		slots := make([]int32, len(b.Insts))
		for i := range slots {
			slots[i] = 1
		}
		run := frontend.NewRun(m.Core(), m, x86.ISA(), b.Insts, slots)
		f := frontend.Along(slices.Repeat([]*frontend.Run{run}, 400), make([]bool, 400))
		cycles := 0
		for got := 0; got < 400*len(slots) && cycles < 2000; cycles++ {
			f.Fill()
			got += f.Have()
			f.Take(f.Have())
		}
		if math.Abs(float64(cycles)/400-c.want) > 0.02 {
			t.Errorf("%d slots at %d: %.2f cycles an iteration, want %.1f", c.slots, c.at, float64(cycles)/400, c.want)
		}
	}
}
