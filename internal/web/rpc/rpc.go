// Package rpc answers the requests of the web API as a long-lived worker: JSON-RPC 2.0 over a pair of pipes (incore serve --stdio). Requests run in
// parallel and may be cancelled; those that wait are bounded in number and bytes. It reads no file, and executes nothing unless Options.Measure is set.
package rpc

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"incore/internal/web/api"
)

// Options configures a worker. The zero value has the defaults, which are in brackets.
type Options struct {
	api.Options
	Jobs int           // number of parallel requests [one per core]
	Time time.Duration // time limit of a request from its start [20 s]
	Log  io.Writer     // mistakes of incore; nil: none
}

// Codes of errors beside those of JSON-RPC.
const (
	codeUnusable  = -32001 // the code cannot be analysed
	codeLong      = -32002 // the time limit
	codeCancelled = -32800 // as in the Language Server Protocol
)

// Bounds of the requests that run or wait. Reading pauses at them.
const (
	maxHeld  = 64 << 20 // bytes
	overhead = 16 << 10 // bytes that a request counts in addition to its parameters
)

// Serve answers the requests of in until its end, or until ctx ends. It returns an error if the input is no stream of messages.
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
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s := &server{Options: o, stop: stop, jobs: make(chan struct{}, o.Jobs), room: newRoom(maxHeld), under: map[jsonrpc2.ID]context.CancelFunc{}}
	s.stream = &stream{in: bufio.NewReaderSize(in, lineBuffer), out: out, drain: s.group.Wait}
	conn := jsonrpc2.NewConn(ctx, s.stream, s, jsonrpc2.SetLogger(log.New(o.Log, "", 0)))
	<-conn.DisconnectNotify()
	if ctx.Err() != nil {
		return nil // the client no longer reads, or a signal came; the input may still be open
	}
	return s.stream.broken
}

// server holds the requests of one client.
type server struct {
	Options
	stream *stream
	stop   context.CancelFunc
	jobs   chan struct{} // holds one element per running request
	room   *room
	group  sync.WaitGroup // requests that are not answered

	mu    sync.Mutex
	under map[jsonrpc2.ID]context.CancelFunc // the same, with what cancels them
}

// Handle accepts a request. It waits while too many are held, and so does the reading of messages.
func (s *server) Handle(ctx context.Context, conn *jsonrpc2.Conn, q *jsonrpc2.Request) {
	params := s.stream.params
	s.stream.params = nil
	if q.Notif {
		if q.Method == "$/cancelRequest" {
			s.cancel(params)
		}
		return
	}
	if params == nil {
		params = json.RawMessage("{}")
	}
	call, known := methods[q.Method]
	if !known {
		s.fail(conn, q.ID, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "unknown method; known are " + strings.Join(s.offered(), ", ")})
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	if !s.enter(q.ID, cancel) {
		cancel()
		s.fail(conn, q.ID, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "a request with this id is under way"})
		return
	}
	size := len(params) + overhead
	s.room.enter(size)
	r := &request{server: s, conn: conn, id: q.ID, params: params, call: call, cancel: cancel, limit: s.Time}
	if slices.Contains(commands, q.Method) {
		r.limit = commandTime
	}
	go r.run(ctx, func() { s.room.leave(size) })
}

// enter records a request, unless its id is taken.
func (s *server) enter(id jsonrpc2.ID, cancel context.CancelFunc) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.under[id] != nil {
		return false
	}
	s.under[id] = cancel
	s.group.Add(1)
	return true
}

// release makes the id of a request free for others, before the client has its answer.
func (s *server) release(id jsonrpc2.ID) {
	s.mu.Lock()
	delete(s.under, id)
	s.mu.Unlock()
}

