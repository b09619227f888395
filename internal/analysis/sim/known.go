package sim

import (
	"math"
	"math/bits"
	"sync"
	"weak"

	"incore/internal/machine"
)

// This file remembers the results of programs: of the blocks of a corpus, a fifth to a third become the same program
// as an earlier one.

// known holds results by what they follow from.
type known struct {
	sync.Mutex
	results map[key]*Result
}

// key identifies a program with its front end and options on a core: a hash of 128 bits.
type key struct {
	model weak.Pointer[machine.Model]
	hash  [2]uint64
}

var results known

// mostKnown bounds the memory of results.
const mostKnown = 1 << 13

func (k *known) of(at key) *Result {
	k.Lock()
	defer k.Unlock()
	return k.results[at]
}

func (k *known) add(at key, r *Result) {
	k.Lock()
	defer k.Unlock()
	if len(k.results) >= mostKnown || k.results == nil {
		k.results = map[key]*Result{}
	}
	k.results[at] = r
}

// Forget forgets all results, for measurements of the simulator's speed.
func Forget() {
	results.Lock()
	defer results.Unlock()
	results.results = nil
}

// result returns the best result of a program on a model's core (again). It simulates the program unless the result is
// known, or something else is asked for, too.
func (c *program) result(m *machine.Model, opt Options) (*Result, error) {
	at, more := c.key(m, &opt), opt.Trace != nil || opt.Also != nil
	if r := results.of(at); r != nil && !more {
		return r, nil
	}
	r, err := c.run(opt)
	if err != nil {
		return nil, err
	}
	if r = c.again(r, opt); !more {
		results.add(at, r)
	}
	return r, nil
}

// key returns the key of a program.
func (c *program) key(m *machine.Model, o *Options) key {
	w := append(c.words[:0], uint64(o.MinIterations), uint64(o.MaxCycles), uint64(o.Times), math.Float64bits(o.bound))
	if o.Exact {
		w[0] |= 1 << 63
	}
	w = c.front.AppendKey(c.AppendKey(w))
	c.words = w
	return key{weak.Make(m), hash(w)}
}

// hash mixes words as wyhash does: each is multiplied into 128 bits, of which both halves are kept.
func hash(words []uint64) (h [2]uint64) {
	h = [...]uint64{0xa0761d6478bd642f, uint64(len(words))}
	for _, w := range words {
		hi, lo := bits.Mul64(w^h[0], 0xe7037ed1a0b428db)
		h[0], h[1] = lo^hi, bits.RotateLeft64(h[1], 23)*0x9e3779b97f4a7c15^w^hi
	}
	return h
}
