package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"incore/internal/bench/plan"
	"incore/internal/bench/results"
	"incore/internal/foreign/winic"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

func newModel(e *env) *cobra.Command {
	cmd := &cobra.Command{Use: "model", Short: "make machine models from measurements, compare, check and export models"}
	onlyCommands(cmd)
	cmd.AddCommand(newModelBuild(e), newModelDiff(e), newModelCheck(e), newModelExport(e), newModelImport(e))
	return cmd
}

func newModelBuild(e *env) *cobra.Command {
	var out, name, title string
	cmd := &cobra.Command{
		Use:     "build RESULTS",
		Short:   "make a machine model of the results of incore bench",
		Example: "  incore bench -o here.results\n  incore model build here.results",
		Args:    oneFile,
		RunE: func(_ *cobra.Command, args []string) error {
			made, err := builtModel(args[0], name, title)
			if err != nil {
				return inputError{err}
			}
			return e.output(out, text(made))
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "write to a `FILE`")
	cmd.Flags().StringVar(&name, "name", "measured", "the model's name")
	cmd.Flags().StringVar(&title, "title", "This machine, as measured", "the model's title")
	return cmd
}

// builtModel returns the text of the model made from a file of results, after checking that it can be loaded.
func builtModel(file, name, title string) (string, error) {
	r, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer r.Close()
	var b strings.Builder
	if err := results.Build(r, &b, name, title); err != nil {
		if at, ok := strings.CutPrefix(err.Error(), "line "); ok {
			return "", fmt.Errorf("%s:%s", file, at)
		}
		return "", fmt.Errorf("%s: %w", file, err)
	}
	if _, err := machine.Load(strings.NewReader(b.String()), file); err != nil {
		return "", fmt.Errorf("the model made of %s: %w", file, err)
	}
	return b.String(), nil
}

func newModelDiff(e *env) *cobra.Command {
	var opt results.DiffOptions
	cmd := &cobra.Command{
		Use:   "diff A B",
		Short: "the forms whose latency or throughput differs between two models, the largest differences first",
		Long: `Compares latency and reciprocal throughput of all forms in two models, each a name or a file; one line a form, separated by tabs.
B may also be a file of WINIC's measurements (.yaml, .yaml.gz); then forms count of which it has both.`,
		Example: `  incore model diff zen4 zen5
  incore model diff --registers here.model emeraldrapids
  incore model diff neoverse-v2 neoverse-v2.yaml.gz`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("two models are needed, not %d", len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			a, err := openModel(args[0])
			if err != nil {
				return inputError{err}
			}
			if isYAML(args[1]) {
				return diffWINIC(e, a, args[1], opt)
			}
			b, err := openModel(args[1])
			if err != nil {
				return inputError{err}
			}
			if a.ISA != b.ISA {
				return inputError{fmt.Errorf("%s is for %s, %s for %s", args[0], a.ISA, args[1], b.ISA)}
			}
			return e.print(func(w io.Writer) error { return results.Diff(w, plan.For(catalog.ISA(a.ISA)), a, b, opt) })
		},
	}
	cmd.Flags().BoolVar(&opt.Registers, "registers", false, "only forms that do not access memory")
	amount(cmd.Flags(), &opt.Tolerance, 0.1, option{"tolerance", "", 0, noLimit, "do not list smaller differences, in cycles"})
	cmd.Flags().StringVar(&opt.Sources[0], "source-a", "", "only forms whose latency in A is from a source that contains this (measured)")
	cmd.Flags().StringVar(&opt.Sources[1], "source-b", "", "the same for B")
	return cmd
}

// isYAML reports whether a name is the name of a YAML file.
func isYAML(name string) bool {
	name = strings.TrimSuffix(name, ".gz")
	return strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

// diffWINIC compares a model with a file of measurements by WINIC.
func diffWINIC(e *env, m *machine.Model, file string, opt results.DiffOptions) error {
	r, err := os.Open(file)
	if err != nil {
		return inputError{err}
	}
	defer r.Close()
	measured, err := winic.Read(r)
	if err != nil {
		return inputError{fmt.Errorf("%s: %w", file, err)}
	}
	return e.print(func(w io.Writer) error {
		if err := results.DiffWINIC(w, plan.For(catalog.ISA(m.ISA)), m, results.Published{Name: filepath.Base(file), Forms: measured}, opt); err != nil {
			return inputError{err}
		}
		return nil
	})
}
