// Package pprof reads CPU profiles as pprof has them: profile.proto, compressed by gzip or not, which Go's runtime/pprof and many other profilers write, and the binary
// format of gperftools. It keeps what an analysis of loops needs: the time at each place of the code at which a sample was taken, without call stacks. Memory
// is bounded by limits on the parts of a profile, whose sizes the input states.
package pprof

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
)

// Place is where samples were taken: at an offset in the file of an executable or library, or in a line of a function if the profile has no addresses.
type Place struct {
	Object   string // path
	Offset   uint64
	Function string // "" if Offset is known
	Line     int    // 0: not known
}

// Profile is the time at each place, in the profile's unit.
type Profile struct {
	Places map[Place]float64
	IDs    map[string]string // build ids of executables and libraries by path, in hexadecimal digits
	Lost   float64           // time at places that the profile does not tell
}

// Bounds of what is read.
const (
	maxBytes   = 1 << 30   // of an expanded profile
	maxMessage = 16 << 20  // bytes of a message
	maxStrings = 256 << 20 // bytes of the table of strings
	maxEntries = 1 << 20   // strings, locations, functions, mappings
)

const gzipMagic = "\x1f\x8b"

// HeadSize is the number of a file's first bytes that Is looks at.
const HeadSize = 64

// Is reports whether the first bytes of a file may be those of a profile.
func Is(head []byte) bool {
	return bytes.HasPrefix(head, []byte(gzipMagic)) || isProto(head) || isGperf(head)
}

// wires are the wire types of the fields of a profile, by number: b for messages and strings, n for numbers, * for either.
const wires = " bbbbbbnnnnbn*nn"

// isProto reports whether the first bytes are fields of a profile, and no text.
func isProto(head []byte) bool {
	control := bytes.ContainsFunc(head, func(r rune) bool { return r < ' ' && !strings.ContainsRune("\t\n\r\f", r) })
	for len(head) > 0 && control {
		field, wire := head[0]>>3, head[0]&7
		if head = head[1:]; field == 0 || int(field) >= len(wires) || wire != wireBytes && wire != wireVarint || wire == wireBytes && wires[field] == 'n' || wire == wireVarint && wires[field] == 'b' {
			return false
		}
		v, n := binary.Uvarint(head)
		if n < 0 {
			return false
		}
		if n == 0 {
			break // cut
		}
		if head = head[n:]; wire == wireBytes {
			head = head[min(v, uint64(len(head))):]
		}
	}
	return control
}

// errKind is the error for other compressed files.
var errKind = errors.New("is compressed by gzip, and no profile of pprof: decompress it first")

// Read reads a profile.
func Read(in io.Reader) (*Profile, error) {
	r := bufio.NewReaderSize(in, 1<<16)
	if head, _ := r.Peek(len(gzipMagic)); string(head) == gzipMagic {
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, errKind
		}
		r = bufio.NewReaderSize(&atMost{z, maxBytes}, 1<<16)
		if head, _ := r.Peek(HeadSize); !isProto(head) && !isGperf(head) {
			return nil, errKind
		}
	}
	if head, _ := r.Peek(HeadSize); isGperf(head) {
		return readGperf(r)
	}
	t := newTables()
	if err := t.read(r); err != nil {
		return nil, fmt.Errorf("is a profile of pprof that cannot be read: %w", err)
	}
	return t.profile()
}

// errSize is the error for more bytes than are read.
var errSize = errors.New("it is too large")

// atMost fails after a number of bytes.
type atMost struct {
	r    io.Reader
	left int64
}

func (a *atMost) Read(b []byte) (int, error) {
	n, err := a.r.Read(b)
	if a.left -= int64(n); a.left < 0 {
		return 0, errSize
	}
	return n, err
}

// add adds time at a place.
func (p *Profile) add(at Place, v float64) {
	if at == (Place{}) {
		p.Lost += v
		return
	}
	p.Places[at] += v
}

// total returns an error if there is no time in the profile.
func (p *Profile) checked() (*Profile, error) {
	sum := p.Lost
	for _, v := range p.Places {
		sum += v
	}
	if sum <= 0 || math.IsInf(sum, 0) {
		return nil, errors.New("holds no samples")
	}
	return p, nil
}
