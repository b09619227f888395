package isa

// JumpTable describes the table of an indirect jump: target i is Base + (entry i << Shift).
type JumpTable struct {
	Addr   uint64 // of the first entry
	Size   int    // bytes of an entry: 1, 2, 4 or 8
	Signed bool
	Base   uint64
	Shift  uint
	Count  int // number of entries by the check before the jump, 0 if unknown
}
