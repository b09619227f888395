package x86

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCompiled compares with llvm-mc over what the compilers here make of
// testdata/kernels.c for several levels of the instruction set.
func TestCompiled(t *testing.T) {
	llvmMC(t)
	var compilers []string
	for _, c := range []string{"gcc", "clang-19", "clang"} {
		if _, err := exec.LookPath(c); err == nil {
			compilers = append(compilers, c)
		}
	}
	if len(compilers) == 0 {
		t.Skip("neither gcc nor clang is installed")
	}
	dir := t.TempDir()
	files := map[string][]string{}
	for _, cc := range compilers {
		for _, flags := range []string{"-O0", "-O2", "-Os -fPIC", "-O3 -march=haswell", "-O3 -march=skylake-avx512 -mprefer-vector-width=512", "-Ofast -march=znver3"} {
			for _, syntax := range []string{"att", "intel"} {
				out := filepath.Join(dir, strings.NewReplacer(" ", "", "=", "").Replace(cc+flags+syntax)+".s")
				args := append(strings.Fields(flags), "-target", "x86_64-linux-gnu", "-masm="+syntax, "-w", "-S", "-o", out, "testdata/kernels.c")
				if cc == "gcc" {
					args = append(strings.Fields(flags), args[len(strings.Fields(flags))+2:]...)
				}
				if msg, err := exec.Command(cc, args...).CombinedOutput(); err != nil {
					t.Logf("%s %s: %v: %s", cc, flags, err, msg) // not for this target
					continue
				}
				files[syntax] = append(files[syntax], out)
			}
		}
	}
	for syntax, list := range files {
		text := 0
		for _, f := range list {
			if s, err := os.Stat(f); err == nil {
				text += int(s.Size())
			}
		}
		att, intel := statementsOf(t, list)
		stmts := att
		if syntax == "intel" {
			stmts = intel
		}
		a := compare(t, stmts, syntax)
		t.Logf("%s: %d bytes of assembly: %v", syntax, text, a)
		if len(a.diffs) > 0 || a.valid == 0 {
			t.Errorf("%s: differences:\n%s", syntax, strings.Join(a.diffs, "\n"))
		}
	}
}
