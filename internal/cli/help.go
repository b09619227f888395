package cli

import (
	"fmt"
	"io"
	"slices"
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
		c.Long = wrapText(c.Long, e.helpWidth())
		help(c, args)
	})
	root.SetUsageFunc(func(c *cobra.Command) error {
		_, err := io.WriteString(c.OutOrStderr(), usage(c, e.helpWidth()))
		return err
	})
}

// helpWidth returns the columns of help.
func (e *env) helpWidth() int {
	if width := e.columns(); width > 0 && width < helpColumns {
		return width
	}
	return helpColumns
}

// usage tells how to call a command. It is no template of cobra's: a program with templates, which call methods by name, keeps every method of its libraries.
func usage(c *cobra.Command, width int) string {
	var b strings.Builder
	part := func(title, text string) { fmt.Fprintf(&b, "\n\n%s\n%s", title, strings.TrimRight(text, " \n")) }
	b.WriteString("Usage:")
	if c.Runnable() {
		b.WriteString("\n  " + c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\n  " + c.CommandPath() + " [command]")
	}
	if len(c.Aliases) > 0 {
		part("Aliases:", "  "+c.NameAndAliases())
	}
	if c.HasExample() {
		part("Examples:", c.Example)
	}
	if c.HasAvailableSubCommands() {
		for _, g := range c.Groups() {
			part(g.Title, subcommands(c, g.ID))
		}
		switch {
		case len(c.Groups()) == 0:
			part("Available Commands:", subcommands(c, ""))
		case !c.AllChildCommandsHaveGroup():
			part("Additional Commands:", subcommands(c, ""))
		}
	}
	if c.HasAvailableLocalFlags() {
		b.WriteString("\n\n" + strings.TrimRight(flagText(c.LocalFlags(), width), " \n"))
	}
	if c.HasAvailableInheritedFlags() {
		part("Global Flags:", c.InheritedFlags().FlagUsagesWrapped(width))
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n\nUse \"%s [command] --help\" for more information about a command.", c.CommandPath())
	}
	return b.String() + "\n"
}

// subcommands lists the commands of a group.
func subcommands(c *cobra.Command, group string) string {
	var b strings.Builder
	for _, s := range c.Commands() {
		if s.GroupID == group && (s.IsAvailableCommand() || s.Name() == "help") {
			fmt.Fprintf(&b, "  %-*s %s\n", s.NamePadding(), s.Name(), s.Short)
		}
	}
	return b.String()
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
	{"More answers:", []string{"advice", "sensitivity", "what-if", "timeline", "timeline-from", "iterations", "graph"}},
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
