package host

import (
	"fmt"
	"os"
	"strings"
)

// Cores are the CPUs that this process may run on, by the core whose threads they are: those of the kind of the first
// core, by model and caches. nil if the kernel does not tell (Documentation/admin-guide/cputopology.rst).
func Cores() [][]int { return coresOf("/sys/devices/system/cpu", allowed(0)) }

func coresOf(dir string, cpus []int) (cores [][]int) {
	says := func(cpu int, name string) string {
		b, _ := os.ReadFile(fmt.Sprintf("%s/cpu%d/%s", dir, cpu, name))
		return strings.TrimSpace(string(b))
	}
	number := map[string]int{} // of a core, by its threads
	first := ""
	for _, cpu := range cpus {
		threads := says(cpu, "topology/thread_siblings_list")
		if threads == "" {
			return nil
		}
		kind := says(cpu, "regs/identification/midr_el1")
		for i := range 3 { // the first and second level
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

// mostJobs is how many measurements run at a time if nobody says how many: more have less to do than the process that
// plans and traces them.
const mostJobs = 4

// Jobs divides the cores that this process may use among measurements that run at a time: the CPUs of each, none of
// which two share. n is their number, 0: one for each core, up to a few. Of one alone, or where it is not known which
// CPUs are threads of one core, it may be any CPU: nil.
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
