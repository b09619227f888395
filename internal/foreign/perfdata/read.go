package perfdata

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Magic is how files begin.
const Magic = "PERFILE2"

// Bounds of what is read.
const (
	maxExpanded = 16 << 30 // bytes of compressed records, expanded
	maxFeature  = 64 << 20 // bytes of a section of the header
	maxWaiting  = 1 << 28  // bytes of memory of the records that are sorted at a time
)

// Is reports whether a file begins as perf's do, of any version and byte order.
func Is(head []byte) bool {
	return bytes.HasPrefix(head, []byte(Magic)) || bytes.HasPrefix(head, []byte("PERFFILE")) || bytes.HasPrefix(head, []byte("2ELIFREP"))
}

// Read reads a file and calls do for each sample, in the order of time. If the file is cut, or not readable from some place on, Data.Cut says so, and what came before counts. The
// error is for files from which nothing can be read.
func Read(in io.Reader, do func(*Sample)) (*Data, error) {
	return newReader(in, do).read()
}

func newReader(in io.Reader, do func(*Sample)) *reader {
	return &reader{in: bufio.NewReaderSize(in, 1<<16), data: &Data{buildIDs: map[string]string{}}, do: do, ids: map[uint64]int{}, live: processes{}, most: maxWaiting}
}

// read reads the file, once.
func (r *reader) read() (*Data, error) {
	var head [16]byte
	if _, err := io.ReadFull(r.in, head[:]); err != nil {
		return nil, errors.New("is too short for a file of perf's")
	}
	switch {
	case bytes.HasPrefix(head[:], []byte("2ELIFREP")):
		return nil, errors.New("was recorded on a big-endian machine, of which incore knows none")
	case bytes.HasPrefix(head[:], []byte("PERFFILE")):
		return nil, errors.New("is of the first version of perf's format (Linux before 2.6.33)")
	case !bytes.HasPrefix(head[:], []byte(Magic)):
		return nil, errors.New("is no file of perf's")
	}
	size := binary.LittleEndian.Uint64(head[8:])
	var err error
	if r.piping = size == 16; r.piping {
		r.at = size
		err = r.records(-1)
	} else {
		err = r.file(size)
	}
	if err == nil || r.seq > 0 {
		if zerr := r.expand(); err == nil {
			err = zerr
		}
	}
	r.flush(^uint64(0))
	total := 0
	for i := range r.data.Events {
		total += r.data.Events[i].Samples
	}
	if err == nil && total == 0 {
		err = errors.New("holds no samples")
	}
	if total == 0 {
		return nil, err
	}
	r.data.Cut = err
	return r.data, nil
}

// reader reads a file.
type reader struct {
	in     *bufio.Reader
	piping bool   // events are described by records
	at     uint64 // bytes read
	data   *Data
	do     func(*Sample)
	ids    map[uint64]int // id of a sample → event
	live   processes
	z      []byte // compressed records

	queue   []queued
	waiting int // bytes of memory of the queue
	most    int // bytes of memory from which on the older half of the queue has its turn
	seq     int
	round   uint64 // no record of the next rounds is older
	last    uint64 // the newest time seen
}

// queued is a record that waits for its turn.
type queued struct {
	time  uint64
	seq   int
	bytes int
	do    func()
}

// queuedBytes is the memory of a record that waits, without what is as long as the record itself: its branches, or the path of a map.
const queuedBytes = 256

// file reads a file that is not a pipe: the header names the places of its parts. Since the input need not be seekable, the parts are read in the order of the file.
func (r *reader) file(size uint64) error {
	if size < 104 || size > 1<<16 {
		return fmt.Errorf("has a header of %d bytes, where 104 are usual", size)
	}
	b := make([]byte, size-16)
	if _, err := io.ReadFull(r.in, b); err != nil {
		return errors.New("ends in its header")
	}
	r.at = size
	w := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	h := header{attrSize: w(0), attrs: part{w(1), w(2)}, records: part{w(3), w(4)}}
	for bit := range 256 {
		if w(7+bit/64)&(1<<(bit%64)) != 0 {
			h.features = append(h.features, bit)
		}
	}
	if h.records.size == 0 {
		return errors.New("has no records in its header: perf record did not end (it writes their place last)")
	}
	if h.attrSize < attrSize0+16 || h.attrs.size > maxFeature || h.attrs.size%h.attrSize != 0 || h.attrs.at > h.records.at {
		return errors.New("has a damaged header: its list of events has no valid place")
	}
	if h.records.at < r.at || h.records.at-r.at > maxFeature {
		return errors.New("has a damaged header: its records have no valid place")
	}
	before := make([]byte, h.records.at-r.at)
	if _, err := io.ReadFull(r.in, before); err != nil {
		return errors.New("ends before its records")
	}
	base := r.at
	r.at += uint64(len(before))
	if err := r.attrs(&h, before, base); err != nil {
		return err
	}
	if err := r.records(int64(h.records.size)); err != nil {
		return err
	}
	return r.features(&h)
}

// part is a part of a file.
type part struct{ at, size uint64 }

