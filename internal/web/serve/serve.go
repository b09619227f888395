// Package serve serves the web page and its API over HTTP. A request has assembly text or an object file, the answer is the document of the corresponding command. The package
// executes no program, unless compilers are allowed, reads no file, and bounds the cost of a request.
package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"incore/internal/report"
	"incore/internal/web/api"
)

// Options bounds the cost of requests. The zero value has the defaults, which are in brackets.
type Options struct {
	api.Options
	Jobs    int           // number of parallel analyses [one per core]
	Waiting int           // number of waiting requests; more are refused [64]
	Wait    time.Duration // time limit of a request, waiting included [20 s]
	Compile Compiler      // nil: sources are refused
	Hosts   []string      // names under which the server is asked for, beside addresses, localhost and this machine's name
	Log     io.Writer     // a line for each request; nil: none
}

func (o *Options) defaults() {
	if o.Jobs == 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	if o.Waiting == 0 {
		o.Waiting = 64
	}
	if o.Wait == 0 {
		o.Wait = 20 * time.Second
	}
	if o.MaxText == 0 {
		o.MaxText = api.MaxText
	}
}

// server answers requests.
type server struct {
	Options
	jobs    chan struct{} // holds one element per running analysis
	queue   chan struct{} // holds one element per running or waiting request
	objects chan struct{} // holds one element per request about an object file
	held    atomic.Int64  // bytes of requests in memory
	log     *log.Logger
}

// Handler returns the handler of the page, its parts and its API.
func Handler(o Options) http.Handler {
	o.defaults()
	s := &server{Options: o, jobs: make(chan struct{}, o.Jobs), queue: make(chan struct{}, o.Jobs+o.Waiting), objects: make(chan struct{}, 2), log: log.New(io.Discard, "", 0)}
	if o.Log != nil {
		s.log = log.New(o.Log, "", log.LstdFlags)
	}
	mux := http.NewServeMux()
	for _, p := range parts(false) {
		path := "/" + p.name
		if p.name == "index.html" {
			path = "/{$}"
		}
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", p.kind)
			_, _ = w.Write(p.data)
		})
	}
	calls := map[string]string{} // the API's paths → their method
	for _, path := range []string{"info", "words", "machines"} {
		calls["/api/"+path] = http.MethodGet
		mux.HandleFunc("GET /api/"+path, func(w http.ResponseWriter, r *http.Request) {
			v, err := o.Answer(r.Context(), path, nil, nil)
			reply(w, v, err)
		})
	}
	for path, limit := range map[string]int{"analyze": o.MaxText, "predict": o.MaxText, "compare": o.MaxText, "explain": o.MaxText, "object": api.MaxObject, "compile": o.MaxText} {
		calls["/api/"+path] = http.MethodPost
		mux.HandleFunc("POST /api/"+path, func(w http.ResponseWriter, r *http.Request) { s.post(w, r, path, limit) })
	}
	mux.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) { refuse(w, r, calls) })
	return s.guard(mux)
}

// refuse answers a request that the API does not have, as the API answers: in JSON.
func refuse(w http.ResponseWriter, r *http.Request, calls map[string]string) {
	if method := calls[r.URL.Path]; method != "" {
		w.Header().Set("Allow", method)
		reply(w, nil, &api.Error{Status: http.StatusMethodNotAllowed, Message: fmt.Sprintf("%s takes %s, not %.20s", r.URL.Path, method, r.Method)})
		return
	}
	reply(w, nil, &api.Error{Status: http.StatusNotFound, Message: fmt.Sprintf("no such request: %.100s", r.URL.Path),
		Hint: "there are " + strings.Join(slices.Sorted(maps.Keys(calls)), ", ")})
}

// policy is the page's Content-Security-Policy: the page may load its own parts and send requests to this server.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'"

// guard sets the common headers of answers, logs a line for each request, and recovers from panics of a request.
func (s *server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy+"; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-cache")
		rec := &recorder{ResponseWriter: w, status: http.StatusOK}
		begin := time.Now()
		defer func() {
			if p := recover(); p != nil {
				s.log.Printf("panic: %v\n%s", p, debug.Stack())
				if !rec.wrote {
					reply(rec, nil, errMistake)
				}
			}
			s.log.Printf("%s %q %d %d bytes %v", r.Method, r.URL.Path, rec.status, rec.bytes, time.Since(begin).Round(time.Millisecond))
		}()
		if err := s.foreign(r); err != nil {
			reply(rec, nil, err)
			return
		}
		zip := zipped(rec, r)
		defer zip.close()
		next.ServeHTTP(zip, r)
	})
}

// recorder records the status of the answer.
type recorder struct {
	http.ResponseWriter
	status, bytes int
	wrote         bool
}

