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

// ours is what a file of results of incore bench has of a form.
type ours struct {
	least, most float64 // latency over the operand pairs; NaN if there is none
	rthru, low  float64 // reciprocal throughput, from low where helpers ran along
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
		if len(p) < 3 || strings.HasPrefix(l, "#") || strings.Contains(l, "when=") {
			continue
		}
		x := ours{math.Inf(1), math.NaN(), math.NaN(), math.NaN()}
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
		out[p[0]] = x
	}
	return out, s.Err()
}

// comparison counts how results agree with the records of a core.
type comparison struct {
	forms, measured                int // records of register forms; those that the results have
	latency, latencyOf, bounded    int // that agree; that can be compared; of which within an upper bound
	throughput, throughputOf, both int
	differ                         []string
	size                           []float64
	rounding                       float64 // of latencies, in cycles
}

// compare holds results of this machine against the records of a core: forms that access no memory. Of what differs it lists every form, or that many
// groups of one cause.
func (k *core) compare(dir, results string, causes int, w io.Writer) error {
	mine, err := readResults(results)
	if err != nil {
		return err
	}
	recs, err := k.records(dir)
	if err != nil {
		return err
	}
	c := &comparison{rounding: 0.5}
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
		}
	}
	return c.report(w, causes)
}

func touchesMemory(f *form) bool {
	var e isa.Effects
	x86.ISA().Effects(&f.inst, &e)
	return len(e.Mem) > 0
}

// add compares one form. Throughputs are those that uops.info measured, not those that follow from its port usage.
func (c *comparison) add(name string, r *record, m *ours) {
	c.measured++
	latency, throughput, by := true, true, 0.0
	if r.Range.known && !math.IsNaN(m.most) {
		c.latencyOf++
		latency = math.Abs(m.most-r.Range.hi) <= c.rounding
		if r.Range.hiBound && m.most <= r.Range.hi+c.rounding {
			c.bounded++
			latency = true
		}
		if latency {
			c.latency++
		} else {
			by = math.Max(by, math.Abs(m.most-r.Range.hi)/math.Max(4, math.Min(m.most, r.Range.hi)))
		}
	}
	if r.TP > 0 && !math.IsNaN(m.rthru) {
		c.throughputOf++
		near := func(a, b float64) bool { return math.Abs(a-b) <= 0.02+0.06*math.Max(a, b) }
		throughput = near(m.rthru, r.TP) || m.low < r.TP && r.TP < m.rthru
		if throughput {
			c.throughput++
		} else {
			by = math.Max(by, math.Abs(m.rthru-r.TP)/math.Max(0.5, math.Min(m.rthru, r.TP)))
		}
	}
	if latency && throughput {
		c.both++
		return
	}
	note := ""
	if !latency {
		note += "latency "
	}
	if !throughput {
		note += "throughput"
	}
	bound := ""
	if r.Range.hiBound {
		bound = "≤"
	}
	c.differ = append(c.differ, fmt.Sprintf("%s\t%s\t%g\t%s%g\t%g\t%g\t%s", name, r.String, m.most, bound, r.Range.hi, m.rthru, r.TP, strings.TrimSpace(note)))
	c.size = append(c.size, by)
}

func (c *comparison) report(w io.Writer, causes int) error {
	share := func(n, of int) string {
		return fmt.Sprintf("%d of %d (%.1f %%)", n, of, 100*float64(n)/float64(max(1, of)))
	}
	fmt.Fprintf(w, "# register forms with a record: %s measured\n# largest latency equal within half a cycle: %s (%d of them within an upper bound)\n# throughput equal within 6 %% + 0.02: %s\n# both: %s\n",
		share(c.measured, c.forms), share(c.latency, c.latencyOf), c.bounded, share(c.throughput, c.throughputOf), share(c.both, c.measured))
	if causes > 0 {
		return c.byCause(w, causes)
	}
	fmt.Fprintln(w, "# form\trecord\tlatency\ttheirs\trthru\ttheirs\tdiffers in")
	order := make([]int, len(c.differ))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(c.size[b], c.size[a]) })
	var err error
	for _, i := range order {
		_, err = fmt.Fprintln(w, c.differ[i])
	}
	return err
}
