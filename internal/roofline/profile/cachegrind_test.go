package profile_test

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"incore/internal/base/long"
	"incore/internal/program/cachesim"
	"incore/internal/roofline/profile"
)

// drive calls a kernel of incore eval.
const drive = "void init(void); void kernel(void); double check(void); int main(void) { init(); for (int i = 0; i < CALLS; i++) kernel(); return check() == 12345; }"

// TestCachegrind: the lines that the first-level cache misses are those that valgrind's cachegrind counts for the same cache, within 2 %.
func TestCachegrind(t *testing.T) {
	native(t)
	if _, err := exec.LookPath("valgrind"); err != nil {
		t.Skip("valgrind is not installed (Debian's package valgrind)")
	}
	const suite = "../../eval/suite/src/affine/"
	misses := regexp.MustCompile(`D1\s+misses:\s+([0-9,]+)`)
	for _, k := range long.Some([]struct{ name, size, calls string }{
		{"axpy", "6000", "1"}, {"gemm", "90", "1"}, {"jacobi2d", "100", "1"}, {"transpose", "120", "4"}, {"conv2d", "120", "1"},
	}, 2) {
		t.Run(k.name, func(t *testing.T) {
			dir := t.TempDir()
			src, exe := filepath.Join(dir, "main.c"), filepath.Join(dir, k.name)
			if err := os.WriteFile(src, []byte(drive), 0o600); err != nil {
				t.Fatal(err)
			}
			args := []string{"-O2", "-static", "-DCALLS=" + k.calls, "-DN=" + k.size, "-o", exe, src, suite + k.name + ".c", "-lm"}
			if out, err := exec.Command("gcc", args...).CombinedOutput(); err != nil {
				t.Skipf("gcc %v: %s", args, out)
			}
			out, err := exec.Command("valgrind", "--tool=cachegrind", "--cache-sim=yes", "--D1=32768,8,64", "--LL=524288,8,64", "--cachegrind-out-file=/dev/null", exe).CombinedOutput()
			m := misses.FindSubmatch(out)
			if m == nil {
				t.Skipf("valgrind: %v: %s", err, out)
			}
			want, err := strconv.ParseFloat(strings.ReplaceAll(string(m[1]), ",", ""), 64)
			if err != nil {
				t.Fatal(err)
			}
			p := run(t, profile.Options{Args: []string{exe}, Caches: []cachesim.Level{{Name: "L1", Size: 32768, Ways: 8}, {Name: "L2", Size: 524288, Ways: 8}}, CachesFrom: "the test"})
			got := p.Lines["L2"] + p.Lines["memory"]
			if off := got/want - 1; math.Abs(off) > 0.02 {
				t.Errorf("%v lines missed, cachegrind has %v (%+.1f %%)", got, want, 100*off)
			} else {
				t.Logf("%v lines missed, cachegrind has %v (%+.2f %%)", got, want, 100*off)
			}
		})
	}
}
