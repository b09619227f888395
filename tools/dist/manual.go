package main

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manual makes a manual page for each command.
func manual(root *cobra.Command, when time.Time) (out []file) {
	var add func(c *cobra.Command)
	add = func(c *cobra.Command) {
		name := strings.ReplaceAll(c.CommandPath(), " ", "-")
		out = append(out, file{name: name + ".1", data: manPage(c, name, when)})
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() || sub.Name() == "help" {
				add(sub)
			}
		}
	}
	root.InitDefaultCompletionCmd()
	add(root)
	return out
}

// roff escapes a text for troff. A line that begins with a dot or an apostrophe would be a request.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}

// manPage writes the page of a command.
func manPage(c *cobra.Command, name string, when time.Time) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, ".TH %s 1 %s \"incore\" \"User Commands\"\n.SH NAME\n%s \\- %s\n", strings.ToUpper(strings.ReplaceAll(name, "-", `\-`)), when.Format("2006-01-02"), roff(name), roff(c.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", roff(c.UseLine()))
	long := c.Long
	if long == "" {
		long = c.Short
	}
	b.WriteString(".SH DESCRIPTION\n")
	paragraphs(&b, long)
	flags(&b, "OPTIONS", c.NonInheritedFlags())
	flags(&b, "OPTIONS OF ALL COMMANDS", c.InheritedFlags())
	if c.Example != "" {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(c.Example))
	}
	var also []string
	if c.HasParent() {
		also = append(also, strings.ReplaceAll(c.Parent().CommandPath(), " ", "-"))
	}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			also = append(also, strings.ReplaceAll(sub.CommandPath(), " ", "-"))
		}
	}
	if len(also) > 0 {
		b.WriteString(".SH SEE ALSO\n")
		for i, s := range also {
			end := ","
			if i == len(also)-1 {
				end = ""
			}
			fmt.Fprintf(&b, ".BR %s (1)%s\n", roff(s), end)
		}
	}
	return b.Bytes()
}

// paragraphs writes text: paragraphs are filled, indented lines stay as they are.
func paragraphs(b *bytes.Buffer, text string) {
	for _, p := range strings.Split(strings.Trim(text, "\n"), "\n\n") {
		if strings.Contains("\n"+p, "\n ") {
			fmt.Fprintf(b, ".PP\n.nf\n%s\n.fi\n", roff(p))
		} else {
			fmt.Fprintf(b, ".PP\n%s\n", roff(p))
		}
	}
}

// flags writes a section of options.
func flags(b *bytes.Buffer, title string, set *pflag.FlagSet) {
	if !set.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(b, ".SH %s\n", title)
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		s := "--" + f.Name
		if f.Shorthand != "" {
			s = "-" + f.Shorthand + ", " + s
		}
		if value != "" {
			s += " " + value
		}
		if f.DefValue != "" && f.DefValue != "false" && f.DefValue != "[]" && f.DefValue != "0" {
			usage += " (default " + f.DefValue + ")"
		}
		fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(s), roff(usage))
	})
}
