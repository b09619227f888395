// Command advice measures the real gain of advice. Each kernel of tools/advice/kernels has an original loop and a hand-written version with a remedy.
// `incore analyze` predicts the gain for the original; `incore measure` times both on this machine. The command writes the table of docs/advice.md:
//
//	go run ./tools/advice -arch zen3 >table.md
//
// Kernels are C (compiled with -cc) or assembly. Each has two functions, plain and remedied, and comments that state the kind of the remedy and the number of
// iterations of plain whose work one iteration of remedied does. The command needs x86-64 Linux, to measure, and gcc for the kernels in C.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"incore/internal/base/stats"
)

func main() {
	var o options
	flag.StringVar(&o.arch, "arch", "native", "the machine to predict for: that which this one is")
	flag.StringVar(&o.cc, "cc", "gcc -O2 -mavx2 -mfma -fno-tree-vectorize", "the compiler and its options")
	flag.StringVar(&o.incore, "incore", "", "the program; default: built from this repository")
	flag.StringVar(&o.dir, "kernels", "tools/advice/kernels", "the kernels")
	flag.Parse()
	if err := o.run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "advice:", err)
		os.Exit(1)
	}
}

// options are the options of the command line.
type options struct{ arch, cc, incore, dir string }

// row holds the results for one kernel; cycles are per iteration of plain.
type row struct {
	name, kind                        string
	before, after, measured, remedied float64
	advised                           bool
	why                               string // why there is no figure
}

// gain returns the factor by which a loop becomes faster.
func gain(before, after float64) float64 { return before / after }

func (o *options) run(w io.Writer) error {
	temp, err := os.MkdirTemp("", "advice")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	if o.incore == "" {
		o.incore = filepath.Join(temp, "incore")
		if out, err := exec.Command("go", "build", "-o", o.incore, "./cmd/incore").CombinedOutput(); err != nil {
			return fmt.Errorf("building incore: %w\n%s", err, out)
		}
	}
	files, err := filepath.Glob(filepath.Join(o.dir, "*.[cs]"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no kernels in %s", o.dir)
	}
	var rows []row
	for i, f := range files {
		fmt.Fprintf(os.Stderr, "%d of %d: %s\n", i+1, len(files), f)
		r, err := o.kernel(f, temp)
		if err != nil {
			return fmt.Errorf("%s: %w", f, err)
		}
		rows = append(rows, r)
		fmt.Fprintf(os.Stderr, "\t%s: predicted %.2f → %.2f (advice: %v), measured %.2f → %.2f %s\n", r.kind, r.before, r.after, r.advised, r.measured, r.remedied, r.why)
	}
	table(w, rows)
	return nil
}

// kernel predicts and measures one kernel.
func (o *options) kernel(file, temp string) (row, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return row{}, err
	}
	r := row{name: strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)), kind: field(string(text), "kind")}
	times, err := strconv.ParseFloat(field(string(text), "iterations"), 64)
	if err != nil || r.kind == "" {
		return r, fmt.Errorf("it does not say the remedy's kind and the number of iterations")
	}
	if filepath.Ext(file) == ".c" {
		out := filepath.Join(temp, r.name+".s")
		cc := append(strings.Fields(o.cc), "-S", "-o", out, file)
		if msg, err := exec.Command(cc[0], cc[1:]...).CombinedOutput(); err != nil {
			return r, fmt.Errorf("%w\n%s", err, msg)
		}
		file = out
	}
	if err := o.predict(file, &r); err != nil {
		return r, err
	}
	if r.measured, err = o.measure(file, "plain"); err != nil {
		r.why = err.Error()
		return r, nil
	}
	r.remedied, err = o.measure(file, "remedied")
	if r.remedied /= times; err != nil {
		r.why = err.Error()
	}
	return r, nil
}

// field returns the value of a comment at the beginning of a kernel.
func field(text, name string) string {
	for line := range strings.Lines(text) {
		if v, ok := strings.CutPrefix(strings.TrimLeft(line, "/# "), name+":"); ok {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

// predict returns the predicted gain of the advice of a kind.
func (o *options) predict(file string, r *row) error {
	var d struct {
		Kernels []struct {
			Targets []struct {
				Prediction struct{ Cycles float64 }
				Advice     []struct {
					Kind          string
					Before, After float64
				}
			}
		}
	}
	if err := o.json(&d, "analyze", "--format", "json", "--arch", o.arch, "--function", "plain", file); err != nil {
		return err
	}
	t := &d.Kernels[0].Targets[0]
	r.before, r.after = t.Prediction.Cycles, t.Prediction.Cycles
	for _, a := range t.Advice {
		if a.Kind == r.kind && a.After < r.after {
			r.after, r.advised = a.After, true
		}
	}
	return nil
}

// measure returns the lesser of two measurements of a function's loop, since a disturbance makes a measurement longer.
func (o *options) measure(file, function string) (cycles float64, err error) {
	cycles = math.Inf(1)
	for range 2 {
		var d struct {
			Cycles *float64
			Reason string
		}
		if err = o.json(&d, "measure", "--format", "json", "--function", function, file); err != nil {
			continue
		}
		if d.Cycles == nil {
			err = fmt.Errorf("%s", d.Reason)
			continue
		}
		cycles = min(cycles, *d.Cycles)
	}
	if math.IsInf(cycles, 1) {
		return 0, err
	}
	return cycles, nil
}

// json runs the program and decodes its output.
func (o *options) json(to any, args ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, o.incore, args...)
	var errs strings.Builder
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		return fmt.Errorf("incore %s: %w\n%s", strings.Join(args, " "), err, errs.String())
	}
	return json.Unmarshal(out, to)
}

// table writes the rows and the errors of the predicted gains.
func table(w io.Writer, rows []row) {
	slices.SortStableFunc(rows, func(a, b row) int { return strings.Compare(a.kind+a.name, b.kind+b.name) })
	fmt.Fprint(w, "| remedy | kernel | predicted: cycles | gain | measured: cycles | gain | gain predicted / measured |\n|---|---|---:|---:|---:|---:|---:|\n")
	var errs []float64
	same := 0
	for _, r := range rows {
		if r.why != "" {
			fmt.Fprintf(w, "| %s | %s | %.2f → %.2f | %.2f× | %s | | |\n", r.kind, r.name, r.before, r.after, gain(r.before, r.after), r.why)
			continue
		}
		p, m := gain(r.before, r.after), gain(r.measured, r.remedied)
		fmt.Fprintf(w, "| %s | %s | %.2f → %.2f | %.2f× | %.2f → %.2f | %.2f× | %.2f |\n", r.kind, r.name, r.before, r.after, p, r.measured, r.remedied, m, p/m)
		errs = append(errs, math.Abs(p/m-1))
		if (p > 1.05) == (m > 1.05) {
			same++
		}
	}
	if len(errs) == 0 {
		return
	}
	slices.Sort(errs)
	sum := 0.0
	for _, e := range errs {
		sum += e
	}
	fmt.Fprintf(w, "\n%d kernels: the gain predicted differs from that measured by %.0f %% on average, by %.0f %% in the median; whether there is a gain of more than 5 %% is right of %d.\n",
		len(errs), 100*sum/float64(len(errs)), 100*stats.Quantile(errs, 0.5), same)
}
