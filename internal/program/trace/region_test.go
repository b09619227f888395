package trace

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"incore/internal/base/symname"
	"incore/internal/isa/catalog"
	"incore/internal/object"
)

const templates = `
template <class T> __attribute__((noinline)) T sum(const T *a, long n) { T s{}; for (long i = 0; i < n; i++) s += a[i]; return s; }
namespace app { template <class T> __attribute__((noinline)) T sum(const T *a, long n) { T s{}; for (long i = 0; i < n; i++) s += 3 * a[i]; return s; } }
int main(int n, char **) { float f[9] = {}; double d[9] = {}; return (int)(sum(f, n) + sum(d, n) + app::sum(f, n)); }
`

// TestLoopNames: a loop is found by its full name, and by each shorter one that tables show where this tells it from others.
func TestLoopNames(t *testing.T) {
	if _, err := exec.LookPath("g++"); err != nil {
		t.Skip("no g++ here (Debian's package g++)")
	}
	exe := filepath.Join(t.TempDir(), "a.out")
	cmd := exec.Command("g++", "-O1", "-x", "c++", "-", "-o", exe)
	cmd.Stdin = strings.NewReader(templates)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	f, err := object.Open(exe, catalog.ISAs()...)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, fn := range f.Functions() {
		if strings.Contains(fn.Name, "sum<") {
			for _, l := range f.Loops(fn) {
				names = append(names, l.Name())
			}
		}
	}
	if len(names) != 3 {
		t.Fatalf("%q", names)
	}
	for _, room := range []int{200, 24, 20} {
		for i, short := range symname.Fit(names, room) {
			l, err := findLoop(f, short)
			if err != nil {
				t.Errorf("%s: %v", short, err)
			} else if room > 20 && l.Name() != names[i] {
				t.Errorf("%s is %s, not %s", short, l.Name(), names[i])
			}
		}
	}
}
