// Package api answers the requests of the web page. A request is JSON or an uploaded object file, the answer is the document of the corresponding command.
// The package does not use HTTP, so that the server and the WebAssembly build give the same answers. It executes no program, reads no file and bounds the size
// of every request.
package api

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"incore/internal/analyze"
	"incore/internal/base/source"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
	"incore/internal/object"
	"incore/internal/report"
	"incore/internal/report/compare"
)

// Bounds of requests.
const (
	MaxText     = 1 << 20 // bytes of a request with text
	MaxObject   = 8 << 20 // bytes of an object file
	maxExpanded = 8 * MaxObject
	maxArchs    = 8
	maxTimeline = 20 // iterations
	// MaxWork is the number of instructions of a request, counted for each machine. A document has up to 10 KB for each.
	MaxWork   = 50_000
	simulated = 20 // loops of an object file that are simulated for its list of loops
)

// Error is the answer to a request that failed, with its HTTP status.
type Error struct {
	Status      int                 `json:"-"`
	Message     string              `json:"error"`
	Hint        string              `json:"hint,omitempty"`
	Diagnostics []report.Diagnostic `json:"diagnostics,omitempty"` // with lines of the text
}

func (e *Error) Error() string { return e.Message }

// The HTTP statuses of errors.
const (
	badRequest    = 400
	forbidden     = 403
	notFound      = 404
	tooLarge      = 413
	unprocessable = 422
)

// Options configures the answers and the offer of the page.
type Options struct {
	Version  string
	Machine  string       // the machines that the page selects at first, separated by commas
	Examples []Example    // nil: the built-in examples
	Compiles []string     // names of the compilers that compile sources; none: sources are refused
	MaxText  int          // bytes of a request with text; 0: the constant MaxText
	MaxArchs int          // machines of a request; 0: 8
	Names    source.Names // of the fields of requests and of other requests, in errors; nil: those of this package
	Guard    *Guard       // bounds the memory of requests; nil: no bound
	// Measure, if not nil, runs a text on this machine and returns what 'incore measure --format json' writes. nil: nothing is executed.
	Measure func(ctx context.Context, text, syntax string) (json.RawMessage, error)
	// Command, if not nil, runs a command of incore, which runs programs, and returns its output in JSON.
	Command func(ctx context.Context, args []string) (json.RawMessage, error)
	// Progress, if not nil, is told of the parts of a request that are done: blocks of a batch, functions of an object file.
	Progress func(done, total int)
}

// Answer answers a request, given its path ("info", "words", "machines", "analyze", "deps", "predict", "compare", "explain", "page", "measure", "trace", "eval", "object"), the query parameters of its URL and its body. The error is an *Error.
// An analysis stops when ctx ends; the caller must then discard the answer.
func (o *Options) Answer(ctx context.Context, path string, query url.Values, body []byte) (any, error) {
	ctx, left := o.Guard.enter(ctx)
	defer left()
	v, err := o.answer(ctx, path, query, body)
	if context.Cause(ctx) == errMemory {
		return nil, errMemory
	}
	return v, err
}

func (o *Options) answer(ctx context.Context, path string, query url.Values, body []byte) (any, error) {
	switch path {
	case "info", "words", "machines":
		if len(body) > 0 {
			if err := o.decode(body, &struct{}{}, "{}"); err != nil {
				return nil, err
			}
		}
		switch path {
		case "info":
			return o.info(), nil
		case "words":
			return words(), nil
		}
		return machines(), nil
	case "analyze":
		return o.analyze(ctx, body)
	case "deps":
		return o.deps(ctx, body)
	case "predict":
		return o.predict(ctx, body)
	case "compare":
		return o.compare(ctx, body)
	case "explain":
		return o.explain(body)
	case "page":
		return o.page(body)
	case "measure":
		return o.measure(ctx, body)
	case "trace", "eval":
		return o.command(ctx, path, body)
	case "object":
		return o.object(ctx, query, body)
	}
	return nil, &Error{Status: notFound, Message: "there is no " + strconv.Quote(path)}
}

// Info lists the machines, examples and compilers that the page offers, and the limits of requests.
type Info struct {
	Version  string        `json:"version"`
	Machine  string        `json:"machine"`
	Machines []MachineName `json:"machines"`
	Examples []Example     `json:"examples"`
	Compiles []string      `json:"compilers"`
	MaxText  int           `json:"max_text"`
	Object   int           `json:"max_object"`
}

// MachineName names a machine that a request may select.
type MachineName struct {
	Name    string   `json:"name"`
	Title   string   `json:"title"`
	ISA     string   `json:"isa"`
	Aliases []string `json:"aliases,omitempty"`
}

