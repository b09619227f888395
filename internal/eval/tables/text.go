package tables

import (
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"incore/internal/eval"
	"incore/internal/eval/suite"
	"incore/internal/machine/accuracy"
	"incore/internal/report"
)

// Layout implements report.Result.
func (*Report) Layout() string { return "incore.eval/1" }

// CSV writes a line for each benchmark: its properties, its measurement, and the predictions.
func (r *Report) CSV(w io.Writer) error {
	c := csv.NewWriter(w)
	head := []string{"id", "kernel", "half", "language", "compiler", "version", "level", "vectors", "transformation", "type", "arrays", "cycles", "uncertainty", "instructions", "l1_misses", "bound"}
	var names []string
	for _, p := range r.Predictors {
		names = append(names, p.Name)
	}
	if err := c.Write(append(head, names...)); err != nil {
		return err
	}
	for _, y := range slices.Concat(r.rows, r.counted) {
		x := &y
		line := []string{x.ID, x.Kernel, half(x.HeldOut), x.Language, x.Compiler, strconv.Itoa(x.Version), x.Level, x.Vectors, x.Transformation, x.Type, x.Arrays,
			number(x.measured.Cycles), fmt.Sprintf("%.4f", x.measured.Uncertainty), strconv.FormatUint(x.measured.Instructions, 10), fmt.Sprintf("%.4f", x.measured.Misses), bound(x)}
		for _, n := range names {
			text := ""
			if p := x.predictions[n]; p != nil && p.Failure == "" {
				text = number(p.Cycles)
			}
			line = append(line, text)
		}
		if err := c.Write(line); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// TSV writes a line for each predictor in the format of internal/machine/accuracy/accuracy.tsv.
func (r *Report) TSV(w io.Writer) error {
	name := r.Model + accuracy.Suite + accuracy.Run
	if r.Part == HeldOut {
		name = eval.HeldOut + name
	}
	for _, p := range r.Predictors {
		var predicted, measured []float64
		for i := range r.rows {
			if q := r.rows[i].predictions[p.Name]; q != nil && q.Failure == "" {
				predicted, measured = append(predicted, q.Cycles), append(measured, r.rows[i].measured.Cycles)
			}
		}
		if len(predicted) == 0 {
			continue
		}
		s := eval.Summarise(predicted, measured)
		row := accuracy.Row{Corpus: name, Model: r.Model, Notion: accuracy.Whole, Registers: "measured", Engine: p.Name, Blocks: s.N, Mean: s.Mean, Median: s.Median,
			Lower: s.Lower, Upper: s.Upper, Within10: s.Within10, Within20: s.Within20, Tau: s.Tau}
		if _, err := fmt.Fprintln(w, row); err != nil {
			return err
		}
	}
	return nil
}

func half(held bool) string {
	if held {
		return "held out"
	}
	return "open"
}

func several(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

func percent(v float64) string { return fmt.Sprintf("%.2f %%", 100*v) }

// Text writes the tables.
func (r *Report) Text(w io.Writer, _ report.TextOptions) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %s measured", several(r.Benchmarks, "benchmark"), several(r.Kernels, "kernel"))
	if r.Machine != "" {
		fmt.Fprintf(&b, " on %s", r.Machine)
	}
	fmt.Fprintf(&b, "; %d made.\n", r.Made)
	if n := r.Repeated.Benchmarks; n > 0 {
		fmt.Fprintf(&b, "Repeated measurements of %s: %s agree within %.0f %% (the first two of all passes: %s); they are %s apart in the median, %s at the 95th percentile.\n",
			several(n, "benchmark"), percent(r.Repeated.Within), 100*suite.Agree, percent(r.Repeated.FirstWithin), percent(r.Repeated.Median), percent(r.Repeated.Q95))
	}
	r.dropped(&b)
	if r.Benchmarks == 0 && r.Counted > 0 {
		fmt.Fprintf(&b, "\n%d benchmarks for %s were counted under QEMU and predicted; their cycles are not known here.\n", r.Counted, r.Target)
		for _, p := range r.Predictors {
			fmt.Fprintf(&b, "%20s: %d predicted, %d failures, %.1f CPU s\n", p.Name, p.Predicted, p.Failures, p.CPUSeconds)
		}
	} else if len(r.Predictors) == 0 {
		b.WriteString("\nNo predictor was asked yet: 'incore eval run' does.\n")
	} else {
		table(&b, "Errors relative to the measured cycles, all benchmarks", r.Predictors)
		paperTable(&b)
		for _, h := range r.Halves {
			if h.Benchmarks > 0 && h.Benchmarks < r.Benchmarks {
				table(&b, fmt.Sprintf("The %s half of the kernels, %s", h.Name, several(h.Benchmarks, "benchmark")), h.Predictors)
			}
		}
	}
	if r.Benchmarks > 0 {
		r.table1(&b)
		r.jointly(&b)
		r.table3(&b)
		r.table4(&b)
		r.groups(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *Report) dropped(b *strings.Builder) {
	if len(r.Dropped) == 0 {
		return
	}
	names := slices.SortedFunc(maps.Keys(r.Dropped), func(x, y string) int {
		if d := r.Dropped[y] - r.Dropped[x]; d != 0 {
			return d
		}
		return strings.Compare(x, y)
	})
	b.WriteString("\nDropped\n")
	for _, n := range names {
		fmt.Fprintf(b, "%8d  %s\n", r.Dropped[n], n)
	}
}

func table(b *strings.Builder, title string, list []Predictor) {
	fmt.Fprintf(b, "\n%s\n", title)
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "predictor\tlifted by\tdatapoints\tfailures\tMAPE\tmedian\tQ1\tQ3\ttau\tbias\tCPU s\t")
	for _, p := range list {
		note := ""
		if p.Core != "" {
			note = " " + p.Core
		}
		if p.Sampled {
			note += " (sample)"
		}
		errs := "-\t-\t-\t-\t-\t-" // nothing was predicted
		if p.Datapoints > 0 {
			errs = fmt.Sprintf("%s\t%s\t%s\t%s\t%.3f\t%+.1f %%", percent(p.MAPE), percent(p.Median), percent(p.Q1), percent(p.Q3), p.Tau, 100*p.Bias)
		}
		fmt.Fprintf(t, "%s%s\t%s\t%d\t%d\t%s\t%.1f\t\n", p.Name, note, p.Lifting, p.Datapoints, p.Failures, errs, p.CPUSeconds)
	}
	t.Flush()
	for _, p := range list {
		if p.Failure != "" {
			fmt.Fprintf(b, "%s fails most often as: %s\n", p.Name, p.Failure)
		}
	}
}

// The paper's figures (Bastian et al., 2024, tables 1, 2 and 4), for Intel's Skylake-SP (Xeon Gold 6130) and 3,500 benchmarks of
// PolyBench.
var (
	paperPredictors = []Predictor{
		{Name: "BHive", Datapoints: 2198, Failures: 1302, MAPE: 0.2795, Median: 0.0778, Q1: 0.0301, Q3: 0.2301, Tau: 0.81, CPUSeconds: 1.37 * 3600},
		{Name: "llvm-mca", Datapoints: 3500, MAPE: 0.3671, Median: 0.2780, Q1: 0.1292, Q3: 0.5980, Tau: 0.57, CPUSeconds: 0.96 * 3600},
		{Name: "uiCA", Datapoints: 3500, MAPE: 0.2959, Median: 0.1826, Q1: 0.0711, Q3: 0.5299, Tau: 0.58, CPUSeconds: 2.12 * 3600},
		{Name: "Ithemal", Datapoints: 3500, MAPE: 0.5704, Median: 0.4870, Q1: 0.2292, Q3: 0.7569, Tau: 0.39, CPUSeconds: 0.38 * 3600},
		{Name: "IACA", Datapoints: 3500, MAPE: 0.3023, Median: 0.1851, Q1: 0.0713, Q3: 0.5718, Tau: 0.59, CPUSeconds: 1.31 * 3600},
		{Name: "Gus", Datapoints: 3500, MAPE: 0.2037, Median: 0.1501, Q1: 0.0782, Q3: 0.3059, Tau: 0.82, CPUSeconds: 188.04 * 3600},
	}
	paperBest  = Predictor{Name: "best block-based", Datapoints: 3500, MAPE: 0.1160, Median: 0.0581, Q1: 0.0199, Q3: 0.1541}
	paperBHive = Predictor{Name: "BHive", Datapoints: 2198, Failures: 1302, MAPE: 0.2795, Median: 0.0778, Q1: 0.0301, Q3: 0.2301}
	paperUICA  = []Memory{
		{Dataset: "full", Without: Predictor{Datapoints: 3500, MAPE: 0.2959, Median: 0.1826, Q1: 0.0711, Q3: 0.5299, Tau: 0.58}, With: Predictor{Datapoints: 3500, MAPE: 0.1915, Median: 0.1444, Q1: 0.0586, Q3: 0.2396, Tau: 0.81}},
		{Dataset: "pruned", Without: Predictor{Datapoints: 2388, MAPE: 0.1842, Median: 0.1196, Q1: 0.0542, Q3: 0.2332, Tau: 0.80}, With: Predictor{Datapoints: 2388, MAPE: 0.1877, Median: 0.1218, Q1: 0.0531, Q3: 0.2355, Tau: 0.80}},
	}
)

// paperTable writes the paper's table 2.
func paperTable(b *strings.Builder) {
	fmt.Fprintf(b, "\nThe paper's, on a Skylake-SP (CesASMe, table 2)\n")
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "predictor\tdatapoints\tfailures\tMAPE\tmedian\tQ1\tQ3\ttau\tCPU s\t")
	for _, p := range paperPredictors {
		fmt.Fprintf(t, "%s\t%d\t%d\t%s\t%s\t%s\t%s\t%.2f\t%.0f\t\n", p.Name, p.Datapoints, p.Failures, percent(p.MAPE), percent(p.Median), percent(p.Q1), percent(p.Q3), p.Tau, p.CPUSeconds)
	}
	t.Flush()
}

// table1 writes the paper's table 1 and our figures.
func (r *Report) table1(b *strings.Builder) {
	if r.Best == nil {
		return
	}
	fmt.Fprintf(b, "\nWhether lifted predictions are commensurable (CesASMe, table 1)\n")
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\tdatapoints\terrors\taverage\tmedian\tQ1\tQ3\t")
	line := func(who string, p *Predictor) {
		fmt.Fprintf(t, "%s\t%d\t%d\t%s\t%s\t%s\t%s\t\n", who, p.Datapoints, p.Failures, percent(p.MAPE), percent(p.Median), percent(p.Q1), percent(p.Q3))
	}
	line("best block-based", r.Best)
	line("the paper's", &paperBest)
	for i := range r.Predictors {
		if r.Predictors[i].Name == "measured-blocks" {
			line("measured-blocks", &r.Predictors[i])
		}
	}
	line("the paper's BHive", &paperBHive)
	t.Flush()
}

// jointly writes the number of benchmarks for which several predictors are wrong, and how many of these memory dependences bound (section
// 4.3).
func (r *Report) jointly(b *strings.Builder) {
	if len(r.Memory) > 0 {
		fmt.Fprintf(b, "\n%d benchmarks (%s; the paper's: 31.8 %%) are bound by dependences through memory.\n", r.Latency, share(r.Latency, r.Memory[0].With.Datapoints))
	}
	j := &r.Joint
	if len(j.Predictors) < 2 {
		return
	}
	fmt.Fprintf(b, "%d benchmarks (%s of a predictor's worst %.0f %%; the paper's: 82.8 %%) are jointly bad for %s.\n", j.Benchmarks, share(j.Benchmarks, int(worst*float64(r.Benchmarks))), 100*worst, strings.Join(j.Predictors, ", "))
	if j.Benchmarks > 0 {
		fmt.Fprintf(b, "Of these, all of them predict too few cycles for %s (97.5 %%), and %s (85.7 %%) are bound by dependences through memory.\n", share(j.Low, j.Benchmarks), share(j.Latency, j.Benchmarks))
	}
}

func share(part, of int) string { return percent(float64(part) / float64(max(1, of))) }

// paperCoverage is the paper's table 3, by lifetime.
var paperCoverage = map[uint64]Coverage{0: {Unweighted: 0.381, Weighted: 0.440}, 1024: {Unweighted: 0.576, Weighted: 0.582}, 512: {Unweighted: 0.564, Weighted: 0.635}}

// table3 writes the paper's table 3 and our figures.
func (r *Report) table3(b *strings.Builder) {
	if len(r.Coverage) == 0 {
		return
	}
	fmt.Fprintf(b, "\nStatic against dynamic dependences through memory within blocks, %s (CesASMe, table 3)\n", several(r.Coverage[0].Benchmarks, "benchmark"))
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "lifetime\tpairs\tunweighted\tweighted\tthe paper's\t\tof the block's own loop: pairs\tunweighted\tweighted\t")
	for _, c := range r.Coverage {
		life := "any"
		if c.Lifetime > 0 {
			life = strconv.FormatUint(c.Lifetime, 10)
		}
		p := paperCoverage[c.Lifetime]
		fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%s\t%s\t%d\t%s\t%s\t\n", life, c.Pairs, percent(c.Unweighted), percent(c.Weighted), percent(p.Unweighted), percent(p.Weighted), c.Own.Pairs, percent(c.Own.Unweighted), percent(c.Own.Weighted))
	}
	t.Flush()
}

// table4 writes the paper's table 4 and our figures.
func (r *Report) table4(b *strings.Builder) {
	if len(r.Memory) == 0 {
		return
	}
	b.WriteString("\nWhat dependences through memory bring (CesASMe, table 4)\n")
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "dataset\tpredictor\tdatapoints\tMAPE\tmedian\tQ1\tQ3\ttau\t")
	line := func(set, who string, p *Predictor) {
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\t%s\t%s\t%s\t%.3f\t\n", set, who, p.Datapoints, percent(p.MAPE), percent(p.Median), percent(p.Q1), percent(p.Q3), p.Tau)
	}
	for i := range r.Memory {
		line(r.Memory[i].Dataset, "without", &r.Memory[i].Without)
		line("", "with", &r.Memory[i].With)
		line("", "uiCA (paper)", &paperUICA[i].Without)
		line("", "+ staticdeps (paper)", &paperUICA[i].With)
	}
	t.Flush()
	fmt.Fprintf(b, "with: %s; without: %s. Pruned of the benchmarks for which %s is more than %.1f times the latter.\n", withPaths, withoutPaths, recordedPaths, memoryBound)
}

