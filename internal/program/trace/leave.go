package trace

import (
	"math/bits"

	"incore/internal/machine"
)

// This file records how stores lie in memory, which decides how many of them leave the store queue together (machine.StoreCommit).

// position is where a store lies. Sizes are those of aligned blocks, as logarithms; 0: it is no store, or was not asked for.
type position struct {
	near  int8 // the smallest block with its first byte and the last byte of the store before it
	spans int8 // the smallest block with all its bytes
	from  int8 // of those with more bytes than the smallest block: the greatest block that begins with it
	pairs bool // an odd number of stores directly before it are in the line of its first byte: where two leave together, it leaves with the last of these
	waits int8 // cycles that the store before it waits for a word that was written just before (machine.Rewrites)
}

const (
	lineBits   = 6 // of a cache line
	blockBits  = 4 // of the smallest block in which stores leave together
	farther    = lineBits + 1
	lineNumber = ^uint64(lineBytes - 1)
)

// usual reports that a store leaves alone and in a cycle on any core.
func (p *position) usual() bool { return p.near > lineBits && p.spans <= blockBits && p.waits == 0 }

// positions follows the stores of a run.
type positions struct {
	end   uint64 // last byte of the last store
	pairs bool   // it leaves with the one before it

	rewrites machine.Rewrites
	rule     *machine.StoreCommit // of rewrites; nil: none
}

// next returns the position of the next store.
func (s *positions) next(addr, bytes uint64) position {
	last := addr + bytes - 1
	p := position{near: size(addr, s.end), spans: size(addr, last), pairs: !s.pairs && (addr^s.end)&lineNumber == 0}
	if bytes > 1<<blockBits {
		p.from = int8(min(bits.TrailingZeros64(addr), lineBits))
	}
	if s.rule != nil {
		p.waits = int8(s.rewrite(addr, last))
	}
	s.end, s.pairs = last, p.pairs && (addr^last)&lineNumber == 0
	return p
}

// rewrite returns the cycles that the store before waits until a word of which it writes a part is written.
func (s *positions) rewrite(addr, last uint64) (cycles int) {
	size := uint64(s.rule.Merge)
	together := addr/size == s.end/size
	for block := addr / size; block <= last/size; block++ {
		from := max(addr, block*size)
		cycles += s.rewrites.Add(block, machine.Span(int(from-block*size), int(last+1-from), int(size)), together)
		together = false
	}
	return cycles
}

// size returns the logarithm of the smallest aligned block with two addresses, as far as blocks matter.
func size(a, b uint64) int8 { return int8(min(max(bits.Len64(a^b), blockBits), farther)) }

// takes returns the cycles that a store takes to leave the store queue, after the store before it.
func (p *position) takes(c *machine.StoreCommit, bytes int) (cycles int) {
	block, together := lineBytes, p.pairs
	if !c.Lines {
		block = c.Merge
		together = 1<<p.near <= block
	}
	if !together {
		cycles = 1
	}
	switch {
	case 1<<p.spans <= block:
	case bytes <= block:
		cycles++
	case 1<<p.from >= block:
		cycles += bytes/block - 1
	default:
		cycles += bytes / block
	}
	if c.Partial > 0 {
		cycles += int(p.waits)
	}
	return cycles
}
