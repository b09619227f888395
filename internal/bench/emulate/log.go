package emulate

import (
	"fmt"
	"io"
	"strings"

	"incore/internal/report"
)

// Log writes trials, a line for each experiment, and sums them up.
type Log struct {
	w    io.Writer
	m    *Emulator
	what string // the subject of the trials, in the plural
	last *Trial // not written yet: the next trial may belong to the same experiment

	all, whole, plans, ran int
	insts                  uint64
	kinds                  map[string]int // failed trials by the kind of their first reason
}

// NewLog begins a log of trials of a subject ("form").
func NewLog(w io.Writer, m *Emulator, what string) *Log {
	fmt.Fprintf(w, "# Benchmarks of %s under %s, processor %s: whether they run, and what they execute.\n# An emulator tells no time: there are no cycles here, and this is no file of results.\n", m.Target.ISA.Name, m.Version, m.CPU())
	if m.Uncounted != "" {
		fmt.Fprintf(w, "# instructions are not counted: %s\n", m.Uncounted)
	}
	fmt.Fprintf(w, "# %s\tplans\tran\tinstructions\treason\n", what)
	return &Log{w: w, m: m, what: what + "s", kinds: map[string]int{}}
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
	err := l.write()
	next := *r
	l.last = &next
	return err
}

// End writes the last trial and the sums.
func (l *Log) End() error {
	if err := l.write(); err != nil {
		return err
	}
	return l.Sums(l.w)
}

// write writes the last trial.
func (l *Log) write() error {
	r := l.last
	if r == nil {
		return nil
	}
	l.count(r)
	reason := r.Reason
	if missing := l.m.Missing(r.Form); r.Kind == "illegal" && len(missing) > 0 {
		reason += " (needs " + strings.Join(missing, " ") + ")"
	} else if needs := l.m.Target.Needs(r.Form); r.Kind == "illegal" && len(needs) > 0 {
		reason += " (needs " + strings.Join(needs, " ") + ")"
	}
	_, err := fmt.Fprintf(l.w, "%s\t%d\t%d\t%d\t%s\n", r.Name, r.Plans, r.Ran, r.Insts, reason)
	return err
}

func (l *Log) count(r *Trial) {
	l.all++
	l.plans += r.Plans
	l.ran += r.Ran
	l.insts += r.Insts
	if r.Reason == "" {
		l.whole++
	} else {
		l.kinds[r.Kind]++
	}
}

// Sums says how many trials did what.
func (l *Log) Sums(w io.Writer) error {
	_, err := fmt.Fprintf(w, "# %d %s, %s: %d ran as planned, with %s; of %d %s all did.\n", l.all, l.what, report.Counted(l.plans, "benchmark"), l.ran, report.Counted(int(l.insts), "instruction"), l.whole, l.what)
	for _, k := range []struct{ kind, text string }{{"illegal", "are no instructions of the emulated processor"}, {"fault", "end in a fault"}, {"trap", "trap"},
		{"count", "execute other instructions than planned"}, {"lost", "end the emulator"}} {
		if n := l.kinds[k.kind]; n > 0 && err == nil {
			_, err = fmt.Fprintf(w, "# %s that %s: %d\n", l.what, k.text, n)
		}
	}
	return err
}
