package bench

import (
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"sort"
	"strings"

	"incore/internal/isa"
	"incore/internal/machine"
)

// DiffOptions say what of two models is compared.
type DiffOptions struct {
	Tolerance float64 // of latencies, in cycles
	// Sources: only figures from sources that contain Sources[0] in the first model, Sources[1] in the second. Empty: all.
	Sources [2]string
	// Registers leaves out forms that access memory.
	Registers bool
}

// sameThroughput reports whether reciprocal throughputs count as equal: tables have two decimals.
func sameThroughput(a, b float64) bool { return math.Abs(a-b) <= 0.01+0.05*math.Max(a, b) }

// PairDifference is a latency that differs between two models.
type PairDifference struct {
	From, To isa.Access
	Cycles   [2]float64
}

// Difference is what two models say of a form.
type Difference struct {
	Form    isa.FormID
	Latency [2]float64 // the slowest pair; NaN if there is none
	RThru   [2]float64
	Pairs   []PairDifference // that differ
	Across  []PairDifference // those between two register files: only their sum with the way back can be measured
	Slower  bool             // the throughputs differ
}

// size orders differences: by the latency's, relative to its own size from 4 cycles on, and the throughput's.
func (d *Difference) size() float64 {
	most := 0.0
	for _, p := range d.Pairs {
		most = math.Max(most, relative(p.Cycles[0], p.Cycles[1], 4))
	}
	if d.Slower {
		most = math.Max(most, relative(d.RThru[0], d.RThru[1], 1))
	}
	return most
}

func relative(a, b, least float64) float64 { return math.Abs(a-b) / math.Max(least, math.Min(a, b)) }

// Comparison is the result of comparing two models.
type Comparison struct {
	Forms      int // that both models know
	Latency    int // all pairs agree
	Throughput int // the throughputs agree
	Both       int
	List       []Difference // what differs, the largest first
}

// Compare compares latency, pair by pair, and reciprocal throughput of all forms that both models know.
func Compare(t *Target, a, b *machine.Model, opt DiffOptions) *Comparison {
	c := &Comparison{}
	for _, f := range t.Select(nil, nil) {
		_, in, err := t.first(f)
		if err != nil {
			continue
		}
		ca, cb := a.Cost(t.ISA, &in), b.Cost(t.ISA, &in)
		if !known(ca, opt.Sources[0]) || !known(cb, opt.Sources[1]) || opt.Registers && len(ca.Effects.Mem) > 0 {
			continue
		}
		d := t.difference(ca, cb, opt.Tolerance)
		d.Form = f
		c.add(d)
	}
	c.sort()
	return c
}

// add counts a form.
func (c *Comparison) add(d *Difference) {
	c.Forms++
	if len(d.Pairs) == 0 {
		c.Latency++
	}
	if !d.Slower {
		c.Throughput++
	}
	if len(d.Pairs) == 0 && !d.Slower {
		c.Both++
		return
	}
	c.List = append(c.List, *d)
}

func (c *Comparison) sort() {
	sort.SliceStable(c.List, func(i, j int) bool { return c.List[i].size() > c.List[j].size() })
}

// known reports whether a cost is known, and its latency from a source that contains a text.
func known(c *machine.Cost, source string) bool {
	return c.Flags&machine.Unknown == 0 && len(c.Rows) > 0 && strings.Contains(c.Rows[len(c.Rows)-1], source)
}

// difference compares two costs of one instruction.
func (t *Target) difference(a, b *machine.Cost, tolerance float64) *Difference {
	d := &Difference{Latency: [2]float64{math.NaN(), math.NaN()}, RThru: [2]float64{a.Each, b.Each}}
	e := &a.Effects
	for i, o := range t.measurable(e) {
		r, w := &e.Reads[i], &e.Writes[o]
		x, okA := a.Pair(i, o)
		y, okB := b.Pair(i, o)
		if !okA {
			x = 0
		}
		if !okB {
			y = 0
		}
		d.Latency = [2]float64{greater(d.Latency[0], x), greater(d.Latency[1], y)}
		if math.Abs(x-y) > tolerance {
			list := &d.Pairs
			if t.file(r.Reg) != t.file(w.Reg) {
				list = &d.Across
			}
			*list = append(*list, PairDifference{*r, *w, [2]float64{x, y}})
		}
	}
	d.Slower = !sameThroughput(d.RThru[0], d.RThru[1])
	return d
}

// measurable goes through the registers read, and of each those written, between which latencies can be measured: not
// control registers, nor what writes an address back.
func (t *Target) measurable(e *isa.Effects) iter.Seq2[int, int] {
	return func(yield func(read, write int) bool) {
		for i := range e.Reads {
			if r := &e.Reads[i]; r.Role == isa.RoleControl || t.kindOf[r.Reg] == other {
				continue
			}
			for o := range e.Writes {
				if w := &e.Writes[o]; w.Role != isa.RoleUpdate && t.kindOf[w.Reg] != other && !yield(i, o) {
					return
				}
			}
		}
	}
}

// file is the register file of a register: flags are computed with integers.
func (t *Target) file(r isa.Reg) kind {
	if k := t.kindOf[r]; k != flags {
		return k
	}
	return gpr
}

// greater is the greater number; NaN stands for none.
func greater(a, b float64) float64 {
	if math.IsNaN(a) || b > a {
		return b
	}
	return a
}

// Diff writes the differences between two models, the largest first.
func Diff(w io.Writer, t *Target, a, b *machine.Model, opt DiffOptions) error {
	return Compare(t, a, b, opt).write(w, t, a.Name, b.Name, opt.Tolerance)
}

// write writes what differs between two named sources.
func (c *Comparison) write(w io.Writer, t *Target, a, b string, tolerance float64) error {
	percent := func(n int) float64 { return 100 * float64(n) / float64(max(1, c.Forms)) }
	_, err := fmt.Fprintf(w, "# %d forms compared: latencies of operand pairs agree within %g cycles for %d (%.1f %%; those between register files, in brackets, aside), reciprocal throughputs for %d (%.1f %%), both for %d (%.1f %%)\n"+
		"# form\tlatency %s\tlatency %s\trthru %s\trthru %s\tpairs that differ\n",
		c.Forms, tolerance, c.Latency, percent(c.Latency), c.Throughput, percent(c.Throughput), c.Both, percent(c.Both), a, b, a, b)
	for i := range c.List {
		d := &c.List[i]
		var pairs []string
		for i, p := range slices.Concat(d.Pairs, d.Across) {
			s := fmt.Sprintf("%s>%s:%s/%s", operandName(p.From), operandName(p.To), trim(p.Cycles[0], 1), trim(p.Cycles[1], 1))
			if i >= len(d.Pairs) {
				s = "(" + s + ")"
			}
			pairs = append(pairs, s)
		}
		if err == nil {
			_, err = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", t.ISA.Forms.Name(d.Form), dash(d.Latency[0]), dash(d.Latency[1]), trim(d.RThru[0], 2), trim(d.RThru[1], 2), strings.Join(pairs, " "))
		}
	}
	return err
}

// dash writes a number of cycles, - for none.
func dash(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return trim(v, 1)
}
