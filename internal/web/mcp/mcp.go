// Package mcp answers the requests of coding agents: a server of the Model Context Protocol on a pair of pipes (incore mcp). Its tools are the requests of
// the web API, with answers short enough for a language model. It reads the files that a client names, writes none, and executes code only if Options.Measure is set.
package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"incore/internal/web/api"
)

// Options configures a server. The zero value has the defaults, which are in brackets.
type Options struct {
	api.Options
	Jobs int           // number of parallel requests [one per core]
	Time time.Duration // time limit of a request [20 s]
	Log  io.Writer     // mistakes of incore; nil: none
}

// instructions tell the model behind the client how the tools belong together.
const instructions = `incore predicts how many CPU cycles an iteration of a loop takes, and why, from its assembly, in milliseconds and without running it. ` +
	`To make a kernel faster: analyze_loop names what limits it and lists changes with the changed code; edit the code and check it with compare(before, after). ` +
	`Data are assumed to be in the first-level cache. Each answer says how far its figures can be trusted on that machine.`

// Serve answers the requests of in until its end, or until ctx ends.
func Serve(ctx context.Context, in io.Reader, out io.Writer, o Options) error {
	if o.Jobs == 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	if o.Time == 0 {
		o.Time = 20 * time.Second
	}
	if o.Log == nil {
		o.Log = io.Discard
	}
	o.Names = names
	s := &server{Options: o, jobs: make(chan struct{}, o.Jobs)}
	m := sdk.NewServer(&sdk.Implementation{Name: "incore", Title: "incore", Version: o.Version}, &sdk.ServerOptions{Instructions: instructions, Capabilities: &sdk.ServerCapabilities{}})
	m.AddReceivingMiddleware(tidied)
	s.addTools(m)
	err := m.Run(ctx, newTransport(in, out))
	if ctx.Err() != nil || errors.Is(err, errGone) {
		return nil // a signal came, or the client no longer reads
	}
	return err
}

// server holds what requests share.
type server struct {
	Options
	jobs chan struct{} // holds one element per running request
}

// described is what a client reads of a tool.
type described struct{ name, title, about string }

// add adds a tool whose answer is a value and lines of text. It is marked as one that changes nothing, unless it executes code.
func add[In, Out any](s *server, m *sdk.Server, d described, f func(context.Context, *server, In) (Out, *lines, error)) {
	closed, harmless := false, false
	t := &sdk.Tool{Name: d.name, Title: d.title, Description: d.about, Annotations: &sdk.ToolAnnotations{
		Title: d.title, ReadOnlyHint: d.name != "measure", IdempotentHint: d.name != "measure", DestructiveHint: &harmless, OpenWorldHint: &closed}}
	sdk.AddTool(m, t, func(ctx context.Context, _ *sdk.CallToolRequest, in In) (*sdk.CallToolResult, Out, error) {
		type answer struct {
			v    Out
			text *lines
		}
		a, err := limited(ctx, s, func(ctx context.Context) (a answer, err error) {
			a.v, a.text, err = f(ctx, s, in)
			return a, err
		})
		if err != nil {
			return nil, a.v, errors.New(explained(err))
		}
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: a.text.String()}}}, a.v, nil
	})
}

// limited runs f when a job is free, within the time limit. An analysis that is cancelled or takes too long is answered at once; it keeps its job until it
// has stopped.
func limited[T any](ctx context.Context, s *server, f func(context.Context) (T, error)) (v T, err error) {
	select {
	case s.jobs <- struct{}{}:
	case <-ctx.Done():
		return v, context.Cause(ctx)
	}
	ctx, cancel := context.WithTimeout(ctx, s.Time)
	defer cancel()
	type result struct {
		v   T
		err error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if p := recover(); p != nil {
				log.New(s.Log, "", 0).Printf("panic: %v\n%s", p, debug.Stack())
				r.err = errors.New("the analysis failed; this is a mistake in incore")
			}
			done <- r
			<-s.jobs
		}()
		r.v, r.err = f(ctx)
	}()
	select {
	case r := <-done:
		return r.v, r.err
	case <-ctx.Done():
		return v, context.Cause(ctx)
	}
}

// maxError is the number of bytes of an error's text, which may quote what the client sent.
const maxError = 2 << 10

// tidied takes arguments that are null, as clients send them for those that are left out, out of calls, and cuts errors that quote a long argument.
func tidied(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, q sdk.Request) (sdk.Result, error) {
		if c, ok := q.(*sdk.CallToolRequest); ok {
			var given map[string]json.RawMessage
			if json.Unmarshal(c.Params.Arguments, &given) == nil {
				maps.DeleteFunc(given, func(_ string, v json.RawMessage) bool { return string(v) == "null" })
				if data, err := json.Marshal(given); err == nil && given != nil {
					c.Params.Arguments = data
				}
			}
		}
		r, err := next(ctx, method, q)
		if c, ok := r.(*sdk.CallToolResult); ok && c != nil && c.IsError {
			for _, x := range c.Content {
				if t, ok := x.(*sdk.TextContent); ok && len(t.Text) > maxError {
					t.Text = strings.ToValidUTF8(t.Text[:maxError/2], "") + " … " + strings.ToValidUTF8(t.Text[len(t.Text)-maxError/2:], "")
				}
			}
		}
		return r, err
	}
}

// names are the tools' arguments and the tools that list machines and loops.
func names(setting string) string {
	switch setting {
	case "machines":
		return "list_machines"
	case "loops":
		return "find_loops"
	case "arch", "syntax", "function", "loop", "iterations":
		return setting
	}
	return ""
}

// explained returns an error in words, with its hint. Hints that show a request of the web API are left out.
func explained(err error) string {
	var answer *api.Error
	text := err.Error()
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "the analysis takes too long here; give the loop alone"
	case errors.As(err, &answer) && answer.Hint != "" && !strings.HasPrefix(answer.Hint, "send {"):
		text += "\nhint: " + answer.Hint
	}
	return text
}

// maxLines is the number of lines of an answer's text. The rest is in its structured content.
const maxLines = 40

// lines are the lines of an answer's text.
type lines struct{ list []string }

func (l *lines) add(format string, args ...any) {
	l.list = append(l.list, strings.Split(strings.TrimRight(fmt.Sprintf(format, args...), "\n"), "\n")...)
}

// String returns the text, cut to maxLines.
func (l *lines) String() string {
	if n := len(l.list); n > maxLines {
		return strings.Join(l.list[:maxLines-1], "\n") + fmt.Sprintf("\n… %d more lines; the structured content has all", n-maxLines+1)
	}
	return strings.Join(l.list, "\n")
}
