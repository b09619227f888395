package perfdata

import (
	"encoding/binary"
	"io"
)

// Features of the header.
const (
	featureBuildID   = 2
	featureRelease   = 4
	featureVersion   = 5
	featureArch      = 6
	featureCPU       = 8
	featureCPUID     = 9
	featureCommand   = 11
	featureEventDesc = 12
)

// features reads the parts behind the records of a file: first the list of their places, then the parts. A file that ends here is still of use.
func (r *reader) features(h *header) error {
	table := make([]byte, 16*len(h.features))
	if _, err := io.ReadFull(r.in, table); err != nil {
		return nil
	}
	r.at += uint64(len(table))
	for i, bit := range h.features {
		p := part{binary.LittleEndian.Uint64(table[16*i:]), binary.LittleEndian.Uint64(table[16*i+8:])}
		if p.at < r.at || p.size > maxFeature {
			continue // perf writes them in their order
		}
		if n, err := io.CopyN(io.Discard, r.in, int64(p.at-r.at)); err != nil {
			r.at += uint64(n)
			return nil
		}
		body := make([]byte, p.size)
		if _, err := io.ReadFull(r.in, body); err != nil {
			return nil
		}
		r.at = p.at + p.size
		r.feature(bit, body)
	}
	return nil
}

// feature reads a part of the header.
func (r *reader) feature(bit int, b []byte) {
	d := r.data
	for feature, to := range map[int]*string{featureRelease: &d.Release, featureVersion: &d.Version, featureArch: &d.Arch, featureCPU: &d.CPU, featureCPUID: &d.CPUID} {
		if bit == feature {
			*to = (&fields{b: b}).string()
		}
	}
	switch bit {
	case featureCommand:
		f := &fields{b: b}
		for n := f.u32(); n > 0 && !f.bad; n-- {
			if s := f.string(); !f.bad {
				d.Command = append(d.Command, s)
			}
		}
	case featureBuildID:
		for f := (&fields{b: b}); len(f.b) >= 8; {
			head := f.take(8)
			rec := record{misc: binary.LittleEndian.Uint16(head[4:])}
			if rec.body = f.take(int(binary.LittleEndian.Uint16(head[6:])) - 8); f.bad {
				return
			}
			if path, id, ok := rec.buildID(); ok {
				d.buildIDs[path] = id
			}
		}
	case featureEventDesc:
		r.named(&fields{b: b})
	}
}

// string reads a string with its length.
func (f *fields) string() string { return text(f.take(int(f.u32()))) }

// named reads the names of the events, which are in the order of the events.
func (r *reader) named(f *fields) {
	n, size := f.u32(), f.u32()
	for i := 0; i < int(n) && i < len(r.data.Events); i++ {
		f.take(int(size))
		ids := f.u32()
		name := f.string()
		if f.words(uint64(ids)); f.bad {
			return
		}
		r.data.Events[i].Name = name
	}
}
