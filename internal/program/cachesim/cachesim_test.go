package cachesim

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// oracle is one cache, written down as a list of sets of lines in order of use.
type oracle struct {
	sets [][]uint64
	ways int
}

func (o *oracle) access(line uint64) bool {
	s := int(line % uint64(len(o.sets)))
	set := o.sets[s]
	i := slices.Index(set, line)
	if i >= 0 {
		set = slices.Delete(set, i, i+1)
	}
	set = slices.Insert(set, 0, line)
	o.sets[s] = set[:min(len(set), o.ways)]
	return i >= 0
}

// TestLevels: which level serves an access is what a list of lists says, of levels that are filled on each miss. Evicted lines that were changed come back
// to the next level, so that only loads are compared.
func TestLevels(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		levels := []Level{{Name: "L1", Size: 64 * 2 * (1 + rng.IntN(8)), Ways: 2}, {Name: "L2", Size: 64 * 4 * (8 + rng.IntN(9)), Ways: 4}}
		h, err := New(levels)
		if err != nil {
			t.Fatal(err)
		}
		var o [2]oracle
		for i, l := range levels {
			o[i] = oracle{make([][]uint64, l.Size/64/l.Ways), l.Ways}
		}
		for range 5000 {
			line := uint64(rng.IntN(100))
			want := 2
			if o[0].access(line) {
				want = 0
			} else if o[1].access(line) {
				want = 1
			}
			if got := h.Line(line, false); got != want {
				t.Fatalf("seed %d: level %d, want %d", seed, got, want)
			}
		}
	}
}

// entry is a line in a list, changed or not.
type entry struct {
	line    uint64
	changed bool
}

// lists is a hierarchy as lists of lines, the last used first.
type lists struct {
	levels          []Level
	sets            []map[uint64][]entry
	filled, written [MaxLevels + 1]uint64
}

func (l *lists) take(level int, line uint64) (entry, bool) {
	n := uint64(l.levels[level].Size / l.levels[level].Line / l.levels[level].Ways)
	set := l.sets[level][line%n]
	i := slices.IndexFunc(set, func(e entry) bool { return e.line == line })
	if i < 0 {
		return entry{}, false
	}
	e := set[i]
	l.sets[level][line%n] = slices.Delete(set, i, i+1)
	return e, true
}

func (l *lists) put(level int, e entry) {
	if level == len(l.levels) {
		return
	}
	if old, ok := l.take(level, e.line); ok {
		e.changed = e.changed || old.changed
	}
	n := uint64(l.levels[level].Size / l.levels[level].Line / l.levels[level].Ways)
	set := slices.Insert(l.sets[level][e.line%n], 0, e)
	l.sets[level][e.line%n] = set
	if len(set) <= l.levels[level].Ways {
		return
	}
	out := set[len(set)-1]
	l.sets[level][e.line%n] = set[:len(set)-1]
	if out.changed {
		l.written[level+1]++
	}
	if out.changed || level+1 < len(l.levels) && l.levels[level+1].Spill {
		l.put(level+1, out)
	}
}

func (l *lists) access(line uint64, store bool) (at int) {
	e := entry{line: line}
	for ; at < len(l.levels); at++ {
		if found, ok := l.take(at, line); ok {
			if at == 0 || l.levels[at].Spill {
				e = found
			} else {
				l.put(at, found)
			}
			break
		}
	}
	if at > 0 {
		l.filled[at]++
	}
	for i := at - 1; i > 0; i-- {
		if !l.levels[i].Spill {
			l.put(i, e)
			e.changed = false
		}
	}
	e.changed = e.changed || store
	l.put(0, e)
	return at
}

