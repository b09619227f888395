package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// MachineInfo describes a machine model.
type MachineInfo struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	ISA      string   `json:"isa"`
	Aliases  []string `json:"aliases"`
	Ports    []string `json:"ports"`
	Width    int      `json:"dispatch_width"` // 0: not known
	Coverage string   `json:"coverage"`       // forms with data
	Sources  []string `json:"sources"`
	Notes    []string `json:"notes"`
	Borrowed bool     `json:"borrowed"` // the costs are those of another core
	// Accuracy is the simulator's accuracy on each corpus that was measured on this core; empty: there is no corpus.
	Accuracy []Accuracy `json:"accuracy"`
	// AccuracyText is Accuracy in words.
	AccuracyText string `json:"accuracy_text"`
	Facts        []Fact `json:"facts,omitempty"`
	Groups       []Fact `json:"groups,omitempty"`
	Units        []Fact `json:"units,omitempty"` // the functions of ports and resources, where their names don't state it
}

// Fact is a parameter of a machine with its source.
type Fact struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Source string `json:"source,omitempty"`
}

// MachineList is a list of machines.
type MachineList []MachineInfo

// Layout implements Result.
func (MachineList) Layout() string { return "incore.archs/1" }

// Value is an object with the list.
func (list MachineList) Value() any {
	return struct {
		Machines []MachineInfo `json:"machines"`
	}{list}
}

// Text lists the machines by instruction set.
func (list MachineList) Text(w io.Writer, o TextOptions) error {
	p := &painter{TextOptions: o}
	isa := ""
	var rows [][]string
	flush := func() {
		if len(rows) > 1 {
			p.columns(rows)
		}
		rows = [][]string{{"machine", "ports", "width", "forms", "also called", "title"}}
	}
	for i := range list {
		m := &list[i]
		if m.ISA != isa {
			flush()
			if isa != "" {
				p.line("")
			}
			isa = m.ISA
			p.line("%s", p.paint(bold, isa))
		}
		title := m.Title
		if m.Borrowed {
			title += " (borrowed costs)"
		}
		aliases := strings.Join(m.Aliases, " ")
		if !o.Verbose {
			aliases = clip(aliases, 34)
		}
		rows = append(rows, []string{m.Name, strconv.Itoa(len(m.Ports)), widthText(m.Width), share(m.Coverage), aliases, title})
	}
	flush()
	_, err := io.WriteString(w, p.String())
	return err
}

func widthText(n int) string {
	if n == 0 {
		return "?"
	}
	return strconv.Itoa(n)
}

// share returns the percentage for a coverage as "17835 of 18000 forms".
func share(coverage string) string {
	f := strings.Fields(coverage)
	if len(f) >= 3 && f[1] == "of" {
		a, err1 := strconv.ParseFloat(f[0], 64)
		b, err2 := strconv.ParseFloat(f[2], 64)
		if err1 == nil && err2 == nil && b > 0 {
			return strconv.FormatFloat(100*a/b, 'f', 1, 64) + "%"
		}
	}
	return coverage
}

// Layout implements Result.
func (*MachineInfo) Layout() string { return "incore.arch/1" }

// Text describes the machine.
func (m *MachineInfo) Text(w io.Writer, o TextOptions) error {
	p := &painter{TextOptions: o}
	p.line("%s", p.paint(bold, m.Title)+" ("+m.Name+")")
	p.field("isa", m.ISA)
	p.list("aliases", m.Aliases)
	p.list("ports", m.Ports)
	p.field("width", widthText(m.Width)+" slots per cycle")
	p.field("forms", m.Coverage)
	p.field("accuracy", m.AccuracyText)
	if len(m.Facts) > 0 {
		p.line("")
		rows := [][]string{{"parameter", "value", "source"}}
		for _, f := range m.Facts {
			rows = append(rows, []string{f.Name, f.Value, f.Source})
		}
		p.columns(p.wrapLast(rows))
	}
	p.named("port group", "ports", m.Groups)
	p.named("unit", "stands for", m.Units)
	p.line("")
	p.origins(m)
	_, err := io.WriteString(w, p.String())
	return err
}

// origins writes the sources of a model's figures and, in a verbose report, the notes on measurements.
func (p *painter) origins(m *MachineInfo) {
	for i, s := range m.Sources {
		name := ""
		if i == 0 {
			name = "sources"
		}
		p.field(name, s)
	}
	switch n := len(m.Notes); {
	case p.Verbose:
		for _, s := range m.Notes {
			p.field("note", s)
		}
	case n > 0:
		p.line("%s", p.paint(dim, fmt.Sprintf("-v adds %d note%s on the model", n, plural(n))))
	}
}

// wrapLast breaks the last two columns of a table into lines that fit the width; continuation lines become further rows.
func (p *painter) wrapLast(rows [][]string) [][]string {
	width := p.Width
	if width <= 0 {
		width = 120
	}
	room := width
	for i := range rows[0][:len(rows[0])-2] {
		most := 0
		for _, r := range rows {
			most = max(most, utf8.RuneCountInString(r[i]))
		}
		room -= most + 2
	}
	most, last := 0, len(rows[0])-1
	for _, r := range rows {
		most = max(most, utf8.RuneCountInString(r[last-1]))
	}
	value := max(12, min(most, room*2/5))
	source := max(24, room-2-value)
	var out [][]string
	for n, r := range rows {
		a, b := broken(r[last-1], value), broken(r[last], source)
		for i := range max(len(a), len(b)) {
			line := make([]string, len(r))
			if i == 0 {
				copy(line, r[:last-1])
			}
			if i < len(a) {
				line[last-1] = a[i]
			}
			if i < len(b) {
				line[last] = b[i]
			}
			if n > 0 && last > 1 {
				line[last-1] = pad(line[last-1], min(value, most))
			}
			out = append(out, line)
		}
	}
	return out
}

// broken breaks a text into lines of at most width characters, at blanks.
func broken(text string, width int) []string {
	lines := []string{""}
	for _, w := range strings.Fields(text) {
		l := &lines[len(lines)-1]
		switch {
		case *l == "":
			*l = w
		case utf8.RuneCountInString(*l)+1+utf8.RuneCountInString(w) > width:
			lines = append(lines, w)
		default:
			*l += " " + w
		}
	}
	return lines
}

// named writes a table of names and their meanings, if there are any.
func (p *painter) named(name, meaning string, facts []Fact) {
	if len(facts) == 0 {
		return
	}
	p.line("")
	rows := [][]string{{name, "", meaning}}
	for _, f := range facts {
		rows = append(rows, []string{f.Name, "", f.Value})
	}
	p.columns(p.wrapLast(rows))
}
