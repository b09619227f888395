package report

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
)

// AnnotateSchema names the version of the layout of Annotation.
const AnnotateSchema = "incore.annotate/1"

// Annotation is a function's instructions with their source, samples and costs.
type Annotation struct {
	Schema   string `json:"schema"`
	File     string `json:"file"`
	ISA      string `json:"isa"`
	Function string `json:"function"`
	Arch     string `json:"arch"`
	Title    string `json:"title"`
	Why      string `json:"why,omitempty"`     // why incore chose this machine, if the user named none
	Profile  string `json:"profile,omitempty"` // the kind of the profile; "": none
	// Share is the function's share of the profile's samples.
	Share float64           `json:"share,omitempty"`
	Loops []AnnotatedLoop   `json:"loops"`
	Code  []AnnotatedInst   `json:"code"`
	Lines []AnnotatedSource `json:"lines"` // the source lines of the function's files, with their neighbours, as far as they can be read
	// Diagnostics concern the profile and the file.
	Diagnostics []Diagnostic `json:"diagnostics,omitempty"`
}

// Layout implements Result.
func (*Annotation) Layout() string { return AnnotateSchema }

// AnnotatedLoop is an innermost loop of the function.
type AnnotatedLoop struct {
	Name   string  `json:"name"`
	Cycles float64 `json:"cycles"`
	Text   string  `json:"text"` // the prediction in words
	Share  float64 `json:"share,omitempty"`
}

// AnnotatedInst is one instruction.
type AnnotatedInst struct {
	Address    string   `json:"address"`
	Text       string   `json:"text"`
	File       string   `json:"file,omitempty"`
	Line       int      `json:"line,omitempty"`
	Share      float64  `json:"share,omitempty"` // of the function's samples
	Loop       int      `json:"loop"`            // index into Annotation.Loops, -1: in none that is analysed
	Latency    float64  `json:"latency"`
	Throughput float64  `json:"throughput"`
	Uops       float64  `json:"uops"`
	LCD        *float64 `json:"lcd"` // cycles that it adds to its loop's slowest chain
	Port       string   `json:"port,omitempty"`
	Unknown    bool     `json:"unknown,omitempty"` // its cost is not known
}

// AnnotatedSource is a source line.
type AnnotatedSource struct {
	File  string  `json:"file"`
	Line  int     `json:"line"`
	Text  string  `json:"text"`
	Share float64 `json:"share,omitempty"` // of the function's samples
}

// Text writes an annotation as text: source lines between the instructions.
func (a *Annotation) Text(w io.Writer, o TextOptions) error {
	p := &painter{TextOptions: o}
	p.field("function", a.Function+" of "+a.File+", "+a.ISA)
	p.field("machine", a.Arch+after(a.Why))
	if a.Profile != "" {
		p.field("profile", fmt.Sprintf("%s; %.1f %% of its samples are in this function", a.Profile, 100*a.Share))
	}
	for i := range a.Loops {
		l := &a.Loops[i]
		s := l.Text
		if a.Profile != "" {
			s += fmt.Sprintf("; %.1f %% of the samples", 100*l.Share)
		}
		p.field("loop "+strconv.Itoa(i+1), l.Name+": "+s)
	}
	p.line("")
	text := map[string]string{}
	for _, l := range a.Lines {
		text[l.File+":"+strconv.Itoa(l.Line)] = l.Text
	}
	p.line("%s", p.paint(dim, fmt.Sprintf("%6s %4s %7s %6s %5s  %-8s %s", "share", "loop", "latency", "rec.tp", "chain", "port", "instruction")))
	was := ""
	for i := range a.Code {
		x := &a.Code[i]
		if at := x.File + ":" + strconv.Itoa(x.Line); x.Line > 0 && at != was {
			was = at
			p.line("%s", p.paint(bold, fmt.Sprintf("%s:%d  %s", filepath.Base(x.File), x.Line, strings.TrimSpace(text[at]))))
		}
		p.line("%s", p.annotated(x))
	}
	p.diagnostics(a.Diagnostics)
	_, err := io.WriteString(w, p.String())
	return err
}

// annotated is the line of an instruction.
func (p *painter) annotated(x *AnnotatedInst) string {
	share, loop, chain, lat, tp := "", "", "", cycles(x.Latency), cycles(x.Throughput)
	if x.Share > 0 {
		share = fmt.Sprintf("%.1f%%", 100*x.Share)
	}
	if x.Loop >= 0 {
		loop = strconv.Itoa(x.Loop + 1)
	}
	if x.LCD != nil {
		chain = cycles(*x.LCD)
	}
	if x.Unknown {
		lat, tp = "?", "?"
	}
	s := fmt.Sprintf("%6s %4s %7s %6s %5s  %-8s %s  %s", share, loop, lat, tp, chain, x.Port, strings.TrimPrefix(x.Address, "0x"), x.Text)
	if p.Width > 0 {
		s = clip(s, p.Width)
	}
	if x.Share >= 0.1 {
		return p.paint(red, s)
	}
	return s
}
