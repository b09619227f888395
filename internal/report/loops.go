package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"incore/internal/base/symname"
)

// LoopsSchema names the version of the layout of Loops.
const LoopsSchema = "incore.loops/1"

// Loops lists the loops of an executable, an object file or a text.
type Loops struct {
	Schema      string       `json:"schema"`
	File        string       `json:"file"`
	Format      string       `json:"format"`
	ISA         string       `json:"isa"`
	Arch        string       `json:"arch"`
	Why         string       `json:"why,omitempty"` // why incore chose this machine, if the user named none
	Functions   int          `json:"functions"`
	Order       string       `json:"order"` // "heat": estimated from the code; "profile": measured
	Loops       []LoopInfo   `json:"loops"`
	Diagnostics []Diagnostic `json:"diagnostics,omitempty"`
}

// Layout implements Result.
func (*Loops) Layout() string { return LoopsSchema }

// LoopInfo is one loop.
type LoopInfo struct {
	Function string `json:"function"`
	Member   string `json:"member,omitempty"` // the member of a static library that contains it
	Number   int    `json:"loop"`             // number of the loop, for analyze --loop
	Address  string `json:"address"`          // address of the first executed instruction, "0x401140"
	Bytes    uint64 `json:"bytes"`            // from its lowest address to its highest
	Lines    string `json:"lines"`            // lines of the source, "file.c:5-9"; "" if not known
	// SourceLines are the first of these lines with their text. Only the first loops of the list have them, if their source is found.
	SourceLines  []SourceLine `json:"source_lines,omitempty"`
	Depth        int          `json:"depth"` // 1: outermost
	Innermost    bool         `json:"innermost"`
	Instructions int          `json:"instructions"` // in all its blocks
	Body         int          `json:"body"`         // instructions on the predicted path
	Paths        int          `json:"paths"`        // number of paths through the loop
	Vector       Vector       `json:"vector"`
	Cycles       float64      `json:"cycles"` // predicted cycles of one pass of the body
	Bound        Bound        `json:"bound"`
	Engine       Engine       `json:"engine"`
	AtLeast      bool         `json:"at_least,omitempty"` // Cycles is a lower bound
	Unknown      int          `json:"unknown"`            // instructions without cost data
	Lacks        string       `json:"lacks,omitempty"`    // an extension that it needs and the core does not have
	Reserved     string       `json:"reserved,omitempty"` // an instruction that the specification reserves, and why
	InOrder      bool         `json:"-"`                  // the core issues in order
	Heat         float64      `json:"heat"`               // estimate of the loop's share of the run time; comparable only within a file
	Share        float64      `json:"share,omitempty"`    // share of the profile's samples, 0 to 1
	Limit        string       `json:"limit"`              // the limit of its run time, in words
	// Measured is what branch records of the profile tell; absent: they hold too few of its iterations.
	Measured *Measured `json:"measured,omitempty"`
	// Events are the loop's shares of the profile's other events.
	Events []EventShare `json:"events,omitempty"`
}

// Measured holds cycles per iteration by branch records with time stamps (Intel's LBR, Arm's BRBE).
type Measured struct {
	Cycles       float64 `json:"cycles"` // mean
	Median       float64 `json:"median"`
	Iterations   int     `json:"iterations"`      // in the records
	Mispredicted float64 `json:"mispredicted"`    // taken branches per iteration that were not predicted
	Ratio        float64 `json:"ratio"`           // Cycles over the prediction; 0: there is none
	Lacks        string  `json:"lacks,omitempty"` // what the prediction does not count, in words, if Ratio is above MeasuredMore
}

// MeasuredMore is the ratio of measured to predicted cycles above which a report says what the prediction does not count.
const MeasuredMore = 1.3

// EventShare is a share of the samples of an event.
type EventShare struct {
	Event string  `json:"event"`
	Share float64 `json:"share"`
}

