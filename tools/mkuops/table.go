package main

import (
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"incore/internal/isa"
	"incore/internal/isa/x86"
)

// latRange is the latency column of the web table: the smallest and largest latency over operand pairs; a bound
// is an upper bound (the measured chain went through other instructions).
type latRange struct {
	lo, hi           float64
	loBound, hiBound bool
	known            bool
}

var latencyRE = regexp.MustCompile(`^(≤?)([0-9.]+)$`)

// parseLatency reads "4", "≤6", "[1;≤8]", "".
func parseLatency(s string) (latRange, error) {
	if s == "" {
		return latRange{}, nil
	}
	lo, hi, two := strings.Cut(strings.Trim(s, "[]"), ";")
	if !two {
		hi = lo
	}
	a, b := latencyRE.FindStringSubmatch(lo), latencyRE.FindStringSubmatch(hi)
	if a == nil || b == nil {
		return latRange{}, fmt.Errorf("unexpected latency %q", s)
	}
	l := latRange{loBound: a[1] != "", hiBound: b[1] != "", known: true}
	l.lo, _ = strconv.ParseFloat(a[2], 64)
	l.hi, _ = strconv.ParseFloat(b[2], 64)
	return l, nil
}

// dividesRE matches the instructions that the divider executes.
var dividesRE = regexp.MustCompile(`^V?(DIV|SQRT)[PS][SDH]|^I?DIV|^F(I?DIV|SQRT)`)

