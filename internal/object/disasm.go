package object

import (
	"sort"

	"incore/internal/isa"
)

// Line is one instruction of a disassembly, or bytes that are no instruction.
type Line struct {
	Addr  uint64
	Bytes []byte
	Inst  isa.Inst
	Err   error  // reason why the bytes are no instruction
	Func  string // the function that starts here, "" elsewhere
}

// Disassemble calls do for the instructions of the code sections from lo to hi. Decoding restarts
// at every function, so that data between functions cannot shift it. The line is only valid during the call.
func (f *File) Disassemble(lo, hi uint64, do func(*Line) error) error {
	starts := f.Functions()
	for _, s := range f.sections {
		if !s.exec || s.addr >= hi || s.end() <= lo {
			continue
		}
		addr, end := max(lo, s.addr), min(hi, s.end())
		next := sort.Search(len(starts), func(i int) bool { return starts[i].Addr >= addr })
		for addr < end {
			l := Line{}
			for ; next < len(starts) && starts[next].Addr <= addr; next++ {
				if starts[next].Addr == addr {
					l.Func = starts[next].Name
				}
			}
			stop := end
			if next < len(starts) {
				stop = min(end, starts[next].Addr)
			}
			if err := f.step(&l, s.data[addr-s.addr:stop-s.addr], addr, do); err != nil {
				return err
			}
			addr += uint64(len(l.Bytes))
		}
	}
	return nil
}

// step decodes the first instruction of a piece of code.
func (f *File) step(l *Line, code []byte, addr uint64, do func(*Line) error) error {
	n, err := f.ISA.Decode(code, addr, &l.Inst)
	l.Addr = addr
	if err != nil {
		n, l.Err = min(max(1, n), len(code)), err
	}
	l.Bytes = code[:n]
	return do(l)
}