// groups writes the errors by property.
func (r *Report) groups(b *strings.Builder) {
	if len(r.Predictors) == 0 {
		return
	}
	by := ""
	var t *tabwriter.Writer
	for _, g := range r.Groups {
		if g.By != by {
			if t != nil {
				t.Flush()
			}
			by = g.By
			fmt.Fprintf(b, "\nMAPE by %s\n", by)
			t = tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
			fmt.Fprint(t, "\tbenchmarks\tbound by memory\t")
			for _, p := range r.Predictors {
				fmt.Fprintf(t, "%s\t", p.Name)
			}
			fmt.Fprintln(t)
		}
		fmt.Fprintf(t, "%s\t%d\t%d\t", g.Value, g.Number, g.Bound)
		for _, p := range r.Predictors {
			if v, ok := g.MAPE[p.Name]; ok {
				fmt.Fprintf(t, "%.1f %%\t", 100*v)
			} else {
				fmt.Fprint(t, "\t")
			}
		}
		fmt.Fprintln(t)
	}
	if t != nil {
		t.Flush()
	}
}

// Read makes the report of a directory, or of one half of its kernels.
func Read(dir, machine, part string) (*Report, error) {
	d, err := suite.Read(dir, machine)
	if err != nil {
		return nil, err
	}
	r := Make(d, part)
	r.dir = dir
	return r, nil
}
