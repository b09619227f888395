package rpc

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"incore/internal/web/api"
)

// Protocol is the version of the methods and their parameters.
const Protocol = 1

// method answers a request.
type method func(ctx context.Context, r *request) (any, error)

// methods are those of the worker by name. All but initialize and loops pass their parameters to the web API.
var methods = map[string]method{"loops": loops, "predict": predictions}

func init() {
	methods["initialize"] = initialize // which lists the methods
	for _, name := range []string{"info", "words", "machines", "analyze", "compare", "deps", "explain", "measure", "page", "trace", "eval"} {
		methods[name] = func(ctx context.Context, r *request) (any, error) {
			return r.Answer(ctx, name, nil, r.params)
		}
	}
}

// commands are the methods that run a command of incore with the client's arguments. They take as long as the programs that they run, up to commandTime.
var commands = []string{"trace", "eval"}

const commandTime = 30 * time.Minute

// offered are the names of the methods.
func (s *server) offered() []string {
	names := slices.Sorted(maps.Keys(methods))
	if s.Measure == nil {
		names = slices.DeleteFunc(names, func(name string) bool { return name == "measure" || slices.Contains(commands, name) })
	}
	return names
}

// Offer is the answer to initialize: the version of the protocol, which both sides know, the methods and the limits.
type Offer struct {
	Name       string   `json:"name"`
	Version    string   `json:"version"`
	Protocol   int      `json:"protocol"`
	Methods    []string `json:"methods"`
	MaxText    int      `json:"max_text"`    // bytes of the parameters of a method other than loops
	MaxObject  int      `json:"max_object"`  // bytes of an object file
	MaxMessage int      `json:"max_message"` // bytes
	Parallel   int      `json:"parallel"`    // requests that run at the same time
	Seconds    float64  `json:"seconds"`     // time limit of a request
}

// initialize agrees on the version of the protocol. A client need not call it.
func initialize(_ context.Context, r *request) (any, error) {
	var p struct {
		Protocols []int `json:"protocols"`
	}
	if err := api.Decode(r.params, &p, `{"protocols": [1]}`); err != nil {
		return nil, err
	}
	if len(p.Protocols) > 0 && !slices.Contains(p.Protocols, Protocol) {
		return nil, invalid(fmt.Sprintf("no common version of the protocol; known is %d", Protocol))
	}
	o := &Offer{Name: "incore", Version: r.Version, Protocol: Protocol, Methods: r.offered(), MaxText: r.MaxText,
		MaxObject: api.MaxObject, MaxMessage: maxMessage, Parallel: r.Jobs, Seconds: r.Time.Seconds()}
	if o.MaxText == 0 {
		o.MaxText = api.MaxText
	}
	return o, nil
}

func invalid(text string) error {
	return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: text}
}

// predictions answers predict, with notifications of progress if these are asked for.
func predictions(ctx context.Context, r *request) (any, error) {
	var p struct {
		Progress bool `json:"progress"`
	}
	if len(r.params) <= api.MaxText { // a longer request is refused by the API, and so are wrong parameters
		_ = json.Unmarshal(r.params, &p)
	}
	return r.reporting(ctx, p.Progress).Answer(ctx, "predict", nil, r.params)
}

// loops lists the loops of an object file, or reports on one of them. The API takes the file as it is and the rest as a query.
func loops(ctx context.Context, r *request) (any, error) {
	var p struct {
		Object   []byte   `json:"object"` // base64
		Name     string   `json:"name"`
		Arch     []string `json:"arch"`
		Function string   `json:"function"`
		Progress bool     `json:"progress"`

		Loop        *int     `json:"loop"`
		Syntax      *string  `json:"syntax"`
		Timeline    *int     `json:"timeline"`
		Iterations  *int     `json:"iterations"`
		Sensitivity *bool    `json:"sensitivity"`
		WhatIf      []string `json:"what_if"`
	}
	if err := api.Decode(r.params, &p, `{"object": "the file in base64", "arch": ["zen4"]}`); err != nil {
		return nil, err
	}
	if len(p.Object) == 0 {
		return nil, invalid("there is no object; send the file in base64")
	}
	query := url.Values{"name": {p.Name}, "arch": {strings.Join(p.Arch, ",")}, "function": {p.Function}}
	add(query, "loop", p.Loop)
	add(query, "syntax", p.Syntax)
	add(query, "timeline", p.Timeline)
	add(query, "iterations", p.Iterations)
	add(query, "sensitivity", p.Sensitivity)
	for _, question := range p.WhatIf {
		query.Add("what_if", question)
	}
	return r.reporting(ctx, p.Progress).Answer(ctx, "object", query, p.Object)
}

// add adds a parameter that was given to a query.
func add[T any](query url.Values, name string, value *T) {
	if value != nil {
		query.Set(name, fmt.Sprint(*value))
	}
}

// Progress is what a notification "$/progress" says of a request.
type Progress struct {
	ID    jsonrpc2.ID `json:"id"`
	Done  int         `json:"done"`
	Total int         `json:"total"`
}

// pause is the least time between two notifications of a request.
const pause = 100 * time.Millisecond

// reporting returns the API with progress sent to the client, if it asked for that.
func (r *request) reporting(ctx context.Context, asked bool) *api.Options {
	o := r.Options.Options
	if !asked {
		return &o
	}
	var mu sync.Mutex
	var last time.Time
	most := -1
	o.Progress = func(done, total int) {
		mu.Lock()
		defer mu.Unlock()
		if ctx.Err() != nil || done <= most || done < total && time.Since(last) < pause {
			return
		}
		most, last = done, time.Now()
		if r.conn.Notify(ctx, "$/progress", Progress{r.id, done, total}) != nil {
			r.stop()
		}
	}
	return &o
}
