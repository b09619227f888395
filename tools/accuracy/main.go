// Command accuracy holds incore's predictions against a corpus of measured blocks.
//
// Usage:
//
//	go run ./tools/accuracy -corpus FILE.tsv.gz -arch zen5 [-notion loop|unrolled] [-regs distinct|same] [-no-memdep] [-worst N]
//
// The corpus is tab-separated with a header: cycles, and hex, att or asm (see eval.Load). It
// prints one line an engine: mean, median and quartiles of the relative error, the share of blocks within 10 and 20 %,
// and Kendall's tau; then the worst blocks. -tsv prints the figures as lines of docs/accuracy.tsv instead,
// -out writes every block's predictions.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"incore/internal/catalog"
	"incore/internal/eval"
	"incore/internal/machine"
)

func main() {
	corpus := flag.String("corpus", "", "corpus file")
	arch := flag.String("arch", "", "machine model: a name, or a file ending in .model")
	notion := flag.String("notion", "loop", "how the blocks were laid out: loop or unrolled")
	regs := flag.String("regs", "distinct", "initial registers: distinct or same")
	noMemdep := flag.Bool("no-memdep", false, "leave out dependences through memory")
	worst := flag.Int("worst", 20, "how many of the worst blocks to print")
	tsv := flag.Bool("tsv", false, "print the figures for docs/accuracy.tsv")
	out := flag.String("out", "", "file for every block's predictions")
	flag.Parse()
	if *corpus == "" || *arch == "" || *notion != "loop" && *notion != "unrolled" || *regs != "distinct" && *regs != "same" {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(*corpus, *arch, eval.Conditions{Unrolled: *notion == "unrolled", EqualRegs: *regs == "same", NoMemdep: *noMemdep}, *worst, *tsv, *out); err != nil {
		fmt.Fprintln(os.Stderr, "accuracy:", err)
		os.Exit(1)
	}
}

func model(arch string) (*machine.Model, error) {
	if !strings.HasSuffix(arch, ".model") {
		return machine.Get(arch)
	}
	f, err := os.Open(arch)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return machine.Load(f, arch)
}

func run(corpus, arch string, c eval.Conditions, worst int, tsv bool, out string) error {
	m, err := model(arch)
	if err != nil {
		return err
	}
	a := catalog.ISA(m.ISA)
	if a == nil {
		return fmt.Errorf("no instruction set '%s'", m.ISA)
	}
	blocks, bad, err := eval.Load(corpus, a)
	if err != nil {
		return err
	}
	for _, e := range bad {
		fmt.Fprintln(os.Stderr, "accuracy: left out:", e)
	}
	measured := make([]float64, len(blocks))
	preds := make([]eval.Prediction, len(blocks))
	start := time.Now()
	for i := range blocks {
		measured[i], preds[i] = blocks[i].Cycles, eval.Predict(m, &blocks[i], c)
	}
	took := time.Since(start)
	table(corpus, m.Name, blocks, preds, measured, len(bad), tsv)
	if !tsv {
		fmt.Printf("%.0f blocks/s, all engines\n", float64(len(blocks))/took.Seconds())
	}
	order := byError(blocks, preds)
	if out != "" {
		if err := write(out, blocks, preds, order); err != nil {
			return err
		}
	}
	if !tsv {
		for _, i := range order[:min(worst, len(order))] {
			fmt.Println(line(&blocks[i], &preds[i]))
		}
	}
	return nil
}

// table prints a line an engine.
func table(corpus, arch string, blocks []eval.Block, preds []eval.Prediction, measured []float64, bad int, tsv bool) {
	name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(corpus), ".gz"), ".tsv")
	if !tsv {
		fmt.Printf("%s on %s: %d blocks, %d left out\n%-9s %7s %7s %7s %7s %7s %7s %6s %7s %7s\n", name, arch, len(blocks), bad,
			"engine", "mean", "median", "q1", "q3", "≤10 %", "≤20 %", "tau", "slow", "fast")
	}
	for _, e := range eval.Engines {
		p := make([]float64, len(preds))
		for i := range preds {
			p[i] = preds[i].Of(e)
		}
		s := eval.Summarise(p, measured)
		if tsv {
			fmt.Printf("%s\t%s\t%s\t%d\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\n", name, arch, e, s.N, s.Mean, s.Median, s.Lower, s.Upper, s.Within10, s.Within20, s.Tau)
			continue
		}
		fmt.Printf("%-9s %6.2f%% %6.2f%% %6.2f%% %6.2f%% %6.1f%% %6.1f%% %6.4f %6.1f%% %6.1f%%\n", e, 100*s.Mean, 100*s.Median, 100*s.Lower, 100*s.Upper,
			100*s.Within10, 100*s.Within20, s.Tau, 100*s.Over, 100*s.Under)
	}
}

// byError orders blocks by the simulator's error, the worst first.
func byError(blocks []eval.Block, preds []eval.Prediction) []int {
	order := make([]int, len(blocks))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool {
		i, k := order[a], order[b]
		return eval.RelError(preds[i].Sim, blocks[i].Cycles) > eval.RelError(preds[k].Sim, blocks[k].Cycles)
	})
	return order
}

func line(b *eval.Block, p *eval.Prediction) string {
	return fmt.Sprintf("%.3f\t%.3f\t%.3f\tports %.2f\tdispatch %.2f\tchain %.2f\tfront %.2f\t%s", eval.RelError(p.Sim, b.Cycles), b.Cycles, p.Sim,
		p.Ports, p.Dispatch, p.Chain, p.FrontEnd, b.Text)
}

func write(path string, blocks []eval.Block, preds []eval.Prediction, order []int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	for _, i := range order {
		fmt.Fprintln(w, line(&blocks[i], &preds[i]))
	}
	return w.Flush()
}
