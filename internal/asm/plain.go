package asm

import (
	"hash/maphash"
	"math/bits"
)

// plainStatements remembers statements that were resolved and lead to the next one: compilers write the same ones again and again. It is a
// table with a place for each hash, in which a statement takes the place of another one.
type plainStatements struct {
	seed  maphash.Seed
	table []plainStatement // its length is a power of two
}

type plainStatement struct {
	text   string
	syntax uint8
}

// maxPlain is the largest size of the table, about a statement in so many bytes of text its size in others.
const maxPlain, bytesOfPlain = 1 << 14, 256

// size makes the table for a text of so many bytes.
func (t *plainStatements) size(text int) {
	t.seed = maphash.MakeSeed()
	t.table = make([]plainStatement, min(maxPlain, 1<<bits.Len(uint(text/bytesOfPlain))))
}

// at is the place of a statement.
func (t *plainStatements) at(text string, syntax uint8) *plainStatement {
	return &t.table[(maphash.String(t.seed, text)+uint64(syntax))&uint64(len(t.table)-1)]
}
