//go:build linux

package perf

import (
	"encoding/binary"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
)

func words(w ...uint64) (b []byte) {
	for _, x := range w {
		b = binary.NativeEndian.AppendUint64(b, x)
	}
	return b
}

// TestDecode: a group that was counted a quarter of the time has four times the counts, one that was always counted has them as they are, and one that never
// was has none and says so.
func TestDecode(t *testing.T) {
	group := []Event{Cycles, Instructions}
	for _, c := range []struct {
		b    []byte
		want []Count
	}{
		{words(2, 1000, 1000, 70, 140), []Count{{"cycles", 70, 1}, {"instructions", 140, 1}}},
		{words(2, 1000, 250, 70, 140), []Count{{"cycles", 280, .25}, {"instructions", 560, .25}}},
		{words(2, 1000, 0, 0, 0), []Count{{"cycles", 0, 0}, {"instructions", 0, 0}}},
	} {
		if got, err := decode(group, c.b); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%v: %v %v, want %v", c.b, got, err, c.want)
		}
	}
	for _, b := range [][]byte{nil, words(2, 1, 1, 5), words(3, 1, 1, 5, 6, 7)} {
		if got, err := decode(group, b); err == nil {
			t.Errorf("%v is read as %v", b, got)
		}
	}
}

// TestSplit: lines of each level are differences of what events count, by hand.
func TestSplit(t *testing.T) {
	amd, generic := &Sources[0], &Sources[len(Sources)-1]
	all := []Count{{amd.Lines[0].Name, 1000, 1}, {amd.Lines[1].Name, 300, 1}, {amd.Lines[2].Name, 50, 1}}
	some := []Count{{generic.Lines[0].Name, 1000, 1}, {generic.Lines[1].Name, 100, 1}}
	for _, c := range []struct {
		s      *Source
		counts []Count
		caches int
		model  []float64
		want   []float64
	}{
		{amd, all, 3, []float64{1, 1, 1}, []float64{700, 250, 50}},
		{amd, []Count{all[1], all[0], {all[2].Event, 400, .5}}, 3, []float64{0, 0, 0}, []float64{600, 0, 400}}, // scaled counts may contradict each other
		{generic, some, 3, []float64{30, 10, 7}, []float64{675, 225, 100}},
		{generic, some, 2, []float64{0, 0}, []float64{900, 100}},
		{generic, some, 1, []float64{5}, []float64{100}},
	} {
		if got := c.s.Split(c.counts, c.caches, c.model); !slices.Equal(got, c.want) {
			t.Errorf("%v of %d caches: %v, want %v", c.counts, c.caches, got, c.want)
		}
	}
}

// TestSourceOf: a CPU has its vendor's events, and one that the table does not have the generic ones.
func TestSourceOf(t *testing.T) {
	for text, want := range map[string]string{
		"vendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 1\n": "AuthenticAMD",
		"vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\n": "GenuineIntel",
		"vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 58\n": "",
		"processor\t: 0\nCPU implementer\t: 0x41\n":                   "",
	} {
		if s := SourceOf(text); s == nil || s.Vendor != want {
			t.Errorf("%q: %v, want vendor %q", text, s, want)
		}
	}
}

// TestExplain: each way to have no counters is one line that says what would help.
func TestExplain(t *testing.T) {
	for err, want := range map[error]string{
		syscall.ENOENT:     "virtual machine",
		syscall.EOPNOTSUPP: "virtual machine",
		syscall.EACCES:     "perf_event_paranoid is 3;",
		syscall.EPERM:      "perf_event_paranoid is 3;",
		syscall.ENOSYS:     "no perf_event_open",
		syscall.EMFILE:     "too many open files",
	} {
		got := explain(err, Cycles, "3\n").Error()
		if !strings.HasPrefix(got, "cycles cannot be counted: ") || !strings.Contains(got, want) || strings.Contains(got, "\n") {
			t.Errorf("%v: %q", err, got)
		}
	}
}

// TestOpen: software events, which every kernel has, are counted: time passes, and pages that are touched for the first time fault.
func TestOpen(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c, err := Open(0, []Event{TaskClock}, []Event{PageFaults, {"minor-faults", Software, 5}})
	if err != nil {
		t.Skip(err)
	}
	defer c.Close()
	const pages = 500
	b, err := syscall.Mmap(-1, 0, pages*os.Getpagesize(), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Munmap(b)
	_ = syscall.Madvise(b, 15) // MADV_NOHUGEPAGE
	for i := 0; i < len(b); i += os.Getpagesize() {
		b[i] = 1
	}
	got, err := c.Read()
	if err != nil || len(got) != 3 {
		t.Fatal(got, err)
	}
	if got[0].Count <= 0 || got[1].Count < pages || got[2].Count < pages || math.Abs(got[1].Count-got[2].Count) > pages/2 || got[0].Share != 1 {
		t.Errorf("%v of %d pages touched", got, pages)
	}
}
