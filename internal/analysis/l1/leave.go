package l1

import (
	"math"
	"slices"

	"incore/internal/machine"
)

// This file follows stores out of the store queue: they leave it in program order, those together that go to one line or block of memory (machine.StoreCommit).

// Leave says how many cycles the stores of an instruction take to leave the store queue: bit k of Cycles[p] stands for 2^p cycles in iteration k, and
// what follows 64 iterations repeats them. A store that leaves together with the one before it takes none.
type Leave struct {
	Inst   int
	Cycles [3]uint64
}

// leave lists the cycles of stores of which, per cycle, at most that many consecutive ones leave for one block of memory through the same registers,
// and returns the least sum of them per iteration. (On Zen 4, eight additions to elements of one block of 32 bytes take 5.0 cycles through one base register, but
// 8.0 if each has a loaded index.) If alignments count, a store that crosses the end of a block takes a cycle for each.
func leave(list []access, rule *machine.StoreCommit, aligned bool) (bound float64, out []Leave) {
	block, most := int64(rule.Merge), math.MaxInt
	if rule.Lines {
		block, most = line, lineStores
	}
	var stores []*access
	var to []int // store → its instruction's place in out
	n := int64(1)
	for i := range list {
		a := &list[i]
		if !a.store {
			continue
		}
		if len(out) == 0 || out[len(out)-1].Inst != a.inst {
			out = append(out, Leave{Inst: a.inst})
		}
		stores, to, n = append(stores, a), append(to, len(out)-1), max(n, a.repeats())
	}
	if most < math.MaxInt && n < pattern { // an odd number of stores that leave two by two
		n *= 2
	}
	q := queue{block: block, most: most, aligned: aligned, rewrites: machine.NewRewrites(rule)}
	least := q
	least.rewrites.Least = true
	before, waits := n, rule.Partial > 0 && slices.ContainsFunc(stores, (*access).partly)
	if waits { // a store may wait in some iterations only
		before, n = max(n, settled), pattern
	}
	sum := int64(0)
	for k := range before + n { // the first iterations find what comes before iteration 0
		for i, a := range stores {
			cycles := q.take(a, a.address(k))
			fewest := cycles
			if waits {
				fewest = least.take(a, a.address(k))
			}
			if k >= before {
				out[to[i]].add(cycles, k-before)
				sum += fewest
			}
		}
	}
	for i := range out {
		for p := range out[i].Cycles {
			out[i].Cycles[p] = repeated(out[i].Cycles[p], n)
		}
	}
	return float64(sum) / float64(n), out
}

// settled is the number of iterations after which stores wait as ever after.
const settled = 16

// partly reports whether a store writes a part of a word of four bytes in some iteration.
func (a *access) partly() bool {
	for k := range a.repeats() {
		if (a.address(k)|a.bytes)&3 != 0 {
			return true
		}
	}
	return false
}

// add adds cycles to those of an iteration.
func (l *Leave) add(cycles, iteration int64) {
	at := uint(iteration)
	for p := range l.Cycles {
		cycles += int64(l.Cycles[p] >> at & 1 << p)
	}
	n := min(cycles, 1<<len(l.Cycles)-1)
	for p := range l.Cycles {
		l.Cycles[p] = l.Cycles[p]&^(1<<at) | uint64(n>>p&1)<<at
	}
}

// queue is what the store queue knows of the last store.
type queue struct {
	block   int64 // size in bytes
	most    int   // stores that leave together
	aligned bool
	last    *access
	at      int64 // number of its block
	run     int   // stores that leave with it

	rewrites machine.Rewrites
	origins  []*access // one of each origin
}

// take returns the cycles that a store takes to leave, after the one before it.
func (q *queue) take(a *access, address int64) (cycles int64) {
	at := floor(address, q.block)
	together := q.last != nil && at == q.at && q.last.sameOrigin(a) && q.run < q.most
	if together {
		q.run++
	} else {
		cycles, q.run = 1, 1
	}
	cycles += q.rewrite(a, address, at, together)
	if end := floor(address+a.bytes-1, q.block); q.aligned && end != at {
		cycles += end - at
		for ; at < end; at++ {
			cycles += q.rewrite(a, address, at+1, false)
		}
		q.run = 1
	}
	q.last, q.at = a, at
	return cycles
}

// rewrite returns the cycles that the store before waits, as machine.Rewrites has it, of which a store's part in a block is the next.
func (q *queue) rewrite(a *access, address, block int64, together bool) int64 {
	k := slices.IndexFunc(q.origins, a.sameOrigin)
	if k < 0 {
		k, q.origins = len(q.origins), append(q.origins, a)
	}
	from := max(0, address-block*q.block)
	bytes := min(address+a.bytes-block*q.block, q.block) - from
	return int64(q.rewrites.Add(uint64(k)<<48^uint64(block), machine.Span(int(from), int(bytes), int(q.block)), together))
}
