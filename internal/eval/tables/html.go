package tables

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"incore/internal/eval/suite"
	"incore/internal/isa/catalog"
	"incore/internal/object"
)

//go:embed page.html
var pageText string

// pageRow is a benchmark in the format of the page's script.
type pageRow struct {
	ID             string              `json:"id"`
	Kernel         string              `json:"kernel"`
	Half           string              `json:"half"`
	Compiler       string              `json:"compiler"`
	Flags          string              `json:"flags"`
	Vectors        string              `json:"vectors"`
	Transformation string              `json:"transformation"`
	Bound          string              `json:"bound"`
	Cycles         float64             `json:"cycles"`
	Uncertainty    float64             `json:"uncertainty"`
	Instructions   uint64              `json:"instructions"`
	Predicted      map[string]*float64 `json:"predicted"` // null: failed
	Failures       map[string]string   `json:"failures,omitempty"`
	Assembly       string              `json:"assembly"`
}

// HTML writes a self-contained page. It reads sources and executables from the directory.
func (r *Report) HTML(w io.Writer, dir string) error {
	data := struct {
		Rows       []pageRow         `json:"rows"`
		Sources    map[string]string `json:"sources"`
		Predictors []string          `json:"predictors"`
	}{Sources: map[string]string{}}
	for _, p := range r.Predictors {
		data.Predictors = append(data.Predictors, p.Name)
	}
	for _, y := range slices.Concat(r.rows, r.counted) {
		x := &y
		if _, ok := data.Sources[x.Kernel]; !ok {
			text, _ := os.ReadFile(filepath.Join(dir, "src", x.Source)) // a directory with only results has no sources
			data.Sources[x.Kernel] = string(text)
		}
		data.Rows = append(data.Rows, r.pageRow(x, dir))
	}
	text, err := json.Marshal(&data)
	if err != nil {
		return err
	}
	var tables strings.Builder
	if err := r.Text(&tables); err != nil {
		return err
	}
	_, err = strings.NewReplacer("{{benchmarks}}", strconv.Itoa(r.Benchmarks), "{{origin}}", r.origin(), "{{predictors}}", r.predictorRows(), "{{box}}", r.boxes(r.rows), "{{pruned}}", r.prunedBoxes(),
		"{{scatters}}", r.scatters(), "{{text}}", html.EscapeString(tables.String()), "{{data}}", string(text)).WriteString(w, pageText)
	return err
}

// The following functions return markup of the page. It is not made by html/template, which calls methods by name: the linker would keep every method of the program.

// counted formats a number with its noun.
func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// origin says what was measured where.
func (r *Report) origin() string {
	s := counted(r.Kernels, "kernel")
	if r.Machine != "" {
		s += ", measured on " + html.EscapeString(r.Machine)
	}
	return s
}

// predictorRows are the rows of the table of predictors.
func (r *Report) predictorRows() string {
	var b strings.Builder
	for i := range r.Predictors {
		p := &r.Predictors[i]
		name, title, figures := p.Name, "", strings.Repeat("<td>-</td>", 5)
		if p.Core != "" {
			name += " " + p.Core
		}
		if p.Sampled {
			name += " (sample)"
		}
		if p.Failure != "" {
			title = ` title="` + html.EscapeString(p.Failure) + `"`
		}
		if p.Datapoints > 0 {
			figures = fmt.Sprintf("<td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>%.3f</td>", percent(p.MAPE), percent(p.Median), percent(p.Q1), percent(p.Q3), p.Tau)
		}
		fmt.Fprintf(&b, `<tr><td>%s</td><td class="text">%s</td><td>%d</td><td%s>%d</td>%s<td>%.1f</td></tr>`, html.EscapeString(name), html.EscapeString(p.Lifting), p.Datapoints, title, p.Failures, figures, p.CPUSeconds)
	}
	return b.String()
}

// prunedBoxes are the errors without the benchmarks that dependences through memory bound.
func (r *Report) prunedBoxes() string {
	if r.Latency == 0 {
		return ""
	}
	return "<h2>The same without the " + counted(r.Latency, "benchmark") + " that dependences through memory bound</h2>\n" + r.boxes(r.pruned()) + "\n"
}

func (r *Report) pageRow(x *row, dir string) pageRow {
	p := pageRow{ID: x.ID, Kernel: x.Kernel, Half: half(x.HeldOut), Compiler: x.Compiler, Flags: strings.Join(x.Flags, " "), Vectors: x.Vectors,
		Transformation: x.Transformation, Bound: bound(x), Cycles: x.measured.Cycles, Uncertainty: x.measured.Uncertainty, Instructions: x.measured.Instructions,
		Predicted: map[string]*float64{}, Failures: map[string]string{}, Assembly: assembly(filepath.Join(dir, "bin", x.ID), x.measured.Hot)}
	for name, q := range x.predictions {
		if q.Failure != "" {
			p.Predicted[name], p.Failures[name] = nil, q.Failure
			continue
		}
		p.Predicted[name] = &q.Cycles
	}
	return p
}

// Limits of the assembly shown per benchmark: its blocks with the most executed instructions.
const (
	shownShare = 0.95
	shownLines = 90
)

// assembly prints the hot blocks of an executable, in the order of their addresses.
func assembly(exe string, hot []suite.Hot) string {
	f, err := object.Open(exe, catalog.ISAs()...)
	if err != nil {
		return ""
	}
	weight := func(h suite.Hot) float64 { return float64(h.Count) * float64(h.End-h.Addr) }
	all, done, lines := 0.0, 0.0, 0
	list := slices.Clone(hot)
	slices.SortFunc(list, func(a, b suite.Hot) int { return cmp.Compare(weight(b), weight(a)) })
	for _, h := range list {
		all += weight(h)
	}
	var blocks []suite.Hot
	text := map[uint64]string{}
	for _, h := range list {
		if done >= shownShare*all || lines >= shownLines {
			break
		}
		done += weight(h)
		var b strings.Builder
		fmt.Fprintf(&b, "%x: executed %d times\n", h.Addr, h.Count)
		_ = f.Disassemble(h.Addr, h.End, func(l *object.Line) error {
			lines++
			if l.Err == nil {
				fmt.Fprintf(&b, "    %s\n", f.ISA.Print(nil, &l.Inst, f.ISA.Syntaxes[0]))
			}
			return nil
		})
		text[h.Addr] = b.String()
		blocks = append(blocks, h)
	}
	slices.SortFunc(blocks, func(a, b suite.Hot) int { return cmp.Compare(a.Addr, b.Addr) })
	var out strings.Builder
	for _, h := range blocks {
		out.WriteString(text[h.Addr])
	}
	return out.String()
}
