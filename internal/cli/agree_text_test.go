package cli

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// reading goes through the lines of a text report.
type reading struct {
	*testing.T
	doc   *agreeDoc
	lines []string
	at    int
}

// next is the line that is read, "" at the end.
func (r *reading) next() string {
	if r.at < len(r.lines) {
		return r.lines[r.at]
	}
	return ""
}

func (r *reading) bad(format string, args ...any) {
	r.Helper()
	r.Errorf("text, line %d: %s\n%s", r.at+1, fmt.Sprintf(format, args...), r.next())
}

// is holds a figure of the text, which is rounded, against a field.
func (r *reading) is(text string, field float64, name string) {
	r.Helper()
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	digits := len(strings.TrimSpace(text)) - 1 - strings.IndexByte(strings.TrimSpace(text), '.')
	if !strings.Contains(text, ".") {
		digits = 0
	}
	if digits == 1 { // of two, the last one 0
		digits = 2
	}
	if err != nil || math.Abs(v-field) > 0.5000001*math.Pow10(-digits)+1e-6 {
		r.bad("%s is %q, the JSON has %v", name, text, field)
	}
}

// paragraph joins wrapped lines: those that follow and are indented by so much.
func (r *reading) paragraph(indent int) string {
	s := r.next()
	for r.at++; strings.HasPrefix(r.next(), strings.Repeat(" ", indent)) && strings.TrimSpace(r.next()[:indent]) == ""; r.at++ {
		s += " " + strings.TrimSpace(r.next())
	}
	return s
}

// expect reads a paragraph that has to be this text.
func (r *reading) expect(name, want string, indent int) {
	r.Helper()
	at := r.at
	if got := r.paragraph(indent); strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(want), " ") {
		r.at = at
		r.bad("%s: the text has\n%s\nthe JSON\n%s", name, got, want)
		r.paragraph(indent)
	}
}

func (r *reading) blank() {
	if r.next() == "" {
		r.at++
	}
}

// report reads everything.
func (r *reading) report(all bool) {
	d := r.doc
	shown := len(d.Kernels)
	if d.Input.Chosen && !all {
		shown = 1
	}
	for i := range d.Kernels[:shown] {
		r.kernel(&d.Kernels[i])
		if i+1 < shown {
			r.blank()
		}
	}
	r.blank()
	if rest := d.Kernels[shown:]; len(rest)+len(d.Others) > 0 {
		bounds := strings.Contains(r.next(), "predicted by the bounds")
		r.at += 2
		for i := range rest {
			k := &rest[i]
			p := k.Targets[0].Prediction
			if bounds { // the document has the simulator's
				p.Cycles = max(p.Bounds["ports"], p.Bounds["dispatch"], p.Bounds["latency"], p.Bounds["branch"], p.Bounds["cache"])
			}
			r.other(k.Name, k.Lines, k.Depth, len(k.Targets[0].Instructions), &p, len(p.Open) > 0)
		}
		for i := range d.Others {
			o := &d.Others[i]
			r.other(o.Name, o.Lines, o.Depth, o.Instructions, &agreePrediction{Cycles: o.Cycles}, o.AtLeast)
		}
	}
	r.diagnostics(d.Diagnostics)
	for ; r.at < len(r.lines); r.at++ {
		if strings.TrimSpace(r.next()) != "" {
			r.bad("nothing accounts for this")
		}
	}
}

func (r *reading) other(name, lines string, depth, instructions int, p *agreePrediction, least bool) {
	f := strings.Fields(r.next())
	if strings.HasPrefix(r.next(), "… and ") {
		return
	}
	last := strings.TrimSpace(r.next()[max(0, strings.LastIndex(r.next(), "  ")):]) // names may hold blanks
	if n := len(strings.Fields(last)); len(f) < 4+n || !named(last, name) || lines != "" && f[len(f)-n-1] != lines {
		r.bad("expected the loop %s, %s", name, lines)
	} else {
		f = f[:len(f)-n]
		if lines == "" {
			f = append(f, "")
		}
		r.is(f[len(f)-2], float64(depth), "depth")
		r.is(f[len(f)-3], float64(instructions), "instructions")
		text, ok := strings.CutPrefix(f[0], "≥")
		if ok != least {
			r.bad("cycles are %q; a lower bound: %v", f[4], least)
		}
		r.is(text, p.Cycles, "cycles")
	}
	r.at++
}

