package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"incore/internal/isa"
	"incore/internal/isa/x86"
)

// ours holds the results of incore bench for a form.
type ours struct {
	least, most float64 // latency over the operand pairs; NaN if there is none
	rthru, low  float64 // reciprocal throughput; low is its lower bound if helper instructions were part of the loop
	immediates  []ours  // results with other immediates, if they differ
}

var (
	numberRE = regexp.MustCompile(`^[0-9.]+`)
	pairRE   = regexp.MustCompile(`^[^ ]+>[^ ]+:([0-9.]+)$`)
	rangeRE  = regexp.MustCompile(`^# (\S+) runs with helpers: reciprocal throughput between ([0-9.]+) and ([0-9.]+)$`)
)

// readResults reads a file of results.
func readResults(name string) (map[string]ours, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out, low := map[string]ours{}, map[string]float64{}
	s := bufio.NewScanner(f)
	for s.Scan() {
		l := s.Text()
		if m := rangeRE.FindStringSubmatch(l); m != nil {
			low[m[1]], _ = strconv.ParseFloat(m[2], 64)
		}
		p := strings.Split(l, " | ")
		immediate := strings.Contains(l, "when=imm(")
		if len(p) < 3 || strings.HasPrefix(l, "#") || strings.Contains(l, "when=") && !immediate {
			continue
		}
		x := ours{least: math.Inf(1), most: math.NaN(), rthru: math.NaN(), low: math.NaN()}
		for i, w := range strings.Fields(p[2]) {
			list := []string{w}
			if i == 0 {
				list = strings.Split(w, ",")
			} else if m := pairRE.FindStringSubmatch(w); m != nil {
				list[0] = m[1]
			} else {
				continue
			}
			for _, t := range list {
				if v, err := strconv.ParseFloat(numberRE.FindString(t), 64); err == nil {
					x.least = math.Min(x.least, v)
					if !(x.most >= v) {
						x.most = v
					}
				}
			}
		}
		if len(p) > 3 {
			if _, t, ok := strings.Cut(p[3], "rthru="); ok {
				x.rthru, _ = strconv.ParseFloat(numberRE.FindString(t), 64)
				x.low = x.rthru
				if v, ok := low[p[0]]; ok {
					x.low = v
				}
			}
		}
		if immediate {
			of := out[p[0]]
			of.immediates = append(of.immediates, x)
			out[p[0]] = of
			continue
		}
		out[p[0]] = x
	}
	return out, s.Err()
}

// comparison counts the agreement of results with the records of a core.
type comparison struct {
	forms, measured             int // records of register forms; those with a result
	missing                     []string
	latency, latencyOf, bounded int // latencies that differ; that can be compared; whose record is only an upper bound
	throughput, throughputOf    int
	either                      int // forms that differ in latency or throughput
	differ                      []difference
	rounding                    float64 // rounding error of latencies, in cycles
	causes                      []cause
}

// difference is a figure of a form that differs from the record.
type difference struct {
	form   string
	in     string // latency or throughput
	ours   *ours
	theirs *record
	size   float64 // relative difference
}

// figures returns the two differing figures as text.
func (d *difference) figures() (ours, theirs string) {
	if d.in == "throughput" {
		return fmt.Sprint(d.ours.rthru), fmt.Sprint(d.theirs.TP)
	}
	bound := ""
	if d.theirs.Range.hiBound {
		bound = "≤"
	}
	return fmt.Sprint(d.ours.most), bound + fmt.Sprint(d.theirs.Range.hi)
}

// compare compares results of this machine with the records of a core, for forms that access no memory. It lists every differing form, or a number of
// groups with the same cause.
func (k *core) compare(dir, results string, groups int, w io.Writer) error {
	mine, err := readResults(results)
	if err != nil {
		return err
	}
	recs, err := k.records(dir)
	if err != nil {
		return err
	}
	c := &comparison{rounding: 0.5, causes: causes[k.name]}
	seen := map[string]bool{}
	for i := range recs {
		r := &recs[i]
		f, err := resolve(r.String)
		if skip(r) || err != nil || f.mem >= 0 || touchesMemory(f) {
			continue
		}
		name := x86.ISA().Forms.Name(f.inst.Form)
		if condition(r, f) != "" || seen[name] {
			continue
		}
		seen[name] = true
		c.forms++
		if m, ok := mine[name]; ok {
			c.add(name, r, &m)
		} else {
			c.missing = append(c.missing, name)
		}
	}
	return c.report(w, groups)
}

