package perfdata

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"incore/internal/foreign/perfdata/made"
)

// recorded is a small recording.
func recorded(pipe bool) []byte {
	f := made.File{Arch: "x86_64", CPUID: "GenuineIntel,6,85,7", Path: "/bin/prog", BuildID: "0123456789abcdef", Start: 0x555500001000, Size: 0x2000, Offset: 0x1000, Pipe: pipe}
	for range 150 {
		f.Samples = append(f.Samples, made.Sample{IP: 0x555500001010, Branches: []made.Branch{{From: 0x555500001020, To: 0x555500001008, Cycles: 4}, {From: 0x555500001020, To: 0x555500001008, Cycles: 5, Mispredicted: true}}})
	}
	return f.Bytes()
}

// TestRead: a recording, as a file and through a pipe.
func TestRead(t *testing.T) {
	for _, pipe := range []bool{false, true} {
		n := 0
		d, err := Read(bytes.NewReader(recorded(pipe)), func(s *Sample) {
			n++
			if s.Map == nil || s.Map.FileOffset(s.IP) != 0x1010 || s.PID != 4711 || s.Period != 1000 || s.Mode != ModeUser || len(s.Branches) != 2 || s.Branches[0].Cycles != 4 || !s.Branches[1].Mispredicted {
				t.Errorf("sample %+v", s)
			}
		})
		if err != nil || n != 150 || d.Cut != nil || d.Arch != "x86_64" || d.CPUID != "GenuineIntel,6,85,7" || d.BuildID(&Map{Path: "/bin/prog"}) != "0123456789abcdef" || d.Events[0].Name != "cycles" || d.Events[0].Samples != 150 {
			t.Errorf("pipe %v: %v, %d samples, %+v", pipe, err, n, d)
		}
	}
}

// TestCut: a recording that is cut anywhere has the samples before the cut, or an error that says what is wrong.
func TestCut(t *testing.T) {
	for _, pipe := range []bool{false, true} {
		whole := recorded(pipe)
		most := 0
		for n := range len(whole) {
			got := 0
			d, err := Read(bytes.NewReader(whole[:n]), func(*Sample) { got++ })
			if err == nil && got == 0 || err != nil && strings.TrimSpace(err.Error()) == "" || got < most {
				t.Fatalf("cut at %d: %d samples, %v", n, got, err)
			}
			if most = got; err == nil && got < 150 && d.Cut == nil && !pipe {
				t.Fatalf("cut at %d: nothing is said of it", n)
			}
		}
	}
}

// TestOthers: files of other machines, versions and programs are refused with the reason; records of unknown kinds are counted.
func TestOthers(t *testing.T) {
	for text, want := range map[string]string{
		"2ELIFREP\x00\x00\x00\x00\x00\x00\x00\x68": "big-endian",
		"PERFFILE\x68\x00\x00\x00\x00\x00\x00\x00": "first version",
		"\x7fELF567890123456":                      "no file of perf's",
		"PERFILE2":                                 "too short",
		"PERFILE2\x00\x01\x00\x00\x00\x00\x00\x00": "ends in its header",
		"PERFILE2\xff\xff\xff\xff\x00\x00\x00\x00": "a header of",
	} {
		if _, err := Read(strings.NewReader(text), func(*Sample) {}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	newer := append(recorded(true), 200, 0, 0, 0, 0, 0, 16, 0, 1, 2, 3, 4, 5, 6, 7, 8)
	if d, err := Read(bytes.NewReader(newer), func(*Sample) {}); err != nil || d.Unknown != 1 {
		t.Errorf("a record of an unknown kind: %v %+v", err, d)
	}
	unfinished := recorded(false)
	binary.LittleEndian.PutUint64(unfinished[48:], 0)
	if _, err := Read(bytes.NewReader(unfinished), func(*Sample) {}); err == nil || !strings.Contains(err.Error(), "did not end") {
		t.Errorf("perf record was killed: %v", err)
	}
}

// TestMaps: maps replace what they overlap, a child has its parent's, and exec forgets them.
func TestMaps(t *testing.T) {
	p := processes{}
	p.of(1).add(&Map{Start: 0x1000, End: 0x5000, Path: "a"})
	p.of(1).add(&Map{Start: 0x2000, End: 0x3000, Path: "b"})
	p.fork(2, 1)
	p.of(1).add(&Map{Start: 0x0, End: 0x9000, Path: "c"})
	for addr, want := range map[uint64]string{0x1000: "a", 0x1fff: "a", 0x2000: "b", 0x3000: "a", 0x4fff: "a"} {
		if m := p.of(2).at(addr); m == nil || m.Path != want {
			t.Errorf("%#x: %+v, want %s", addr, m, want)
		}
		if m := p.of(1).at(addr); m == nil || m.Path != "c" {
			t.Errorf("%#x of the parent: %+v", addr, m)
		}
	}
	if m := p.of(2).at(0x3000); m.FileOffset(0x3000) != 0x2000 {
		t.Errorf("the part behind a newer map begins at %#x", m.FileOffset(0x3000))
	}
	if p.exec(2); p[2].at(0x1000) != nil {
		t.Error("exec keeps maps")
	}
}

// FuzzRead: no input panics or hangs.
func FuzzRead(f *testing.F) {
	f.Add(recorded(false))
	f.Add(recorded(true))
	f.Add(append(recorded(true), 81, 0, 0, 0, 0, 0, 16, 0, 0x28, 0xb5, 0x2f, 0xfd, 0, 0, 0, 0))
	f.Fuzz(func(t *testing.T, data []byte) {
		n := 0
		d, err := Read(bytes.NewReader(data), func(s *Sample) { n++ })
		if (d == nil) == (err == nil) {
			t.Errorf("data %v, error %v", d, err)
		}
	})
}