// header is the header of a file.
type header struct {
	attrSize       uint64
	attrs, records part
	features       []int
}

// attrs reads the events; before holds the bytes from base to the records.
func (r *reader) attrs(h *header, before []byte, base uint64) error {
	get := func(p part) []byte {
		if p.at < base || p.at-base > uint64(len(before)) || p.size > uint64(len(before))-(p.at-base) {
			return nil
		}
		return before[p.at-base:][:p.size]
	}
	all := get(h.attrs)
	for len(all) > 0 {
		one := all[:h.attrSize]
		all = all[h.attrSize:]
		a, err := readAttr(one[:len(one)-16])
		if err != nil {
			return err
		}
		ids := part{binary.LittleEndian.Uint64(one[len(one)-16:]), binary.LittleEndian.Uint64(one[len(one)-8:])}
		r.event(a, get(ids))
	}
	if len(r.data.Events) == 0 {
		return errors.New("names no events")
	}
	return nil
}

// event adds an event with its ids.
func (r *reader) event(a attr, ids []byte) {
	for ; len(ids) >= 8; ids = ids[8:] {
		r.ids[binary.LittleEndian.Uint64(ids)] = len(r.data.Events)
	}
	r.data.Events = append(r.data.Events, Event{Name: a.name(), attr: a})
}

// records reads records: as many bytes, or to the end of the input if size is below 0.
func (r *reader) records(size int64) error {
	var head [8]byte
	for size < 0 || size > 0 {
		if _, err := io.ReadFull(r.in, head[:]); err == io.EOF && size < 0 {
			return nil
		} else if err != nil {
			return fmt.Errorf("is cut after %d bytes", r.at)
		}
		n := int64(binary.LittleEndian.Uint16(head[6:]))
		if n < 8 || size >= 0 && n > size {
			return fmt.Errorf("is damaged at byte %d: a record of %d bytes", r.at, n)
		}
		body := make([]byte, n-8)
		if _, err := io.ReadFull(r.in, body); err != nil {
			return fmt.Errorf("is cut after %d bytes", r.at)
		}
		rec := record{binary.LittleEndian.Uint32(head[:]), binary.LittleEndian.Uint16(head[4:]), body}
		r.at += uint64(n)
		more, err := r.record(&rec)
		if err != nil {
			return fmt.Errorf("is damaged at byte %d: %w", r.at-uint64(n), err)
		}
		if size > 0 {
			size -= n + more
		}
	}
	return nil
}

// record takes a record. It returns the number of bytes that follow it and were skipped.
func (r *reader) record(rec *record) (more int64, err error) {
	switch rec.kind {
	case recordAttr:
		return 0, r.piped(rec)
	case recordTracingData, recordAuxtrace:
		f := &fields{b: rec.body}
		if more = int64(f.u32()); rec.kind == recordAuxtrace {
			more |= int64(f.u32()&0x7fffffff) << 32
		} else {
			more = (more + 7) &^ 7
			if !r.piping {
				more = 0 // a file has them elsewhere
			}
		}
		n, err := io.CopyN(io.Discard, r.in, more)
		if r.at += uint64(n); err != nil {
			return more, fmt.Errorf("%d bytes of a trace are expected, %d are there", more, n)
		}
		return more, nil
	case recordBuildID:
		if path, id, ok := rec.buildID(); ok {
			r.data.buildIDs[path] = id
		}
	case recordRound:
		r.flush(r.round)
		r.round = r.last
	case recordFeature:
		if len(rec.body) >= 8 {
			r.feature(int(binary.LittleEndian.Uint64(rec.body)), rec.body[8:])
		}
	case recordCompressed:
		r.z = append(r.z, rec.body...)
	case recordCompressed2:
		f := &fields{b: rec.body}
		n := f.u64()
		if n > uint64(len(f.b)) {
			return 0, errors.New("compressed records are longer than the record around them")
		}
		r.z = append(r.z, f.b[:n]...)
	default:
		return 0, r.ofKernel(rec)
	}
	return 0, nil
}

// piped reads an event of a pipe.
func (r *reader) piped(rec *record) error {
	if len(rec.body) < attrSize0 {
		return errors.New("a description of an event is too short")
	}
	n := int(binary.LittleEndian.Uint32(rec.body[4:]))
	if n < attrSize0 || n > len(rec.body) {
		return fmt.Errorf("a description of an event of %d bytes", n)
	}
	a, err := readAttr(rec.body[:n])
	r.event(a, rec.body[n:])
	return err
}

