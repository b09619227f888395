// Command accuracy compares incore's predictions with a corpus of measured blocks.
//
// Usage:
//
//	go run ./tools/accuracy -corpus FILE.tsv.gz [-places FILE.tsv] -arch zen5 [-notion loop|net|unrolled|bhive] [-regs distinct|same] [-pages N] [-worst N]
//	    [-half a|b] [-artefacts] [-peers llvm-mca-19=znver4,osaca=ZEN4 [-sample N] [-known FILE]] [-answered FILE] [-tsv] [-out FILE]
//
//	go run ./tools/accuracy -ablate zen4
//
//	go run ./tools/accuracy -suite FILE.jsonl.gz -arch zen3
//
// The corpus is tab-separated with a header: cycles, and hex, att or asm (see eval.Load). The first form
// prints one line per engine: mean, median and quartiles of the relative error, the share of blocks within 10 and 20 %,
// Kendall's tau-b (a pair with a tie on only one side counts against it), and the number of predicted blocks. It prints the same without the artefacts of the
// measurement (eval.Artefact), which -artefacts lists with the reasons, and then the worst blocks. -half selects one half of the corpus, drawn by a hash of the text.
// -peers runs other tools on the same blocks, each given as COMMAND=CORE. If a tool does not know every instruction, its first line is for the blocks that it
// knows in full and the line "NAME*" for all blocks; a table of all engines on the former blocks follows. -known writes the list of these blocks, and -answered
// restricts the corpus to such a list. -sample N selects N blocks, drawn by a hash. -tsv prints the
// figures as lines of internal/machine/accuracy/accuracy.tsv instead, -out writes every block's predictions. For held-out corpora (heldout-*) the command shows only the summary.
//
// The second form prints the benefit of each option of a core's model: the increase of the simulator's mean error without the option, on every corpus of the core in
// internal/machine/accuracy, with a 95 % bootstrap interval and the number of blocks whose prediction changes.
//
// The third form predicts whole benchmarks that "incore eval export" wrote, and prints their lines of internal/machine/accuracy/accuracy.tsv.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"incore/internal/analyze/predict"
	"incore/internal/bench/block"
	"incore/internal/eval"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
	"incore/internal/machine/accuracy"
)

// options are the options of the command line.
type options struct {
	corpus, places, arch, half, peers, out string
	known, answered, again, ablate, suite  string
	notion, registers                      string
	pages                                  int
	conditions                             predict.Conditions
	worst, sample                          int
	tsv, artefacts                         bool
}

