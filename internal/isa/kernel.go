package isa

import "slices"

// Line is one instruction of a kernel with its origin.
type Line struct {
	Inst Inst
	Text string // as written, or as printed by the disassembler; trimmed, without comment
	File string
	No   int    // source line, 1-based; 0 if from machine code
	Addr uint64 // address, if from machine code
	Part int    // >0: a further instruction of the same pseudo-instruction
	Err  error  // reason why Inst.Form is NoForm; nil when resolved
	// Join marks lines in a loop's entry, and the loop's first instruction, that control can also reach from elsewhere than the line before; facts
	// known before such a line do not hold after it.
	Join bool
	// Between holds, if Join is set, the instructions that may have been executed since the earlier lines that always are, in any order and number;
	// registers that they do not write are unchanged. nil: any instructions.
	Between []Line
	// Once marks lines of Between that are executed exactly once in each iteration of the loop that the line with the Join begins.
	Once bool
}

// Kernel is the code to analyse: straight-line code that is repeated.
type Kernel struct {
	ISA    *ISA
	Name   string // label, marker name, function+loop
	Syntax string
	Lines  []Line
	Loop   bool // a back edge closes it; else the code is taken as one iteration of a loop
	// Why says how the kernel was found ("OSACA markers", "innermost loop of f, lines 10-20").
	Why string
	// Entry holds the instructions that lead into the loop, for analyses that want
	// register values at entry; may be empty.
	Entry []Line
	// Latch: the last line is a conditional branch to the first one, so the loop ends when the branch is not taken.
	Latch bool
	// Path: the lines of assembly text are a path through a loop: each jump leads to the next line, and so does each branch except the last one.
	Path bool
	// Align is the alignment in bytes that directives of assembly text give to the first line, 1 if only other lines
	// have one; 0: not known.
	Align int
	// Movable is the alignment in bytes that a linker gives to the code: addresses are known but for a multiple of it;
	// 0: they are final.
	Movable int
	// Restrict lists the registers that held restrict pointers (in the sense of C) at the entry of the function, whose first instruction is the first
	// one here: written memory that they point to is accessed only through them.
	Restrict []Reg
	// Data returns the bounds of the variable at an address, hi 0 if none is known; nil: no variables are known.
	Data func(addr uint64) (lo, hi uint64)
}

// Straight returns the loop's body as straight code, without the branch at its end. If a path through the loop does not end in a branch, because the
// branch back is in its middle, nothing is removed. Straight code, and a kernel of a single branch, are returned unchanged.
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

// Placed reports whether the address of the code is known. Assembly text has no addresses, or addresses from 0.
func (k *Kernel) Placed() bool { return len(k.Lines) > 0 && k.Lines[0].Addr != 0 }

// SetContext lets the instruction set fill in facts that depend on earlier instructions (ISA.Context): from the loop itself if it determines them,
// else from the code that leads into it. config returns the vector configuration (ISA.Configure) at the loop's entry, the zero value if that is not
// known.
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
