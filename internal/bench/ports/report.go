package ports

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"incore/internal/base/stats"
	"incore/internal/report"
)

// Report is what an inference found, and where it differs from the model whose names its ports have.
type Report struct {
	Model     string            `json:"model"`
	Width     float64           `json:"width"`             // dispatch slots per cycle
	Ports     int               `json:"ports"`             // seen
	Mixes     int               `json:"mixes"`             // measured
	Early     bool              `json:"early,omitempty"`   // Inference.Early
	Classes   []Blocking        `json:"blocking"`          // sets of ports
	Alike     []string          `json:"alike,omitempty"`   // sets of ports that cannot be told apart
	Dropped   []string          `json:"dropped,omitempty"` // forms, Inference.Dropped
	Forms     int               `json:"forms"`
	Rows      int               `json:"rows"`      // forms that get a row of a model
	Explained int               `json:"explained"` // forms whose mixes agree with their µops
	Agree     int               `json:"agree"`     // of these with the model
	Differ    []Difference      `json:"differ,omitempty"`
	Open      []Difference      `json:"not_explained,omitempty"`
	Skipped   map[string]string `json:"not_measured,omitempty"` // with the reason
	Checks    []float64         `json:"checks,omitempty"`       // relative errors on random mixes
}

// Blocking is a set of ports with the form that blocks it.
type Blocking struct {
	Ports string `json:"ports"`
	Form  string `json:"form"`
	Forms int    `json:"forms"` // that use one µop on these ports
}

// Difference is a form whose ports are others than the model's, or are not explained (Uops is "").
type Difference struct {
	Form  string `json:"form"`
	Uops  string `json:"uops,omitempty"`
	Model string `json:"model"` // the model's µops
	Why   string `json:"why"`
}

// Report describes an inference; skipped are the forms that were not measured, with the reason.
func (n *Named) Report(skipped map[string]string) *Report {
	r := &Report{Model: n.Model.Name, Width: n.Width, Ports: n.Ports, Mixes: n.Asked, Early: n.Early, Dropped: n.Dropped, Skipped: skipped}
	for _, c := range n.Classes {
		r.Classes = append(r.Classes, Blocking{n.Set(c.Ports), n.Forms[c.Forms[0]].Name, len(c.Forms)})
	}
	for _, s := range n.Alike {
		r.Alike = append(r.Alike, n.Set(s))
	}
	for i := 1; i < len(n.Forms); i++ {
		if !n.Subjects.Statement(i) {
			r.form(n, i)
		}
	}
	for _, c := range n.Checks {
		r.Checks = append(r.Checks, math.Abs(c.Predicted/c.Measured-1))
	}
	return r
}

// form compares a form with the model.
func (r *Report) form(n *Named, i int) {
	r.Forms++
	row, why := n.Row(i)
	if row != "" {
		r.Rows++
	}
	d := Difference{Form: n.Forms[i].Name, Model: n.ModelUops(i), Why: why}
	same, known := n.Agrees(i)
	if !known {
		r.Open = append(r.Open, d)
		return
	}
	r.Explained++
	if same {
		r.Agree++
		return
	}
	d.Uops = n.Uops(i)
	r.Differ = append(r.Differ, d)
}

// Layout implements report.Result.
func (*Report) Layout() string { return "incore.ports/1" }

// Text writes the inferred ports and the differences from the model.
func (r *Report) Text(w io.Writer, _ report.TextOptions) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%g dispatch slots per cycle, %s seen, %s measured\n", r.Width, report.Counted(r.Ports, "port"), report.Counted(r.Mixes, "mix"))
	if r.Early {
		b.WriteString("  the core chooses ports before it knows what comes: mixes take up to as long as with µops spread evenly over their ports\n")
	}
	for _, c := range r.Classes {
		fmt.Fprintf(&b, "  %-12s blocked by %s, alone by %s\n", c.Ports, c.Form, report.Counted(c.Forms, "form"))
	}
	for _, s := range r.Alike {
		fmt.Fprintf(&b, "  %s cannot be told apart\n", s)
	}
	if len(r.Dropped) > 0 {
		fmt.Fprintf(&b, "  taken for blocking, but contradicting the others: %s\n", strings.Join(r.Dropped, " "))
	}
	fmt.Fprintf(&b, "%s, %d with a row, %d explained; %d of them as in %s\n", report.Counted(r.Forms, "form"), r.Rows, r.Explained, r.Agree, r.Model)
	r.lists(&b)
	if n := len(r.Checks); n > 0 {
		sum := 0.0
		for _, d := range r.Checks {
			sum += d
		}
		fmt.Fprintf(&b, "%d random mixes of three forms: predicted within %.1f %% on average, %.1f %% in the middle, %.0f %% at worst\n", n, 100*sum/float64(n), 100*stats.Median(r.Checks), 100*slices.Max(r.Checks))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// lists writes the forms that differ, those that are not explained and those that were not measured.
func (r *Report) lists(b *strings.Builder) {
	section := func(title string, lines []string) {
		if len(lines) > 0 {
			fmt.Fprintf(b, "%s: %d\n%s\n", title, len(lines), strings.Join(lines, "\n"))
		}
	}
	var differ, open, names []string
	for _, d := range r.Differ {
		differ = append(differ, fmt.Sprintf("  %-20s %-16s %s: %-16s %s", d.Form, d.Uops, r.Model, d.Model, d.Why))
	}
	for _, d := range r.Open {
		open = append(open, fmt.Sprintf("  %-20s %s (%s: %s)", d.Form, d.Why, r.Model, d.Model))
	}
	for form, why := range r.Skipped {
		names = append(names, fmt.Sprintf("  %-20s %s", form, why))
	}
	slices.Sort(names)
	section("explained otherwise than in "+r.Model, differ)
	section("not explained", open)
	section("not measured", names)
}
