// Package trace simulates the recorded execution of a program: the executed blocks in order, with the dependences through memory that follow from the recorded
// addresses, the branches that a branch predictor mispredicts and, on request, the cache level that serves each load. It cuts the run into segments, simulates
// equal segments once, and simulates only a sample of similar segments.
package trace

import (
	"incore/internal/isa"
	"incore/internal/machine"
	"incore/internal/program/branches"
	"incore/internal/program/cachesim"
)

// Recorder receives the executed blocks of a run in order and makes segments of them.
type Recorder struct {
	Blocks []*Block
	Caches *cachesim.Hierarchy // nil: all data are in the first-level cache
	Sample int                 // number of different segments of a stratum that are simulated for certain; further ones with falling probability; 0: all
	Sink   func(*Segment)      // receives the segments to simulate
	Leave  bool                // for cores on which stores leave the store queue together (machine.StoreCommit)

	Branches, Missed uint64 // branches that depend on data, and those that were mispredicted
	Served           [cachesim.MaxLevels + 1]uint64
	Loads            uint64
	Deps             uint64 // loads that read data of a recent store

	counts    []uint64 // block → executions so far
	weights   []int64
	segments  int // drawn ones
	predictor branches.Predictor
	stores    *stores
	positions positions
	insts     int64
	warming   bool
	gap       bool

	visits             []visit
	first              int64 // number of visits[0]
	begin              int   // first visit of the current segment
	deps               []dependence
	depBase, nextDep   int64
	marks              []mark
	markBase, nextMark int64

	same   map[uint64]*Segment
	strata map[uint64]*Stratum
	seen   int64 // instructions in segments
}

// Stratum is a set of different segments that execute the same blocks most.
type Stratum struct {
	Insts int64
	drawn int64
}

// NewRecorder returns an empty recorder.
func NewRecorder() *Recorder {
	return &Recorder{stores: new(stores), same: map[uint64]*Segment{}, strata: map[uint64]*Stratum{}}
}

// Rewrite makes it follow the stores that wait for words which were written just before, by a core's rule. There is one
// rule for all cores of a run.
func (r *Recorder) Rewrite(rule *machine.StoreCommit) {
	r.positions.rule, r.positions.rewrites = rule, machine.NewRewrites(rule)
}

// Add adds a block and returns its number.
func (r *Recorder) Add(b *Block) int {
	if n := len(r.Blocks); n > 0 {
		b.first = r.Blocks[n-1].first + int32(len(r.Blocks[n-1].Lines))
	}
	r.Blocks = append(r.Blocks, b)
	r.counts = append(r.counts, 0)
	r.weights = append(r.weights, 0)
	return len(r.Blocks) - 1
}

// Warm switches the warm-up on or off. Blocks of the warm-up train the branch predictor and fill the caches and the core, but do not count.
func (r *Recorder) Warm(on bool) {
	if r.warming && !on { // the recorded visits only fill the core
		r.begin = len(r.visits)
	}
	r.warming = on
}

// Train lets the branch predictor see the executions of blocks before the run, and returns the number of branches that it did not foresee. It records nothing.
func (r *Recorder) Train(blocks func(visit func(block int))) (missed uint64) {
	before := visit{block: -1}
	warming := r.warming
	r.warming = true
	blocks(func(block int) {
		if before.block >= 0 {
			if r.branch(&before, r.Blocks[block].Addr()); before.wrong {
				missed++
			}
		}
		before = visit{block: int32(block)}
	})
	r.warming = warming
	return missed
}

// Insts returns the number of recorded instructions that count.
func (r *Recorder) Insts() (n int64) {
	for _, b := range r.Blocks {
		n += int64(b.visited) * int64(b.insts)
	}
	return n
}

// Visit records an execution of a block, with the words of its accesses.
func (r *Recorder) Visit(block int, words []uint64) {
	b := r.Blocks[block]
	if n := len(r.visits); n > 0 && !r.gap {
		r.branch(&r.visits[n-1], b.Addr())
	}
	r.gap = false
	if !r.warming {
		b.visited++
	}
	r.counts[block]++
	number := r.first + int64(len(r.visits))
	r.visits = append(r.visits, visit{block: int32(block), insts: r.insts, deps: r.nextDep, marks: r.nextMark})
	v := &r.visits[len(r.visits)-1]
	for i, at := 0, 0; i < len(b.Accesses) && at < len(words); i++ {
		a := &b.Accesses[i]
		addr, bytes := words[at], uint64(a.Bytes)
		if at++; a.Bytes == 0 {
			if at >= len(words) {
				break
			}
			bytes = words[at]
			at++
		}
		if bytes > 0 {
			r.access(execution{v, number, i, a}, addr, bytes)
		}
	}
	r.insts += int64(b.insts)
	switch {
	case r.warming:
		if len(r.visits) > 1<<16 {
			r.begin = len(r.visits)
			r.trim()
		}
	case r.insts-r.visits[r.begin].insts >= longest+trail:
		r.advance(false)
	}
}

