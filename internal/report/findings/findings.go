// Package findings writes results of a check in the formats that services for continuous integration read: SARIF 2.1.0, JUnit, GitLab's code quality and metrics, and the
// list of names, units and values of benchmark services.
package findings

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Formats are the names of the formats.
var Formats = []string{"sarif", "junit", "gitlab", "metrics", "benchmark"}

// Level says how serious a finding is.
type Level uint8

// The levels.
const (
	OK Level = iota // all is well: the figure alone
	Note
	Warning
	Failure
	Skipped // could not be judged
)

// Finding is the result for one loop or block on one machine.
type Finding struct {
	Rule    string // "slower", "unknown-cost"
	Level   Level
	Name    string // of the loop
	Key     string // identifies it better than its name; "": the name does
	Arch    string
	Message string // a sentence; "" if all is well
	Details string // lines of text
	File    string // of the code, "" if not known
	Line    int    // from 1; 0: not known
	Cycles  float64
	Known   bool // Cycles is a figure
}

// Report is all findings of one command.
type Report struct {
	Command  string // "incore compare"
	Version  string // of incore
	Findings []Finding
	// Rules describe the rules by their names.
	Rules map[string]string
}

// Fingerprint identifies the n-th finding of its kind independently of line numbers, so that services recognise it after the code around it has changed.
func (f *Finding) fingerprint(n int) string {
	h := sha256.Sum256([]byte(strings.Join([]string{f.Rule, relative(f.File), cmp.Or(f.Key, f.Name), f.Arch, fmt.Sprint(n)}, "\x00")))
	return hex.EncodeToString(h[:16])
}

// fingerprints returns the fingerprints of all findings; those of equal names are counted.
func (r *Report) fingerprints() []string {
	seen := map[string]int{}
	out := make([]string, len(r.Findings))
	for i := range r.Findings {
		f := &r.Findings[i]
		first := f.fingerprint(0)
		out[i] = f.fingerprint(seen[first])
		seen[first]++
	}
	return out
}

// relative returns a path relative to the current folder with forward slashes; paths outside of it stay as they are.
func relative(path string) string {
	if path == "" {
		return ""
	}
	if filepath.IsAbs(path) {
		if here, err := filepath.Abs("."); err == nil {
			if rel, err := filepath.Rel(here, path); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
				path = rel
			}
		}
	}
	return filepath.ToSlash(filepath.Clean(path))
}

// Is reports whether a format is one of this package's.
func Is(format string) bool { return slices.Contains(Formats, format) }
