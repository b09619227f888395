// Package serve is the web page and its API: assembly text comes in, the document of `incore analyze --format json` goes out. It executes nothing and
// reads no file; what a request may cost is bounded.
package serve

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"incore/internal/analyze"
	"incore/internal/machine"
	"incore/internal/page"
	"incore/internal/report"
	"incore/internal/source"
)

var (
	//go:embed index.html
	index []byte
	//go:embed app.js
	app []byte
)

// Example is a text that the page offers.
type Example struct {
	Name string `json:"name"`
	Arch string `json:"arch,omitempty"`
	Text string `json:"text"`
}

// Options bound what a request may take. The zero value has the defaults.
type Options struct {
	MaxBytes int64         // of a request [1 MiB]
	Archs    int           // machines of a request [8]
	Jobs     int           // analyses at a time [one a core]
	Waiting  int           // requests that wait for one; more are refused [64]
	Wait     time.Duration // for which a request waits for its turn and its answer [20 s]
	Version  string
	Machine  string // that the page begins with
	Examples []Example
	Log      io.Writer // a line for each request; nil: none
}

func (o *Options) defaults() {
	if o.MaxBytes == 0 {
		o.MaxBytes = 1 << 20
	}
	if o.Archs == 0 {
		o.Archs = 8
	}
	if o.Jobs == 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	if o.Waiting == 0 {
		o.Waiting = 64
	}
	if o.Wait == 0 {
		o.Wait = 20 * time.Second
	}
	if o.Machine == "" {
		o.Machine = "zen4"
	}
	if o.Examples == nil {
		o.Examples = builtin
	}
}

// server answers requests.
type server struct {
	Options
	jobs  chan struct{} // holds one of each analysis that runs
	queue chan struct{} // and of each request that runs or waits
}

// Handler is the page, its parts and its API.
func Handler(o Options) http.Handler {
	o.defaults()
	s := &server{o, make(chan struct{}, o.Jobs), make(chan struct{}, o.Jobs+o.Waiting)}
	mux := http.NewServeMux()
	for path, part := range map[string]struct {
		kind string
		data []byte
	}{"/{$}": {"text/html; charset=utf-8", index}, "/app.js": {"text/javascript; charset=utf-8", app}, "/view.js": {"text/javascript; charset=utf-8", page.View}, "/style.css": {"text/css; charset=utf-8", page.Style}} {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", part.kind)
			_, _ = w.Write(part.data)
		})
	}
	mux.HandleFunc("GET /api/info", s.info)
	mux.HandleFunc("POST /api/analyze", s.analyze)
	return s.guard(mux)
}

// guard sets what every answer has, logs a line for each request, and keeps the server alive whatever one does.
func (s *server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-cache")
		rec := &recorder{ResponseWriter: w, status: http.StatusOK}
		begin := time.Now()
		defer func() {
			if p := recover(); p != nil {
				if s.Log != nil {
					fmt.Fprintf(s.Log, "panic: %v\n%s", p, debug.Stack())
				}
				if !rec.wrote {
					fail(rec, http.StatusInternalServerError, "the analysis failed; this is a mistake in incore", "")
				}
			}
			if s.Log != nil {
				log.New(s.Log, "", log.LstdFlags).Printf("%s %q %d %d bytes %v", r.Method, r.URL.Path, rec.status, rec.bytes, time.Since(begin).Round(time.Millisecond))
			}
		}()
		next.ServeHTTP(rec, r)
	})
}

// recorder remembers what was answered.
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

// fail answers with an error and a hint.
func fail(w http.ResponseWriter, status int, message, hint string) {
	answer(w, status, map[string]string{"error": message, "hint": hint})
}

func answer(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = report.JSON(w, v) // an error is the client's going away
}

