// Package long says which tests run. `go test ./...` is to take at most three minutes on two cores; tests that take longer than a few
// seconds run a sample there, or are skipped, and run whole where INCORE_LONG is set, as .ci/run does.
package long

import (
	"os"
	"testing"
)

// Tests reports whether long tests run: INCORE_LONG is set, and `go test -short` was not asked for.
func Tests() bool { return os.Getenv("INCORE_LONG") != "" && !testing.Short() }

// Only skips a test that has no sample where long tests don't run. what describes the skipped work: "plays all forms".
func Only(t testing.TB, what string) {
	t.Helper()
	if !Tests() {
		t.Skip(what + ": INCORE_LONG=1 runs it")
	}
}

// Some returns the first n of a test's cases, or all where long tests run.
func Some[T any](cases []T, n int) []T {
	if Tests() || len(cases) < n {
		return cases
	}
	return cases[:n]
}

// Spread returns n of a test's cases, spread over all of them, or all where long tests run.
func Spread[T any](cases []T, n int) []T {
	if Tests() || len(cases) <= n {
		return cases
	}
	out := make([]T, n)
	for i := range out {
		out[i] = cases[i*len(cases)/n]
	}
	return out
}

// Count returns how many cases a test makes: all where long tests run, else few.
func Count(all, few int) int {
	if Tests() {
		return all
	}
	return few
}

// Step returns the distance of the cases that a test takes: fine where long tests run, else times as wide.
func Step(fine, times int) int { return Count(fine, fine*times) }
