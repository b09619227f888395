package analyze

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"incore/internal/isa/catalog"
	"incore/internal/object"
)

// TestReadProfile checks the places and costs in excerpts of profiles.
func TestReadProfile(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"perf, a line a sample", "p 1234 100.1:     250000 cycles:u:      55d0c0de1139 dot+0x15 (/usr/bin/p)\np 1234 100.2:  250000 cycles:u:  55d0c0de1139 dot+0x15 (/usr/bin/p)\n", "dot 0x15 true 0: 2"},
		{"perf, call chains", "p 1 1.1:  250000 cycles:u:\n\t    55d0c0de1150 scale+0x18 (/p)\n\t    55d0c0de1250 main+0x40 (/p)\n\np 1 1.2:  250000 cycles:u:\n\t  55d0c0de1154 ns::f(unsigned long, int)+0x1c (/p)\n\n", "ns::f(unsigned long, int) 0x1c true 0: 1; scale 0x18 true 0: 1"},
		{"callgrind by instruction", "# callgrind format\npositions: instr line\nevents: Ir\n\nfn=(1) dot\n0x1000 3 5\n+4 +1 7\n* * 2\ncfn=(2) leaf\ncalls=1 0x2000 9\n* * 100\nfn=(2)\n0x2000 9 3\n", "dot 0x1000 false 0: 5; dot 0x1004 false 0: 9; leaf 0x2000 false 0: 3"},
		{"callgrind by line", "positions: line\nevents: Ir\nfn=(1) dot\n3 5\n+1 7\n-1 1\n", "dot 0x0 false 3: 6; dot 0x0 false 4: 7"},
	} {
		p, err := ReadProfile(strings.NewReader(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var got []string
		for at, n := range p.places {
			got = append(got, fmt.Sprintf("%s %#x %v %d: %g", at.function, at.addr, at.relative, at.line, n))
		}
		slices.Sort(got)
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%s: %s, want %s", c.name, s, c.want)
		}
	}
	for _, text := range []string{"", "hello\n", "PERFILE2\x00\x01", "positions: line\nevents: Ir\n"} {
		if _, err := ReadProfile(strings.NewReader(text)); err == nil {
			t.Errorf("%q is taken for a profile", text)
		}
	}
}

// TestNoProfile: what is no profile says what would be one.
func TestNoProfile(t *testing.T) {
	for text, want := range map[string]string{
		"\x1f\x8b\x08\x00pprof":              "compressed by gzip, and no profile of pprof: decompress it first",
		"\xfd7zXZ\x00":                       "compressed by xz",
		"\x28\xb5\x2f\xfdPERFILE2":           "compressed by zstd",
		"BZh91AY":                            "compressed by bzip2",
		"desc: I1 cache\nevents: Ir\nfn=f\n": "valgrind --tool=callgrind",
		"":                                   "is empty",
		"hello":                              "no profile of perf or pprof",
	} {
		if _, err := ReadProfile(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestProfileWithoutLines checks that a note reports a profile whose costs are in the file's functions, but not in
// its loops.
func TestProfileWithoutLines(t *testing.T) {
	f, err := object.Raw([]byte{0x48, 0xff, 0xc8, 0x75, 0xfb, 0xc3}, 0x1000, catalog.ISA("x86-64")) // decq %rax; jne; ret
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"positions: line\nevents: Ir\nfn=(1) code\n0 5\n":         "no sample of the profile (callgrind) lies in a loop, though 100 % of it is in this file",
		"positions: line\nevents: Ir\nfn=(1) other\n0 5\n":        "no sample of the profile (callgrind) lies in this file: it is not used",
		"positions: instr\nevents: Ir\nfn=(1) code\n0x1000 9\n":   "",
		"positions: instr\nevents: Ir\nfn=(1) code\n0x1003 1\n\n": "",
	} {
		p, err := ReadProfile(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		list, err := Loops(f, LoopOptions{Profile: p})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, d := range list.Diagnostics {
			got += d.Message
		}
		if unused := strings.HasSuffix(want, "not used"); unused != (list.Order == "heat") {
			t.Errorf("%q: the order is %s", text, list.Order)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzReadProfile(f *testing.F) {
	f.Add("p 1 1.1: 25 cycles: 55d0c0de1139 dot+0x15 (/p)\n")
	f.Add("positions: instr line\nfn=(1) f\n0x10 1 2\n+1 * 3\n")
	f.Fuzz(func(t *testing.T, s string) { _, _ = ReadProfile(strings.NewReader(s)) })
}
