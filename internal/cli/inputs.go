package cli

import (
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"incore/internal/base/output"
)

// outputFlagNames are the flags, of all commands, whose values are output files.
var outputFlagNames = []string{"output", "out", "graph", "export-graph", "yaml-out", "resume"}

// guard makes a command and its subcommands check, before any work, that they do not write one of their inputs and do not write a file twice.
func (e *env) guard(cmd *cobra.Command) {
	for _, c := range cmd.Commands() {
		e.guard(c)
	}
	run := cmd.RunE
	if run == nil {
		return
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := e.checkOutputs(cmd, args); err != nil {
			return inputError{err}
		}
		return run(cmd, args)
	}
}

// checkOutputs records the files that a call reads, and checks the files that it writes.
func (e *env) checkOutputs(cmd *cobra.Command, args []string) error {
	e.inputs = e.inputs[:0]
	read := func(name string) {
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			e.inputs = append(e.inputs, info)
		}
	}
	if f, ok := e.stdin.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			e.inputs = append(e.inputs, info)
		}
	}
	for _, name := range args {
		read(name)
	}
	var written []string
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if slices.Contains(outputFlagNames, f.Name) {
			if name := f.Value.String(); !toStdout(name) {
				written = append(written, name)
			}
			return
		}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			for _, name := range list.GetSlice() {
				read(name)
			}
			return
		}
		read(f.Value.String())
	})
	for i, name := range written {
		if err := output.Check(name, e.inputs...); err != nil {
			return fmt.Errorf("writing output: %w", err)
		}
		if slices.Contains(written[:i], name) {
			return fmt.Errorf("writing output: two outputs go to %s", name)
		}
	}
	return nil
}
