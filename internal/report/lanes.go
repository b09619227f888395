package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A lanes is the drawing of a timeline: a row per µop, a column per cycle.
type lanes struct {
	p      *painter
	t      *Target
	tl     *Timeline
	stay   bool    // some stores stay in the store queue after they have retired
	cycles []int64 // the cycle of each column; a run of cycles in which no µop changes its state is left out
	text   int     // width of the instructions
	place  int     // width of the line numbers
	port   int
	why    int // width of the reasons, 0: no room
}

// Widths of the drawing.
const (
	laneText   = 26 // instruction
	laneNarrow = 18 // on narrow terminals
	laneWhy    = 46 // reasons
	laneWide   = 130
	laneMin    = 24  // least cycles in a panel
	laneMost   = 500 // most cycles in a panel if the width is not limited, so that long loops do not fill it with blanks
)

// maxReasons is the number of waits that are named in the row of a µop.
const maxReasons = 2

// timeline draws the timeline and lists the waits of an iteration's instructions.
func (p *painter) timeline(k *Kernel, t *Target) {
	tl := t.Timeline
	if tl == nil {
		return
	}
	p.line("")
	when := "where nothing repeats"
	switch {
	case tl.Steady:
		when = "where iterations repeat"
	case tl.First == 0:
		when = "from the start of the loop"
	}
	p.title("timeline", fmt.Sprintf(" of iteration%s %s, %s", plural(tl.Iterations), span(tl), when))
	l := &lanes{p: p, t: t, tl: tl}
	l.measure()
	room := laneMost
	if p.Width > 0 {
		room = max(laneMin, p.Width-l.left()-1)
		if l.why > 0 {
			room = max(laneMin, room-l.why-2)
		}
	}
	for at := 0; at < len(l.cycles); at += room {
		l.panel(l.cycles[at:min(len(l.cycles), at+room)], at+room >= len(l.cycles))
	}
	stay := ""
	if l.stay {
		stay = ", s in the store queue, S leaves it"
	}
	p.line("%s", p.paint(dim, p.wrap("D dispatched, . on its way to the ports, = waits for an operand, p ready but waits for a port, e executes, E done, - waits to retire, R retired"+stay+"; "+
		"~ cycles left out in which nothing changes", "  ")))
	l.summary()
}

func span(tl *Timeline) string {
	if tl.Iterations == 1 {
		return strconv.Itoa(tl.First)
	}
	return fmt.Sprintf("%d to %d", tl.First, tl.First+tl.Iterations-1)
}

// measure chooses the columns.
func (l *lanes) measure() {
	var keep []int64
	for i := range l.tl.Uops {
		u := &l.tl.Uops[i]
		keep = append(keep, u.Dispatched, u.Ready, u.Issued, u.Done-1, u.Done, u.Retired)
		if u.Left > 0 {
			keep, l.stay = append(keep, u.Left), true
		}
		l.port = max(l.port, utf8.RuneCountInString(u.Port))
		l.place = max(l.place, len(l.t.Instructions[u.Instruction].place()))
	}
	slices.Sort(keep)
	keep = slices.Compact(keep)
	for i, c := range keep {
		if i > 0 && c > keep[i-1]+1 {
			if c == keep[i-1]+2 {
				l.cycles = append(l.cycles, c-1)
			} else {
				l.cycles = append(l.cycles, gapColumn)
			}
		}
		if c >= 0 {
			l.cycles = append(l.cycles, c)
		}
	}
	l.text = laneText
	if l.p.Width > 0 && l.p.Width < 100 {
		l.text = laneNarrow
	}
	if l.p.Width == 0 || l.p.Width >= laneWide {
		l.why = laneWhy
	}
}

// gapColumn marks a column in place of left-out cycles.
const gapColumn = -1

// left returns the width of the columns before the cycles.
func (l *lanes) left() int { return 4 + l.place + 1 + l.text + 1 + max(4, l.port) + 1 }

