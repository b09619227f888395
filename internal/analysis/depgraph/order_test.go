package depgraph

import (
	"fmt"
	"strings"
	"testing"

	"incore/internal/analysis/kernels"
	"incore/internal/isa"
)

func TestOrders(t *testing.T) {
	for _, c := range []struct {
		name string
		regs *isa.ISA
		code string
		want string // war R>W@DIST, waw W>W@DIST
	}{
		{"write after read", arm, "a d1 <- d0\nb d0 <- d2", "waw0>0@1 war0>1@0 waw1>1@1"},
		{"reader behind the writer", arm, "a d0 <- d2\nb d1 <- d0", "war1>0@1 waw0>0@1 waw1>1@1"},
		{"two readers, two writers", arm, "a d1 <- d0\nb d2 <- d0\nc d0 <- d3\nd d0 <- d4", "waw0>0@1 waw1>1@1 war0>2@0 war1>2@0 waw3>2@1 waw2>3@0"},
		{"itself: the write is nearer than the read", arm, "a d0 <- d0", "waw0>0@1"},
		{"parts of a register", amd, "a rcx <- ax\nb rax <- rdx", "waw0>0@1 war0>1@0 waw1>1@1"},
		{"flags", amd, "cmp eflags <- rax\njne <- eflags", "war1>0@1 waw0>0@1"},
	} {
		var s []string
		for _, o := range Orders(kernels.Parse(c.regs, 2, c.code), true, true) {
			kind := "war"
			if o.AfterWrite {
				kind = "waw"
			}
			s = append(s, fmt.Sprintf("%s%d>%d@%d", kind, o.From, o.To, o.Dist))
		}
		if got := strings.Join(s, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	b := kernels.Parse(arm, 2, "a d1 <- d0\nb d0 <- d2")
	if war, waw := Orders(b, true, false), Orders(b, false, true); len(war) != 1 || len(waw) != 2 {
		t.Errorf("%d and %d, want 1 and 2", len(war), len(waw))
	}
}
