package object

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"incore/internal/isa/x86"
)

func TestExpansion(t *testing.T) {
	for _, c := range []struct {
		name         string
		stored, size uint64
		times        int
		bad, debug   bool
	}{
		{".debug_info", 1000, 10_000, 1, false, false},
		{".debug_info", 1000, 200_000, 1, false, false}, // a small one may be all zeros
		{".debug_info", 1 << 20, 101 << 20, 1, false, true},
		{".zdebug_line", 1 << 20, 101 << 20, 1, false, true},
		{"__zdebug_line", 1 << 20, 101 << 20, 1, false, true},
		{".debug_info", 10 << 20, 300 << 20, 3, false, false},
		{".debug_info", 10 << 20, 300 << 20, 4, false, true}, // together too large
		{".text", 1 << 20, 200 << 20, 1, true, false},
		{".text", 1 << 20, 1 << 19, 1, false, false},
	} {
		var x expansion
		var err error
		for range c.times {
			if e := x.add(c.name, c.stored, c.size); e != nil {
				err = e
			}
		}
		if (err != nil) != c.bad || (x.debug != "") != c.debug {
			t.Errorf("%d × %s, %d to %d bytes: %v, %q", c.times, c.name, c.stored, c.size, err, x.debug)
		}
	}
}

// TestCompressedDebug reads an object whose debugging information would become a thousand times as large.
func TestCompressedDebug(t *testing.T) {
	for _, tool := range []string{"gcc", "objcopy"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	dir := t.TempDir()
	src, obj, zeros := filepath.Join(dir, "a.c"), filepath.Join(dir, "a.o"), filepath.Join(dir, "zeros")
	if err := os.WriteFile(src, []byte("long f(long *a, int n) { long s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(zeros, make([]byte, 64<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"gcc", "-O1", "-g", "-c", src, "-o", obj},
		{"objcopy", "--add-section", ".debug_macro=" + zeros, obj},
		{"objcopy", "--compress-debug-sections=zlib", obj},
	} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
			t.Skipf("%v: %s", err, out)
		}
	}
	f, err := Open(obj, x86.ISA())
	if err != nil {
		t.Fatal(err)
	}
	if w := strings.Join(f.Warnings(), "\n"); !strings.Contains(w, "debugging information is left out") || !strings.Contains(w, ".debug_macro") {
		t.Errorf("warnings: %q", w)
	}
	if fn := f.Function("f"); fn == nil || len(f.Loops(fn)) != 1 {
		t.Error("the function's loop is not found")
	}
}
