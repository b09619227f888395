package describe

import (
	"fmt"
	"strings"

	"incore/internal/report"
)

// statement words a statement of a kind; it is empty for a kind that is not known.
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
	report.InCache:            "all data are in the L1 cache, branches are predicted, nothing else runs on the core",
	report.StraightCode:       "the code is one iteration of a loop, though no branch closes it",
	report.ForwardingUnknown:  "store-to-load forwarding takes as long as a load: the model does not know its latency",
	report.WidthUnknown:       "dispatch does not limit: the model does not know its width",
	report.InOrderBounds:      "the core issues in order: these bounds don't count the cycles in which it waits for an operand",
	report.VectorUnconfigured: "the vector configuration (vtype) is not known, or not the same on all ways to the loop: vector figures are those of no particular LMUL and element width",
	report.ChainsLeftOut:      "not all loop-carried chains are listed; the slowest is",
	report.BorrowedCosts:      "Some costs are another core's.",
	report.NotALoop:           "the code is not a loop; it is taken as one iteration of one",
	report.OuterMemory:        "dependences through memory that a loop around this one carries are not looked for",
}

// said are the statements with values.
var said = map[string]func(v *report.Values) string{
	report.NotSimulated: func(v *report.Values) string {
		return fmt.Sprintf("the simulator does not follow %s: without that limit it finds %s cycles, which timelines show", unfollowed[v.Limit], number(v.Cycles))
	},
	report.JumpsMisplaced: func(v *report.Values) string {
		s := fmt.Sprintf("at these addresses the µop cache does not hold the code around the jumps at %s, which cross or end on a 32-byte boundary (Intel's JCC erratum)", strings.Join(v.Addresses, ", "))
		if v.Instructions == 0 {
			return s + "; what that costs is not simulated"
		}
		return s + ": " + decoded(v)
	},
	report.OverflowsOpCache: func(v *report.Values) string {
		s := fmt.Sprintf("the loop's %d slots do not fit the µop cache, which holds %d", v.Slots, v.Entries)
		if v.Instructions == 0 {
			return s + "; that the legacy decoders may be slower is not simulated"
		}
		return s + ": " + decoded(v)
	},
	report.DenseCode: func(v *report.Values) string {
		return "at these addresses the µop cache does not hold all of the loop's code, which is too dense in some place: " + decoded(v)
	},
	report.LoopPlacement: func(v *report.Values) string {
		return fmt.Sprintf("the loop is taken to begin at a multiple of %d bytes; it takes between %s and %s cycles depending on where it begins, as each %[1]d-byte line of code takes %[4]s and it may lie in up to %[5]d", v.LineBytes, number(v.Low), number(v.High), lineCycles(v), v.CodeLines)
	},
	report.LoopLines: func(v *report.Values) string {
		return fmt.Sprintf("at this address the loop lies in %d lines of %d bytes, each of which takes %s; elsewhere it could lie in %d", v.CodeLines, v.LineBytes, lineCycles(v), v.FewestLines)
	},
	report.DataAlignment: func(v *report.Values) string {
		return fmt.Sprintf("arrays are taken to be aligned so that the fewest accesses cross cache lines; at the worst alignment it takes %s cycles or more", number(v.Cycles))
	},
	report.ForeignModel: func(v *report.Values) string {
		return fmt.Sprintf("Model %s is for %s, the code is %s: nothing of it is known there.", v.Core, v.Needs, v.Has)
	},
	report.OfModel: func(v *report.Values) string { return v.Reason },
	report.UnknownCosts: func(v *report.Values) string {
		return fmt.Sprintf("%d of %d instructions have no data here: their cost is an interval over similar forms.", v.Instructions, v.Of)
	},
	report.PathChosen: func(v *report.Values) string {
		s := fmt.Sprintf("the body branches at line%s %s; the likeliest path is analysed, as guessed from the code alone (back to the loop's beginning, falling through, not to unlikely code or a call)", several(v.Lines), v.Lines)
		if v.Without != "" {
			s += ", without lines " + v.Without
		}
		return s
	},
	report.TableJump: func(v *report.Values) string {
		return fmt.Sprintf("the jump at line %s goes to one of %d places through a table; it is taken to go to line %d", v.Lines, v.Places, v.To)
	},
	report.CallNotFollowed: func(v *report.Values) string {
		return fmt.Sprintf("the call%s at line%[1]s %[2]s: what is called is not counted, and its registers are not followed", several(v.Lines), v.Lines)
	},
	report.LoopWithin: func(v *report.Values) string {
		s := fmt.Sprintf("lines %s within it are a loop, whose instructions count once here", strings.Replace(v.Lines, "-", " to ", 1))
		if v.Label != "" {
			s += "; --label " + v.Label + " analyses it alone"
		}
		return s
	},
	report.BranchesNotTaken: func(v *report.Values) string {
		return fmt.Sprintf("branches at line%s %s are taken as not taken", several(v.Lines), v.Lines)
	},
}

// unfollowed are the limits that the simulator does not follow.
var unfollowed = map[string]string{"cache": "the banks, lines and ports of the data cache", "branch": "taken branches"}

// decoded says what part of a loop does not come from the µop cache.
func decoded(v *report.Values) string {
	return fmt.Sprintf("the legacy decoders serve %d of the loop's %d instructions", v.Instructions, v.Of)
}

// lineCycles is what each line of code takes.
func lineCycles(v *report.Values) string {
	if v.LineCycles == 1 {
		return "a cycle"
	}
	return number(v.LineCycles) + " cycles"
}
