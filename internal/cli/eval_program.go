package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"incore/internal/eval/suite"
	"incore/internal/report"
)

// programFlags are the options of eval make for a program of the user.
type programFlags struct {
	suite.ProgramOptions
	ranges, calls string
}

func (p *programFlags) register(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&p.Path, "executable", "", "a region of this `PROGRAM` as it runs in place of kernels; its arguments stand behind --")
	fl.StringVarP(&p.Function, "function", "f", "", "the region: a `FUNCTION` of the program, by its name or an address (0x4010)")
	fl.StringVar(&p.ranges, "range", "", "the region: from the instruction at LO until that at HI is reached, `LO-HI`, hexadecimal addresses of the program's file")
	fl.StringVar(&p.calls, "calls", "", "which executions of the region count together, `A-B` from 1; default: from the first on as many as take 4 million cycles")
	fl.StringVar(&p.Stdin, "stdin", "", "a `FILE` that the program reads from its standard input")
}

// ownFlags are the options of eval make that do not apply to a program.
var ownFlags = []string{"kernels", "source", "limit", "seed", "cross"}

// run makes a benchmark of a program.
func (p *programFlags) run(e *env, cmd *cobra.Command, dir string, args []string, out *outputFlags) error {
	for _, name := range ownFlags {
		if cmd.Flags().Changed(name) {
			return fmt.Errorf("--%s is of kernels; --executable brings a program as it is", name)
		}
	}
	if (p.Function == "") == (p.ranges == "") {
		return errors.New("--executable needs a region: either --function NAME or --range LO-HI")
	}
	var err error
	if p.ranges != "" {
		if p.Lo, p.Hi, err = addressRange(p.ranges); err != nil {
			return err
		}
	}
	if p.First, p.Last, err = parseCalls(p.calls); err != nil {
		return err
	}
	if p.Target, err = evalTarget(""); err != nil {
		return err
	}
	p.Dir, p.Args = dir, args
	ctx, stop := interruptible()
	defer stop()
	made, err := suite.Add(ctx, p.ProgramOptions)
	if ctx.Err() != nil {
		return inputError{errors.New("interrupted; nothing was added")}
	} else if err != nil {
		return inputError{err}
	}
	return out.write(e, made, report.TextOptions{})
}

// parseCalls reads a value of --calls: 3, 3-10.
func parseCalls(text string) (first, last uint64, err error) {
	if text == "" {
		return 0, 0, nil
	}
	a, b, several := strings.Cut(text, "-")
	if !several {
		b = a
	}
	first, err1 := strconv.ParseUint(a, 10, 40)
	last, err2 := strconv.ParseUint(b, 10, 40)
	if err1 != nil || err2 != nil || first < 1 || last < first {
		return 0, 0, fmt.Errorf("--calls %s: a number from 1 on, or two with a hyphen between, is needed: 1, 3-10", text)
	}
	return first, last, nil
}
