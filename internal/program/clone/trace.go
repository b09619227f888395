package clone

import (
	"encoding/binary"
	"fmt"
)

// Trace is the record of a copy: blocks as −1−i, and addresses, in program order.
type Trace struct {
	Image *Image
	words []int64
}

// Read takes the record of an image, little-endian words, and checks that it is whole.
func (im *Image) Read(record []byte) (*Trace, error) {
	t := &Trace{Image: im, words: make([]int64, len(record)/8)}
	left := 0 // addresses that the current block must still record
	for i := range t.words {
		w := int64(binary.LittleEndian.Uint64(record[8*i:]))
		t.words[i] = w
		switch {
		case w < 0 && -1-w >= int64(len(im.Blocks)):
			return nil, fmt.Errorf("the record names block %d of %d", -1-w, len(im.Blocks))
		case w < 0:
			left = len(im.Blocks[-1-w].Accesses)
		case left == 0: // after a call the rest of a block continues its record
		default:
			left--
		}
	}
	return t, nil
}

// Trace returns a Trace of words recorded elsewhere.
func (im *Image) Trace(words []int64) *Trace { return &Trace{im, words} }

// Walk calls do for each executed block in order, with the addresses that it accessed; for a block with a call, with the addresses before the call,
// because the callee's blocks follow. The slice is valid during the call only.
func (t *Trace) Walk(do func(block int, addresses []int64)) {
	for i := 0; i < len(t.words); {
		b := int(-1 - t.words[i])
		k := i + 1
		for k < len(t.words) && t.words[k] >= 0 {
			k++
		}
		do(b, t.words[i+1:k])
		i = k
	}
}

// Counts returns the number of executions of each block.
func (t *Trace) Counts() []uint64 {
	out := make([]uint64, len(t.Image.Blocks))
	for _, w := range t.words {
		if w < 0 {
			out[-1-w]++
		}
	}
	return out
}

// Blocks returns the sequence of executed blocks.
func (t *Trace) Blocks() []int32 {
	out := make([]int32, 0, len(t.words)/2)
	for _, w := range t.words {
		if w < 0 {
			out = append(out, int32(-1-w))
		}
	}
	return out
}
