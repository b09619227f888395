package probe

import (
	"encoding/binary"
	"fmt"

	"incore/internal/isa"
	"incore/internal/object"
)

// place is a place where a jump to a probe replaces instructions.
type place struct {
	addr  uint64 // address in the file
	lines []isa.Line
	hop   uint64 // gap between functions with the long jump, if there is room for a short jump only; 0: none
}

const (
	jumpBytes  = 5 // bytes of a jump with a 32-bit distance
	shortBytes = 2 // bytes of a jump with an 8-bit distance
)

// end returns the address after the replaced instructions.
func (p *place) end() uint64 {
	l := &p.lines[len(p.lines)-1]
	return l.Addr + uint64(l.Inst.Size)
}

// find returns the instructions that a jump at an address replaces. Only the first of them may be the target of a branch.
func find(f *object.File, addr uint64) (*place, error) {
	fn := f.At(addr)
	if fn == nil {
		return nil, fmt.Errorf("%w: %#x is in no function of %s", ErrPlace, addr, f.Path)
	}
	p := &place{addr: addr}
	have := p.take(f, fn, jumpBytes)
	if have >= jumpBytes {
		return p, nil
	}
	if have < shortBytes {
		return nil, fmt.Errorf("%w: behind %d byte of %#x another jump leads", ErrPlace, have, addr)
	}
	p.lines = nil
	p.take(f, fn, shortBytes)
	if p.hop = gap(f, fn, addr); p.hop == 0 {
		return nil, fmt.Errorf("%w: only %d bytes at %#x are free of jumps into them, and there are no unused bytes nearby", ErrPlace, have, addr)
	}
	return p, nil
}

// take collects instructions until they have want bytes, and returns their number of bytes.
func (p *place) take(f *object.File, fn *object.Function, want int) (have int) {
	heads := map[uint64]bool{}
	g := fn.Graph()
	for i, b := range g.Blocks {
		led := g.Unknown > 0 // a jump may lead anywhere
		for _, from := range b.Pred {
			led = led || from != i-1
		}
		heads[b.Addr] = led
	}
	for have < want {
		at := p.addr + uint64(have)
		if have > 0 && heads[at] || at >= fn.End() {
			return have
		}
		l := isa.Line{Addr: at}
		n, err := f.ISA.Decode(f.Bytes(at, 16), at, &l.Inst)
		if err != nil || n == 0 {
			return have
		}
		l.Inst.Size = uint8(n)
		p.lines = append(p.lines, l)
		have += n
		if k := f.ISA.Flow(&l.Inst).Kind; k == isa.FlowReturn || k == isa.FlowJump || k == isa.FlowIndirect || k == isa.FlowTrap {
			if have < want && unused(f, p.addr+uint64(have), p.addr+uint64(want)) { // the bytes after it are unused
				return want
			}
			return have
		}
	}
	return have
}

// unused reports whether bytes are between functions.
func unused(f *object.File, lo, hi uint64) bool {
	for a := lo; a < hi; a++ {
		if f.At(a) != nil || len(f.Bytes(a, 1)) == 0 {
			return false
		}
	}
	return true
}

// gap finds room for a jump between functions, in reach of a short jump at an address; 0: there is none.
func gap(f *object.File, fn *object.Function, addr uint64) uint64 {
	const back, ahead = 126, 129
	for a := addr - min(addr, back); a+jumpBytes <= addr+ahead; a++ {
		if (a >= fn.End() || a+jumpBytes <= fn.Addr) && unused(f, a, a+jumpBytes) {
			return a
		}
	}
	return 0
}

// patches returns the bytes to write, by address of the file, so that the place jumps to a probe at to.
func (p *place) patches(to, bias uint64) map[uint64][]byte {
	far := func(from uint64) []byte {
		return binary.LittleEndian.AppendUint32([]byte{0xe9}, uint32(to-(from+bias)-jumpBytes))
	}
	if p.hop == 0 {
		return map[uint64][]byte{p.addr: far(p.addr)}
	}
	return map[uint64][]byte{p.hop: far(p.hop), p.addr: {0xeb, byte(p.hop - p.addr - shortBytes)}}
}
