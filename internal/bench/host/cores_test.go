package host

import (
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"testing"
)

// TestCores sorts CPUs by the core that they belong to.
func TestCores(t *testing.T) {
	dir := t.TempDir()
	for cpu, says := range []struct{ threads, l1 string }{{"0,4", "48K"}, {"1,5", "48K"}, {"2", "32K"}, {"3", "32K"}, {"0,4", "48K"}, {"1,5", "48K"}} {
		for name, text := range map[string]string{"topology/thread_siblings_list": says.threads, "cache/index0/size": says.l1} {
			file := filepath.Join(dir, "cpu"+strconv.Itoa(cpu), name)
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text+"\n"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, tt := range []struct {
		allowed []int
		want    [][]int
	}{
		{[]int{0, 1, 2, 3, 4, 5}, [][]int{{0, 4}, {1, 5}}}, // not the smaller cores
		{[]int{1, 4}, [][]int{{1}, {4}}},
		{[]int{2, 3}, [][]int{{2}, {3}}},
		{[]int{0, 9}, nil}, // of which nothing is known
		{nil, nil},
	} {
		if got := coresOf(dir, tt.allowed); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("of %v: %v, want %v", tt.allowed, got, tt.want)
		}
	}
}

// TestJobs shares no CPU between two jobs.
func TestJobs(t *testing.T) {
	for n := range 4 {
		seen := map[int]bool{}
		jobs := Jobs(n)
		for _, cpus := range jobs {
			if cpus == nil && len(jobs) > 1 {
				t.Error("one of several may run anywhere")
			}
			for _, cpu := range cpus {
				if seen[cpu] {
					t.Errorf("CPU %d has two jobs of %d", cpu, n)
				}
				seen[cpu] = true
			}
		}
		if len(jobs) == 0 || n > 0 && len(jobs) > n {
			t.Errorf("%d jobs of %d", len(jobs), n)
		}
	}
}
