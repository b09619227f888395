package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"incore/internal/machine"
	"incore/internal/program/dyndeps"
	"incore/internal/report"
)

// cover runs incore deps --coverage: the experiment of CesASMe, section 4.4.
func (f *dynamicFlags) cover(e *env, cmd *cobra.Command, args []string) error {
	names, rest := args, []string(nil)
	if n := cmd.ArgsLenAtDash(); n >= 0 {
		names, rest = args[:n], args[n:]
	}
	if len(names) == 0 {
		return errors.New("programs are needed: incore deps --coverage PROGRAM... [-- ARGUMENTS]")
	}
	if err := f.output(cmd, (*dyndeps.Experiment)(nil)); err != nil {
		return err
	}
	done, keep, err := f.kept(e)
	if err != nil {
		return err
	}
	if keep != nil {
		defer keep.Close()
	}
	ctx, stop := untilSignal(context.Background())
	defer stop()
	x := &dyndeps.Experiment{Machine: map[string]string{}}
	failed := 0
	for i, name := range names {
		s, err := f.subject(ctx, cmd, &coverage{e, x, done}, name, rest)
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			s.Failure = err.Error()
			failed++
		}
		x.Subjects = append(x.Subjects, *s)
		if keep != nil && done[s.Key] == nil {
			if err := s.CSV(keep); err != nil {
				return inputError{fmt.Errorf("writing %s: %w", f.resume, err)}
			}
		}
		e.note("%d of %d programs", i+1, len(names))
	}
	e.note("")
	x.Finish()
	if err := f.out.write(e, x, report.TextOptions{Most: f.top}); err != nil {
		return err
	}
	switch {
	case ctx.Err() != nil:
		return inputError{fmt.Errorf("interrupted after %d of %d programs", len(x.Subjects), len(names))}
	case failed > 0:
		return inputError{fmt.Errorf("%d of %d programs could not be observed", failed, len(names))}
	}
	return nil
}

// kept reads the results that the output file already has, and opens it to append the others.
func (f *dynamicFlags) kept(e *env) (done map[string]*dyndeps.Subject, file io.WriteCloser, err error) {
	if f.resume == "" {
		return nil, nil, nil
	}
	file, err = e.resume(f.resume, func(r io.Reader) (whole int64, err error) {
		done, whole, err = dyndeps.ReadCSV(r)
		return whole, err
	}, dyndeps.Header)
	return done, file, err
}

// coverage is a running experiment, with the results of the finished programs.
type coverage struct {
	e    *env
	x    *dyndeps.Experiment
	done map[string]*dyndeps.Subject
}

// subject observes a program, unless its results are already known.
func (f *dynamicFlags) subject(ctx context.Context, cmd *cobra.Command, c *coverage, name string, args []string) (*dyndeps.Subject, error) {
	e, x := c.e, c.x
	s := &dyndeps.Subject{Program: name}
	p, err := openProgram(name)
	if err != nil {
		return s, err
	}
	m, window, err := f.machine(cmd, p)
	if err != nil {
		return s, err
	}
	x.Machine[p.File.ISA.Name] = m.Name
	if s.Key, err = key(p.File.Path, append([]string{name, m.Name, fmt.Sprint(window, f.lifetime), f.cpu, Version}, args...)); err != nil {
		return s, err
	}
	if d := c.done[s.Key]; d != nil {
		return d, nil
	}
	o := f.options(e)
	o.Args, o.Stdout = args, nil
	if o.Progress = e.instructions(); o.Progress != nil {
		fmt.Fprintf(e.stderr, "\r\x1b[K%s\n", name)
	}
	t, err := p.Observe(ctx, o)
	switch {
	case err != nil:
		return s, err
	case t.Limit > 0:
		return s, fmt.Errorf("it was ended after %v (--time-limit)", t.Limit)
	case t.Rewritten != 0:
		return s, dyndeps.ErrRewritten
	case t.Crashed:
		return s, errors.New(t.Exit)
	}
	s.Exit, s.Accesses, s.Missing = t.Exit, t.Loads+t.Stores+t.Unseen, t.Unseen
	for _, scope := range dyndeps.Scopes {
		s.Scopes = append(s.Scopes, t.Cover(scope, m, window).Describe(t))
	}
	return s, nil
}

// machine returns the machine of the static analysis, and window, the number of instructions within which it looks for dependences; 0: the
// reorder buffer of the machine that the user chose.
func (f *dynamicFlags) machine(cmd *cobra.Command, p *dyndeps.Program) (m *machine.Model, window int, err error) {
	name, _ := machine.Default(p.File.ISA.Name)
	window = dyndeps.DefaultWindow
	if fl := cmd.Flags().Lookup("arch"); fl != nil && fl.Changed {
		names, err := cmd.Flags().GetStringSlice("arch")
		if err != nil || len(names) != 1 {
			return nil, 0, errors.New("--arch: one machine is needed")
		}
		name, window = names[0], 0
	}
	m, err = machine.GetFor(p.File.ISA.Name, name)
	return m, window, err
}

// key identifies a program by its content and all options that affect its results.
func key(path string, words []string) (string, error) {
	h := sha256.New()
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	if _, err := io.Copy(h, file); err != nil {
		return "", err
	}
	for _, w := range words {
		fmt.Fprintf(h, "\x00%s", w)
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}

// note shows a line of progress, if standard error is a terminal; "" removes it.
func (e *env) note(format string, args ...any) {
	if e.instructions() == nil {
		return
	}
	fmt.Fprintf(e.stderr, "\r\x1b[K"+format, args...)
}