// expand reads the compressed records, which are one stream.
func (r *reader) expand() error {
	if len(r.z) == 0 {
		return nil
	}
	in, err := unzstd(r.z)
	if err != nil {
		return fmt.Errorf("has compressed records that cannot be read: %w", err)
	}
	r.z = nil
	limited := &io.LimitedReader{R: in, N: maxExpanded}
	out := bufio.NewReaderSize(limited, 1<<16)
	var head [8]byte
	for {
		if _, err := io.ReadFull(out, head[:]); err != nil {
			if limited.N <= 0 {
				return fmt.Errorf("has compressed records of more than %d bytes", int64(maxExpanded))
			}
			if errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF {
				return nil // perf does not end its frame
			}
			return fmt.Errorf("has compressed records that cannot be read: %w", err)
		}
		n := int(binary.LittleEndian.Uint16(head[6:]))
		if n < 8 {
			return errors.New("is damaged in its compressed records")
		}
		body := make([]byte, n-8)
		if _, err := io.ReadFull(out, body); err != nil {
			return fmt.Errorf("has compressed records that end in the middle: %w", err)
		}
		if err := r.ofKernel(&record{binary.LittleEndian.Uint32(head[:]), binary.LittleEndian.Uint16(head[4:]), body}); err != nil {
			return err
		}
	}
}

// ofKernel takes a record that the kernel writes: it waits for its turn.
func (r *reader) ofKernel(rec *record) error {
	if rec.kind == recordSample {
		return r.sample(rec)
	}
	var do func()
	f := &fields{b: rec.body}
	switch rec.kind {
	case recordMmap, recordMmap2:
		m, ok := rec.mmap()
		if !ok || rec.misc&miscData != 0 {
			return nil
		}
		if Mode(rec.misc&miscMode) == ModeKernel {
			m.pid = kernel
		}
		do = func() { r.live.of(m.pid).add(&m.Map) }
	case recordFork:
		pid, parent := f.u32(), f.u32()
		do = func() { r.live.fork(pid, parent) }
	case recordComm:
		if pid := f.u32(); rec.misc&miscExec != 0 && !f.bad {
			do = func() { r.live.exec(pid) }
		}
	case recordLost:
		f.u64()
		r.data.Lost += f.u64()
	case recordLostSamples:
		r.data.Lost += f.u64()
	default:
		if rec.kind > lastOfKernel && rec.kind < firstOfPerf || rec.kind > lastOfPerf || rec.kind == 0 {
			r.data.Unknown++
		}
	}
	if do != nil && !f.bad {
		r.wait(rec, r.timeOf(rec), do)
	}
	return nil
}

// timeOf returns the time at the end of a record that is no sample, 0 if it has none, as those that perf made up of /proc when it began.
func (r *reader) timeOf(rec *record) uint64 {
	if len(r.data.Events) == 0 {
		return 0
	}
	a := &r.data.Events[0].attr
	id, time := a.trailer()
	if n := len(rec.body); id > 0 && id <= n && len(r.data.Events) > 1 {
		if e, ok := r.ids[binary.LittleEndian.Uint64(rec.body[n-id:])]; ok {
			_, time = r.data.Events[e].attr.trailer()
		}
	}
	if n := len(rec.body); time > 0 && time <= n {
		return binary.LittleEndian.Uint64(rec.body[n-time:])
	}
	return 0
}

// sample takes a sample.
func (r *reader) sample(rec *record) error {
	if len(r.data.Events) == 0 {
		return errors.New("a sample comes before its event is described")
	}
	e := 0
	if len(r.data.Events) > 1 {
		if at := r.data.Events[0].attr.idOffset(); at >= 0 && at+8 <= len(rec.body) {
			n, ok := r.ids[binary.LittleEndian.Uint64(rec.body[at:])]
			if !ok {
				return nil // of an event that perf keeps for itself
			}
			e = n
		}
	}
	s, err := r.data.Events[e].attr.decode(rec)
	if err != nil {
		return err
	}
	s.Event = e
	r.data.Events[e].Samples++
	r.wait(rec, s.Time, func() {
		p := r.live[s.PID]
		s.MapOf = p.at
		if s.Map = p.at(s.IP); s.Mode == ModeKernel || s.Map == nil {
			if m := r.live[kernel].at(s.IP); m != nil {
				s.Map = m
			}
		}
		r.do(&s)
	})
	return nil
}

// wait lets a record wait for its turn. Of a file without rounds, as compressed ones are here, or with very long ones, the older half has its turn when the queue is full.
func (r *reader) wait(rec *record, time uint64, do func()) {
	n := queuedBytes + len(rec.body)
	r.queue = append(r.queue, queued{time, r.seq, n, do})
	r.waiting += n
	r.seq++
	r.last = max(r.last, time)
	if r.waiting >= r.most {
		slices.SortFunc(r.queue, before)
		r.flush(r.queue[len(r.queue)/2].time)
	}
}

// before orders records by time, those of the same time as they came.
func before(a, b queued) int {
	switch {
	case a.time < b.time:
		return -1
	case a.time > b.time:
		return 1
	}
	return a.seq - b.seq
}

// flush does what the records up to a time say.
func (r *reader) flush(until uint64) {
	slices.SortFunc(r.queue, before)
	n := 0
	for ; n < len(r.queue) && r.queue[n].time <= until; n++ {
		r.queue[n].do()
		r.waiting -= r.queue[n].bytes
	}
	rest := copy(r.queue, r.queue[n:])
	clear(r.queue[rest:]) // what was done is garbage
	r.queue = r.queue[:rest]
}
