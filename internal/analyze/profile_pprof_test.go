package analyze

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"incore/internal/isa/catalog"
	"incore/internal/object"
)

// TestProfilePprof: samples of profiles of pprof and gperftools count for the loops of a program, by address or by line, and those of another build are refused.
func TestProfilePprof(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(in("a.c"), []byte("int f(int n)\n{\n int s = 0;\n for (int i = 0; i < n; i++)\n  s = s * 3 ^ i;\n return s;\n}\nint main(int n, char **v) { return f(n); }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-g", "-O1", "-fno-inline", "-Wl,--build-id=0xabcdef12", "-o", in("prog"), in("a.c")).CombinedOutput(); err != nil {
		t.Skipf("no gcc: %v: %s", err, out)
	}
	f, err := object.Open(in("prog"), catalog.ISAs()...)
	if err != nil {
		t.Fatal(err)
	}
	loop := f.Loops(f.Function("f"))[0].Addr() // of a position-independent program, whose code lies at its offset
	gperf := func(path string) []byte {
		var b []byte
		for _, w := range []uint64{0, 3, 0, 10000, 0, 3, 2, 0x550000000000 + loop, 1, 1, 1, 7, 0, 1, 0} {
			b = binary.LittleEndian.AppendUint64(b, w)
		}
		return fmt.Appendf(b, "550000000000-550000009000 r-xp 00000000 08:01 7 %s\n", path)
	}
	part := func(field byte, b ...byte) []byte { return append([]byte{field<<3 | 2, byte(len(b))}, b...) }
	proto := func(path, id string, location ...byte) []byte {
		address := binary.AppendUvarint([]byte{3 << 3}, 0x1000+loop)
		b := bytes.Join([][]byte{part(1, 8, 1), part(2, 8, 1, 16, 3), part(2, 8, 2, 16, 1), part(3, 8, 1, 16, 0x80, 0x20, 24, 0x80, 0x80, 0x10, 40, 2, 48, 3), part(4, append([]byte{8, 1, 16, 1}, address...)...)}, nil)
		if location != nil {
			b = bytes.Join([][]byte{part(1, 8, 1), part(2, 8, 1, 16, 3), part(2, 8, 2, 16, 1), part(4, location...), part(5, 8, 1, 16, 4)}, nil)
		}
		for _, s := range []string{"", "cpu", path, id, "f"} {
			b = append(b, part(6, []byte(s)...)...)
		}
		return b
	}
	for _, c := range []struct {
		name  string
		data  []byte
		share float64
		want  string
	}{
		{"gperftools", gperf(in("prog")), 0.75, ""},
		{"gperftools, elsewhere", gperf("/bin/other"), 0, "is of other, not of this file"},
		{"proto", proto("/old/prog", "ABCDEF12"), 0.75, ""},
		{"proto, renamed", proto("/old/name", "abcdef12"), 0.75, ""},
		{"proto without a build id", proto("/old/prog", ""), 0.75, ""},
		{"another build", proto("/old/prog", "abcdef34"), 0, "another build"},
		{"another program", proto("/bin/other", "abcdef34"), 0, "is of other, not of this file"},
		{"by line", proto("", "", 8, 1, 4<<3|2, 4, 8, 1, 16, 5), 0.75, ""},
	} {
		p, err := ReadProfile(bytes.NewReader(c.data))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		said := ""
		if err := p.Suits(f); err != nil {
			said = err.Error()
		} else if list, err := Loops(f, LoopOptions{Profile: p}); err != nil {
			t.Fatal(err)
		} else {
			for _, l := range list.Loops {
				if l.Function == "f" && l.Share != c.share {
					t.Errorf("%s: share %v, want %v", c.name, l.Share, c.share)
				}
			}
			for _, d := range list.Diagnostics {
				said += d.Message
			}
		}
		if !strings.Contains(said, c.want) || c.want == "" && said != "" {
			t.Errorf("%s: %q, want %q", c.name, said, c.want)
		}
	}
	if id, _ := hex.DecodeString(f.BuildID()); len(id) != 4 {
		t.Errorf("build id %q", f.BuildID())
	}
}
