package looptime_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"incore/internal/roofline/looptime"
	"incore/internal/roofline/profile"
)

// nests has sums of eight elements: of each row, all together, and of rows so long that their entries hardly overlap.
const nests = `static double x[64][64], y[64]; double all;
__attribute__((noipa)) void rows(int n) { for (int i = 0; i < 64; i++) { double s = 0; for (int j = 0; j < n; j++) s += x[i][j]; y[i] = s; } }
__attribute__((noipa)) double both(int n) { double s = 0; for (int i = 0; i < 64; i++) for (int j = 0; j < n; j++) s += x[i][j]; return s; }
__attribute__((noipa)) double longer(const double *p, long n) { double s = 0; for (int r = 0; r < 4; r++) { s = r; for (long j = 0; j < n; j++) s += p[j]; all += s; } return s; }
int main(void) { for (int i = 0; i < 64; i++) for (int j = 0; j < 64; j++) x[i][j] = i + j;
  for (int r = 0; r < 100; r++) { rows(8); all += both(8); all += longer(&x[0][0], 4096); } return all == 1; }`

// TestEntries: a loop of few iterations whose chain begins anew each time overlaps with its next entry; one whose chain goes on does not.
func TestEntries(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil || runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("programs are compiled and profiled natively under x86-64 Linux only")
	}
	dir := t.TempDir()
	src, exe := filepath.Join(dir, "p.c"), filepath.Join(dir, "p")
	if err := os.WriteFile(src, []byte(nests), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(gcc, "-O1", "-o", exe, src).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	p, err := profile.Run(context.Background(), profile.Options{Args: []string{exe}, NoCaches: true, Repeat: 1})
	if err != nil {
		t.Fatal(err)
	}
	times, problems, err := looptime.Of(p, looptime.Options{Core: "skylake"})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	const chain = 4 // cycles of an addition
	got := map[string]float64{}
	for i := range p.Loops {
		if l := &p.Loops[i]; l.Loop != "" && times[i] != nil && l.Iterations > got[l.Function+" n"] {
			got[l.Function+" n"], got[l.Function] = l.Iterations, times[i].Cycles
		}
	}
	if got["rows"] == 0 || got["rows"] > 0.75*chain {
		t.Errorf("sums of rows: %.2f cycles per iteration, less than %d wanted", got["rows"], chain)
	}
	for _, f := range []string{"both", "longer"} {
		if got[f] < 0.95*chain || got[f] > 1.05*chain {
			t.Errorf("%s: %.2f cycles per iteration, want %d", f, got[f], chain)
		}
	}
}
