// Command mkuops turns uops.info's measurements (Abel & Reineke, ASPLOS 2019) into
// incore's machine models.
//
// Usage:
//
//	go run ./tools/mkuops -in DIR [-core SKL] [-v]
//	go run ./tools/mkuops -in DIR -core ZEN4 -compare FILE.results [-causes 20]
//	go run ./tools/mkuops -in DIR [-core ZEN4] -check [-groups 20]
//
// DIR holds the files ARCH.jsonl.gz (per-operand latencies) and NAME.csv.gz (the web table's columns). The first form writes models to internal/machine/models/uops;
// never edit them by hand. Each model is a layer over LLVM's scheduling model of the core: a form that was
// not measured keeps LLVM's figures. The command prints the share of records that it maps to a form.
//
// The other forms write no files. The second compares results of "incore bench" with a core's records. The third compares the simulation of each form, by the core's model,
// with the records.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"incore/internal/isa"
	"incore/internal/isa/x86"
)

const outDir = "internal/machine/models/uops"

func main() {
	in := flag.String("in", "", "folder of the uops.info files")
	only := flag.String("core", "", "do only this one")
	verbose := flag.Bool("v", false, "list the records that map to no form")
	results := flag.String("compare", "", "hold these results of incore bench against the core's records, and write nothing")
	checked := flag.Bool("check", false, "hold what the simulators of the models predict against the records, and write nothing")
	groups := flag.Int("groups", 0, "with -check: list the `N` largest groups of figures that differ")
	causes := flag.Int("causes", 0, "with -compare: the `N` largest groups of forms that differ, each with its cause, instead of every form")
	flag.Parse()
	if *in == "" || *results != "" && *only == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if *only != "" && !slices.ContainsFunc(cores, func(k core) bool { return k.name == *only }) {
		var known []string
		for i := range cores {
			known = append(known, cores[i].name)
		}
		fmt.Fprintf(os.Stderr, "mkuops: no core '%s'; known are %s\n", *only, strings.Join(known, ", "))
		os.Exit(2)
	}
	all := map[string]map[string][]cost{}
	for i := range cores {
		k := &cores[i]
		if *checked {
			if models[k.name] == "" || *only != "" && k.name != *only {
				continue
			}
			c, err := k.checkCore(*in)
			if err == nil {
				err = c.report(os.Stdout, *groups)
			}
			if err != nil {
				fmt.Fprintln(os.Stderr, "mkuops:", err)
				os.Exit(1)
			}
			continue
		}
		if *results != "" {
			if k.name == *only {
				if err := k.compare(*in, *results, *causes, os.Stdout); err != nil {
					fmt.Fprintln(os.Stderr, "mkuops:", err)
					os.Exit(1)
				}
			}
			continue
		}
		if *only != "" && k.name != *only && !needs(*only, k.name) {
			continue
		}
		c, err := k.convert(*in)
		if err == nil {
			all[k.name] = c.rows
			c.report(os.Stdout, *verbose)
			err = k.write(without(c.rows, all[k.over]), k.over)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "mkuops: %s: %v\n", k.name, err)
			os.Exit(1)
		}
	}
}

// needs reports whether a core's rows are a layer over another core's.
func needs(name, other string) bool {
	for _, k := range cores {
		if k.name == name && k.over == other {
			return true
		}
	}
	return false
}

// without leaves out the forms that have the same cost in the layer below, whatever the source of the figures.
func without(rows, below map[string][]cost) map[string][]cost {
	out := map[string][]cost{}
	for n, l := range rows {
		if texts(l) != texts(below[n]) {
			out[n] = l
		}
	}
	return out
}

// texts returns the rows of a form as written in the file.
func texts(l []cost) string {
	var out []string
	for _, c := range l {
		out = append(out, c.String())
	}
	return strings.Join(out, "\n")
}

// conversion is the result of converting the records of one core.
type conversion struct {
	core     *core
	rows     map[string][]cost // form → its rows, in order
	user     int               // records of user-mode instructions
	mapped   int               // records of these that map to a form of incore
	unmapped []string          // the other records, each with the reason
}

func (c *conversion) share() float64 { return float64(c.mapped) / float64(max(1, c.user)) }

func (c *conversion) report(w io.Writer, verbose bool) {
	fmt.Fprintf(w, "%s: %d of %d records of user-mode instructions mapped (%.1f %%), %d forms\n", c.core.name, c.mapped, c.user, 100*c.share(), len(c.rows))
	if verbose {
		for _, u := range c.unmapped {
			fmt.Fprintln(w, "  "+u)
		}
	}
}

