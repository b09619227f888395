package profile_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"incore/internal/program/qemu"
	"incore/internal/roofline"
	"incore/internal/roofline/profile"
)

// staticSource has loops whose ends are constants, triangular ones, one that is called with a constant, and one whose end nobody knows.
const staticSource = `
double a[1000], b[1000], c[1000], m[100][100], v[100], r[100];
__attribute__((noinline)) void triad(double s) { for (int i = 0; i < 1000; i++) a[i] = b[i] + s * c[i]; }
__attribute__((noinline)) void axpy(long n, double s, double *restrict x, double *restrict y) { for (long i = 0; i < n; i++) y[i] += s * x[i]; }
__attribute__((noinline)) void triangle(void) { for (int i = 0; i < 100; i++) for (int j = 0; j <= i; j++) r[i] += m[i][j] * v[j]; }
__attribute__((noinline)) double unknown(long n, double *x) { double s = 1; for (long i = 0; i < n; i++) s = s * x[i] + 1; return s; }
__attribute__((noinline)) void work(void) { triad(2); axpy(1000, 3, a, b); for (int k = 0; k < 5; k++) triangle(); }
int main(void) { work(); return unknown(2, a) == 5; }`

// onStatic compiles staticSource.
func onStatic(t *testing.T, cc string, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	src, exe := filepath.Join(dir, "k.c"), filepath.Join(dir, "k")
	if err := os.WriteFile(src, []byte(staticSource), 0o600); err != nil {
		t.Fatal(err)
	}
	command := strings.Fields(cc)
	if _, err := exec.LookPath(command[0]); err != nil {
		t.Skipf("%s is not installed", command[0])
	}
	args := append(append(command[1:], flags...), "-static", "-g", "-o", exe, src)
	if out, err := exec.Command(command[0], args...).CombinedOutput(); err != nil {
		t.Skipf("%s %v: %s", cc, args, out)
	}
	return exe
}

