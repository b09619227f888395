package trace

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"incore/internal/base/symname"
	"incore/internal/report"
)

// pageWidth is the number of characters of a line of the text.
const pageWidth = 120

// Results are those of a run on several cores.
type Results []*Result

// Layout implements report.Result.
func (list Results) Layout() string {
	if len(list) == 1 {
		return "incore.trace/1"
	}
	return "incore.traces/1"
}

// Value is a single result itself, or an object with the list.
func (list Results) Value() any {
	if len(list) == 1 {
		return list[0]
	}
	return struct {
		Results []*Result `json:"results"`
	}{list}
}

// Text writes one result after the other; o.Verbose lists all loops.
func (list Results) Text(w io.Writer, o report.TextOptions) error {
	for i, r := range list {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := r.text(w, o.Verbose); err != nil {
			return err
		}
	}
	return nil
}

func (r *Result) text(w io.Writer, verbose bool) error {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-10s %s\n", name, report.Wrap(fmt.Sprintf(format, args...), pageWidth, strings.Repeat(" ", 11)))
	}
	line("program", "%s", strings.Join(r.Program, " "))
	if r.Scope != "" {
		line("region", "%s", r.Scope)
	}
	line("executed", "%s instructions (%s)", count(float64(r.Instructions)), r.Method)
	if r.Partial != "" {
		line("partial", "%s", r.Partial)
	}
	if r.Instructions == 0 {
		_, err := io.WriteString(w, b.String())
		return err
	}
	line("cycles", "%s on %s%s; %.2f instructions per cycle", count(r.Cycles), r.Machine, r.doubt(), float64(r.Instructions)/r.Cycles)
	line("simulated", "%s", r.sampled())
	line("branches", "%s; %s mispredicted by a model of a predictor (%s), at %d cycles each (%s) behind the branch's execution", count(float64(r.Branches)), count(float64(r.Mispredicted)),
		percent(float64(r.Mispredicted)/float64(max(1, r.Branches))), r.Penalty, r.PenaltySource)
	line("memory", "%s loads, %s of them of what a store wrote shortly before%s", count(float64(r.Loads)), percent(float64(r.Forwarded)/float64(max(1, r.Loads))), r.levels())
	if r.Unknown > 0 {
		line("unknown", "%s of the instructions have no known cost on %s", percent(float64(r.Unknown)/float64(r.Instructions)), r.Machine)
	}
	for _, why := range r.Open {
		line("at least", "%s", why)
	}
	r.causes(&b)
	r.table(&b, verbose)
	r.sensitive(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// doubt returns the uncertainty of the cycles as text.
func (r *Result) doubt() string {
	switch {
	case r.Error < 0:
		return " (the sample is too small for an error bar)"
	case r.Error == 0:
		return ""
	}
	return fmt.Sprintf(" ± %s by sampling", percent(r.Error/r.Cycles))
}

func (r *Result) sampled() string {
	all := float64(r.Simulated + r.Repeated + r.Estimated)
	segments := "one segment"
	if r.Segments != 1 {
		segments = fmt.Sprint(r.Segments, " segments")
	}
	s := percent(float64(r.Simulated)/all) + " of the instructions, in " + segments
	if r.Repeated > 0 {
		s += fmt.Sprintf("; %s are equal to these", percent(float64(r.Repeated)/all))
	}
	if r.Estimated > 0 {
		s += fmt.Sprintf("; %s are estimated from these, as they execute the same code", percent(float64(r.Estimated)/all))
	}
	return s
}

func (r *Result) levels() string {
	if r.Caches == "" {
		return "; all data are taken to be in the first-level cache"
	}
	all := uint64(0)
	for _, n := range r.Served {
		all += n
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(r.Served)) {
		out = append(out, fmt.Sprintf("%s %s", name, percent(float64(r.Served[name])/float64(max(1, all)))))
	}
	return "; accesses served by " + strings.Join(out, ", ") + " (" + r.Caches + ")"
}

// causes lists the cycles by cause.
func (r *Result) causes(b *strings.Builder) {
	b.WriteString("\nwhere the cycles went\n")
	for _, name := range byValue(r.Causes) {
		if share := r.Causes[name] / r.Cycles; share >= 0.001 {
			fmt.Fprintf(b, "  %6s  %s\n", percent(share), causeText[name])
		}
	}
	full := 0.0
	for _, n := range r.Full {
		full += n
	}
	if full > 0.05*r.Cycles {
		var out []string
		for _, name := range byValue(r.Full) {
			if n := r.Full[name]; n > 0.02*r.Cycles {
				out = append(out, fmt.Sprintf("%s %s", name, percent(n/r.Cycles)))
			}
		}
		fmt.Fprintf(b, "  dispatch stalls meanwhile: %s\n", strings.Join(out, ", "))
	}
}

// causeText describes the causes.
var causeText = map[string]string{
	"dispatch width":        "dispatch: as many slots as the core dispatches",
	"front end":             "front end: too few slots come",
	"mispredicted branches": "mispredicted branches: until the correct path is dispatched",
	"ports":                 "ports: the oldest instruction waits for one",
	"execution latency":     "execution: the oldest instruction is being executed, or its operands are",
	"loads":                 "loads: the oldest instruction is an outstanding load",
	"store forwarding":      "store forwarding: the oldest instruction waits for store-to-load forwarding",
	"order":                 "order: the oldest instruction waits for its turn to issue",
}

// shortCause names the longer causes in the table of loops.
var shortCause = map[string]string{"mispredicted branches": "branches", "execution latency": "execution", "dispatch width": "dispatch", "store forwarding": "forwarding"}

func byValue(m map[string]float64) []string {
	return slices.SortedFunc(maps.Keys(m), func(a, b string) int {
		return cmp.Or(cmp.Compare(m[b], m[a]), cmp.Compare(a, b))
	})
}

// The smallest share of the cycles of a listed loop, and the largest number of listed loops.
const (
	listed     = 0.005
	mostListed = 20
)

// table lists the loops.
func (r *Result) table(b *strings.Builder, verbose bool) {
	b.WriteString("\n")
	from := b.Len()
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "cycles\tshare\tIPC\titerations\tcycles/iter\tinsts/iter\tmost by\t \tcode")
	left, more := 0, 0.0
	for i := range r.Loops {
		l := &r.Loops[i]
		if share := l.Cycles / r.Cycles; !verbose && (i >= mostListed || share < listed) {
			left++
			more += share
			continue
		}
		turns, each, insts := "", "", ""
		if l.Turns > 0 {
			turns, each, insts = count(float64(l.Turns)), fmt.Sprintf("%.2f", l.Cycles/float64(l.Turns)), fmt.Sprintf("%.1f", float64(l.Instructions)/float64(l.Turns))
		}
		most := ""
		if by := byValue(l.Causes); len(by) > 0 {
			most = fmt.Sprintf("%s %s", cmp.Or(shortCause[by[0]], by[0]), percent(l.Causes[by[0]]/l.Cycles))
		}
		fmt.Fprintf(t, "%s\t%s\t%.2f\t%s\t%s\t%s\t%s\t \t%s\n", count(l.Cycles), percent(l.Cycles/r.Cycles), float64(l.Instructions)/max(1, l.Cycles), turns, each, insts, most, l.where(r))
	}
	t.Flush()
	if !verbose {
		narrow(b, from)
	}
	if left > 0 {
		fmt.Fprintf(b, "%d more with %s of the cycles (-v lists them)\n", left, percent(more))
	}
}