func (o *Options) info() *Info {
	out := &Info{Version: o.Version, Machine: o.Machine, Examples: o.Examples, Compiles: o.Compiles, MaxText: o.maxText(), Object: MaxObject}
	if out.Compiles == nil {
		out.Compiles = []string{}
	}
	if out.Machine == "" {
		out.Machine = "zen4"
	}
	if out.Examples == nil {
		out.Examples = Examples()
	}
	for _, m := range machine.All() {
		out.Machines = append(out.Machines, MachineName{m.Name, m.Title, m.ISA, m.Aliases})
	}
	return out
}

func (o *Options) maxText() int {
	if o.MaxText > 0 {
		return o.MaxText
	}
	return MaxText
}

// words returns the mnemonics of each instruction set, for completion in the editor.
func words() map[string][]string {
	out := map[string][]string{}
	for _, a := range catalog.ISAs() {
		out[a.Name] = Mnemonics(a)
	}
	return out
}

// Mnemonics returns the mnemonics of an instruction set that a user may write, in lower case and sorted.
func Mnemonics(a *isa.ISA) (out []string) {
	for i := range a.Match.Mnemonics() {
		if m := a.Match.MnemonicAt(i); m != "" && !strings.ContainsAny(m, " {}$") {
			out = append(out, strings.ToLower(m))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// settings are the options of an analysis, which every kind of request may state.
type settings struct {
	Arch        []string `json:"arch"`
	Syntax      string   `json:"syntax"`
	Timeline    int      `json:"timeline"` // iterations
	Sensitivity bool     `json:"sensitivity"`
	WhatIf      []string `json:"what_if"`
	Iterations  int      `json:"iterations"` // of a loop that is entered anew each time; 0: not asked
	// Sources maps the names in .file directives to the texts of source files, which a report quotes; no file is read.
	Sources map[string]string `json:"sources"`
}

// maxQuestions is the number of what-if questions that a request may ask: each costs one analysis.
const maxQuestions = 8

func (o *Options) check(s *settings) error {
	most := o.MaxArchs
	if most == 0 {
		most = maxArchs
	}
	switch {
	case len(s.Arch) > most:
		return &Error{Status: badRequest, Message: fmt.Sprintf("%d machines; at most %d at a time", len(s.Arch), most)}
	case s.Timeline < 0 || s.Timeline > maxTimeline:
		return &Error{Status: badRequest, Message: fmt.Sprintf("a timeline of %d iterations; 0 to %d", s.Timeline, maxTimeline)}
	case s.Iterations < 0 || s.Iterations > analyze.MaxIterations:
		return &Error{Status: badRequest, Message: fmt.Sprintf("%d iterations; 1 to %d, or 0 for none", s.Iterations, analyze.MaxIterations)}
	case len(s.WhatIf) > maxQuestions:
		return &Error{Status: badRequest, Message: fmt.Sprintf("%d questions; at most %d at a time", len(s.WhatIf), maxQuestions)}
	}
	return nil
}

func (o *Options) options(ctx context.Context, s *settings) analyze.Options {
	var lines *source.Listing
	if len(s.Sources) > 0 {
		lines = &source.Listing{Read: source.Given(s.Sources)}
	}
	return analyze.Options{Context: ctx, Listing: lines, Archs: s.Arch, Syntax: s.Syntax, Version: o.Version, Most: MaxWork, Questions: analyze.Questions{Timeline: s.Timeline, TimelineFrom: -1, Sensitivity: s.Sensitivity, WhatIf: s.WhatIf, Iterations: s.Iterations}}
}

// decode reads a request in JSON.
func (o *Options) decode(body []byte, into any, example string) error {
	if len(body) > o.maxText() {
		return o.TooLarge(o.maxText())
	}
	return Decode(body, into, example)
}

// Decode reads the parameters of a request in JSON. A parameter that into, a pointer to a structure, lacks is an
// error, as it would have no effect.
func Decode(body []byte, into any, example string) error {
	err := json.Unmarshal(body, into)
	if field, words, ok := source.WrongKind(err); ok {
		name := cmp.Or(strings.ToLower(field[strings.LastIndexByte(field, '.')+1:]), "the request") // less the names of embedded structures
		return &Error{Status: badRequest, Message: name + " " + words, Hint: "send " + example}
	}
	given := map[string]json.RawMessage{}
	if err == nil {
		err = json.Unmarshal(body, &given)
	}
	switch wrong := base64.CorruptInputError(0); {
	case errors.As(err, &wrong):
		return &Error{Status: badRequest, Message: "a file is not in base64: " + err.Error(), Hint: "send " + example}
	case err != nil:
		return &Error{Status: badRequest, Message: "the request is not a JSON object: " + err.Error(), Hint: "send " + example}
	}
	return unknown(slices.Sorted(maps.Keys(given)), parameters(reflect.TypeOf(into).Elem()))
}

// unknown is the error about the first of the given parameters that is none of the known ones, whose names
// encoding/json compares without regard to case.
func unknown(given, known []string) error {
	for _, name := range given {
		if slices.ContainsFunc(known, func(k string) bool { return strings.EqualFold(k, name) }) {
			continue
		}
		e := &Error{Status: badRequest, Message: fmt.Sprintf("unknown parameter %.60q", name),
			Hint: "there are no parameters"}
		if len(known) > 0 {
			e.Hint = "known are " + strings.Join(known, ", ")
		}
		return e
	}
	return nil
}

// parameters are the names in JSON of a structure's fields.
func parameters(t reflect.Type) (names []string) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous:
			names = append(names, parameters(f.Type)...)
		case name != "-":
			names = append(names, cmp.Or(name, strings.ToLower(f.Name)))
		}
	}
	return names
}