// Gap states that other code was executed since the last visit, so that the target of its branch is not known.
func (r *Recorder) Gap() { r.gap = true }

// End makes segments of the remaining visits.
func (r *Recorder) End() { r.advance(true) }

// lineBytes is the size of a cache line.
const lineBytes = 64

// execution is an access of a visit of a block.
type execution struct {
	v      *visit
	number int64 // number of the visit
	index  int   // index of the access in its block
	*Access
}

// access records an access to memory: its dependences and the cache level that serves it.
func (r *Recorder) access(x execution, addr, bytes uint64) {
	v, a, index := x.v, x.Access, x.index
	inst := r.insts + int64(a.Line)
	m := mark{access: int16(index), crosses: addr%lineBytes+bytes > lineBytes && bytes <= lineBytes}
	if r.Caches != nil {
		m.level = r.level(a, addr, bytes)
	}
	slow := m.crosses || m.level > 0 && a.Load
	if r.Leave && a.Store {
		m.lies = r.positions.next(addr, bytes)
	}
	if slow || m.lies.spans > 0 && !m.lies.usual() {
		if !slow {
			m.level = 0
		}
		r.marks = append(r.marks, m)
		r.nextMark++
		v.hash = (v.hash ^ mix(m.key()+1)) * 0x100000001b3
	}
	if a.Load {
		if !r.warming {
			r.Loads++
		}
		from, short, several := r.stores.get(addr, bytes)
		if from != nil && inst-from.inst < nearby && from.visit >= r.first {
			if !r.warming {
				r.Deps++
			}
			d := dependence{from: from.visit, offset: int32(addr - from.addr), access: int16(index), stored: from.access, short: short, several: several}
			r.deps = append(r.deps, d)
			r.nextDep++
			k := uint64(inst-from.inst)<<32 ^ uint64(uint32(d.offset))<<12 ^ uint64(index)<<2
			if short {
				k ^= 1
			}
			if several {
				k ^= 2
			}
			v.hash = (v.hash ^ mix(k)) * 0x100000001b3
		}
	}
	if a.Store {
		r.stores.put(store{visit: x.number, inst: inst, addr: addr, bytes: bytes, access: int16(index)})
	}
}

// level returns the cache level that serves an access.
func (r *Recorder) level(a *Access, addr, bytes uint64) int8 {
	served := &r.Served
	var warm [cachesim.MaxLevels + 1]uint64
	if r.warming {
		served = &warm
	}
	if r.Caches.Recent(addr, bytes, a.Store) {
		served[0]++
		return 0
	}
	most := 0
	for line := addr / lineBytes; line <= (addr+bytes-1)/lineBytes; line++ {
		most = max(most, r.Caches.Line(line, a.Store))
	}
	served[most]++
	return int8(most)
}

// branch trains the predictor with the outcome of the last visit's branch.
func (r *Recorder) branch(v *visit, to uint64) {
	b := r.Blocks[v.block]
	last := b.Lines[len(b.Lines)-1].Addr
	foreseen, counts := true, true
	switch b.flow {
	case isa.FlowCond:
		foreseen = r.predictor.Conditional(last, to != b.end)
	case isa.FlowCall:
		r.predictor.Call(b.end)
		if counts = b.target == 0; counts {
			foreseen = r.predictor.Indirect(last, to)
		}
	case isa.FlowIndirect:
		foreseen = r.predictor.Indirect(last, to)
	case isa.FlowReturn:
		foreseen = r.predictor.Return(to)
	case isa.FlowJump:
		if counts = b.target == 0; counts {
			foreseen = r.predictor.Indirect(last, to)
		}
	default:
		counts = false
	}
	if v.wrong = !foreseen; counts && !r.warming {
		r.Branches++
		if !foreseen {
			r.Missed++
		}
	}
}

// key tells marks apart.
func (m *mark) key() uint64 {
	k := uint64(m.access)<<16 | uint64(m.lies.near)<<13 | uint64(m.lies.spans)<<10 | uint64(m.lies.from)<<7 | uint64(m.level)<<2
	if m.crosses {
		k |= 1
	}
	if m.lies.pairs {
		k |= 2
	}
	return k | uint64(m.lies.waits)<<32
}
