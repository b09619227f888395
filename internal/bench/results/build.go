package results

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"

	"incore/internal/machine"
)

// This file makes models from results files.

// Build makes a compact model from a results file: forms with equal rows share one row; of each field of a form and
// of each parameter of the core the last value counts.
func Build(r io.Reader, w io.Writer, name, title string) error {
	f := &resultFile{name: name, title: title, rows: map[string]string{}, when: map[string][]string{}, memory: memoryResults{}}
	if err := f.read(r); err != nil {
		return err
	}
	f.inherit()
	all := f.params
	limit := "param " + machine.LimitPrefix // its ports may be such as loads get only here
	f.params = slices.DeleteFunc(slices.Clone(all), func(p string) bool { return strings.HasPrefix(p, limit) })
	var plain strings.Builder
	if err := f.write(&plain, f.rows, nil); err != nil {
		return err
	}
	rows, like, grown, err := confirm(plain.String(), f.rows, f)
	if err != nil {
		return err
	}
	f.params = append(grown, all...)
	return f.write(w, rows, like)
}

// resultFile is the content of a results file.
type resultFile struct {
	name, title string   // of the model, in place of the file's
	head        []string // lines before the source of the rows
	complete    bool     // the head is complete
	date        string
	params      []string            // lines of parameters, features and fused pairs
	rows        map[string]string   // by form: the fields after its name
	when        map[string][]string // by form: the fields of rows with a condition
	memory      memoryResults
}

// read parses the whole file.
func (f *resultFile) read(r io.Reader) error {
	s := bufio.NewScanner(r)
	no := 0
	for s.Scan() {
		no++
		if err := f.line(s.Text()); err != nil {
			return fmt.Errorf("line %d: %w", no, err)
		}
	}
	if err := s.Err(); err != nil {
		return fmt.Errorf("line %d: %w", no+1, err)
	}
	if !f.complete {
		return fmt.Errorf("is no file of results of incore bench")
	}
	for _, p := range f.memory.params("measured" + f.date) {
		at := slices.IndexFunc(f.params, func(q string) bool { return sameKey(p, q) })
		if at < 0 {
			f.params = append(f.params, p)
		} else { // values from a probe of the core take precedence
			f.params[at] = withParts(f.params[at], p)
		}
	}
	return nil
}

// line parses one line.
func (f *resultFile) line(l string) error {
	form, rest, isRow := strings.Cut(l, " | ")
	switch {
	case strings.HasPrefix(l, "name:"):
		f.head = append(f.head, "name: "+f.name)
	case strings.HasPrefix(l, "title:"):
		f.head = append(f.head, "title: "+f.title)
	case !f.complete:
		f.head = append(f.head, l)
		f.complete = strings.HasPrefix(l, "source:")
		if d, ok := strings.CutPrefix(l, "# date: "); ok {
			f.date = " " + d
		}
	case strings.HasPrefix(l, "#"), strings.TrimSpace(l) == "":
		f.memory.add(l)
	case strings.HasPrefix(l, "param "), strings.HasPrefix(l, "feature "), strings.HasPrefix(l, "fuses: "):
		f.params = slices.DeleteFunc(f.params, func(p string) bool { return sameKey(p, l) })
		f.params = append(f.params, l)
	case strings.HasPrefix(l, "ports: "): // of every inference of ports
		for _, name := range strings.Fields(l[len("ports: "):]) {
			if line := "ports: " + name; !slices.Contains(f.params, line) {
				f.params = append(f.params, line)
			}
		}
	case !isRow || strings.ContainsAny(form, " \t"):
		return fmt.Errorf("not a row 'FORM | µops | latency | attributes': %q", l)
	case strings.Contains(rest, "when="):
		f.when[form] = append(f.when[form], rest)
	default:
		if !strings.Contains(rest, "| = |") && !strings.HasSuffix(rest, "| =") {
			delete(f.when, form)
		}
		f.rows[form] = overlay(f.rows[form], rest)
	}
	return nil
}

// sameKey reports whether two lines "key: value" have the same key.
func sameKey(a, b string) bool {
	x, _, _ := strings.Cut(a, ": ")
	y, _, _ := strings.Cut(b, ": ")
	return x == y
}

// forwarding begins the line of the parameter of which bench core, bench memory and the base may each know a part.
const forwarding = "param forwarding: "

