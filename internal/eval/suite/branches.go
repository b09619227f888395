package suite

import "incore/internal/isa"

// A branch predictor of the kind that today's cores have: TAGE (Seznec, Michaud: "A case for (partially) tagged geometric history length branch
// prediction", JILP 2006), a table without history and several with tags and histories of lengths that grow geometrically. Sizes are of the order
// that the literature has for a core's first-level predictor; what a given core has is seldom known.
const (
	tageBits   = 11 // of an index
	tagBits    = 11
	baseBits   = 13
	usefulMost = 3
	resetEvery = 1 << 17 // branches, after which all entries become less useful
)

// histories are the numbers of branches that the tables look back.
var histories = [...]int{4, 9, 19, 40, 85, 180}

type tagged struct {
	tag     uint16
	counter int8 // −4 … 3; taken from 0 on
	useful  uint8
}

type tage struct {
	base    [1 << baseBits]int8 // −2 … 1
	tables  [len(histories)][1 << tageBits]tagged
	history [256]uint64 // hashes of the branches and their directions, the last at place head
	head    int
	seen    int
	random  uint64
}

// fold hashes a branch with the last n of the history.
func (t *tage) fold(branch uint64, n int) uint64 {
	h := branch * 0x9e3779b97f4a7c15
	for i := range n {
		h = (h ^ t.history[(t.head-i)&255]) * 0x100000001b3
		h ^= h >> 29
	}
	return mix(h)
}

// predict says whether a branch is taken, learns what it does, and reports whether that was foreseen.
func (t *tage) predict(branch uint64, taken bool) (foreseen bool) {
	var at [len(histories)]*tagged
	var tags [len(histories)]uint16
	provider, other := -1, -1
	for i, n := range histories {
		h := t.fold(branch, n)
		at[i], tags[i] = &t.tables[i][h&(1<<tageBits-1)], uint16(h>>32)&(1<<tagBits-1)
		if at[i].tag == tags[i] {
			provider, other = i, provider
		}
	}
	base := &t.base[mix(branch)&(1<<baseBits-1)]
	guess := func(i int) bool {
		if i < 0 {
			return *base >= 0
		}
		return at[i].counter >= 0
	}
	said := guess(provider)
	if provider >= 0 && at[provider].useful == 0 && (at[provider].counter == 0 || at[provider].counter == -1) { // new: the one before knows better
		said = guess(other)
	}
	foreseen = said == taken
	t.learn(&at, tags, provider, guess(provider), guess(other), foreseen, taken, base)
	t.head = (t.head + 1) & 255
	t.history[t.head] = branch<<1 | map[bool]uint64{true: 1}[taken]
	return foreseen
}

func (t *tage) learn(at *[len(histories)]*tagged, tags [len(histories)]uint16, provider int, main, alt, foreseen, taken bool, base *int8) {
	if provider < 0 {
		*base = step(*base, taken, -2, 1)
	} else {
		p := at[provider]
		p.counter = step(p.counter, taken, -4, 3)
		if main != alt {
			if main == taken {
				p.useful = min(usefulMost, p.useful+1)
			} else if p.useful > 0 {
				p.useful--
			}
		}
	}
	if !foreseen && provider < len(histories)-1 {
		t.random = mix(t.random + 1)
		first := provider + 1
		if t.random&1 == 1 && first < len(histories)-1 {
			first++
		}
		placed := false
		for i := first; i < len(histories) && !placed; i++ {
			if at[i].useful == 0 {
				*at[i] = tagged{tag: tags[i], counter: map[bool]int8{true: 0, false: -1}[taken]}
				placed = true
			}
		}
		for i := first; i < len(histories) && !placed; i++ {
			at[i].useful--
		}
	}
	if t.seen++; t.seen%resetEvery == 0 {
		for i := range t.tables {
			for k := range t.tables[i] {
				t.tables[i][k].useful /= 2
			}
		}
	}
}

func step(v int8, up bool, least, most int8) int8 {
	if up {
		return min(v+1, most)
	}
	return max(v-1, least)
}

// warmRuns is how often the kernel ran before its branches count: measurements run it again and again.
const warmRuns = 4

// mispredictions is how many conditional branches of a run a predictor that has seen the run before does not foresee.
func (r *run) mispredictions() (missed, branches uint64) {
	t := &tage{}
	seq := r.trace.Blocks()
	for pass := range warmRuns + 1 {
		for i := range len(seq) - 1 {
			b := &r.trace.Image.Blocks[seq[i]]
			g := &b.Graph.Blocks[b.Index]
			if g.Flow != isa.FlowCond {
				continue
			}
			next := &r.trace.Image.Blocks[seq[i+1]]
			taken := next.Addr() != g.End
			if !t.predict(g.End, taken) && pass == warmRuns {
				missed++
			}
			if pass == warmRuns {
				branches++
			}
		}
	}
	return missed, branches
}