func (r *recorder) WriteHeader(status int) {
	r.status, r.wrote = status, true
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(b []byte) (int, error) {
	r.wrote = true
	n, err := r.ResponseWriter.Write(b)
	r.bytes += n
	return n, err
}

// Unwrap is for http.ResponseController.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// reply answers with a document, or with an error and a hint.
func reply(w http.ResponseWriter, v any, err error) {
	status := http.StatusOK
	if err != nil {
		e := &api.Error{Status: http.StatusInternalServerError, Message: err.Error()}
		errors.As(err, &e)
		status, v = e.Status, e
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
	}
	w.WriteHeader(status)
	_ = report.JSON(w, v) // an error means that the client has disconnected
}

func unavailable(message string) *api.Error {
	return &api.Error{Status: http.StatusServiceUnavailable, Message: message}
}

var (
	errBusy    = unavailable("too many requests wait already; try again")
	errNoTurn  = unavailable("no turn came in time; try again")
	errLong    = unavailable("the analysis takes too long for a web page; incore analyze has no such limit")
	errMistake = &api.Error{Status: http.StatusInternalServerError, Message: "the analysis failed; this is a mistake in incore"}
)

// drained is the number of bytes of a too large request that are read and discarded.
const drained = 16 << 20

// post reads a request, queues it, and answers it when an analysis is free. A client that is slow to send takes no place in the queue.
func (s *server) post(w http.ResponseWriter, r *http.Request, path string, limit int) {
	if r.ContentLength > int64(limit) {
		_, _ = io.CopyN(io.Discard, r.Body, drained) // otherwise the client, which is still sending, would not see the answer
		reply(w, nil, s.TooLarge(limit))
		return
	}
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); path != "object" && kind != "application/json" {
		reply(w, nil, errKind)
		return
	}
	body, err := s.body(w, r, limit)
	defer s.held.Add(-int64(cap(body)))
	if err != nil {
		reply(w, nil, err)
		return
	}
	left, err := s.enter(path)
	if err != nil {
		reply(w, nil, err)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.Wait)
	defer cancel()
	v, err := s.run(ctx, left, path, r.URL.Query(), body)
	reply(w, v, err)
}

var errKind = &api.Error{Status: http.StatusUnsupportedMediaType, Message: "the request is not of the type application/json", Hint: "curl --json sends it so"}

// Bounds of the bodies of requests.
const (
	maxHeld  = 128 << 20 // bytes in memory, of all requests together
	bodyTime = 10 * time.Second
)

// body reads the body of a request: in time, and as long as those of all requests have room in memory. The caller gives its capacity back.
// After a body that did not come the time limit stays, or the server would wait for its rest before it sends the answer.
func (s *server) body(w http.ResponseWriter, r *http.Request, limit int) (body []byte, err error) {
	c := http.NewResponseController(w)
	_ = c.SetReadDeadline(time.Now().Add(bodyTime)) // recorders of tests have none
	for {
		if len(body) == cap(body) {
			more := max(4<<10, cap(body))
			if s.held.Add(int64(more)) > maxHeld {
				s.held.Add(-int64(more))
				return body, errBusy
			}
			body = append(make([]byte, 0, cap(body)+more), body...)
		}
		n, err := r.Body.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case len(body) > limit:
			return body, s.TooLarge(limit)
		case err == io.EOF:
			_ = c.SetReadDeadline(time.Time{})
			return body, nil
		case err != nil:
			return body, &api.Error{Status: http.StatusBadRequest, Message: "the request did not come whole, or not in time"}
		}
	}
}

// enter takes a place in the queue; left gives it back.
func (s *server) enter(path string) (left func(), err error) {
	select {
	case s.queue <- struct{}{}:
	default:
		return nil, errBusy
	}
	if path != "object" {
		return func() { <-s.queue }, nil
	}
	select {
	case s.objects <- struct{}{}:
		return func() { <-s.objects; <-s.queue }, nil
	default:
		<-s.queue
		return nil, errBusy
	}
}

// run answers a request when an analysis is free. The analysis stops when ctx ends, because the client has disconnected or the time limit is reached. The request keeps its
// slot until the analysis has stopped, which left reports.
func (s *server) run(ctx context.Context, left func(), path string, query url.Values, body []byte) (any, error) {
	select {
	case s.jobs <- struct{}{}:
	case <-ctx.Done():
		left()
		return nil, errNoTurn
	}
	type result struct {
		v   any
		err error
	}
	done := make(chan result, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				s.log.Printf("panic: %v\n%s", p, debug.Stack())
				done <- result{nil, errMistake}
			}
			<-s.jobs
			left()
		}()
		var r result
		if path == "compile" {
			r.v, r.err = s.compile(ctx, body)
		} else {
			r.v, r.err = s.Answer(ctx, path, query, body)
		}
		done <- r
	}()
	select {
	case r := <-done:
		return r.v, r.err
	case <-ctx.Done():
		return nil, errLong
	}
}

// Compiler compiles a source to assembly: it runs one of the named compilers with options.
type Compiler func(ctx context.Context, compiler string, options []string, source []byte) (text string, messages string, err error)
