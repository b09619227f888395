package profile_test

import (
	"os"
	"strings"
	"testing"

	"incore/internal/roofline/profile"
)

// TestAgain: a time that is measured again replaces one that was longer, with that of the loops, and no shorter one. Another file is refused.
func TestAgain(t *testing.T) {
	native(t)
	exe := compile(t, "double x[1000]; int main(void) { for (int k = 0; k < 20000; k++) for (int i = 0; i < 1000; i++) x[i] = x[i] * 0.5 + 1; return 0; }", "gcc")
	p := run(t, profile.Options{Args: []string{exe}, NoCaches: true})
	if p.Seconds != 0 {
		t.Fatalf("%v s without a measurement", p.Seconds)
	}
	f := null(t)
	o := profile.Options{Stdin: f, Stdout: f, Stderr: f}
	p.Seconds = 1e9
	if err := profile.Again(t.Context(), p, o); err != nil || p.Seconds <= 0 || p.Seconds > 100 {
		t.Fatalf("%v, %v s", err, p.Seconds)
	}
	sum := 0.0
	for _, l := range p.Loops {
		sum += l.Seconds
	}
	if p.Untimed == "" && (sum <= p.Seconds/2 || sum > 1.1*p.Seconds) {
		t.Errorf("loops have %v s of %v", sum, p.Seconds)
	}
	p.Seconds = 1e-9
	if err := profile.Again(t.Context(), p, o); err != nil || p.Seconds != 1e-9 {
		t.Errorf("%v, %v s: a longer time is taken", err, p.Seconds)
	}
	if err := os.WriteFile(exe, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := profile.Again(t.Context(), p, o); err == nil {
		t.Error("another file is timed")
	}
	p.Scope = "function main with what it calls"
	if err := profile.Again(t.Context(), p, o); err == nil || !strings.Contains(err.Error(), "program") {
		t.Errorf("%v", err)
	}
}
