package branches

// Sizes of the direction predictor.
const (
	tableBits  = 11 // of an index
	tagBits    = 11
	baseBits   = 13
	usefulMost = 3
	resetEvery = 1 << 17 // branches between two reductions of the usefulness of all entries
	mostLong   = 256     // length of the history in branches
)

// lengths are the history lengths of the tables, in branches.
var lengths = [...]int{4, 9, 19, 40, 85, 180}

const tables = len(lengths)

type tagged struct {
	tag     uint16
	counter int8 // −4 … 3; taken from 0 on
	useful  uint8
}

// tage predicts directions (Seznec, Michaud: "A case for (partially) tagged geometric history length branch prediction", JILP 2006): a table without
// history, and several tables with tags and histories of geometrically growing lengths. As in hardware, the histories are folded to the width of an
// index, branch by branch.
type tage struct {
	base    [1 << baseBits]int8 // −2 … 1
	tables  [tables][1 << tableBits]tagged
	history [mostLong]uint8 // one bit per branch, the last one at head
	head    int
	folded  [tables][len(folds)]uint32 // history, folded to the widths of folds
	seen    int
	random  uint64
}

// folds are the widths to which histories are folded: one for the index, two for the tag, so that the tag differs where the index does not.
var folds = [...]uint{tableBits, tagBits, tagBits - 1}

// leaves are the places in a folded history at which the oldest branch leaves it.
var leaves = func() (at [tables][len(folds)]uint8) {
	for i, n := range lengths {
		for k, width := range folds {
			at[i][k] = uint8(uint(n) % width)
		}
	}
	return at
}()

// note adds a branch to the history.
func (t *tage) note(branch uint64, taken bool) {
	bit := uint8(mix(branch) & 1)
	if taken {
		bit ^= 1
	}
	t.head = (t.head + 1) % mostLong
	t.history[t.head] = bit
	for i := range t.folded {
		f, out, at := &t.folded[i], uint32(t.history[uint(t.head-lengths[i])%mostLong]), &leaves[i]
		f[0] = fold(f[0]<<1|uint32(bit)^out<<(at[0]&31), folds[0])
		f[1] = fold(f[1]<<1|uint32(bit)^out<<(at[1]&31), folds[1])
		f[2] = fold(f[2]<<1|uint32(bit)^out<<(at[2]&31), folds[2])
	}
}

// fold folds a number to a width that it exceeds by one bit.
func fold(v uint32, width uint) uint32 { return (v ^ v>>width) & (1<<width - 1) }

// place returns the index and the tag of a branch in a table.
func (t *tage) place(hash uint64, table int) (index uint32, tag uint16) {
	f := &t.folded[table]
	index = (uint32(hash) ^ uint32(hash>>(tableBits-uint(table))) ^ f[0]) & (1<<tableBits - 1)
	return index, uint16(uint32(hash>>32)^f[1]^f[2]<<1) & (1<<tagBits - 1)
}

// predict predicts whether a branch is taken, learns its real direction, and reports whether the prediction was right.
func (t *tage) predict(branch uint64, taken bool) (foreseen bool) {
	var at [tables]*tagged
	var tags [tables]uint16
	provider, other := -1, -1
	hash := mix(branch)
	for i := range at {
		var index uint32
		index, tags[i] = t.place(hash, i)
		if at[i] = &t.tables[i][index]; at[i].tag == tags[i] {
			provider, other = i, provider
		}
	}
	base := &t.base[hash&(1<<baseBits-1)]
	guess := func(i int) bool {
		if i < 0 {
			return *base >= 0
		}
		return at[i].counter >= 0
	}
	said := guess(provider)
	if provider >= 0 && at[provider].useful == 0 && (at[provider].counter == 0 || at[provider].counter == -1) { // a new entry: the alternative prediction is better
		said = guess(other)
	}
	foreseen = said == taken
	t.learn(&vote{&at, tags, provider, guess(provider), guess(other), base}, foreseen, taken)
	return foreseen
}

// vote is the prediction of a branch.
type vote struct {
	at        *[tables]*tagged
	tags      [tables]uint16
	provider  int  // the table with the longest history that has an entry for the branch, below 0: none
	main, alt bool // its prediction, and that of the next shorter history
	base      *int8
}

// learn updates the tables with the real direction of a branch.
func (t *tage) learn(v *vote, foreseen, taken bool) {
	at, provider, base := v.at, v.provider, v.base
	if provider < 0 {
		*base = step(*base, taken, -2, 1)
	} else {
		p := at[provider]
		p.counter = step(p.counter, taken, -4, 3)
		if v.main != v.alt {
			if v.main == taken {
				p.useful = min(usefulMost, p.useful+1)
			} else if p.useful > 0 {
				p.useful--
			}
		}
	}
	if !foreseen && provider < tables-1 {
		t.allocate(at, v.tags, provider, taken)
	}
	if t.seen++; t.seen%resetEvery == 0 {
		for i := range t.tables {
			for k := range t.tables[i] {
				t.tables[i][k].useful /= 2
			}
		}
	}
}

// allocate gives a mispredicted branch an entry with a longer history, or makes room for one.
func (t *tage) allocate(at *[tables]*tagged, tags [tables]uint16, provider int, taken bool) {
	t.random = mix(t.random + 1)
	first := provider + 1
	if t.random&1 == 1 && first < tables-1 {
		first++
	}
	for i := first; i < tables; i++ {
		if at[i].useful == 0 {
			*at[i] = tagged{tag: tags[i], counter: -1}
			if taken {
				at[i].counter = 0
			}
			return
		}
	}
	for i := first; i < tables; i++ {
		at[i].useful--
	}
}

func step(v int8, up bool, least, most int8) int8 {
	if up {
		return min(v+1, most)
	}
	return max(v-1, least)
}
