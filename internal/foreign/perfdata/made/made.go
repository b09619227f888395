// Package made makes files as perf record writes them, for tests: no machine at hand has branch records with cycles.
package made

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/hex"
)

// File is a recording of one process.
type File struct {
	Arch, CPUID string
	Path        string // the mapped file
	BuildID     string
	Start, Size uint64 // of the map
	Offset      uint64
	Samples     []Sample
	Pipe        bool
}

// Sample is a sample with its branches, the newest first; addresses are those of the process.
type Sample struct {
	IP       uint64
	Time     uint64 // 0: one after the other
	Branches []Branch
}

// Branch is a taken branch.
type Branch struct {
	From, To     uint64
	Cycles       uint16
	Mispredicted bool
}

const pid = 4711

// sampleType is IP, TID, TIME, PERIOD, BRANCH_STACK.
const sampleType = 1 | 2 | 4 | 1<<8 | 1<<11

func words(w ...uint64) (b []byte) {
	for _, x := range w {
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	return b
}

func record(kind uint32, misc uint16, body []byte) []byte {
	for len(body)%8 != 0 {
		body = append(body, 0)
	}
	b := binary.LittleEndian.AppendUint32(nil, kind)
	b = binary.LittleEndian.AppendUint16(b, misc)
	return append(binary.LittleEndian.AppendUint16(b, uint16(8+len(body))), body...)
}

func text(s string) []byte {
	b := append([]byte(s), 0)
	for len(b)%8 != 0 {
		b = append(b, 0)
	}
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(b))), b...)
}

// attr is the event: cycles, with branch stacks.
func attr() []byte {
	b := make([]byte, 136)
	binary.LittleEndian.PutUint32(b[4:], uint32(len(b)))
	copy(b[16:], words(1000, sampleType, 0, 1<<18)) // a period; sample_id_all
	copy(b[72:], words(1<<3))
	return b
}

// Records returns the records of the file, without what describes it.
func (f *File) Records() (b []byte) {
	path := append([]byte(f.Path), 0)
	for len(path)%8 != 0 {
		path = append(path, 0)
	}
	id := words(pid|pid<<32, 1) // who, when
	mmap := append(words(pid|pid<<32, f.Start, f.Size, f.Offset), make([]byte, 32)...)
	b = append(b, record(10, 2, append(append(mmap, path...), id...))...)
	for i, s := range f.Samples {
		body := words(s.IP, pid|pid<<32, cmp.Or(s.Time, uint64(100+i)), 1000, uint64(len(s.Branches)))
		for _, x := range s.Branches {
			flags := uint64(x.Cycles)<<4 | 2
			if x.Mispredicted {
				flags = uint64(x.Cycles)<<4 | 1
			}
			body = append(body, words(x.From, x.To, flags)...)
		}
		b = append(b, record(9, 2, body)...)
		if i%100 == 99 {
			b = append(b, record(68, 0, nil)...)
		}
	}
	return b
}

// features are the parts of the header by their bits.
func (f *File) features() (bits []int, parts [][]byte) {
	if id, _ := hex.DecodeString(f.BuildID); len(id) > 0 {
		body := append(binary.LittleEndian.AppendUint32(nil, pid), append(append(id, make([]byte, 20-len(id))...), byte(len(id)), 0, 0, 0)...)
		bits, parts = append(bits, 2), append(parts, record(0, 1<<15|2, append(body, append([]byte(f.Path), 0)...)))
	}
	return append(bits, 6, 9), append(parts, text(f.Arch), text(f.CPUID))
}

// Bytes returns the file.
func (f *File) Bytes() []byte {
	bits, parts := f.features()
	if f.Pipe {
		b := append([]byte("PERFILE2"), words(16)...)
		b = append(b, record(64, 0, append(attr(), words(7)...))...)
		for i := range bits {
			if bits[i] == 2 {
				b = append(b, record(67, 1<<15|2, parts[i][8:])...)
				continue
			}
			b = append(b, record(80, 0, append(words(uint64(bits[i])), parts[i]...))...)
		}
		return append(b, f.Records()...)
	}
	const headerSize = 104
	records, entry := f.Records(), uint64(136+16)
	ids, attrs := uint64(headerSize), uint64(headerSize+8)
	data := attrs + entry
	flags := uint64(0)
	for _, bit := range bits {
		flags |= 1 << bit
	}
	b := append([]byte("PERFILE2"), words(headerSize, entry, attrs, entry, data, uint64(len(records)), 0, 0, flags, 0, 0, 0)...)
	b = append(append(append(append(b, words(7)...), attr()...), words(ids, 8)...), records...)
	at := uint64(len(b) + 16*len(parts))
	for _, p := range parts {
		b = append(b, words(at, uint64(len(p)))...)
		at += uint64(len(p))
	}
	return append(b, bytes.Join(parts, nil)...)
}
