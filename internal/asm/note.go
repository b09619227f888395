package asm

import "incore/internal/source"

// NoteKind is what a note says.
type NoteKind uint8

// The kinds of notes, with the fields that each has.
const (
	NotLoop          NoteKind = iota // the code is taken as one iteration of a loop
	LoopWithin                       // Lines of a loop within it, which count once; Label, "" if it has none
	BranchesNotTaken                 // Lines
	PathChosen                       // Lines of the branches; Without: lines that the likeliest way leaves out
	TableJump                        // Lines; Places behind the table; To, the line of the one that is taken
	CallNotFollowed                  // Lines
)

// Note is something that was assumed about the control flow of a kernel.
type Note struct {
	Kind           NoteKind
	Lines, Without source.Ranges
	Label          string
	Places, To     int
}
