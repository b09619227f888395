package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"incore/internal/base/output"
	"incore/internal/base/source"
	"incore/internal/machine"
	"incore/internal/report"
	"incore/internal/report/baselines"
	"incore/internal/report/findings"
)

// baselineFile is the default name of a baseline.
const baselineFile = "incore-baseline.json"

// baselineFlags are the options of incore baseline.
type baselineFlags struct {
	analyzeFlags
	file, tolerance, reason, loop string
}

func newBaseline(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "baseline",
		Short: "predicted cycles of loops kept in a repository, and checked in CI",
		Long: `A baseline is a file in a repository with the predicted cycles of the loops of files, on machines, so that a change that
makes a loop slower is seen where it is made. Loops are known by function and shape (their instructions' forms), not by lines
or labels.`,
	}
	onlyCommands(cmd)
	cmd.AddCommand(newBaselineWrite(e), newBaselineCheck(e), newBaselineAccept(e))
	return cmd
}

// register adds the options that say how files are analysed.
func (f *baselineFlags) register(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.file, "baseline", baselineFile, "the `FILE` of the baseline")
	fl.StringVar(&f.cc, "cc", "", "of source files: the compiler and its options ('gcc -O3 -march=native')")
	f.policy, f.engine, f.unroll, f.format = "optimal", "auto", 1, "json"
}

func newBaselineWrite(e *env) *cobra.Command {
	var f baselineFlags
	cmd := &cobra.Command{
		Use:   "write FILE...",
		Short: "write the predictions of all loops of files to a baseline",
		Long: `Analyses files and writes the predicted cycles of their loops. Without --arch and --tolerance those of the baseline that is there
count, else this machine and 2 %. What was accepted stays accepted for loops that are as they were then.`,
		Example: "  incore baseline write --arch skx,zen4 build/kernels.o",
		Args:    someFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			tolerance, err := percentage("tolerance", f.tolerance)
			if err != nil {
				return err
			}
			old, err := readBaseline(f.file)
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				return inputError{err}
			}
			if old != nil && !cmd.Flags().Changed("tolerance") {
				tolerance = old.Tolerance
			}
			now, _, err := f.analyse(e, args, old)
			if err != nil {
				return err
			}
			now.Tolerance = tolerance
			if old != nil {
				now.Keep(old)
			}
			if err := saveBaseline(f.file, now); err != nil {
				return inputError{err}
			}
			fmt.Fprintf(e.stderr, "incore: %s on %s in %s\n", counted(len(now.Loops), "loop"), strings.Join(now.Archs, ", "), f.file)
			return nil
		},
	}
	f.machineFlags.register(cmd)
	f.register(cmd)
	cmd.Flags().StringVar(&f.tolerance, "tolerance", "2%", "cycles may grow by `P%` before a check fails")
	return cmd
}

func newBaselineCheck(e *env) *cobra.Command {
	var f baselineFlags
	var out outputFlags
	cmd := &cobra.Command{
		Use:   "check [FILE...]",
		Short: "compare the loops of files with a baseline",
		Long: `Analyses files, by default those of the baseline, and compares the predicted cycles of their loops with it. The exit
status is 3 if a loop takes more cycles by more than the tolerance and nobody has accepted that, and 4 if no loop could be
compared.`,
		Example: "  incore baseline check --format sarif -o incore.sarif",
		RunE: func(_ *cobra.Command, args []string) error {
			if err := out.check(); err != nil {
				return err
			}
			old, now, docs, err := f.again(e, args)
			if err != nil {
				return err
			}
			result := old.Of(func(file string) bool { return docs[file] != nil }).Check(now)
			err = out.render(e, func(w io.Writer, _ report.TextOptions) error {
				switch {
				case findings.Is(out.format):
					return findings.Write(w, out.format, verdicts(f.file, result, docs))
				case out.format == "json":
					return report.JSON(w, result)
				}
				return result.Text(w, out.verbose)
			})
			switch {
			case err != nil:
				return err
			case result.Slower > 0:
				return errSlower
			case result.Compared == 0:
				return errNotCompared
			}
			return nil
		},
	}
	f.machineFlags.register(cmd)
	f.register(cmd)
	out.register(cmd, append([]string{"text", "json"}, findings.Formats...)...)
	return cmd
}

func newBaselineAccept(e *env) *cobra.Command {
	var f baselineFlags
	cmd := &cobra.Command{
		Use:   "accept --loop NAME --reason TEXT [FILE...]",
		Short: "accept that a loop takes more cycles than the baseline has, with the reason",
		Long: `Writes into the baseline that a loop may take as many cycles as it takes now, on each machine where it is slower than the tolerance
allows, with the reason. A check then fails only if it becomes slower still. NAME is the loop's name in the check's output, or its function.`,
		Example: "  incore baseline accept --loop dot --reason 'sums in order now: results must not depend on the width'",
		RunE: func(_ *cobra.Command, args []string) error {
			if strings.TrimSpace(f.reason) == "" || f.loop == "" {
				return errors.New("--loop NAME and --reason TEXT are needed")
			}
			old, now, _, err := f.again(e, args)
			if err != nil {
				return err
			}
			n, left := old.Accept(now, f.loop, f.reason)
			if n == 0 {
				return inputError{nothingToAccept(f.loop, f.file, left)}
			}
			if err := saveBaseline(f.file, old); err != nil {
				return inputError{err}
			}
			fmt.Fprintf(e.stderr, "incore: %d accepted in %s\n", n, f.file)
			return nil
		},
	}
	f.machineFlags.register(cmd)
	f.register(cmd)
	cmd.Flags().StringVar(&f.loop, "loop", "", "the loop, by its name or its function")
	cmd.Flags().StringVar(&f.reason, "reason", "", "why it may be slower")
	return cmd
}

