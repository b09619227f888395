package profile_test

import (
	"os"
	"os/exec"
	"testing"

	"incore/internal/base/long"
	"incore/internal/program/qemu"
	"incore/internal/roofline"
	"incore/internal/roofline/profile"
)

// apps are the mini-apps, with an input that takes little time and a function whose operations are its own code's.
var apps = []struct{ name, function, size, steps string }{{"hydro", "forces", "4", "3"}, {"fem", "multiply", "4", "5"}, {"transport", "collide", "4", "300"}}

// TestApps: a mini-app has one checksum whatever it is compiled to and wherever it is counted, and natively as many operations as under QEMU.
func TestApps(t *testing.T) {
	native(t)
	emulator, err := qemu.Find("x86-64")
	emulated := err == nil && qemu.RunsPlugins(emulator) == nil && long.Tests()
	for _, a := range apps {
		text, err := os.ReadFile("../../../examples/apps/" + a.name + ".c")
		if err != nil {
			t.Fatal(err)
		}
		want := ""
		for _, flags := range [][]string{{"-O1", "-fno-inline", "-lm"}, {"-O3", "-march=x86-64-v2", "-ffp-contract=off", "-fno-inline", "-fno-tree-loop-distribute-patterns", "-lm"}} {
			exe := compile(t, string(text), "gcc", flags...)
			out, err := exec.Command(exe, a.size, a.steps).Output()
			if err != nil {
				t.Fatalf("%s: %v", a.name, err)
			}
			if want == "" {
				want = string(out)
			} else if string(out) != want {
				t.Errorf("%s %v prints %s, not %s", a.name, flags, out, want)
			}
			o := profile.Options{Args: []string{exe, a.size, a.steps}, Function: a.function}
			p := run(t, o)
			if p.Flops == 0 || p.Partial != "" {
				t.Errorf("%s: %g FLOP, partial %q", a.name, p.Flops, p.Partial)
			}
			if !emulated || a.name == "transport" { // whose logarithms glibc computes as the CPU allows; memset, too, were it called
				continue
			}
			o.QEMU = true
			var q *roofline.Profile = run(t, o)
			if p.Flops != q.Flops || p.FPInstructions != q.FPInstructions || p.BytesLoaded != q.BytesLoaded || p.BytesStored != q.BytesStored { // QEMU counts an instruction with rep once for each repetition
				t.Errorf("%s %v: natively %v FLOP, %v and %v bytes, under QEMU %v, %v and %v", a.name, flags,
					p.Flops, p.BytesLoaded, p.BytesStored, q.Flops, q.BytesLoaded, q.BytesStored)
			}
		}
	}
}

// TestUnseen: a function that does not run is an error, which names the copies that the compiler made of it.
func TestUnseen(t *testing.T) {
	native(t)
	exe := compile(t, "double a; void work(void) { a += 1; } void other(void) __asm__(\"work.constprop.0\"); void other(void) { a += 2; } int main(void) { other(); return 0; }", "gcc", "-O1", "-fno-inline")
	_, err := profile.Run(t.Context(), profile.Options{Args: []string{exe}, Function: "work"})
	if want := `function "work" did not run; the compiler made copies of it: work.constprop.0`; err == nil || err.Error() != want {
		t.Errorf("%v, want %q", err, want)
	}
}
