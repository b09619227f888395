package api

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"incore/internal/analyze"
	"incore/internal/analyze/predict"
	"incore/internal/base/source"
	"incore/internal/report"
	"incore/internal/report/page"
)

// maxBlocks is the number of blocks that a request may have predicted.
const maxBlocks = 20_000

// maxStatements is the number of statements of a block.
const maxStatements = 10_000

// MachineList lists the machines in detail.
type MachineList struct {
	Machines []report.MachineInfo `json:"machines"`
}

func machines() *MachineList { return &MachineList{analyze.Machines()} }

// explain describes one instruction or form.
func (o *Options) explain(body []byte) (any, error) {
	const example = `{"instruction": "…", "arch": ["zen4"]}`
	var q struct {
		Instruction string   `json:"instruction"`
		Arch        []string `json:"arch"`
		Syntax      string   `json:"syntax"`
	}
	if err := o.decode(body, &q, example); err != nil {
		return nil, err
	}
	s := settings{Arch: q.Arch, Syntax: q.Syntax}
	if err := o.check(&s); err != nil {
		return nil, err
	}
	switch text := strings.TrimSpace(q.Instruction); {
	case text == "":
		return nil, &Error{Status: badRequest, Message: "there is no instruction", Hint: "send " + example}
	case len(text) > maxInstruction:
		return nil, &Error{Status: badRequest, Message: fmt.Sprintf("an instruction of %d bytes; at most %d", len(text), maxInstruction)}
	}
	return o.known(analyze.Explain(q.Instruction, analyze.Options{Archs: q.Arch, Syntax: q.Syntax}))
}

// deps lists the dependences of a loop.
func (o *Options) deps(ctx context.Context, body []byte) (any, error) {
	var q struct {
		Text   string   `json:"text"`
		Arch   []string `json:"arch"`
		Syntax string   `json:"syntax"`
		analyze.DepsOptions
	}
	if err := o.decode(body, &q, exampleRequest); err != nil {
		return nil, err
	}
	s := settings{Arch: q.Arch, Syntax: q.Syntax}
	if err := o.checkText(q.Text, &s); err != nil {
		return nil, err
	}
	f, err := source.New("text", []byte(q.Text))
	if err != nil {
		return nil, o.inText("text", err)
	}
	return o.known(analyze.Deps(f, o.options(ctx, &s), q.DepsOptions))
}

// HTML is a page in one file.
type HTML struct {
	HTML string `json:"html"`
}

// page draws a document: one of those that other requests answer.
func (o *Options) page(body []byte) (any, error) {
	var q struct {
		Title    string          `json:"title"`
		Document json.RawMessage `json:"document"`
	}
	if len(body) > maxDocument {
		return nil, o.TooLarge(maxDocument)
	}
	const example = `{"document": {…}, "title": "…"}`
	if err := Decode(body, &q, example); err != nil {
		return nil, err
	}
	if len(q.Document) == 0 || q.Document[0] != '{' {
		return nil, &Error{Status: badRequest, Message: "there is no document", Hint: "send " + example}
	}
	var b strings.Builder
	p := page.Page{Title: q.Title, Note: "incore " + o.Version, Data: q.Document}
	err := p.Write(&b)
	return o.known(&HTML{b.String()}, err)
}

// maxDocument is the size of a document to draw in bytes.
const maxDocument = 8 << 20

// measure runs a text on this machine.
func (o *Options) measure(ctx context.Context, body []byte) (any, error) {
	var q struct {
		Text   string `json:"text"`
		Syntax string `json:"syntax"`
	}
	if o.Measure == nil {
		return nil, errForbidden
	}
	if err := o.decode(body, &q, `{"text": "…"}`); err != nil {
		return nil, err
	}
	if err := o.checkText(q.Text, &settings{Syntax: q.Syntax}); err != nil {
		return nil, err
	}
	data, err := o.Measure(ctx, q.Text, q.Syntax)
	return o.known(&data, err)
}

var errForbidden = &Error{Status: forbidden, Message: "nothing is executed here", Hint: "start with --allow-run"}