// named reports whether a name stands in a table, perhaps without its middle.
func named(shown, name string) bool {
	head, tail, cut := strings.Cut(shown, "…")
	return shown == name || cut && strings.HasPrefix(name, head) && strings.HasSuffix(name, tail)
}

// value is a prediction in a table: a figure, or what unknown costs leave of it.
func (r *reading) value(text string, p *agreePrediction, by float64, name string) {
	least := p.Cycles
	if p.Unknown != nil {
		least = p.Unknown.Low
	}
	if text, ok := strings.CutPrefix(text, "≥"); ok != (len(p.Open) > 0) {
		r.bad("%s is %q; open: %q", name, text, p.Open)
		return
	} else if ok {
		r.is(text, least/by, name+", the least")
		return
	}
	low, high, interval := strings.Cut(text, "…")
	if want := p.Unknown != nil && p.Unknown.Low != p.Unknown.High; interval != want {
		r.bad("%s is %q; partial: %v", name, text, p.Partial)
		return
	}
	if !interval {
		r.is(text, p.Cycles/by, name)
		return
	}
	r.is(low, p.Unknown.Low/by, name+", the least")
	r.is(high, p.Unknown.High/by, name+", the most")
}

func (r *reading) kernel(k *agreeKernel) {
	single := len(k.Targets) == 1
	if single {
		t := &k.Targets[0]
		text := r.next()
		for r.at++; r.at < len(r.lines) && !regexp.MustCompile(`^(machine  |(at least )?[0-9.]+ (to [0-9.]+ )?cycles per high)`).MatchString(r.next()); r.at++ {
			text += " " + r.next() // wrapped
		}
		if text != t.Prediction.Text {
			r.bad("prediction.text: the text has\n%s\nthe JSON\n%s", text, t.Prediction.Text)
		}
		r.sentence(t)
		if k.Unroll > 1 {
			m := regexp.MustCompile(`^(?:at least )?([0-9.]+)(?: to ([0-9.]+))? cycles per high-level iteration \(([0-9.]+)× unrolled\)$`).FindStringSubmatch(r.next())
			if m == nil {
				r.bad("expected cycles per high-level iteration")
				return
			}
			r.is(m[3], k.Unroll, "unroll")
			if least := strings.HasPrefix(m[0], "at least"); least != (len(t.Prediction.Open) > 0) {
				r.bad("%q; open: %q", m[0], t.Prediction.Open)
			}
			if u := t.Prediction.Unknown; u != nil {
				r.is(m[1], u.Low/k.Unroll, "unknown_costs.low / unroll")
				switch {
				case len(t.Prediction.Open) > 0:
				case m[2] == "" && u.Low == u.High:
				default:
					r.is(m[2], u.High/k.Unroll, "unknown_costs.high / unroll")
				}
			} else {
				r.is(m[1], t.Prediction.Cycles/k.Unroll, "cycles / unroll")
			}
			r.at++
		}
		r.expect("machine", "machine "+t.Arch+": "+t.Title+reason(t.Why), 9)
		r.engine(t)
		r.entered(t)
	}
	syntax := ""
	if r.doc.Input.Syntax != "" {
		syntax = ", " + r.doc.Input.Syntax + " syntax"
	}
	r.expect("input", "input "+r.doc.Input.File+", "+r.doc.Input.ISA+syntax+reason(r.doc.Input.Why), 9)
	place := ", lines " + k.Lines
	if k.Address != "" {
		place = " at " + k.Address
		if k.Lines != "" {
			place += ", " + k.Lines
		}
	}
	r.expect("kernel and notes", "kernel "+k.Name+place+reason(k.Why)+" "+strings.Join(k.Notes, " "), 9)
	if !single {
		r.comparison(k)
	}
	for i := range k.Targets {
		t := &k.Targets[i]
		r.blank()
		if !single {
			r.expect("title", t.Arch+": "+t.Title, 9)
			r.expect("prediction.text", "cycles "+t.Prediction.Text, 9)
			r.sentence(t)
			r.engine(t)
			r.entered(t)
			r.blank()
		}
		r.table(k, t)
		r.chains(t)
		r.memory(t)
		r.answers(t)
		r.timeline(t)
		if len(t.Assumptions) > 0 {
			r.expect("assumptions", "assumptions", 9)
			r.branches(k, t)
			for _, a := range t.Assumptions {
				r.expect("assumption", "- "+a, 4)
			}
		}
		for _, a := range t.Advice[:min(len(t.Advice), 3)] {
			conditions := ""
			if a.Conditions != "" {
				conditions = " (" + a.Conditions + ")"
			}
			if a.Option != "" {
				conditions += "; compiler: " + a.Option
			}
			r.expect("advice", fmt.Sprintf("advice: %s: %s → %s cycles/iteration%s", a.Text, figure(a.Before), figure(a.After), conditions), 2)
		}
		r.diagnostics(t.Diagnostics)
	}
}

