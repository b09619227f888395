package main

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"
)

// TestFamily compiles the generated kernels.
func TestFamily(t *testing.T) {
	var b bytes.Buffer
	if err := family(&b); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "\nvoid "); n != 2*(15+14+9) {
		t.Errorf("%d kernels", n)
	}
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("gcc is not installed")
	}
	cmd := exec.Command(gcc, "-march=x86-64-v3", "-fsyntax-only", "-x", "c", "-")
	if out, _ := exec.Command(gcc, "-dumpmachine").Output(); !strings.HasPrefix(string(out), "x86_64") {
		t.Skip("gcc is not one for x86-64")
	}
	cmd.Stdin = &b
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
