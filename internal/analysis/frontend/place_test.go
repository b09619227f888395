package frontend_test

import (
	"slices"
	"strings"
	"testing"

	"incore/internal/analysis/frontend"
)

// TestMisplaced: a jump that crosses a 32-byte boundary or ends on one, or that is fused with an instruction that does.
func TestMisplaced(t *testing.T) {
	const loop = "addq $1, %rax; cmpq %rdi, %rax; jne 0"
	for _, c := range []struct {
		arch string
		addr uint64 // of the loop: the jump is at 7 to 9, fused with what is at 4
		want []int
	}{
		{"skylake", 0x1000 + 32 - 8, []int{2}}, // crosses
		{"skylake", 0x1000 + 32 - 9, []int{2}}, // ends on it
		{"skylake", 0x1000 + 32 - 5, []int{2}}, // what it is fused with crosses
		{"skylake", 0x1000 + 32 - 4, nil},
		{"skylake", 0x1000 + 32 - 10, nil},
		{"haswell", 0x1000 + 32 - 8, nil},
		{"cooperlake", 0x1000 + 32 - 8, nil}, // takes Skylake's parameters, not its erratum
	} {
		b := bind(t, c.arch, loop)
		at := c.addr
		for i := range b.Insts {
			b.Insts[i].Line.Addr = at
			at += uint64(b.Insts[i].Line.Inst.Size)
		}
		if got := frontend.Misplaced(b); !slices.Equal(got, c.want) {
			t.Errorf("%s, loop at %#x: %v, want %v", c.arch, c.addr, got, c.want)
		}
	}
	if got := frontend.Misplaced(bind(t, "skylake", loop)); got != nil {
		t.Errorf("no addresses: %v", got)
	}
}

// TestOverflows: Haswell's µop cache holds 1,536 slots.
func TestOverflows(t *testing.T) {
	text := "addq $1, %rax" + strings.Repeat("; addq $1, %rax", 1536)
	if slots, entries := frontend.Overflows(bind(t, "haswell", text)); slots != 1537 || entries != 1536 {
		t.Errorf("%d slots of %d", slots, entries)
	}
	if slots, _ := frontend.Overflows(bind(t, "haswell", "nop")); slots != 0 {
		t.Errorf("a nop overflows: %d slots", slots)
	}
}
