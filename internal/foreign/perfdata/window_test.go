package perfdata

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"incore/internal/foreign/perfdata/made"
)

// compressed wraps records in a stream of zstd's, in blocks that are stored as they are, and in records of perf's for them.
func compressed(records []byte) (out []byte) {
	z := []byte{0x28, 0xb5, 0x2f, 0xfd, 0, 0x58} // a frame without its size; a window of 2 MiB
	for len(records) > 0 {
		n := min(len(records), 1<<17)
		head := uint32(n) << 3 // a block that is stored
		z = append(append(z, byte(head), byte(head>>8), byte(head>>16)), records[:n]...)
		records = records[n:]
	}
	for len(z) > 0 {
		n := min(len(z), 1<<15)
		out = binary.LittleEndian.AppendUint32(out, recordCompressed)
		out = binary.LittleEndian.AppendUint16(out, 0)
		out = binary.LittleEndian.AppendUint16(out, uint16(8+n))
		out = append(out, z[:n]...)
		z = z[n:]
	}
	return out
}

// TestWindow: compressed records, which have no rounds, wait in bounded memory, whatever their size and the order of their times, and each has its turn once.
func TestWindow(t *testing.T) {
	const most, samples = 1 << 17, 1500
	for name, time := range map[string]func(i int) uint64{
		"as they came": func(i int) uint64 { return uint64(i) },
		"backwards":    func(i int) uint64 { return uint64(samples - i) },
		"all the same": func(int) uint64 { return 1 },
		"after 0":      func(i int) uint64 { return uint64(i + 1) },
		"mixed":        func(int) uint64 { return rand.Uint64N(samples) },
		"the last":     func(i int) uint64 { return ^uint64(0) - uint64(i%2) },
	} {
		for _, branches := range []int{0, 2, 32, 300} {
			t.Run(fmt.Sprintf("%s, %d branches", name, branches), func(t *testing.T) {
				f := made.File{Path: "/bin/prog", Start: 0x1000, Size: 0x2000, Pipe: true}
				for i := range samples {
					f.Samples = append(f.Samples, made.Sample{IP: 0x1010, Time: time(i), Branches: make([]made.Branch, branches)})
				}
				records := f.Records()
				f.Samples = nil
				largest := 0
				r := newReader(bytes.NewReader(append(f.Bytes(), compressed(records)...)), nil)
				r.most = most
				got := 0
				r.do = func(s *Sample) {
					got++
					largest = max(largest, r.waiting)
				}
				d, err := r.read()
				if err != nil || d.Cut != nil || got != samples {
					t.Fatalf("%v, %+v: %d samples", err, d, got)
				}
				if largest > most+1<<16 {
					t.Errorf("%d bytes wait", largest)
				}
				if r.waiting != 0 || len(r.queue) != 0 {
					t.Errorf("%d records of %d bytes never had their turn", len(r.queue), r.waiting)
				}
			})
		}
	}
}
