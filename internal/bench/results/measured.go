package results

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"incore/internal/isa"
	"incore/internal/report"
)

// Forms are measured instruction forms, the result of incore bench latency, throughput and all. Write has each as a
// row of a model.
type Forms struct {
	Machine Identity `json:"machine"`
	ISA     string   `json:"isa"`
	Forms   []Figure `json:"forms"`
}

// Figure has what was measured of a form; what is not known is left out.
type Figure struct {
	Form       string    `json:"form"`
	Throughput *float64  `json:"throughput,omitempty"` // reciprocal, in cycles
	Least      *float64  `json:"throughput_low,omitempty"`
	Latencies  []Latency `json:"latencies,omitempty"`
	Latency    string    `json:"latency,omitempty"` // the same as the row has them
	Forward    *float64  `json:"forward,omitempty"`
	Update     *float64  `json:"update,omitempty"` // between accesses that load and store at one address
	Special    []string  `json:"special,omitempty"`
	Same       string    `json:"same,omitempty"` // what the core does with one register as all sources, and with copies
	Note       string    `json:"note,omitempty"`
	Reason     string    `json:"reason,omitempty"` // why there is no figure
}

// Latency is that from an operand to a result, as rows name them.
type Latency struct {
	From   string   `json:"from"`
	To     string   `json:"to"`
	Cycles float64  `json:"cycles"`
	Own    *float64 `json:"own,omitempty"` // if the operand comes from the same form and the core forwards it faster
}

// Add adds a form.
func (l *Forms) Add(r *Form, forms *isa.FormTable) {
	x := Figure{Form: forms.Name(r.Form), Throughput: finite(r.RThru), Forward: finite(r.Forward), Update: finite(r.RMW),
		Same: r.Same, Note: r.Note, Reason: r.Reason}
	if r.RThruLow < r.RThru {
		x.Least = finite(r.RThruLow)
	}
	for i := range r.Pairs {
		p := &r.Pairs[i]
		pair := Latency{From: operandName(p.From), To: operandName(p.To), Cycles: p.Cycles}
		if p.Self < p.Cycles {
			pair.Own = finite(p.Self)
		}
		x.Latencies = append(x.Latencies, pair)
	}
	if len(r.Pairs) > 0 {
		x.Latency = r.Latencies(forms)
	}
	for i := range r.Cases {
		x.Special = append(x.Special, r.Cases[i].Note+": "+r.Cases[i].String())
	}
	l.Forms = append(l.Forms, x)
}

// finite returns a figure, nil where there is none.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// shown formats a figure, "" where there is none.
func shown(v *float64, decimals int) string {
	if v == nil {
		return ""
	}
	return Trim(*v, decimals)
}

// Layout implements report.Result.
func (*Forms) Layout() string { return "incore.bench-forms/1" }

