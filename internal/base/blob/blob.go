// Package blob is the container of incore's embedded tables: named columns of
// little-endian numbers, strings and lists that are read in place, without
// decoding at start-up.
//
// Layout: the magic, the number of columns (uint32), then one directory entry
// per column (length-prefixed name, offset and size as uint32), then the data.
// A blob is a Go string so that go:embed puts it into the read-only segment.
package blob

import (
	"encoding/binary"
	"fmt"
	"sort"
)

const magic = "incore1\n"

// Blob is an opened container.
type Blob struct {
	data string
	dir  map[string][2]uint32 // name → offset, size
}

// Open reads the directory of a blob. It returns an error for a foreign or truncated one.
func Open(data string) (*Blob, error) {
	if len(data) < len(magic)+4 || data[:len(magic)] != magic {
		return nil, fmt.Errorf("not an incore table (bad magic)")
	}
	at := len(magic)
	n := int(U32(data[at:]).At(0))
	at += 4
	if n > (len(data)-at)/9 { // the smallest size of an entry
		return nil, fmt.Errorf("truncated directory in incore table")
	}
	b := &Blob{data: data, dir: make(map[string][2]uint32, n)}
	for i := 0; i < n; i++ {
		if at >= len(data) || at+1+int(data[at])+8 > len(data) {
			return nil, fmt.Errorf("truncated directory in incore table")
		}
		k := int(data[at])
		name := data[at+1 : at+1+k]
		at += 1 + k
		off, size := U32(data[at:]).At(0), U32(data[at:]).At(1)
		at += 8
		if uint64(off)+uint64(size) > uint64(len(data)) {
			return nil, fmt.Errorf("column %q lies outside the incore table", name)
		}
		b.dir[name] = [2]uint32{off, size}
	}
	return b, nil
}

// MustOpen is Open for embedded data; an error is a programming error and panics.
func MustOpen(data string) *Blob {
	b, err := Open(data)
	if err != nil {
		panic(err)
	}
	return b
}

// Raw returns a column's bytes; a column that does not exist is empty.
func (b *Blob) Raw(name string) string {
	d := b.dir[name]
	return b.data[d[0] : d[0]+d[1]]
}

// U8, U16, U32 and I64 return a column of fixed-size numbers.
func (b *Blob) U8(name string) U8   { return U8(b.Raw(name)) }
func (b *Blob) U16(name string) U16 { return U16(b.Raw(name)) }
func (b *Blob) U32(name string) U32 { return U32(b.Raw(name)) }
func (b *Blob) I64(name string) I64 { return I64(b.Raw(name)) }

// Strings returns a column of strings.
func (b *Blob) Strings(name string) Strings {
	return Strings{off: b.U32(name + ".off"), pool: b.Raw(name + ".str")}
}

// Lists returns a column of lists of 16-bit numbers.
func (b *Blob) Lists(name string) Lists {
	return Lists{off: b.U32(name + ".off"), data: b.U16(name + ".list")}
}

// U8 is a column of bytes.
type U8 string

// At returns element i; Len the number of elements.
func (c U8) At(i int) uint8 { return c[i] }
func (c U8) Len() int       { return len(c) }

// U16 is a column of 16-bit numbers.
type U16 string

// At returns element i; Len the number of elements.
func (c U16) At(i int) uint16 { return uint16(c[2*i]) | uint16(c[2*i+1])<<8 }
func (c U16) Len() int        { return len(c) / 2 }

// U32 is a column of 32-bit numbers.
type U32 string

// At returns element i; Len the number of elements.
func (c U32) At(i int) uint32 {
	s := c[4*i : 4*i+4]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}
func (c U32) Len() int { return len(c) / 4 }

// I64 is a column of signed 64-bit numbers.
type I64 string

// At returns element i; Len the number of elements.
func (c I64) At(i int) int64 {
	s := c[8*i : 8*i+8]
	return int64(uint64(U32(s).At(0)) | uint64(U32(s).At(1))<<32)
}
func (c I64) Len() int { return len(c) / 8 }

// Strings is a column of strings.
type Strings struct {
	off  U32
	pool string
}

// At returns string i; Len the number of strings.
func (c Strings) At(i int) string { return c.pool[c.off.At(i):c.off.At(i+1)] }
func (c Strings) Len() int        { return max(0, c.off.Len()-1) }

// Search returns the index of s in a sorted column, or -1.
func (c Strings) Search(s string) int {
	i := sort.Search(c.Len(), func(i int) bool { return c.At(i) >= s })
	if i < c.Len() && c.At(i) == s {
		return i
	}
	return -1
}

// Lists is a column of lists of 16-bit numbers.
type Lists struct {
	off  U32
	data U16
}

// At returns list i as a column of its own; Len the number of lists.
func (c Lists) At(i int) U16 { return c.data[2*c.off.At(i) : 2*c.off.At(i+1)] }
func (c Lists) Len() int     { return max(0, c.off.Len()-1) }

// Writer collects columns and writes them as one blob.
type Writer struct {
	names []string
	cols  [][]byte
}

// Raw adds a column of bytes.
func (w *Writer) Raw(name string, data []byte) {
	w.names = append(w.names, name)
	w.cols = append(w.cols, data)
}

// U16 adds a column of 16-bit numbers.
func (w *Writer) U16(name string, v []uint16) {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint16(b, x)
	}
	w.Raw(name, b)
}

// U32 adds a column of 32-bit numbers.
func (w *Writer) U32(name string, v []uint32) {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	w.Raw(name, b)
}

// I64 adds a column of 64-bit numbers.
func (w *Writer) I64(name string, v []int64) {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint64(b, uint64(x))
	}
	w.Raw(name, b)
}

// Strings adds a column of strings.
func (w *Writer) Strings(name string, v []string) {
	off, pool := make([]uint32, 1, len(v)+1), []byte(nil)
	for _, s := range v {
		pool = append(pool, s...)
		off = append(off, uint32(len(pool)))
	}
	w.U32(name+".off", off)
	w.Raw(name+".str", pool)
}

// Lists adds a column of lists of 16-bit numbers.
func (w *Writer) Lists(name string, v [][]uint16) {
	off, data := make([]uint32, 1, len(v)+1), []uint16(nil)
	for _, l := range v {
		data = append(data, l...)
		off = append(off, uint32(len(data)))
	}
	w.U32(name+".off", off)
	w.U16(name+".list", data)
}

// Bytes returns the finished blob.
func (w *Writer) Bytes() []byte {
	head := len(magic) + 4
	for _, n := range w.names {
		head += 1 + len(n) + 8
	}
	out := append([]byte(magic), 0, 0, 0, 0)
	binary.LittleEndian.PutUint32(out[len(magic):], uint32(len(w.names)))
	at := head
	for i, n := range w.names {
		out = append(out, byte(len(n)))
		out = append(out, n...)
		out = binary.LittleEndian.AppendUint32(out, uint32(at))
		out = binary.LittleEndian.AppendUint32(out, uint32(len(w.cols[i])))
		at += len(w.cols[i])
	}
	for _, c := range w.cols {
		out = append(out, c...)
	}
	return out
}
