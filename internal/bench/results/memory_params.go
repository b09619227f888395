package results

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"incore/internal/bench/plan"
)

// memoryPrefix starts the lines of memory tests in results files.
const memoryPrefix = "# memory: "

// memoryResults holds the figures of memory tests in a results file by the test's name; the last one counts.
type memoryResults map[string]memoryResult

type memoryResult struct {
	cycles float64
	unit   string
}

// add parses a line of a results file if it has a memory test's figure.
func (r memoryResults) add(line string) {
	rest, ok := strings.CutPrefix(line, memoryPrefix)
	if !ok {
		return
	}
	name, figure, _ := strings.Cut(rest, ": ")
	value, more, _ := strings.Cut(figure, " ± ")
	_, unit, _ := strings.Cut(more, " ")
	if v, err := strconv.ParseFloat(value, 64); err == nil {
		r[name] = memoryResult{v, unit}
	}
}

// params returns the parameters of the core that memory tests determine, as lines of a model. It omits those whose tests
// are missing.
func (r memoryResults) params(source string) (out []string) {
	state := func(name, value, how string) {
		out = append(out, fmt.Sprintf("param %s: %s  # %s, incore bench memory: %s", name, value, source, how))
	}
	param := func(name string, v float64, how string) {
		if !math.IsNaN(v) {
			state(name, Trim(v, 1), how)
		}
	}
	param("load-latency", r.least(0, func(name, _ string) bool {
		return strings.HasPrefix(name, "load-to-use ") && !strings.Contains(name, " across ")
	}), "the quickest load")
	for _, k := range []string{"loads", "stores"} {
		each := r.least(0, func(name, _ string) bool {
			return strings.HasPrefix(name, k+" of ") && !strings.Contains(name, " across ")
		})
		if n := math.Round(1 / each); math.Abs(n*each-1) < 0.08 { // otherwise it is no whole number
			param(k+"-per-cycle", n, fmt.Sprintf("%s cycles each at best", Trim(each, 2)))
		}
	}
	var parts, how []string // parts of the parameter "forwarding"
	mixed := func(v float64, what string) {
		if !math.IsNaN(v) {
			parts, how = append(parts, "mixed="+Trim(v, 1)), append(how, "mixed: "+what)
		}
	}
	// Memory renaming makes forwarding free; the round trip is then limited by the stores per cycle.
	const renamed = 1.5
	forward := func(relation string) func(name, unit string) bool {
		return func(_, unit string) bool { return unit == plan.UnitForward+relation }
	}
	same, fewer := r.least(renamed, forward(plan.SameBytes)), r.least(renamed, forward(plan.FewerBytes))
	if all := r.values(forward(plan.SameBytes)); len(all) > 0 && all[0] < renamed {
		// On a core with memory renaming, integer round trips that are not renamed have their own parameter, and the general one is
		// that of vectors.
		vectors := r.least(renamed, func(name, unit string) bool {
			return unit == plan.UnitForward+plan.SameBytes && strings.HasSuffix(name, fmt.Sprintf(" to %d bits", vectorBits))
		})
		mixed(Half(r.least(renamed, func(_, unit string) bool {
			return unit == plan.UnitForward+plan.SameBytes || unit == plan.UnitForward+plan.FewerBytes
		})), "a store to a load of the same or fewer bytes, where that is not renamed")
		if math.IsNaN(vectors) {
			vectors = same
		}
		param("store-forward", Half(vectors), fmt.Sprintf("a store to a load of the same bytes, %d bits if that was measured", vectorBits))
	} else {
		param("store-forward", Half(same), "a store to a load of the same bytes")
		mixed(Half(fewer), "a store to a load of fewer of its bytes")
	}
	if v := r.least(renamed, forward(plan.ToVector)); !math.IsNaN(v) {
		parts, how = append(parts, "to-vector="+Trim(Half(v), 1)), append(how, "to-vector: a store of an integer register to a load into a vector register")
	}
	// A failed load waits for the store's retirement, a cycle after its data: the same loops repeat every 19 cycles on Zen 4 (failed=18), every 14 on Zen 5 (13).
	if v := r.least(2, forward(plan.MoreBytes)); !math.IsNaN(v) {
		parts, how = append(parts, fmt.Sprintf("failed=%.0f", v-1)), append(how, "failed: a store to a load of more bytes, less the cycle from its data to its retirement")
	}
	if len(parts) > 0 {
		state("forwarding", strings.Join(parts, " "), strings.Join(how, "; "))
	}
	return out
}

// vectorBits is the least width of a value that only vector registers hold.
const vectorBits = 128

// values returns the sorted figures of the tests that of selects.
func (r memoryResults) values(of func(name, unit string) bool) (out []float64) {
	for name, x := range r {
		if of(name, x.unit) {
			out = append(out, x.cycles)
		}
	}
	slices.Sort(out)
	return out
}

// least returns the smallest figure, at least from, of the tests that of selects; NaN if there is none.
func (r memoryResults) least(from float64, of func(name, unit string) bool) float64 {
	for _, v := range r.values(of) {
		if v >= from {
			return v
		}
	}
	return math.NaN()
}
