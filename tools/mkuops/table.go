package main

import (
	"encoding/csv"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
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
	f, err := open(dir, name+".csv")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
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
// decoding and variants; its latencies only where they lie within the table's range, or quicker below its end.
func (r *record) take(d *record, name string, quicker bool) {
	r.donor, r.donorSlots = name, d.Slots
	r.Attrs, r.Operands = d.Attrs, d.Operands
	r.decoded(d)
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
	switch {
	case r.agrees(d):
		r.Latencies = d.Latencies
	case !quicker:
	case memoryOperand.MatchString(r.String):
		r.offered = d.Latencies
	case r.shortOf(d):
		r.Latencies = d.Latencies
	}
}

// decoded takes what another core's record says of decoding, if there are as many slots.
func (r *record) decoded(d *record) {
	if d.Slots != nil && r.Slots != nil && *d.Slots == *r.Slots {
		r.MITE, r.MS, r.Complex, r.Simple = d.MITE, d.MS, d.Complex, d.Simple
	}
}

// heldAs takes for how long an instruction holds up others from its record of a sister core, and its ports if those of its own are not believable.
func (r *record) heldAs(d *record) {
	if r.TP == 0 {
		r.held = d.TP
	}
	for _, n := range r.Ports {
		if n > maxCount && r.Uops != nil && d.Uops != nil && *r.Uops == *d.Uops {
			r.Ports = d.Ports
			return
		}
	}
}

// borrow takes the latencies of the same instruction in another encoding or of another width, where those are but the ends of the table's
// range there: they are the ends of the range here.
func (r *record) borrow(s *record) {
	if s == nil || len(r.Latencies) > 0 || !r.Range.known || !s.Range.known || r.Range.hiBound || r.Range.loBound || memoryOperand.MatchString(r.String) {
		return
	}
	out := slices.Clone(s.Latencies)
	for i := range out {
		switch out[i].Cycles {
		case s.Range.hi:
			out[i].Cycles = r.Range.hi
		case s.Range.lo:
			out[i].Cycles = r.Range.lo
		default:
			if r.Range != s.Range {
				return
			}
		}
	}
	if len(out) > 0 && (r.Range.lo < r.Range.hi) == (s.Range.lo < s.Range.hi) {
		r.Operands, r.Latencies, r.donor = s.Operands, out, s.donor
	}
}

// gather takes the latencies of the AVX2 form of a gather whose mask is a mask register. Their largest is that from
// the mask to the result, the smallest that from the overwritten register or the mask to themselves: elements that
// are there already, and a mask that is left empty.
func (r *record) gather(s *record) {
	if s == nil || len(r.Latencies) > 0 || !r.Range.known || len(s.Latencies) == 0 || len(s.Operands) != 3 {
		return
	}
	hi := 0.0
	for _, l := range s.Latencies {
		hi = max(hi, l.Cycles)
	}
	r.Latencies = slices.Clone(s.Latencies)
	for i := range r.Latencies {
		l := &r.Latencies[i]
		longer := func(v *float64) *float64 {
			if v == nil || l.To != "REG0" {
				return v
			}
			w := *v + r.Range.hi - hi
			return &w
		}
		switch {
		case l.From == "MEM0":
			l.Addr, l.Mem = longer(l.Addr), longer(l.Mem)
		case l.Cycles == hi:
			l.Cycles = r.Range.hi
		case l.From == l.To:
			l.Cycles = r.Range.lo
		}
	}
	r.Operands, r.donor = []operandInfo{s.Operands[0], s.Operands[2], s.Operands[1]}, s.donor
}

var maskedGather = regexp.MustCompile(`^(VP?GATHER[DQ](?:D|Q|PS|PD)) \(([XYZ]MM), K, VSIB_([XYZ]MM)\)$`)

// unmaskedGather is the name of the AVX2 form of a gather with a mask register, of 256 bits in the place of 512; ""
// for other names.
func unmaskedGather(name string) string {
	m := maskedGather.FindStringSubmatch(name)
	if m == nil {
		return ""
	}
	dst, index := m[2], m[3]
	if dst == "ZMM" || index == "ZMM" {
		half := strings.NewReplacer("YMM", "XMM", "ZMM", "YMM")
		dst, index = half.Replace(dst), half.Replace(index)
	}
	return fmt.Sprintf("%s (%s, VSIB_%s, %s)", m[1], dst, index, dst)
}

// narrower is the name of an instruction with the VEX encoding in the place of the EVEX one, and of 256 bits in the place of 512.
func narrower(name string) string {
	return strings.ReplaceAll(strings.Replace(name, "_EVEX ", " ", 1), "ZMM", "YMM")
}

// slow is by how many cycles a chain through one of these additions is longer.
const slow = 2

// shortOf reports whether a donor's latencies between registers fall short of the table's largest as behind additions that are done
// at rename: they lie within the range without reaching its end, or are those cycles quicker. What is one cycle quicker is another
// core (multiplications of Redwood Cove).
func (r *record) shortOf(d *record) bool {
	hi, any := 0.0, false
	for _, l := range d.Latencies {
		if l.Addr == nil && !strings.HasPrefix(l.To, "MEM") {
			hi, any = max(hi, l.Cycles), true
		}
	}
	return any && r.Range.known && (hi >= r.Range.lo && hi <= r.Range.hi || r.Range.hi-hi >= slow)
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
	if r.Div > 0 && hi > 2*lo && math.Abs(lo-r.Range.lo) <= 1 { // some operand is passed by, as the upper half of a dividend: the table's end is that one's
		return hi <= r.Range.hi
	}
	if memory {
		return hi <= r.Range.hi && (math.IsInf(lo, 1) || lo >= r.Range.lo || r.Range.loBound)
	}
	return lo >= r.Range.lo && hi <= r.Range.hi && (hi == r.Range.hi || r.Range.hiBound)
}
