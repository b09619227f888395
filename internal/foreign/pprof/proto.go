package pprof

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// The fields of profile.proto that are read (https://github.com/google/pprof/blob/main/proto/README.md).
const (
	profileSampleType, profileSample, profileMapping, profileLocation, profileFunction, profileString, profileDefault = 1, 2, 3, 4, 5, 6, 14

	typeName                                                   = 1
	sampleLocation, sampleValue                                = 1, 2
	mappingID, mappingStart, mappingLimit, mappingOffset       = 1, 2, 3, 4
	mappingFile, mappingBuild                                  = 5, 6
	locationID, locationMapping, locationAddress, locationLine = 1, 2, 3, 4
	lineFunction, lineNumber                                   = 1, 2
	functionID, functionName                                   = 1, 2
	wireVarint, wireFixed64, wireBytes, wireFixed32            = 0, 1, 2, 5
)

// Errors of damaged messages.
var (
	errMessage = errors.New("a damaged message")
	errMany    = errors.New("too many entries")
)

// maxTypes is the number of values of a sample that are kept.
const maxTypes = 16

// tables are the contents of a profile. Samples come before the locations that they name, so that everything is kept until the end.
type tables struct {
	types     []uint64 // index of the name of each type of values
	byDefault uint64   // index of the name of the type to show, 0 if not stated
	samples   map[uint64]*[maxTypes]float64
	mappings  map[uint64]mapping
	locations map[uint64]location
	functions map[uint64]uint64 // index of the name
	strings   []string
	size      int // bytes of strings
}

type mapping struct{ start, limit, offset, file, build uint64 }

// location is a place. Its first line is that of the innermost inlined function.
type location struct{ mapping, address, function, line uint64 }

func newTables() *tables {
	return &tables{samples: map[uint64]*[maxTypes]float64{}, mappings: map[uint64]mapping{}, locations: map[uint64]location{}, functions: map[uint64]uint64{}}
}

// read reads the fields of a profile one after the other.
func (t *tables) read(r *bufio.Reader) error {
	var buf []byte
	for {
		tag, err := binary.ReadUvarint(r)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		n := uint64(0)
		switch tag & 7 {
		case wireVarint:
			if n, err = binary.ReadUvarint(r); err == nil && tag>>3 == profileDefault {
				t.byDefault = n
			}
		case wireFixed64:
			_, err = r.Discard(8)
		case wireFixed32:
			_, err = r.Discard(4)
		case wireBytes:
			if n, err = binary.ReadUvarint(r); err == nil && n > maxMessage {
				err = fmt.Errorf("a message of %d bytes", n)
			}
			if err == nil {
				buf = slices.Grow(buf[:0], int(min(n, 1<<16)))[:0]
				if buf, err = appendN(buf, r, int(n)); err == nil {
					err = t.field(tag>>3, buf)
				}
			}
		default:
			err = errMessage
		}
		if err != nil {
			return cut(err)
		}
	}
}

// appendN reads n bytes; a size that the input merely states takes no memory.
func appendN(buf []byte, r io.Reader, n int) ([]byte, error) {
	for n > 0 {
		k := min(n, 1<<16)
		buf = slices.Grow(buf, k)
		got, err := io.ReadFull(r, buf[len(buf):len(buf)+k])
		if buf = buf[:len(buf)+got]; err != nil {
			return buf, err
		}
		n -= k
	}
	return buf, nil
}

// cut words the end of a file in the middle of a message.
func cut(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("it is cut")
	}
	return err
}

// field keeps a message or string of the profile.
func (t *tables) field(number uint64, b []byte) error {
	switch number {
	case profileSampleType:
		var name uint64
		err := fields(b, func(f, v uint64, _ []byte) error {
			if f == typeName {
				name = v
			}
			return nil
		})
		if t.types = append(t.types, name); len(t.types) > maxTypes {
			return errMany
		}
		return err
	case profileSample:
		return t.sample(b)
	case profileMapping:
		return t.mapping(b)
	case profileLocation:
		return t.location(b)
	case profileFunction:
		var id, name uint64
		err := fields(b, func(f, v uint64, _ []byte) error {
			switch f {
			case functionID:
				id = v
			case functionName:
				name = v
			}
			return nil
		})
		t.functions[id] = name
		return within(err, len(t.functions))
	case profileString:
		if t.size += len(b) + 16; t.size > maxStrings {
			return errMany
		}
		t.strings = append(t.strings, string(b))
	}
	return nil
}

func within(err error, entries int) error {
	if err == nil && entries > maxEntries {
		return errMany
	}
	return err
}

