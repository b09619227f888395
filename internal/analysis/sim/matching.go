package sim

import (
	"math/bits"

	"incore/internal/machine"
)

// This file tells whether µops find partitions of their own, one each: they do if of no set of partitions more µops need one than it holds (Hall, On
// Representatives of Subsets, 1935).

const (
	maxPartitions = machine.MaxPartitions
	partitionSets = 1 << maxPartitions // sets of them
	allPartitions = partitionSets - 1  // the set of all
)

// claims is, by set of partitions, how many µops may go to these and no others: byte x of the sixteen is that of set x.
type claims [partitionSets / 8]uint64

// Numbers in bytes are compared all at once: the top bit of each stays where the subtraction does not borrow it.
const (
	ones = 0x0101010101010101
	tops = 0x80 * ones
)

var (
	claimOf  [partitionSets]claims // set → one in each set that contains it
	placesIn [partitionSets]claims // partitions → how many of them are in each set
	outside  [partitionSets]claims // partitions → how many are outside of each set, of those that contain all other partitions
)

func init() {
	for q := range uint(partitionSets) {
		for x := range uint(partitionSets) {
			at, shift := x/8, x%8*8
			if x&q == q {
				claimOf[q][at] |= 1 << shift
			}
			placesIn[q][at] |= uint64(bits.OnesCount(q&x)) << shift
			if x|q == allPartitions {
				outside[q][at] |= uint64(bits.OnesCount(allPartitions&^x)) << shift
			}
		}
	}
}

// add counts a µop that may go to a set of partitions.
func (c *claims) add(set partitionSet) {
	for k := range c {
		c[k] += claimOf[set][k]
	}
}

// remove counts one less.
func (c *claims) remove(set partitionSet) {
	for k := range c {
		c[k] -= claimOf[set][k]
	}
}

// total is how many µops there are.
func (c *claims) total() int { return int(c[len(c)-1] >> 56) }

// fit reports whether each µop finds a partition of its own among some.
func (c *claims) fit(among partitionSet) bool {
	kept := uint64(tops)
	for k := range c {
		kept &= (placesIn[among][k] | tops) - c[k]
	}
	return kept&tops == tops
}

// fill reports whether each of some partitions finds a µop of its own: whether for every set of these so many µops may go to one of it, which are all but those that
// may only go to others.
func (c *claims) fill(among partitionSet) bool {
	kept, all := uint64(tops), uint64(c.total())*ones|tops
	for k := range c {
		kept &= all - c[k] - outside[among][k]
	}
	return kept&tops == tops
}