// entered reads what a loop takes that is entered anew.
func (r *reading) entered(t *agreeTarget) {
	if t.Entered != nil {
		r.expect("entered", "entered "+t.Entered.words(), 9)
	}
}

// words are what a loop takes that is entered anew, as reports say it.
func (e *agreeEntered) words() string {
	figure := func(v float64) string {
		s := figure(v)
		if e.AtLeast {
			s = "≥" + s
		}
		if e.Unknown > 0 {
			s += "?"
		}
		return s
	}
	n, noun := float64(e.Iterations), "iterations"
	if n == 1 {
		noun = "iteration"
	}
	s := fmt.Sprintf("for %d %s each time: %s cycles from entry to entry (%s an iteration)", e.Iterations, noun, figure(e.Cycles), figure(e.Cycles/n))
	if e.Missed != nil {
		s += fmt.Sprintf(" where the branch predictor knows the last one, %s (%s) where it does not; a mispredicted branch costs %d cycles and what was not fetched (%s)",
			figure(*e.Missed), figure(*e.Missed/n), e.Penalty, e.PenaltySource)
	}
	if e.AtLeast {
		s += "; these are lower bounds"
	}
	if e.Unknown > 0 {
		s += "; they rest on assumed costs"
	}
	return s
}

// figure writes cycles as reports do.
func figure(v float64) string {
	if s := fmt.Sprintf("%.2f", v); s[len(s)-1] == '0' {
		return s[:len(s)-1]
	} else {
		return s
	}
}

func reason(s string) string {
	if s == "" {
		return ""
	}
	return "; " + s
}

