package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
)

// OSACAOptions are the options of OSACAText.
type OSACAOptions struct {
	Time    time.Time
	Quiet   bool // no warnings about unknown instructions
	Verbose bool
	Arch    string // as the user named it; "": the model's name
}

// OSACAText writes the first kernel in the layout of OSACA's text report.
func OSACAText(w io.Writer, d *Document, o OSACAOptions) error {
	p := &painter{}
	k := &d.Kernels[0]
	t := &k.Targets[0]
	if o.Arch == "" {
		o.Arch = t.Arch
	}
	p.line("incore %s with OSACA's options", d.Version)
	p.line("Analyzed file:      %s", d.Input.File)
	p.line("Architecture:       %s", o.Arch)
	p.line("Timestamp:          %s", o.Time.Format(time.DateTime))
	p.line("Kernel:             %s, lines %s (%s)", k.Name, k.Lines, k.Why)
	p.line("\n * - no port used (eliminated, fused with the one before, or without µops)\n X - cost not known\n")
	p.line("\nCombined Analysis Report\n------------------------")
	p.osacaTable(k, t)
	p.line("\n\nLoop-Carried Dependencies Analysis Report\n-----------------------------------------")
	for i := range t.LoopCarried {
		p.osacaChain(t, &t.LoopCarried[i])
	}
	p.line("\n\nPrediction\n----------\n%s", t.Prediction.Text)
	for _, n := range k.Notes {
		p.line("note: %s", n)
	}
	if !o.Quiet {
		p.diagnostics(t.Diagnostics)
		p.diagnostics(d.Diagnostics)
	}
	if o.Verbose {
		p.notes(k, t)
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// osacaTable writes line | port … || CP | LCD | text.
func (p *painter) osacaTable(k *Kernel, t *Target) {
	g := (&painter{}).grid(k, t)
	head := "     |"
	for i, n := range g.ports {
		g.width[i] = max(g.width[i], 4)
		head += " " + pad(n, g.width[i]) + " |"
	}
	title := "Port pressure in cycles"
	p.line("%s%s", strings.Repeat(" ", max(0, (len([]rune(head))-len(title))/2)), title)
	head += "|  CP   |  LCD  |"
	p.line("%s\n%s", head, strings.Repeat("-", len([]rune(head))))
	labels := k.Labels
	blank := make([]string, len(g.ports))
	for i := range t.Instructions {
		in := &t.Instructions[i]
		for ; len(labels) > 0 && labels[0].Before <= i; labels = labels[1:] {
			p.osacaRow(g, labels[0].Line, columns{ports: blank, text: labels[0].Name + ":"})
		}
		cells := make([]string, len(g.ports))
		for c, name := range g.ports {
			if v := in.Ports.Of(name); v > 0 {
				cells[c] = fixed(v)
			}
		}
		mark := " "
		switch {
		case has(in.Flags, "unknown"):
			mark = "X"
		case len(in.Ports) == 0:
			mark = "*"
		}
		p.osacaRow(g, in.Line, columns{ports: cells, cp: optionalCycles(in.CP), lcd: optionalCycles(in.LCD), text: mark + " " + in.Text})
	}
	sums := "     "
	for i, name := range g.ports {
		sums += "  " + pad(fixed(t.Throughput.Ports.Of(name)), g.width[i]) + " "
	}
	p.line("\n%s  %s   %s", sums, padLeft(cycles(t.CriticalPath.Cycles), 5), padLeft(cycles(lcd(t)), 5))
}

func (p *painter) osacaRow(g *grid, line int, c columns) {
	var b strings.Builder
	fmt.Fprintf(&b, "%4d |", line)
	for i, cell := range c.ports {
		b.WriteString(" " + pad(cell, g.width[i]) + " |")
	}
	fmt.Fprintf(&b, "| %s | %s | %s", padLeft(c.cp, 5), padLeft(c.lcd, 5), c.text)
	p.line("%s", b.String())
}

func (p *painter) osacaChain(t *Target, c *Chain) {
	first := &t.Instructions[c.Instructions[0]]
	lines := make([]string, len(c.Instructions))
	for i, n := range c.Instructions {
		lines[i] = fmt.Sprint(t.Instructions[n].Line)
	}
	p.line("%4d | %5s | %s | [%s]", first.Line, cycles(c.Cycles), pad(first.Text, 35), strings.Join(lines, ", "))
}

// OSACAYAML writes the first kernel with the keys of OSACA's YAML output: Header, Kernel, Summary.
func OSACAYAML(w io.Writer, d *Document, now time.Time) error {
	k := &d.Kernels[0]
	t := &k.Targets[0]
	ports := func(l Ports) yaml.MapSlice {
		var m yaml.MapSlice
		for _, p := range t.Throughput.Ports {
			m = append(m, yaml.MapItem{Key: p.Name, Value: Round(l.Of(p.Name))})
		}
		return m
	}
	value := func(v *float64) float64 {
		if v == nil {
			return 0
		}
		return *v
	}
	var rows []yaml.MapSlice
	for i := range t.Instructions {
		in := &t.Instructions[i]
		busiest := 0.0
		for _, p := range in.Ports {
			busiest = max(busiest, p.Cycles)
		}
		rows = append(rows, yaml.MapSlice{{Key: "LineNumber", Value: in.Line}, {Key: "Line", Value: in.Text}, {Key: "Instruction", Value: mnemonic(in.Text)}, {Key: "Form", Value: in.Form},
			{Key: "Flags", Value: in.Flags}, {Key: "Latency", Value: in.Latency}, {Key: "LatencyCP", Value: value(in.CP)}, {Key: "LatencyLCD", Value: value(in.LCD)},
			{Key: "Throughput", Value: Round(busiest)}, {Key: "PortPressure", Value: ports(in.Ports)}})
	}
	unknown := []int{}
	for i := range t.Instructions {
		if has(t.Instructions[i].Flags, "unknown") {
			unknown = append(unknown, t.Instructions[i].Line)
		}
	}
	doc := yaml.MapSlice{
		{Key: "Header", Value: yaml.MapSlice{{Key: "Architecture", Value: t.Arch}, {Key: "FileName", Value: d.Input.File}, {Key: "Timestamp", Value: now.Format(time.DateTime)}, {Key: "Version", Value: "incore " + d.Version}}},
		{Key: "Warnings", Value: yaml.MapSlice{{Key: "UnknownLines", Value: unknown}}},
		{Key: "Kernel", Value: rows},
		{Key: "Summary", Value: yaml.MapSlice{{Key: "CriticalPath", Value: t.CriticalPath.Cycles}, {Key: "LCD", Value: lcd(t)}, {Key: "PortPressure", Value: ports(t.Throughput.Ports)}}},
	}
	out, err := yaml.Marshal(doc)
	if err != nil {
		return err
	}
	_, err = w.Write(out)
	return err
}
