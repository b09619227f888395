// Package lsp is a language server for assembly text (incore lsp): hover, inlay hints, code lenses, diagnostics, completion, definitions and symbols, made of the same
// analyses as the command's reports. In source files it shows code lenses over the loops of the object file that the build made.
//
// Documents are immutable snapshots: a change makes a new one, in the order in which messages come; requests run in parallel on the snapshot that was the last when they
// came. The results of a kernel are kept by its code, so that a change costs the analysis of the changed kernels only.
package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"incore/internal/base/source"
	"incore/internal/report"
)

// Codes of errors beside those of JSON-RPC, from the protocol.
const (
	codeNotInitialized = -32002
	codeCancelled      = -32800
	codeFailed         = -32803 // the request is right, but cannot be answered
)

// server serves one editor.
type server struct {
	conn      *jsonrpc2.Conn
	log       *log.Logger
	databases databases
	binaries  binaries
	reports   string // folder of reports that were shown; "": none yet
	// settled is closed when the client has told its settings, or has none to tell: answers before would be about other machines.
	settled chan struct{}
	settle  func()

	mu        sync.Mutex
	ready     bool // initialized
	over      bool // shut down
	client    initializeParams
	settings  Settings
	told      map[string]bool // errors of these settings that were shown
	documents map[string]*document
	under     map[jsonrpc2.ID]context.CancelFunc // requests that are not answered
	group     sync.WaitGroup
}

// Serve serves an editor until it says exit or closes the stream. Mistakes of incore are written to logs. The error says why the stream ended
// otherwise.
func Serve(ctx context.Context, in io.Reader, out io.Writer, logs io.Writer) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s := &server{log: log.New(logs, "incore lsp: ", 0), settings: DefaultSettings(), told: map[string]bool{}, documents: map[string]*document{}, under: map[jsonrpc2.ID]context.CancelFunc{}}
	s.settled = make(chan struct{})
	s.settle = sync.OnceFunc(func() { close(s.settled) })
	st := newStream(in, out)
	st.gone = stop
	h := handler{s, stop, make(chan struct{})}
	s.conn = jsonrpc2.NewConn(ctx, st, h, jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	close(h.connected)
	select {
	case <-s.conn.DisconnectNotify():
	case <-ctx.Done():
	}
	stop()
	s.group.Wait()
	if s.reports != "" {
		_ = os.RemoveAll(s.reports)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if st.broken != nil {
		return st.broken
	}
	if !s.over && s.ready {
		return errors.New("the editor closed the connection without a shutdown request")
	}
	return nil
}

// handler receives the messages, one after the other.
type handler struct {
	*server
	stop context.CancelFunc
	// connected is closed when server.conn is set: messages may come before.
	connected chan struct{}
}

// Handle answers a message: notifications at once, so that changes keep their order; requests in a goroutine of their own.
func (h handler) Handle(ctx context.Context, conn *jsonrpc2.Conn, q *jsonrpc2.Request) {
	<-h.connected
	var params json.RawMessage
	if q.Params != nil {
		params = *q.Params
	}
	if q.Notif {
		h.notified(ctx, q.Method, params)
		return
	}
	prepare, ok := requests[q.Method]
	if !ok {
		h.fail(ctx, q.ID, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "no method " + q.Method})
		return
	}
	h.mu.Lock()
	ready, over := h.ready, h.over
	h.mu.Unlock()
	switch {
	case !ready && q.Method != "initialize":
		h.fail(ctx, q.ID, &jsonrpc2.Error{Code: codeNotInitialized, Message: "the first request must be initialize"})
		return
	case over:
		h.fail(ctx, q.ID, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "the server is shut down"})
		return
	}
	do, err := prepare(h.server, params) // takes the snapshot, before later changes
	if err != nil {
		h.fail(ctx, q.ID, asError(err))
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	h.mu.Lock()
	h.under[q.ID] = cancel
	h.group.Add(1)
	h.mu.Unlock()
	run := func() {
		defer h.group.Done()
		defer cancel()
		v, err := h.guarded(ctx, do)
		h.mu.Lock()
		delete(h.under, q.ID)
		h.mu.Unlock()
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		if err != nil {
			h.fail(ctx, q.ID, asError(err))
			return
		}
		_ = conn.Reply(context.WithoutCancel(ctx), q.ID, v)
	}
	if q.Method == "initialize" || q.Method == "shutdown" {
		run()
		return
	}
	go run()
}

// answer works a request out.
type answer func(ctx context.Context) (any, error)

// guarded calls a method; a panic in it is an error of this request alone.
func (s *server) guarded(ctx context.Context, do answer) (v any, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.panicked(p)
			v, err = nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: "the analysis failed; this is a mistake in incore"}
		}
	}()
	return do(ctx)
}

