package results

import (
	"fmt"
	"io"
	"strings"

	"incore/internal/machine"
	"incore/internal/report"
)

// Check says what the figures of a model rest on.
type Check struct {
	Model string `json:"model"`
	Title string `json:"title"`
	ISA   string `json:"isa"`
	Forms int    `json:"forms"` // of the instruction set
	// Uops and Latency count the forms by the source of their µops and of their latency.
	Uops       map[string]int `json:"uops"`
	Latency    map[string]int `json:"latency"`
	Parameters []report.Fact  `json:"parameters"`
	Unread     []Unread       `json:"unread"`
	Suspicious []string       `json:"suspicious"` // rows whose figures contradict each other
}

// Unread is a parameter that nothing reads, with the name that may be meant.
type Unread struct {
	Name string `json:"name"`
	Hint string `json:"hint"`
}

// CheckOf is the check of a model as a result.
func CheckOf(m *machine.Model, c *machine.Checked) Check {
	out := Check{Model: m.Name, Title: m.Title, ISA: m.ISA, Forms: c.Forms, Uops: map[string]int{}, Latency: map[string]int{},
		Parameters: []report.Fact{}, Unread: []Unread{}, Suspicious: []string{}}
	for o := range machine.NumOrigins {
		out.Uops[o.String()], out.Latency[o.String()] = c.Uops[o], c.Latencies[o]
	}
	for _, f := range c.Params {
		out.Parameters = append(out.Parameters, report.Fact(f))
	}
	for _, f := range c.Unread {
		out.Unread = append(out.Unread, Unread{f.Name, machine.ParamHint(f.Name)})
	}
	for i := range c.Suspicious {
		out.Suspicious = append(out.Suspicious, c.Suspicious[i].String())
	}
	return out
}

// Checks are those of one or more models.
type Checks []Check

// Layout implements report.Result.
func (Checks) Layout() string { return "incore.model-check/1" }

// Value is an object with the list.
func (list Checks) Value() any {
	return struct {
		Models []Check `json:"models"`
	}{list}
}

// Text describes each model, with the first o.Most suspicious rows, all if it is 0.
func (list Checks) Text(w io.Writer, o report.TextOptions) error {
	var b strings.Builder
	for i := range list {
		if i > 0 {
			b.WriteString("\n")
		}
		list[i].text(&b, o)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (c *Check) text(b *strings.Builder, o report.TextOptions) {
	fmt.Fprintf(b, "%s  %s (%s)\n\n%-16s %7s %7s   of %d forms\n", c.Model, c.Title, c.ISA, "source", "µops", "latency", c.Forms)
	for origin := range machine.NumOrigins {
		if name := origin.String(); c.Uops[name]+c.Latency[name] > 0 {
			fmt.Fprintf(b, "%-16s %7d %7d\n", name, c.Uops[name], c.Latency[name])
		}
	}
	b.WriteString("\nparameters and features\n")
	for _, f := range c.Parameters {
		fmt.Fprintf(b, "  %s: %s  # %s\n", f.Name, f.Value, f.Source)
	}
	for _, u := range c.Unread {
		fmt.Fprintf(b, "nothing reads the parameter '%s' (%s)\n", u.Name, u.Hint)
	}
	if len(c.Suspicious) == 0 {
		b.WriteString("\nno suspicious rows\n")
		return
	}
	fmt.Fprintf(b, "\n%s\n", report.Counted(len(c.Suspicious), "suspicious row"))
	rows, more := most(c.Suspicious, o)
	for _, s := range rows {
		fmt.Fprintf(b, "  %s\n", s)
	}
	if more > 0 {
		fmt.Fprintf(b, "  %d more; --rows 0 shows all\n", more)
	}
}

// Overview are the checks of many models, a line each.
type Overview struct{ Checks }

// Text writes the share of forms by the source of their latency.
func (list Overview) Text(w io.Writer, _ report.TextOptions) error {
	var b strings.Builder
	fmt.Fprintf(&b, "latency by source, %% of forms\n%-20s", "model")
	for o := range machine.NumOrigins {
		fmt.Fprintf(&b, " %14s", o)
	}
	fmt.Fprintf(&b, " %10s\n", "suspicious")
	for i := range list.Checks {
		c := &list.Checks[i]
		fmt.Fprintf(&b, "%-20s", c.Model)
		for o := range machine.NumOrigins {
			fmt.Fprintf(&b, " %14.1f", 100*float64(c.Latency[o.String()])/float64(max(1, c.Forms)))
		}
		fmt.Fprintf(&b, " %10d\n", len(c.Suspicious))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
