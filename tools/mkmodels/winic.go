package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"incore/internal/foreign/winic"
)

const winicDir = "internal/machine/models/winic"

// winicForm holds WINIC's measurements of one instruction form.
type winicForm struct {
	name  string
	pairs []winicPair
	thru  float64 // reciprocal throughput, 0 = not measured or a range
}

// winicPair is the latency from a source to a target operand.
type winicPair struct {
	from, to string
	cycles   float64 // -1 = not measured or a range
}

// dataDependent lists forms whose latency depends on the operands' values; WINIC's operands take the fast path.
var dataDependent = regexp.MustCompile(`DIV|SQRT|REMU?W?$`)

// convertWINIC writes the latencies that WINIC measured as a model based on another: only exact ones, and only for
// forms with measurements for all register operands. Figures: T. Rühl, "Platform-independent
// Micro-Benchmarking Suite", FAU 2025 (RRZE-HPC/WINIC).
func convertWINIC(in, file, over, name string) error {
	measured, err := readWINIC(file)
	if err != nil {
		return err
	}
	target := "AArch64"
	if strings.Contains(over, "SiFive") {
		target = "RISCV"
	}
	var fs formSource
	if err := readJSON(filepath.Join(in, "forms-"+target+".json"), &fs); err != nil {
		return err
	}
	fs.index()
	rows, n := map[string][]string{}, 0
	for _, w := range measured {
		f := fs.name[w.name]
		if f == nil || fs.is(f, "Pseudo") || dataDependent.MatchString(w.name) {
			continue
		}
		if body := w.row(f, target); body != "" {
			sel := w.name
			if target == "RISCV" && len(fs.RVV[w.name]) > 0 {
				sel += "/m1"
			}
			rows[body] = append(rows[body], sel)
			n++
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# Made by tools/mkmodels from WINIC's measurements (%s); do not edit, correct it in a model over it.\n", filepath.Base(file))
	b.WriteString("# Figures: T. Rühl, \"Platform-independent Micro-Benchmarking Suite\", FAU 2025.\n")
	fmt.Fprintf(&b, "name: winic/%s\ntitle: WINIC's measurements of %s\nisa: %s\nbase: %s\n", name, name, isaNames[target], over)
	if target == "RISCV" {
		b.WriteString("note: Vector figures hold for one register per operand (LMUL 1), as measured; other LMULs are the base model's.\n")
	}
	b.WriteString("\nsource: measured by WINIC (Rühl 2025)\n")
	for _, body := range sortedKeys(rows) {
		slices.Sort(rows[body])
		wrapped(&b, "", strings.Join(rows[body], " ")+" | "+body)
	}
	if err := os.MkdirAll(winicDir, 0o755); err != nil {
		return err
	}
	out := filepath.Join(winicDir, name+".model")
	fmt.Printf("%s: %d bytes, %d forms, %d rows\n", out, b.Len(), n, len(rows))
	return os.WriteFile(out, []byte(b.String()), 0o644)
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// readWINIC reads the exact figures of a list of measurements.
func readWINIC(file string) (out []winicForm, err error) {
	r, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	forms, err := winic.Read(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	exact := func(r winic.Range, otherwise float64) float64 {
		if v := r.Exact(); !math.IsNaN(v) {
			return v
		}
		return otherwise
	}
	for _, f := range forms {
		w := winicForm{name: f.Name, thru: exact(f.RThru, 0)}
		for _, p := range f.Pairs {
			w.pairs = append(w.pairs, winicPair{p.From, p.To, exact(p.Cycles, -1)})
		}
		out = append(out, w)
	}
	return out, nil
}

// row writes the measurements of a form, "" if they are incomplete.
func (w *winicForm) row(f *form, target string) string {
	slow := map[int]float64{}
	results := f.MC[1]
	for _, p := range w.pairs {
		_, isNum := strconv.Atoi(p.from)
		to, ok := resultOf(p.to, f)
		switch {
		case !ok:
			return ""
		case p.cycles < 1 && isNum == nil && !strings.HasPrefix(w.name, "V"): // (WINIC never measures RISC-V's mask operand)
			return "" // some register operand is not known: leave the form to the base model
		case p.cycles >= 1:
			slow[to] = max(slow[to], p.cycles)
			results = max(results, to+1)
		}
	}
	if len(slow) == 0 || !w.accumulates(f) {
		return ""
	}
	all := 0.0
	for _, c := range slow {
		all = max(all, c)
	}
	lat := make([]string, results)
	for i := range lat {
		if slow[i] == 0 {
			slow[i] = all
		}
		lat[i] = strconv.FormatFloat(slow[i], 'g', -1, 64)
	}
	text := strings.Join(lat, ",")
	if !slices.ContainsFunc(lat, func(s string) bool { return s != lat[0] }) {
		text = lat[0]
	}
	for _, p := range w.pairs {
		to, _ := resultOf(p.to, f)
		if from, ok := sourceOf(p.from, f); ok && p.cycles >= 1 && p.cycles != slow[to] {
			text += fmt.Sprintf(" %s>%s:%g", from, resultName(to, f), p.cycles)
		}
	}
	return w.ports(target) + " | " + text
}

// accumulates reports whether the overwritten register operands were measured, too. WINIC leaves
// them out for predicated forms, which need their accumulators later than the other operands:
// these forms keep the costs of the base model.
func (w *winicForm) accumulates(f *form) bool {
	for _, t := range f.Tie {
		n := strconv.Itoa(t[1])
		if !slices.ContainsFunc(w.pairs, func(p winicPair) bool { return p.from == n }) {
			return false
		}
	}
	return true
}

// ports converts an exact throughput to µops if the base's pipes allow it: on a dual-issue in-order
// core a µop of an instruction with two per cycle can use either pipe; slower instructions occupy one pipe.
func (w *winicForm) ports(target string) string {
	switch {
	case target != "RISCV" || w.thru <= 0:
		return "="
	case strings.HasPrefix(w.name, "V") && !strings.HasPrefix(w.name, "VSET"):
		return cyclesOn("VA", w.thru)
	case w.thru == 0.5:
		return "AB"
	case w.thru >= 1:
		return cyclesOn("B", w.thru)
	}
	return "="
}

func cyclesOn(port string, cycles float64) string {
	if r := math.Round(cycles); math.Abs(cycles-r) < 0.02*r { // a measured 15.02 means 15
		cycles = r
	}
	if cycles == 1 {
		return port
	}
	return fmt.Sprintf("%s:%g", port, cycles)
}

// resultOf returns the number of a result: explicit definitions are first, implicit ones follow.
func resultOf(s string, f *form) (int, bool) {
	if n, err := strconv.Atoi(s); err == nil {
		return n, n < f.MC[1]
	}
	i := slices.Index(f.D, s)
	return f.MC[1] + i, i >= 0
}

func resultName(n int, f *form) string {
	if n < f.MC[1] {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("i%d", n-f.MC[1])
}

// sourceOf converts WINIC's operand number, which does not count tied operands, to LLVM's.
func sourceOf(s string, f *form) (string, bool) {
	n, err := strconv.Atoi(s)
	if err != nil {
		i := slices.Index(f.U, s)
		return fmt.Sprintf("i%d", i), i >= 0
	}
	tied := map[int]int{}
	for _, t := range f.Tie {
		tied[t[0]] = t[1]
	}
	if n < f.MC[1] {
		for use, def := range tied {
			if def == n {
				return strconv.Itoa(use), true
			}
		}
		return "", false
	}
	k := 0
	for op := 0; op < f.MC[0]; op++ {
		if _, isTied := tied[op]; isTied {
			continue
		}
		if k == n {
			return strconv.Itoa(op), true
		}
		k++
	}
	return "", false
}
