package aarch64

import (
	"math"
	"math/bits"
)

// encodeLogical encodes a bitmask immediate as the 13 bits N:immr:imms (Arm ARM,
// DecodeBitMasks): a pattern of 2, 4 … 64 bits that repeats, itself a rotated run of ones.
// width is the register's or element's size in bits.
func encodeLogical(v uint64, width uint) (enc uint32, ok bool) {
	if width < 64 {
		v &= 1<<width - 1
		for w := width; w < 64; w *= 2 {
			v |= v << w
		}
	}
	if v == 0 || v == ^uint64(0) {
		return 0, false
	}
	size := uint(64)
	for size > 2 {
		half := size / 2
		m := uint64(1)<<half - 1
		if v&m != v>>half&m {
			break
		}
		size = half
	}
	m := ^uint64(0) >> (64 - size)
	p := v & m
	ones := uint(bits.OnesCount64(p))
	// rotate left until the run starts at bit 0
	for r := uint(0); r < size; r++ {
		if (p<<r|p>>(size-r))&m == uint64(1)<<ones-1 {
			n := uint32(0)
			if size == 64 {
				n = 1
			}
			return n<<12 | uint32(r)<<6 | uint32(^(size*2-1)&0x3f) | uint32(ones-1), true
		}
	}
	return 0, false
}

// decodeLogical is the inverse of encodeLogical; ok is false for reserved encodings.
func decodeLogical(enc uint32, width uint) (v uint64, ok bool) {
	n, immr, imms := enc>>12&1, uint(enc>>6&0x3f), uint(enc&0x3f)
	l := bits.Len32(n<<6 | ^uint32(imms)&0x3f)
	if l < 2 {
		return 0, false
	}
	size := uint(1) << (l - 1)
	if size > width {
		return 0, false
	}
	s, r := imms&(size-1), immr&(size-1)
	if s == size-1 {
		return 0, false
	}
	p := uint64(1)<<(s+1) - 1
	m := ^uint64(0) >> (64 - size)
	p = (p>>r | p<<(size-r)) & m
	for w := size; w < 64; w *= 2 {
		p |= p << w
	}
	if width < 64 {
		p &= 1<<width - 1
	}
	return p, true
}

// encodeFP8 encodes a floating-point constant of FMOV: ±(16+m)/16·2^e, -3 ≤ e ≤ 4.
func encodeFP8(f float64) (enc int64, ok bool) {
	b := math.Float64bits(f)
	e := int(b>>52&0x7ff) - 1023
	if b&(1<<48-1) != 0 || e < -3 || e > 4 {
		return 0, false
	}
	return int64(b>>63<<7 | uint64((e-1)&7)<<4 | b>>48&0xf), true
}

// decodeFP8 is the inverse of encodeFP8.
func decodeFP8(enc int64) float64 {
	e := int(enc >> 4 & 7)
	if e < 4 {
		e++ // 000 … 011 are exponents 1 … 4
	} else {
		e -= 7 // 100 … 111 are -3 … 0
	}
	f := math.Ldexp(float64(16+enc&0xf)/16, e)
	if enc&0x80 != 0 {
		return -f
	}
	return f
}

// encodeByteMask encodes the 64-bit immediate of MOVI whose bytes are all 0 or 255.
func encodeByteMask(v uint64) (enc int64, ok bool) {
	for i := range 8 {
		switch v >> (8 * i) & 0xff {
		case 0xff:
			enc |= 1 << i
		case 0:
		default:
			return 0, false
		}
	}
	return enc, true
}

func decodeByteMask(enc int64) (v uint64) {
	for i := range 8 {
		if enc>>i&1 != 0 {
			v |= 0xff << (8 * i)
		}
	}
	return v
}

// shifted splits an immediate into a value and a left shift of 0 or width, as
// assemblers do for "add x0, x1, #4096".
func shifted(v int64, width uint) (int64, int64) {
	if v != 0 && v>>width<<width == v {
		return v >> width, int64(width)
	}
	return v, 0
}

// isMovWide reports whether MOVZ with this shift makes v in a register of width bits.
// Zero is made with shift 0.
func isMovWide(v uint64, width, shift uint) bool {
	if width == 32 {
		v &= 1<<32 - 1
	}
	return v&^(0xffff<<shift) == 0 && (v != 0 || shift == 0)
}

func isMovWideAny(v uint64, width uint) bool {
	for s := uint(0); s < width; s += 16 {
		if isMovWide(v, width, s) {
			return true
		}
	}
	return false
}

// isMovInverted reports whether MOVN with this shift makes v and no MOVZ does.
func isMovInverted(v uint64, width, shift uint) bool {
	return !isMovWideAny(v, width) && isMovWide(^v, width, shift)
}

// isSVECopy and isSVEAdd report whether SVE's DUP/CPY and ADD/SUB can encode an immediate for elements
// of a width in bits: a signed (for ADD/SUB unsigned) byte, shifted left by 0 or 8.
func isSVECopy(v int64, width uint) bool {
	if width < 64 && v>>width != 0 && v>>width != -1 || width == 8 && v != 0 && v&0xff == 0 {
		return false
	}
	v = v << (64 - width) >> (64 - width) // only the element's bits count
	byteSigned := int64(int8(v)) == v
	return byteSigned || width > 8 && int64(int16(v&^0xff)) == v
}

func isSVEAdd(v int64, width uint) bool {
	return int64(uint8(v)) == v || width != 8 && int64(uint16(v&^0xff)) == v
}
