package cachesim

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Host returns the data caches of this machine's first core, nearest first, as Linux reports them. The error says that Linux does not report them.
func Host() ([]Level, error) { return hostAt("/sys/devices/system/cpu/cpu0/cache") }

func hostAt(dir string) (out []Level, err error) {
	list, _ := filepath.Glob(filepath.Join(dir, "index*"))
	slices.Sort(list)
	for _, d := range list {
		says := func(name string) string {
			text, _ := os.ReadFile(filepath.Join(d, name))
			return strings.TrimSpace(string(text))
		}
		if says("type") == "Instruction" {
			continue
		}
		l := Level{Name: "L" + says("level")}
		l.Size = parseSize(says("size"))
		l.Ways, _ = strconv.Atoi(says("ways_of_associativity"))
		l.Line, _ = strconv.Atoi(says("coherency_line_size"))
		if l.Size > 0 && len(out) < MaxLevels {
			out = append(out, l)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("this machine does not say what caches it has (%s)", dir)
	}
	return out, nil
}

// parseSize reads "32K" or "32768".
func parseSize(s string) int {
	unit := 1
	switch {
	case strings.HasSuffix(s, "K"):
		unit = 1 << 10
	case strings.HasSuffix(s, "M"):
		unit = 1 << 20
	}
	n, _ := strconv.Atoi(strings.TrimRight(s, "KM"))
	return n * unit
}
