package trace

import "incore/internal/analysis/sim"

// This file divides a segment into episodes, each from one mispredicted branch to the next. A mispredicted branch
// empties the core: when fetch continues, all that came before has retired. So an episode takes as long as an
// earlier one with the same blocks, dependences through memory and accesses beyond the first-level cache, and it is
// simulated once. (Schnarr and Larus, Fast Out-Of-Order Processor Simulation Using Memoization, ASPLOS 1998, keep
// all states of the core; here one is enough.) Where something is still in flight, the episode goes on to the next
// mispredicted branch at which nothing is.

// episode is what a simulated episode took.
type episode struct {
	open  bool // something is in flight at its end: it goes on
	cells []cell
	full  []cell // sim.Account.Full; of all groups
	cycle float64
	idle  int32
	rest  sim.Rest
}

// cell is a number of cycles of a group with a cause.
type cell struct {
	group int32
	cause uint8
	n     int32
}

// knownEpisodes is the number of episodes that are kept; when there are more, all are forgotten.
const knownEpisodes = 1 << 16

// Run simulates a segment of some blocks; groups is the number of groups to which the instructions of the blocks
// belong.
func (s *Simulator) Run(x *Segment, blocks []*Block, groups int) (*sim.Account, error) {
	s.prepare(x, blocks)
	a := &sim.Account{Groups: make([][sim.NumCauses]int32, max(1, groups))}
	at, rest := s.begin()
	for at < x.to {
		e, end, err := s.episode(at, &rest)
		if err != nil {
			return nil, err
		}
		if end > x.from {
			e.add(a)
		}
		if at = end; at < x.to && at >= x.from {
			a.Groups[s.plan.visits[at].group(0)][sim.ByBranches] += e.idle
			a.Cycles += float64(e.idle)
		}
		rest = e.rest
	}
	return a, nil
}

// add adds the cycles of an episode to those of a segment.
func (e *episode) add(a *sim.Account) {
	a.Cycles += e.cycle
	for _, c := range e.cells {
		a.Groups[c.group][c.cause] += c.n
	}
	for _, c := range e.full {
		a.Full[c.cause] += c.n
	}
}

// begin returns the visit with which the simulation begins: the one behind the first mispredicted branch of those
// that fill the core.
func (s *Simulator) begin() (int, sim.Rest) {
	for v := range s.plan.from - 1 {
		if s.wrong(v) {
			return v + 1, sim.Emptied
		}
	}
	return 0, sim.Rest{}
}

// episode returns the episode that begins with a visit, and the visit behind it.
func (s *Simulator) episode(from int, rest *sim.Rest) (*episode, int, error) {
	p := &s.plan
	var found *episode // from a simulation
	last := 0          // the visit behind it
	h := p.key(rest)
	for v := from; ; v++ {
		h = p.visited(h, from, v)
		end := v + 1
		if end < len(p.visits) && !s.wrong(v) {
			continue
		}
		key := h ^ p.measured(from, end)
		e := s.known[key]
		if e == nil {
			if found == nil {
				a, to, err := s.closed(from, end, rest)
				if err != nil {
					return nil, 0, err
				}
				found, last = episodeOf(a, s.groups), to
			}
			if e = found; end < last {
				e = &episode{open: true}
			}
			s.keep(key, e)
		}
		if !e.open {
			return e, end, nil
		}
	}
}

// keep keeps an episode.
func (s *Simulator) keep(key uint64, e *episode) {
	if len(s.known) >= knownEpisodes {
		clear(s.known)
	}
	s.known[key] = e
}

// closed simulates some visits, and more of them if something is in flight at their end. It returns the visit at
// which nothing is.
func (s *Simulator) closed(from, to int, rest *sim.Rest) (*sim.Account, int, error) {
	all := len(s.plan.visits)
	for {
		a, err := s.simulate(from, to, rest)
		if err != nil {
			return nil, 0, err
		}
		if !a.Open || to == all {
			for to > from+1 && int(s.start[to-1-from]) >= a.Ended {
				to--
			}
			return a, to, nil
		}
		for to = min(all, from+2*(to-from)); to < all && !s.wrong(to-1); to++ {
		}
	}
}

// episodeOf returns what an episode took. Its groups have numbers of their own.
func episodeOf(a *sim.Account, groups []int32) *episode {
	e := &episode{cycle: a.Cycles, idle: a.Idle, rest: a.Rest}
	for g := range a.Groups {
		for c, n := range a.Groups[g] {
			if n != 0 {
				e.cells = append(e.cells, cell{groups[g], uint8(c), n})
			}
		}
	}
	for c, n := range a.Full {
		if n != 0 {
			e.full = append(e.full, cell{0, uint8(c), n})
		}
	}
	return e
}
