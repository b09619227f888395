package isa

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
	// Restrict are registers that held, when the function was entered whose first instruction is the first here, pointers
	// through which alone is accessed what is written through them (C's restrict).
	Restrict []Reg
	// Data returns the bounds of the variable that holds an address, hi 0 if none is known; nil: none are.
	Data func(addr uint64) (lo, hi uint64)
}

// Placed reports whether it is known where the code lies. That of text does not, and has no addresses, or ones that count from 0 on.
func (k *Kernel) Placed() bool { return len(k.Lines) > 0 && k.Lines[0].Addr != 0 }

// SetContext lets the instruction set fill in what depends on the instructions before (ISA.Context): from the loop
// itself where it says, else from the code that leads into it.
func (k *Kernel) SetContext() {
	if k.ISA.Context == nil {
		return
	}
	n := len(k.Entry)
	all := make([]Inst, 0, n+len(k.Lines))
	for i := range k.Entry {
		all = append(all, k.Entry[i].Inst)
	}
	for i := range k.Lines {
		all = append(all, k.Lines[i].Inst)
	}
	body := append([]Inst(nil), all[n:]...)
	k.ISA.Context(body, true)
	k.ISA.Context(all, false)
	for i := range k.Entry {
		k.Entry[i].Inst.VType, k.Entry[i].Inst.Top = all[i].VType, all[i].Top
	}
	for i := range k.Lines {
		in := &k.Lines[i].Inst
		in.VType, in.Top = body[i].VType, body[i].Top
		if in.VType.SEW == 0 {
			in.VType = all[n+i].VType
		}
	}
}