// nothingToAccept says why no loop of a name was accepted, by the verdicts on those that there are.
func nothingToAccept(name, file string, left []baselines.Verdict) error {
	if len(left) == 0 {
		return fmt.Errorf("no loop %q: 'incore baseline check --verbose' names the loops", name)
	}
	for i := range left {
		switch left[i].Verdict {
		case "other-work", "new", "gone":
			return fmt.Errorf("%s; 'incore baseline write' makes the baseline of the loops as they are now", left[i].Message())
		}
	}
	return fmt.Errorf("no loop %q is slower than %s allows: there is nothing to accept", name, file)
}

// someFiles needs at least one file.
func someFiles(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return errors.New("which files? Give assembly, object files, executables or sources")
	}
	return nil
}

// analyse analyses files and returns their loops as a baseline, with the documents by file. Without other machines those count that old, which may be nil, has of a file.
func (f *baselineFlags) analyse(e *env, names []string, old *baselines.Baseline) (*baselines.Baseline, map[string]*report.Document, error) {
	b := &baselines.Baseline{Schema: baselines.Schema, Version: Version}
	docs := map[string]*report.Document{}
	for _, name := range names {
		o, err := f.options()
		if err != nil {
			return nil, nil, err
		}
		if err := f.apply(&o); err != nil {
			return nil, nil, err
		}
		key := filepath.ToSlash(name)
		if old != nil && len(o.Archs) == 0 {
			o.Archs = slices.DeleteFunc(slices.Clone(old.ArchsOf(key)), func(arch string) bool {
				return slices.ContainsFunc(o.Models, func(m *machine.Model) bool { return m.Name == arch })
			})
		}
		o.Full, o.NoAdvice = maxCompared, true
		d, err := f.document(e, name, o)
		if err != nil {
			return nil, nil, err
		}
		if why := d.Cut(); why != nil {
			return nil, nil, inputError{fmt.Errorf("%s: %s", name, strings.Join(why, "; "))}
		}
		if n := len(d.Others); n > 0 {
			return nil, nil, inputError{fmt.Errorf("%s: %s beyond the %d that a baseline has of a file: give the object files that it is made of", name, counted(n, "loop"), maxCompared)}
		}
		docs[key] = d
		b.Add(key, d)
	}
	if len(b.Loops) == 0 {
		return nil, nil, inputError{fmt.Errorf("%s: no loops", strings.Join(names, ", "))}
	}
	b.Sort()
	return b, docs, nil
}

// again reads the baseline, and analyses files, by default its own, on its machines if no others are given.
func (f *baselineFlags) again(e *env, names []string) (old, now *baselines.Baseline, docs map[string]*report.Document, err error) {
	if old, err = readBaseline(f.file); err != nil {
		return nil, nil, nil, inputError{err}
	}
	if len(names) == 0 {
		names = old.Files()
	}
	now, docs, err = f.analyse(e, names, old)
	return old, now, docs, err
}

func readBaseline(name string) (*baselines.Baseline, error) {
	data, err := source.ReadBytes(name)
	if err != nil {
		return nil, fmt.Errorf("reading the baseline: %w", err)
	}
	return baselines.Parse(name, data)
}

func saveBaseline(name string, b *baselines.Baseline) error {
	var text bytes.Buffer
	j := json.NewEncoder(&text)
	j.SetIndent("", " ")
	j.SetEscapeHTML(false)
	if err := j.Encode(b); err != nil {
		return err
	}
	f, err := output.Create(name)
	if err != nil {
		return err
	}
	defer f.Abort()
	if _, err := f.Write(text.Bytes()); err != nil {
		return err
	}
	return f.Commit()
}

// verdicts converts the result of a check with the baseline of a file to findings.
func verdicts(file string, c *baselines.Result, docs map[string]*report.Document) *findings.Report {
	out := &findings.Report{Command: "incore baseline check", Version: c.Version, Rules: map[string]string{
		"slower": "a loop takes more cycles than the baseline allows", "accepted": "a loop takes more cycles than the baseline has, which was accepted",
		"faster": "a loop takes fewer cycles than the baseline has: write it anew", "new": "a loop is not in the baseline", "gone": "a loop of the baseline is gone", "other-work": "an iteration of a loop does other work than in the baseline", "stale": "the baseline was made by another version of incore"}}
	levels := map[string]findings.Level{"slower": findings.Failure, "accepted": findings.Note, "faster": findings.Note, "new": findings.Note, "gone": findings.Warning, "other-work": findings.Skipped}
	if c.Stale != "" {
		out.Findings = append(out.Findings, findings.Finding{Rule: "stale", Level: findings.Note, Name: "baseline", Message: c.Stale, File: file, Line: 1})
	}
	for i := range c.Loops {
		l := &c.Loops[i]
		f := findings.Finding{Rule: l.Verdict, Level: levels[l.Verdict], Name: l.Name, Key: l.Key, Arch: l.Arch, Message: l.Message(), File: l.File, Cycles: l.Iteration, Known: l.Verdict != "gone"}
		if f.Level == findings.OK {
			f.Message = ""
		}
		if d := docs[l.File]; d != nil {
			if k := slices.IndexFunc(d.Kernels, func(k report.Kernel) bool { return k.Name == l.Name }); k >= 0 {
				f.File, f.Line = place(d, &d.Kernels[k])
			}
		}
		out.Findings = append(out.Findings, f)
	}
	return out
}