// info says what the page offers.
func (s *server) info(w http.ResponseWriter, _ *http.Request) {
	type entry struct {
		Name  string `json:"name"`
		Title string `json:"title"`
	}
	var list []entry
	for _, m := range machine.All() {
		list = append(list, entry{m.Name, m.Title})
	}
	answer(w, http.StatusOK, map[string]any{"machines": list, "machine": s.Machine, "examples": s.Examples, "version": s.Version})
}

// request is what is to be analysed.
type request struct {
	Text     string   `json:"text"`
	Arch     []string `json:"arch"`
	Syntax   string   `json:"syntax"`
	Timeline int      `json:"timeline"` // iterations
}

// maxTimeline is the number of iterations that a timeline may follow.
const maxTimeline = 20

func (s *server) analyze(w http.ResponseWriter, r *http.Request) {
	var q request
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.MaxBytes))
	if err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			fail(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("the request has more than %d bytes", s.MaxBytes), "send the loop alone, or use incore analyze")
		} else {
			fail(w, http.StatusBadRequest, "the request did not come whole", "")
		}
		return
	}
	if err := json.Unmarshal(body, &q); err != nil {
		fail(w, http.StatusBadRequest, "the request is no JSON object: "+err.Error(), `send {"text": "…", "arch": ["zen4"]}`)
		return
	}
	switch {
	case strings.TrimSpace(q.Text) == "":
		fail(w, http.StatusBadRequest, "there is no text", `send {"text": "…", "arch": ["zen4"]}`)
		return
	case len(q.Arch) > s.Archs:
		fail(w, http.StatusBadRequest, fmt.Sprintf("%d machines; at most %d at a time", len(q.Arch), s.Archs), "")
		return
	case q.Timeline < 0 || q.Timeline > maxTimeline:
		fail(w, http.StatusBadRequest, fmt.Sprintf("a timeline of %d iterations; 0 to %d", q.Timeline, maxTimeline), "")
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), s.Wait)
	defer cancel()
	doc, status, err := s.run(ctx, &q)
	if err != nil {
		message, hint := err.Error(), ""
		if list := analyze.Diagnostics(err); len(list) > 0 {
			var lines []string
			for _, d := range list {
				m := d.Message
				if d.Line > 0 {
					m = fmt.Sprintf("line %d: %s", d.Line, m)
				}
				lines = append(lines, m)
			}
			message, hint = strings.Join(lines, "\n"), list[0].Hint
		}
		fail(w, status, message, hint)
		return
	}
	answer(w, http.StatusOK, doc)
}

// errBusy is that too many requests wait already.
var errBusy = errors.New("too many requests wait already; try again")

// run analyses when its turn comes. An analysis that takes longer than the request waits goes on, and keeps its place until it has ended.
func (s *server) run(ctx context.Context, q *request) (*report.Document, int, error) {
	select {
	case s.queue <- struct{}{}:
	default:
		return nil, http.StatusServiceUnavailable, errBusy
	}
	select {
	case s.jobs <- struct{}{}:
	case <-ctx.Done():
		<-s.queue
		return nil, http.StatusServiceUnavailable, errors.New("no turn came in time; try again")
	}
	type result struct {
		doc *report.Document
		err error
	}
	done := make(chan result, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				if s.Log != nil {
					fmt.Fprintf(s.Log, "panic: %v\n%s", p, debug.Stack())
				}
				done <- result{nil, errors.New("the analysis failed; this is a mistake in incore")}
			}
			<-s.jobs
			<-s.queue
		}()
		f, err := source.New("text", []byte(q.Text))
		if err != nil {
			done <- result{nil, err}
			return
		}
		doc, err := analyze.Run(f, analyze.Options{Archs: q.Arch, Syntax: q.Syntax, Version: s.Version, Questions: analyze.Questions{Timeline: q.Timeline, TimelineFrom: -1}})
		done <- result{doc, err}
	}()
	select {
	case r := <-done:
		return r.doc, http.StatusUnprocessableEntity, r.err
	case <-ctx.Done():
		return nil, http.StatusServiceUnavailable, errors.New("the analysis takes too long for a web page; incore analyze has no such limit")
	}
}
