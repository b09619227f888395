package trace

import "math/bits"

// This file cuts a run into segments that are simulated apart, and finds those that are the same.

// Sizes of segments, in instructions.
const (
	shortest = 4096 // measured part
	longest  = 8192
	lead     = 1280 // before it, which fill the core
	trail    = 640  // behind it, which keep the core busy
	nearby   = 1024 // a dependence through memory over more instructions is none: no reorder buffer holds so many
)

// visit is one execution of a block.
type visit struct {
	block int32
	wrong bool // its branch was mispredicted
	insts int64
	hash  uint64 // of what its loads depend on, and of its accesses that take longer
	deps  int64  // number of its first dependence
	marks int64  // and of its first mark
}

// dependence is a load that reads what a store of late wrote.
type dependence struct {
	from           int64 // visit
	offset         int32
	access, stored int16
	short, several bool
}

// mark is an access that takes longer than others.
type mark struct {
	access  int16
	crosses bool
	level   int8 // of the caches, 0 the first
}

// Segment is a part of a run, as it is simulated.
type Segment struct {
	blocks   []int32
	wrong    []uint64 // bits: visits whose branch was mispredicted
	deps     []segmentDependence
	marks    []segmentMark
	from, to int     // the visits that are measured
	Insts    int64   // in them
	stratum  uint64  // of segments like it
	chance   float64 // with which it was drawn
	Times    int64   // how many segments of the run are this one
}

type segmentDependence struct {
	to, from int32 // visits
	dependence
}

type segmentMark struct {
	visit int32
	mark
}

// cut looks for the place at which the segment that begins at the window's visit begin ends, among those up to visit end: before the rarest block, so that segments of a
// loop that is repeated begin at the same place of it.
func (r *Recorder) cut() int {
	best, rank := -1, ^uint64(0)
	start := r.visits[r.begin].insts
	for v := r.begin + 1; v < len(r.visits); v++ {
		n := r.visits[v].insts - start
		if n < shortest {
			continue
		}
		if n > longest && best >= 0 {
			break
		}
		b := r.visits[v].block
		if k := uint64(bits.Len64(r.counts[b]))<<32 | uint64(b); k < rank {
			best, rank = v, k
		}
	}
	return best
}

// hashes is the hash of a range of visits.
func (r *Recorder) hashes(from, to int) uint64 {
	h := uint64(to - from)
	for v := from; v < to; v++ {
		x := &r.visits[v]
		k := x.hash ^ uint64(x.block)*0x9e3779b97f4a7c15
		if x.wrong {
			k ^= 0x5851f42d4c957f2d
		}
		h = (h ^ k) * 0x100000001b3
		h ^= h >> 29
	}
	return mix(h)
}

// segment takes a segment out of the window: the measured visits from begin to end, those before that fill the core, and those behind.
func (r *Recorder) segment(begin, end int) {
	lo := begin
	for lo > 0 && r.visits[begin].insts-r.visits[lo].insts < lead {
		lo--
	}
	hi := end
	for hi < len(r.visits) && r.visits[hi].insts-r.visits[end].insts < trail {
		hi++
	}
	insts := r.until(end) - r.visits[begin].insts
	h := r.hashes(lo, hi) ^ mix(uint64(begin-lo)<<32|uint64(end-lo))
	r.seen += insts
	if s := r.same[h]; s != nil {
		s.Times++
		return
	}
	stratum := r.stratum(begin, end)
	st := r.strata[stratum]
	if st == nil {
		st = &Stratum{}
		r.strata[stratum] = st
	}
	st.drawn++
	st.Insts += insts
	chance := 1.0
	if r.Sample > 0 && st.drawn > int64(r.Sample) {
		chance = float64(r.Sample) / float64(st.drawn)
	}
	if float64(mix(h+uint64(st.drawn))>>11)/(1<<53) >= chance {
		return
	}
	s := r.take(lo, begin, end, hi)
	s.Insts, s.stratum, s.chance, s.Times = insts, stratum, chance, 1
	r.same[h] = s
	if r.Sink != nil {
		r.Sink(s)
	}
}

// until is the number of instructions before a visit, which may be the one behind the last.
func (r *Recorder) until(v int) int64 {
	if v < len(r.visits) {
		return r.visits[v].insts
	}
	return r.insts
}

// take copies visits.
func (r *Recorder) take(lo, begin, end, hi int) *Segment {
	n := hi - lo
	s := &Segment{blocks: make([]int32, n), wrong: make([]uint64, (n+63)/64), from: begin - lo, to: end - lo}
	for v := lo; v < hi; v++ {
		x := &r.visits[v]
		k := v - lo
		if s.blocks[k] = x.block; x.wrong {
			s.wrong[k/64] |= 1 << (k % 64)
		}
		deps, marks := r.nextDep, r.nextMark
		if v+1 < len(r.visits) {
			deps, marks = r.visits[v+1].deps, r.visits[v+1].marks
		}
		for d := x.deps; d < deps; d++ {
			if y := r.deps[d-r.depBase]; y.from-r.first >= int64(lo) {
				s.deps = append(s.deps, segmentDependence{int32(k), int32(y.from - r.first - int64(lo)), y})
			}
		}
		for m := x.marks; m < marks; m++ {
			s.marks = append(s.marks, segmentMark{int32(k), r.marks[m-r.markBase]})
		}
	}
	return s
}

// stratum names what segments like this one execute most: the two blocks with most instructions.
func (r *Recorder) stratum(begin, end int) uint64 {
	for v := begin; v < end; v++ {
		b := r.visits[v].block
		r.weights[b] += int64(r.Blocks[b].insts)
	}
	var best, next int32 = -1, -1
	for v := begin; v < end; v++ {
		b := r.visits[v].block
		switch {
		case b == best || b == next:
		case best < 0 || r.weights[b] > r.weights[best]:
			best, next = b, best
		case next < 0 || r.weights[b] > r.weights[next]:
			next = b
		}
	}
	for v := begin; v < end; v++ {
		r.weights[r.visits[v].block] = 0
	}
	return mix(uint64(best)<<32 | uint64(uint32(next)))
}

// advance makes segments of what has been recorded, as far as what is behind them is known; at the end of the run of all.
func (r *Recorder) advance(all bool) {
	for {
		if r.begin >= len(r.visits) {
			return
		}
		have := r.insts - r.visits[r.begin].insts
		if have < longest+trail && !all || have == 0 {
			return
		}
		end := len(r.visits)
		if c := r.cut(); c > 0 && (have >= longest || !all) {
			end = c
		}
		r.segment(r.begin, end)
		r.begin = end
		r.trim()
	}
}

// trim forgets visits that no segment needs any more.
func (r *Recorder) trim() {
	if r.begin < 1<<16 {
		return
	}
	keep := r.begin
	for keep > 0 && r.until(r.begin)-r.until(keep) < lead+nearby {
		keep--
	}
	if keep == 0 || keep >= len(r.visits) {
		return
	}
	r.visits = append(r.visits[:0], r.visits[keep:]...)
	r.begin -= keep
	r.first += int64(keep)
	if len(r.visits) == 0 {
		return
	}
	d, m := r.visits[0].deps, r.visits[0].marks
	r.deps = append(r.deps[:0], r.deps[d-r.depBase:]...)
	r.marks = append(r.marks[:0], r.marks[m-r.markBase:]...)
	r.depBase, r.markBase = d, m
}

func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}
