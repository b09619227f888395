package explore

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"incore/internal/roofline"
)

// TestPlan: a plan is read whole, and what is wrong with one is said.
func TestPlan(t *testing.T) {
	p, err := ReadPlan("plan.yaml", []byte("from: a\nprofile: p.json\nto: [b, c]\nbinaries: {gcc: ./x 1 2}\nvectors: [128, 512]\nmemories: [own, a64fx]\nwhat_if: [rob=2x]\n"))
	if err != nil || len(p.To) != 2 || p.Binaries["gcc"] != "./x 1 2" || len(p.Vectors) != 2 || p.WhatIf[0] != "rob=2x" {
		t.Errorf("%+v, %v", p, err)
	}
	for text, want := range map[string]string{
		"from: a\nprofile: p\nto: [b]\nvector: [128]\n":        "unknown field",
		"profile: p\nto: [b]\n":                                "source machine",
		"from: a\nto: [b]\n":                                   "profile",
		"from: a\nprofile: p\n":                                "target machine",
		"from: a\nprofile: p\nto: [b]\nvectors: [100]\n":       "power of two",
		"from: a\nprofile: p\nto: [b]\nbinaries: {x: ''}\n":    "command line",
		"from: a\nprofile: p\nto: [b]\nvectors: [a hundred]\n": "plan.yaml",
	} {
		if _, err := ReadPlan("plan.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestCPU: a vector length is asked of what has one.
func TestCPU(t *testing.T) {
	if s, err := CPU("aarch64", 512); err != nil || !strings.Contains(s, "sve512=on") {
		t.Errorf("%q, %v", s, err)
	}
	for isa, bits := range map[string]int{"x86-64": 256, "aarch64": 4096, "riscv64": 64} {
		if s, err := CPU(isa, bits); err == nil {
			t.Errorf("%s at %d bits is %s", isa, bits, s)
		}
	}
}

// TestProfiles: each job's profile is made once, by one shard, and is there for the others.
func TestProfiles(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("x86-64 programs are profiled natively under Linux only")
	}
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc")
	}
	dir := t.TempDir()
	src, exe := filepath.Join(dir, "p.c"), filepath.Join(dir, "p")
	text := `#include <stdlib.h>
int main(int c, char **v) { volatile double s = 0; for (int i = atoi(v[1]); i > 0; i--) s += 1; return 0; }`
	if err := os.WriteFile(src, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(gcc, "-O1", "-o", exe, src).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	m := &roofline.Machine{Name: "m", Levels: []roofline.Level{{Name: "L1", Size: 32768}, {Name: "memory"}}}
	var jobs []Job
	for _, n := range []string{"100", "200", "300", "400"} {
		jobs = append(jobs, Job{Binary: n, Command: []string{exe, n}, Target: m})
	}
	jobs = append(jobs, Job{Binary: "wide", Command: []string{exe, "1"}, Bits: 256, Target: m})
	o := Options{Dir: filepath.Join(dir, "store"), Workers: 2, Of: 2}
	made, left := 0, 0
	for o.Shard = 1; o.Shard <= 2; o.Shard++ {
		done, err := Profiles(context.Background(), jobs, o)
		if err != nil {
			t.Fatal(err)
		}
		for i := range done[:4] {
			if done[i].Err == nil && !done[i].Cached {
				made++
			}
		}
		left = Elsewhere(done)
		if err := done[4].Err; err == nil || !strings.Contains(err.Error(), "compiled for") {
			t.Errorf("x86-64 at 256 bits: %v", err)
		}
	}
	if made != 4 || left != 0 {
		t.Errorf("%d profiles made by two shards, %d left", made, left)
	}
	done, _ := Profiles(context.Background(), jobs, Options{Dir: o.Dir})
	for i := range done[:4] {
		if want := float64(100 * (i + 1)); done[i].Err != nil || !done[i].Cached || done[i].Profile.Flops != want {
			t.Errorf("%v: %+v", want, done[i])
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Profiles(ctx, jobs, Options{Dir: dir}); err == nil {
		t.Error("an interrupted exploration is whole")
	}
}
