package cli

import (
	"math"
	"runtime/debug"
	"strings"
	"testing"
)

func TestMemoryLimit(t *testing.T) {
	for _, c := range []struct {
		flag, environment string
		want              int64
		bad               string
	}{
		{"2GiB", "", 2 << 30, ""},
		{"500MB", "1GiB", 500e6, ""},
		{"0.5G", "", 1 << 29, ""},
		{"1000000000", "", 1e9, ""},
		{"", "1GiB", 1 << 30, ""},
		{"off", "1GiB", math.MaxInt64, ""},
		{"many", "", 0, "is no size"},
		{"-1GiB", "", 0, "is no size"},
		{"NaNGiB", "", 0, "is no size"},
		{"1e300TiB", "", 0, "is no size"},
		{"1MiB", "", 0, "too little"},
	} {
		got, err := memoryLimit(c.flag, c.environment)
		if c.bad != "" {
			if err == nil || !strings.Contains(err.Error(), c.bad) {
				t.Errorf("%q: %d, %v, want %q", c.flag, got, err, c.bad)
			}
		} else if err != nil || got != c.want {
			t.Errorf("%q, %q: %d, %v, want %d", c.flag, c.environment, got, err, c.want)
		}
	}
	if n, err := memoryLimit("", ""); err != nil || n < leastMemory {
		t.Errorf("default: %d, %v", n, err)
	}
}

// TestWatchMemory has a limit below what the test itself takes.
func TestWatchMemory(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	var b strings.Builder
	code := -1
	(&env{stderr: &b}).watchMemory(1<<10, func(c int) { code = c })
	if code != exitInput || !strings.Contains(b.String(), "limit of 0 MiB of memory is reached") || strings.Count(b.String(), "\n") != 1 {
		t.Errorf("exit %d, %q", code, b.String())
	}
}
