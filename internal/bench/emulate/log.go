package emulate

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"incore/internal/report"
)

// Tried says what an emulator did with the benchmarks of one experiment.
type Tried struct {
	Name         string `json:"name"`
	Benchmarks   int    `json:"benchmarks"`
	Ran          int    `json:"ran"`               // as planned
	Instructions uint64 `json:"instructions"`      // executed by these
	Reason       string `json:"reason,omitempty"`  // of the first that did not run as planned
	Failure      string `json:"failure,omitempty"` // its kind: illegal, fault, trap, count, lost
}

// Trials are benchmarks that an emulator executed, which tells no time, the result of the commands of bench with --emulate.
type Trials struct {
	ISA       string  `json:"isa"`
	Emulator  string  `json:"emulator"` // with its version
	Processor string  `json:"processor"`
	Uncounted string  `json:"uncounted,omitempty"` // reason why instructions are not counted
	Of        string  `json:"of"`                  // what is tried: form, test, probe
	List      []Tried `json:"trials"`
}

// Layout implements report.Result.
func (*Trials) Layout() string { return "incore.bench-emulate/1" }

// Text writes a line for each experiment, and the sums.
func (t *Trials) Text(w io.Writer, _ report.TextOptions) error {
	t.head(w)
	for i := range t.List {
		if err := t.List[i].write(w); err != nil {
			return err
		}
	}
	return t.Sums(w)
}

// CSV writes a row for each experiment.
func (t *Trials) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	rows := [][]string{{t.Of, "benchmarks", "ran", "instructions", "failure", "reason"}}
	for i := range t.List {
		x := &t.List[i]
		rows = append(rows, []string{x.Name, strconv.Itoa(x.Benchmarks), strconv.Itoa(x.Ran), strconv.FormatUint(x.Instructions, 10), x.Failure, x.Reason})
	}
	return out.WriteAll(rows)
}

// head writes what comes before the experiments.
func (t *Trials) head(w io.Writer) {
	fmt.Fprintf(w, "# Benchmarks of %s under %s, processor %s: whether they run, and what they execute.\n# An emulator tells no time: there are no cycles here, and this is no file of results.\n", t.ISA, t.Emulator, t.Processor)
	if t.Uncounted != "" {
		fmt.Fprintf(w, "# instructions are not counted: %s\n", t.Uncounted)
	}
	fmt.Fprintf(w, "# %s\tplans\tran\tinstructions\treason\n", t.Of)
}

// write writes an experiment.
func (x *Tried) write(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%s\n", x.Name, x.Benchmarks, x.Ran, x.Instructions, x.Reason)
	return err
}

// Sums says how many experiments did what.
func (t *Trials) Sums(w io.Writer) error {
	plans, ran, insts, whole, kinds := 0, 0, uint64(0), 0, map[string]int{}
	for i := range t.List {
		x := &t.List[i]
		plans, ran, insts = plans+x.Benchmarks, ran+x.Ran, insts+x.Instructions
		if x.Reason == "" {
			whole++
		} else {
			kinds[x.Failure]++
		}
	}
	of := t.Of + "s"
	_, err := fmt.Fprintf(w, "# %d %s, %s: %d ran as planned, with %s; of %d %s all did.\n", len(t.List), of, report.Counted(plans, "benchmark"), ran, report.Counted(int(insts), "instruction"), whole, of)
	for _, k := range []struct{ kind, text string }{{"illegal", "are no instructions of the emulated processor"}, {"fault", "end in a fault"}, {"trap", "trap"},
		{"count", "execute other instructions than planned"}, {"lost", "end the emulator"}} {
		if n := kinds[k.kind]; n > 0 && err == nil {
			_, err = fmt.Fprintf(w, "# %s that %s: %d\n", of, k.text, n)
		}
	}
	return err
}

// Log writes trials as they come, a line for each experiment, sums them up and keeps them.
type Log struct {
	Trials
	w    io.Writer
	m    *Emulator
	last *Trial // not written yet: the next trial may belong to the same experiment
}

// NewLog begins a log of trials of a subject ("form").
func NewLog(w io.Writer, m *Emulator, what string) *Log {
	l := &Log{w: w, m: m, Trials: Trials{ISA: m.Target.ISA.Name, Emulator: m.Version, Processor: m.CPU(), Uncounted: m.Uncounted, Of: what, List: []Tried{}}}
	l.head(w)
	return l
}

// Add adds a trial.
func (l *Log) Add(r *Trial) error {
	if last := l.last; last != nil && last.Name == r.Name {
		last.Plans, last.Ran, last.Insts = last.Plans+r.Plans, last.Ran+r.Ran, last.Insts+r.Insts
		if last.Reason == "" {
			last.Reason, last.Kind, last.Form = r.Reason, r.Kind, r.Form
		}
		return nil
	}
	err := l.whole()
	next := *r
	l.last = &next
	return err
}

// End writes the last trial and the sums.
func (l *Log) End() error {
	if err := l.whole(); err != nil {
		return err
	}
	return l.Sums(l.w)
}

// whole writes the last trial, which is complete.
func (l *Log) whole() error {
	r := l.last
	if r == nil {
		return nil
	}
	reason := r.Reason
	if missing := l.m.Missing(r.Form); r.Kind == "illegal" && len(missing) > 0 {
		reason += " (needs " + strings.Join(missing, " ") + ")"
	} else if needs := l.m.Target.Needs(r.Form); r.Kind == "illegal" && len(needs) > 0 {
		reason += " (needs " + strings.Join(needs, " ") + ")"
	}
	l.List = append(l.List, Tried{Name: r.Name, Benchmarks: r.Plans, Ran: r.Ran, Instructions: r.Insts, Reason: reason, Failure: r.Kind})
	l.last = nil
	return l.List[len(l.List)-1].write(l.w)
}