// Text lists the forms, one a line.
func (l *Forms) Text(w io.Writer, _ report.TextOptions) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%-24s %10s  %-24s %s\n", "form", "throughput", "latency", "remarks")
	for i := range l.Forms {
		x := &l.Forms[i]
		s := fmt.Sprintf("%-24s %10s  %-24s %s", x.Form, shown(x.Throughput, 3), x.Latency, strings.Join(x.remarks(), "; "))
		b.WriteString(strings.TrimRight(s, " ") + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// remarks are what stands beside a form's figures.
func (x *Figure) remarks() (out []string) {
	for _, s := range append([]string{x.Reason, x.Same, x.Note}, x.Special...) {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

// CSV writes a row for each form.
func (l *Forms) CSV(w io.Writer) error {
	return table(w, []string{"form", "throughput", "latency", "remarks"}, len(l.Forms), func(i int) []string {
		x := &l.Forms[i]
		return []string{x.Form, shown(x.Throughput, 3), x.Latency, strings.Join(x.remarks(), "; ")}
	})
}

// table writes rows below a header as CSV.
func table(w io.Writer, header []string, n int, row func(i int) []string) error {
	out := csv.NewWriter(w)
	if err := out.Write(header); err != nil {
		return err
	}
	for i := range n {
		if err := out.Write(row(i)); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// Memory are measured loads and stores, the result of incore bench memory.
type Memory struct {
	Machine Identity       `json:"machine"`
	ISA     string         `json:"isa"`
	Tests   []MemoryFigure `json:"tests"`
}

// MemoryFigure is what a memory test found.
type MemoryFigure struct {
	Test   string   `json:"test"`
	Cycles *float64 `json:"cycles,omitempty"` // nil: there is no figure
	Doubt  float64  `json:"uncertainty,omitempty"`
	Unit   string   `json:"unit,omitempty"`   // what the cycles are of
	Reason string   `json:"reason,omitempty"` // why there is no figure
}

// Write appends a memory test to a file of results, as a comment. A test without figure and reason is left out.
func (x *MemoryFigure) Write(w io.Writer) error {
	if found := x.String(); found != "" {
		if _, err := fmt.Fprintf(w, "%s%s: %s\n", memoryPrefix, x.Test, found); err != nil {
			return fmt.Errorf("writing results: %w", err)
		}
	}
	return nil
}

// String is the figure with its unit, or the reason why there is none.
func (x *MemoryFigure) String() string {
	if x.Cycles == nil {
		return x.Reason
	}
	return fmt.Sprintf("%s ± %s %s", Trim(*x.Cycles, 2), Trim(x.Doubt, 2), x.Unit)
}

// Layout implements report.Result.
func (*Memory) Layout() string { return "incore.bench-memory/1" }

// Text lists the tests, one a line.
func (l *Memory) Text(w io.Writer, _ report.TextOptions) error {
	for i := range l.Tests {
		if _, err := fmt.Fprintf(w, "%s: %s\n", l.Tests[i].Test, l.Tests[i].String()); err != nil {
			return err
		}
	}
	return nil
}

// CSV writes a row for each test.
func (l *Memory) CSV(w io.Writer) error {
	return table(w, []string{"test", "cycles", "uncertainty", "unit", "reason"}, len(l.Tests), func(i int) []string {
		x := &l.Tests[i]
		return []string{x.Test, shown(x.Cycles, 2), strconv.FormatFloat(x.Doubt, 'f', 2, 64), x.Unit, x.Reason}
	})
}

// Listing are instruction forms with the reasons why they are not measured, the result of incore bench --list.
type Listing struct {
	ISA   string   `json:"isa"`
	Forms []Listed `json:"forms"`
}

// Listed is a form of a listing.
type Listed struct {
	Form   string `json:"form"`
	Reason string `json:"reason,omitempty"` // "": it is measured
}

// Layout implements report.Result.
func (*Listing) Layout() string { return "incore.bench-list/1" }

// Text lists the forms, one a line.
func (l *Listing) Text(w io.Writer, _ report.TextOptions) error {
	for _, x := range l.Forms {
		why := x.Reason
		if why == "" {
			why = "measured"
		}
		if _, err := fmt.Fprintf(w, "%s\t%s\n", x.Form, why); err != nil {
			return err
		}
	}
	return nil
}

// CSV writes a row for each form.
func (l *Listing) CSV(w io.Writer) error {
	return table(w, []string{"form", "reason"}, len(l.Forms), func(i int) []string {
		return []string{l.Forms[i].Form, l.Forms[i].Reason}
	})
}

// Built is a model made of results, the result of incore bench everything.
type Built struct {
	Model   string `json:"model"`   // its file
	Results string `json:"results"` // the file that it is made of
}

// MeasuredTitle is the title of a model of the machine that it was measured on.
const MeasuredTitle = "This machine, as measured"

// Layout implements report.Result.
func (*Built) Layout() string { return "incore.bench-everything/1" }

// Text names the files and says how the model is used.
func (b *Built) Text(w io.Writer, _ report.TextOptions) error {
	_, err := fmt.Fprintf(w, "%s: a model of this machine, of the results in %s; incore analyze --model %s FILE\n",
		b.Model, b.Results, b.Model)
	return err
}
