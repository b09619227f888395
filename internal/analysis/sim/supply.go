package sim

import "incore/internal/analysis/frontend"

// This file records the slots that dispatch takes from the front end. A steady state of the back end is a steady state of the core if the front end
// continues in the same way.

// supply is the record, by cycle.
type supply struct {
	*window
	derived // of the front end (detector.recurs)
	cycles  []taken
	starved cycle // the cycle after the last one in which dispatch waited for the front end
}

// taken is the number of slots that dispatch took in one cycle, and the least offer for which it does so.
type taken struct{ slots, need int32 }

func (s *supply) reset(p *pipeline) { *s = supply{window: &p.window, cycles: s.cycles[:0]} }

// advance records n cycles in which dispatch takes nothing.
func (s *supply) advance(n cycle) {
	for range n {
		s.cycles = append(s.cycles, taken{})
	}
}

// note records the last cycle: the slots that dispatch took of the offered ones, the slots that it owed to an earlier instruction, and the reason
// that ended dispatch.
func (s *supply) note(offered, slots, owed int, held Reason) {
	need := min(slots, s.core.Width)
	if owed > 0 {
		need = s.core.Width
	}
	if held == FrontEnd || offered < need {
		s.starved = s.now
	}
	s.cycles = append(s.cycles, taken{int32(slots), int32(need)})
}

// unproven is the number of cycles for which the front end must continue in the same way if its state does not recur.
const unproven = 600

// sustained reports whether the front end will repeat the slots of the cycles since a given cycle, in which it had a given state, forever: simulated
// until it reaches an earlier state, or, if that takes longer, for a number of cycles.
func (s *supply) sustained(f *frontend.Feed, since cycle, then *frontend.State) bool {
	return f.In(then) || s.starved <= since && s.repeats(*f, since)
}

// repeats reports whether a front end repeatedly delivers the slots that dispatch took since a cycle.
func (s *supply) repeats(f frontend.Feed, since cycle) bool {
	cycles := s.cycles[since:]
	mark, marked := f.Snapshot(), 0 // state at a moving reference time, because the initial state does not recur
	for times, left := 1, unproven; left > 0; times, left = times+1, left-len(cycles) {
		for _, c := range cycles {
			f.Fill()
			if f.Have() < int(c.need) {
				return false
			}
			f.Take(int(c.slots))
		}
		if f.In(&mark) {
			return true
		}
		if times > 2*marked {
			mark, marked = f.Snapshot(), times
		}
	}
	return true
}

// alsoBy reports whether the front end of another layout of the kernel, with a full queue, delivers the same slots to dispatch, which has not waited
// for the front end since a cycle.
func (s *supply) alsoBy(f frontend.Feed, since cycle) bool {
	if s.starved > since {
		return false
	}
	for have := -1; f.Have() > have; f.Fill() {
		have = f.Have()
	}
	return s.repeats(f, since)
}