// command runs a command of incore with arguments.
func (o *Options) command(ctx context.Context, name string, body []byte) (any, error) {
	var q struct {
		Args []string `json:"args"`
	}
	if o.Command == nil {
		return nil, errForbidden
	}
	if err := o.decode(body, &q, `{"args": ["…"]}`); err != nil {
		return nil, err
	}
	if len(q.Args) == 0 {
		return nil, &Error{Status: badRequest, Message: "there are no arguments", Hint: "send those of incore " + name + ` as {"args": ["…"]}`}
	}
	data, err := o.Command(ctx, append([]string{name}, q.Args...))
	return o.known(&data, err)
}

// maxInstruction is the greatest length of an instruction in bytes.
const maxInstruction = 1000

// Predictions are the predicted cycles of a batch of blocks: for each block, in order, a row for each machine. A row has the fields of
// 'incore predict --format jsonl'.
type Predictions struct {
	Rows []json.RawMessage `json:"rows"`
}

// predict predicts a batch of blocks. A block without a figure does not stop the others; its row has the error.
func (o *Options) predict(ctx context.Context, body []byte) (any, error) {
	const example = `{"blocks": ["…", "…"], "arch": ["zen4"]}`
	var q struct {
		Blocks   []string `json:"blocks"`
		Arch     []string `json:"arch"`
		Syntax   string   `json:"syntax"`
		Progress bool     `json:"progress"` // asked of the worker, which sets Options.Progress
	}
	if err := o.decode(body, &q, example); err != nil {
		return nil, err
	}
	switch n := len(q.Blocks); {
	case n == 0:
		return nil, &Error{Status: badRequest, Message: "there are no blocks", Hint: "send " + example}
	case n > maxBlocks:
		return nil, &Error{Status: badRequest, Message: fmt.Sprintf("%d blocks; at most %d at a time", n, maxBlocks)}
	}
	for i, text := range q.Blocks {
		if n := 1 + strings.Count(text, ";") + strings.Count(text, "\n"); n > maxStatements {
			return nil, &Error{Status: badRequest, Message: fmt.Sprintf("block %d has %d statements; at most %d", i+1, n, maxStatements), Hint: "analyze takes a text of this size"}
		}
	}
	s := settings{Arch: q.Arch, Syntax: q.Syntax}
	if err := o.check(&s); err != nil {
		return nil, err
	}
	job, err := o.batch(q.Blocks, q.Arch, q.Syntax)
	if err != nil {
		return nil, err
	}
	out := &Predictions{Rows: make([]json.RawMessage, 0, len(q.Blocks)*len(job.Targets))}
	err = job.Run(ctx, func(rows []predict.Row) error {
		for i := range rows {
			out.Rows = append(out.Rows, rows[i].AppendJSON(nil, ""))
		}
		if o.Progress != nil && len(rows) > 0 {
			o.Progress(len(out.Rows)/len(job.Targets), len(q.Blocks))
		}
		return nil
	})
	return o.known(out, err)
}

// batch makes the job for blocks of text, whose statements are on lines of their own or separated by semicolons, or of machine code.
func (o *Options) batch(blocks, archs []string, syntax string) (*predict.Job, error) {
	targets, a, err := analyze.Targets(&analyze.Options{Archs: archs}, nil)
	if err != nil {
		return nil, o.inText("text", err)
	}
	if syntax != "" && !slices.Contains(a.Syntaxes, syntax) {
		return nil, &Error{Status: badRequest, Message: fmt.Sprintf("unknown syntax %q; %s has %s", syntax, a.Name, strings.Join(a.Syntaxes, ", "))}
	}
	list := make(predict.Blocks, len(blocks))
	for i, text := range blocks {
		list[i] = predict.Block{Line: strings.ReplaceAll(strings.TrimSpace(text), "\n", ";"), Whole: true}
	}
	job := &predict.Job{ISA: a, Syntax: syntax, Source: &list}
	for _, t := range targets {
		job.Targets = append(job.Targets, predict.Predictor{Model: t.Model, Both: true})
	}
	return job, nil
}
