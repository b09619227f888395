package compare

import (
	"fmt"
	"math"
	"strings"

	"incore/internal/report"
)

// measure is one quantity by which the work of an iteration grows: its ratio between two versions of a loop.
type measure struct {
	name  string
	ratio float64
	exact bool // a whole number of elements; others may differ a little for the same work
}

// measures returns the quantities that are known of both versions.
func measures(first, k *report.Kernel) (out []measure) {
	a, b := &first.Work, &k.Work
	add := func(name string, x, y int, known, exact bool) {
		if known && x > 0 && y > 0 {
			out = append(out, measure{name, float64(y) / float64(x), exact})
		}
	}
	bytes := !a.UnknownBytes && !b.UnknownBytes
	add("address advance", a.Advance, b.Advance, true, true)
	add("bytes stored", a.StoredBytes, b.StoredBytes, bytes, true)
	add("flops", a.Flops, b.Flops, !a.UnknownFlops && !b.UnknownFlops, false)
	add("bytes loaded", a.LoadedBytes, b.LoadedBytes, bytes, false)
	return out
}

// close reports whether two measures tell of the same work.
func (m measure) close(n measure) bool {
	off := 0.15
	if m.exact && n.exact {
		off = 1e-9
	}
	return math.Abs(m.ratio-n.ratio) <= off*math.Max(m.ratio, n.ratio)
}

// times returns the number of iterations of the first version whose work one iteration of k does. It is the ratio on which most of flops, bytes and address advance
// agree. A loop nest that is vectorised in its outer loop does more flops for the same address advance: then the lanes of its operations count. why is not empty
// if the quantities contradict each other.
func times(first, k *report.Kernel) (n float64, why string) {
	all := measures(first, k)
	if a, b := &first.Work, &k.Work; (a.Flops == 0) != (b.Flops == 0) && !a.UnknownFlops && !b.UnknownFlops {
		return 1, "one of them computes with floating-point numbers, the other does not"
	}
	if k == first || len(all) == 0 {
		return 1, scalable(first, k)
	}
	best, votes, second := all[0], 0, 0
	for _, m := range all {
		n := 0
		for _, o := range all {
			if m.close(o) {
				n++
			}
		}
		switch {
		case n > votes:
			if !m.close(best) {
				second = votes
			}
			best, votes = m, n
		case !m.close(best):
			second = max(second, n)
		}
	}
	switch lanes := lanes(first, k); {
	case len(all) == 1 && all[0].name == "bytes loaded" && partly(first, k):
		// Code that keeps its variables in memory loads them in every iteration.
	case votes > second && (votes > 1 || len(all) == 1) && !contradicted(best, all):
		return best.ratio, ""
	case lanes != 1:
		return lanes, ""
	}
	var parts []string
	for _, m := range all {
		parts = append(parts, fmt.Sprintf("%s × %s", m.name, number(m.ratio)))
	}
	return 1, "an iteration does other work than before (" + strings.Join(parts, ", ") + ")"
}

// contradicted reports whether the flops tell of at least twice or at most half the work that a measure does: a nest
// whose inner loops are unrolled, with its results in registers, does more of them for the same stores and address
// advance, and loads another number of bytes. A loop that computes more for each element loads as many.
func contradicted(best measure, all []measure) bool {
	flops, loads := false, false
	for _, m := range all {
		flops = flops || m.name == "flops" && (m.ratio >= 2*best.ratio || m.ratio <= best.ratio/2)
		loads = loads || m.name == "bytes loaded" && !m.close(best)
	}
	return flops && loads
}

// partly reports whether only one of two versions stores, or is known to move through memory.
func partly(first, k *report.Kernel) bool {
	a, b := &first.Work, &k.Work
	return (a.Stores == 0) != (b.Stores == 0) || (a.Advance == 0) != (b.Advance == 0)
}

// lanes returns the ratio of the flops if as many instructions compute in both versions, else 1: they compute in more lanes.
func lanes(first, k *report.Kernel) float64 {
	a, b := &first.Work, &k.Work
	if a.Floats == 0 || a.Floats != b.Floats || a.Flops == 0 || b.Flops == 0 || a.UnknownFlops || b.UnknownFlops {
		return 1
	}
	return float64(b.Flops) / float64(a.Flops)
}

// scalable returns why two versions without a common measure cannot be compared: the vectors of one have a length that is not known.
func scalable(first, k *report.Kernel) string {
	if a, b := &first.Work, &k.Work; a.UnknownBytes != b.UnknownBytes || a.UnknownFlops != b.UnknownFlops {
		return "the work of an iteration is not known in both: vectors of unknown length"
	}
	return ""
}

// workText says how the work of an iteration changed.
func workText(times float64) string {
	if times < 1 {
		return fmt.Sprintf("%s iterations do the work of one before", number(1/times))
	}
	return fmt.Sprintf("an iteration does the work of %s before", number(times))
}

// Times returns the number of iterations of a loop whose work one iteration of another does, by the work of both; why is not empty if that cannot be told.
func Times(first, k report.Work) (n float64, why string) {
	return times(&report.Kernel{Work: first}, &report.Kernel{Work: k})
}
