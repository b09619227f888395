package compare

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"incore/internal/base/symname"
	"incore/internal/report"
	"incore/internal/report/findings"
)

// Text writes a table for each machine, with the causes below each loop that changed, and a summary line. o.Verbose adds for each loop a
// table with its bounds and its instruction mix.
func (c *Comparison) Text(w io.Writer, o report.TextOptions) error {
	names, whole := c.Versions, *c
	c = &whole
	c.Versions = shortened(c.Versions)
	c.Only = slices.Clone(c.Only)
	for i := range c.Only {
		if v := slices.Index(names, c.Only[i].Version); v >= 0 {
			c.Only[i].Version = c.Versions[v]
		}
	}
	var b strings.Builder
	for i, s := range c.Summary {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s, cycles per iteration\n", s.Arch)
		c.table(&b, s.Arch)
		for k := range c.Loops {
			if r := c.Loops[k].on(s.Arch); r != nil && o.Verbose {
				c.details(&b, &c.Loops[k], r)
			}
		}
	}
	c.rest(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// pageWidth is the number of characters of a line of a table.
const pageWidth = 120

// table writes the loops on one machine.
func (c *Comparison) table(b *strings.Builder, arch string) {
	tw := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	rows := [][]string{append(append([]string{"loop"}, c.Versions...), "change", "bound by")}
	for i := range c.Loops {
		r := c.Loops[i].on(arch)
		if r == nil {
			continue
		}
		row := []string{c.Loops[i].Name}
		last := &r.Versions[0]
		for v := range r.Versions {
			f := &r.Versions[v]
			row = append(row, cell(f))
			if !f.Missing {
				last = f
			}
		}
		rows = append(rows, append(row, change(&r.Versions[0], last), arrow(r.Versions[0].Limit, last.Limit)))
	}
	symname.FitColumn(rows, 0, pageWidth)
	for _, r := range rows {
		fmt.Fprintln(tw, strings.Join(r, "\t"))
	}
	tw.Flush()
	for i := range c.Loops {
		if r := c.Loops[i].on(arch); r != nil {
			why(b, c, &c.Loops[i], r)
		}
	}
}

func (l *Loop) on(arch string) *Result {
	for i := range l.Results {
		if l.Results[i].Arch == arch {
			return &l.Results[i]
		}
	}
	return nil
}

// cell formats a version's cycles for the work of one iteration of the first version.
func cell(f *Figure) string {
	switch s := fmt.Sprintf("%.2f", f.Cycles/math.Max(f.Times, 1e-9)); {
	case f.Missing:
		return "-"
	case f.AtLeast:
		return "≥ " + s
	default:
		return s
	}
}

// change words a change of the cycles against the first version. Of lower bounds it is told as theirs.
func change(first, f *Figure) string {
	switch {
	case f.Missing:
		return "no such loop"
	case f.Incomparable != "":
		return "cannot compare"
	case first.AtLeast || f.AtLeast:
		return changed(f) + ", of lower bounds"
	}
	return changed(f)
}

func changed(f *Figure) string {
	switch factor := 1 + f.Change; {
	case math.Abs(f.Change) < 0.0005:
		return "same"
	case factor >= 2:
		return fmt.Sprintf("%.1f times the cycles", factor)
	case factor <= 0.5 && factor > 0:
		return fmt.Sprintf("%.2f times the cycles", factor)
	default:
		return fmt.Sprintf("%+.1f %% cycles", 100*f.Change)
	}
}

// told is the least change for which the text lists the causes.
const told = 0.005

// why writes the causes of a loop's change.
func why(b *strings.Builder, c *Comparison, l *Loop, r *Result) {
	for v := 1; v < len(r.Versions); v++ {
		f := &r.Versions[v]
		if f.Missing || len(f.Why) == 0 || math.Abs(f.Change) < told && f.Incomparable == "" {
			continue
		}
		name := symname.Fit([]string{l.Name}, symname.Short)[0]
		if l.Names[v] != l.Name {
			name += " → " + symname.Fit([]string{l.Names[v]}, symname.Short)[0]
		}
		if len(r.Versions) > 2 {
			name += " in " + c.Versions[v]
		}
		fmt.Fprintf(b, "  %s (matched by %s)\n", name, l.Matched)
		for _, s := range f.Why {
			fmt.Fprintf(b, "    %s\n", s)
		}
	}
}

// rest writes the lines after the tables: unmatched loops, the summary of each machine, the limit.
func (c *Comparison) rest(b *strings.Builder) {
	c.renamed(b)
	c.single(b)
	for _, s := range c.Summary {
		fmt.Fprintf(b, "%s: %s\n", s.Arch, s.sentence())
	}
	if c.Limit != nil {
		verdict := "no loop is"
		switch {
		case c.Slower:
			verdict = "failed: a loop is"
		case !c.Compared():
			fmt.Fprintln(b, "failed: no loop was compared")
			return
		}
		fmt.Fprintf(b, "%s more than %g %% slower", verdict, *c.Limit)
		if n := len(c.uncompared()); n > 0 {
			verb := "were"
			if n == 1 {
				verb = "was"
			}
			fmt.Fprintf(b, " among those compared; %d of %s %s not", n, c.Versions[0], verb)
		}
		b.WriteByte('\n')
	}
}

// uncompared lists the loops of the first version that some version lacks or whose work differs there on some machine.
func (c *Comparison) uncompared() (out []string) {
	add := func(name string) {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	for i := range c.Loops {
		for _, r := range c.Loops[i].Results {
			if slices.ContainsFunc(r.Versions, func(f Figure) bool { return f.Missing || f.Incomparable != "" }) {
				add(c.Loops[i].Name)
			}
		}
	}
	for _, s := range c.Only {
		if s.Version == c.Versions[0] {
			add(s.Name)
		}
	}
	return out
}

// renamed says which loops were matched although their functions have other names.
func (c *Comparison) renamed(b *strings.Builder) {
	n := 0
	for i := range c.Loops {
		l := &c.Loops[i]
		if l.Matched != byScopes && l.Matched != byCode {
			continue
		}
		if n++; n > maxSingle {
			continue
		}
		for v, name := range l.Names[1:] {
			if name != "" && name != l.Name {
				pair := symname.Fit([]string{l.Name, name}, symname.Short/2)
				in := ""
				if len(c.Versions) > 2 {
					in = " of " + c.Versions[v+1]
				}
				fmt.Fprintf(b, "matched by %s: %s → %s%s\n", l.Matched, pair[0], pair[1], in)
			}
		}
	}
	if n > maxSingle {
		fmt.Fprintf(b, "matched under other names: %d more; --format json lists them\n", n-maxSingle)
	}
}

// maxSingle is the number of unmatched loops of a version that are listed.
const maxSingle = 8

// single lists loops without a counterpart, version by version.
func (c *Comparison) single(b *strings.Builder) {
	count := map[string]int{}
	for _, s := range c.Only {
		if count[s.Version]++; count[s.Version] <= maxSingle {
			fmt.Fprintf(b, "only in %s: %s, %s cycles on %s\n", s.Version, symname.Fit([]string{s.Name}, symname.Short)[0], cell(&Figure{Cycles: s.Cycles, AtLeast: s.AtLeast, Times: 1}), s.Arch)
		}
	}
	for _, v := range c.Versions {
		if n := count[v] - maxSingle; n > 0 {
			fmt.Fprintf(b, "only in %s: %d more; --format json lists them\n", v, n)
		}
	}
}

// shortened returns the names of versions without their common directories.
func shortened(names []string) []string {
	if len(names) < 2 {
		return names
	}
	common := names[0][:strings.LastIndexByte(names[0], '/')+1]
	for _, n := range names[1:] {
		for !strings.HasPrefix(n, common) {
			common = common[:strings.LastIndexByte(strings.TrimSuffix(common, "/"), '/')+1]
		}
	}
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = n[len(common):]
	}
	return out
}

// details writes a loop's bounds and instruction mix side by side, both for the work of an iteration of the first version.
func (c *Comparison) details(b *strings.Builder, l *Loop, r *Result) {
	fmt.Fprintf(b, "\n%s (matched by %s)\n", l.Name, l.Matched)
	tw := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(name string, of func(f *Figure) string) {
		fmt.Fprint(tw, name)
		for v := range r.Versions {
			if f := &r.Versions[v]; f.Missing {
				fmt.Fprint(tw, "\t-")
			} else {
				fmt.Fprintf(tw, "\t%s", of(f))
			}
		}
		fmt.Fprintln(tw, "\t")
	}
	at := -1
	row("", func(*Figure) string { at++; return c.Versions[at] })
	row("cycles", cell)
	row("bound by", func(f *Figure) string { return f.Limit })
	row("IPC", func(f *Figure) string {
		if f.AtLeast {
			return fmt.Sprintf("≤ %.2f", f.IPC)
		}
		return fmt.Sprintf("%.2f", f.IPC)
	})
	for i := range r.Versions[0].Bounds {
		row("  "+r.Versions[0].Bounds[i].Name, func(f *Figure) string { return number(f.Bounds[i].Cycles / f.Times) })
	}
	row("instructions", func(f *Figure) string { return number(float64(f.Instructions) / f.Times) })
	row("µops", func(f *Figure) string { return number(f.Uops / f.Times) })
	for _, m := range mixNames {
		some := false
		for v := range r.Versions {
			some = some || r.Versions[v].Mix[m] > 0
		}
		if some {
			row("  "+m, func(f *Figure) string { return number(float64(f.Mix[m]) / f.Times) })
		}
	}
	row("bytes loaded", func(f *Figure) string { return number(float64(f.Work.LoadedBytes) / f.Times) })
	row("bytes stored", func(f *Figure) string { return number(float64(f.Work.StoredBytes) / f.Times) })
	row("flops", func(f *Figure) string { return number(float64(f.Work.Flops) / f.Times) })
	tw.Flush()
}

// arrow formats a change as "before → after", or the value alone if it has not changed.
func arrow(before, after string) string {
	if before == after {
		return after
	}
	return before + " → " + after
}

// mixes formats the instruction mixes of two versions, for the work of an iteration of the first.
func mixes(a, b *Figure) string {
	parts := []string{arrow(number(float64(a.Instructions)), number(float64(b.Instructions)/b.Times))}
	for _, m := range mixNames {
		if x, y := float64(a.Mix[m]), float64(b.Mix[m])/b.Times; x > 0 || y > 0 {
			parts = append(parts, m+" "+arrow(number(x), number(y)))
		}
	}
	return parts[0] + ": " + strings.Join(parts[1:], ", ")
}

// sentence returns the summary of a machine in words.
func (s *Summary) sentence() string {
	other := ""
	if s.Least > 0 {
		other = fmt.Sprintf("; %d by lower bounds", s.Least)
	}
	if s.Other > 0 {
		other += fmt.Sprintf("; %d cannot be compared", s.Other)
	}
	if s.Loops == 0 {
		return "no loop was compared" + other
	}
	noun := "loops"
	if s.Loops == 1 {
		noun = "loop"
	}
	return fmt.Sprintf("%d %s, %d slower, %d faster; geometric mean of the cycles %+.1f %%%s", s.Loops, noun, s.Slower, s.Faster, 100*s.Change, other)
}

// Markdown writes a comparison as tables for a review or a job's summary.
func (c *Comparison) Markdown(w io.Writer) error {
	var b strings.Builder
	escape := strings.NewReplacer("|", "\\|", "<", "&lt;", "`", "'", "\n", " ").Replace
	for _, s := range c.Summary {
		fmt.Fprintf(&b, "### %s\n\n| loop |", escape(s.Arch))
		for _, v := range c.Versions {
			fmt.Fprintf(&b, " %s |", escape(v))
		}
		fmt.Fprintf(&b, " change | bound by | instructions | why |\n|---|%s---|---|---|---|\n", strings.Repeat("---:|", len(c.Versions)))
		for i := range c.Loops {
			r := c.Loops[i].on(s.Arch)
			if r == nil {
				continue
			}
			fmt.Fprintf(&b, "| %s |", escape(c.Loops[i].Name))
			first := &r.Versions[0]
			last := first
			for v := range r.Versions {
				fmt.Fprintf(&b, " %s |", cell(&r.Versions[v]))
				if !r.Versions[v].Missing {
					last = &r.Versions[v]
				}
			}
			mark := ""
			if last.Slower {
				mark = " :x:"
			}
			fmt.Fprintf(&b, " %s%s | %s | %s | %s |\n", change(first, last), mark, arrow(first.Limit, last.Limit), mixes(first, last), escape(strings.Join(last.Why, "; ")))
		}
		fmt.Fprintf(&b, "\n%s\n\n", s.sentence())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// CI writes a comparison in one of report.CIFormats.
func (c *Comparison) CI(w io.Writer, format string) error {
	if format == "junit" {
		return c.junit(w)
	}
	return findings.Write(w, format, c.findings())
}

// junit writes a comparison as JUnit test results: a suite for each machine, and a case for each loop, which fails if the loop became slower by more than the limit.
func (c *Comparison) junit(w io.Writer) error {
	var out []*findings.Suite
	if !c.Compared() {
		u := &findings.Suite{Name: "incore compare"}
		u.Add(findings.Case{Name: "loops compared", Failure: &findings.Verdict{Message: "no loop was compared"}})
		out = append(out, u)
	}
	for _, s := range c.Summary {
		u := &findings.Suite{Name: "incore compare " + s.Arch}
		for i := range c.Loops {
			r := c.Loops[i].on(s.Arch)
			if r == nil {
				continue
			}
			t := findings.Case{Name: c.Loops[i].Name, Class: s.Arch}
			for v := 1; v < len(r.Versions); v++ {
				f := &r.Versions[v]
				line := fmt.Sprintf("%s: %s cycles, %s before (%s)", c.Versions[v], cell(f), cell(&r.Versions[0]), change(&r.Versions[0], f))
				text := line + "\n"
				if !f.Missing {
					text += "bound by " + arrow(r.Versions[0].Limit, f.Limit) + "\ninstructions " + mixes(&r.Versions[0], f) + "\n" + strings.Join(f.Why, "\n")
				}
				t.Out += strings.TrimSpace(text) + "\n"
				if f.Incomparable != "" && t.Skipped == nil {
					t.Skipped = &findings.Verdict{Message: "cannot compare: " + f.Incomparable}
				}
				if f.Slower && t.Failure == nil {
					t.Failure = &findings.Verdict{Message: line, Text: strings.TrimSpace(text)}
				}
			}
			u.Add(t)
		}
		for _, x := range c.Only {
			if x.Version == c.Versions[0] && x.Arch == s.Arch {
				u.Add(findings.Case{Name: x.Name, Class: s.Arch, Skipped: &findings.Verdict{Message: "not compared: no other version has this loop"}})
			}
		}
		out = append(out, u)
	}
	return findings.JUnit(w, out)
}
