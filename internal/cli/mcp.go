package cli

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"incore/internal/api"
	"incore/internal/mcp"
)

func newMCP(e *env) *cobra.Command {
	var run bool
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "answer coding agents: a server of the Model Context Protocol",
		Long: `Answers a coding agent on standard input and output by the Model Context Protocol, so that it knows what a
loop costs and why while it rewrites it: analyze_loop, compare, explain_instruction, find_loops, list_machines.

It reads the files that the agent names, writes none, and executes nothing, unless --allow-run adds the tool
measure, which runs code on this machine. docs/callable.md tells how to add it to clients.`,
		Example: `  incore mcp
  claude mcp add incore -- incore mcp`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			ctx, stop := untilSignal(context.Background())
			defer stop()
			if err := mcp.Serve(ctx, e.stdin, e.stdout, mcp.Options{Options: allowed(run), Log: e.stderr}); err != nil {
				return inputError{fmt.Errorf("standard input: %w", err)}
			}
			return nil
		},
	}
	allowRun(cmd, &run)
	return cmd
}

// allowRun adds --allow-run.
func allowRun(cmd *cobra.Command, run *bool) {
	cmd.Flags().BoolVar(run, "allow-run", false, "measure code that requests send: run it on this machine, as this user")
}

// allowed are the options of the API, with measurements if run is set. These take turns, so that they do not disturb each other.
func allowed(run bool) api.Options {
	o := served()
	if !run {
		return o
	}
	turn := make(chan struct{}, 1)
	o.Measure = func(ctx context.Context, text, syntax string) (json.RawMessage, error) {
		select {
		case turn <- struct{}{}:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		defer func() { <-turn }()
		return measureText(ctx, text, syntax)
	}
	return o
}