func static(t *testing.T, o profile.StaticOptions) *roofline.Profile {
	t.Helper()
	p, err := profile.Static(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func work(p *roofline.Profile) string {
	return fmt.Sprintf("%v FLOP by %v instructions, %v loaded, %v stored", p.Flops, p.FPInstructions, p.BytesLoaded, p.BytesStored)
}

// TestStatic: what is counted from the code alone is what is counted when it runs, without and with optimisation, with vectors and what remains of them.
func TestStatic(t *testing.T) {
	native(t)
	for _, build := range [][]string{{"gcc", "-O0"}, {"gcc", "-O3", "-mavx2", "-mfma"}, {"clang-19", "-O3"}, {"clang-19", "-O2", "-mavx2", "-mfma"}} {
		t.Run(strings.Join(build, " "), func(t *testing.T) {
			exe := onStatic(t, build[0], build[1:]...)
			p, q := static(t, profile.StaticOptions{File: exe, Function: "work"}), run(t, profile.Options{Args: []string{exe}, Function: "work", NoCaches: true})
			if work(p) != work(q) || p.Instructions != q.Instructions || p.Partial != "" || p.Flops < 54000 {
				t.Errorf("static: %s, %v instructions, partial %q; run: %s, %v", work(p), p.Instructions, p.Partial, work(q), q.Instructions)
			}
		})
	}
}

// TestStaticVectors: scalable vectors have as many active elements at their ends as when they run under QEMU.
func TestStaticVectors(t *testing.T) {
	for _, c := range []struct {
		cc, flags, isa, cpu string
		lengths             []int
	}{
		{"aarch64-linux-gnu-gcc", "-O3 -march=armv8.2-a+sve", "aarch64", "max,sve%d=on,sve-default-vector-length=-1", []int{128, 512, 2048}},
		{"clang-19 --target=riscv64-linux-gnu", "-O3 -march=rv64gcv", "riscv64", "rv64,v=true,vlen=%d,elen=64", []int{128, 512}},
		{"aarch64-linux-gnu-gcc", "-O2", "aarch64", "", []int{0}},
		{"riscv64-linux-gnu-gcc", "-O2", "riscv64", "", []int{0}},
	} {
		t.Run(c.cc+" "+c.flags, func(t *testing.T) {
			emulator, err := qemu.Find(c.isa)
			if err == nil {
				err = qemu.RunsPlugins(emulator)
			}
			if err != nil {
				t.Skip(err)
			}
			exe := onStatic(t, c.cc, strings.Fields(c.flags)...)
			for _, bits := range c.lengths {
				cpu := c.cpu
				if cpu != "" {
					cpu = fmt.Sprintf(cpu, bits)
				}
				p := static(t, profile.StaticOptions{File: exe, Function: "work", Vector: bits})
				q := run(t, profile.Options{Args: []string{exe}, Function: "work", CPU: cpu, NoCaches: true})
				if work(p) != work(q) || p.Instructions != q.Instructions || p.Partial != "" || q.Partial != "" {
					t.Errorf("%d bits: static: %s, %v instructions, partial %q; run: %s, %v", bits, work(p), p.Instructions, p.Partial, work(q), q.Instructions)
				}
			}
		})
	}
}

// TestStaticUnknown: a loop whose end is not known is counted once and the profile is partial, or as often as was said.
func TestStaticUnknown(t *testing.T) {
	exe := onStatic(t, "gcc", "-O1")
	p := static(t, profile.StaticOptions{File: exe, Function: "unknown"})
	if p.Flops != 2 || !strings.Contains(p.Partial, "one iteration is counted (--trips)") || len(p.Loops) == 0 {
		t.Fatalf("%v FLOP, partial %q", p.Flops, p.Partial)
	}
	loop := ""
	for i := range p.Loops {
		if p.Loops[i].Loop != "" {
			loop = p.Loops[i].Loop
		}
	}
	for _, trips := range []string{loop, "unknown", "k.c:6", ""} {
		p = static(t, profile.StaticOptions{File: exe, Function: "unknown", Trips: []profile.Trips{{Loop: trips, N: 1000000}}})
		if p.Flops != 2e6 || p.BytesLoaded < 8e6 || p.BytesLoaded > 8e6+24 {
			t.Errorf("trips of %q: %s", trips, work(p))
		}
	}
	p = static(t, profile.StaticOptions{File: exe, Function: "unknown", Registers: map[string]uint64{"rdi": 12345}})
	if p.Flops != 2*12345 || p.Partial != "" {
		t.Errorf("n in a register: %s, partial %q", work(p), p.Partial)
	}
}

// TestStaticErrors: what cannot be counted is an error that says what to do.
func TestStaticErrors(t *testing.T) {
	exe := onStatic(t, "gcc", "-O1")
	for _, c := range []struct {
		o    profile.StaticOptions
		want string
	}{
		{profile.StaticOptions{File: exe, Function: "work", Vector: 512}, "work is code of fixed vector length: a length can only be chosen of code for scalable vectors"},
		{profile.StaticOptions{File: exe, Function: "wrok"}, "has no function \"wrok\""},
		{profile.StaticOptions{File: exe, Function: "work", Registers: map[string]uint64{"q7": 1}}, "x86-64 has no register \"q7\""},
		{profile.StaticOptions{File: "static_test.go"}, "an executable or an object file is needed"},
	} {
		if _, err := profile.Static(t.Context(), c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	sve := onStatic(t, "aarch64-linux-gnu-gcc", "-O3", "-march=armv8.2-a+sve")
	if _, err := profile.Static(t.Context(), profile.StaticOptions{File: sve, Function: "work"}); err == nil || !strings.Contains(err.Error(), "scalable vectors, and their length is not known: name it (--vector-bits") {
		t.Errorf("%v", err)
	}
	if _, err := profile.ParseTrips("kernel=0"); err == nil {
		t.Error("0 trips are taken")
	}
}
