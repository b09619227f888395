package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestMeasureCompiled measures a loop of a source file that is compiled, and of its object file.
func TestMeasureCompiled(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler (cc) here")
	}
	dir := t.TempDir()
	src, obj := filepath.Join(dir, "sum.c"), filepath.Join(dir, "sum.o")
	text := "double sum(const double *a, long n) { double s = 0; for (long i = 0; i < n; i++) s += a[i]; return s; }\n"
	if err := os.WriteFile(src, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(cc, "-O2", "-c", "-o", obj, src).CombinedOutput(); err != nil {
		t.Skipf("cc: %v %s", err, out)
	}
	for _, args := range [][]string{{"--c", src, "--function", "sum", "--cc", "cc", "--cflags", "-O2"}, {obj, "--function", "sum", "--loop", "1"}, {obj, "--function", "sum", "--copies"}} {
		var out, errs bytes.Buffer
		code := Main(append([]string{"incore", "measure", "--format", "json"}, args...), strings.NewReader(""), &out, &errs)
		if code != 0 && (strings.Contains(errs.String(), "unstable") || strings.Contains(errs.String(), "undisturbed") || strings.Contains(errs.String(), "a different time in each run") || strings.Contains(errs.String(), "needs linux/amd64") || strings.Contains(errs.String(), "only x86-64 can be measured")) {
			t.Skip(errs.String())
		}
		var r struct {
			Cycles, Uncertainty float64
			Instructions        int
			Pages               []uint64
			Physical            int `json:"physical_pages"`
			InPlace             *struct {
				Register   string
				Iterations [2]int
			} `json:"in_place"`
		}
		if err := json.Unmarshal(out.Bytes(), &r); code != 0 || err != nil {
			t.Fatalf("%v: exit code %d, %v\n%s", args, code, err, errs.String())
		}
		if r.Cycles <= 0 || r.Instructions < 2 || len(r.Pages) == 0 || len(r.Pages) > r.Physical {
			t.Errorf("%v: %+v", args, r)
		}
		if p := r.InPlace; runtime.GOARCH == "amd64" && (p == nil) != (args[len(args)-1] == "--copies") || p != nil && (p.Register == "" || p.Iterations[1] < 2*p.Iterations[0]) {
			t.Errorf("%v: in place: %+v", args, p)
		}
	}
	var out, errs bytes.Buffer
	if code := Main([]string{"incore", "measure", obj, "--function", "nothing"}, strings.NewReader(""), &out, &errs); code == 0 || !strings.Contains(errs.String(), "no function") {
		t.Errorf("exit code %d: %s", code, errs.String())
	}
}
