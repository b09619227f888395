package core

import (
	"strconv"
	"testing"

	"incore/internal/base/long"
	"incore/internal/machine"
)

// TestFetch plays cores whose front ends are described in different words, over a base without these words: the loops that were not fitted must be predicted as the core
// itself does, and a base that is right stays as it is.
func TestFetch(t *testing.T) {
	for _, c := range long.Spread([]struct {
		arch, base string
		want       map[string]string
	}{
		{"zen5", "", map[string]string{"fetch-entries": "6 line=64 entries=2"}},
		{"zen4", "", map[string]string{"fetch-line": "64"}},
		{"neoverse-v2", "", nil},
		{"zen3", "zen5", map[string]string{"fetch-line": "64", "fetch-entries": "0"}},
		{"zen3", "", map[string]string{"fetch-line": "64"}},
		{"zen5", "zen4", map[string]string{"fetch-entries": "6 line=64 entries=2", "fetch-line": "0", "nop-fusion": "false"}},
		{"skylake", "", nil},
		{"sifive-p670", "", nil},
		{"cortex-a72", "", nil},
	}, 3) {
		m, err := machine.Get(c.arch)
		if err != nil {
			t.Fatal(err)
		}
		base, err := m.With(machine.Fact{Name: "fetch-entries"}, machine.Fact{Name: "fetch-line"})
		if c.base != "" { // with the words of another core
			base, err = machine.Get(c.base)
		}
		if err != nil {
			t.Fatal(err)
		}
		fs := played(t, fetch(), m, base)
		got := map[string]string{}
		for _, f := range fs {
			got[f.Name] = f.Value
		}
		most := 0.5
		if c.base != "" {
			most = 1 // whose other parameters differ, too
		}
		if len(got) != len(c.want)+1 || fs[0].Number > most {
			t.Errorf("%s: %v, want %v", c.arch, got, c.want)
		}
		for name, v := range c.want {
			if got[name] != v {
				t.Errorf("%s: %s is %q, want %q", c.arch, name, got[name], v)
			}
		}
	}
}

// TestFetchTaken plays a core that takes two cycles for a taken branch over a base that says one.
func TestFetchTaken(t *testing.T) {
	base, err := machine.Get("zen4")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{2, 3} {
		m, err := base.With(machine.Fact{Name: "taken-branch", Value: strconv.Itoa(n)})
		if err != nil {
			t.Fatal(err)
		}
		fs := played(t, fetch(), m, base)
		if len(fs) != 2 || fs[1].Name != "taken-branch" || fs[1].Value != strconv.Itoa(n) {
			t.Errorf("%d: %v", n, fs)
		}
	}
}
