// Command memcarried measures the value of memory dependences for predictions. It compiles loops that are carried through memory
// (c/kernels.c), times them in place on this machine, and compares the times with predictions with and without these dependences.
//
//	go run ./tools/memcarried [-cc 'gcc -O1,gcc -O2,clang -O1'] [-arch NAME]
//
// It prints a line per loop: the compiler, the kernel, measured cycles per iteration and their spread, the two predictions; then the
// mean errors |predicted − measured| / measured, separately for the loops that are carried through memory according to the analysis,
// and for the others. Functions for which the compiler made several loops are skipped.
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"incore/internal/analysis/engine"
	"incore/internal/analyze"
	"incore/internal/base/source"
)

//go:embed c/kernels.c
var kernels []byte

//go:embed c/harness.c
var harness []byte

// options keep an iteration of the assembly loop equal to one of the source loop.
var options = map[string][]string{
	"gcc":   {"-fno-tree-vectorize", "-fno-unroll-loops"},
	"clang": {"-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops"},
}

func main() {
	cc := flag.String("cc", "gcc -O1,gcc -O2,clang -O1,clang -O2", "compilers with their options, separated by commas")
	arch := flag.String("arch", "", "machine model; default: this machine's")
	choice := flag.String("engine", "auto", "auto, sim, bounds")
	flag.Parse()
	if err := run(strings.Split(*cc, ","), *arch, *choice); err != nil {
		fmt.Fprintln(os.Stderr, "memcarried:", err)
		os.Exit(1)
	}
}

// sum accumulates errors.
type sum struct {
	n             int
	with, without float64
}

func (s *sum) add(measured, with, without float64) {
	s.n++
	s.with += max(with-measured, measured-with) / measured
	s.without += max(without-measured, measured-without) / measured
}

func (s *sum) print(what string) {
	if s.n > 0 {
		fmt.Printf("# %s: %d loops, mean error %.1f %% with dependences through memory, %.1f %% without\n", what, s.n, 100*s.with/float64(s.n), 100*s.without/float64(s.n))
	}
}

// join adds another sum and clears it.
func (s *sum) join(part *sum) {
	s.n, s.with, s.without = s.n+part.n, s.with+part.with, s.without+part.without
	*part = sum{}
}

func run(compilers []string, arch, choice string) error {
	dir, err := os.MkdirTemp("", "memcarried")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^KERNEL\((\w+)\)`).FindAllSubmatch(kernels, -1) {
		names = append(names, string(m[1]))
	}
	list := "K(" + strings.Join(names, ")\nK(") + ")\n"
	for file, data := range map[string][]byte{"kernels.c": kernels, "harness.c": harness, "names.h": []byte(list)} {
		if err := os.WriteFile(filepath.Join(dir, file), data, 0o666); err != nil {
			return err
		}
	}
	c, err := engine.Parse(choice)
	if err != nil {
		return err
	}
	o := analyze.Options{Engine: c}
	if arch != "" {
		o.Archs = []string{arch}
	}
	var carried, others [2]sum // of all compilers, of one
	fmt.Println("compiler\tkernel\tmeasured\tspread\twith\twithout\tmemory")
	for _, cc := range compilers {
		if err := compiled(dir, strings.Fields(cc), names, &sums{o, &carried[1], &others[1]}); err != nil {
			fmt.Fprintf(os.Stderr, "memcarried: %s left out: %v\n", cc, err)
		}
		carried[1].print(cc + ", carried through memory")
		others[1].print(cc + ", others")
		carried[0].join(&carried[1])
		others[0].join(&others[1])
	}
	carried[0].print("all, carried through memory")
	others[0].print("all, others")
	return nil
}

// sums are the errors of the kernels that are carried through memory, and of the others, for some prediction options.
type sums struct {
	analyze.Options
	carried, others *sum
}

// compiled compiles, measures and predicts all kernels with one compiler.
func compiled(dir string, cc, names []string, s *sums) error {
	if _, err := exec.LookPath(cc[0]); err != nil {
		return err
	}
	label := strings.Join(cc, " ")
	asm, program := filepath.Join(dir, "kernels.s"), filepath.Join(dir, "kernels")
	args := slices.Clone(cc[1:])
	for name, extra := range options {
		if strings.HasPrefix(filepath.Base(cc[0]), name) {
			args = append(args, extra...)
		}
	}
	for _, call := range [][]string{
		slices.Concat(cc[:1], args, []string{"-fno-math-errno", "-S", "-o", asm, filepath.Join(dir, "kernels.c")}),
		{cc[0], "-O1", "-o", program, asm, filepath.Join(dir, "harness.c")},
	} {
		if out, err := exec.Command(call[0], call[1:]...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", strings.Join(call, " "), err, out)
		}
	}
	out, err := exec.Command(program).Output()
	if err != nil {
		return fmt.Errorf("measuring: %w", err)
	}
	measured := map[string][]string{}
	for _, l := range strings.Split(string(out), "\n") {
		if f := strings.Split(l, "\t"); len(f) == 3 {
			measured[f[0]] = f[1:]
		}
	}
	text, err := os.ReadFile(asm)
	if err != nil {
		return err
	}
	for _, name := range names {
		f, err := source.New("kernels.s", text)
		if err != nil {
			return err
		}
		if err := s.loop(f, label, name, measured[name]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// loop predicts one kernel and prints its line.
func (s *sums) loop(f *source.File, cc, name string, measured []string) error {
	if measured == nil {
		fmt.Printf("%s\t%s\tunstable\n", cc, name)
		return nil
	}
	cycles, err := strconv.ParseFloat(measured[0], 64)
	if err != nil {
		return err
	}
	o := s.Options
	o.Select.Function = name
	doc, err := analyze.Run(f, o)
	if err != nil {
		return err
	}
	if n := len(doc.Kernels); n > 1 { // the compiler made several versions; which one ran is not known
		fmt.Printf("%s\t%s\t%s\t%s\tleft out: %d loops\n", cc, name, measured[0], measured[1], n)
		return nil
	}
	t := &doc.Kernels[0].Targets[0]
	with := t.Prediction.Cycles
	without, through, to := with, "", s.others
	if m := t.Memory; m != nil && len(m.Dependencies) > 0 {
		without, through = m.Without.Cycles, fmt.Sprint(len(m.Dependencies))
		to = s.carried
	}
	to.add(cycles, with, without)
	fmt.Printf("%s\t%s\t%s\t%s\t%.2f\t%.2f\t%s\n", cc, name, measured[0], measured[1], with, without, through)
	return nil
}
