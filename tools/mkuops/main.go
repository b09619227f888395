// Command mkuops turns uops.info's measurements (Abel & Reineke, ASPLOS 2019) into
// incore's machine models.
//
// Usage:
//
//	go run ./tools/mkuops -in DIR [-core SKL]
//
// DIR holds the files ARCH.jsonl.gz. The results go to internal/machine/models/uops and are
// never edited by hand. Each is a layer over LLVM's scheduling model of the core: a form that was
// not measured keeps LLVM's figures. The share of records mapped to a form is printed.
package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"incore/internal/isa"
	"incore/internal/isa/x86"
)

const outDir = "internal/machine/models/uops"

var intelLegacy = core{load: []string{"23"}, sta: []string{"23"}, std: []string{"4"}}

// cores are the files that carry port usage for every instruction.
var cores = []core{
	with(intelLegacy, "SNB", "llvm/SandyBridgeModel", "", 4, 5, 6, 7),
	with(intelLegacy, "IVB", "llvm/SandyBridgeModel", "", 4, 5, 6, 7),
	with(intelLegacy, "HSW", "llvm/HaswellModel", "237", 4, 5, 6, 7),
	with(intelLegacy, "BDW", "llvm/BroadwellModel", "237", 4, 5, 6, 7),
	with(intelLegacy, "SKL", "llvm/SkylakeClientModel", "237", 2, 5, 6, 7),
}

func with(c core, file, base, sta string, store, gpr, xmm, ymm float64) core {
	c.file, c.name, c.base, c.title = file, "uops/"+file, base, "uops.info's figures of "+file
	if sta != "" {
		c.sta = append([]string{sta}, c.sta...)
	}
	c.store = store
	c.gprLoad, c.vecLoad = gpr, [3]float64{xmm, ymm, ymm}
	c.divider = "FPDIV"
	return c
}

func main() {
	in := flag.String("in", "", "folder of the uops.info files")
	only := flag.String("core", "", "do only this one")
	verbose := flag.Bool("v", false, "list the records that map to no form")
	flag.Parse()
	if *in == "" {
		flag.Usage()
		os.Exit(2)
	}
	for i := range cores {
		if *only != "" && cores[i].file != *only {
			continue
		}
		if err := cores[i].convert(*in, *verbose); err != nil {
			fmt.Fprintf(os.Stderr, "mkuops: %s: %v\n", cores[i].file, err)
			os.Exit(1)
		}
	}
}

// convert writes the model layer of one core.
func (k *core) convert(dir string, verbose bool) error {
	recs, err := read(filepath.Join(dir, k.file+".jsonl.gz"))
	if err != nil {
		return err
	}
	rows := map[string][]cost{} // form → its rows, in order
	seen, byCode := map[string]bool{}, map[string][]coded{}
	mapped, user := 0, 0
	for i := range recs {
		r := &recs[i]
		if skip(r) {
			continue
		}
		user++
		f, err := resolve(r.String)
		if err != nil {
			if verbose {
				fmt.Println(r.String, ":", err)
			}
			continue
		}
		mapped++
		cond := condition(r, f)
		for _, n := range names(f.inst.Form) {
			key := n + " " + cond
			if seen[key] { // the first encoding measured stands for the form
				continue
			}
			seen[key] = true
			if strings.HasPrefix(cond, "imm(") {
				byCode[n] = append(byCode[n], coded{cond, k.rowsOf(r, f, "")})
				continue
			}
			if own := k.rowsOf(r, f, cond); cond == "" { // later rows win: the general ones come first
				rows[n] = append(own, rows[n]...)
			} else {
				rows[n] = append(rows[n], own...)
			}
		}
	}
	for n, l := range byCode {
		rows[n] = merge(l)
	}
	fmt.Printf("%s: %d of %d records of user-mode instructions mapped (%.1f %%), %d forms\n", k.file, mapped, user, 100*float64(mapped)/float64(user), len(rows))
	return k.write(rows)
}

// coded are the rows of one condition code of a form.
type coded struct {
	cond string
	rows []cost
}

// merge makes the rows of a form from those of its condition codes: the commonest cost is the
// rule, the others are exceptions for their codes.
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

// names are the form and its twins, which cost the same: the encoding with the operands' roles exchanged, and the form
// without the upper elements' merging that LLVM keeps apart.
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

// skip drops records that are variants of others: high byte registers, an immediate of zero, and
// the MPX instructions, which no longer exist.
func skip(r *record) bool {
	if r.Uops != nil && *r.Uops > 1000 {
		return true // a repeated string instruction, whose count is the measurement's
	}
	return r.Attrs["high8"] != "" || r.Attrs["immzero"] == "1" || strings.HasPrefix(r.String, "BND")
}

func read(path string) ([]record, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	sc := bufio.NewScanner(z)
	sc.Buffer(nil, 1<<24)
	sc.Scan() // the header line
	var out []record
	for sc.Scan() {
		var r record
		if err := json.Unmarshal(sc.Bytes(), &r); err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, sc.Err()
}

// write groups forms of equal cost and writes the file.
func (k *core) write(rows map[string][]cost) error {
	groups := map[string][]string{}
	for n, l := range rows {
		var key []string
		for _, c := range l {
			key = append(key, c.String())
		}
		g := strings.Join(key, "\n")
		groups[g] = append(groups[g], n)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Made by tools/mkuops from uops.info's measurements of %s; do not edit, correct it in a model over it.\n", k.file)
	fmt.Fprintf(&b, "# Abel & Reineke: uops.info: Characterizing Latency, Throughput, and Port Usage of Instructions on Intel Microarchitectures, ASPLOS 2019.\n")
	fmt.Fprintf(&b, "name: %s\ntitle: %s\nisa: x86-64\nbase: %s\n\nsource: uops.info %s\n", k.name, k.title, k.base, k.file)
	keys := make([]string, 0, len(groups))
	for g := range groups {
		sort.Strings(groups[g])
		keys = append(keys, g)
	}
	sort.Slice(keys, func(i, j int) bool { return groups[keys[i]][0] < groups[keys[j]][0] })
	for _, g := range keys {
		for _, c := range strings.Split(g, "\n") {
			b.WriteString(wrap(groups[g]) + " | " + c + "\n")
		}
	}
	if err := os.MkdirAll(outDir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(outDir, k.file+".model"), b.Bytes(), 0o644)
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
