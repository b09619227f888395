package asm

import (
	"hash/maphash"
	"math/bits"
)

// plainStatements caches resolved statements without control flow, because compilers repeat the same statements. It is a
// hash table with one entry per hash; a new statement replaces the old entry.
type plainStatements struct {
	seed  maphash.Seed
	table []plainStatement // its length is a power of two
}

type plainStatement struct {
	text   string
	syntax uint8
}

// maxPlain is the largest number of entries of the table; smaller texts get one entry per bytesOfPlain bytes.
const maxPlain, bytesOfPlain = 1 << 14, 256

// size makes the table for a text of the given size in bytes.
func (t *plainStatements) size(text int) {
	t.seed = maphash.MakeSeed()
	t.table = make([]plainStatement, min(maxPlain, 1<<bits.Len(uint(text/bytesOfPlain))))
}

// at returns the entry of a statement.
func (t *plainStatements) at(text string, syntax uint8) *plainStatement {
	return &t.table[(maphash.String(t.seed, text)+uint64(syntax))&uint64(len(t.table)-1)]
}
