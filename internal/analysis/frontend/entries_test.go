package frontend_test

import (
	"encoding/hex"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"incore/internal/analysis/frontend"
	"incore/internal/analysis/uops"
	"incore/internal/isa"
	"incore/internal/isa/x86"
	"incore/internal/machine"
)

// loopAt reads a loop of machine code and its offset in a line of code (HEX@OFFSET).
func loopAt(t *testing.T, text string) *isa.Kernel {
	t.Helper()
	code, offset, _ := strings.Cut(text, "@")
	b, err := hex.DecodeString(code)
	if err != nil {
		t.Fatal(err)
	}
	at, err := strconv.ParseUint(offset, 16, 8)
	if err != nil {
		t.Fatal(err)
	}
	a := x86.ISA()
	k := &isa.Kernel{ISA: a, Loop: true}
	for addr := 0x10000 + at; len(b) > 0; {
		var in isa.Inst
		n, err := a.Decode(b, addr, &in)
		if err != nil || n == 0 {
			t.Fatalf("%s: %v", text, err)
		}
		in.Size = uint8(n)
		k.Lines = append(k.Lines, isa.Line{Inst: in, Addr: addr})
		b, addr = b[n:], addr+uint64(n)
	}
	return k
}

// TestFetchEntries holds the entries of Zen 5's µop cache to loops of random instructions at random places, measured on one.
func TestFetchEntries(t *testing.T) {
	m, err := machine.Get("zen5")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("testdata/zen5-fetch.txt")
	if err != nil {
		t.Fatal(err)
	}
	n, sum := 0, 0.0
	for _, l := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if strings.HasPrefix(l, "#") {
			continue
		}
		code, cycles, _ := strings.Cut(l, " ")
		want, err := strconv.ParseFloat(cycles, 64)
		if err != nil {
			t.Fatal(err)
		}
		got, err := frontend.Bound(uops.Bind(m, loopAt(t, code)), frontend.Layout{})
		if err != nil {
			t.Fatal(err)
		}
		e := math.Abs(got-want) / want
		if n, sum = n+1, sum+e; e > 0.15 {
			t.Errorf("%s: %.3f cycles, measured %.3f", code, got, want)
		}
	}
	if n < 40 || sum/float64(n) > 0.01 {
		t.Errorf("mean error %.2f %% over %d loops", 100*sum/float64(n), n)
	}
}

// TestFetchRange: at the best place a loop of twelve slots takes a fetch, at others two lines.
func TestFetchRange(t *testing.T) {
	b := bind(t, "zen5", strings.Repeat("nopl 8(%rax); ", 11)+"jmp 0")
	fewest, most, here := frontend.FetchRange(b)
	if fewest != 1 || most != 2 || here != 1 {
		t.Errorf("%d to %d cycles, %d at a line's beginning", fewest, most, here)
	}
	if _, most, _ := frontend.FetchRange(bind(t, "zen4", "nop; jmp 0")); most != 0 {
		t.Errorf("zen4: %d", most)
	}
}

// TestMovable: a loop of 12 slots in 46 bytes takes two fetches 32 bytes behind the begin of a line, one at the other
// multiples of 16. Code whose address is not final lies where the median of the places that a linker may choose is, as
// does code without address.
func TestMovable(t *testing.T) {
	const text = "nopl 8(%rax); nopl 8(%rax); nopl 8(%rax); nopl 8(%rax); nopl 8(%rax); nopl 8(%rax); nopl 8(%rax); nopl 8(%rax); nopl 8(%rax); nopl 8(%rax); nopl 8(%rax); jmp 0"
	for _, c := range []struct {
		addr           uint64 // of the first instruction; 0: none
		movable, align int
		start, cycles  int
		known          bool
	}{
		{0x10000, 0, 0, 0, 1, true}, {0x10020, 0, 0, 0, 2, true},
		{0x10020, 16, 0, 16, 1, false}, {0x10000, 16, 0, 0, 1, false}, {0x10020, 64, 0, 0, 2, true}, {0x10020, 32, 0, 32, 1, false},
		{0, 0, 0, 0, 1, false}, {0, 0, 32, 0, 1, false}, {0, 0, 64, 0, 1, true},
	} {
		b := bind(t, "zen5", text)
		b.Kernel.Movable, b.Kernel.Align = c.movable, c.align
		at := c.addr
		for i := range b.Insts {
			if b.Insts[i].Line.Addr = at; at != 0 {
				at += uint64(b.Insts[i].Line.Inst.Size)
			}
		}
		_, _, here := frontend.FetchRange(b)
		if got := frontend.Start(b); got != c.start || here != c.cycles || frontend.Known(b) != c.known {
			t.Errorf("at %#x, movable by %d, aligned to %d: moved by %d, %d fetches, known %t; want %d, %d, %t", c.addr, c.movable, c.align, got, here, frontend.Known(b), c.start,
				c.cycles, c.known)
		}
	}
}
