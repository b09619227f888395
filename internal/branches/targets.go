package branches

// targetBits is the logarithm of the entries of each table of targets.
const targetBits = 11

// targets predicts where indirect branches lead: by the branch and the targets before it, else where the branch led last (the idea of ITTAGE, Seznec 2011, with one
// length of history).
type targets struct {
	last   [1 << targetBits]uint64
	longer [1 << targetBits]struct{ key, target uint64 }
	path   uint64 // hash of the last targets
}

// note adds a target to the way.
func (t *targets) note(target uint64) { t.path = t.path<<7 ^ mix(target) }

func (t *targets) predict(branch, target uint64) (foreseen bool) {
	key := mix(branch ^ t.path)
	long, last := &t.longer[key&(1<<targetBits-1)], &t.last[mix(branch)&(1<<targetBits-1)]
	said := *last
	if long.key == key {
		said = long.target
	}
	foreseen = said == target
	if !foreseen || long.key == key {
		long.key, long.target = key, target
	}
	*last = target
	return foreseen
}