// readTable reads the columns instruction, family, latency, throughput, uops, ports.
func readTable(dir, name string) ([]record, error) {
	f, err := os.Open(filepath.Join(dir, name+".csv.gz"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	lines, err := csv.NewReader(z).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(lines) == 0 || strings.Join(lines[0], ",") != "instruction,family,latency,throughput,uops,ports" {
		return nil, fmt.Errorf("%s: not the columns that this program knows", name)
	}
	out := make([]record, 0, len(lines)-1)
	for _, l := range lines[1:] {
		r := record{String: l[0], Ports: map[string]float64{}, table: true}
		if r.Range, err = parseLatency(l[2]); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", name, l[0], err)
		}
		r.throughput(l[3])
		r.counts(l[4])
		for _, p := range strings.FieldsFunc(l[5], func(c rune) bool { return c == '+' || c == ' ' }) {
			n, ports, ok := strings.Cut(p, "*")
			if c, err := strconv.ParseFloat(n, 64); ok && err == nil {
				r.Ports[strings.TrimPrefix(ports, "p")] += c
			}
		}
		if dividesRE.MatchString(r.String) && r.TP > 1 { // busy as long as the instruction's own throughput says
			r.Div = math.Floor(r.TP)
		}
		out = append(out, r)
	}
	return out, nil
}

// throughput reads "computed / measured".
func (r *record) throughput(s string) {
	parts := strings.Split(s, "/")
	if v, err := strconv.ParseFloat(strings.TrimSpace(parts[len(parts)-1]), 64); err == nil {
		r.TP = v
	}
}

// counts reads "fused / unfused", or one number for both.
func (r *record) counts(s string) {
	fused, unfused, two := strings.Cut(s, "/")
	if !two {
		unfused = fused
	}
	if v, err := strconv.ParseFloat(strings.TrimSpace(fused), 64); err == nil {
		r.Slots = &v
	}
	if v, err := strconv.ParseFloat(strings.TrimSpace(unfused), 64); err == nil {
		r.Uops = &v
	}
}

// take completes a record of the table with what another core's record of the same instruction says of operands,
// decoding and variants; its latencies only where they lie within the table's range.
func (r *record) take(d *record, name string) {
	r.donor = name
	r.Attrs, r.Operands = d.Attrs, d.Operands
	if d.Slots != nil && r.Slots != nil && *d.Slots == *r.Slots {
		r.MITE, r.MS, r.Complex, r.Simple = d.MITE, d.MS, d.Complex, d.Simple
	}
	if r.Div == 0 && d.Div > 0 {
		r.Div = math.Max(1, math.Floor(r.TP))
	}
	r.Variants = d.Variants
	if !samePorts(r.Ports, d.Ports) { // other ports: what differs is the slots
		r.Variants = map[string]record{}
		for n, v := range d.Variants {
			if v.Uops != nil && *v.Uops > 0 {
				v.Ports = r.Ports
			}
			r.Variants[n] = v
		}
	}
	if r.agrees(d) {
		r.Latencies = d.Latencies
	}
}

func samePorts(a, b map[string]float64) bool {
	if len(a) != len(b) {
		return false
	}
	for p, n := range a {
		if b[p] != n {
			return false
		}
	}
	return true
}

// agrees reports whether a donor's latencies between registers lie within the table's range, and reach its end
// where the table has a measured end and no memory takes part.
func (r *record) agrees(d *record) bool {
	if !r.Range.known || len(d.Latencies) == 0 {
		return false
	}
	lo, hi, memory := math.Inf(1), 0.0, false
	for _, l := range d.Latencies {
		c := l.Cycles
		switch {
		case strings.HasPrefix(l.From, "AGEN") && l.Addr != nil: // LEA's address
			c = *l.Addr
		case strings.HasPrefix(l.From, "MEM"), strings.HasPrefix(l.To, "MEM"), l.Addr != nil:
			memory = true
			continue
		}
		lo, hi = min(lo, c), max(hi, c)
	}
	if memory {
		return hi <= r.Range.hi && (math.IsInf(lo, 1) || lo >= r.Range.lo || r.Range.loBound)
	}
	return lo >= r.Range.lo && hi <= r.Range.hi && (hi == r.Range.hi || r.Range.hiBound)
}

// tableLatency is the latency field of a record without figures per operand: the largest latency of the table, for loads the load's
// latency and the register form's. "=" where the table has but an upper bound.
func (x *reader) tableLatency() string {
	r := x.rec
	flags := x.table.Flags(x.form.inst.Form)
	x.reads, x.writes = flags&isa.MayLoad != 0, flags&isa.MayStore != 0
	x.ld = x.loadLatency()
	switch {
	case x.writes || !r.Range.known:
		return "="
	case !x.reads && r.Range.hiBound && r.Div == 0:
		return "="
	case !x.reads && r.Div > 0:
		return fmt.Sprintf("%g", r.Range.lo) // operands that divide quickly, as in the per-operand figures
	case !x.reads:
		return fmt.Sprintf("%g", r.Range.hi) + x.unmasked(r.Range.hi)
	}
	exec := max(0, r.Range.hi-x.ld)
	s := x.core.siblings[registerForm(r.String)]
	switch {
	case s != nil && s.Range.known && r.Div > 0:
		exec = min(exec, s.Range.lo)
	case x.pureLoad():
		exec = 0
	case s != nil && s.Range.known:
		exec = min(exec, s.Range.hi)
	case r.Range.hiBound:
		return "="
	}
	return fmt.Sprintf("%g", x.ld+exec)
}

// unmasked are the exceptions of a masked form: the mask takes the longest, the other operands what they take in the form without a mask,
// but no less than the table's quickest pair.
func (x *reader) unmasked(slow float64) string {
	name := strings.Replace(strings.Replace(x.rec.String, "_Z ", " ", 1), ", K, ", ", ", 1)
	s := x.core.siblings[name]
	if name == x.rec.String || s == nil || !s.Range.known || s.Range.hiBound || x.table.NumDefs(x.form.inst.Form) != 1 {
		return ""
	}
	rest := max(s.Range.hi, x.rec.Range.lo) // merging bytes and words makes all operands slower
	if rest >= slow {
		return ""
	}
	out := ""
	for _, r := range x.form.regs {
		if use := x.operands(r).use; r != isa.NoReg && use != "" && !strings.HasPrefix(x86.ISA().Regs.Name(r), "K") {
			out += fmt.Sprintf(" %s>0:%g", use, rest)
		}
	}
	return out
}

var memoryOperand = regexp.MustCompile(`M(\d+)(_1to\d+)?`)

// registerForm is the name of an instruction with a register in the place of its memory operand: of the
// width of the widest register for a vector or a broadcast, general-purpose else.
func registerForm(name string) string {
	m := memoryOperand.FindStringSubmatch(name)
	if m == nil {
		return ""
	}
	reg := map[string]string{"128": "XMM", "256": "YMM", "512": "ZMM"}[m[1]]
	vector := strings.Contains(name, "XMM") || strings.Contains(name, "YMM") || strings.Contains(name, "ZMM")
	switch {
	case m[2] != "":
		reg = "XMM"
		for _, w := range []string{"YMM", "ZMM"} {
			if strings.Contains(name, w) {
				reg = w
			}
		}
	case reg == "" && vector:
		reg = "XMM"
	case reg == "" && m[1] == "8":
		reg = "R8l"
	case reg == "":
		reg = "R" + m[1]
	}
	return memoryOperand.ReplaceAllLiteralString(name, reg)
}
