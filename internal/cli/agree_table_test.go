package cli

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// table reads the instructions with their ports.
func (r *reading) table(k *agreeKernel, t *agreeTarget) {
	head := []rune(r.next())
	var names []string
	var ends []int
	for _, m := range regexp.MustCompile(`\S+`).FindAllStringIndex(string(head), -1) {
		names, ends = append(names, string(head)[m[0]:m[1]]), append(ends, m[1])
	}
	n := len(names) - 4 // ports
	if n < 0 || names[n] != "LCD" || names[n+3] != "assembly" {
		r.bad("expected the head of the table")
		return
	}
	cells := func() (out []string, rest string) {
		row, from := []rune(r.next()), 0
		for _, to := range ends[:n+3] {
			out = append(out, strings.TrimSpace(string(row[min(from, len(row)):min(to, len(row))])))
			from = to
		}
		return out, strings.TrimSpace(string(row[min(from, len(row)):]))
	}
	hold := func(cell string, v float64, name string) {
		if cell != "" {
			r.is(cell, v, name)
		} else if v > 1e-9 {
			r.bad("%s is blank, the JSON has %v", name, v)
		}
	}
	optional := func(cell string, v *float64, name string) {
		switch {
		case v == nil && cell != "":
			r.bad("%s is %s, the JSON has null", name, cell)
		case v != nil && cell == "":
			r.bad("%s is blank, the JSON has %v", name, *v)
		case v != nil:
			r.is(cell, *v, name)
		}
	}
	r.at++
	lines, where := map[string]string{}, ""
	for _, s := range k.SourceLines {
		lines[s.Where] = s.Text
	}
	for i := range t.Instructions {
		in := &t.Instructions[i]
		if in.Where != "" && in.Where != where {
			where = in.Where
			if row := r.next(); !strings.HasPrefix(strings.TrimSuffix(strings.TrimRight("  "+where+"  "+lines[where], " "), "…"), strings.TrimSuffix(row, "…")) || !strings.HasPrefix(row, "  "+where) {
				r.bad("expected the source line %s", where)
			}
			r.at++
		}
		c, text := cells()
		for c[n] == "" && strings.HasSuffix(text, ":") && !strings.HasPrefix(text, in.Text) {
			r.at++
			c, text = cells()
		}
		if c[n+2] != in.place() || !strings.HasPrefix(text, in.Text) {
			r.bad("expected %s %s", in.place(), in.Text)
		}
		for p, name := range names[:n] {
			hold(c[p], in.Ports[name], "ports."+name)
		}
		optional(c[n], in.LCD, "lcd")
		optional(c[n+1], in.CP, "cp")
		r.at++
	}
	if !strings.HasPrefix(r.next(), "───") {
		r.bad("expected the end of the table")
	}
	r.at++
	rounds := []float64{1}
	if k.Unroll > 1 {
		rounds = append(rounds, k.Unroll)
	}
	for _, by := range rounds {
		c, _ := cells()
		for p, name := range names[:n] {
			r.is(c[p], t.Throughput.Ports[name]/by, "throughput.ports."+name)
		}
		if len(t.Chains) > 0 {
			r.is(c[n], t.Chains[0].Cycles/by, "loop_carried[0].cycles")
		}
		r.is(c[n+1], t.Path.Cycles/by, "critical_path.cycles")
		r.at++
	}
	shown := slices.Clone(names[:n])
	for _, title := range []string{"ports not shown", "shared units", "ports not used"} {
		if !strings.HasPrefix(r.next(), title) {
			continue
		}
		_, list, _ := strings.Cut(r.paragraph(2), ": ")
		for _, x := range strings.Split(list, ", ") {
			name, v, _ := strings.Cut(x, " ")
			if v == "" {
				v = "0"
			}
			r.is(v, t.Throughput.Ports[name], "throughput.ports."+name)
			shown = append(shown, name)
		}
	}
	for name, v := range t.Throughput.Ports {
		if v > 0 && !slices.Contains(shown, name) {
			r.bad("throughput.ports.%s, %v, is not told", name, v)
		}
	}
}

// steps holds a path, "12 fadd 6 → 14 fmul 6", against its fields.
func (r *reading) steps(s string, t *agreeTarget, p *agreePath) {
	n := 0
	for _, step := range strings.Split(s, " → ") {
		step = strings.TrimSpace(step)
		if m := regexp.MustCompile(`^… (\d+) more …$`).FindStringSubmatch(step); m != nil {
			skip, _ := strconv.Atoi(m[1])
			n += skip
			continue
		}
		if n >= len(p.Instructions) {
			r.bad("more steps than the JSON has")
			return
		}
		f := strings.Fields(step)
		if want := t.Instructions[p.Instructions[n]].place(); f[0] != want {
			r.bad("step %s, the JSON has %s", step, want)
		}
		lat := "0"
		if v, err := strconv.ParseFloat(f[len(f)-1], 64); err == nil && len(f) > 2 {
			lat = strconv.FormatFloat(v, 'f', 6, 64)
		}
		r.is(lat, p.Latencies[n], "latencies of "+step)
		n++
	}
	if n != len(p.Instructions) {
		r.bad("%d steps, the JSON has %d", n, len(p.Instructions))
	}
	sum := 0.0
	for _, v := range p.Latencies {
		sum += v
	}
	r.is(strconv.FormatFloat(sum, 'f', 4, 64), p.Cycles, "sum of latencies")
}

