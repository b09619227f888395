package frontend_test

import (
	"math/rand"
	"testing"

	"incore/internal/analysis/frontend"
	"incore/internal/isa"
	"incore/internal/isa/x86"
	"incore/internal/machine"
)

// TestOneBranchPerCycle: executed code takes a branch per cycle at most, also where the µop cache continues after it,
// and every slot of the runs comes once.
func TestOneBranchPerCycle(t *testing.T) {
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
			b := m.Bind(k)
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
		if got != want || cycles < len(runs)-1 {
			t.Errorf("%s: %d of %d slots in %d cycles, of %d runs", arch, got, want, cycles, len(runs))
		}
	}
}