// TestLists: loads and stores through up to four levels, victim caches among them, of few ways and many, are served by the level that lists of lines say, and
// as many lines are moved and written back.
func TestLists(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 2))
		o := &lists{}
		size := 1 + rng.IntN(4)
		for i := range 1 + rng.IntN(MaxLevels) {
			ways := []int{2, 3, 8, 12, 16, 17, 20}[rng.IntN(7)]
			size += rng.IntN(3 * size)
			o.levels = append(o.levels, Level{Name: "L", Size: size * 64 * ways, Line: 64, Ways: ways, Spill: i > 0 && rng.IntN(3) == 0})
			o.sets = append(o.sets, map[uint64][]entry{})
		}
		h, err := New(o.levels)
		if err != nil {
			t.Fatal(err)
		}
		span := uint64(10 + rng.IntN(1000))
		for k := range 20000 {
			line, store := rng.Uint64N(span), rng.IntN(4) == 0
			line += line % 3 << 40 // pages that are far apart
			want := o.access(line, store)
			got := 0
			if k%2 == 0 || !h.Recent(line*64, 64, store) {
				got = h.Line(line, store)
			}
			if got != want {
				t.Fatalf("seed %d, %v: access %d is served by level %d, want %d", seed, o.levels, k, got, want)
			}
		}
		if h.Filled != o.filled || h.Written != o.written {
			t.Errorf("seed %d, %v: filled %v written %v, want %v %v", seed, o.levels, h.Filled, h.Written, o.filled, o.written)
		}
	}
}

// TestFollowed: where somebody else follows the first level, knows the last lines of each set, forgets them now and then, and tells only what misses, lines
// come from the same levels, and as many are written back, as where each access is made.
func TestFollowed(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 3))
		levels := []Level{{Name: "L1", Size: 8 * 4 * 64, Ways: 8}, {Name: "L2", Size: 64 * 4 * 64, Ways: 4}, {Name: "L3", Size: 16 * 64 * 64, Ways: 16, Spill: seed%2 == 0}}
		all, _ := New(levels)
		told, _ := New(levels)
		var known [4][]Used
		for k := range 30000 {
			line, store := rng.Uint64N(100), rng.IntN(4) == 0
			want := all.Line(line, store)
			list := &known[line%4]
			if k%3000 < 500 { // nothing is known, and all is told
				for i := range known {
					told.Use(known[i])
					known[i] = nil
				}
				if got := told.Line(line, store); got != want {
					t.Fatalf("seed %d: access %d is served by level %d, want %d", seed, k, got, want)
				}
				continue
			}
			got := 0
			first := Used{line, store}
			if i := slices.IndexFunc(*list, func(u Used) bool { return u.Line == line }); i >= 0 {
				first.Changed = store || (*list)[i].Changed
				*list = slices.Delete(*list, i, i+1)
			} else if len(*list) == 8 {
				got = told.Replace(line, (*list)[7].Line, (*list)[7].Changed)
				*list = (*list)[:7]
			} else {
				told.Use(*list)
				got = told.Line(line, store)
			}
			*list = slices.Insert(*list, 0, first)
			if got != want {
				t.Fatalf("seed %d: access %d is served by level %d, want %d", seed, k, got, want)
			}
		}
		if all.Filled != told.Filled || all.Written != told.Written {
			t.Errorf("seed %d: filled %v written %v, want %v %v", seed, told.Filled, told.Written, all.Filled, all.Written)
		}
	}
}

