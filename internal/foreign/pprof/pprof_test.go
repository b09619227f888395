package pprof

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"runtime/pprof"
	"strings"
	"testing"
	"time"
)

// message makes protobuf messages.
type message []byte

func (m message) number(field int, v uint64) message {
	return binary.AppendUvarint(binary.AppendUvarint(m, uint64(field)<<3|wireVarint), v)
}

func (m message) bytes(field int, b []byte) message {
	return append(binary.AppendUvarint(binary.AppendUvarint(m, uint64(field)<<3|wireBytes), uint64(len(b))), b...)
}

func (m message) packed(field int, list ...uint64) message {
	var b []byte
	for _, v := range list {
		b = binary.AppendUvarint(b, v)
	}
	return m.bytes(field, b)
}

// names are the strings of the made profiles.
var names = []string{"", "samples", "cpu", "/bin/a", "ABCD12", "f", "alloc_space"}

// made is a profile with samples at an address of a file, in a line of a function, and nowhere. types are indices of names.
func made(types ...uint64) (parts []message) {
	for _, i := range types {
		parts = append(parts, message(nil).bytes(profileSampleType, message(nil).number(typeName, i)))
	}
	parts = append(parts,
		message(nil).bytes(profileSample, message(nil).packed(sampleLocation, 1, 2).packed(sampleValue, 3, 30)),
		message(nil).bytes(profileSample, message(nil).number(sampleLocation, 2).number(sampleLocation, 1).number(sampleValue, 4).number(sampleValue, 40)),
		message(nil).bytes(profileSample, message(nil).packed(sampleLocation, 9).packed(sampleValue, 2, 20)),
		message(nil).bytes(profileSample, message(nil).packed(sampleLocation, 1).packed(sampleValue, 1, 10)),
		message(nil).bytes(profileMapping, message(nil).number(mappingID, 1).number(mappingStart, 0x400000).number(mappingLimit, 0x500000).number(mappingOffset, 0x1000).number(mappingFile, 3).number(mappingBuild, 4)),
		message(nil).bytes(profileLocation, message(nil).number(locationID, 1).number(locationMapping, 1).number(locationAddress, 0x400123)),
		message(nil).bytes(profileLocation, message(nil).number(locationID, 2).bytes(locationLine, message(nil).number(lineFunction, 7).number(lineNumber, 42)).bytes(locationLine, message(nil).number(lineFunction, 8))),
		message(nil).bytes(profileFunction, message(nil).number(functionID, 7).number(functionName, 5)))
	for _, s := range names {
		parts = append(parts, message(nil).bytes(profileString, []byte(s)))
	}
	return parts
}

// joined writes the parts of a profile, shuffled but for strings and types, whose order counts.
func joined(parts []message, seed uint64) (out []byte) {
	r := rand.New(rand.NewPCG(seed, 1))
	place := make([]int, len(parts))
	for i, p := range r.Perm(len(parts)) {
		place[i] = p
	}
	var ordered [2][]int // places of types and of strings, ascending
	kind := func(p message) int {
		switch p[0] >> 3 {
		case profileSampleType:
			return 0
		case profileString:
			return 1
		}
		return -1
	}
	for at := range parts {
		for i, p := range place {
			if k := kind(parts[i]); p == at && k >= 0 {
				ordered[k] = append(ordered[k], at)
			}
		}
	}
	shuffled := make([]message, len(parts))
	for i, p := range parts {
		if k := kind(p); k >= 0 {
			shuffled[ordered[k][0]], ordered[k] = p, ordered[k][1:]
		} else {
			shuffled[place[i]] = p
		}
	}
	for _, p := range shuffled {
		out = append(out, p...)
	}
	return out
}

func zipped(b []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, _ = z.Write(b)
	_ = z.Close()
	return out.Bytes()
}

// TestRead: the places and times of a profile are found, in whatever order its parts come and whichever of its values measures time.
func TestRead(t *testing.T) {
	for seed := range uint64(40) {
		for _, c := range []struct {
			types []uint64
			times float64
		}{{[]uint64{1, 2}, 10}, {[]uint64{2, 1}, 1}, {[]uint64{1, 6}, 1}, {[]uint64{6, 2}, 10}} {
			data := joined(made(c.types...), seed)
			for _, in := range [][]byte{data, zipped(data)} {
				if !Is(in[:min(len(in), HeadSize)]) {
					t.Fatalf("not recognised: %x", in[:HeadSize])
				}
				p, err := Read(bytes.NewReader(in))
				if err != nil {
					t.Fatal(err)
				}
				want := map[Place]float64{{Object: "/bin/a", Offset: 0x1123}: 4 * c.times, {Function: "f", Line: 42}: 4 * c.times}
				if !maps.Equal(p.Places, want) || p.Lost != 2*c.times || !maps.Equal(p.IDs, map[string]string{"/bin/a": "abcd12"}) {
					t.Fatalf("types %v: %+v", c.types, p)
				}
			}
		}
	}
}

