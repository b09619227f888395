package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"slices"
	"strconv"

	"github.com/goccy/go-yaml"
)

// JSON writes a document of any kind as indented JSON.
func JSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// YAML writes the document as YAML, with the same fields as the JSON.
func (d *Document) YAML(w io.Writer) error {
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	if err := e.Encode(d); err != nil {
		return err
	}
	out, err := yaml.JSONToYAML(buf.Bytes())
	if err != nil {
		return err
	}
	_, err = w.Write(out)
	return err
}

// header names the columns before those of the ports.
var header = []string{"kernel", "arch", "index", "line", "address", "form", "uops", "latency", "lcd", "cp", "cycles", "bound", "engine", "tp_unrolled"}

// CSV writes a row per instruction, kernel and machine. After the rows of each kernel and machine follow a row with
// the totals (index "sum") and a row for each question (index "what-if"). Columns of ports that a machine does not have are empty.
func (d *Document) CSV(w io.Writer) error {
	ports := portColumns(d)
	columns := slices.Clone(header)
	for _, p := range ports {
		columns = append(columns, "port:"+p)
	}
	out := csv.NewWriter(w)
	if err := out.Write(append(columns, "flags", "source", "text")); err != nil {
		return err
	}
	for i := range d.Kernels {
		k := &d.Kernels[i]
		for j := range k.Targets {
			if err := csvTarget(out, k, &k.Targets[j], ports); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}

// portColumns lists the ports of all machines in a document.
func portColumns(d *Document) (names []string) {
	for _, k := range d.Kernels {
		for _, t := range k.Targets {
			for _, p := range t.Throughput.Ports {
				if !slices.Contains(names, p.Name) {
					names = append(names, p.Name)
				}
			}
		}
	}
	return names
}

func csvTarget(out *csv.Writer, k *Kernel, t *Target, ports []string) error {
	for i := range t.Instructions {
		in := &t.Instructions[i]
		row := []string{k.Name, t.Arch, strconv.Itoa(in.Index), strconv.Itoa(in.Line), in.Address, in.Form, figure(in.Uops), figure(in.Latency), optional(in.LCD), optional(in.CP), "", "", "", ""}
		row = append(append(row, csvPorts(in.Ports, ports)...), join(in.Flags), in.Source, in.Text)
		if err := out.Write(row); err != nil {
			return err
		}
	}
	row := []string{k.Name, t.Arch, "sum", k.Lines, k.Address, "", figure(t.Throughput.Slots), "", figure(lcd(t)), figure(t.CriticalPath.Cycles), figure(t.Prediction.Cycles), string(t.Prediction.Bound), string(t.Prediction.Engine), figure(t.Prediction.Unrolled)}
	if err := out.Write(append(append(row, csvPorts(t.Throughput.Ports, ports)...), "", "", t.Prediction.Text)); err != nil {
		return err
	}
	for _, a := range asked(t) {
		row := []string{k.Name, t.Arch, "what-if", k.Lines, k.Address, "", "", "", "", "", figure(a.Cycles), string(a.Bound), string(t.Prediction.Engine), ""}
		if a.Note != "" {
			row[slices.Index(header, "cycles")] = ""
		}
		if err := out.Write(append(append(row, make([]string, len(ports)+1)...), a.Note, a.Question)); err != nil {
			return err
		}
	}
	return csvEntered(out, k, t, len(ports))
}

// csvEntered writes what the loop takes that is entered anew, in a row for the last branch predicted and one for it mispredicted.
func csvEntered(out *csv.Writer, k *Kernel, t *Target, ports int) error {
	x := t.Entered
	if x == nil {
		return nil
	}
	row := func(index string, cycles float64, source, text string) error {
		row := append(make([]string, len(header)+ports+1), source, text)
		row[0], row[1], row[2], row[3], row[4] = k.Name, t.Arch, index, k.Lines, k.Address
		row[slices.Index(header, "cycles")] = figure(cycles)
		return out.Write(row)
	}
	if err := row("entered", x.Cycles, "", x.Text()); err != nil || x.Missed == nil {
		return err
	}
	return row("entered-mispredicted", *x.Missed, x.PenaltySource, "")
}

// asked lists all answers of a target.
func asked(t *Target) []WhatIf {
	out := slices.Clone(t.WhatIf)
	for _, s := range t.Sensitivity {
		for _, a := range []*WhatIf{s.Double, s.Free} {
			if a != nil {
				out = append(out, *a)
			}
		}
	}
	return out
}

func csvPorts(loads Ports, ports []string) []string {
	cells := make([]string, len(ports))
	for i, p := range ports {
		if c := loads.Of(p); c != 0 {
			cells[i] = figure(c)
		}
	}
	return cells
}

// figure formats a rounded number with the fewest digits that represent it exactly.
func figure(v float64) string { return strconv.FormatFloat(Round(v), 'g', -1, 64) }

func optional(v *float64) string {
	if v == nil {
		return ""
	}
	return figure(*v)
}

// lcd returns the cycles per iteration of the slowest loop-carried chain, 0 if there is none.
func lcd(t *Target) float64 {
	if len(t.LoopCarried) == 0 {
		return 0
	}
	return t.LoopCarried[0].Cycles
}