// where returns the origin of the loop: the member of the library that contains it, its source lines, and the text of the first line.
func (x *LoopInfo) where(p *painter) string {
	s := p.lines(x.Lines)
	if x.Member != "" {
		s = "(" + x.Member + ") " + s
	}
	if len(x.SourceLines) > 0 {
		s += "  " + x.SourceLines[0].Text
	}
	return strings.TrimSpace(s)
}

// at returns the loop's address, or its label in assembly text, whose function has a column of its own.
func (x *LoopInfo) at() string {
	if f, place := symname.Split(x.Address); f == x.Function && strings.HasPrefix(place, ":") {
		return place[1:]
	}
	return x.Address
}

// Vector counts a body's instructions by the widest register that they use.
type Vector struct {
	Scalar   int `json:"scalar"` // at most 64 bits, or 80 of x87
	V128     int `json:"128"`
	V256     int `json:"256"`
	V512     int `json:"512"`
	Scalable int `json:"scalable"` // of a width that is not known from the code
}

// String returns the mix in short form: "3 scalar, 5×256".
func (v Vector) String() string {
	var s []string
	for _, w := range []struct {
		n    int
		name string
	}{{v.V512, "×512"}, {v.V256, "×256"}, {v.V128, "×128"}, {v.Scalable, "×vl"}} {
		if w.n > 0 {
			s = append(s, strconv.Itoa(w.n)+w.name)
		}
	}
	if len(s) == 0 {
		return "-"
	}
	return strings.Join(s, " ")
}

// CSV writes a row for each loop.
func (l *Loops) CSV(w io.Writer) error {
	c := csv.NewWriter(w)
	rows := [][]string{{"function", "loop", "address", "bytes", "lines", "depth", "innermost", "instructions", "body", "paths", "scalar", "v128", "v256", "v512", "scalable",
		"cycles", "bound", "engine", "unknown", "heat", "share", "at_least", "member", "measured", "ratio"}}
	for i := range l.Loops {
		x, n := &l.Loops[i], strconv.Itoa
		measured := []string{"", ""}
		if m := x.Measured; m != nil {
			measured = []string{figure(m.Cycles), ""}
			if m.Ratio > 0 {
				measured[1] = figure(m.Ratio)
			}
		}
		rows = append(rows, append([]string{x.Function, n(x.Number), x.Address, strconv.FormatUint(x.Bytes, 10), x.Lines, n(x.Depth), strconv.FormatBool(x.Innermost), n(x.Instructions), n(x.Body), n(x.Paths),
			n(x.Vector.Scalar), n(x.Vector.V128), n(x.Vector.V256), n(x.Vector.V512), n(x.Vector.Scalable), figure(x.Cycles), string(x.Bound), string(x.Engine), n(x.Unknown), figure(Round(x.Heat)), figure(Round(x.Share)), strconv.FormatBool(x.AtLeast), x.Member}, measured...))
	}
	return c.WriteAll(rows)
}

