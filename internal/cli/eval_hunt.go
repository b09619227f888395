package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"incore/internal/bench/plan"
	"incore/internal/eval/hunt"
	"incore/internal/eval/suite"
	"incore/internal/isa"
	"incore/internal/machine"
	"incore/internal/report"
	"incore/internal/report/describe"
)

// huntFlags are the options of incore eval hunt.
type huntFlags struct {
	out                outputFlags
	a, b, arch, file   string
	forms, exclude     string
	seed               uint64
	starts, insts, top int
	percent            int
}

func newEvalHunt(e *env) *cobra.Command {
	var f huntFlags
	cmd := &cobra.Command{
		Use:   "hunt [DIR]",
		Short: "find kinds of code on which two predictors, or one and this machine, disagree",
		Long: `Makes random blocks, of the instructions that occur in the benchmarks of DIR or of all that this machine has, and asks two predictors. Where they
disagree, the block is made smaller and then more general (other instructions of the same mnemonic, of the same kind, any; other registers; other
addresses) as long as they disagree on most blocks of the more general kind (the method of AnICA: Ritter and Hack, 2022). Lists the kinds found.

The same seed looks at the same blocks. With -o, what was found so far is kept, and the same command goes on.`,
		Example: `  incore eval hunt
  incore eval hunt suite --a sim --b llvm-mca --starts 500 -o hunt.jsonl`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(e, args) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.a, "a", "sim", "first predictor: "+strings.Join(hunt.Judges, ", ")+", or a tool as NAME=COMMAND (see --command of eval run)")
	fl.StringVar(&f.b, "b", "measure", "second predictor")
	fl.StringVar(&f.arch, "arch", "", "the model that predicts; default: this machine's")
	fl.StringVar(&f.forms, "forms", "", "only instruction forms whose names match this regular `expression`")
	fl.StringVar(&f.exclude, "exclude", "", "no instruction forms whose names match this regular `expression`")
	fl.StringVarP(&f.file, "output", "o", "", "keep what was found in a `FILE` and go on from there")
	f.out.formatOnly(cmd, (*hunt.Report)(nil))
	fl.Uint64Var(&f.seed, "seed", 1, "of the random blocks")
	count(fl, &f.starts, 200, option{"starts", "", 1, 1000000, "random blocks to begin with"})
	count(fl, &f.insts, 4, option{"insts", "", 1, 20, "instructions of a block, at most"})
	count(fl, &f.percent, 25, option{"threshold", "", 1, 200, "percent from which on two figures disagree: their difference by their mean"})
	count(fl, &f.top, 20, option{"top", "", 1, 1000000, "so many kinds are listed"})
	return cmd
}

func (f *huntFlags) run(e *env, args []string) error {
	if err := f.out.check(); err != nil {
		return err
	}
	if f.a == f.b {
		return fmt.Errorf("--a and --b are both %s: two predictors are needed", f.a)
	}
	o, err := f.options(args)
	if err != nil {
		return err
	}
	w, err := e.resume(f.file, func(r io.Reader) (whole int64, err error) {
		o.Done, whole, err = hunt.ReadSteps(r)
		return whole, err
	}, func(io.Writer) error { return nil })
	if err != nil {
		return err
	}
	defer w.Close()
	o.Keep = func(s hunt.Step) error {
		if toStdout(f.file) {
			return nil
		}
		line, err := json.Marshal(s)
		if err == nil {
			_, err = w.Write(append(line, '\n'))
		}
		return err
	}
	begun := time.Now()
	o.Progress = func(done, of, found int) {
		e.note("%d of %d blocks, %s found%s", done, of, counted(found, "kind"), describe.Remaining(time.Since(begun), done, of-done))
	}
	ctx, stop := interruptible()
	defer stop()
	found, err := hunt.Run(ctx, o)
	e.note("")
	if ctx.Err() != nil {
		return inputError{fmt.Errorf("interrupted; with -o the same command goes on from there")}
	} else if err != nil {
		return inputError{err}
	}
	hunt.Rank(found)
	return f.out.write(e, &hunt.Report{A: f.a, B: f.b, Discoveries: found}, report.TextOptions{Most: f.top})
}

// options prepares the predictors and the pool of instructions.
func (f *huntFlags) options(args []string) (o hunt.Options, err error) {
	o = hunt.Options{NameA: f.a, NameB: f.b, Seed: f.seed, Starts: f.starts, Insts: f.insts, Threshold: float64(f.percent) / 100}
	target, err := plan.Native()
	if err != nil {
		return o, inputError{err}
	}
	only, err := pattern("forms", f.forms)
	if err != nil {
		return o, err
	}
	not, err := pattern("exclude", f.exclude)
	if err != nil {
		return o, err
	}
	forms := target.Select(nil, nil)
	if len(args) == 1 {
		set, list, err := suite.Forms(args[0])
		if err != nil {
			return o, inputError{err}
		}
		if set.Name != target.ISA.Name {
			return o, inputError{fmt.Errorf("%s holds %s code, and this machine runs %s", args[0], set.Name, target.ISA.Name)}
		}
		forms = list
	}
	forms = slices.DeleteFunc(forms, func(x isa.FormID) bool {
		name := target.ISA.Forms.Name(x)
		return only != nil && !only.MatchString(name) || not != nil && not.MatchString(name)
	})
	var m *machine.Model
	name := f.arch
	if name == "" {
		name, _, _ = machine.Host()
	}
	if name != "" {
		if m, err = machine.Get(name); err != nil {
			return o, inputError{err}
		}
	}
	if o.Pool = hunt.NewPool(target, forms); o.Pool.Len() == 0 {
		return o, inputError{fmt.Errorf("no instruction is left to make blocks of")}
	}
	if o.A, err = hunt.NewJudge(f.a, m, target.ISA); err != nil {
		return o, inputError{err}
	}
	if o.B, err = hunt.NewJudge(f.b, m, target.ISA); err != nil {
		return o, inputError{err}
	}
	return o, nil
}

// pattern returns the regular expression of an option, nil if it is not given.
func pattern(option, text string) (*regexp.Regexp, error) {
	if text == "" {
		return nil, nil
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", option, err)
	}
	return re, nil
}
