// Package cli is incore's command line: it parses flags, calls the analyses and writes their results.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"incore/internal/analyze"
	"incore/internal/base/source"
	"incore/internal/report"
)

// Version is incore's version.
const Version = report.Version

// Exit codes.
const (
	exitOK     = 0 // also with warnings
	exitInput  = 1 // the input cannot be analysed
	exitUsage  = 2 // the call is wrong
	exitSlower = 3 // compare: a loop became slower by more than --fail-if-slower
	exitNone   = 4 // compare: no loop was compared
)

// env holds the streams that a command reads and writes, and its input files.
type env struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	inputs         []os.FileInfo // files that the command reads, so that it must not write them
}

// Main runs the command line args, args[0] being the name that the program was
// called by, and returns the exit code. Called by the names osaca and llvm-mca it takes the options of
// these.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	defer cleanUp()()
	e := &env{stdin: stdin, stdout: stdout, stderr: stderr}
	rest := args[1:]
	switch name := strings.TrimSuffix(filepath.Base(args[0]), ".exe"); name {
	case "osaca":
		rest = append([]string{"osaca"}, rest...)
	case "llvm-mca":
		rest = append([]string{"mca"}, rest...)
	}
	if len(rest) > 0 && rest[0] == "mca" {
		rest = mcaArgs(rest)
	}
	root := newRoot(e)
	root.SetArgs(longOptions(rest))
	root.SetIn(stdin)
	texts := &watched{Writer: stdout} // for help and similar texts, whose write errors cobra ignores
	root.SetOut(texts)
	root.SetErr(stderr)
	cmd, err := root.ExecuteC()
	if texts.err != nil {
		err = outputError(texts.err)
	}
	return e.exit(cmd, err)
}

// watched is a writer that keeps its first error.
type watched struct {
	io.Writer
	err error
}

func (w *watched) Write(b []byte) (int, error) {
	n, err := w.Writer.Write(b)
	if w.err == nil && !errors.Is(err, syscall.EPIPE) {
		w.err = err
	}
	return n, err
}

// inFile names the file of an error, as the subject of one that is a predicate: "is of another architecture".
func inFile(name string, err error) error {
	for _, verb := range []string{"is ", "has ", "holds "} {
		if strings.HasPrefix(err.Error(), verb) {
			return fmt.Errorf("%s %w", name, err)
		}
	}
	return fmt.Errorf("%s: %w", name, err)
}

// inputError marks an error of the input; its message is already printed or complete.
type inputError struct{ err error }

func (e inputError) Error() string { return e.err.Error() }
func (e inputError) Unwrap() error { return e.err }

// exit reports an error and returns the code for it.
func (e *env) exit(cmd *cobra.Command, err error) int {
	if err == nil {
		return exitOK
	}
	if errors.Is(err, errBrokenPipe) {
		return exitOK
	}
	if errors.Is(err, errSlower) {
		return exitSlower
	}
	if errors.Is(err, errCut) || errors.Is(err, errForeign) {
		return exitInput
	}
	if errors.Is(err, errNotCompared) {
		e.complain("error", "", "%v", err)
		return exitNone
	}
	if errors.Is(err, context.Canceled) {
		err = inputError{errors.New("interrupted")}
	}
	var usage analyze.UsageError
	var input inputError
	if !errors.As(err, &usage) && errors.As(err, &input) {
		report.Complaints(e.stderr, analyze.Diagnostics(input.err, settingsOf(cmd)), e.colour("auto", e.stderr))
		return exitInput
	}
	hint := ""
	if cmd != nil {
		hint = fmt.Sprintf("'%s --help' tells how to call it", cmd.CommandPath())
	}
	e.complain("error", hint, "%s", plainSuggestion(settingsOf(cmd).Text(err)))
	return exitUsage
}

// settingsOf names settings by the options of a command.
func settingsOf(cmd *cobra.Command) source.Names {
	return func(setting string) string {
		switch {
		case setting == "machines":
			return "'incore archs'"
		case setting == "loops":
			return "'incore loops'"
		case setting == "objects":
			return "'incore analyze', 'loops', 'deps', 'disasm' and 'predict' read it by its name"
		case cmd != nil && cmd.Flags().Lookup(setting) != nil:
			return "--" + setting
		}
		return ""
	}
}

