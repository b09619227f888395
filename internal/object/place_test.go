package object

import "testing"

// TestPlace: an offset behind a function's name is an address within it, and of no function beyond its end.
func TestPlace(t *testing.T) {
	f := &File{}
	f.once.Do(func() {
		f.funcs = []*Function{{Name: "app::V<float>::scale(float)", Addr: 0x1000, Size: 0x40}, {Name: "f", Addr: 0x1040, Size: 0x20}, {Name: "g+0x4", Addr: 0x1060, Size: 0x20}}
	})
	for _, c := range []struct {
		name, fn string
		addr     uint64
	}{
		{"f", "f", 0}, {"f+0x10", "f", 0x1050}, {"f+0x0", "f", 0x1040}, {"f+0x1f", "f", 0x105f}, {"f+0x20", "", 0}, {"f+0x", "", 0}, {"f+0xzz", "", 0}, {"h+0x4", "", 0}, {"+0x4", "", 0},
		{"scale+0x8", "app::V<float>::scale(float)", 0x1008}, {"app::V<float>::scale(float)+0x10", "app::V<float>::scale(float)", 0x1010},
		{"0x1045", "f", 0x1045}, {"0x2000", "", 0x2000}, {"g+0x4", "g+0x4", 0},
	} {
		fn, addr := f.Place(c.name)
		got := ""
		if fn != nil {
			got = fn.Name
		}
		if got != c.fn || fn != nil && addr != c.addr {
			t.Errorf("%s: %q at %#x, want %q at %#x", c.name, got, addr, c.fn, c.addr)
		}
	}
}
