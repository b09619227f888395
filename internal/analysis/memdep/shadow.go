package memdep

import "sync"

// word is eight bytes of shadow memory: their known values and last writers.
type word struct {
	known uint8 // bytes written by the code
	valid uint8 // those with a known value
	exact uint8 // those that the code itself determines
	data  uint64
	store [8]int32  // dynamic number of the last store to each byte, 0 none
	load  *[8]int32 // of the last load, if needed
}

// piece is the number of words that are allocated together: few, as most code touches few.
const piece = 64

// slot is an entry of the hash table: the number of a word.
type slot struct {
	key   uint64 // address / 8
	epoch uint32 // the slot counts if this is the shadow's
	word  uint32
}

// shadow is byte-granular memory: a hash table with open addressing. Words stay where they are while the table grows.
type shadow struct {
	slots []slot // length a power of two
	words []*[piece]word
	used  int
	epoch uint32
	seed  uint64
	equal uint64 // value of every unwritten word; 0: each has a value of its own
}

// tables holds unused hash tables, each with its last epoch and its words.
var tables = sync.Pool{New: func() any { return &shadow{slots: make([]slot, 256)} }}

// free returns the table for reuse, unless it is large; the next reset takes another one.
func (s *shadow) free() {
	if s.slots != nil && len(s.slots) <= 1<<12 {
		tables.Put(&shadow{slots: s.slots, words: s.words, epoch: s.epoch})
	}
	s.slots, s.words = nil, nil
}

// reset clears the memory. Unknown memory has random contents that depend on the seed.
func (s *shadow) reset(seed uint64) {
	if s.slots == nil {
		t := tables.Get().(*shadow)
		s.slots, s.words, s.epoch = t.slots, t.words, t.epoch
	}
	if s.epoch++; s.epoch == 0 {
		clear(s.slots)
		s.epoch = 1
	}
	s.used, s.seed = 0, seed
}

// mix is a bijection that scatters its argument (the finalizer of SplitMix64, Steele et al., OOPSLA 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// word returns the word of a slot.
func (s *shadow) word(i uint64) *word {
	n := s.slots[i].word
	return &s.words[n/piece][n%piece]
}

// at returns the word with a key; it creates the word if necessary. The pointer is valid until the memory is cleared.
func (s *shadow) at(key uint64) *word {
	i, w := s.look(key)
	if w != nil {
		return w
	}
	if s.used*2 >= len(s.slots) {
		s.grow()
		i, _ = s.look(key)
	}
	s.slots[i] = slot{key, s.epoch, uint32(s.used)}
	if s.used == piece*len(s.words) {
		s.words = append(s.words, new([piece]word))
	}
	s.used++
	w = s.word(i)
	*w = word{}
	return w
}

// find returns the word with a key, nil if there is none.
func (s *shadow) find(key uint64) *word {
	_, w := s.look(key)
	return w
}

// look returns the slot of a key and its word, nil if the slot is free.
func (s *shadow) look(key uint64) (uint64, *word) {
	mask := uint64(len(s.slots) - 1)
	i := mix(key) & mask
	for ; s.slots[i].epoch == s.epoch; i = (i + 1) & mask {
		if s.slots[i].key == key {
			return i, s.word(i)
		}
	}
	return i, nil
}

// grow doubles the table.
func (s *shadow) grow() {
	old := s.slots
	s.slots = make([]slot, 2*len(old))
	for _, at := range old {
		if at.epoch == s.epoch {
			i, _ := s.look(at.key)
			s.slots[i] = at
		}
	}
}

// read returns n bytes (up to 8) and the worst of their states.
func (s *shadow) read(addr uint64, n int) (v uint64, state uint8) {
	state = exact
	for done := 0; done < n; {
		key, at := (addr+uint64(done))>>3, int(addr+uint64(done))&7
		count := min(8-at, n-done)
		w := s.at(key)
		bytes := uint8(1<<count-1) << at
		switch {
		case w.known&^w.valid&bytes != 0:
			return 0, invalid
		case ^w.known&bytes != 0:
			state = data
		case w.exact&bytes != bytes:
			state = max(state, valid)
		}
		data := w.data
		if missing := expand(^w.known); missing != 0 {
			unwritten := s.equal
			if unwritten == 0 {
				unwritten = mix(s.seed ^ mix(key))
			}
			data = data&^missing | unwritten&missing
		}
		v |= data >> (8 * at) & (^uint64(0) >> (64 - 8*count)) << (8 * done)
		done += count
	}
	return v, state
}

// expand turns bits into bytes of ones.
func expand(bits uint8) uint64 {
	x := uint64(bits)
	x = (x | x<<28) & 0x0000000f0000000f
	x = (x | x<<14) & 0x0003000300030003
	x = (x | x<<7) & 0x0101010101010101
	return x * 0xff
}

// write stores n bytes (up to 8) of a value with its state. A value in state data becomes valid.
func (s *shadow) write(addr uint64, n int, v uint64, state uint8) {
	for done := 0; done < n; {
		key, at := (addr+uint64(done))>>3, int(addr+uint64(done))&7
		count := min(8-at, n-done)
		w := s.at(key)
		bytes := uint8(1<<count-1) << at
		w.known |= bytes
		w.valid, w.exact = w.valid&^bytes, w.exact&^bytes
		if state != invalid {
			w.valid |= bytes
			m := expand(bytes)
			w.data = w.data&^m | v>>(8*done)<<(8*at)&m
		}
		if state == exact {
			w.exact |= bytes
		}
		done += count
	}
}
