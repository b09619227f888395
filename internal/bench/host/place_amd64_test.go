package host

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// TestProbesPlace lays out programs for code of all lengths: the width probes, which say how crowded the core is, begin at a line of code in each, so that the code
// before them makes no difference. The same holds for the programs of other architectures.
func TestProbesPlace(t *testing.T) {
	nops := bytes.Repeat([]byte{0x0f, 0x1f, 0x40, 0x00}, widthUnroll)
	for n := range 130 {
		code := &Code{Bytes: bytes.Repeat([]byte{0x90}, n+1), Short: Run{Copies: 3, Trips: 10}, Long: Run{Copies: 3, Trips: 30}}
		image, _, _ := program(code, 0x10000)
		probes := 0
		for at := 0; ; probes++ {
			next := bytes.Index(image[at:], nops)
			if next < 0 {
				break
			}
			at += next
			end := at + len(nops) + 2 // dec %ecx
			top := end + 6 + int(int32(binary.LittleEndian.Uint32(image[end+2:])))
			if (codeBase+top)%64 != 0 || top > at {
				t.Errorf("%d bytes: a probe at %#x loops to %#x", n+1, codeBase+at, codeBase+top)
			}
			at = end
		}
		if probes != 3 { // at the gate, before and after the runs
			t.Fatalf("%d bytes: %d width probes", n+1, probes)
		}
	}
	for name, d := range map[string]driver{"arm64": &armDriver{}, "riscv64": &riscvDriver{}} {
		p := &layout{driver: d}
		for range 20 {
			d.addition(1, 2)
			first := true
			p.repeat(widthUnroll, widthUnroll, func() {
				if first && d.here()%64 != 0 {
					t.Errorf("%s: a probe begins at %#x", name, d.here())
				}
				first = false
				d.nop()
			})
		}
	}
}