// narrow cuts the lines from an offset on to the width of a page.
func narrow(b *strings.Builder, from int) {
	text := b.String()
	b.Reset()
	b.WriteString(text[:from])
	for line := range strings.Lines(text[from:]) {
		if r := []rune(line); len(r) > pageWidth+1 {
			line = string(r[:pageWidth-1]) + "…\n"
		}
		b.WriteString(line)
	}
}

// where returns the position of a loop's code.
func (l *Loop) where(r *Result) string {
	name := symname.Fit([]string{l.Function}, symname.Short)[0]
	if l.Name != "" {
		name = "loop " + symname.Fit([]string{l.Name}, symname.Short)[0]
	}
	if l.Source != "" {
		name += " " + l.Source
	}
	if l.Module != "" && len(r.Program) > 0 && !strings.HasSuffix(r.Program[0], l.Module) {
		name += " (" + l.Module + ")"
	}
	return name
}

func (r *Result) sensitive(b *strings.Builder) {
	s := r.Sensitivity
	if s == nil {
		return
	}
	fmt.Fprintf(b, "\nwithout a limit (by the segments that take %s of the cycles)\n", percent(s.Share))
	lines := slices.Clone(s.Lines)
	slices.SortStableFunc(lines, func(x, y Freed) int { return cmp.Compare(y.Faster, x.Faster) })
	for _, l := range lines {
		fmt.Fprintf(b, "  %8s cycles  %14s  %s\n", count(l.Cycles), l.gain(), l.What)
	}
	if s.Bound != nil {
		not := "not "
		if s.Bound.Bound {
			not = ""
		}
		without := Freed{Faster: s.Bound.Faster}
		fmt.Fprintf(b, "  %sbound by the latency of dependences through memory: %s without them (%s are asked for)\n", not, without.gain(), percent(latencyBound))
	}
}

// gain says how much faster the region is without a limit. A simulation without a limit may take a little longer, as µops then find other ports: that is no gain.
func (f *Freed) gain() string {
	if f.Faster < 0.0005 {
		return "no faster"
	}
	return percent(f.Faster) + " faster"
}

// count formats a number with three digits and a unit.
func count(n float64) string {
	for _, u := range []struct {
		of   float64
		name string
	}{{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}} {
		if n >= u.of {
			return fmt.Sprintf("%.3g%s", n/u.of, u.name)
		}
	}
	return fmt.Sprintf("%.4g", n)
}

func percent(share float64) string {
	switch p := 100 * share; {
	case p >= 99.95 || p <= -99.95:
		return fmt.Sprintf("%.0f %%", p)
	default:
		return fmt.Sprintf("%.1f %%", p)
	}
}

// String says how far a run is.
func (p Progress) String() string {
	state := ""
	if p.Ended {
		state = "the program has ended; "
	}
	return fmt.Sprintf("%s%.1f M instructions traced, %.1f M simulated in %s", state,
		float64(p.Insts)/1e6, float64(p.Simulated)/1e6, report.Counted(p.Segments, "segment"))
}