// cancel stops the request that a notification names; one that is not under way has been answered.
func (s *server) cancel(params json.RawMessage) {
	var p struct {
		ID jsonrpc2.ID `json:"id"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if stop := s.under[p.ID]; stop != nil {
		stop()
	}
}

// fail answers with an error. If nobody reads answers, the worker stops.
func (s *server) fail(conn *jsonrpc2.Conn, id jsonrpc2.ID, e *jsonrpc2.Error) {
	if conn.ReplyWithError(context.Background(), id, e) != nil {
		s.stop()
	}
}

// request is a request that waits or runs.
type request struct {
	*server
	conn   *jsonrpc2.Conn
	id     jsonrpc2.ID
	params json.RawMessage
	call   method
	cancel context.CancelFunc
	limit  time.Duration
}

// run answers the request when a job is free. An analysis that was cancelled or takes too long is answered at once; it keeps its job and its room, which
// freed gives back, until it has stopped.
func (r *request) run(ctx context.Context, freed func()) {
	defer r.group.Done()
	defer r.cancel()
	select {
	case r.jobs <- struct{}{}:
	case <-ctx.Done():
		freed()
		r.answer(nil, ctx.Err())
		return
	}
	ctx, cancel := context.WithTimeout(ctx, r.limit)
	defer cancel()
	type result struct {
		v   any
		err error
	}
	done, answered := make(chan result, 1), make(chan struct{})
	go func() {
		v, err := r.guarded(ctx)
		done <- result{v, err}
		<-answered // so that no more answers are in memory than jobs
		<-r.jobs
		freed()
	}()
	select {
	case x := <-done:
		if ctx.Err() != nil {
			x.err = ctx.Err()
		}
		r.answer(x.v, x.err)
	case <-ctx.Done():
		r.answer(nil, ctx.Err())
	}
	close(answered)
}

// guarded calls the method; a panic in it is an error of this request alone.
func (r *request) guarded(ctx context.Context) (v any, err error) {
	defer func() {
		if p := recover(); p != nil {
			log.New(r.Log, "", 0).Printf("panic: %v\n%s", p, debug.Stack())
			v, err = nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: "the analysis failed; this is a mistake in incore"}
		}
	}()
	return r.call(ctx, r)
}

func (r *request) answer(v any, err error) {
	r.release(r.id)
	if err != nil {
		r.fail(r.conn, r.id, asError(err))
		return
	}
	data, err := json.Marshal(v)
	if err != nil {
		r.fail(r.conn, r.id, &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: "the answer is no JSON: " + err.Error()})
		return
	}
	if r.conn.SendResponse(context.Background(), &jsonrpc2.Response{ID: r.id, Result: (*json.RawMessage)(&data)}) != nil {
		r.stop()
	}
}

// asError converts an error of a method. Its data are the fields of the web API's errors: hint and diagnostics.
func asError(err error) *jsonrpc2.Error {
	var own *jsonrpc2.Error
	var answer *api.Error
	switch {
	case errors.As(err, &own):
		return own
	case errors.Is(err, context.DeadlineExceeded):
		return &jsonrpc2.Error{Code: codeLong, Message: "the analysis takes too long for a worker; incore analyze has no such limit"}
	case errors.Is(err, context.Canceled):
		return &jsonrpc2.Error{Code: codeCancelled, Message: "cancelled"}
	case errors.As(err, &answer):
		e := &jsonrpc2.Error{Code: codeUnusable, Message: answer.Message}
		if answer.Status == http.StatusBadRequest || answer.Status == http.StatusRequestEntityTooLarge {
			e.Code = jsonrpc2.CodeInvalidParams
		} else if answer.Status == http.StatusForbidden {
			e.Code = jsonrpc2.CodeMethodNotFound
		}
		e.SetError(answer)
		return e
	}
	return &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: err.Error()}
}

// room is a number of bytes that requests share.
type room struct {
	mu    sync.Mutex
	freed sync.Cond
	free  int
}

func newRoom(size int) *room {
	r := &room{free: size}
	r.freed.L = &r.mu
	return r
}

// enter takes n bytes as soon as they are free.
func (r *room) enter(n int) {
	r.mu.Lock()
	for r.free < n {
		r.freed.Wait()
	}
	r.free -= n
	r.mu.Unlock()
}

func (r *room) leave(n int) {
	r.mu.Lock()
	r.free += n
	r.mu.Unlock()
	r.freed.Broadcast()
}
