package results

import (
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"sort"
	"strings"

	"incore/internal/bench/plan"
	"incore/internal/isa"
	"incore/internal/machine"
)

// DiffOptions select the parts of two models that are compared.
type DiffOptions struct {
	Tolerance float64 // of latencies, in cycles
	// Sources restricts the comparison to figures whose source contains Sources[0] in the first model and Sources[1] in
	// the second. Empty: all.
	Sources [2]string
	// Registers excludes forms that access memory.
	Registers bool
}

// sameThroughput reports whether reciprocal throughputs count as equal: tables have two decimals.
func sameThroughput(a, b float64) bool { return math.Abs(a-b) <= 0.01+0.05*math.Max(a, b) }

// pairDifference is a latency that differs between two models.
type pairDifference struct {
	from, to isa.Access
	cycles   [2]float64
}

// formDifference holds the figures of a form in two models.
type formDifference struct {
	form    isa.FormID
	latency [2]float64 // the slowest pair; NaN if there is none
	rthru   [2]float64
	pairs   []pairDifference // those that differ
	across  []pairDifference // those between two register files: only the sum of both directions can be measured
	slower  bool             // the throughputs differ
}

// size orders differences: by the difference of the latency, relative to the latency from 4 cycles on, and by
// that of the throughput.
func (d *formDifference) size() float64 {
	most := 0.0
	for _, p := range d.pairs {
		most = math.Max(most, relative(p.cycles[0], p.cycles[1], 4))
	}
	if d.slower {
		most = math.Max(most, relative(d.rthru[0], d.rthru[1], 1))
	}
	return most
}

func relative(a, b, least float64) float64 { return math.Abs(a-b) / math.Max(least, math.Min(a, b)) }

// comparison is the result of comparing two models.
type comparison struct {
	forms      int // number of forms that both models know
	latency    int // forms for which all pairs agree
	throughput int // forms whose throughputs agree
	both       int
	list       []formDifference // the differing forms, the largest difference first
}

// compare compares latency, pair by pair, and reciprocal throughput of all forms that both models know.
func compare(t *plan.Target, a, b *machine.Model, opt DiffOptions) *comparison {
	c := &comparison{}
	for _, f := range t.Select(nil, nil) {
		in, err := t.Instance(f)
		if err != nil {
			continue
		}
		ca, cb := a.Cost(t.ISA, &in), b.Cost(t.ISA, &in)
		if !known(ca, opt.Sources[0]) || !known(cb, opt.Sources[1]) || opt.Registers && len(ca.Effects.Mem) > 0 {
			continue
		}
		d := difference(t, ca, cb, opt.Tolerance)
		d.form = f
		c.add(d)
	}
	c.sort()
	return c
}

// add includes a form in the counts.
func (c *comparison) add(d *formDifference) {
	c.forms++
	if len(d.pairs) == 0 {
		c.latency++
	}
	if !d.slower {
		c.throughput++
	}
	if len(d.pairs) == 0 && !d.slower {
		c.both++
		return
	}
	c.list = append(c.list, *d)
}

func (c *comparison) sort() {
	sort.SliceStable(c.list, func(i, j int) bool { return c.list[i].size() > c.list[j].size() })
}

// known reports whether a cost is known and the source of its latency contains a text.
func known(c *machine.Cost, source string) bool {
	return c.Flags&machine.Unknown == 0 && len(c.Rows) > 0 && strings.Contains(c.Rows[len(c.Rows)-1], source)
}

// difference compares two costs of one instruction.
func difference(t *plan.Target, a, b *machine.Cost, tolerance float64) *formDifference {
	d := &formDifference{latency: [2]float64{math.NaN(), math.NaN()}, rthru: [2]float64{a.Each, b.Each}}
	e := &a.Effects
	for i, o := range measurable(t, e) {
		r, w := &e.Reads[i], &e.Writes[o]
		x, okA := a.Pair(i, o)
		y, okB := pairOf(b, e, i, o)
		if !okA {
			x = 0
		}
		if !okB {
			y = 0
		}
		d.latency = [2]float64{greater(d.latency[0], x), greater(d.latency[1], y)}
		if math.Abs(x-y) > tolerance {
			list := &d.pairs
			if t.File(r.Reg) != t.File(w.Reg) {
				list = &d.across
			}
			*list = append(*list, pairDifference{*r, *w, [2]float64{x, y}})
		}
	}
	d.slower = !sameThroughput(d.rthru[0], d.rthru[1])
	return d
}