// TestManyPages: numbers of lines are used again, so that memory does not grow with what is accessed, and each access is served by the level that serves it
// where each line keeps its number.
func TestManyPages(t *testing.T) {
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(seed, 4))
		levels := []Level{{Name: "L1", Size: 8 * 4 * 64, Ways: 8}, {Name: "L2", Size: 64 * 4 * 64, Ways: 4}, {Name: "L3", Size: 16 * 64 * 64, Ways: 16, Spill: seed%2 == 0}}
		again, _ := New(levels)
		once, _ := New(levels)
		once.known.most = 1 << 20
		for k := range 100000 {
			line := rng.Uint64N(uint64(100+k/5))*rng.Uint64N(3)<<10 | rng.Uint64N(7)
			store := rng.IntN(3) == 0
			if got, want := again.Line(line, store), once.Line(line, store); got != want {
				t.Fatalf("seed %d: access %d is served by level %d, want %d", seed, k, got, want)
			}
			if k%1000 == 999 { // a set whose lines were followed elsewhere meanwhile
				set := uint64(k/1000) % 4
				var used [2][]Used
				for i := range uint64(8) {
					used[0] = append(used[0], Used{Line: set + 4*(rng.Uint64N(1000)<<20|i), Changed: i%2 == 0})
				}
				used[1] = slices.Clone(used[0])
				out := rng.Uint64N(1<<40) << 2
				for i, h := range []*Hierarchy{again, once} {
					h.Replace(set|out, set|out+4, set < 2)
					h.Use(used[i])
				}
			}
		}
		if again.Filled != once.Filled || again.Written != once.Written {
			t.Errorf("seed %d: filled %v written %v, want %v %v", seed, again.Filled, again.Written, once.Filled, once.Written)
		}
		if len(again.known.pages) > again.known.most || len(once.known.pages) < 4*again.known.most {
			t.Errorf("seed %d: %d pages, %d of all", seed, len(again.known.pages), len(once.known.pages))
		}
	}
}

// TestVictim: a victim cache adds its size to the cache before it: a loop over more lines than either holds, but not both, finds all.
func TestVictim(t *testing.T) {
	for _, spill := range []bool{false, true} {
		h, err := New([]Level{{Name: "L1", Size: 64 * 8, Ways: 8}, {Name: "L2", Size: 64 * 16, Ways: 16, Spill: spill}})
		if err != nil {
			t.Fatal(err)
		}
		missed := 0
		for round := range 4 {
			for line := range uint64(24) {
				if h.Line(line, false) == 2 && round > 0 {
					missed++
				}
			}
		}
		if want := map[bool]int{false: 72, true: 0}[spill]; missed != want {
			t.Errorf("victim %v: %d misses, want %d", spill, missed, want)
		}
	}
}

// TestAccess: an access over two lines is split; changed lines are written back once each.
func TestAccess(t *testing.T) {
	h, err := New([]Level{{Name: "L1", Size: 64 * 4, Ways: 4}})
	if err != nil {
		t.Fatal(err)
	}
	var served Served
	h.Access(60, 8, true, &served)
	h.Access(60, 8, false, &served)
	if served.Bytes != [MaxLevels + 1]uint64{8, 8} || served.Lines[1] != 2 {
		t.Errorf("served %v", served)
	}
	for line := range uint64(8) {
		h.Line(100+line, false)
	}
	if h.Written[1] != 2 || h.Filled[1] != 10 {
		t.Errorf("%d lines written back, %d brought", h.Written[1], h.Filled[1])
	}
}

// TestBadLevels: what is no cache is refused.
func TestBadLevels(t *testing.T) {
	for _, l := range [][]Level{nil, {{Name: "L1", Size: 100, Ways: 8}}, {{Name: "L1", Size: 4096, Line: 48}}, {{Name: "L1", Size: 4096}, {Name: "L2", Size: 8192, Line: 128}}, {{Name: "L1", Size: 4096, Spill: true}},
		{{Name: "L1", Size: 1 << 20, Ways: 300}}, {{Name: "L1", Size: 2 << 30}}} {
		if _, err := New(l); err == nil {
			t.Errorf("%v is a hierarchy", l)
		}
	}
}

// TestHost: this machine's caches, if it says them, grow outwards.
func TestHost(t *testing.T) {
	levels, err := Host()
	if err != nil {
		t.Skip(err)
	}
	if _, err := New(levels); err != nil {
		t.Error(err)
	}
	if l, err := hostAt(t.TempDir()); err == nil {
		t.Errorf("an empty directory has caches %v", l)
	}
}

func BenchmarkAccess(b *testing.B) {
	h, _ := New([]Level{{Name: "L1", Size: 32 << 10, Ways: 8}, {Name: "L2", Size: 1 << 20, Ways: 8}})
	var served Served
	for i := range b.N {
		h.Access(uint64(i*8)%(1<<16), 8, false, &served)
	}
}
