package dyndeps

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// FuzzTraceOf reads damaged results of the plugin: an error or a trace whose indices are those of the program, never a panic or more
// memory than the file holds.
func FuzzTraceOf(f *testing.F) {
	var b bytes.Buffer
	_ = binary.Write(&b, binary.LittleEndian, rawHeader{Magic: magic, Blocks: 1, Loops: 1, Funcs: 1, Insns: 5})
	_ = binary.Write(&b, binary.LittleEndian, []uint64{1, 2, 3})
	f.Add(b.Bytes())
	for _, h := range []rawHeader{
		{Magic: magic, Blocks: 1 << 60, Loops: 1, Funcs: 1 << 62},
		{Magic: magic, Blocks: 1, Loops: 1, Funcs: 1 << 40},
		{Magic: magic, Blocks: 1, Loops: 1, Dists: 1 << 60},
		{Magic: magic, Blocks: 1, Loops: 1, Pairs: maxPairs},
	} {
		b.Reset()
		_ = binary.Write(&b, binary.LittleEndian, h)
		b.Write(make([]byte, 64))
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p := &Program{Blocks: make([]Block, 1), Loops: make([]Loop, 1)}
		p.Blocks[0].Lo, p.Blocks[0].Hi = 1, 1
		tr, _, err := p.traceOf(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		if len(tr.Blocks) != 1 || len(tr.Loops) != 1 {
			t.Fatalf("%d blocks, %d loops", len(tr.Blocks), len(tr.Loops))
		}
		for _, x := range tr.Pairs {
			for _, d := range x.Distances {
				if d.Loop >= 1 {
					t.Fatalf("a distance in loop %d of 1", d.Loop)
				}
			}
		}
	})
}

// FuzzRegions reads lists of mappings.
func FuzzRegions(f *testing.F) {
	f.Add("7f00000-7f01000 r-xp 00000000 08:01 42 /lib/libc.so.6\n", uint64(0))
	f.Add("7f00000-7f01000 r-xp 0 08:01 1 /\n7fffffffffffffff-ffffffffffffffff rw-p 00000000 00:00 0\n", uint64(1<<63))
	f.Fuzz(func(t *testing.T, maps string, base uint64) {
		for _, r := range readRegions(bytes.NewReader([]byte(maps)), base) {
			if r.path == "" || r.path[0] != '/' {
				t.Fatalf("path %q", r.path)
			}
		}
	})
}