// complain writes a message of a command to standard error, in the one form that all messages have (report.Complaints). severity is "error", "warning" or "note".
func (e *env) complain(severity, hint, format string, args ...any) {
	report.Complaints(e.stderr, []report.Diagnostic{{Severity: severity, Message: fmt.Sprintf(format, args...), Hint: hint}}, e.colour("auto", e.stderr))
}

// plainSuggestion puts cobra's suggestions, which take several lines, into the message's line.
func plainSuggestion(text string) string {
	head, names, ok := strings.Cut(text, "\n\nDid you mean this?\n")
	if !ok {
		return text
	}
	return head + "; did you mean " + strings.Join(strings.Fields(names), " or ") + "?"
}

// newRoot builds the command tree.
func newRoot(e *env) *cobra.Command {
	var version bool
	root := &cobra.Command{
		Use:   "incore",
		Short: "how many cycles a loop takes on a CPU core, why, and what would change it",
		Long: `incore analyses the assembly of a loop for a CPU core: port pressure, critical
path and loop-carried dependences, for x86-64, AArch64 and RISC-V.

  gcc -O3 -S -o - triad.c | incore analyze -
  incore analyze --arch skx,zen4,spr triad.s`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			if _, err := os.Stat(args[0]); err == nil {
				return fmt.Errorf("unknown command %q; to analyse this file: incore analyze %s", args[0], args[0])
			}
			hint := ""
			if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
				hint = "; did you mean " + strings.Join(near, " or ") + "?"
			}
			return fmt.Errorf("unknown command %q%s", args[0], hint)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if version {
				_, err := fmt.Fprintln(cmd.OutOrStdout(), "incore", Version)
				return err
			}
			return cmd.Help()
		},
	}
	root.SuggestionsMinimumDistance = 2
	root.Flags().BoolVarP(&version, "version", "v", false, "version for incore")
	e.fitHelp(root)
	root.SetFlagErrorFunc(plainFlagError)
	root.CompletionOptions.HiddenDefaultCmd = false
	for _, g := range []struct {
		id, title string
		commands  []*cobra.Command
	}{
		{"code", "Analyse code:", []*cobra.Command{newAnalyze(e), newLoops(e), newAnnotate(e), newTop(e), newCompare(e), newBaseline(e), newPredict(e), newDeps(e), newServe(e), newMCP(e), newLSP(e)}},
		{"core", "Look up machines and instructions:", []*cobra.Command{newArchs(e), newExplain(e), newForms(e), newDisasm(e), newVersion(e)}},
		{"here", "Measure on this machine:", []*cobra.Command{newMeasure(e), newBench(e), newModel(e)}},
		{"program", "Whole programs and predictors:", []*cobra.Command{newTrace(e), newRoofline(e), newEval(e), newOSACA(e), newMCA(e)}},
	} {
		root.AddGroup(&cobra.Group{ID: g.id, Title: g.title})
		for _, c := range g.commands {
			c.GroupID = g.id
			root.AddCommand(c)
		}
	}
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "completion":
			onlyCommands(cmd)
		case "help":
			cmd.Args = knownCommand
		}
	}
	e.memoryFlag(root)
	e.guard(root)
	return root
}

// onlyCommands makes a command that only groups subcommands refuse other words; without a word it shows its help.
func onlyCommands(cmd *cobra.Command) {
	cmd.Args = cobra.NoArgs
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
}

// knownCommand refuses words that name no command.
func knownCommand(cmd *cobra.Command, args []string) error {
	if _, rest, err := cmd.Root().Find(args); err != nil || len(rest) > 0 {
		return fmt.Errorf("unknown command %q", strings.Join(args, " "))
	}
	return nil
}

// compilerOptions are the options that compilers write with one dash.
var compilerOptions = []string{"mcpu", "march", "mtriple", "mtune", "mattr"}

// longOptions rewrites compiler options with one dash to two dashes.
func longOptions(args []string) []string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = a
		if a == "--" {
			copy(out[i:], args[i:])
			return out
		}
		for _, o := range compilerOptions {
			if rest, ok := strings.CutPrefix(a, "-"+o); ok && (rest == "" || rest[0] == '=') {
				out[i] = "-" + a
			}
		}
	}
	return out
}

// Commands returns the tree of commands, for tools that make pages of it.
func Commands() *cobra.Command {
	return newRoot(&env{stdin: strings.NewReader(""), stdout: io.Discard, stderr: io.Discard})
}
