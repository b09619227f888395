package cli

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"incore/internal/base/output"
)

// memoryFlag adds --memory-limit to all commands.
func (e *env) memoryFlag(root *cobra.Command) {
	limit := root.PersistentFlags().String("memory-limit", "", "`SIZE` of memory that the process may take (\"2GiB\", \"off\"); default: GOMEMLIMIT, else 3/4 of the machine's")
	root.PersistentPreRunE = func(*cobra.Command, []string) error {
		n, err := memoryLimit(*limit, os.Getenv("GOMEMLIMIT"))
		if err != nil {
			return fmt.Errorf("--memory-limit: %w", err)
		}
		if n < math.MaxInt64 {
			debug.SetMemoryLimit(n)
			go e.watchMemory(n, os.Exit)
		}
		return nil
	}
}

// memoryLimit returns the limit in bytes: of the flag, otherwise of the environment, otherwise three quarters of the machine's memory.
func memoryLimit(flag, environment string) (int64, error) {
	switch {
	case flag != "":
		return parseSize(flag)
	case environment != "":
		if n, err := parseSize(environment); err == nil {
			return n, nil // the runtime has refused what it can't read
		}
	}
	if n := machineMemory(); n > 0 {
		return n / 4 * 3, nil
	}
	return math.MaxInt64, nil
}

// sizeUnits are the units of sizes, those of the runtime's GOMEMLIMIT and the decimal ones.
var sizeUnits = []struct {
	suffix string
	bytes  float64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}, {"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12},
	{"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}, {"T", 1 << 40}, {"B", 1}, {"", 1}}

// leastMemory is the least useful limit: the models alone need some megabytes.
const leastMemory = 32 << 20

func parseSize(s string) (int64, error) {
	if s == "off" {
		return math.MaxInt64, nil
	}
	for _, u := range sizeUnits {
		number, ok := strings.CutSuffix(s, u.suffix)
		if !ok {
			continue
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		switch bytes := v * u.bytes; {
		case err != nil || math.IsNaN(v) || v < 0 || bytes > math.MaxInt64/2:
			return 0, fmt.Errorf("%q is no size; write \"2GiB\", \"500MB\" or \"off\"", s)
		case bytes < leastMemory:
			return 0, fmt.Errorf("%s is too little; at least %d MiB are needed", s, leastMemory>>20)
		default:
			return int64(bytes), nil
		}
	}
	panic("unreachable: the last unit is empty")
}

// machineMemory returns the memory of the machine, or the limit of the process's control group; 0 if neither is known.
func machineMemory() int64 {
	least := int64(0)
	for _, name := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		if text, err := os.ReadFile(name); err == nil {
			if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && n > 0 && n < 1<<50 {
				least = n
			}
		}
	}
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return least
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		fields := strings.Fields(s.Text())
		if len(fields) == 3 && fields[0] == "MemTotal:" {
			if kib, err := strconv.ParseInt(fields[1], 10, 53); err == nil && (least == 0 || kib<<10 < least) {
				least = kib << 10
			}
		}
	}
	return least
}

// memoryInterval is the time between two checks; a process allocates about one gigabyte per second.
const memoryInterval = 20 * time.Millisecond

// watchMemory ends the program with a message if it exceeds its memory limit, before the kernel kills it without one.
func (e *env) watchMemory(limit int64, exit func(int)) {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	for range time.Tick(memoryInterval) {
		metrics.Read(sample)
		if used := sample[0].Value.Uint64() - sample[1].Value.Uint64(); used > uint64(limit) {
			output.RemoveTemporary()
			e.complain("error", "analyse less at once (--lines, --function), or raise --memory-limit", "the limit of %d MiB of memory is reached", limit>>20)
			exit(exitInput)
			return
		}
	}
}

// Sizes of inputs above which garbage is collected more often. A text of 100,000 lines with 5,000 loops needs 80 MB instead of 105 MB if the heap grows half as
// much between two collections; a text of 100 MB needs 500 MB instead of 990 MB with a sixteenth of the growth.
const (
	longInput  = 1 << 20
	largeInput = 8 << 20
)

// collectFor sets the growth of the heap between two garbage collections by the size of the input, unless GOGC is set.
func collectFor(size int) {
	switch {
	case os.Getenv("GOGC") != "":
	case size > largeInput:
		debug.SetGCPercent(25) // most of the heap stays in use
	case size > longInput:
		debug.SetGCPercent(200)
	}
}
