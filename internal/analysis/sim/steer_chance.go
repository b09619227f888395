package sim

import "math"

// This file steers µops to partitions at dispatch without regard to their occupancy (machine.SteerChance): µops that become ready together may find more than one of
// them in the same partition while the ports of another one stay free. What decides is not known; here a hash of the µop and the iteration does. The partitions
// share their entries.

// chanceSteering is the choice. It has no state beside the entries: a µop gets the same partitions in iterations of
// the same phase (detector.turn).
type chanceSteering struct {
	*window
	sched *scheduler
	group *group
	all   int32                // entries of all partitions
	taken *entries             // the first partition counts those that are taken
	waits [maxPartitions]int32 // µops of each partition that have not issued
	left  int32                // free entries in this cycle
}

// chanceTurns is the number of iterations after which a µop gets the same partitions again: enough for an average, few enough for loops to recur.
const chanceTurns = 64

func (s *chanceSteering) reset(w *window, sched *scheduler, g *group) {
	*s = chanceSteering{window: w, sched: sched, group: g}
	s.taken = &sched.entries[g.Partitions[0].Scheduler]
	for q := range g.Partitions {
		s.all += sched.entries[g.Partitions[q].Scheduler].all
	}
	for i := range w.body {
		if u := &w.body[i]; u.Group > 0 && &w.core.Groups[u.Group-1] == g {
			u.Lots, u.Room = 0, math.MaxInt8
			for q, within := range g.Within {
				if n := (u.Ports & within).Size(); n > 0 {
					u.Lots |= 1 << q
					u.Room = min(u.Room, int8(n))
				}
			}
		}
	}
}

func (s *chanceSteering) plan(uopIndex, int)   {}
func (s *chanceSteering) distribute(*pipeline) {}

// observe counts the free entries.
func (s *chanceSteering) observe() { s.left = s.all - s.taken.taken }

// full reports that all entries are taken.
func (s *chanceSteering) full(*op) Reason {
	if s.left <= 0 {
		return SchedulerFull
	}
	return none
}

// enter draws one of the partitions that have a port of the µop.
func (s *chanceSteering) enter(x *instance, u *uop, _ int) {
	set := u.Lots
	if set.Size() > 1 {
		if q, ok := s.relief(set); ok {
			set = 1 << q
		} else {
			set = nth[set][lot(x.uop, s.iteration%chanceTurns)%draws]
		}
	}
	q := set.First()
	s.taken.taken++
	s.waits[q%maxPartitions]++
	s.left--
	x.port, x.ports = drawn-int8(q), u.Ports&s.group.Within[q]
}

// draws is the least number that the sizes of all sets of partitions divide.
const draws = 12

// nth is the partition, as a set, that a number less than draws stands for in a set.
var nth [partitionSets][draws]partitionSet

func init() {
	for set := partitionSet(1); set < partitionSets; set++ {
		for n := range nth[set] {
			left := set
			for range n % set.Size() {
				left &= left - 1
			}
			nth[set][n] = left & -left
		}
	}
}

// lot returns the number that a µop draws in an iteration (the finalizer of S. Vigna's SplitMix64).
func lot(u uopIndex, turn seqNo) uint64 {
	h := (uint64(u)*chanceTurns + uint64(turn) + 1) * 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}

// relief returns the one of some partitions where the fewest µops wait, if far more wait in another one.
func (s *chanceSteering) relief(set partitionSet) (least int, ok bool) {
	if s.group.Imbalance == 0 {
		return 0, false
	}
	low, high := int32(math.MaxInt32), int32(0) // with the partition's number in the last bits
	for ; set != 0; set &= set - 1 {
		q := set.First()
		n := s.waits[q%maxPartitions]*maxPartitions + int32(q)
		low, high = min(low, n), max(high, n)
	}
	return int(low % maxPartitions), int(high/maxPartitions-low/maxPartitions) >= s.group.Imbalance
}

func (s *chanceSteering) leave(_ *instance, _ *uop, port int) {
	s.sched.free(s.group, 0)
	s.waits[s.core.PartitionOf[port]%maxPartitions]--
}

func (s *chanceSteering) mark(int)        {}
func (s *chanceSteering) recurs(int) bool { return true }
