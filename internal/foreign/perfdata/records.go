package perfdata

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
)

// Kinds of records.
const (
	recordMmap        = 1
	recordLost        = 2
	recordComm        = 3
	recordFork        = 7
	recordSample      = 9
	recordMmap2       = 10
	recordLostSamples = 13
	lastOfKernel      = 21 // of the kinds that are known, here skipped

	recordAttr        = 64
	recordTracingData = 66
	recordBuildID     = 67
	recordRound       = 68
	recordAuxtrace    = 71
	recordFeature     = 80
	recordCompressed  = 81
	recordCompressed2 = 83
	firstOfPerf       = 64
	lastOfPerf        = 83
)

// Bits of a record's misc.
const (
	miscMode        = 7
	miscExec        = 1 << 13 // of comm
	miscData        = 1 << 13 // of mmap: not executable
	miscMapBuildID  = 1 << 14 // of mmap2: a build id in place of the inode
	miscBuildIDSize = 1 << 15 // of build ids: their size is given
)

// record is a record without its header.
type record struct {
	kind uint32
	misc uint16
	body []byte
}

// fields reads the fields of a record one after the other; bad is set where they are longer than the record.
type fields struct {
	b   []byte
	bad bool
}

func (f *fields) take(n int) []byte {
	if n < 0 || n > len(f.b) {
		f.bad, f.b = true, nil
		return nil
	}
	out := f.b[:n]
	f.b = f.b[n:]
	return out
}

func (f *fields) u64() uint64 {
	if b := f.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (f *fields) u32() uint32 {
	if b := f.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// words skips n words.
func (f *fields) words(n uint64) {
	if n > uint64(len(f.b)/8) {
		f.bad, f.b = true, nil
		return
	}
	f.take(int(n) * 8)
}

// text reads a string that ends in a zero byte or with the record.
func text(b []byte) string {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return string(b)
}

// sample reads a sample of an event.
func (a *attr) decode(r *record) (s Sample, err error) {
	f := &fields{b: r.body}
	s.Mode = Mode(r.misc & miscMode)
	s.Period = a.period
	if a.sample&hasIdentifier != 0 {
		f.u64()
	}
	if a.sample&hasIP != 0 {
		s.IP = f.u64()
	}
	if a.sample&hasTID != 0 {
		s.PID, s.TID = f.u32(), f.u32()
	}
	if a.sample&hasTime != 0 {
		s.Time = f.u64()
	}
	f.words(uint64(count(a.sample, hasAddr, hasID, hasStreamID, hasCPU)))
	if a.sample&hasPeriod != 0 {
		s.Period = f.u64()
	}
	if a.sample&hasRead != 0 {
		a.skipRead(f)
	}
	if a.sample&hasCallchain != 0 {
		f.words(f.u64())
	}
	if a.sample&hasRaw != 0 {
		f.take(int(f.u32()))
	}
	if a.sample&hasBranchStack != 0 {
		s.Branches = a.branchStack(f)
	}
	if f.bad {
		return s, fmt.Errorf("a sample of %d bytes is shorter than its fields", len(r.body))
	}
	return s, nil
}

// skipRead skips the values of counters.
func (a *attr) skipRead(f *fields) {
	per, n := 1+count(a.read, readID, readLost), uint64(1)
	if a.read&readGroup != 0 {
		n = f.u64()
	}
	f.words(uint64(count(a.read, readEnabled, readRunning)))
	if n > uint64(len(f.b)) {
		f.bad = true
		return
	}
	f.words(n * uint64(per))
}

// branchStack reads a branch stack. A sample of an event without one has none.
func (a *attr) branchStack(f *fields) []Branch {
	const entry = 24
	n := f.u64()
	if a.branches&branchHardIndex != 0 {
		f.u64()
	}
	if n > uint64(len(f.b)/entry) {
		f.bad = true
		return nil
	}
	out := make([]Branch, n)
	for i := range out {
		b := &out[i]
		b.From, b.To = f.u64(), f.u64()
		flags := f.u64()
		b.Mispredicted, b.Cycles = flags&1 != 0, uint16(flags>>4)
	}
	return out
}

// mapped is the record of a map.
type mapped struct {
	pid uint32
	Map
}

// mmap reads the record of a map.
func (r *record) mmap() (m mapped, ok bool) {
	f := &fields{b: r.body}
	m.pid = f.u32()
	f.u32()
	start, size := f.u64(), f.u64()
	m.Start, m.End, m.Offset = start, start+size, f.u64()
	if r.kind == recordMmap2 {
		place := f.take(24)
		f.u64() // protection and flags
		if n := 0; r.misc&miscMapBuildID != 0 && place != nil {
			if n = int(place[0]); n <= 20 {
				m.BuildID = hex.EncodeToString(place[4 : 4+n])
			}
		}
	}
	m.Path = text(f.b)
	return m, !f.bad && m.End > m.Start
}

// buildID reads the record of a build id.
func (r *record) buildID() (path, id string, ok bool) {
	f := &fields{b: r.body}
	f.u32()
	b := f.take(24)
	if f.bad {
		return "", "", false
	}
	n := 20
	if r.misc&miscBuildIDSize != 0 {
		n = min(int(b[20]), 20)
	}
	return text(f.b), hex.EncodeToString(b[:n]), true
}
