package describe

import (
	"fmt"
	"strings"

	"incore/internal/report"
)

// statement words a statement of a kind; it is empty for an unknown kind.
func statement(kind string, v *report.Values) string {
	if text, ok := plain[kind]; ok {
		return text
	}
	if say, ok := said[kind]; ok {
		return say(v)
	}
	return ""
}

// plain are the statements without values.
var plain = map[string]string{
	report.WaitsForStores:     "loads that once passed a store on which they depended wait for the addresses of all older stores (memory disambiguation)",
	report.InCache:            "all data are in the L1 cache, branches are predicted, nothing else runs on the core",
	report.StraightCode:       "not a loop: the figure is cycles per execution when the code repeats",
	report.ForwardingUnknown:  "the model has no latency of store-to-load forwarding; it is taken to be that of a load",
	report.WidthUnknown:       "the model has no dispatch width, so that dispatch never limits",
	report.InOrderBounds:      "the core issues in order; these bounds do not count the cycles in which it waits for operands",
	report.VectorUnconfigured: "the vector configuration (vtype) is not known here: costs of vector instructions are for no particular LMUL and element width",
	report.ChainsLeftOut:      "not all loop-carried chains are listed, but the slowest is",
	report.BorrowedCosts:      "some costs are those of another core",
	report.NotALoop:           "not a loop; analysed as if the code repeated",
	report.OuterMemory:        "memory dependencies that an outer loop carries are not looked for",
}

// said are the statements with values.
var said = map[string]func(v *report.Values) string{
	report.NotSimulated: func(v *report.Values) string {
		return fmt.Sprintf("the simulator does not model %s, and alone finds %s cycles, which is what timelines show", unfollowed[v.Limit], number(v.Cycles))
	},
	report.JumpsMisplaced: func(v *report.Values) string {
		s := fmt.Sprintf("at these addresses the µop cache does not hold the code around the jumps at %s, which cross or end on a 32-byte boundary (Intel's JCC erratum)", strings.Join(v.Addresses, ", "))
		if v.Instructions == 0 {
			return s + "; the cost of that is not simulated"
		}
		return s + ": " + decoded(v)
	},
	report.OverflowsOpCache: func(v *report.Values) string {
		s := fmt.Sprintf("the loop has %d µops (slots) and does not fit the µop cache of %d", v.Slots, v.Entries)
		if v.Instructions == 0 {
			return s + "; the legacy decoders may be slower, which is not simulated"
		}
		return s + ": " + decoded(v)
	},
	report.DenseCode: func(v *report.Values) string {
		return "at these addresses the code is too dense in places for the µop cache to hold all of it: " + decoded(v)
	},
	report.LoopPlacement: func(v *report.Values) string {
		return fmt.Sprintf("%s, because it may span %d lines of %d bytes and fetching each takes a cycle", begins(v), v.CodeLines, v.LineBytes)
	},
	report.EntryPlacement: func(v *report.Values) string {
		return fmt.Sprintf("%s, because the µop cache fetches at most two entries of one line of %d bytes in a cycle", begins(v), v.LineBytes)
	},
	report.EntryLines: func(v *report.Values) string {
		return fmt.Sprintf("at this address the µop cache takes %s cycles to fetch an iteration, line by line of %d bytes; at the best address it takes %s", number(v.High), v.LineBytes, number(v.Low))
	},
	report.LoopLines: func(v *report.Values) string {
		return fmt.Sprintf("at this address the loop spans %d lines of %d bytes, each of which takes a cycle to fetch; elsewhere it could span %d", v.CodeLines, v.LineBytes, v.FewestLines)
	},
	report.RenamingDensity: func(v *report.Values) string {
		return fmt.Sprintf("memory renaming serves none of the loads, because the core follows at most %d of them in %d bytes of code", v.Entries, v.LineBytes)
	},
	report.RenamingMistakes: func(v *report.Values) string {
		what := v.Instruction
		if v.Count > 1 {
			what += fmt.Sprintf(" (and %d other load%s)", v.Count-1, plural(v.Count-1))
		}
		return fmt.Sprintf("%s may be given what %s stored, because memory renaming compares addresses only by blocks of %d bytes: the cycles of such mistakes are not counted", what, v.From, v.LineBytes)
	},
	report.DataAlignment: func(v *report.Values) string {
		return fmt.Sprintf("arrays are assumed to be aligned; at the worst alignment, where accesses cross cache lines, it takes at least %s cycles", number(v.Cycles))
	},
	report.ForeignModel: func(v *report.Values) string {
		return fmt.Sprintf("model %s is for %s, and the code is %s: it knows nothing of it", v.Core, v.Needs, v.Has)
	},
	report.OfModel: func(v *report.Values) string { return v.Reason },
	report.UnknownCosts: func(v *report.Values) string {
		return fmt.Sprintf("%d of %d instructions have no known cost here: they count with an interval over similar forms", v.Instructions, v.Of)
	},
	report.PathChosen: func(v *report.Values) string {
		s := fmt.Sprintf("the body branches at line%s %s: the likeliest path is analysed, guessed from the code alone", several(v.Lines), v.Lines)
		if v.Without != "" {
			s += ", without lines " + v.Without
		}
		return s
	},
	report.TableJump: func(v *report.Values) string {
		return fmt.Sprintf("the jump at line %s goes to one of %d places through a table; it is taken to go to line %d", v.Lines, v.Places, v.To)
	},
	report.CallNotFollowed: func(v *report.Values) string {
		return fmt.Sprintf("the call%s at line%[1]s %[2]s: the called code is not counted", several(v.Lines), v.Lines)
	},
	report.LoopWithin: func(v *report.Values) string {
		s := fmt.Sprintf("lines %s are a loop within this code; its instructions count once", strings.Replace(v.Lines, "-", " to ", 1))
		if v.Label != "" {
			s += "; its label is " + v.Label
		}
		return s
	},
	report.BranchesNotTaken: func(v *report.Values) string {
		return fmt.Sprintf("branches at line%s %s count as not taken", several(v.Lines), v.Lines)
	},
}

// unfollowed are the limits that the simulator does not follow.
var unfollowed = map[string]string{"cache": "all limits of the banks, lines and ports of the L1 data cache", "branch": "taken branches"}

// decoded describes the part of a loop that does not come from the µop cache.
func decoded(v *report.Values) string {
	return fmt.Sprintf("the legacy decoders serve %d of the loop's %d instructions", v.Instructions, v.Of)
}

// begins words the assumed place of a loop whose address is not known, and what other places change.
func begins(v *report.Values) string {
	where := fmt.Sprintf("at a multiple of %d bytes", v.LineBytes)
	if v.Start > 0 {
		where = fmt.Sprintf("%d byte%s behind a multiple of %d, as good as the middle of the places that it may have", v.Start, plural(v.Start), v.LineBytes)
	}
	return fmt.Sprintf("the loop is assumed to start %s; elsewhere it takes %s to %s cycles", where, number(v.Low), number(v.High))
}
