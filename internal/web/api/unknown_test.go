package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"testing"
)

// TestUnknown: a parameter that a request does not have is refused by its name, with those that it has; every one
// that it has is accepted.
func TestUnknown(t *testing.T) {
	o := &Options{Measure: func(context.Context, string, string) (json.RawMessage,
		error) {
		return json.RawMessage("{}"), nil
	}}
	o.Command = func(context.Context, []string) (json.RawMessage, error) { return json.RawMessage("{}"), nil }
	sound := map[string]string{
		"analyze": `"text": "nop", "arch": ["zen4"], "syntax": "att", "timeline": 0, "sensitivity": false, "what_if": [], "iterations": 0, "sources": {}`,
		"compare": `"texts": ["1: nop; jne 1b", "1: nop; jne 1b"], "names": ["a", "b"], "arch": ["zen4"], "syntax": "att", "timeline": 0`,
		"deps":    `"text": "nop", "arch": ["zen4"], "syntax": "att", "war": true, "waw": true, "may": true`,
		"explain": `"instruction": "nop", "arch": ["zen4"], "syntax": "att"`,
		"predict": `"blocks": ["nop"], "arch": ["zen4"], "syntax": "att", "progress": false`,
		"page":    `"title": "a", "document": {}`, "measure": `"text": "nop", "syntax": "att"`, "trace": `"args": ["x"]`,
		"eval": `"args": ["x"]`, "machines": "", "info": "", "words": "",
	}
	for path, params := range sound {
		if _, err := o.Answer(context.Background(), path, nil, []byte("{"+params+"}")); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		_, err := o.Answer(context.Background(), path, nil, []byte(strings.Replace(`{"archs": 1, `+params+"}", ", }",
			"}", 1)))
		var e *Error
		if !errors.As(err, &e) || e.Status != badRequest || !strings.Contains(e.Message, `"archs"`) || params != "" &&
			!strings.Contains(e.Hint, params[1:5]) {
			t.Errorf("%s with archs: %v", path, err)
		}
	}
}

// TestQuery: what the query about an object file says wrongly is refused by its name.
func TestQuery(t *testing.T) {
	for query, want := range map[string]string{
		"archs=zen4": `"archs"`, "timeline=2": "timeline is about one loop", "loop=1": "loop is about",
		"iterations=1": "iterations is about", "sensitivity=true": "sensitivity is about",
		"what_if=rob%3D2x": "what_if is about", "syntax=intel": "syntax is about", "function=f&loop=x": "loop has",
		"function=f&timeline=1.5": "timeline has", "function=f&iterations=NaN": "iterations has",
		"function=f&sensitivity=7": "sensitivity has", "function=f&loop=9223372036854775808": "loop has",
		"function=f&timeline=-1":                      "a timeline of -1",
		"timeline=0&loop=0&syntax=&sensitivity=false": "not an ELF", // defaults, and no object file
	} {
		q, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := new(Options).Answer(context.Background(), "object", q, []byte("x")); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", query, err, want)
		}
	}
}