func (s *server) panicked(p any) { s.log.Printf("panic: %v\n%s", p, debug.Stack()) }

func (s *server) fail(ctx context.Context, id jsonrpc2.ID, e *jsonrpc2.Error) {
	_ = s.conn.ReplyWithError(context.WithoutCancel(ctx), id, e)
}

// asError converts an error of a method.
func asError(err error) *jsonrpc2.Error {
	var own *jsonrpc2.Error
	switch {
	case errors.As(err, &own):
		return own
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return &jsonrpc2.Error{Code: codeCancelled, Message: "cancelled"}
	}
	return &jsonrpc2.Error{Code: codeFailed, Message: err.Error()}
}

// badParams is the error for parameters that are not of the expected form.
func badParams(err error) error {
	if field, words, ok := source.WrongKind(err); ok {
		err = errors.New(cmp.Or(field, "the request") + " " + words)
	}
	return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
}

// capabilities are what the server tells the client at the start.
func (s *server) capabilities(utf16 bool) map[string]any {
	encoding := "utf-8"
	if utf16 {
		encoding = "utf-16"
	}
	return map[string]any{
		"capabilities": map[string]any{
			"positionEncoding":       encoding,
			"textDocumentSync":       map[string]any{"openClose": true, "change": 2, "save": true},
			"hoverProvider":          true,
			"inlayHintProvider":      true,
			"codeLensProvider":       map[string]any{},
			"completionProvider":     map[string]any{"triggerCharacters": []string{"%", ":"}},
			"definitionProvider":     true,
			"documentSymbolProvider": true,
			"executeCommandProvider": map[string]any{"commands": []string{commandReport}},
		},
		"serverInfo": map[string]any{"name": "incore", "version": report.Version},
	}
}

// initialize answers the first request.
func (s *server) initialize(params json.RawMessage) (answer, error) {
	var p initializeParams
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, badParams(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ready {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "initialize came twice"}
	}
	wrong := s.settings.merge(p.Options)
	s.client, s.ready = p, true
	if p.Capabilities.Workspace.Configuration {
		time.AfterFunc(patience, s.settle)
	} else {
		s.settle()
	}
	return func(ctx context.Context) (any, error) {
		if wrong != nil {
			s.show(ctx, wrong)
		}
		return s.capabilities(s.utf16()), nil
	}, nil
}

// patience is the time that answers wait for the settings of a client that says it has some.
const patience = 3 * time.Second

// await waits until the settings are known.
func (s *server) await(ctx context.Context) {
	select {
	case <-s.settled:
	case <-ctx.Done():
	}
}

// utf16 reports whether positions count UTF-16 units, as they do unless the client offers UTF-8.
func (s *server) utf16() bool {
	for _, e := range s.client.Capabilities.General.PositionEncodings {
		if e == "utf-8" {
			return false
		}
	}
	return true
}

// show shows an error to the user.
func (s *server) show(ctx context.Context, err error) {
	_ = s.conn.Notify(ctx, "window/showMessage", messageParams{Type: 2, Message: "incore: " + err.Error()})
}

// once shows an error to the user, unless it was shown under the settings of now.
func (s *server) once(ctx context.Context, err error) {
	s.mu.Lock()
	shown := s.told[err.Error()]
	s.told[err.Error()] = true
	s.mu.Unlock()
	if !shown {
		s.show(ctx, err)
	}
}

// configure asks the client for its settings, if it offers that.
func (s *server) configure(ctx context.Context) {
	if !s.client.Capabilities.Workspace.Configuration {
		return
	}
	limited, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	var got []json.RawMessage
	err := s.conn.Call(limited, "workspace/configuration", map[string]any{"items": []any{map[string]any{"section": "incore"}}}, &got)
	if err == nil && len(got) == 1 {
		s.set(ctx, got[0])
	}
	s.settle()
}

// set changes the settings and looks at all documents anew.
func (s *server) set(ctx context.Context, data json.RawMessage) {
	s.mu.Lock()
	before := fmt.Sprint(s.settings)
	err := s.settings.merge(data)
	changed := fmt.Sprint(s.settings) != before
	if changed {
		clear(s.told)
		for _, d := range s.documents {
			s.renew(ctx, d, d.now.text, d.now.version)
		}
	}
	s.mu.Unlock()
	if err != nil {
		s.show(ctx, err)
	}
	if changed {
		s.refresh(ctx)
	}
}

// refresh tells the client to ask for code lenses and hints again.
func (s *server) refresh(ctx context.Context) {
	w := &s.client.Capabilities.Workspace
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if w.CodeLens.RefreshSupport {
		_ = s.conn.Call(ctx, "workspace/codeLens/refresh", nil, nil)
	}
	if w.InlayHint.RefreshSupport {
		_ = s.conn.Call(ctx, "workspace/inlayHint/refresh", nil, nil)
	}
}