// sentence holds the figures of the prediction in words against their fields.
func (r *reading) sentence(t *agreeTarget) {
	p, s := &t.Prediction, t.Prediction.Text
	take := func(pattern string, fields ...float64) bool {
		m := regexp.MustCompile(pattern).FindStringSubmatchIndex(s)
		if m == nil {
			return false
		}
		for i, f := range fields {
			r.is(s[m[2*i+2]:m[2*i+3]], f, "in prediction.text: "+pattern)
		}
		s = s[:m[0]] + " " + s[m[1]:]
		return true
	}
	var missing []string
	for _, l := range t.Lacks {
		missing = append(missing, l.Extension)
	}
	if want := t.Arch + " cannot execute this: it has no " + strings.Join(missing, ", ") + "; if it had: "; len(missing) > 0 && !take("^"+regexp.QuoteMeta(want)) {
		r.bad("prediction in words %q does not begin with %q", s, want)
	}
	if want := "no core need execute this: the specification reserves " + t.Reserved + "; if a core did: "; t.Reserved != "" && !take("^"+regexp.QuoteMeta(want)) {
		r.bad("prediction in words %q does not begin with %q", s, want)
	}
	s = strings.TrimSpace(s)
	if u, n := p.Unknown, len(p.Open); n > 0 {
		low, doubts, fields := p.Cycles, regexp.QuoteMeta(p.Open[0]), []float64{}
		if u != nil {
			low, doubts = u.Low, `(\d+) of (\d+) instructions have no known cost; `+doubts
			fields = append(fields, float64(u.Instructions), float64(len(t.Instructions)))
		}
		if n > 1 {
			doubts += fmt.Sprintf("; and %d more", n-1)
		}
		if !take(`^at least ([0-9.]+) cycles/iteration \(`+doubts+`\)`, append([]float64{low}, fields...)...) {
			r.bad("prediction.text does not begin with what it takes at least: %s", p.Text)
		}
		take(`^ ; predicted without that cost: ([0-9.]+), `, p.Cycles)
	} else if u != nil {
		rest := []float64{float64(u.Instructions), float64(len(t.Instructions))}
		if !take(`^([0-9.]+) to ([0-9.]+) cycles/iteration \((\d+) of (\d+) instructions have no known cost\)`, append([]float64{u.Low, u.High}, rest...)...) && u.Low == u.High {
			take(`^([0-9.]+) cycles/iteration \((\d+) of (\d+) instructions have no known cost\)`, append([]float64{u.Low}, rest...)...)
		}
	} else {
		take(`^([0-9.]+) cycles/iteration`, p.Cycles)
	}
	greatest := 0.0
	for _, v := range p.Bounds {
		greatest = max(greatest, v)
	}
	of := p.Bounds[strings.ReplaceAll(p.Bound, " ", "_")]
	if p.Bound == "scheduling" {
		of = greatest
	}
	take(`(?:\(|; )([0-9.]+) of ([0-9.]+)(?: assumed)? cycles\)`, of, p.Cycles)
	if l := t.Throughput.Limit; l != nil {
		take(`allocate/rename \((\d+) µops for .*?, (\d+) per cycle`, float64(l.Uops), float64(l.PerCycle))
	} else {
		take(`allocate/rename \(([0-9.]+) µops, (\d+) per cycle`, t.Throughput.Slots, float64(t.Throughput.Width))
	}
	if len(t.Chains) > 0 {
		chain := t.Chains[0].Cycles
		if len(p.Open) > 0 && p.Partial && p.Bounds["latency"] < chain { // the bounds of a lower bound are those with unknown costs at their lower ends
			chain = p.Bounds["latency"]
		}
		take(`the loop-carried dependency through `+regexp.QuoteMeta(t.Chains[0].Via)+` (?:would allow )?([0-9.]+)`, chain)
		if r.is(fmt.Sprint(chain), p.Bounds["latency"], "bounds.latency, of the slowest chain"); true {
			take(`(?:the loop-carried dependency|chain) through ` + regexp.QuoteMeta(t.Chains[0].Via))
		}
	}
	take(`allocate/rename (?:would allow )?([0-9.]+)`, t.Throughput.Dispatch)
	take(`the front end (?:would allow )?([0-9.]+)`, p.Bounds["front_end"])
	take(`the L1 cache (?:would allow )?([0-9.]+)`, p.Bounds["cache"])
	take(`(?:^|[;,] )ports (?:would allow )?([0-9.]+)`, t.Throughput.Cycles)
	take(`ports? ` + regexp.QuoteMeta(strings.Join(t.Throughput.Bottleneck, ", ")))
	if strings.ContainsAny(s, "0123456789") {
		r.bad("of the prediction in words nothing accounts for the figures in %q", s)
	}
}

// engine reads what made the prediction.
// branches reads which branches depend on loaded data.
func (r *reading) branches(k *agreeKernel, t *agreeTarget) {
	if len(k.Branches) == 0 {
		return
	}
	got := r.paragraph(4)
	for _, b := range k.Branches {
		in := &t.Instructions[b.Instruction]
		place := in.Address
		if place == "" {
			place = strconv.Itoa(in.Line)
		}
		if !strings.Contains(got, place+" "+strings.Fields(in.Text)[0]+" (loaded at ") {
			r.bad("the branch at %s depends on loaded data, and the text has %q", place, got)
		}
	}
}

