package clone_test

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"incore/internal/isa/catalog"
	"incore/internal/object"
	"incore/internal/program/clone"
)

// TestMake copies a function with a loop and a call, and finds a block for each of its own and its callee's.
func TestMake(t *testing.T) {
	f := compile(t, `
int v[10];
__attribute__((noinline)) static int twice(int x) { return 2 * x + v[3]; }
int kernel(int n) { int s = 0; for (int i = 0; i < n; i++) s += twice(v[i % 10]); int *p = &v[9]; __asm__ volatile("lea v(%%rip), %0" : "=r"(p)); return s + p[3]; }
int main(int argc, char **argv) { v[3] = argc; return kernel(argc); }`)
	im, err := clone.Make(f, f.Function("kernel"))
	if err != nil {
		t.Fatal(err)
	}
	functions, accesses := map[string]int{}, 0
	for _, b := range im.Blocks {
		functions[b.Func.Name]++
		accesses += len(b.Accesses)
	}
	if functions["twice"] != 1 || functions["kernel"] < 2 || accesses < 2 {
		t.Errorf("blocks %v, %d accesses", functions, accesses)
	}
	if im.Entry != clone.Base || len(im.Code) == 0 {
		t.Errorf("entry %#x of %d bytes", im.Entry, len(im.Code))
	}
	if _, err := im.Read([]byte{0, 0, 0, 0, 0, 0, 0, 0x80}); err == nil {
		t.Error("a record of a block that there is not is read")
	}
}

// TestOutside: code that calls another file cannot be copied.
func TestOutside(t *testing.T) {
	f := compile(t, `
#include <stdio.h>
int kernel(int n) { return puts("") + n; }
int main(void) { return kernel(1); }`)
	if _, err := clone.Make(f, f.Function("kernel")); err == nil {
		t.Error("a call of libc is copied")
	}
}

func compile(t *testing.T, source string) *object.File {
	t.Helper()
	if runtime.GOARCH != "amd64" {
		t.Skip("copies are of x86-64 code")
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("gcc is not installed")
	}
	exe := filepath.Join(t.TempDir(), "a.out")
	cmd := exec.Command("gcc", "-O1", "-fno-pic", "-no-pie", "-x", "c", "-", "-o", exe)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		_, _ = in.Write([]byte(source))
		in.Close()
	}()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	f, err := object.Open(exe, catalog.ISAs()...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