// TooLarge returns the answer to a request of more than limit bytes.
func (o *Options) TooLarge(limit int) error {
	return &Error{Status: tooLarge, Message: fmt.Sprintf("the request has more than %d bytes", limit), Hint: "send the loop alone, or use incore analyze"}
}

const exampleRequest = `{"text": "…", "arch": ["zen4"]}`

// checkText checks a request about a text.
func (o *Options) checkText(text string, s *settings) error {
	if strings.TrimSpace(text) == "" {
		return &Error{Status: badRequest, Message: "there is no text", Hint: "send " + exampleRequest}
	}
	return o.check(s)
}

func (o *Options) analyze(ctx context.Context, body []byte) (any, error) {
	var q struct {
		Text string `json:"text"`
		settings
	}
	if err := o.decode(body, &q, exampleRequest); err != nil {
		return nil, err
	}
	if err := o.checkText(q.Text, &q.settings); err != nil {
		return nil, err
	}
	d, err := o.document(ctx, "text", q.Text, MaxWork, &q.settings)
	if err != nil {
		return nil, err
	}
	return d, nil
}

// document analyses a text; most is the number of its instructions, counted for each machine.
func (o *Options) document(ctx context.Context, name, text string, most int, s *settings) (*report.Document, error) {
	f, err := source.New(name, []byte(text))
	if err != nil {
		return nil, o.inText(name, err)
	}
	opts := o.options(ctx, s)
	opts.Most = most
	d, err := analyze.Run(f, opts)
	if err != nil {
		return nil, o.inText(name, err)
	}
	return d, nil
}

// fields are the settings that requests have.
func fields(setting string) string {
	if setting == "arch" || setting == "syntax" || setting == "iterations" {
		return setting
	}
	return ""
}

// inText converts an error about a text to an answer.
func (o *Options) inText(name string, err error) error {
	names := o.Names
	if names == nil {
		names = fields
	}
	list := analyze.Diagnostics(err, names)
	var lines []string
	for i := range list {
		lines = append(lines, placed(name, &list[i]))
	}
	return &Error{Status: unprocessable, Message: strings.Join(lines, "\n"), Hint: list[0].Hint, Diagnostics: list}
}

// placed returns the message of a diagnostic with its place.
func placed(name string, d *report.Diagnostic) string {
	m := d.Message
	if d.Line > 0 {
		m = fmt.Sprintf("line %d: %s", d.Line, m)
	}
	if name == "text" {
		return Sentence("the text", m)
	}
	if s := Sentence(name, m); s != m {
		return s
	}
	return name + ": " + m
}

// Sentence puts a subject in front of a message that is a predicate, as those about a whole text are: "is empty".
func Sentence(subject, message string) string {
	if strings.HasPrefix(message, "is ") || strings.HasPrefix(message, "has ") {
		return subject + " " + message
	}
	return message
}

// versionNames are the names of the texts of a comparison, in their order.
var versionNames = []string{"A", "B", "C", "D"}

// Compared is a comparison together with the reports that it compares.
type Compared struct {
	*compare.Comparison
	Documents []*report.Document `json:"documents"`
}

