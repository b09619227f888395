package asm

import "incore/internal/base/source"

// NoteKind is the kind of a note.
type NoteKind uint8

// The kinds of notes, with the fields that each has.
const (
	NotLoop          NoteKind = iota // the code is treated as one iteration of a loop
	LoopWithin                       // Lines of a loop within it, which count once; Label, "" if it has none
	BranchesNotTaken                 // Lines
	PathChosen                       // Lines of the branches; Without: lines that the most likely path omits
	TableJump                        // Lines; Places: number of the table's targets; To: line of the target that is taken
	CallNotFollowed                  // Lines
)

// Note is an assumption about the control flow of a kernel.
type Note struct {
	Kind           NoteKind
	Lines, Without source.Ranges
	Label          string
	Places, To     int
}
