package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"incore/internal/report"
)

// helpColumns is the width of help if the terminal's width is not known, and the greatest width.
const helpColumns = 100

// fitHelp breaks the lines of help at the terminal's width. It keeps indented lines of a command's text unchanged.
func (e *env) fitHelp(root *cobra.Command) {
	help := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		width := e.columns()
		if width <= 0 || width > helpColumns {
			width = helpColumns
		}
		c.Long = wrapText(c.Long, width)
		usage := strings.Replace(c.UsageTemplate(), "Flags:\n{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}", "{{"+strconv.Quote(flagText(c.LocalFlags(), width))+"}}", 1)
		c.SetUsageTemplate(strings.ReplaceAll(usage, ".FlagUsages", fmt.Sprintf(".FlagUsagesWrapped %d", width)))
		help(c, args)
	})
}

// wrapText breaks the paragraphs of a text; indented lines stay as they are.
func wrapText(text string, width int) string {
	var out, paragraph []string
	flush := func() {
		if len(paragraph) > 0 {
			out = append(out, report.Wrap(strings.Join(paragraph, " "), width, ""))
		}
		paragraph = nil
	}
	for _, s := range strings.Split(text, "\n") {
		if s != "" && s[0] != ' ' {
			paragraph = append(paragraph, s)
			continue
		}
		flush()
		out = append(out, s)
	}
	flush()
	return strings.Join(out, "\n")
}

// manyFlags is the number of options from which on help groups them.
const manyFlags = 15

// flagGroup is a group of options.
type flagGroup struct {
	title string
	names []string
}

// flagGroups are the groups of options that several commands share, in the order in which help shows them. Other options are the command's own and come first.
var flagGroups = []flagGroup{
	{"Which code:", []string{"cc", "function", "lines", "label", "loop", "path", "kernel", "all-kernels", "whole", "syntax"}},
	{"Which machine:", []string{"arch", "model", "isa", "mcpu", "march", "mtune", "mattr", "mtriple"}},
	{"What is assumed:", []string{"engine", "policy", "no-flags", "no-memdep", "noalias", "alias", "seed", "unroll"}},
	{"More answers:", []string{"advice", "sensitivity", "what-if", "timeline", "timeline-from", "graph"}},
	{"The report:", []string{"format", "output", "verbose", "columns", "width", "color", "help"}},
}

// flagText lists the options of a command, in groups where there are many.
func flagText(flags *pflag.FlagSet, width int) string {
	usages := func(f *pflag.FlagSet) string { return strings.TrimRight(f.FlagUsagesWrapped(width), " \n") }
	n := 0
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			n++
		}
	})
	if n < manyFlags {
		return "Flags:\n" + usages(flags)
	}
	sets := make([]*pflag.FlagSet, len(flagGroups)+1)
	for i := range sets {
		sets[i] = pflag.NewFlagSet("", pflag.ContinueOnError)
	}
	flags.VisitAll(func(f *pflag.Flag) {
		i := slices.IndexFunc(flagGroups, func(g flagGroup) bool { return slices.Contains(g.names, f.Name) })
		sets[i+1].AddFlag(f)
	})
	var parts []string
	for i, set := range sets {
		title := "Flags:"
		if i > 0 {
			title = flagGroups[i-1].title
		}
		if set.HasAvailableFlags() {
			parts = append(parts, title+"\n"+usages(set))
		}
	}
	return strings.Join(parts, "\n\n")
}