// path reads the lines of a path.
func (r *reading) path() string {
	s := r.next()
	for r.at++; strings.HasSuffix(s, " →"); r.at++ {
		s += " " + strings.TrimSpace(r.next())
	}
	return s
}

func (r *reading) chains(t *agreeTarget) {
	r.blank()
	if !strings.HasPrefix(r.next(), "loop-carried chains") {
		r.bad("expected the chains")
	}
	r.at++
	i := 0
	for ; !strings.HasPrefix(r.next(), "critical path") && r.at < len(r.lines); i++ {
		if m := regexp.MustCompile(`^ +… and (\d+) more, none slower$`).FindStringSubmatch(r.next()); m != nil {
			r.is(m[1], float64(len(t.Chains)-i), "further chains")
			i = len(t.Chains)
			r.at++
			break
		}
		c := &t.Chains[i]
		at := r.at
		s := strings.TrimPrefix(strings.TrimSpace(r.path()), strings.Fields(r.lines[at])[0])
		end := r.at
		r.at = at
		r.is(strings.Fields(r.lines[at])[0], c.Cycles, "loop_carried.cycles")
		s, ok := strings.CutPrefix(strings.TrimSpace(s), c.Via)
		if !ok {
			r.bad("expected via %s", c.Via)
		}
		s = strings.TrimSpace(s)
		if m := regexp.MustCompile(`^\(([0-9.]+) over (\d+) iterations\) `).FindStringSubmatch(s); m != nil {
			r.is(m[1], c.Latency, "loop_carried.latency")
			r.is(m[2], float64(c.Distance), "loop_carried.distance")
			s = s[len(m[0]):]
		} else if c.Distance != 1 {
			r.bad("distance %d is not told", c.Distance)
		}
		whole := c.agreePath
		whole.Cycles = c.Latency
		r.steps(s, t, &whole)
		r.at = end
	}
	if i < len(t.Chains) {
		r.bad("%d of %d chains are not told", len(t.Chains)-i, len(t.Chains))
	}
	if len(t.Path.Instructions) > 0 {
		r.at++
		at := r.at
		s := strings.TrimSpace(r.path())
		end := r.at
		r.at = at
		v, rest, _ := strings.Cut(s, " ")
		r.is(v, t.Path.Cycles, "critical_path.cycles")
		r.steps(rest, t, &t.Path)
		r.at = end
	}
}

