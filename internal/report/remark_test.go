package report

import (
	"strings"
	"testing"
)

// TestRemarks checks that a remark uses only the room after the instruction, and that the remark on an unknown cost is never dropped.
func TestRemarks(t *testing.T) {
	for _, c := range []struct {
		room                int
		text, remarks, want string
	}{
		{0, "cmpl %eax, %ecx", "fused with the next", "cmpl %eax, %ecx  ; fused with the next"},
		{40, "cmpl %eax, %ecx", "fused with the next", "cmpl %eax, %ecx  ; fused with the next"},
		{24, "cmpl %eax, %ecx", "fused with the next", "cmpl %eax, %ecx  ; fused"},
		{23, "cmpl %eax, %ecx", "fused with the next", "cmpl %eax, %ecx"},
		{40, "vpdpbusd 128(%rdi,%rax), %ymm1, %ymm2", "cost not known", "vpdpbusd 128(%rdi,%ra…  ; cost not known"},
	} {
		g := &grid{text: c.room}
		if got := g.cutTo(g.cut(c.text), c.remarks); got != c.want {
			t.Errorf("%d columns: %q, want %q", c.room, got, c.want)
		} else if c.room > 0 && len([]rune(got)) > c.room {
			t.Errorf("%q takes more than %d columns", got, c.room)
		}
	}
	if s := (&grid{text: 25}).cutTo("nop", strings.Repeat("x", 90)); len([]rune(s)) != 25 {
		t.Errorf("%q", s)
	}
}
