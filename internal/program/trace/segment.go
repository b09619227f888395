package trace

import "math/bits"

// This file cuts a run into segments that are simulated separately, and finds equal segments.

// Sizes of segments, in instructions.
const (
	shortest = 4096 // least length of the measured part
	longest  = 8192 // greatest length of the measured part
	lead     = 1280 // instructions before the measured part, which fill the core
	trail    = 640  // instructions after the measured part, which keep the core busy
	nearby   = 1024 // greatest distance of a dependence through memory; a longer one exceeds every reorder buffer and never stalls
)

// visit is one execution of a block.
type visit struct {
	block int32
	wrong bool // its branch was mispredicted
	insts int64
	hash  uint64 // hash of its dependences and marks
	deps  int64  // number of its first dependence
	marks int64  // number of its first mark
}

// dependence is the dependence of a load on a recent store.
type dependence struct {
	from           int64 // visit
	offset         int32
	access, stored int16
	short, several bool
}

// mark is an access that takes longer than a hit in the first-level cache, or a store that may leave the store queue otherwise than alone in a cycle.
type mark struct {
	access  int16
	crosses bool
	level   int8 // cache level, 0 is the first
	lies    position
}

// Segment is a part of a run, as it is simulated.
type Segment struct {
	blocks   []int32
	wrong    []uint64 // bits: visits whose branch was mispredicted
	deps     []segmentDependence
	marks    []segmentMark
	from, to int     // the visits that are measured
	Insts    int64   // instructions in the measured visits
	number   int     // position among the drawn segments of the run
	stratum  uint64  // key of its stratum
	chance   float64 // probability with which it was drawn
	Times    int64   // number of segments of the run that are equal to this one
}

type segmentDependence struct {
	to, from int32 // visits
	dependence
}

type segmentMark struct {
	visit int32
	mark
}

// cut chooses the end of the segment that begins at the window's visit begin: before the rarest block in range, so that segments of a repeated loop begin at the same place
// of the loop and are equal.
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

// hashes returns the hash of a range of visits.
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

// segment makes a segment from the window: the measured visits from begin to end, the visits before them that fill the core, and the visits after them.
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
	s.number = r.segments
	r.segments++
	r.same[h] = s
	if r.Sink != nil {
		r.Sink(s)
	}
}

// until returns the number of instructions before visit v; v may be one past the last visit.
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

// stratum returns the key of a segment's stratum: the two blocks with most executed instructions.
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

// advance makes segments of the recorded visits whose following visits are also known; all is set at the end of the run.
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

// trim drops visits that no segment needs any more.
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
