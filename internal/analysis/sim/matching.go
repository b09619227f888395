package sim

import (
	"math/bits"

	"incore/internal/machine"
)

// This file decides whether µops can be assigned to different partitions. They can if for every set of partitions, the number of µops that may only go to
// partitions of this set is at most the size of the set (Hall, On Representatives of Subsets, 1935).

const (
	maxPartitions = machine.MaxPartitions
	partitionSets = 1 << maxPartitions // sets of them
	allPartitions = partitionSets - 1  // the set of all
)

// claims counts for each set of partitions the µops that may only go to partitions of this set: byte x is the count of set x.
type claims [partitionSets / 8]uint64

// All bytes are compared by one subtraction: the top bit of a byte stays set unless the subtraction borrows it.
const (
	ones = 0x0101010101010101
	tops = 0x80 * ones
)

var (
	claimOf  [partitionSets]claims // set → 1 for each set that contains it
	placesIn [partitionSets]claims // set → number of its partitions in each set
	outside  [partitionSets]claims // set → for each set x that contains all partitions outside the given set, the number of partitions outside x; else 0
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

// remove removes a µop that may go to a set of partitions.
func (c *claims) remove(set partitionSet) {
	for k := range c {
		c[k] -= claimOf[set][k]
	}
}

// total is the number of µops.
func (c *claims) total() int { return int(c[len(c)-1] >> 56) }

// fit reports whether all µops can be assigned to different partitions of a set.
func (c *claims) fit(among partitionSet) bool {
	kept := uint64(tops)
	for k := range c {
		kept &= (placesIn[among][k] | tops) - c[k]
	}
	return kept&tops == tops
}

// fill reports whether all partitions of a set can be filled with different µops. By Hall's condition, every k of these partitions need at least k µops that may go
// to one of them: all µops except those that may only go to other partitions.
func (c *claims) fill(among partitionSet) bool {
	kept, all := uint64(tops), uint64(c.total())*ones|tops
	for k := range c {
		kept &= all - c[k] - outside[among][k]
	}
	return kept&tops == tops
}