func (o *Options) compare(ctx context.Context, body []byte) (any, error) {
	var q struct {
		Texts []string `json:"texts"`
		Names []string `json:"names"` // of the texts, in the answer and its errors; default: A, B, …
		settings
	}
	if err := o.decode(body, &q, `{"texts": ["…", "…"], "arch": ["zen4"]}`); err != nil {
		return nil, err
	}
	if len(q.Texts) < 2 || len(q.Texts) > len(versionNames) {
		text := fmt.Sprintf("%s; 2 to %d can be compared", report.Counted(len(q.Texts), "text"), len(versionNames))
		return nil, &Error{Status: badRequest, Message: text}
	}
	if err := o.check(&q.settings); err != nil {
		return nil, err
	}
	names := versionNames[:len(q.Texts)]
	if len(q.Names) > 0 {
		names = q.Names
	}
	if len(names) != len(q.Texts) {
		text := fmt.Sprintf("%s of %d texts", report.Counted(len(names), "name"), len(q.Texts))
		return nil, &Error{Status: badRequest, Message: text}
	}
	var docs []*report.Document
	for i, text := range q.Texts {
		d, err := o.document(ctx, names[i], text, MaxWork/len(q.Texts), &q.settings)
		if err != nil {
			return nil, err
		}
		docs = append(docs, d)
		if a, b := docs[0].Input.ISA, d.Input.ISA; a != b {
			return nil, &Error{Status: unprocessable, Message: fmt.Sprintf("%s is %s code and %s is %s: their loops cannot be matched on one machine", names[0], a, names[i], b)}
		}
	}
	return &Compared{compare.Of(names, docs, -1), docs}, nil
}

// object lists the loops of an object file, or reports on one of them where function and loop name it.
func (o *Options) object(ctx context.Context, query url.Values, body []byte) (any, error) {
	if len(body) > MaxObject {
		return nil, o.TooLarge(MaxObject)
	}
	s, loop, err := ofLoop(query)
	if err == nil {
		err = o.check(&s)
	}
	if err != nil {
		return nil, err
	}
	f, err := object.ReadWithin(maxExpanded, body, catalog.ISAs()...)
	if err != nil {
		hint := ""
		if errors.Is(err, object.ErrFormat) {
			hint = "an object file, a library or an executable is needed"
		}
		return nil, &Error{Status: unprocessable, Message: cmp.Or(query.Get("name"), "the file") + ": " + err.Error(), Hint: hint}
	}
	if f.Path = query.Get("name"); f.Path == "" {
		f.Path = "object"
	}
	function := query.Get("function")
	if function == "" {
		lo := analyze.LoopOptions{Options: o.options(ctx, &s), Simulate: simulated, Progress: o.Progress}
		lo.Archs = lo.Archs[:min(1, len(lo.Archs))]
		list, err := analyze.Loops(f, lo)
		if err == nil && len(s.Arch) > 1 {
			list.Diagnostics = append(list.Diagnostics, report.Diagnostic{Severity: "note", Message: fmt.Sprintf("the loops are listed for %s, the first of %d machines; the report of a loop has all", list.Arch, len(s.Arch))})
		}
		return o.known(list, err)
	}
	opts := o.options(ctx, &s)
	opts.Asked = 1
	return o.known(analyze.RunBinary(f, opts, analyze.CodeSelect{Function: function, Loop: loop}))
}

// known returns a result about an object file, or its error as an answer.
func (o *Options) known(v any, err error) (any, error) {
	if err != nil {
		return nil, o.inText("text", err)
	}
	return v, nil
}

// ofLoop reads the query about an object file: the settings, and the number of a loop. All but the machines are about
// one loop, which function names.
func ofLoop(query url.Values) (s settings, loop int, err error) {
	known := []string{"name", "arch", "function", "loop", "syntax", "timeline", "sensitivity", "what_if", "iterations"}
	if err := unknown(slices.Sorted(maps.Keys(query)), known); err != nil {
		return s, 0, err
	}
	for _, name := range known[3:] {
		if asked := query.Get(name); asked != "" && asked != "0" && asked != "false" && query.Get("function") == "" {
			return s, 0, &Error{Status: badRequest, Message: name + " is about one loop: function is missing",
				Hint: "the list of loops has the names of functions and the numbers of their loops"}
		}
	}
	number := func(name string) (n int) {
		if text := query.Get(name); text != "" && err == nil {
			if n, err = strconv.Atoi(text); err != nil {
				err = &Error{Status: badRequest, Message: fmt.Sprintf("%s has %.60q where a whole number is expected", name, text)}
			}
		}
		return n
	}
	s.Arch = strings.FieldsFunc(query.Get("arch"), func(r rune) bool { return r == ',' || r == ' ' })
	s.Syntax, s.Timeline, s.Iterations, s.WhatIf, loop = query.Get("syntax"), number("timeline"),
		number("iterations"), query["what_if"], number("loop")
	if text := query.Get("sensitivity"); text != "" && err == nil {
		if s.Sensitivity, err = strconv.ParseBool(text); err != nil {
			err = &Error{Status: badRequest, Message: fmt.Sprintf("sensitivity has %.60q where true or false is expected", text)}
		}
	}
	return s, loop, err
}
