package branches

// targetBits is the base-2 logarithm of the size of each target table.
const targetBits = 11

// targets predicts the targets of indirect branches: by the branch and the targets before it, else by the last target of the branch (the idea of
// ITTAGE, Seznec 2011, with one history length).
type targets struct {
	last   [1 << targetBits]uint64
	longer [1 << targetBits]struct{ key, target uint64 }
	path   uint64 // hash of the last targets
}

// note adds a target to the history.
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