// withParts adds to a line of the parameter "forwarding" the parts that it lacks of another, with their source; other parameters have no parts.
func withParts(line, more string) string {
	value, source, _ := strings.Cut(strings.TrimPrefix(line, forwarding), "  # ")
	list, from, _ := strings.Cut(strings.TrimPrefix(more, forwarding), "  # ")
	parts, known := strings.Fields(value), strings.Fields(value)
	for i := range known {
		known[i], _, _ = strings.Cut(known[i], "=")
	}
	for _, part := range strings.Fields(list) {
		if name, _, _ := strings.Cut(part, "="); !slices.Contains(known, name) {
			parts = append(parts, part)
		}
	}
	if !strings.HasPrefix(line, forwarding) || len(parts) == len(known) {
		return line
	}
	return forwarding + strings.Join(parts, " ") + "  # " + source + "; other parts: " + from
}

// inherit adds what only the base knows of a parameter that was measured in part.
func (f *resultFile) inherit() {
	for _, l := range f.head {
		name, ok := strings.CutPrefix(l, "base: ")
		base, err := machine.Get(strings.TrimSpace(name))
		if !ok || err != nil {
			continue
		}
		for i, p := range f.params {
			if strings.HasPrefix(p, forwarding) {
				f.params[i] = withParts(p, forwarding+base.Core().Forwarding.String()+"  # "+base.Name+"'s")
			}
		}
	}
}

// write writes the model with the given rows: head, parameters, the source of the rows, the rows; then those of forms that are like measured ones.
func (f *resultFile) write(w io.Writer, rows, like map[string]string) error {
	out := bufio.NewWriter(w)
	last := len(f.head) - 1
	for _, l := range slices.Concat(f.head[:last], f.params, f.head[last:]) {
		fmt.Fprintln(out, l)
	}
	writeGroups(out, rows)
	for i := 0; ; i++ { // of a form, one after another: later ones count
		rows := map[string]string{}
		for form, list := range f.when {
			if i < len(list) {
				rows[form] = list[i]
			}
		}
		if len(rows) == 0 {
			break
		}
		writeGroups(out, rows)
	}
	if len(like) > 0 {
		fmt.Fprintf(out, "\n%s\n", alikeSource)
		writeGroups(out, like)
	}
	return out.Flush()
}

// overlay combines a row's fields (µops, latency, attributes) with an older row's of the same form. "=" keeps the older field. A row
// without µops has latency and throughput, and keeps the older dispatch slots; a row with µops keeps all attributes that it does not
// give.
func overlay(old, row string) string {
	if old == "" {
		return row
	}
	a, b := strings.SplitN(old+" |  | ", " | ", 4), strings.SplitN(row+" |  | ", " | ", 4)
	ports := b[0] != "="
	for i := range 2 {
		if b[i] == "=" {
			b[i] = a[i]
		}
	}
	attrs := strings.Fields(strings.Trim(b[2], " |"))
	for _, t := range strings.Fields(strings.Trim(a[2], " |")) {
		key, _, _ := strings.Cut(t, "=")
		has := slices.ContainsFunc(attrs, func(u string) bool { return u == key || strings.HasPrefix(u, key+"=") })
		if !has && (ports || key == "slots") {
			attrs = append(attrs, t)
		}
	}
	return strings.TrimRight(b[0]+" | "+b[1]+" | "+strings.Join(attrs, " "), " |")
}

// writeGroups writes rows in the order of their form names; forms with equal rows share one line.
func writeGroups(w io.Writer, rows map[string]string) {
	const longest, indent = 110, "   "
	groups := map[string][]string{}
	for f, r := range rows {
		groups[r] = append(groups[r], f)
	}
	type group struct {
		forms []string
		rest  string
	}
	var list []group
	for r, f := range groups {
		sort.Strings(f)
		list = append(list, group{f, r})
	}
	sort.Slice(list, func(i, j int) bool { return list[i].forms[0] < list[j].forms[0] })
	for _, g := range list {
		line := ""
		for _, f := range g.forms {
			if len(line)+len(f) > longest {
				fmt.Fprintln(w, line)
				line = indent
			}
			if line != "" {
				line += " "
			}
			line += f
		}
		fmt.Fprintf(w, "%s | %s\n", line, g.rest)
	}
}
