package isa

import "slices"

// Line is one instruction of a kernel and where it came from.
type Line struct {
	Inst Inst
	Text string // as written, or as printed by the disassembler; trimmed, without comment
	File string
	No   int    // source line, 1-based; 0 if from machine code
	Addr uint64 // address, if from machine code
	Part int    // >0: a further instruction of the same pseudo-instruction
	Err  error  // why Inst.Form is NoForm; nil when resolved
	// Join marks, in what leads into a loop and at its first instruction, that control may also come
	// from elsewhere than the line before, so that what was known there does not hold.
	Join bool
	// Between are, where Join is set, the instructions that may have been executed since those of the lines before that
	// always are, in any order and number: what they do not write is as it was. nil: any may have.
	Between []Line
}

// Kernel is a piece of code to analyse: straight-line code that is repeated.
type Kernel struct {
	ISA    *ISA
	Name   string // label, marker name, function+loop
	Syntax string
	Lines  []Line
	Loop   bool // a back edge closes it; else it is taken as one iteration of a loop
	// Why says how the kernel was found ("OSACA markers", "innermost loop of f, lines 10-20").
	Why string
	// Entry holds the instructions that lead into the loop, for analyses that want
	// register values at entry; may be empty.
	Entry []Line
	// Latch is set where the last line is a conditional branch to the first: where it is not taken, the loop ends.
	Latch bool
	// Path is set of assembly text whose lines are a way through a loop: each jump leads to the line behind it, and so does each branch but the last.
	Path bool
	// Restrict are registers that held, when the function was entered whose first instruction is the first here, pointers
	// through which alone is accessed what is written through them (C's restrict).
	Restrict []Reg
	// Data returns the bounds of the variable that holds an address, hi 0 if none is known; nil: none are.
	Data func(addr uint64) (lo, hi uint64)
}

// Straight is a loop's body as straight code: without the branch at its end. Where a way through the loop ends in no branch, as the one that leads back
// stands in its middle, nothing is left out. Of straight code, and of a branch alone, it is the kernel itself.
func (k *Kernel) Straight() *Kernel {
	n := len(k.Lines)
	if !k.Loop || n < 2 {
		return k
	}
	s := *k
	s.Loop, s.Latch = false, false
	switch k.ISA.Flow(&k.Lines[n-1].Inst).Kind {
	case FlowJump, FlowCond, FlowIndirect:
		s.Lines = k.Lines[:n-1]
	}
	return &s
}

// Placed reports whether it is known where the code lies. That of text does not, and has no addresses, or ones that count from 0 on.
func (k *Kernel) Placed() bool { return len(k.Lines) > 0 && k.Lines[0].Addr != 0 }

// SetContext lets the instruction set fill in what depends on the instructions before (ISA.Context): from the loop
// itself where it says, else from the code that leads into it. config finds the vector configuration (ISA.Configure)
// in force where the loop is entered, the zero value if that is not known.
func (k *Kernel) SetContext(config func() VType) {
	if k.ISA.Context == nil {
		return
	}
	entry, body := insts(k.Entry), insts(k.Lines)
	k.ISA.Context(entry, false)
	k.ISA.Context(body, true)
	for i := range k.Entry {
		k.Entry[i].Inst.VType, k.Entry[i].Inst.Top = entry[i].VType, entry[i].Top
	}
	for i := range k.Lines {
		k.Lines[i].Inst.VType, k.Lines[i].Inst.Top = body[i].VType, body[i].Top
	}
	if !slices.ContainsFunc(body, func(in Inst) bool { return k.Unconfigured(&in) }) {
		return
	}
	left := VType{SEW: noSEW}
	for i := range body {
		left, _ = k.ISA.Configure(&body[i], left)
	}
	if left.SEW != noSEW { // the loop makes it unknown
		return
	}
	v := config()
	for i := range k.Lines {
		in := &k.Lines[i].Inst
		if v, _ = k.ISA.Configure(in, v); in.VType.SEW == 0 {
			in.VType = v
		}
	}
}

// Unconfigured reports whether an instruction depends on a vector configuration (ISA.Configure) that is not known.
func (k *Kernel) Unconfigured(in *Inst) bool {
	if k.ISA.Configure == nil || in.VType.SEW != 0 {
		return false
	}
	_, uses := k.ISA.Configure(in, VType{})
	return uses
}

func insts(lines []Line) []Inst {
	out := make([]Inst, len(lines))
	for i := range lines {
		out[i] = lines[i].Inst
	}
	return out
}
