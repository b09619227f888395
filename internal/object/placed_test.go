package object

import "testing"

func TestPlaced(t *testing.T) {
	for _, tt := range []struct {
		text, digits string
		addr         uint64
		placed, ok   bool
	}{
		{"90eb", "90eb", 0, false, true},
		{"90eb@0", "90eb", PlacedBase, true, true},
		{"90eb@fFf", "90eb", PlacedBase + 4095, true, true},
		{"90eb@1000", "90eb", 0, true, false},
		{"90eb@", "90eb", 0, true, false},
		{"90eb@0x10", "90eb", 0, true, false},
		{"90eb@-1", "90eb", 0, true, false},
		{"", "", 0, false, true},
	} {
		digits, addr, placed, err := Placed(tt.text)
		if digits != tt.digits || addr != tt.addr || placed != tt.placed || (err == nil) != tt.ok {
			t.Errorf("%q: %q, %#x, %v, %v", tt.text, digits, addr, placed, err)
		}
	}
}
