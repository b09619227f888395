package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"

	"incore/internal/web/api"
	"incore/internal/web/mcp"
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
	o.Command = runCommand
	return o
}

// maxOutput is the number of bytes of a command's output that a request may have.
const maxOutput = 64 << 20

// runCommand runs a command of incore as a process of its own, and returns its output in JSON; text without JSON as {"text": "…"}.
func runCommand(ctx context.Context, args []string) (json.RawMessage, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	switch { // in front of the user's, which may end with a program and its own
	case args[0] == "trace":
		args = append([]string{"trace", "--format", "json"}, args[1:]...)
	case args[1] == "report" || args[1] == "hunt":
		args = append([]string{args[0], args[1], "--format", "json"}, args[2:]...)
	}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = stopTime
	var out, errs limited
	out.left, errs.left = maxOutput, 4<<10
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		return nil, fmt.Errorf("incore %s: %w\n%s", args[0], err, strings.TrimSpace(errs.String()))
	}
	if out.left < 0 {
		return nil, fmt.Errorf("incore %s: its output has more than %d bytes", args[0], maxOutput)
	}
	if data := bytes.TrimSpace(out.Bytes()); json.Valid(data) {
		return data, nil
	}
	return json.Marshal(map[string]string{"text": out.String()})
}

// limited keeps the first bytes that are written; left falls below 0 if there are more.
type limited struct {
	bytes.Buffer
	left int
}

func (l *limited) Write(b []byte) (int, error) {
	if keep := b[:min(len(b), max(0, l.left))]; len(keep) > 0 {
		l.Buffer.Write(keep)
	}
	l.left -= len(b)
	return len(b), nil
}

// ReadFrom hides that of the buffer, which knows no bound.
func (l *limited) ReadFrom(r io.Reader) (int64, error) { return io.Copy(struct{ io.Writer }{l}, r) }
