package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A grid is the table of instructions and ports (PMBS'19, table II): a column per
// port, then LCD, CP, line number and the source text.
type grid struct {
	p     *painter
	ports []string
	width []int // of the port columns
	sep   string
	lcd   int
	cp    int
	line  int
	extra []int    // widths of the additional columns after the ports
	text  int      // columns left for the source text, 0: no limit
	rest  []string // ports left out because no instruction uses them
	less  []string // ports left out for lack of room, with their loads
	units []string // shared units left out, with their loads
	body  int      // greatest width of the source text
	busy  []string // the busiest ports, which are coloured
}

// minText is the least width that the source text shrinks to.
const minText = 24

// table writes the instructions with their port pressure.
func (p *painter) table(k *Kernel, t *Target) {
	g := p.grid(k, t)
	g.header()
	labels := k.Labels
	texts := map[string]string{}
	for _, s := range k.SourceLines {
		texts[s.Where] = s.Text
	}
	for i := range t.Instructions {
		for len(labels) > 0 && labels[0].Before <= i {
			if l := labels[0]; l.Source {
				g.source(l.Name, texts, t.Instructions[i].Where)
			} else {
				g.label(l)
			}
			labels = labels[1:]
		}
		g.instruction(&t.Instructions[i])
	}
	g.rule()
	sum := "sum"
	if k.Unroll > 1 {
		sum += fmt.Sprintf(" (%s× unrolled)", figure(k.Unroll))
	}
	g.sums(t, 1, sum)
	if k.Unroll > 1 {
		g.sums(t, k.Unroll, "per high-level iteration")
	}
	if len(g.less) > 0 {
		p.line("%s", p.paint(dim, p.wrap("ports not shown, less loaded: "+strings.Join(g.less, ", "), "  ")))
	}
	if len(g.units) > 0 && p.Verbose {
		p.line("%s", p.paint(dim, p.wrap("shared units, less loaded than the busiest port: "+strings.Join(g.units, ", "), "  ")))
	}
	if len(g.rest) > 0 && p.Verbose {
		p.line("%s", p.paint(dim, p.wrap("ports not used: "+strings.Join(g.rest, ", "), "  ")))
	}
}

// grid chooses and measures the columns. A shared unit (load or store queue, divider …) has a column only if it is
// as busy as the busiest port, since only then it bounds. Unused ports are left out if the
// table would not fit.
func (p *painter) grid(k *Kernel, t *Target) *grid {
	g := &grid{p: p, sep: "  ", lcd: 4, cp: 4, line: 3}
	for i := range t.Instructions {
		in := &t.Instructions[i]
		g.line = max(g.line, len(in.place()))
		g.lcd = max(g.lcd, len(optionalCycles(in.LCD)))
		g.cp = max(g.cp, len(optionalCycles(in.CP)))
	}
	for _, x := range p.extras() {
		w := len(x.head)
		for i := range t.Instructions {
			w = max(w, len(cycles(x.of(&t.Instructions[i]))))
		}
		g.extra = append(g.extra, w)
	}
	for _, by := range []float64{1, max(1, k.Unroll)} {
		g.lcd, g.cp = max(g.lcd, len(cycles(lcd(t)/by))), max(g.cp, len(cycles(t.CriticalPath.Cycles/by)))
	}
	for _, port := range t.Throughput.Ports {
		switch {
		case !port.Resource || port.Cycles > 0 && port.Cycles >= t.Throughput.Cycles-1e-6:
			g.ports = append(g.ports, port.Name)
		case port.Cycles > 0:
			g.units = append(g.units, port.Name+" "+fixed(port.Cycles))
		}
	}
	g.busy = t.Throughput.Bottleneck
	g.measure(t)
	for i := range t.Instructions {
		g.body = max(g.body, utf8.RuneCountInString(t.Instructions[i].Text))
	}
	g.fit(t)
	return g
}

// fit makes room for the source text. It drops the unused ports first, then space between columns, then ports that do not bound. Only
// after that it cuts operands.
func (g *grid) fit(t *Target) {
	width := g.p.Width
	lacks := func() bool { return width > 0 && g.fixed()+min(g.body, longText) > width }
	if len(g.ports) > manyPorts || lacks() {
		g.usedOnly(t)
	}
	if width <= 0 {
		return
	}
	if lacks() {
		g.sep = " "
	}
	for len(g.ports) > fewPorts && lacks() && g.idle(t) || len(g.ports) > 2 && g.fixed()+minText > width {
		g.dropIdlest(t)
	}
	g.text = max(minText, width-g.fixed())
}

// manyPorts is the number of ports above which a table always leaves out unused ports; longText is the width of source text for which a table makes room.
const (
	manyPorts = 12
	longText  = 64
)

// fewPorts is the number of ports that a table keeps even if it must cut operands.
const fewPorts = 4

// idle reports whether the port with the least load is clearly less busy than the busiest port, so that it does not bound.
func (g *grid) idle(t *Target) bool {
	least := t.Throughput.Cycles
	for _, name := range g.ports {
		least = min(least, t.Throughput.Ports.Of(name))
	}
	return least < 0.9*t.Throughput.Cycles
}

// usedOnly leaves out the unused ports.
func (g *grid) usedOnly(t *Target) {
	shown := g.ports
	g.ports = nil
	for _, port := range t.Throughput.Ports {
		switch {
		case port.Cycles == 0 && !port.Resource:
			g.rest = append(g.rest, port.Name)
		case slices.Contains(shown, port.Name):
			g.ports = append(g.ports, port.Name)
		}
	}
	g.measure(t)
}

// dropIdlest leaves out the port with the least load; among equals it is the last.
func (g *grid) dropIdlest(t *Target) {
	least := 0
	for i, name := range g.ports {
		if t.Throughput.Ports.Of(name) <= t.Throughput.Ports.Of(g.ports[least]) {
			least = i
		}
	}
	name := g.ports[least]
	g.less = append(g.less, name+" "+fixed(t.Throughput.Ports.Of(name)))
	g.ports = slices.Delete(g.ports, least, least+1)
	g.measure(t)
}

// measure sets the widths of the port columns.
func (g *grid) measure(t *Target) {
	g.width = make([]int, len(g.ports))
	for c, name := range g.ports {
		w := max(utf8.RuneCountInString(name), len(fixed(t.Throughput.Ports.Of(name))))
		for i := range t.Instructions {
			if v := t.Instructions[i].Ports.Of(name); v > 0 {
				w = max(w, len(fixed(v)))
			}
		}
		g.width[c] = w
	}
}

// fixed returns the width of all columns except the source text.
func (g *grid) fixed() int {
	n := 0
	for _, w := range g.width {
		n += w + len(g.sep)
	}
	for _, w := range g.extra {
		n += w + len(g.sep)
	}
	return n + g.lcd + len(g.sep) + g.cp + len(g.sep) + g.line + 2
}

func (g *grid) header() {
	cells := make([]string, len(g.ports))
	copy(cells, g.ports)
	for _, x := range g.p.extras() {
		cells = append(cells, x.head)
	}
	g.p.line("%s", g.painted(dim, columns{cells, "LCD", "CP", "LN", "assembly"}))
}

func (g *grid) rule() {
	n := g.fixed() + max(minText, g.body)
	if g.p.Width > 0 {
		n = min(n, g.p.Width)
	}
	g.p.line("%s", g.p.paint(dim, strings.Repeat("─", n)))
}

// columns are the cells of a row.
type columns struct {
	ports               []string // the ports and the additional columns
	lcd, cp, line, text string
}

// row joins cells.
func (g *grid) row(c columns) string {
	return strings.TrimRight(g.join(c.ports, "", func(_, s string) string { return s })+g.tail(c), " ")
}

// painted returns a row in a colour, "" for none; the cells of the busiest ports keep their own colour.
func (g *grid) painted(sgr string, c columns) string {
	if !g.p.Color {
		return g.row(c)
	}
	paint := func(sgr, s string) string {
		if sgr == "" {
			return s
		}
		return g.p.paint(sgr, s)
	}
	return g.join(c.ports, sgr, paint) + paint(sgr, strings.TrimRight(g.tail(c), " "))
}

// join returns the cells of the ports and of the additional columns in a colour; the cells of the busiest ports have the colour busiest.
func (g *grid) join(ports []string, sgr string, paint func(sgr, s string) string) string {
	var b strings.Builder
	for i, w := range append(slices.Clip(g.width), g.extra...) {
		c, as := "", sgr
		if i < len(ports) {
			c = ports[i]
		}
		if i < len(g.ports) && slices.Contains(g.busy, g.ports[i]) {
			as = busiest
		}
		b.WriteString(paint(as, padLeft(c, w)) + g.sep)
	}
	return b.String()
}

// tail returns the columns after those of join.
func (g *grid) tail(c columns) string {
	return padLeft(c.lcd, g.lcd) + g.sep + padLeft(c.cp, g.cp) + g.sep + padLeft(c.line, g.line) + "  " + c.text
}

func (g *grid) label(l Label) {
	line := ""
	if l.Line > 0 {
		line = strconv.Itoa(l.Line)
	}
	g.p.line("%s", g.row(columns{ports: make([]string, len(g.ports)), line: line, text: l.Name + ":"}))
}

// source writes the source line of the following instructions, from the left edge, as far as there is room.
func (g *grid) source(name string, texts map[string]string, where string) {
	text := texts[name]
	if texts[where] != "" {
		name, text = where, texts[where] // the same line under a longer name
	}
	s := "  " + name + "  " + text
	if g.p.Width > 0 {
		s = clip(s, g.p.Width)
	}
	g.p.line("%s", g.p.paint(cyan, strings.TrimRight(s, " ")))
}

func (g *grid) instruction(in *Instruction) {
	cells := make([]string, len(g.ports))
	for i, name := range g.ports {
		if v := in.Ports.Of(name); v > 0 {
			cells[i] = fixed(v)
		}
	}
	for _, x := range g.p.extras() {
		cells = append(cells, cycles(x.of(in)))
	}
	text := g.cut(in.Text)
	if f := marks(in.Flags); f != "" {
		text = g.cutTo(text, f)
	}
	sgr := ""
	switch {
	case has(in.Flags, "unknown"):
		sgr = red
	case in.LCD != nil:
		sgr = yellow
	}
	g.p.line("%s", g.painted(sgr, columns{cells, optionalCycles(in.LCD), optionalCycles(in.CP), in.place(), text}))
}

// cutTo appends remarks to a text. It shortens or cuts the remarks if there is too little room, except the remark that the cost is not known.
func (g *grid) cutTo(text, remarks string) string {
	remarks = "  ; " + remarks
	if g.text > 0 && utf8.RuneCountInString(text+remarks) > g.text {
		remarks = shorter.Replace(remarks)
	}
	if g.text > 0 {
		room := g.text - utf8.RuneCountInString(remarks)
		if room >= minText/2 && strings.Contains(remarks, remarkFor["unknown"]) {
			text = clip(text, room)
		}
		if room = g.text - utf8.RuneCountInString(text); room < leastRemark {
			return text
		}
		remarks = clip(remarks, room)
	}
	return text + remarks
}

// shorter replaces remarks by shorter ones.
var shorter = strings.NewReplacer(remarkFor["fused-first"], "fused", remarkFor["fused-second"], "fused", remarkFor["move-eliminated"], "eliminated", remarkFor["dep-breaking"], "no dependence")

// leastRemark is the least room in which a remark is written.
const leastRemark = 9

// cut shortens a text to the available room.
func (g *grid) cut(s string) string {
	if g.text > 0 {
		return clip(s, g.text)
	}
	return s
}

// clip shortens s to n characters, with … at the end.
func clip(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	r := []rune(s)
	return string(r[:max(0, n-1)]) + "…"
}

// sums writes a row of column sums, divided.
func (g *grid) sums(t *Target, by float64, text string) {
	cells := make([]string, len(g.ports))
	for i, name := range g.ports {
		cells[i] = fixed(t.Throughput.Ports.Of(name) / by)
	}
	l := ""
	if len(t.LoopCarried) > 0 {
		l = cycles(lcd(t) / by)
	}
	g.p.line("%s", g.painted(bold, columns{ports: cells, lcd: l, cp: cycles(t.CriticalPath.Cycles / by), text: text}))
}

// fixed formats port pressure with two decimals.
func fixed(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }

func optionalCycles(v *float64) string {
	if v == nil {
		return ""
	}
	return cycles(*v)
}

// remarkFor maps flags of instructions to the remarks after the instruction.
var remarkFor = map[string]string{
	"unknown": "cost not known", "zero-idiom": "zero idiom", "move-eliminated": "move eliminated", "fused-first": "fused with the next",
	"fused-second": "fused with the one before", "dep-breaking": "breaks the dependence", "reads-result": "waits for the register it writes",
}

func marks(flags []string) string {
	var out []string
	for _, f := range flags {
		if r := remarkFor[f]; r != "" {
			out = append(out, r)
		}
	}
	return strings.Join(out, ", ")
}

func has(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func join(list []string) string { return strings.Join(list, " ") }
