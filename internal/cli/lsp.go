package cli

import (
	"context"
	"fmt"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"incore/internal/web/lsp"
)

// newLSP returns the command that serves an editor.
func newLSP(e *env) *cobra.Command {
	var stdio bool
	cmd := &cobra.Command{
		Use:   "lsp",
		Short: "a language server: costs of assembly and loops in the editor",
		Long: `Serves an editor by the Language Server Protocol on standard input and output. In assembly text: what is known of an
instruction (hover), cycles on the slowest chain and the busiest port behind each instruction of a loop (inlay hints),
cycles and limit over each loop (code lenses), unknown instructions, marks without a partner and advice (diagnostics),
completion, labels, loops as symbols. In C, C++, Rust, Fortran and others: code lenses over the loops of the object
file that the build made, from compile_commands.json, a setting, or the file's own name.

The core is that of a comment (# incore: zen4), of the setting incore.arch, of -mcpu or -march in
compile_commands.json, or this machine. docs/editors.md has the settings and how editors start it.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			signal.Ignore(syscall.SIGPIPE) // writing to an editor that has gone ends the server in order: it removes its files
			ctx, stop := untilSignal(context.Background())
			defer stop()
			if err := lsp.Serve(ctx, e.stdin, e.stdout, e.stderr); err != nil {
				return inputError{fmt.Errorf("lsp: %w", err)}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&stdio, "stdio", false, "accepted, since editors give it: the server always speaks on standard input and output")
	return cmd
}