// memory reads the dependences through memory.
func (r *reading) memory(t *agreeTarget) {
	m := t.Memory
	if m == nil {
		return
	}
	words := func(b string) string {
		if b == "latency" {
			return "a loop-carried dependency"
		}
		return b
	}
	where := func(i int) string {
		if in := &t.Instructions[i]; in.Address != "" {
			return in.Address
		}
		return "line " + t.Instructions[i].place()
	}
	flow := func(f agreeFlow) string {
		when := "in the same iteration"
		if f.Distance == 1 {
			when = "1 iteration later"
		} else if f.Distance > 1 {
			when = fmt.Sprintf("%d iterations later", f.Distance)
		}
		if f.From == f.To {
			return where(f.To) + " loads what it stored, " + when
		}
		return where(f.From) + " stores what " + where(f.To) + " loads, " + when
	}
	more := func(n int) bool {
		x := regexp.MustCompile(`^  … and (\d+) more$`).FindStringSubmatch(r.next())
		if x == nil {
			return false
		}
		r.is(x[1], float64(n), "further ones")
		r.at++
		return true
	}
	if len(m.Dependencies) > 0 {
		if w := m.Without; w != nil {
			x := regexp.MustCompile(`^memory dependencies; without them: ([0-9.]+) cycles/iteration, bound by (.*)$`).FindStringSubmatch(r.next())
			if x == nil || x[2] != words(w.Bound) {
				r.bad("expected memory.without, %v by %s", w.Cycles, words(w.Bound))
			} else {
				r.is(x[1], w.Cycles, "memory.without.cycles")
			}
		}
		r.at++
		for i := range m.Dependencies {
			if more(len(m.Dependencies) - i) {
				break
			}
			d := &m.Dependencies[i]
			evidence := "both addresses are the same expression"
			switch {
			case d.Method == "executed" && d.Size == 0:
				evidence = fmt.Sprintf("seen in %d of %d iterations", d.Seen, d.Of)
			case d.Method == "executed":
				evidence = fmt.Sprintf("%d of %d bytes, seen in %d of %d iterations", d.Bytes, d.Size, d.Seen, d.Of)
			}
			want := flow(d.agreeFlow) + ": " + evidence
			if d.Blocked > 0 {
				want += fmt.Sprintf("; store forwarding fails: the load has its data %d cycles after the store has retired", d.Blocked)
			}
			at := r.at
			got := strings.Join(strings.Fields(r.paragraph(4)), " ")
			end := r.at
			r.at = at
			rest, ok := strings.CutPrefix(got, want)
			if !ok {
				r.bad("expected %s", want)
			}
			if x := regexp.MustCompile(`^; on the slowest chain: without it ([0-9.]+) cycles/iteration$`).FindStringSubmatch(rest); x != nil {
				r.is(x[1], d.Without.Cycles, "memory.dependencies.without")
			} else if ok && rest != "" {
				r.bad("nothing accounts for %q", rest)
			}
			r.at = end
		}
	}
	if len(m.Possible) > 0 {
		r.at++
		for i := range m.Possible {
			if more(len(m.Possible) - i) {
				break
			}
			d := &m.Possible[i]
			front, back := "if "+d.If+": ", " ("+flow(d.agreeFlow)+")"
			if d.If == "" {
				front, back = "if "+flow(d.agreeFlow)+": ", " ("+d.Why+")"
			}
			if d.Renamed {
				back += "; no loss if it happens in every iteration, where memory renaming hides it"
			}
			at := r.at
			got := strings.Join(strings.Fields(r.paragraph(4)), " ")
			end := r.at
			r.at = at
			x, ok1 := strings.CutPrefix(got, front)
			x, ok2 := strings.CutSuffix(x, " cycles/iteration"+back)
			if !ok1 || !ok2 {
				r.bad("expected %sN cycles/iteration%s", front, back)
			} else {
				r.is(x, d.Cycles, "memory.possible.cycles")
			}
			r.at = end
		}
	}
}

// answers reads the tables of what-if and sensitivity.
func (r *reading) answers(t *agreeTarget) {
	gain := func(s string, g float64) {
		if s == "" {
			s = "0"
			if math.Abs(g) < 0.006 {
				return
			}
		}
		r.is(strings.TrimSuffix(s, " %"), 100*g, "gain")
	}
	if len(t.WhatIf) > 0 {
		r.blank()
		r.at += 2
		if f := strings.Fields(r.next()); len(f) < 2 || !strings.Contains(r.next(), t.Prediction.Bound+"  (as it is") || strings.Contains(r.next(), "median") != t.Prediction.Partial {
			r.bad("expected the prediction as it is, bound by %s", t.Prediction.Bound)
		} else {
			r.is(f[0], t.Prediction.Cycles, "cycles")
		}
		r.at++
		for i := range t.WhatIf {
			a := &t.WhatIf[i]
			line := strings.TrimSpace(r.next())
			if a.Note != "" {
				if rest, _ := strings.CutPrefix(line, "-"); strings.TrimSpace(rest) != a.Question {
					r.bad("expected %s", a.Question)
				}
			} else {
				m := regexp.MustCompile(`^([0-9.]+)\s+(?:(-?\d+) %\s+)?` + a.Bound + `\s+(.*)$`).FindStringSubmatch(line)
				if m == nil || m[3] != a.Question {
					r.bad("expected %s: %v by %s", a.Question, a.Cycles, a.Bound)
				} else {
					r.is(m[1], a.Cycles, "what_if.cycles")
					gain(m[2], a.Gain)
				}
			}
			r.at++
		}
		for i := range t.WhatIf {
			a := &t.WhatIf[i]
			if note := a.Note; note != "" {
				if !strings.Contains(note, a.Question) {
					note = a.Question + ": " + note
				}
				r.expect("what_if.note", note, 2)
			}
		}
	}
	if len(t.Sensitivity) == 0 {
		return
	}
	r.blank()
	m := regexp.MustCompile(`^sensitivity \(([0-9.]+) cycles as it is`).FindStringSubmatch(r.next())
	if m == nil {
		r.bad("expected the sensitivity")
		return
	}
	r.is(m[1], t.Prediction.Cycles, "cycles")
	r.at++
	var told []string
	if strings.Contains(r.next(), "doubled") {
		r.at++
		for ; strings.HasPrefix(r.next(), "  ") && !strings.HasPrefix(r.next(), "  no change"); r.at++ {
			i := slices.IndexFunc(t.Sensitivity, func(s struct {
				Resource     string
				Double, Free *agreeWhatIf
			}) bool {
				return strings.HasSuffix(r.next(), "  "+s.Resource)
			})
			if i < 0 {
				r.bad("a resource that the JSON does not have")
				continue
			}
			s := &t.Sensitivity[i]
			told = append(told, s.Resource)
			rest := strings.TrimSuffix(r.next(), s.Resource)
			for _, a := range []*agreeWhatIf{s.Double, s.Free} {
				if a == nil {
					continue
				}
				m := regexp.MustCompile(`^\s+([0-9.]+)(?:\s+(-?\d+) %)?`).FindStringSubmatch(rest)
				if m == nil {
					r.bad("no figure for %s", a.Question)
					break
				}
				r.is(m[1], a.Cycles, "sensitivity "+a.Question)
				gain(m[2], a.Gain)
				rest = rest[len(m[0]):]
			}
		}
	}
	if strings.HasPrefix(r.next(), "no change by: ") {
		told = append(told, strings.Split(strings.TrimPrefix(r.paragraph(2), "no change by: "), ", ")...)
	}
	for _, s := range t.Sensitivity {
		if !slices.Contains(told, s.Resource) {
			r.bad("the sensitivity to %s is not told", s.Resource)
		}
	}
	if len(t.Shares) > 0 {
		var parts []string
		for _, s := range t.Shares {
			if s.Cycles >= 0.005*t.Prediction.Cycles {
				parts = append(parts, s.Limit+" "+figure(s.Cycles))
			}
		}
		r.expect("shares", "shares of the "+figure(t.Prediction.Cycles)+" cycles, divided fairly where limits overlap: "+strings.Join(parts, ", "), 2)
	}
}

