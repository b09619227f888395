package describe

import (
	"fmt"
	"strings"

	"incore/internal/report"
)

// Diagnostics fills in the words of messages. It keeps words that the reader of the input has set.
func Diagnostics(list []report.Diagnostic) {
	for i := range list {
		d := &list[i]
		if say, ok := messages[d.Kind]; ok {
			d.Message, d.Hint = say(&d.Values)
		}
	}
}

// messages holds the message and the hint for each kind of diagnostic.
var messages = map[string]func(v *report.Values) (message, hint string){
	report.MissingExtension: func(v *report.Values) (string, string) {
		verb := "need"
		if v.Instructions == 1 {
			verb = "needs"
		}
		message := fmt.Sprintf("by LLVM's description %s does not have %s, which %d of %d instructions %s", v.Core, v.Extension, v.Instructions, v.Of, verb)
		if len(v.Machines) == 0 {
			return message, ""
		}
		hint := "machines that have it: " + strings.Join(v.Machines, ", ")
		if v.More > 0 {
			hint += fmt.Sprintf(" and %d more", v.More)
		}
		return message, hint
	},
	report.Reserved: func(v *report.Values) (string, string) {
		return fmt.Sprintf("the specification reserves '%s': %s", v.Instruction, v.Reason), ""
	},
	report.UnknownCost: func(v *report.Values) (string, string) {
		message := fmt.Sprintf("the cost of '%s' (%s) on %s is unknown", v.Instruction, v.Form, v.Core)
		if v.Reason != "" {
			return message + ", as it " + v.Reason + "; it " + counted(v) + ", and may take longer", ""
		}
		return message + "; it " + counted(v), ""
	},
	report.Unread: func(v *report.Values) (string, string) { return unread(v) + "; it " + counted(v), nearest(v) },
	report.UnreadDependences: func(v *report.Values) (string, string) {
		return unread(v) + "; what depends on it is not known", nearest(v)
	},
	report.LowerBound: func(v *report.Values) (string, string) {
		return fmt.Sprintf("'%s' %s: it counts with its lower bound, a latency of %s cycles and %s µops", v.Instruction, v.Reason, span(*v.Latency), span(*v.Uops)), ""
	},
	report.UnreadElsewhere: func(v *report.Values) (string, string) {
		return "no known instructions outside of the kernels: " + report.Counted(v.Count, "statement"), "a list of the forms has them"
	},
	report.LoopsLeftOut: func(v *report.Values) (string, string) {
		return "not mentioned: " + report.Counted(v.Count, "more loop"), "choose one by its function or name"
	},
	report.FileLoopsLeftOut: func(v *report.Values) (string, string) {
		return "not mentioned: " + report.Counted(v.Count, "more loop"), "the list of loops has all"
	},
	report.DepsLeftOut: func(v *report.Values) (string, string) {
		return "left out: " + report.Counted(v.Count, "more loop"), "choose one by its function, kernel or label"
	},
	report.PairsLeftOut: func(v *report.Values) (string, string) {
		return fmt.Sprintf("%s has %d pairs of a store and a load: those that are possible are not listed", v.Kernel, v.Count), "choose a part of it by its lines or a loop"
	},
	report.DeepLoops: func(v *report.Values) (string, string) {
		return fmt.Sprintf("loops with more than %d levels of loops within are not listed", v.Count), ""
	},
	report.MarkedNoLoop: func(v *report.Values) (string, string) {
		return "not listed, as they are no loops: " + report.Counted(v.Count, "marked piece") + " of code", ""
	},
	report.ProfileNotInLoops: func(v *report.Values) (string, string) {
		return fmt.Sprintf("no sample of the profile (%s) lies in a loop, though %.0f %% of it is in this file", v.Profile, 100*v.Share),
			"costs without addresses tell nothing where a file has no source lines: valgrind --tool=callgrind --dump-instr=yes"
	},
	report.ProfileOfOthers: func(v *report.Values) (string, string) {
		return fmt.Sprintf("the profile (%s) is of %s, not of this file: it is not used", v.Profile, strings.Join(v.Machines, ", ")), "profile this program, or give the file that the profile names"
	},
	report.ProfileElsewhere: func(v *report.Values) (string, string) {
		return fmt.Sprintf("no sample of the profile (%s) lies in this file: it is not used", v.Profile), "is it a profile of another program?"
	},
}

// counted describes the figures assumed for an instruction of unknown cost.
func counted(v *report.Values) string {
	return fmt.Sprintf("counts with a latency of %s cycles and %s µops", span(*v.Latency), span(*v.Uops))
}

// unread gives the reason why an instruction has no form.
func unread(v *report.Values) string {
	if v.Instruction == "" {
		return v.Reason
	}
	return fmt.Sprintf("%s in '%s'", v.Reason, v.Instruction)
}

// nearest names mnemonics similar to an unknown one.
func nearest(v *report.Values) string {
	if len(v.Nearest) == 0 {
		return ""
	}
	return "nearest known: " + strings.Join(v.Nearest, ", ")
}
