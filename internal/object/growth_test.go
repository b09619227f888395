package object

import (
	"bytes"
	"encoding/binary"
	"testing"

	"incore/internal/base/growth"
	"incore/internal/isa/x86"
)

// FuzzGrowth finds the loops of machine code that is made of repeated pieces: n copies of one, then n of a second, each of which ends in
// a conditional jump back to a copy of the first: to its own, to that of a loop around it, or to one that the fuzzer names.
func FuzzGrowth(f *testing.F) {
	f.Add([]byte{0x90}, []byte{0x48, 0xff, 0xc9}, uint8(0))         // nop; dec: loops in loops
	f.Add([]byte{0x90}, []byte{0x48, 0xff, 0xc9}, uint8(1))         // loops that cross
	f.Add([]byte{0x48, 0xff, 0xc9, 0x75, 0xfb}, []byte{}, uint8(0)) // loops one after another
	f.Add([]byte{0x75, 0x00}, []byte{0x75, 0x00, 0xc3}, uint8(2))   // every jump is a block
	f.Add([]byte{0xff, 0x24, 0xc5, 0, 0, 0, 0}, []byte{}, uint8(3))
	f.Add([]byte{0xe8, 0, 0, 0, 0, 0xc3}, []byte{0xe8, 0, 0, 0, 0}, uint8(7))
	f.Fuzz(func(t *testing.T, a, b []byte, way uint8) {
		if len(a) == 0 || len(a)+len(b) > 200 {
			return
		}
		growth.Check(t, 4<<10/(len(a)+len(b)+6)+1, func(n int) func() {
			code := bytes.Repeat(a, n)
			for i := n - 1; i >= 0 && len(b) > 0; i-- {
				to := i
				switch way % 4 {
				case 1:
					to = n - 1 - i
				case 2:
					to = i * int(way) % n
				case 3:
					to = 0
				}
				code = append(code, b...)
				code = append(code, 0x0f, 0x85) // jne
				code = binary.LittleEndian.AppendUint32(code, uint32(to*len(a)-len(code)-4))
			}
			return func() {
				file, err := Raw(code, 0x1000, x86.ISA())
				if err != nil {
					return
				}
				for _, fn := range file.Functions() {
					file.Loops(fn)
				}
			}
		})
	})
}