// panel draws some of the columns.
func (l *lanes) panel(cols []int64, last bool) {
	p := l.p
	tens, ones := strings.Repeat(" ", l.left()), pad(padLeft("it", 3)+" "+padLeft("LN", l.place)+" assembly", l.left()-max(4, l.port)-1)+pad("port", max(4, l.port))+" "
	for _, c := range cols {
		switch {
		case c == gapColumn:
			ones += "~"
		default:
			ones += strconv.FormatInt(c%10, 10)
		}
	}
	next := utf8.RuneCountInString(tens)
	for i, c := range cols {
		at := l.left() + i
		if c != gapColumn && (c%10 == 0 || i == 0 || cols[i-1] == gapColumn) && at >= next {
			tens = pad(tens, at) + strconv.FormatInt(c, 10)
			next = utf8.RuneCountInString(tens) + 1
		}
	}
	p.line("%s", p.paint(dim, tens))
	p.line("%s", p.paint(dim, ones))
	first, final := ends(cols)
	for i := range l.tl.Uops {
		u := &l.tl.Uops[i]
		if u.end() < first || u.Dispatched > final {
			continue
		}
		row := l.name(u, i) + l.draw(u, cols)
		if l.why > 0 && (last || u.end() <= final) {
			row = pad(row, l.left()+len(cols)) + "  " + clip(l.reasons(u), l.why)
		}
		p.line("%s", strings.TrimRight(row, " "))
	}
}

// ends returns the first and the last cycle of some columns.
func ends(cols []int64) (first, last int64) {
	first = -1
	for _, c := range cols {
		if c != gapColumn {
			if first < 0 {
				first = c
			}
			last = c
		}
	}
	return first, last
}

// name returns the columns before the cycles of a µop.
func (l *lanes) name(u *TimelineUop, i int) string {
	it, place, text := "", "", "  └ "+u.Kind
	if i == 0 || l.tl.Uops[i-1].Iteration != u.Iteration {
		it = strconv.Itoa(u.Iteration)
	}
	if u.Uop == 0 {
		in := &l.t.Instructions[u.Instruction]
		place, text = in.place(), in.Text
	}
	return padLeft(it, 3) + " " + padLeft(place, l.place) + " " + pad(clip(text, l.text), l.text) + " " + pad(u.Port, max(4, l.port)) + " "
}

// draw returns the states of a µop in some columns.
func (l *lanes) draw(u *TimelineUop, cols []int64) string {
	var b strings.Builder
	for i, c := range cols {
		if c == gapColumn { // the state of the cycle before the gap, or after it in the first column
			if i == 0 {
				b.WriteByte(u.state(cols[min(1, len(cols)-1)] - 1))
			} else {
				b.WriteByte(u.state(cols[i-1] + 1))
			}
			continue
		}
		b.WriteByte(u.state(c))
	}
	return b.String()
}

// end is the last cycle of a µop.
func (u *TimelineUop) end() int64 { return max(u.Retired, u.Left) }

// operand returns the cycles that a µop waits for its operands.
func (u *TimelineUop) operand() (cycles int64) {
	for i := range u.Waits {
		if u.Waits[i].For == "operand" {
			cycles += u.Waits[i].Cycles
		}
	}
	return cycles
}

// state returns the letter of a µop's state in a cycle.
func (u *TimelineUop) state(c int64) byte {
	switch {
	case c < u.Dispatched || c > u.end():
		return ' '
	case c > u.Retired && c == u.Left:
		return 'S'
	case c > u.Retired:
		return 's'
	case c == u.Retired:
		return 'R'
	case c == u.Dispatched:
		return 'D'
	case c < u.Ready-u.operand():
		return '.'
	case c < u.Ready:
		return '='
	case c < u.Issued:
		return 'p'
	case c == u.Done-1:
		return 'E'
	case c < u.Done:
		return 'e'
	}
	return '-'
}