// timeline reads the drawing and the table of waits.
func (r *reading) timeline(t *agreeTarget) {
	tl := t.Timeline
	if tl == nil {
		return
	}
	r.blank()
	want := fmt.Sprintf("timeline of iteration %d, ", tl.First)
	if tl.Iterations > 1 {
		want = fmt.Sprintf("timeline of iterations %d to %d, ", tl.First, tl.First+tl.Iterations-1)
	}
	if !strings.HasPrefix(r.next(), want) {
		r.bad("expected %s", want)
	}
	r.at += 3
	for i := range tl.Uops { // a row each: D in the column of the cycle of dispatch, R in that of retirement
		u := &tl.Uops[i]
		columns := []rune(r.lines[r.at-1-i])
		row := []rune(r.next())
		for _, x := range []struct {
			sign  rune
			cycle int64
		}{{'D', u.Dispatched}, {'R', u.Retired}} {
			at := -1
			for c := range row {
				if c < len(columns) && c > 30 && (columns[c] >= '0' && columns[c] <= '9') && row[c] == x.sign {
					at = c
					break
				}
			}
			if at < 0 || int64(columns[at]-'0') != x.cycle%10 {
				r.bad("µop %d: no %c in cycle %d", i, x.sign, x.cycle)
			}
		}
		r.at++
	}
	for !strings.HasPrefix(r.next(), "waits ") && !strings.HasPrefix(r.next(), "assumptions") && r.at < len(r.lines) {
		r.at++
	}
	if !strings.HasPrefix(r.next(), "waits ") {
		return
	}
	for r.at += 2; regexp.MustCompile(`^ (\d+|0x[0-9a-f]+)\s`).MatchString(r.next()); r.at++ {
		f := strings.Fields(r.next())
		i := slices.IndexFunc(t.Instructions, func(in agreeInst) bool { return in.place() == f[0] })
		m := regexp.MustCompile(` (\d+) (for |in program|older)`).FindStringSubmatch(r.next())
		if i < 0 || m == nil {
			r.bad("a wait that is not understood")
			continue
		}
		longest, _ := strconv.ParseFloat(m[1], 64)
		found := false
		for _, u := range tl.Uops {
			for _, w := range u.Waits {
				found = found || u.Instruction == i && w.Cycles == longest
			}
		}
		if !found {
			r.bad("no wait of %v cycles in the JSON", longest)
		}
	}
}

func (r *reading) diagnostics(list []agreeDiagnostic) {
	if len(list) > 0 {
		r.blank()
	}
	for _, d := range list {
		pos := d.File
		if d.Line > 0 {
			pos += ":" + strconv.Itoa(d.Line)
			if d.Col > 0 {
				pos += ":" + strconv.Itoa(d.Col)
			}
		}
		if pos != "" {
			pos += ": "
		}
		if r.next() != pos+d.Severity+": "+d.Message {
			r.bad("expected %s%s: %s", pos, d.Severity, d.Message)
		}
		r.at++
		if d.Hint != "" {
			if strings.TrimSpace(r.next()) != "hint: "+d.Hint {
				r.bad("expected the hint %s", d.Hint)
			}
			r.at++
		}
	}
}
