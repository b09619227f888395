package dbi

import (
	"encoding/binary"
	"fmt"
	"slices"

	"incore/internal/isa"
)

// This file copies instructions without a branch, whose addresses may be relative to the instruction pointer.

// mend corrects the distance at an offset of the code: it was relative to the address next and becomes relative to the offset end of the code.
func (e *emitter) mend(off int, next int64, end int) bool {
	old := int64(int32(binary.LittleEndian.Uint32(e.b[off:])))
	distance := next + old - int64(e.base+uint64(end))
	binary.LittleEndian.PutUint32(e.b[off:], uint32(distance))
	return distance == int64(int32(distance))
}

// plain copies an instruction without a branch and corrects its address relative to the instruction pointer.
func (e *emitter) plain(in *Inst, text []byte) error {
	at := len(e.b)
	e.bytes(text...)
	if m := e.modrm(in, text); m > 0 && text[m]&0xc7 == 5 {
		if !e.mend(at+m+1, int64(in.Next()), len(e.b)) {
			return fmt.Errorf("what the instruction at %#x accesses is too far from its copy", in.Addr)
		}
	}
	return nil
}

// modrm returns the offset of the ModRM byte, 0 if the instruction has no memory operand.
func (e *emitter) modrm(in *Inst, text []byte) int {
	relative := false
	for i := range in.Ops[:in.NOps] {
		r := in.Reg(i)
		relative = relative || r != isa.NoReg && e.isa.Constant(r) && i+4 < int(in.NOps)
	}
	if !relative {
		return 0
	}
	i := 0
	for slices.Contains([]byte{0x66, 0x67, 0xf2, 0xf3, 0x2e, 0x36, 0x3e, 0x26, 0x64, 0x65, 0xf0}, text[i]) {
		i++
	}
	switch {
	case text[i] == 0xc5:
		return i + 3
	case text[i] == 0xc4:
		return i + 4
	case text[i] == 0x62:
		return i + 5
	case text[i]&0xf0 == 0x40:
		i++
	}
	switch {
	case text[i] != 0x0f:
		return i + 1
	case text[i+1] == 0x38 || text[i+1] == 0x3a:
		return i + 3
	}
	return i + 2
}