// reasons names the longest waits of a µop, except for retirement, which follow from the other waits.
func (l *lanes) reasons(u *TimelineUop) string {
	waits := slices.DeleteFunc(slices.Clone(u.Waits), func(w Wait) bool { return w.For == "retirement" })
	slices.SortStableFunc(waits, func(a, b Wait) int { return int(b.Cycles - a.Cycles) })
	var out []string
	for i := range waits[:min(maxReasons, len(waits))] {
		out = append(out, fmt.Sprintf("%d %s", waits[i].Cycles, l.reason(u, &waits[i])))
	}
	return strings.Join(out, "; ")
}

// reason describes a wait in words.
func (l *lanes) reason(u *TimelineUop, w *Wait) string {
	who := ""
	if w.Instruction >= 0 {
		if in := &l.t.Instructions[w.Instruction]; in.Address != "" {
			who = in.place()
		} else {
			who = "LN " + in.place()
		}
		if d := u.Iteration - w.Iteration; d > 0 {
			who += fmt.Sprintf(" (-%d it.)", d)
		} else if d < 0 {
			who += fmt.Sprintf(" (+%d it.)", -d)
		}
	}
	switch w.For {
	case "dispatch":
		s := "for dispatch: " + w.Reason
		if w.Via != "" && w.Via != "all" {
			s = strings.Replace(s, "scheduler", "scheduler "+w.Via, 1)
			s = strings.Replace(s, "dispatch limit", "limit of "+w.Via, 1)
		}
		if who != "" {
			s += " behind " + who
		}
		return s
	case "port":
		if w.Reason == "order" {
			return "in program order behind " + who
		}
		if w.Instruction < 0 {
			return "for " + w.Reason
		}
		return "for port " + w.Via + ", taken by " + who
	case "operand":
		switch {
		case w.Reason == "itself":
			return "for an earlier µop of its own"
		case w.Via == "" || w.Via == "memory":
			return "for memory from " + who
		}
		return "for " + w.Via + " from " + who
	}
	return w.Reason
}

// summary lists the average waits of the instructions of an iteration.
func (l *lanes) summary() {
	phases := []string{"dispatch", "operand", "port"}
	rows := [][]string{{" LN", "dispatch", "operand", "port", "longest wait"}}
	for n := range l.t.Instructions {
		sums, longest, of := l.waits(n, phases)
		if longest == nil {
			continue
		}
		row := []string{" " + l.t.Instructions[n].place()}
		for _, s := range sums {
			row = append(row, blankZero(float64(s)/float64(l.tl.Iterations)))
		}
		rows = append(rows, append(row, strconv.FormatInt(longest.Cycles, 10)+" "+l.reason(of, longest)))
	}
	if len(rows) == 1 {
		return
	}
	l.p.title("waits", " (cycles per iteration, of that µop of an instruction which waits longest)")
	l.p.columns(rows)
}

// waits sums over the iterations, for each phase, the wait of the µop of instruction n that waits longest, and finds
// the most informative wait of all.
func (l *lanes) waits(n int, phases []string) (sums []int64, longest *Wait, of *TimelineUop) {
	sums = make([]int64, len(phases))
	most := make([]int64, len(phases))
	iteration := -1
	for i := range l.tl.Uops {
		u := &l.tl.Uops[i]
		if u.Instruction != n {
			continue
		}
		if u.Iteration != iteration {
			iteration = u.Iteration
			clear(most)
		}
		for k := range u.Waits {
			w := &u.Waits[k]
			at := slices.Index(phases, w.For)
			if at < 0 {
				continue
			}
			if more := w.Cycles - most[at]; more > 0 {
				most[at], sums[at] = w.Cycles, sums[at]+more
			}
			if longest == nil || w.telling(longest) {
				longest, of = w, u
			}
		}
	}
	return sums, longest, of
}

// telling reports whether a wait is more informative than another: it is longer, or the other is only for a µop of the same instruction.
func (w *Wait) telling(x *Wait) bool {
	if own := w.Reason == "itself"; own != (x.Reason == "itself") {
		return !own
	}
	return w.Cycles > x.Cycles
}