// Text writes the first loops, at most o.Most.
func (l *Loops) Text(w io.Writer, o TextOptions) error {
	limit := o.Most
	p := &painter{TextOptions: o}
	p.field("input", l.File+", "+l.ISA+"; "+l.Format)
	p.field("machine", l.Arch+after(l.Why))
	order := "the likely hottest first, guessed from the code alone (--perf FILE takes a profile's order, incore trace simulates a run)"
	if l.Order == "profile" {
		order = "by the profile"
	}
	of := fmt.Sprintf(" in %d function%s", l.Functions, plural(l.Functions))
	if l.Functions == 0 {
		of = ", in no known function"
	}
	if len(l.Loops) == 0 {
		p.field("loops", "none"+of)
		p.diagnostics(l.Diagnostics)
		_, err := io.WriteString(w, p.String())
		return err
	}
	p.field("loops", fmt.Sprintf("%d%s; %s", len(l.Loops), of, order))
	p.line("")
	show := len(l.Loops)
	if limit > 0 {
		show = min(show, limit)
	}
	heads := []string{"cycles", "bound", "insts", "depth", "vector", "loop", "function", "source"}
	measured := slices.ContainsFunc(l.Loops[:show], func(x LoopInfo) bool { return x.Measured != nil })
	if measured {
		heads = append([]string{"measured", "ratio"}, heads...)
	}
	if l.Order == "profile" {
		heads = append([]string{"share"}, heads...)
	}
	rows := [][]string{heads}
	for i := range l.Loops[:show] {
		x := &l.Loops[i]
		depth := strconv.Itoa(x.Depth)
		if !x.Innermost {
			depth += "+" // holds others
		}
		row := []string{Brief(x.Cycles, x.AtLeast, x.Unknown), x.Limit, strconv.Itoa(x.Body), depth, x.Vector.String(), strconv.Itoa(x.Number) + " " + x.at(), x.Function, x.where(p)}
		if measured {
			row = append(x.Measured.cells(), row...)
		}
		if l.Order == "profile" {
			row = append([]string{fmt.Sprintf("%.1f%%", 100*x.Share)}, row...)
		}
		rows = append(rows, row)
	}
	p.fitFunctions(rows)
	p.listing(rows)
	if show < len(l.Loops) {
		p.line("%s", p.paint(dim, fmt.Sprintf("… and %d more (--top 0 shows all)", len(l.Loops)-show)))
	}
	if slices.ContainsFunc(l.Loops[:show], func(x LoopInfo) bool { return x.AtLeast }) {
		p.line("%s", p.paint(dim, p.wrap("≥: at least; the loop calls a function, or has an instruction whose time has no upper bound", "   ")))
	}
	if slices.ContainsFunc(l.Loops[:show], func(x LoopInfo) bool { return x.Unknown > 0 }) {
		p.line("%s", p.paint(dim, "?: the loop has instructions of unknown cost"))
	}
	for i := range l.Loops[:show] {
		if m := l.Loops[i].Measured; m != nil && m.Lacks != "" {
			p.line("%s", p.wrap(fmt.Sprintf("loop %d of %s takes %.2f times the prediction: %s", l.Loops[i].Number, symname.Fit([]string{l.Loops[i].Function}, symname.Short)[0], m.Ratio, m.Lacks), "  "))
		}
	}
	p.diagnostics(l.Diagnostics)
	_, err := io.WriteString(w, p.String())
	return err
}

// fitFunctions shortens the functions of a table, the column before the last, so that the last column has room for a file and its lines.
func (p *painter) fitFunctions(rows [][]string) {
	const place = 30
	short := make([][]string, len(rows))
	for i, r := range rows {
		short[i] = slices.Clone(r)
		at, _, _ := strings.Cut(r[len(r)-1], "  ") // before the source's text
		short[i][len(r)-1] = clip(at, place)
	}
	p.fit(short, len(rows[0])-2)
	for i, r := range rows {
		r[len(r)-2] = short[i][len(r)-2]
	}
}

// times is the ratio to the prediction; "" if there is no prediction.
func (m *Measured) times() string {
	if m.Ratio == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", m.Ratio)
}

// cells are the columns of a measurement.
func (m *Measured) cells() []string {
	if m == nil {
		return []string{"", ""}
	}
	return []string{cycles(m.Cycles), m.times()}
}

// listing writes rows in columns, the first row as the heading; it cuts lines at the terminal's width.
func (p *painter) listing(rows [][]string) {
	width := make([]int, len(rows[0]))
	for _, r := range rows {
		for i, c := range r {
			width[i] = max(width[i], len([]rune(c)))
		}
	}
	for n, r := range rows {
		var b strings.Builder
		for i, c := range r {
			if i < len(r)-1 {
				c = pad(c, width[i]) + "  "
			}
			b.WriteString(c)
		}
		p.cells(b.String(), n == 0)
	}
}
