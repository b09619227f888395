package memdep_test

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"incore/internal/analysis/memdep"
	"incore/internal/base/long"
	"incore/internal/machine"
)

// TestRestrict checks what is known of restrict pointers of compiled functions: pairs that may meet only if unrelated pointers do.
func TestRestrict(t *testing.T) {
	// Whether a store and a load by unrelated pointers may meet.
	want := map[string]bool{"plain": true, "stored": false, "loaded": false, "named": false, "moved": false, "same": true, "third": true,
		"behind": true} // the structure's registers are not followed
	for _, c := range compilers {
		t.Run(c.command, func(t *testing.T) {
			t.Parallel()
			words := strings.Fields(c.command)
			path, err := exec.LookPath(words[0])
			if err != nil {
				t.Skipf("%s is not installed", words[0])
			}
			m, err := machine.Get(c.model)
			if err != nil {
				t.Fatal(err)
			}
			for _, level := range long.Some([]string{"-O2", "-O1 -g0", "-O1"}, 2) {
				name := filepath.Join(t.TempDir(), "restrict.o")
				args := append(append(slices.Clone(words[1:]), "-g"), append(strings.Fields(level), "-fno-tree-vectorize", "-fno-vectorize", "-fno-unroll-loops", "-fno-ipa-icf", "-c", "-o", name, "testdata/restrict.c")...)
				others := "-fno-ipa-icf -fno-tree-vectorize" // which clang does not know, or gcc
				if strings.Contains(words[0], "gcc") {
					others = "-fno-vectorize"
				}
				args = slices.DeleteFunc(args, func(s string) bool { return strings.Contains(others, s) })
				if text, err := exec.Command(path, args...).CombinedOutput(); err != nil {
					t.Skipf("%s %s: %v\n%s", words[0], strings.Join(args, " "), err, text)
				}
				found := map[string]int{}
				for _, l := range objectLoops(t, m, name) {
					found[l.function] += 0
					for _, e := range memdep.Analyze(l.bound, memdep.Options{May: true}).Edges {
						if e.Why == memdep.OtherBase {
							found[l.function]++
						}
						if e.Must() {
							t.Errorf("%s %s: %+v is held to be certain", level, l.function, e)
						}
					}
				}
				for fn, may := range want {
					if level == "-O1 -g0" {
						may = true // no debugging information
					}
					if n, ok := found[fn]; !ok || (n > 0) != may {
						t.Errorf("%s %s: %d pairs of unrelated pointers may meet (found: %v), want any: %v", level, fn, n, ok, may)
					}
				}
				if n := found["third"]; n != 1 && level != "-O1 -g0" {
					t.Errorf("%s: %d pairs of three pointers, want 1", level, n)
				}
			}
		})
	}
}