func (r *reading) engine(t *agreeTarget) {
	p := &t.Prediction
	s := "engine the greatest of the bounds"
	switch {
	case p.Engine == "bounds":
		if p.EngineWhy != "" {
			s += ", not the simulator: " + p.EngineWhy
		}
	case p.Steady == "recurs" && p.Period > 1:
		s = fmt.Sprintf("engine simulator; the steady state repeats every %d iterations", p.Period)
	case p.Steady == "recurs":
		s = "engine simulator; the steady state repeats every iteration"
	case p.Steady == "bound":
		s = "engine simulator; it runs at the pace of a bound"
	case p.Period > 1:
		s = fmt.Sprintf("engine simulator; steady state: the times of iterations repeat every %d iterations", p.Period)
	case p.Period == 1:
		s = "engine simulator; steady state: every iteration takes the same time"
	default:
		s = "engine simulator; iterations do not repeat: an average over the last ones"
	}
	if p.Loop != p.Cycles {
		r.bad("tp_loop is %v, cycles %v", p.Loop, p.Cycles)
	}
	at := r.at
	got := strings.Join(strings.Fields(r.paragraph(9)), " ")
	rest, ok := strings.CutPrefix(got, s)
	r.at, at = at, r.at
	if m := regexp.MustCompile(`^; ([0-9.]+) cycles laid out unrolled, without the branch \(TP_U\), limited by: (.*)$`).FindStringSubmatch(rest); m != nil {
		r.is(m[1], p.Unrolled, "tp_unrolled")
		ok = ok && m[2] == boundNames(p.UnrolledBound)
	} else if ok = ok && rest == ""; ok && math.Abs(p.Unrolled-p.Cycles) > 0.006*max(p.Unrolled, p.Cycles) {
		r.bad("tp_unrolled, %v, is not told", p.Unrolled)
	}
	if !ok {
		r.bad("expected %s", s)
	}
	r.at = at
	var parts []string
	for _, a := range t.Accuracy {
		if strings.HasPrefix(a.Corpus, "published/") {
			parts = append(parts, fmt.Sprintf("%.0f %% of %d published throughputs and latencies of single instructions within 10 %% (%s; rows of the model were taken from them), no loops", 100*a.Within10, a.Blocks, a.Corpus))
		} else {
			parts = append(parts, fmt.Sprintf("median error %.1f %%, %.0f %% within 10 %%, on %d blocks (%s)", 100*a.Median, 100*a.Within10, a.Blocks, a.Corpus))
		}
	}
	if len(parts) == 0 {
		parts = []string{"predictions for this core were never compared with measurements"}
	}
	r.expect("trust", "trust "+t.Words.Trust, 9)
	r.expect("accuracy", "accuracy "+strings.Join(parts, "; "), 9)
	if len(p.IfFree) > 0 {
		r.ifFree(p)
	}
	r.gap(p)
}

// freeWords are the names of if_free in words.
var freeWords = map[string]string{"frontend": "front end", "dispatch": "allocate/rename", "window": "buffers", "dependences": "dependencies", "memory": "memory dependencies"}

func (r *reading) ifFree(p *agreePrediction) {
	at := r.at
	got := strings.Join(strings.Fields(strings.TrimPrefix(r.paragraph(9), "if free")), " ")
	r.at, at = at, r.at
	for _, f := range p.IfFree {
		var names []string
		for _, n := range strings.Split(f.Free, "+") {
			if freeWords[n] != "" {
				n = freeWords[n]
			}
			names = append(names, n)
		}
		name := strings.Join(names, ", ")
		together := ""
		if len(names) > 1 {
			together = " together"
		}
		m := regexp.MustCompile(`(?:^|[,;] |no change by (?:any one of )?)` + regexp.QuoteMeta(name+together) + `(?: ([0-9.]+))?(?:[,;]|$)`).FindStringSubmatchIndex(got)
		switch {
		case m == nil:
			r.bad("if_free %s is not told", f.Free)
		case m[2] >= 0:
			r.is(got[m[2]:m[3]], f.Cycles, "if_free "+f.Free)
			got = got[:m[2]] + got[m[3]:]
		case f.Cycles < p.Cycles*(1-0.006):
			r.bad("if_free %s is %v of %v cycles, which is not told", f.Free, f.Cycles, p.Cycles)
		}
	}
	if strings.ContainsAny(got, "0123456789") {
		r.bad("nothing accounts for the figures in %q", got)
	}
	r.at = at
}

// ended are the reasons of stalls as the gap has them.
var ended = map[string]string{"because the front end delivers nothing": "front end", "because the reorder buffer is full": "reorder buffer full", "because a scheduler is full": "scheduler full",
	"because the load queue is full": "load queue full", "because the store queue is full": "store queue full", "at its full width": "dispatch width", "at a limit of µops by port": "dispatch limit", "because a register file is full": "registers full",
	"because the issue queue is full": "issue queue full", "because an older instruction waits (in-order issue)": "order"}

var freedWords = map[string]string{"an ideal front end": "frontend", "unlimited allocate/rename width": "dispatch", "unlimited ports": "ports",
	"unlimited buffers (ROB, schedulers)": "window", "no dependencies": "dependences", "no dependencies through memory": "memory"}

// boundNames are the names of bounds where nothing else is told of them.
func boundNames(bound string) string {
	if s, ok := map[string]string{"latency": "loop-carried chain", "dispatch": "allocate/rename", "branch": "taken branch", "cache": "L1 cache", "scheduling": "several limits"}[bound]; ok {
		return s
	}
	return bound
}