func touchesMemory(f *form) bool {
	var e isa.Effects
	x86.ISA().Effects(&f.inst, &e)
	return len(e.Mem) > 0
}

// add compares one form. It uses the throughputs that uops.info measured, not those computed from the port usage. If the figure depends on an immediate, a match
// with any immediate counts, since the table does not state the measured one.
func (c *comparison) add(name string, r *record, m *ours) {
	inLatency, inThroughput := c.distances(r, m)
	list := m.immediates
	for i := range list {
		z := &list[i]
		if l, t := c.distances(r, z); math.Max(l, t) < math.Max(inLatency, inThroughput) {
			m, inLatency, inThroughput = z, l, t
		}
	}
	c.measured++
	if r.Range.known && !math.IsNaN(m.most) {
		c.latencyOf++
		if r.Range.hiBound && inLatency == 0 {
			c.bounded++
		}
	}
	if r.TP > 0 && !math.IsNaN(m.rthru) {
		c.throughputOf++
	}
	if inLatency > 0 {
		c.latency++
		c.differ = append(c.differ, difference{name, "latency", m, r, inLatency})
	}
	if inThroughput > 0 {
		c.throughput++
		c.differ = append(c.differ, difference{name, "throughput", m, r, inThroughput})
	}
	if inLatency > 0 || inThroughput > 0 {
		c.either++
	}
}

// distances returns the relative differences of a form's largest latency and of its throughput from the record. 0: they are equal or not known, or the latency is below
// an upper bound.
func (c *comparison) distances(r *record, m *ours) (latency, throughput float64) {
	if r.Range.known && !math.IsNaN(m.most) && math.Abs(m.most-r.Range.hi) > c.rounding && !(r.Range.hiBound && m.most < r.Range.hi) {
		latency = math.Abs(m.most-r.Range.hi) / math.Max(4, math.Min(m.most, r.Range.hi))
	}
	if r.TP > 0 && !math.IsNaN(m.rthru) {
		near := func(a, b float64) bool { return math.Abs(a-b) <= 0.02+0.06*math.Max(a, b) }
		if !(near(m.rthru, r.TP) || near(m.low, r.TP) || m.low < r.TP && r.TP < m.rthru) {
			throughput = math.Abs(m.rthru-r.TP) / math.Max(0.5, math.Min(m.rthru, r.TP))
		}
	}
	return latency, throughput
}

func (c *comparison) report(w io.Writer, groups int) error {
	share := func(n, of int) string {
		return fmt.Sprintf("%d of %d (%.1f %%)", n, of, 100*float64(n)/float64(max(1, of)))
	}
	explained := c.explained()
	fmt.Fprintf(w, "# register forms with a record: %s measured\n# largest latency equal within half a cycle: %s (%d of them within an upper bound)\n# throughput equal within 6 %% + 0.02: %s\n# both: %s\n# both, or shown to be of different things: %s\n",
		share(c.measured, c.forms), share(c.latencyOf-c.latency, c.latencyOf), c.bounded, share(c.throughputOf-c.throughput, c.throughputOf), share(c.measured-c.either, c.measured), share(c.measured-c.either+explained, c.measured))
	if groups > 0 {
		return c.byCause(w, groups)
	}
	if len(c.missing) > 0 {
		fmt.Fprintf(w, "# not measured: %s\n", strings.Join(c.missing, " "))
	}
	fmt.Fprintln(w, "# form\trecord\tin\tmeasured\ttheirs\tcause")
	slices.SortStableFunc(c.differ, func(a, b difference) int { return cmp.Compare(b.size, a.size) })
	var err error
	for i := range c.differ {
		d := &c.differ[i]
		a, b := d.figures()
		_, err = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", d.form, d.theirs.String, d.in, a, b, c.causeOf(d).why)
	}
	return err
}
