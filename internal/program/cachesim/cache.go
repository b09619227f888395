package cachesim

import "math/bits"

// cache is one level: sets of ways, with replacement of the least recently used way.
type cache struct {
	tags   []uint32 // by set and way: the number of a line times two, plus one if the line was changed; none: the way is empty
	orders []uint64 // by set, of at most narrow ways: the ways, four bits each, the last used in the lowest
	stamps []uint64 // of more ways: by set and way, when it was used; 0: it is empty
	clock  uint64
	ways   int
	sets   uint64
	mask   uint64 // sets − 1 if that is a power of two, else 0
}

const none = ^uint32(0)

const (
	mostWays = 254 // a byte and 0 for none
	narrow   = 16
	nibbles  = 0x1111111111111111
	inTurn   = 0xfedcba9876543210 // an order
)

func newCache(sets, ways int) cache {
	c := cache{tags: make([]uint32, sets*ways), ways: ways, sets: uint64(sets)}
	if sets&(sets-1) == 0 {
		c.mask = uint64(sets - 1)
	}
	for i := range c.tags {
		c.tags[i] = none
	}
	if ways > narrow {
		c.stamps = make([]uint64, sets*ways)
		return c
	}
	c.orders = make([]uint64, sets)
	for i := range c.orders {
		c.orders[i] = inTurn
	}
	return c
}

func (c *cache) set(line uint64) int {
	if c.mask == 0 {
		return int(line % c.sets)
	}
	return int(line & c.mask)
}

// isLast reports whether a way is known, without a search, to be the last used one of its set.
func (c *cache) isLast(set, way int) bool { return c.ways <= narrow && int(c.orders[set]&15) == way }

// use makes a way the last used one of its set, and returns the index of its tag.
func (c *cache) use(set, way int) int {
	if c.ways <= narrow {
		if order := c.orders[set]; int(order&15) != way {
			c.orders[set] = forward(order, way, position(order, way))
		}
	} else {
		c.clock++
		c.stamps[set*c.ways+way] = c.clock
	}
	return set*c.ways + way
}

// position returns the position of a way in an order, in bits.
func position(order uint64, way int) int {
	x := order ^ uint64(way)*nibbles
	return bits.TrailingZeros64((x-nibbles)&^x&(nibbles<<3)) &^ 3 // the lowest four bits that are 0
}

// forward makes the way at a position of an order the last used one.
func forward(order uint64, way, at int) uint64 {
	before := uint64(1)<<(at&63) - 1
	return order&^(before<<4|15) | order&before<<4 | uint64(way)
}

// replace places a tag into a set in place of the least recently used, which it returns with its way.
func (c *cache) replace(set int, tag uint32) (way int, old uint32) {
	if c.ways <= narrow {
		order, at := c.orders[set], 4*(c.ways-1)
		way = int(order >> (at & 63) & 15)
		c.orders[set] = forward(order, way, at)
	} else {
		stamps := c.stamps[set*c.ways : (set+1)*c.ways]
		for i, s := range stamps {
			if s < stamps[way] {
				way = i
			}
		}
		c.clock++
		stamps[way] = c.clock
	}
	t := &c.tags[set*c.ways+way]
	old, *t = *t, tag
	return way, old
}

// remove empties a way, which is filled next, and returns its tag.
func (c *cache) remove(set, way int) (tag uint32) {
	if c.ways <= narrow {
		order, end := c.orders[set], 4*(c.ways-1)
		at := position(order, way)
		before, all := uint64(1)<<at-1, uint64(1)<<end-1
		c.orders[set] = order&(before|^(all<<4|15)) | order>>4&(all&^before) | uint64(way)<<end
	} else {
		c.stamps[set*c.ways+way] = 0
	}
	t := &c.tags[set*c.ways+way]
	tag, *t = *t, none
	return tag
}
