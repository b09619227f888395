package host

import (
	"fmt"
	"os"
	"strings"
)

// Cores returns the CPUs that this process may run on, grouped by core (the CPUs of a group are threads of one core).
// It lists only cores of the same model and caches as the first. The result is nil if the kernel does not report the
// topology (Documentation/admin-guide/cputopology.rst).
func Cores() [][]int { return coresOf("/sys/devices/system/cpu", allowed(0)) }

func coresOf(dir string, cpus []int) (cores [][]int) {
	says := func(cpu int, name string) string {
		b, _ := os.ReadFile(fmt.Sprintf("%s/cpu%d/%s", dir, cpu, name))
		return strings.TrimSpace(string(b))
	}
	number := map[string]int{} // of a core, by its list of threads
	first := ""
	for _, cpu := range cpus {
		threads := says(cpu, "topology/thread_siblings_list")
		if threads == "" {
			return nil
		}
		kind := says(cpu, "regs/identification/midr_el1")
		for i := range 3 { // cache levels 1 and 2
			kind += " " + says(cpu, fmt.Sprintf("cache/index%d/size", i))
		}
		if first == "" {
			first = kind
		}
		if kind != first {
			continue
		}
		n, ok := number[threads]
		if !ok {
			n = len(cores)
			number[threads] = n
			cores = append(cores, nil)
		}
		cores[n] = append(cores[n], cpu)
	}
	return cores
}

// mostJobs is the default for the number of measurements that run at the same time. The process that plans and traces
// them cannot keep more busy.
const mostJobs = 4

// Jobs divides the cores that this process may use among n concurrent measurements and returns the CPUs of each; no
// two share a core. n = 0 means one measurement per core, up to mostJobs. An entry is nil (any CPU) for a single
// measurement, or if it is not known which CPUs are threads of one core.
func Jobs(n int) [][]int {
	cores := Cores()
	if n == 0 {
		n = min(len(cores), mostJobs)
	}
	n = min(n, len(cores))
	if n < 2 {
		return [][]int{nil}
	}
	out := make([][]int, n)
	for i, cpus := range cores {
		out[i%n] = append(out[i%n], cpus...)
	}
	return out
}
