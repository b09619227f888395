package sim

import "incore/internal/analysis/frontend"

// This file records what dispatch took of the front end. A steady state of the back end is one of the whole core if the front end goes on so.

// supply is the record, by cycle.
type supply struct {
	*window
	cycles  []taken
	starved cycle // the cycle after the last in which the front end held dispatch up
}

// taken is what dispatch took of the front end in one cycle, and how much it had to be offered to take that.
type taken struct{ slots, need int32 }

func (s *supply) reset(w *window) { *s = supply{window: w, cycles: s.cycles[:0]} }

// note records the cycle before this one: what dispatch, which owed slots to an earlier instruction before, took of what it was offered, and why it ended.
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

// unproven is for how many cycles the front end must go on as it did where its state does not come again.
const unproven = 600

// sustained reports whether the front end will go on to give dispatch what it gave since a cycle in which it was in some state, over and over: until it is
// itself in a state that it was in before, or, where that takes longer, for a number of cycles.
func (s *supply) sustained(f frontend.Feed, since cycle, then frontend.State) bool {
	if then == f.State() {
		return true
	}
	return s.starved <= since && s.repeats(f, since)
}

// repeats reports whether a front end gives dispatch what it took since a cycle over and over.
func (s *supply) repeats(f frontend.Feed, since cycle) bool {
	cycles := s.cycles[since:]
	mark, marked := f.State(), 0 // of a time, which moves: a beginning does not come again
	for times, left := 1, unproven; left > 0; times, left = times+1, left-len(cycles) {
		for _, c := range cycles {
			f.Fill()
			if f.Have() < int(c.need) {
				return false
			}
			f.Take(int(c.slots))
		}
		switch now := f.State(); {
		case now == mark:
			return true
		case times > 2*marked:
			mark, marked = now, times
		}
	}
	return true
}

// alsoBy reports whether the front end of another layout of the kernel, once its queue has filled, gives dispatch the same, which was
// not held up by the front end since a cycle.
func (s *supply) alsoBy(f frontend.Feed, since cycle) bool {
	if s.starved > since {
		return false
	}
	for have := -1; f.Have() > have; f.Fill() {
		have = f.Have()
	}
	return s.repeats(f, since)
}