func main() {
	var o options
	flag.StringVar(&o.corpus, "corpus", "", "corpus file")
	flag.StringVar(&o.places, "places", "", "file that says where the corpus' loops lay (eval.Load)")
	flag.StringVar(&o.arch, "arch", "", "machine model: a name, or a file ending in .model")
	flag.StringVar(&o.notion, "notion", "loop", "how the blocks were measured: loop; net: in a loop, whose own cost was taken off; unrolled; bhive: unrolled, by BHive's profiler")
	flag.StringVar(&o.registers, "regs", "distinct", "initial registers: distinct, same, measured or suited: the values of incore measure --regs distinct or suited, and of memory")
	flag.IntVar(&o.pages, "pages", 1, "physical pages behind all addresses (incore measure --pages)")
	flag.IntVar(&o.worst, "worst", 20, "how many of the worst blocks to print")
	flag.StringVar(&o.half, "half", "", "take half of the blocks: a or b")
	flag.BoolVar(&o.artefacts, "artefacts", false, "list the blocks whose measurement cannot be the core's, and why")
	flag.StringVar(&o.peers, "peers", "", "other tools to compare with: COMMAND=CORE,…")
	flag.IntVar(&o.sample, "sample", 0, "take about so many blocks (0: all)")
	flag.StringVar(&o.known, "known", "", "with -peers: file to which to append which blocks the last of them answered in full")
	flag.StringVar(&o.again, "again", "", "file of keys and cycles of the corpus' blocks, measured again (tools/blocks -agree -keys)")
	flag.StringVar(&o.answered, "answered", "", "take the blocks that such a file has of the corpus")
	flag.BoolVar(&o.tsv, "tsv", false, "print the figures for internal/machine/accuracy/accuracy.tsv")
	flag.StringVar(&o.out, "out", "", "file for every block's predictions")
	flag.StringVar(&o.ablate, "ablate", "", "print what each option of this core's model is worth")
	flag.StringVar(&o.suite, "suite", "", "file of whole benchmarks")
	flag.Parse()
	if o.suite != "" {
		if err := suites(o.suite, o.arch); err != nil {
			fmt.Fprintln(os.Stderr, "accuracy:", err)
			os.Exit(1)
		}
		return
	}
	if o.ablate != "" {
		if err := ablate(o.ablate); err != nil {
			fmt.Fprintln(os.Stderr, "accuracy:", err)
			os.Exit(1)
		}
		return
	}
	err := o.conditions.Measure(o.notion, o.registers, o.pages)
	o.conditions.Start = block.Starts[o.registers]
	if err != nil {
		fmt.Fprintf(os.Stderr, "accuracy: -%v\n", err)
	}
	if err != nil || o.corpus == "" || o.arch == "" || o.half != "" && o.half != "a" && o.half != "b" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if eval.IsHeldOut(o.corpus) {
		if o.artefacts || o.out != "" {
			fmt.Fprintf(os.Stderr, "accuracy: %s is held out: nobody looks into it block by block (-artefacts, -out)\n", o.corpus)
			os.Exit(2)
		}
		o.worst = 0
	}
	if err := o.run(ctx); err != nil {
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

// series holds the predictions of one engine or tool for each block; NaN: no prediction.
type series struct {
	name   string
	cycles []float64
}

// load reads the selected blocks of the corpus; bad is the number of unreadable blocks.
func (o *options) load(m *machine.Model) (blocks []eval.Block, bad int, err error) {
	a := catalog.ISA(m.ISA)
	if a == nil {
		return nil, 0, fmt.Errorf("no instruction set '%s'", m.ISA)
	}
	blocks, errs, err := eval.Load(o.corpus, o.places, a)
	if err != nil {
		return nil, 0, err
	}
	for _, e := range errs {
		fmt.Fprintln(os.Stderr, "accuracy: left out:", e)
	}
	if o.again != "" {
		if blocks, err = eval.Again(blocks, o.again); err != nil {
			return nil, 0, err
		}
	}
	if o.answered != "" {
		keys, err := eval.Answered(o.answered, o.name())
		if err != nil {
			return nil, 0, err
		}
		blocks = eval.Only(blocks, keys)
	}
	if blocks = o.choose(blocks); len(blocks) == 0 {
		return nil, 0, fmt.Errorf("no block of %s is left", o.corpus)
	}
	return blocks, len(errs), nil
}

func (o *options) run(ctx context.Context) error {
	m, err := model(o.arch)
	if err != nil {
		return err
	}
	blocks, bad, err := o.load(m)
	if err != nil {
		return err
	}
	why := make([]string, len(blocks))
	preds := make([]eval.Prediction, len(blocks))
	start := time.Now()
	for i := range blocks {
		preds[i] = eval.Predict(m, &blocks[i], o.conditions)
	}
	took := time.Since(start)
	for i := range blocks {
		why[i] = eval.Artefact(m, &blocks[i])
	}
	all := make([]series, len(eval.Engines))
	for k, e := range eval.Engines {
		all[k] = series{e, make([]float64, len(preds))}
		for i := range preds {
			all[k].cycles[i] = preds[i].Of(e)
		}
	}
	others, err := o.others(ctx, blocks)
	if err != nil {
		return err
	}
	o.report(m, blocks, append(all, others...), why, bad)
	if o.known != "" && len(others) > 0 {
		if err := o.note(blocks, others); err != nil {
			return err
		}
	}
	order := byError(blocks, preds)
	if o.out != "" {
		if err := write(o.out, blocks, preds, order); err != nil {
			return err
		}
	}
	if o.tsv {
		return nil
	}
	fmt.Printf("%.0f blocks/s, all engines\n", float64(len(blocks))/took.Seconds())
	if o.artefacts {
		for i := range blocks {
			if why[i] != "" {
				fmt.Printf("%.3f\t%s\t%s\n", blocks[i].Cycles, why[i], blocks[i].Text)
			}
		}
	}
	for _, i := range order[:min(o.worst, len(order))] {
		fmt.Println(line(&blocks[i], &preds[i]))
	}
	return nil
}

// choose selects the half or the sample of the options.
func (o *options) choose(blocks []eval.Block) []eval.Block {
	out := blocks[:0:0]
	for _, b := range blocks {
		if o.half == "" || eval.InHalf(b.Text, o.half[0]) {
			out = append(out, b)
		}
	}
	return eval.Sample(out, o.sample)
}

// others runs the peers.
func (o *options) others(ctx context.Context, blocks []eval.Block) ([]series, error) {
	var out []series
	for _, spec := range strings.FieldsFunc(o.peers, func(r rune) bool { return r == ',' }) {
		command, core, ok := strings.Cut(spec, "=")
		var peer *eval.Peer
		for i := range eval.Peers {
			if strings.HasPrefix(filepath.Base(command), eval.Peers[i].Name) {
				peer = &eval.Peers[i]
			}
		}
		if !ok || peer == nil {
			return nil, fmt.Errorf("-peers %s: COMMAND=CORE is needed, of llvm-mca, osaca, uiCA.py and uica-cli", spec)
		}
		answers, err := peer.Predict(ctx, command, core, blocks, func(done int) {
			if info, err := os.Stderr.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
				fmt.Fprintf(os.Stderr, "\r%s: %d of %d blocks", peer.Name, done, len(blocks))
			}
		})
		if err != nil {
			return nil, err
		}
		out = append(out, answered(peer.Name, answers)...)
	}
	return out, nil
}

// answered returns a tool's series: one for the blocks whose instructions it knows in full and, if these are not all blocks, another one, "NAME*", for all
// blocks that it predicts.
func answered(name string, answers []eval.Answer) []series {
	known, all := series{name, make([]float64, len(answers))}, series{name + "*", make([]float64, len(answers))}
	partial := false
	for i, a := range answers {
		if known.cycles[i], all.cycles[i] = a.Cycles, a.Cycles; a.Partial {
			known.cycles[i], partial = math.NaN(), true
		}
	}
	if !partial {
		return []series{known}
	}
	return []series{known, all}
}

// name returns the name of the corpus in tables: its file and folder.
func (o *options) name() string {
	name := strings.TrimSuffix(strings.TrimSuffix(o.corpus, ".gz"), ".tsv")
	if filepath.Base(filepath.Dir(name)) == "testdata" {
		return filepath.Base(name)
	}
	return path.Join(filepath.Base(filepath.Dir(name)), filepath.Base(name))
}

// note appends the list of blocks that the last tool answered in full.
func (o *options) note(blocks []eval.Block, others []series) error {
	last := others[len(others)-1]
	for _, s := range others {
		if s.name+"*" == last.name {
			last = s
		}
	}
	var keys []string
	for i := range blocks {
		if !math.IsNaN(last.cycles[i]) {
			keys = append(keys, eval.Key(blocks[i].Text))
		}
	}
	f, err := os.OpenFile(o.known, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	if _, err = fmt.Fprintf(f, "%s\t%s\n", o.name(), strings.Join(keys, " ")); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// report prints the tables: for all blocks, and for the blocks whose measurement is not an artefact.
func (o *options) report(m *machine.Model, blocks []eval.Block, all []series, why []string, bad int) {
	name := o.name()
	if o.places != "" {
		name += accuracy.Places
	}
	if o.again != "" {
		name += accuracy.Suited
	}
	if o.conditions.Profiler {
		name += accuracy.Profiler
	}
	if o.answered != "" {
		name += "+" + strings.TrimSuffix(filepath.Base(o.answered), ".tsv")
	}
	artefacts := 0
	for _, w := range why {
		if w != "" {
			artefacts++
		}
	}
	if !o.tsv {
		fmt.Printf("%s on %s: %d blocks, %d artefacts among them, %d lines left out\n%-9s %7s %7s %7s %7s %7s %7s %6s %7s %7s %7s\n", name, m.Name, len(blocks), artefacts, bad,
			"engine", "mean", "median", "q1", "q3", "≤10 %", "≤20 %", "tau-b", "slow", "fast", "blocks")
	}
	for _, s := range all {
		o.row(name, m.Name, s, blocks, func(int) bool { return true })
	}
	if o.tsv {
		return
	}
	for _, s := range all {
		if n := count(s.cycles); n > 0 && n < len(blocks) && !strings.HasSuffix(s.name, "*") {
			fmt.Printf("the %d blocks that %s answers\n", n, s.name)
			for _, t := range all {
				o.row(name, m.Name, t, blocks, func(i int) bool { return !math.IsNaN(s.cycles[i]) })
			}
		}
	}
	if artefacts == 0 {
		return
	}
	fmt.Println("without artefacts")
	for _, s := range all {
		o.row(name, m.Name, s, blocks, func(i int) bool { return why[i] == "" })
	}
}

// count returns the number of values that are not NaN.
func count(values []float64) int {
	n := 0
	for _, v := range values {
		if !math.IsNaN(v) {
			n++
		}
	}
	return n
}

// row prints a line of a table.
func (o *options) row(corpus, arch string, e series, blocks []eval.Block, keep func(int) bool) {
	var p, measured []float64
	of := 0
	for i := range blocks {
		if !keep(i) {
			continue
		}
		if of++; !math.IsNaN(e.cycles[i]) {
			p, measured = append(p, e.cycles[i]), append(measured, blocks[i].Cycles)
		}
	}
	s := eval.Summarise(p, measured)
	if o.tsv {
		fmt.Println(accuracy.Row{Corpus: corpus, Model: arch, Notion: o.notion, Registers: o.registers, Engine: e.name, Blocks: s.N, Mean: s.Mean, Median: s.Median,
			Lower: s.Lower, Upper: s.Upper, Within10: s.Within10, Within20: s.Within20, Tau: s.Tau})
		return
	}
	fmt.Printf("%-9s %6.2f%% %6.2f%% %6.2f%% %6.2f%% %6.1f%% %6.1f%% %6.4f %6.1f%% %6.1f%% %6.1f%%\n", e.name, 100*s.Mean, 100*s.Median, 100*s.Lower, 100*s.Upper,
		100*s.Within10, 100*s.Within20, s.Tau, 100*s.Over, 100*s.Under, 100*float64(s.N)/float64(of))
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
	return fmt.Sprintf("%.3f\t%.3f\t%.3f\tports %.2f\tdispatch %.2f\tchain %.2f\tfront %.2f\t%s", eval.RelError(p.Sim, b.Cycles), b.Cycles, predict.Round(p.Sim),
		p.Ports, p.Dispatch, p.Chain, p.FrontEnd, b.Text)
}

func write(name string, blocks []eval.Block, preds []eval.Prediction, order []int) error {
	f, err := os.Create(name)
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
