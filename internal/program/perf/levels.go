package perf

import (
	"slices"
	"strconv"
	"strings"
)

// Memory is the level number of main memory.
const Memory = 9

// Lines is an event that counts lines loaded into the first-level data cache from level From or a farther level.
type Lines struct {
	From int // 2, 3 …, or Memory
	Event
}

// Source holds a CPU's events that count lines.
type Source struct {
	Vendor  string // as in /proc/cpuinfo; "": any
	Family  int
	Models  []int // empty: all of the family
	Lines   []Lines
	Meaning string
}

// cacheReadMiss is the configuration of a generic event: read misses of a cache (0: first-level data, 2: last level).
func cacheReadMiss(cache uint64) uint64 { return cache | 0<<8 | 1<<16 }

// Sources are tried in order. Those of the vendors are from the tables of Linux's perf, tools/perf/pmu-events/arch/x86: amdzen3/memory.json and
// amdzen4/cache.json (ls_any_fills_from_sys; unit masks of sources added up), skylakex/cache.json.
var Sources = []Source{
	{"AuthenticAMD", 0x19, nil, []Lines{
		{2, Event{"ls_any_fills_from_sys:0x5f", Raw, 0x5f44}},
		{3, Event{"ls_any_fills_from_sys:0x5e", Raw, 0x5e44}},
		{Memory, Event{"ls_any_fills_from_sys:0x48", Raw, 0x4844}},
	}, "lines filled into the first level, prefetched ones included, by where they come from"},
	{"GenuineIntel", 6, []int{0x55}, []Lines{
		{2, Event{"L1D.REPLACEMENT", Raw, 0x0151}},
		{3, Event{"L2_LINES_IN.ALL", Raw, 0x1ff1}},
		{Memory, Event{"LONGEST_LAT_CACHE.MISS", Raw, 0x412e}},
	}, "lines filled into each level, prefetched ones included; those of code count for L2 and farther levels"},
	{"", 0, nil, []Lines{
		{2, Event{"L1-dcache-load-misses", Cache, cacheReadMiss(0)}},
		{Memory, Event{"LLC-load-misses", Cache, cacheReadMiss(2)}},
	}, "the kernel's generic events: loads alone, and what a miss is depends on the CPU"},
}

// SourceOf returns the source for a CPU by the text of /proc/cpuinfo.
func SourceOf(cpuinfo string) *Source {
	says := func(field string) string {
		for line := range strings.Lines(cpuinfo) {
			if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == field {
				return strings.TrimSpace(value)
			}
		}
		return ""
	}
	family, _ := strconv.Atoi(says("cpu family"))
	model, _ := strconv.Atoi(says("model"))
	for i := range Sources {
		s := &Sources[i]
		if s.Vendor == "" || s.Vendor == says("vendor_id") && s.Family == family && (len(s.Models) == 0 || slices.Contains(s.Models, model)) {
			return s
		}
	}
	return nil
}

// Split returns the lines from each level, L2 first and main memory last; caches is the number of cache levels. If no event distinguishes some levels, their
// lines are divided in the ratio of the lines in model, which has the same order.
func (s *Source) Split(counts []Count, caches int, model []float64) []float64 {
	at := func(from int) int { return min(from-2, caches-1) } // main memory follows the caches
	beyond := make([]float64, caches)
	known := make([]bool, caches)
	for _, l := range s.Lines {
		for _, c := range counts {
			if c.Event == l.Name {
				i := at(l.From)
				if l.From == Memory {
					i = caches - 1
				}
				beyond[i], known[i] = c.Count, true
			}
		}
	}
	out := make([]float64, caches)
	rest := 0.0
	for end := caches; end > 0; {
		from := end - 1
		for from > 0 && !known[from] {
			from--
		}
		n := max(0, beyond[from]-rest)
		rest = max(rest, beyond[from])
		sum := 0.0
		for _, m := range model[from:end] {
			sum += m
		}
		for i := from; i < end; i++ {
			switch {
			case sum > 0:
				out[i] = n * model[i] / sum
			case i == from:
				out[i] = n
			}
		}
		end = from
	}
	return out
}
