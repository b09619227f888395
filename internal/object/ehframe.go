package object

import "encoding/binary"

// cursor reads little-endian numbers; past the end it reads zeros and sets bad.
type cursor struct {
	data []byte
	pos  int
	bad  bool
}

func (c *cursor) take(n int) []byte {
	if n < 0 || c.pos+n > len(c.data) {
		c.bad = true
		c.pos = len(c.data)
		return make([]byte, max(0, min(n, 8)))
	}
	b := c.data[c.pos : c.pos+n]
	c.pos += n
	return b
}

func (c *cursor) u8() byte    { return c.take(1)[0] }
func (c *cursor) u32() uint32 { return binary.LittleEndian.Uint32(c.take(4)) }
func (c *cursor) u64() uint64 { return binary.LittleEndian.Uint64(c.take(8)) }

func (c *cursor) uleb() (v uint64) {
	for shift := uint(0); !c.bad; shift += 7 {
		b := c.u8()
		if shift < 64 {
			v |= uint64(b&0x7f) << shift
		}
		if b < 0x80 {
			break
		}
	}
	return v
}

// Pointer encodings of .eh_frame (LSB core specification, 10.5.1).
const (
	ehAbsPtr = 0x00
	ehUData2 = 0x02
	ehUData4 = 0x03
	ehUData8 = 0x04
	ehSData2 = 0x0a
	ehSData4 = 0x0b
	ehSData8 = 0x0c
	ehPCRel  = 0x10
)

// pointer reads an encoded pointer; the section starts at base.
func (c *cursor) pointer(enc byte, base uint64) uint64 {
	at := base + uint64(c.pos)
	var v uint64
	switch enc & 0x0f {
	case ehAbsPtr, ehUData8, ehSData8:
		v = c.u64()
	case ehUData4:
		v = uint64(c.u32())
	case ehSData4:
		v = uint64(int64(int32(c.u32())))
	case ehUData2:
		v = uint64(binary.LittleEndian.Uint16(c.take(2)))
	case ehSData2:
		v = uint64(int64(int16(binary.LittleEndian.Uint16(c.take(2)))))
	default:
		c.bad = true
	}
	switch enc & 0x70 {
	case 0:
	case ehPCRel:
		v += at
	default:
		c.bad = true
	}
	return v
}

// ehFrame returns the address ranges of the functions that an .eh_frame section at address base describes, and those
// of the functions that unwind their stacks, or of pointers to these. Damaged entries are omitted.
func ehFrame(data []byte, base uint64) (out []bounds, personalities []uint64) {
	encodings := map[int]byte{} // offset of a CIE → pointer encoding
	for pos := 0; pos+8 <= len(data); {
		c := cursor{data: data, pos: pos}
		size := int(c.u32())
		if size == 0 || size > len(data)-c.pos {
			break
		}
		body := c.pos
		id := int(c.u32())
		entry := cursor{data: data[:body+size], pos: c.pos}
		if id == 0 {
			var personality uint64
			if encodings[pos], personality = common(&entry, base); personality != 0 && !entry.bad {
				personalities = append(personalities, personality)
			}
		} else if enc, ok := encodings[body-id]; ok {
			lo := entry.pointer(enc, base)
			n := entry.pointer(enc&0x0f, base)
			if !entry.bad && n > 0 && lo+n > lo {
				out = append(out, bounds{lo, lo + n})
			}
		}
		pos = body + size
	}
	return out, personalities
}

// common reads a common information entry: the pointer encoding of its entries, and the function that unwinds their
// stacks, or a pointer to it; 0 if there is none.
func common(c *cursor, base uint64) (enc byte, personality uint64) {
	c.u8() // version
	var aug []byte
	for b := c.u8(); b != 0 && !c.bad; b = c.u8() {
		aug = append(aug, b)
	}
	c.uleb() // code alignment
	c.uleb() // data alignment
	c.uleb() // return address register
	if len(aug) == 0 || aug[0] != 'z' {
		return ehAbsPtr, 0
	}
	c.uleb()
	for _, a := range aug[1:] {
		switch a {
		case 'R':
			return c.u8(), personality
		case 'L':
			c.u8()
		case 'P':
			enc := c.u8()
			personality = c.pointer(enc&(0x0f|ehPCRel), base)
		}
	}
	return ehAbsPtr, personality
}
