package trace

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"incore/internal/analysis/sim"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

// TestEpisodes: episodes take together as long as the whole of which they are parts, and most of them are simulated
// once. Blocks follow each other by chance and access a few places in memory; branches are mispredicted by chance;
// some accesses are served by farther caches.
func TestEpisodes(t *testing.T) {
	for _, name := range []string{"skylake", "spr", "zen3", "zen4", "zen5"} {
		m, err := machine.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		penalty, _ := sim.Penalty(m)
		core := &Core{Model: m, Penalty: penalty, Late: [8]int32{0, 12, 40, 150}}
		for _, level := range []int8{0, 3} {
			s, err := NewSimulator(core, catalog.ISAs()[0])
			if err != nil {
				t.Fatal(err)
			}
			r := atRandom(t, core.leave())
			episodes, whole, missed := 0.0, 0.0, 0
			rng := rand.New(rand.NewSource(2))
			var segments []*Segment
			for _, x := range r.same {
				segments = append(segments, x)
			}
			slices.SortFunc(segments, func(a, b *Segment) int { return a.number - b.number })
			for _, x := range segments {
				for v := range x.blocks {
					if rng.Intn(4) == 0 {
						x.wrong[v/64] |= 1 << (v % 64)
						missed++
					}
				}
				x.marks = nil
				for v, id := range x.blocks {
					if a := r.Blocks[id].Accesses; level > 0 && v%50 == 0 && len(a) > 0 && a[0].Load {
						x.marks = append(x.marks, segmentMark{int32(v), mark{level: level}})
					}
				}
				a, err := s.Run(x, r.Blocks, 1)
				if err != nil {
					t.Fatal(err)
				}
				episodes += a.Cycles
				s.lay(0, len(x.blocks))
				s.depend(0, len(x.blocks))
				s.late(0, len(x.blocks))
				s.whole.Insts = s.insts
				s.region.Drains, s.region.Rest, s.region.Groups = false, sim.Rest{}, 1
				s.region.Graph = s.runs.Within(&s.whole, s.region.Numbers, s.memory, s.plan.renaming)
				if a, err = s.s.Run(&s.region); err != nil {
					t.Fatal(err)
				}
				whole += a.Cycles
			}
			e := episodes/whole - 1
			t.Logf("%s: %d segments, %.0f cycles, in episodes %+.2f %%; %d of these for %d mispredicted branches",
				name, len(segments), whole, 100*e, len(s.known), missed)
			if math.Abs(e) > 0.005 {
				t.Errorf("%s: episodes take %+.2f %%", name, 100*e)
			}
			if level == 0 && len(s.known) > missed/2 {
				t.Errorf("%s: %d episodes are simulated for %d mispredicted branches", name, len(s.known), missed)
			}
		}
	}
}

// atRandom records blocks in an order by chance.
func atRandom(t *testing.T, leave bool) *Recorder {
	t.Helper()
	r := NewRecorder()
	r.Leave = leave
	rng := rand.New(rand.NewSource(1))
	var ids []int
	for _, k := range loopKernels(t, "zen4-loops.tsv")[:3] {
		var accesses []Access
		for i := range k.Lines {
			var e isa.Effects
			k.ISA.Effects(&k.Lines[i].Inst, &e)
			for n, mem := range e.Mem {
				if mem.Bits > 0 {
					accesses = append(accesses, Access{Line: i, Mem: n, Bytes: int(mem.Bits) / 8, Load: mem.Load, Store: mem.Store})
				}
			}
		}
		ids = append(ids, r.Add(NewBlock(k.ISA, k.Lines, accesses)))
	}
	words := make([]uint64, 64)
	for range 6000 {
		id := ids[rng.Intn(len(ids))]
		for range 1 + rng.Intn(2) {
			for i := range words {
				words[i] = 1<<20 + 64*uint64(i) + 8*uint64(rng.Intn(2)*(1-min(1, i)))
			}
			r.Visit(id, words[:len(r.Blocks[id].Accesses)])
		}
	}
	r.End()
	return r
}