// convert makes the rows of one core from its records.
func (k *core) convert(dir string) (*conversion, error) {
	recs, err := k.records(dir)
	if err != nil {
		return nil, err
	}
	c := &conversion{core: k, rows: map[string][]cost{}}
	seen, byCode := map[string]bool{}, map[string][]coded{}
	for i := range recs {
		r := &recs[i]
		if skip(r) {
			continue
		}
		c.user++
		f, err := resolve(r.String)
		if err != nil {
			c.unmapped = append(c.unmapped, r.String+": "+err.Error())
			continue
		}
		c.mapped++
		cond := condition(r, f)
		for _, n := range names(f.inst.Form) {
			key := n + " " + cond
			if seen[key] { // the first measured encoding represents the form
				continue
			}
			seen[key] = true
			if strings.HasPrefix(cond, "imm(") {
				byCode[n] = append(byCode[n], coded{cond, k.rowsOf(r, f, "")})
				continue
			}
			if own := k.rowsOf(r, f, cond); len(own) == 0 {
				continue
			} else if cond == "" { // later rows override earlier ones, so that the general row is the first
				c.rows[n] = append(own, c.rows[n]...)
			} else {
				c.rows[n] = append(c.rows[n], own...)
			}
		}
	}
	for n, l := range byCode {
		if l := merge(l); len(l) > 0 {
			c.rows[n] = l
		}
	}
	return c, nil
}

// coded holds the rows of one condition code of a form.
type coded struct {
	cond string
	rows []cost
}

// merge makes the rows of a form from the rows of its condition codes: the most frequent cost is the
// general one, the others are exceptions for their codes.
func merge(l []coded) []cost {
	text := func(c coded) string { return fmt.Sprint(c.rows) }
	count := map[string]int{}
	for _, c := range l {
		count[text(c)]++
	}
	rule := l[0]
	for _, c := range l {
		if count[text(c)] > count[text(rule)] {
			rule = c
		}
	}
	out := append([]cost(nil), rule.rows...)
	done := map[string]bool{text(rule): true}
	for _, c := range l {
		if done[text(c)] {
			continue
		}
		done[text(c)] = true
		var codes []string
		for _, d := range l {
			if text(d) == text(c) {
				codes = append(codes, d.cond)
			}
		}
		for _, r := range c.rows {
			r.restrict("(" + strings.Join(codes, "|") + ")")
			out = append(out, r)
		}
	}
	return out
}

// names returns the form and its twins, which cost the same: the encoding with exchanged roles of the operands, and LLVM's separate form
// without merging of the upper elements.
func names(f isa.FormID) []string {
	t := x86.ISA().Forms
	out := []string{t.Name(f)}
	for _, twin := range []string{t.Name(f) + "_REV", strings.TrimSuffix(t.Name(f), "_Int")} {
		if twin != t.Name(f) && t.Named(twin) != isa.NoForm {
			out = append(out, twin)
		}
	}
	return out
}

// skip drops records that are variants of others, with an immediate of zero, and the MPX instructions, which no longer exist.
func skip(r *record) bool {
	if r.Uops != nil && *r.Uops > 1000 {
		return true // a repeated string instruction: the figures depend on the repeat count of the measurement
	}
	return r.Attrs["immzero"] == "1" || strings.HasPrefix(r.String, "BND")
}

// write writes the file of a core.
func (k *core) write(rows map[string][]cost, over string) error {
	if err := os.MkdirAll(outDir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(outDir, k.name+".model"), k.text(rows, over), 0o644)
}

// text returns the content of a core's file: forms with equal cost share a row.
func (k *core) text(rows map[string][]cost, over string) []byte {
	groups := map[string][]string{} // source, newline, rows → forms
	for n, l := range rows {
		g := l[0].source + "\n" + texts(l)
		groups[g] = append(groups[g], n)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Made by tools/mkuops from uops.info's measurements; do not edit, correct it in a model over it.\n")
	fmt.Fprintf(&b, "# Abel & Reineke: uops.info: Characterizing Latency, Throughput, and Port Usage of Instructions on Intel Microarchitectures, ASPLOS 2019.\n")
	if over != "" {
		fmt.Fprintf(&b, "# Forms that cost the same on %s are left out.\n", over)
	}
	fmt.Fprintf(&b, "name: uops/%s\ntitle: uops.info's figures of %s\nisa: x86-64\nbase: %s\n", k.name, k.figures(), k.base)
	for _, h := range k.header {
		b.WriteString(h + "\n")
	}
	keys := make([]string, 0, len(groups))
	for g := range groups {
		sort.Strings(groups[g])
		keys = append(keys, g)
	}
	sort.Slice(keys, func(i, j int) bool {
		a, b := source(keys[i]), source(keys[j])
		if a != b {
			return a < b
		}
		return groups[keys[i]][0] < groups[keys[j]][0]
	})
	last := ""
	for _, g := range keys {
		if s := source(g); s != last {
			fmt.Fprintf(&b, "\nsource: %s\n", s)
			last = s
		}
		for _, c := range strings.Split(g, "\n")[1:] {
			b.WriteString(wrap(groups[g]) + " | " + c + "\n")
		}
	}
	return b.Bytes()
}

// source returns the source of a group of rows.
func source(group string) string {
	s, _, _ := strings.Cut(group, "\n")
	return s
}

// wrap joins names, with continuation lines indented.
func wrap(names []string) string {
	var b strings.Builder
	col := 0
	for i, n := range names {
		if i > 0 {
			if col+len(n) > 150 {
				b.WriteString("\n ")
				col = 1
			}
			b.WriteByte(' ')
		}
		b.WriteString(n)
		col += len(n) + 1
	}
	return b.String()
}