// sample adds the values of a sample to the location where it was taken, the first of its call stack.
func (t *tables) sample(b []byte) error {
	var leaf uint64
	var values [maxTypes]float64
	locations, n := 0, 0
	err := fields(b, func(f, v uint64, packed []byte) error {
		return repeated(v, packed, func(v uint64) {
			switch {
			case f == sampleLocation:
				if locations++; locations == 1 {
					leaf = v
				}
			case f == sampleValue && n < maxTypes:
				values[n] = float64(max(0, int64(v)))
				n++
			}
		})
	})
	sum := t.samples[leaf]
	if sum == nil {
		sum = new([maxTypes]float64)
		t.samples[leaf] = sum
	}
	for i, v := range values {
		sum[i] += v
	}
	return within(err, len(t.samples))
}

func (t *tables) mapping(b []byte) error {
	var id uint64
	var m mapping
	err := fields(b, func(f, v uint64, _ []byte) error {
		switch f {
		case mappingID:
			id = v
		case mappingStart:
			m.start = v
		case mappingLimit:
			m.limit = v
		case mappingOffset:
			m.offset = v
		case mappingFile:
			m.file = v
		case mappingBuild:
			m.build = v
		}
		return nil
	})
	t.mappings[id] = m
	return within(err, len(t.mappings))
}

func (t *tables) location(b []byte) error {
	var id uint64
	var l location
	lines := 0
	err := fields(b, func(f, v uint64, message []byte) error {
		switch f {
		case locationID:
			id = v
		case locationMapping:
			l.mapping = v
		case locationAddress:
			l.address = v
		case locationLine:
			if lines++; lines > 1 {
				return nil
			}
			return fields(message, func(f, v uint64, _ []byte) error {
				switch f {
				case lineFunction:
					l.function = v
				case lineNumber:
					l.line = v
				}
				return nil
			})
		}
		return nil
	})
	t.locations[id] = l
	return within(err, len(t.locations))
}

// fields goes through the fields of a message: numbers, and bytes (messages, packed numbers), which are nil for a number.
func fields(b []byte, do func(field, v uint64, bytes []byte) error) error {
	for len(b) > 0 {
		tag, n := binary.Uvarint(b)
		if n <= 0 {
			return errMessage
		}
		b = b[n:]
		var v uint64
		var part []byte
		switch tag & 7 {
		case wireVarint:
			if v, n = binary.Uvarint(b); n <= 0 {
				return errMessage
			}
		case wireFixed64:
			n = 8
		case wireFixed32:
			n = 4
		case wireBytes:
			size, k := binary.Uvarint(b)
			if k <= 0 || size > uint64(len(b)-k) {
				return errMessage
			}
			n = k + int(size)
			part = b[k:n:n]
		default:
			return errMessage
		}
		if n > len(b) {
			return errMessage
		}
		b = b[n:]
		if err := do(tag>>3, v, part); err != nil {
			return err
		}
	}
	return nil
}

// repeated goes through the numbers of a repeated field, of which it has one, or several if they are packed.
func repeated(v uint64, packed []byte, do func(v uint64)) error {
	if packed == nil {
		do(v)
		return nil
	}
	for len(packed) > 0 {
		v, n := binary.Uvarint(packed)
		if n <= 0 {
			return errMessage
		}
		do(v)
		packed = packed[n:]
	}
	return nil
}

// name returns a string by its index.
func (t *tables) name(i uint64) string {
	if i < uint64(len(t.strings)) {
		return t.strings[i]
	}
	return ""
}

// timeTypes are the types of values that measure time, the best first.
var timeTypes = []string{"cpu", "cycles", "cpu-cycles", "wall", "time", "samples"}

// counted returns the index of the values that measure time.
func (t *tables) counted() (int, error) {
	var names []string
	for _, i := range t.types {
		names = append(names, t.name(i))
	}
	for _, name := range append([]string{t.name(t.byDefault)}, timeTypes...) {
		if i := slices.Index(names, name); i >= 0 && slices.Contains(timeTypes, name) {
			return i, nil
		}
	}
	return 0, fmt.Errorf("is a profile of %s, not of time: give a CPU profile", strings.Join(names, ", "))
}

// profile finds the places of the samples.
func (t *tables) profile() (*Profile, error) {
	if len(t.types) == 0 {
		return nil, errors.New("holds no samples")
	}
	column, err := t.counted()
	if err != nil {
		return nil, err
	}
	p := &Profile{Places: map[Place]float64{}, IDs: map[string]string{}}
	for _, m := range t.mappings {
		if id := strings.ToLower(t.name(m.build)); id != "" {
			p.IDs[t.name(m.file)] = id
		}
	}
	for id, values := range t.samples {
		if values[column] > 0 {
			p.add(t.place(id), values[column])
		}
	}
	return p.checked()
}

// place returns where a location is, the zero Place if the profile does not tell.
func (t *tables) place(id uint64) Place {
	l := t.locations[id]
	m, ok := t.mappings[l.mapping]
	object := t.name(m.file)
	if ok && object != "" && l.address >= m.start && (l.address < m.limit || m.limit == 0) {
		return Place{Object: object, Offset: l.address - m.start + m.offset}
	}
	if name := t.name(t.functions[l.function]); name != "" {
		return Place{Object: object, Function: name, Line: int(int32(l.line))}
	}
	return Place{}
}
