package blob

import (
	"math"
	"slices"
	"testing"
)

func sample() []byte {
	var w Writer
	w.Raw("raw", []byte{0, 255})
	w.U16("u16", []uint16{0, 1, 65535})
	w.U32("u32", []uint32{7, math.MaxUint32})
	w.I64("i64", []int64{-1, math.MaxInt64, math.MinInt64})
	w.Strings("names", []string{"", "add", "sub", "xor"})
	w.Lists("lists", [][]uint16{{1, 2}, nil, {3}})
	w.Strings("none", nil)
	return w.Bytes()
}

func TestRoundTrip(t *testing.T) {
	b, err := Open(string(sample()))
	if err != nil {
		t.Fatal(err)
	}
	if r := b.Raw("raw"); r != "\x00\xff" || b.U8("raw").At(1) != 255 {
		t.Errorf("raw = %q", r)
	}
	if c := b.U16("u16"); c.Len() != 3 || c.At(2) != 65535 {
		t.Errorf("u16 has %d elements", c.Len())
	}
	if c := b.U32("u32"); c.Len() != 2 || c.At(0) != 7 || c.At(1) != math.MaxUint32 {
		t.Errorf("u32 has %d elements", c.Len())
	}
	if c := b.I64("i64"); c.Len() != 3 || c.At(0) != -1 || c.At(1) != math.MaxInt64 || c.At(2) != math.MinInt64 {
		t.Errorf("i64 has %d elements", c.Len())
	}
	s := b.Strings("names")
	if s.Len() != 4 || s.At(0) != "" || s.At(3) != "xor" {
		t.Errorf("names has %d strings", s.Len())
	}
	for name, want := range map[string]int{"": 0, "add": 1, "xor": 3, "a": -1, "zzz": -1} {
		if got := s.Search(name); got != want {
			t.Errorf("Search(%q) = %d, want %d", name, got, want)
		}
	}
	l := b.Lists("lists")
	var lens []int
	for i := range l.Len() {
		lens = append(lens, l.At(i).Len())
	}
	if !slices.Equal(lens, []int{2, 0, 1}) || l.At(2).At(0) != 3 {
		t.Errorf("lists have lengths %v", lens)
	}
	if b.Strings("none").Len() != 0 || b.Strings("absent").Len() != 0 || b.Lists("absent").Len() != 0 || b.Raw("absent") != "" {
		t.Error("an empty or absent column has elements")
	}
}

// TestDamage opens every truncation: an error or a blob, never a panic.
func TestDamage(t *testing.T) {
	data := sample()
	for n := range data {
		if _, err := Open(string(data[:n])); err == nil {
			t.Errorf("%d of %d bytes opened without error", n, len(data))
		}
	}
	data[0] ^= 1
	if _, err := Open(string(data)); err == nil {
		t.Error("bad magic opened without error")
	}
}

func FuzzOpen(f *testing.F) {
	f.Add(string(sample()))
	f.Add(magic + "\xff\xff\xff\xff")
	f.Fuzz(func(t *testing.T, s string) { Open(s) })
}
