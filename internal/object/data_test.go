package object

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"incore/internal/isa/x86"
)

// compiled opens what gcc makes of a C file.
func compiled(t *testing.T, text string, flags ...string) *File {
	t.Helper()
	cc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("gcc is not installed (Debian package: gcc)")
	}
	dir := t.TempDir()
	src, out := filepath.Join(dir, "a.c"), filepath.Join(dir, "a")
	if err := os.WriteFile(src, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if msg, err := exec.Command(cc, append(flags, "-o", out, src)...).CombinedOutput(); err != nil {
		t.Skipf("gcc: %v\n%s", err, msg)
	}
	f, err := Open(out, x86.ISA())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestData looks up variables of an object file and of an executable.
func TestData(t *testing.T) {
	const text = "double a[7], b[9] = {1};\nint main(void) { for (int i = 0; i < 7; i++) a[i] = b[i]; return 0; }\n"
	for _, flags := range [][]string{{"-c"}, {"-no-pie"}, {"-no-pie", "-s"}} {
		f := compiled(t, text, flags...)
		sizes := map[uint64]int{}
		for _, d := range f.data {
			for _, at := range []uint64{d.lo, d.hi - 1} {
				if lo, hi := f.Data(at); lo != d.lo || hi != d.hi {
					t.Errorf("%v: %#x: %#x to %#x, want %#x to %#x", flags, at, lo, hi, d.lo, d.hi)
				}
			}
			if lo, _ := f.Data(d.hi); lo == d.lo {
				t.Errorf("%v: the end %#x is held to be inside", flags, d.hi)
			}
			sizes[d.hi-d.lo]++
		}
		stripped := len(flags) == 2
		if want := !stripped; (sizes[56] > 0 && sizes[72] > 0) != want {
			t.Errorf("%v: variables of %v bytes", flags, sizes)
		}
	}
}
