package dyndeps

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"incore/internal/report"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Layout implements report.Result.
func (*Report) Layout() string { return "incore.deps-dynamic/1" }

// Text writes the first o.Most dependences, all if it is 0.
func (r *Report) Text(w io.Writer, o report.TextOptions) error {
	top := o.Most
	fmt.Fprintf(w, "%s (%s, run by %s)\n", r.Program, r.ISA, r.Emulator)
	fmt.Fprintf(w, "%s instructions, %s loads", thousands(r.Instructions), thousands(r.Loads))
	if r.Chosen != "" {
		fmt.Fprintf(w, " in %s", r.Chosen)
	}
	fmt.Fprintf(w, ", %s stores\n", thousands(r.Stores))
	for _, n := range r.Notes {
		fmt.Fprintln(w, "note:", n)
	}
	list := r.Dependences
	if top > 0 && len(list) > top {
		list = list[:top]
	}
	what := "dependences through memory (store -> load)"
	if r.Limit > 0 {
		what += fmt.Sprintf(" of fewer than %d instructions", r.Limit)
	}
	if len(list) < len(r.Dependences) {
		fmt.Fprintf(w, "\n%d %s, the %d most frequent:\n", len(r.Dependences), what, len(list))
	} else {
		fmt.Fprintf(w, "\n%d %s\n", len(r.Dependences), what)
	}
	if len(list) == 0 {
		return nil
	}
	rows := [][]string{{"count", "store", "load", "distance", "lifetime: min", "mean", "max"}}
	for i := range list {
		d := &list[i]
		rows = append(rows, []string{thousands(d.Count), where(&d.From), where(&d.To), d.distances(2), thousands(d.Lifetime.Min),
			strconv.FormatFloat(d.Lifetime.Mean, 'f', 1, 64), thousands(d.Lifetime.Max)})
	}
	fit(rows, maxWidth, 1, 2, 3)
	return table(w, rows, "rlllrrr")
}

// maxWidth is the width in characters of the text.
const maxWidth = 120

// fit shortens the cells of some columns, the widest first, until the rows of a table have at most so many characters. A place loses its line, then its middle.
func fit(rows [][]string, width int, columns ...int) {
	const least, gap = 12, 2
	wide := make([]int, len(rows[0]))
	total := 0
	for c := range wide {
		for _, r := range rows {
			wide[c] = max(wide[c], utf8.RuneCountInString(r[c]))
		}
		total += wide[c] + gap
	}
	for ; total > width; total-- {
		c := slices.MaxFunc(columns, func(a, b int) int { return cmp.Compare(wide[a], wide[b]) })
		if wide[c] <= least {
			break
		}
		wide[c]--
	}
	for _, r := range rows {
		for _, c := range columns {
			if utf8.RuneCountInString(r[c]) > wide[c] {
				r[c], _, _ = strings.Cut(r[c], " (")
			}
			if s := []rune(r[c]); len(s) > wide[c] {
				tail := wide[c] / 2
				r[c] = string(s[:wide[c]-tail-1]) + "…" + string(s[len(s)-tail:])
			}
		}
	}
}

// where returns a place as text, with its source line.
func where(p *Place) string {
	s := p.String()
	if p.Line > 0 {
		s += fmt.Sprintf(" (%s:%d)", filepath.Base(p.File), p.Line)
	}
	return s
}

// distances lists the most frequent distances.
func (d *Dependence) distances(most int) string {
	var parts []string
	for i, a := range d.Distances {
		if i == most {
			parts = append(parts, "…")
			break
		}
		s := a.String()
		if len(d.Distances) > 1 {
			s += fmt.Sprintf(" (%.0f %%)", 100*float64(a.Count)/float64(max(d.Count, 1)))
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, ", ")
}

func (a *Apart) String() string {
	switch {
	case a.Iterations == nil:
		return "another call"
	case a.Loop == "":
		return "no loop"
	case a.OrMore:
		return fmt.Sprintf(">= %d of %s", *a.Iterations, a.Loop)
	}
	return fmt.Sprintf("%d of %s", *a.Iterations, a.Loop)
}

// CSV writes a row for every dependence and distance.
func (r *Report) CSV(w io.Writer) error {
	c := csv.NewWriter(w)
	head := []string{"from_object", "from_address", "from", "from_line", "to_object", "to_address", "to", "to_line", "count", "life_min", "life_mean", "life_max"}
	for _, n := range Windows {
		head = append(head, fmt.Sprintf("below_%d", n))
	}
	_ = c.Write(append(head, "loop", "iterations", "or_more", "distance_count"))
	for i := range r.Dependences {
		d := &r.Dependences[i]
		row := append(d.From.fields(), d.To.fields()...)
		row = append(row, fmt.Sprint(d.Count), fmt.Sprint(d.Lifetime.Min), strconv.FormatFloat(d.Lifetime.Mean, 'f', 2, 64), fmt.Sprint(d.Lifetime.Max))
		for _, n := range d.Within {
			row = append(row, fmt.Sprint(n.Count))
		}
		for _, a := range d.Distances {
			n := ""
			if a.Iterations != nil {
				n = strconv.Itoa(*a.Iterations)
			}
			_ = c.Write(append(row[:len(row):len(row)], a.Loop, n, strconv.FormatBool(a.OrMore), fmt.Sprint(a.Count)))
		}
	}
	c.Flush()
	return c.Error()
}

func (p *Place) fields() []string {
	line := ""
	if p.Line > 0 {
		line = fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	name := ""
	if p.Symbol != "" {
		name = fmt.Sprintf("%s+%#x", p.Symbol, p.Offset)
	}
	return []string{p.Object, p.Address, name, line}
}

// thousands formats a number with commas.
func thousands(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// table writes rows in columns; align has an l or r for each.
func table(w io.Writer, rows [][]string, align string) error {
	width := make([]int, len(align))
	for _, r := range rows {
		for i, c := range r {
			width[i] = max(width[i], len([]rune(c)))
		}
	}
	var b strings.Builder
	for _, r := range rows {
		line := ""
		for i, c := range r {
			pad := strings.Repeat(" ", width[i]-len([]rune(c)))
			if align[i] == 'r' {
				line += "  " + pad + c
			} else {
				line += "  " + c + pad
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