func (r *reading) gap(p *agreePrediction) {
	if p.Gap == "" {
		if strings.HasPrefix(r.next(), "gap ") {
			r.bad("the JSON has no gap")
		}
		return
	}
	r.expect("gap", "gap "+p.Gap, 9)
	m := regexp.MustCompile(`^the bounds allow ([0-9.]+) cycles \((.*?)\), the simulator finds ([0-9.]+) more`).FindStringSubmatch(p.Gap)
	if m == nil {
		r.bad("gap without bounds: %s", p.Gap)
		return
	}
	bound := 0.0
	for name, cycles := range p.Bounds {
		if boundNames(strings.ReplaceAll(name, "_", " ")) == m[2] {
			bound = cycles
		}
	}
	r.is(m[1], bound, "bounds."+m[2])
	r.is(m[3], p.Cycles-bound, "cycles - bounds."+m[2])
	rest := p.Gap[len(m[0]):]
	if m := regexp.MustCompile(`^\. Of ([0-9.]+) cycles dispatch stops (.*?)(?:\. It |$)`).FindStringSubmatch(rest); m != nil {
		r.is(m[1], p.Cycles, "cycles")
		for _, x := range regexp.MustCompile(`in ([0-9.]+) ([^,0-9]+)`).FindAllStringSubmatch(m[2], -1) {
			i := slices.IndexFunc(p.Stalls, func(s struct {
				Reason string
				Cycles float64
			}) bool {
				return s.Reason == ended[x[2]]
			})
			if i < 0 {
				r.bad("no stall %q", x[2])
				continue
			}
			r.is(x[1], p.Stalls[i].Cycles, "stalls "+x[2])
		}
	}
	if _, takes, ok := strings.Cut(rest, ". It would take "); ok {
		for _, x := range regexp.MustCompile(`([0-9.]+) with ([^,(]+(?:\(.*?\))?)`).FindAllStringSubmatch(takes, -1) {
			for _, f := range p.IfFree {
				if f.Free == freedWords[x[2]] {
					r.is(x[1], f.Cycles, "if_free "+x[2])
				}
			}
		}
	}
}

// comparison reads the table of several machines.
func (r *reading) comparison(k *agreeKernel) {
	r.blank()
	engines := strings.Contains(r.next(), "engine")
	head := strings.Fields(strings.ReplaceAll(r.next(), "bound by", "bound"))
	r.at++
	rounds := []float64{1}
	if k.Unroll > 1 {
		rounds = append(rounds, k.Unroll)
	}
	for _, by := range rounds {
		for i := range k.Targets {
			t := &k.Targets[i]
			name := t.Arch
			if by > 1 {
				name += " /" + strconv.FormatFloat(by, 'g', -1, 64)
			}
			rest, ok := strings.CutPrefix(r.next(), name+" ")
			if !ok {
				r.bad("expected %s", name)
			}
			lcd := 0.0
			if len(t.Chains) > 0 {
				lcd = t.Chains[0].Cycles
			}
			cells := strings.Fields(rest)
			want := []float64{t.Throughput.Cycles / by, t.Throughput.Dispatch / by, lcd / by, t.Path.Cycles / by}
			r.value(cells[0], &t.Prediction, by, "cycles")
			at := 1
			if engines {
				if cells[1] != t.Prediction.Engine {
					r.bad("engine %s, the JSON has %s", cells[1], t.Prediction.Engine)
				}
				at++
			}
			for c, v := range want {
				if v == 0 && c > 0 && c < 3 { // blank
					continue
				}
				r.is(cells[at], v, head[len(head)-5+c])
				at++
			}
			if by == 1 {
				r.boundWords(strings.Join(cells[at:], " "), t)
			}
			r.at++
		}
	}
}

// boundWords holds what a table says of the bound against it.
func (r *reading) boundWords(s string, t *agreeTarget) {
	if s != t.Words.Bound {
		r.bad("bound by %q, the JSON has %q", s, t.Words.Bound)
	}
	want := boundNames(t.Prediction.Bound)
	switch t.Prediction.Bound {
	case "latency":
		want = "chain through " + t.Chains[0].Via
	case "ports":
		want = "port"
	case "scheduling", "unknown":
		return
	}
	if t.Reserved != "" {
		want = "reserved by the specification"
	}
	if !strings.HasPrefix(s, want) {
		r.bad("bound by %q, the JSON has %q", s, want)
	}
}
