package describe

import (
	"fmt"
	"slices"
	"strings"

	"incore/internal/report"
)

// advice writes the words of a code change: the action, and its assumptions.
func advice(a *report.Advice) { a.Text, a.Conditions, a.Option = remedy(a), conditions(a), option(a) }

// associative are the options that let gcc and clang change the order of floating-point operations: -fassociative-math needs the others.
const associative = "-fassociative-math -fno-signed-zeros -fno-trapping-math"

// option names what makes gcc and clang do a change; "" where the source has to be changed.
func option(a *report.Advice) string {
	rounds := slices.Contains(a.Assumes, "reassociation")
	alias := slices.Contains(a.Assumes, "no-alias")
	switch a.Kind {
	case "accumulators":
		if rounds {
			return "clang -O3 " + associative + "; gcc uses vectors so, but one accumulator"
		}
		return "clang -O3"
	case "reassociate":
		if rounds {
			return "-O2 " + associative
		}
	case "wider-vectors":
		s := "-O3"
		if a.Count > 128 {
			s += " -march=native"
		}
		if a.Count == 512 {
			s += " -mprefer-vector-width=512"
		}
		if rounds {
			return s + " " + associative + ", or #pragma omp simd reduction with -fopenmp-simd"
		}
		if alias {
			return s + ", with restrict or #pragma omp simd (-fopenmp-simd) where pointers may overlap"
		}
		return s
	case "reciprocal":
		return "-freciprocal-math"
	case "unroll":
		return fmt.Sprintf("-funroll-loops, or #pragma GCC unroll %d (clang: #pragma unroll %d)", a.Count, a.Count)
	case "align-loop":
		return fmt.Sprintf("-falign-loops=%d", a.Count)
	case "align-data":
		return fmt.Sprintf("alignas(%d), aligned_alloc(%d, size)", a.Count, a.Count)
	case "keep-in-register", "hoist", "sink-store":
		if alias {
			return "restrict for the pointers, or a local variable"
		}
	case "other-instruction":
		return "-march=native or -mtune=native, if the core is this machine's"
	}
	return ""
}

// assumed holds the assumptions of advice in a few words.
var assumed = map[string]string{"reassociation": "changes rounding", "no-alias": "if stores and loads do not overlap", "rounding": "changes rounding", "multiple": "the remaining iterations need a loop of their own",
	"contiguous": "", "unmasked": "if the mask selects all elements", "fits-32": "if the values fit 32 bits", "not-zero": "if the operand is not 0", "upper-bits": "if the upper bits of the registers are 0 before the loop", "upper-lanes": "if the upper lanes do not matter"}

// remedy describes a code change, without its benefit.
func remedy(a *report.Advice) string {
	names := strings.Join(a.Operands, ", ")
	unrolled := ""
	if a.Iterations > 1 {
		unrolled = fmt.Sprintf(", unrolled by %s", count(a.Iterations))
	}
	switch a.Kind {
	case "accumulators":
		return fmt.Sprintf("use %d accumulators for the %s in %s%s", a.Count, a.What, names, unrolled)
	case "reassociate":
		return fmt.Sprintf("reassociate the %s: combine first what does not depend on the chain", a.What)
	case "unroll":
		return fmt.Sprintf("unroll by %d", a.Count)
	case "addressing":
		return fmt.Sprintf("use pointers that advance (%s) instead of indexed addressing%s", names, unrolled)
	case "align-loop":
		return fmt.Sprintf("align the loop to %d bytes", a.Count)
	case "align-data":
		if names == "" {
			return fmt.Sprintf("align the arrays to %d bytes, if they are not", a.Count)
		}
		return fmt.Sprintf("align the arrays, if they are not: %s to a multiple of %d in the first iteration", strings.Join(a.Operands, ", "), a.Count)
	case "wider-vectors":
		s := fmt.Sprintf("use %d-bit vectors", a.Count)
		if a.Accumulators > 0 {
			s += fmt.Sprintf(" and %d accumulators", a.Accumulators)
		}
		return s + fmt.Sprintf(", %s iterations in one", count(a.Iterations))
	case "keep-in-register":
		return fmt.Sprintf("keep %s in a register instead of reloading what was stored", names)
	case "false-dependency":
		return fmt.Sprintf("break the false dependency of %s on the old value of %s", a.What, names)
	case "other-instruction":
		return fmt.Sprintf("replace %s by %s", a.What, strings.Join(a.Operands, "; "))
	case "reciprocal":
		if len(a.Operands) == 1 {
			return fmt.Sprintf("multiply by the loop-invariant reciprocal instead of dividing (%s); in front of the loop, %s becomes 1/%s", a.What, names, names)
		}
		return fmt.Sprintf("multiply by the loop-invariant reciprocal, computed in front of the loop, instead of dividing (%s)", a.What)
	case "sink-store":
		return fmt.Sprintf("store %s behind the loop: in the loop each iteration overwrites it", strings.Join(a.Operands, ", "))
	case "hoist":
		return fmt.Sprintf("hoist %d loop-invariant instruction%s", len(a.Instructions), plural(len(a.Instructions)))
	}
	return a.Kind
}

// conditions describes the assumptions of a code change, "" if it has none.
func conditions(a *report.Advice) string {
	var parts []string
	for _, x := range a.Assumes {
		if s, ok := assumed[x]; !ok {
			parts = append(parts, x)
		} else if s != "" && x != "multiple" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "; ")
}
