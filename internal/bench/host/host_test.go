package host

import (
	"context"
	"errors"
	"math"
	"runtime"
	"testing"
)

func code(b ...byte) *Code {
	c := &Code{Bytes: b, Fill: 0x2324000, Short: Run{32, 20}, Long: Run{32, 60}}
	for i := range c.Regs[:16] {
		c.Regs[i] = 0x2324000 + uint64(i)*0x20000 + uint64(i)*256
	}
	return c
}

func measure(t *testing.T, c *Code) (*Result, error) {
	t.Helper()
	r, err := Measure(context.Background(), c, Options{})
	var why *Reason
	if errors.As(err, &why) && (why.Kind == "unsupported" || why.Kind == "unstable" || why.Kind == "unsteady") {
		t.Skipf("cannot measure here: %v", err)
	}
	return r, err
}

// TestKnownTruths measures code whose cost is the same on every x86-64 core of the last fifteen years.
func TestKnownTruths(t *testing.T) {
	for _, tt := range []struct {
		name string
		code []byte
		want float64
	}{
		{"dependent add", []byte{0x48, 0x01, 0xd0}, 1},        // add %rdx,%rax
		{"dependent imul", []byte{0x48, 0x0f, 0xaf, 0xc0}, 3}, // imul %rax,%rax
		{"two dependent adds", []byte{0x48, 0x01, 0xd0, 0x48, 0x01, 0xc8}, 2},
	} {
		var r *Result
		var err error
		for range 10 { // a neighbour on the sibling thread can disturb a whole measurement
			r, err = measure(t, code(tt.code...))
			if err != nil || math.Abs(r.Cycles-tt.want) <= 0.05*tt.want {
				break
			}
		}
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		t.Logf("%s: %.3f ± %.3f cycles, %.2f GHz, %d windows", tt.name, r.Cycles, r.Uncertainty, r.GHz, r.Windows)
		if math.Abs(r.Cycles-tt.want) > 0.05*tt.want {
			t.Errorf("%s: %.3f cycles, want %g", tt.name, r.Cycles, tt.want)
		}
	}
}

// TestReasons runs code that cannot be measured.
func TestReasons(t *testing.T) {
	for _, tt := range []struct {
		kind string
		code []byte
	}{
		{"illegal", []byte{0x0f, 0x0b}},                                      // ud2
		{"illegal", []byte{0xf4}},                                            // hlt: privileged; SIGSEGV on Linux
		{"illegal", []byte{0x0f, 0x20, 0xc0}},                                // mov %cr0,%rax
		{"illegal", []byte{0x66, 0xed}},                                      // in %dx,%ax
		{"illegal", []byte{0x0f, 0x01, 0x10}},                                // lgdt (%rax)
		{"fault", []byte{0x0f, 0x28, 0x40, 0x01}},                            // movaps 1(%rax),%xmm0
		{"timeout", []byte{0xeb, 0xfe}},                                      // jmp .
		{"divide", []byte{0x31, 0xc9, 0xf7, 0xf1}},                           // xor %ecx,%ecx; div %ecx
		{"syscall", []byte{0x0f, 0x05}},                                      // syscall
		{"trap", []byte{0xcc}},                                               // int3
		{"fault", []byte{0x48, 0xc1, 0xe0, 0x20, 0x48, 0x8b, 0x00}},          // shl $32,%rax; mov (%rax),%rax
		{"fault", []byte{0x48, 0x31, 0xc0, 0x48, 0x8b, 0x00}},                // xor %rax,%rax; mov (%rax),%rax
		{"fault", []byte{0xff, 0xe0}},                                        // jmp *%rax
		{"pages", []byte{0x48, 0x81, 0xc3, 0, 0x10, 0, 0, 0x48, 0x8b, 0x03}}, // add $4096,%rbx; mov (%rbx),%rax
	} {
		_, err := Measure(context.Background(), code(tt.code...), Options{MaxPages: 500})
		var why *Reason
		if !errors.As(err, &why) {
			t.Errorf("% x: error %v, want a reason of kind %s", tt.code, err, tt.kind)
			continue
		}
		if why.Kind == "unsupported" {
			t.Skip(err)
		}
		if why.Kind != tt.kind {
			t.Errorf("% x: %s (%v), want %s", tt.code, why.Kind, err, tt.kind)
		}
	}
}

// TestPages checks that code gets the memory that it touches, on one physical page.
func TestPages(t *testing.T) {
	// mov %rax,(%rdi); mov (%rsi),%rcx: different pages, same physical one, so the load must find the store
	r, err := measure(t, code(0x48, 0x89, 0x07, 0x48, 0x8b, 0x0e))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Pages) != 2 {
		t.Errorf("touched pages %#x, want 2", r.Pages)
	}
}

func TestUnsupportedSaysSo(t *testing.T) {
	if runtime.GOOS == "linux" && runtime.GOARCH == "amd64" {
		t.Skip("this host is supported")
	}
	_, err := Measure(context.Background(), code(0x90), Options{})
	var why *Reason
	if !errors.As(err, &why) || why.Kind != "unsupported" {
		t.Errorf("error %v, want a readable refusal", err)
	}
}

// sampleOf is a sample of windows whose undisturbed runs take so many ticks, of a machine with a tick a cycle.
func sampleOf(c *Code, short, long func(i int) uint64) *sample {
	ws := make([]window, 400)
	for i := range ws {
		parts := [...]uint64{calShort, calLong, 1000, 0, long(i), short(i), long(i), calShort, calLong, 1000, 0}
		for k, n := range parts {
			ws[i].t[k+1] = ws[i].t[k] + n
		}
	}
	s := &sample{}
	s.add(ws, c)
	return s
}

// TestFickle: code whose time changes within one run is told from code that takes a little more or less each time.
func TestFickle(t *testing.T) {
	if Scale() > 1 {
		t.Skip("the windows here are of a fast counter")
	}
	quiet, ratio := quietWidth.Load(), lastRatio.Load()
	defer func() {
		quietWidth.Store(quiet)
		lastRatio.Store(ratio)
	}()
	quietWidth.Store(0)
	c := &Code{Short: Run{10, 100}, Long: Run{10, 300}}
	for _, tt := range []struct {
		name           string
		short, long    func(i int) uint64
		fickle, figure bool
	}{
		{"steady", func(int) uint64 { return 3500 }, func(int) uint64 { return 9500 }, false, true},
		{"to memory", func(i int) uint64 { return 4000 + uint64(i*37%600) }, func(i int) uint64 { return 10000 + uint64(i*53%600) }, true, true},
		{"two rates", func(i int) uint64 { return 3500 + uint64(i%2*1500) }, func(i int) uint64 { return 12500 - uint64(i%2*3000) }, true, false},
	} {
		s := sampleOf(c, tt.short, tt.long)
		if got := s.fickle(); got != tt.fickle {
			t.Errorf("%s: fickle %v; %d windows fit, %d don't, %d were shared", tt.name, got, len(s.cycles), s.unfit, s.shared)
			continue
		}
		if tt.fickle && s.loosen() != tt.figure {
			t.Errorf("%s: %d windows fit roughly; a figure is wanted: %v", tt.name, len(s.loose), tt.figure)
		}
		if r, err := s.result(); tt.figure && (err != nil || math.Abs(r.Cycles-3) > 0.15) {
			t.Errorf("%s: %v, %v", tt.name, r, err)
		}
	}
}