// TestReadErrors: what is no CPU profile is refused with the reason.
func TestReadErrors(t *testing.T) {
	whole := joined(made(1, 2), 1)
	for name, c := range map[string]struct {
		in   []byte
		want string
	}{
		"heap":     {joined(made(6), 1), "is a profile of alloc_space, not of time"},
		"text":     {zipped([]byte("perf 12 1: cycles:\n 401000 f+0x0 (/bin/a)\n")), "no profile of pprof"},
		"damaged":  {[]byte(gzipMagic + "junk"), "no profile of pprof"},
		"cut":      {whole[:len(whole)-1], "it is cut"},
		"huge":     {append(bytes.Clone(whole), 0x12, 0xff, 0xff, 0xff, 0xff, 0x0f), "a message of 4294967295 bytes"},
		"no types": {joined(made(), 1), "holds no samples"},
		"strings":  {zipped(bytes.Repeat(message(nil).bytes(profileString, make([]byte, 1<<20)), 300)), "too many entries"},
		"empty":    {zipped(nil), "no profile of pprof"},
	} {
		if _, err := Read(bytes.NewReader(c.in)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if _, err := io.ReadAll(&atMost{strings.NewReader("123456"), 5}); !errors.Is(err, errSize) {
		t.Error(err)
	}
	for _, text := range []string{"", "\n", "perf 1 2.0: 1 cycles:\n", "main 10 [000] 1.5: cycles: ffff f+0x1 (/bin/a)\n", "# callgrind format\nversion: 1\n", "H8H8", "PERFILE2"} {
		if Is([]byte(text)) {
			t.Errorf("%q is taken for a profile", text)
		}
	}
}

// gperf is a profile of gperftools with records of a count and a stack.
func gperf(maps string, records ...[]uint64) (out []byte) {
	words := []uint64{0, 3, 0, 10000, 0}
	for _, r := range records {
		words = append(append(words, r[0], uint64(len(r)-1)), r[1:]...)
	}
	for _, w := range append(words, 0, 1, 0) {
		out = binary.LittleEndian.AppendUint64(out, w)
	}
	return append(out, maps...)
}

// TestGperf: profiles of gperftools are read, whose addresses the maps of the process tell.
func TestGperf(t *testing.T) {
	maps := "build=/x\n00400000-00500000 r-xp 00001000 08:01 7 /bin/a b\n7f0000000000-7f0000001000 r-xp 00000000 00:00 0\nbad\n"
	p, err := Read(bytes.NewReader(gperf(maps, []uint64{3, 0x400123, 0x400200}, []uint64{2, 0x400123}, []uint64{1, 0x7f0000000001})))
	if err != nil || len(p.Places) != 1 || p.Places[Place{Object: "/bin/a b", Offset: 0x1123}] != 5 || p.Lost != 1 {
		t.Errorf("%+v, %v", p, err)
	}
	for _, cut := range []int{24, 39, 50} {
		if _, err := Read(bytes.NewReader(gperf("", []uint64{3, 1, 2})[:cut])); err == nil || !strings.Contains(err.Error(), "it is cut") {
			t.Errorf("%d bytes: %v", cut, err)
		}
	}
}

// TestGo reads a profile of this program.
func TestGo(t *testing.T) {
	var b bytes.Buffer
	if err := pprof.StartCPUProfile(&b); err != nil {
		t.Skip(err)
	}
	x := 1.0
	for start := time.Now(); time.Since(start) < 300*time.Millisecond; {
		for range 10000 {
			x = x*0.5 + 1
		}
	}
	pprof.StopCPUProfile()
	p, err := Read(&b)
	if err != nil {
		t.Skipf("%v (%v)", err, x)
	}
	self, _ := os.Executable()
	for at := range p.Places {
		if at.Object == self && at.Offset > 0 {
			return
		}
	}
	t.Errorf("no sample is in %s: %+v", self, p.Places)
}

// FuzzRead: no input panics, hangs, or takes much memory.
func FuzzRead(f *testing.F) {
	f.Add(joined(made(1, 2), 1))
	f.Add(zipped(joined(made(2), 2)))
	f.Add(gperf("00400000-00500000 r-xp 00001000 08:01 7 /bin/a\n", []uint64{3, 0x400123, 1}))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Read(bytes.NewReader(data))
		if (p == nil) == (err == nil) {
			t.Error(p, err)
		}
	})
}