// pairOf returns a cost's latency between two operands that are given as indices into another cost's effects; ok is
// false if the result does not depend on the operand. The operands of the two costs may differ: an instruction reads its
// result register only if the core merges with its old value.
func pairOf(c *machine.Cost, e *isa.Effects, read, write int) (cycles float64, ok bool) {
	in, out := indexOf(c.Effects.Reads, e.Reads, read), indexOf(c.Effects.Writes, e.Writes, write)
	if in < 0 || out < 0 {
		return 0, false
	}
	return c.Pair(in, out)
}

// indexOf returns the position in list of element i of others, usually the same index; -1 if it is absent.
func indexOf(list, others []isa.Access, i int) int {
	same := func(a isa.Access) bool {
		b := &others[i]
		return a.Reg == b.Reg && a.Role == b.Role && (a.Op == b.Op || a.Op < 0 && b.Op < 0)
	}
	if i < len(list) && same(list[i]) {
		return i
	}
	return slices.IndexFunc(list, same)
}

// measurable iterates over the pairs of registers read and written between which latencies can be measured. It omits
// control registers and address write-back.
func measurable(t *plan.Target, e *isa.Effects) iter.Seq2[int, int] {
	return func(yield func(read, write int) bool) {
		for i := range e.Reads {
			if r := &e.Reads[i]; r.Role == isa.RoleControl || t.Kind(r.Reg) == plan.Other {
				continue
			}
			for o := range e.Writes {
				if w := &e.Writes[o]; w.Role != isa.RoleUpdate && t.Kind(w.Reg) != plan.Other && !yield(i, o) {
					return
				}
			}
		}
	}
}

// greater returns the greater number; NaN means no number.
func greater(a, b float64) float64 {
	if math.IsNaN(a) || b > a {
		return b
	}
	return a
}

// Diff writes the differences between two models, the largest first.
func Diff(w io.Writer, t *plan.Target, a, b *machine.Model, opt DiffOptions) error {
	return compare(t, a, b, opt).write(w, t, a.Name, b.Name, opt.Tolerance)
}

// write writes the differences between two named sources.
func (c *comparison) write(w io.Writer, t *plan.Target, a, b string, tolerance float64) error {
	percent := func(n int) float64 { return 100 * float64(n) / float64(max(1, c.forms)) }
	_, err := fmt.Fprintf(w, "# %d forms compared: latencies of operand pairs agree within %g cycles for %d (%.1f %%; those between register files, in brackets, aside), reciprocal throughputs for %d (%.1f %%), both for %d (%.1f %%)\n"+
		"# form\tlatency %s\tlatency %s\trthru %s\trthru %s\tpairs that differ\n",
		c.forms, tolerance, c.latency, percent(c.latency), c.throughput, percent(c.throughput), c.both, percent(c.both), a, b, a, b)
	for i := range c.list {
		d := &c.list[i]
		var pairs []string
		for i, p := range slices.Concat(d.pairs, d.across) {
			s := fmt.Sprintf("%s>%s:%s/%s", operandName(p.from), operandName(p.to), Trim(p.cycles[0], 1), Trim(p.cycles[1], 1))
			if i >= len(d.pairs) {
				s = "(" + s + ")"
			}
			pairs = append(pairs, s)
		}
		if err == nil {
			_, err = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", t.ISA.Forms.Name(d.form), dash(d.latency[0]), dash(d.latency[1]), Trim(d.rthru[0], 2), Trim(d.rthru[1], 2), strings.Join(pairs, " "))
		}
	}
	return err
}

// dash formats a number of cycles, NaN as "-".
func dash(v float64) string {
	if math.IsNaN(v) {
		return "-"
	}
	return Trim(v, 1)
}
