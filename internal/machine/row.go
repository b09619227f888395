package machine

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// row is one row of a model file: forms, µops, latency, attributes. A field that the row leaves to earlier rows ("=", "==") has its has-bit unset.
type row struct {
	file     string
	line     int
	source   string
	uops     []Uop
	hasUops  bool
	count    float64 // µops as the source counts them (LLVM's NumMicroOps); NaN = number of listed µops
	slots    float64 // fused-domain slots; NaN = by the model's slot rule
	decode   float64 // slots in the legacy decoders, NaN = as slots
	group    float64 // most instructions that the decoders take in a cycle that begins with this one; 0 = limited by decode-slots only
	alone    float64 // cycles of dispatch in which it goes alone; 0 = by the rate of microcode, -1 = none
	rthru    float64 // reciprocal throughput of the source, NaN = follows from the µops
	lat      latency
	hasLat   bool
	same     [2]bool // the field for µops, for latency, is "==": the source has the earlier rows' figures
	cond     *cond   // nil = always
	flags    InstFlags
	borrowed bool
}

// counts reports whether the row states how many slots or µops there are, or how they are decoded.
func (r *row) counts() bool {
	return !(math.IsNaN(r.slots) && math.IsNaN(r.count) && math.IsNaN(r.decode)) || r.group > 0 || r.alone != 0
}

// counted returns the row with what later rows, the latest first, state of its µops.
func (r *row) counted(later []*row) *row {
	out := *r
	for _, l := range slices.Backward(later) {
		for _, f := range []struct{ to, from *float64 }{{&out.slots, &l.slots}, {&out.count, &l.count}, {&out.decode, &l.decode}} {
			if !math.IsNaN(*f.from) {
				*f.to = *f.from
			}
		}
		if l.group > 0 {
			out.group = l.group
		}
		if l.alone != 0 {
			out.alone = l.alone
		}
	}
	return &out
}

// latency is the latency field of a row.
type latency struct {
	defs  []defLat  // per definition, explicit then implicit; one entry stands for all
	late  []lateUse // operands that are needed later (or earlier) than at the start of the first µop
	pairs []pairLat // exceptions: from an operand to a result
	load  float64   // the load's part, NaN = not given
	low   float64   // bounds of an unknown latency ('?4-22'); 0 = not given
	high  float64
}

// unknown reports whether the row has no latency for any result.
func (l *latency) unknown() bool {
	for _, d := range l.defs {
		if !math.IsNaN(d.cycles) {
			return false
		}
	}
	return true
}

// bounds returns the interval of an unknown latency: the row's, else 1 to 10 cycles (LLVM's latency for long operations).
func (l *latency) bounds() (low, high float64) {
	if l.high > 0 {
		return l.low, l.high
	}
	return 1, 10
}

// defLat is the latency of one result; tag names the kind of result for forwarding, 0 = none.
type defLat struct {
	cycles float64 // NaN = unknown
	tag    uint16
}

// lateUse states how many cycles after the instruction's start an operand is needed.
type lateUse struct {
	op     int8    // MC operand, ^i = i-th implicit use
	cycles float64 // > 0 needed later, < 0 forwarding to it takes longer
	tag    uint16  // only when produced by results with this tag; 0 = always
}

// Operands of a pairLat or lateUse that are not operand numbers.
const (
	opMemory  = 100 // the loaded or stored value
	opAddress = 101 // every address register
	// In a lateUse: the instruction as a whole (Delays), and an instruction that executes twice.
	opInst  = 102
	opTwice = 103
)

type pairLat struct {
	from, to int8
	cycles   float64 // NaN = the result does not depend on the operand
}

// rowParser holds the ports and groups that the rows of a file use.
type rowParser struct {
	sets map[string]PortSet
	res  PortSet // ports that are resources
}

var (
	errNoRow    = "expected a row 'forms | µops | latency' or 'source: …' behind the header, found '%s'"
	errNoSource = errors.New("row without a source; put 'source: …' before it or 'source=…' at its end")
	errFields   = errors.New("a row has the fields 'forms | µops | latency' and optionally '| attributes'")
	errNoForms  = errors.New("a row names no forms")
	errNegative = errors.New("negative latency")
)

// parse reads a row. source is the source given before the row.
func (p *rowParser) parse(text, source string) (row, error) {
	r := row{source: source, count: math.NaN(), slots: math.NaN(), decode: math.NaN(), rthru: math.NaN()}
	r.lat.load = math.NaN()
	if !isRow(text) {
		return r, fmt.Errorf(errNoRow, clip(text))
	}
	forms, rest, _ := strings.Cut(text, "|")
	uops, rest, ok := strings.Cut(rest, "|")
	if !ok {
		return r, errFields
	}
	lat, attr, _ := strings.Cut(rest, "|")
	if strings.Contains(attr, "|") && !strings.Contains(attr, "when=") && !strings.Contains(attr, "source=") {
		return r, errFields
	}
	if strings.TrimSpace(forms) == "" {
		return r, errNoForms
	}
	var err error
	r.same = [2]bool{strings.TrimSpace(uops) == "==", strings.TrimSpace(lat) == "=="}
	if u := strings.TrimSpace(uops); u != "=" && u != "==" {
		r.hasUops = true
		if r.uops, err = p.uops(u); err != nil {
			return r, err
		}
	}
	if l := strings.TrimSpace(lat); l != "=" && l != "==" {
		r.hasLat = true
		if err = r.lat.parse(l); err != nil {
			return r, err
		}
	}
	if err = p.attributes(&r, strings.TrimSpace(attr)); err == nil && r.source == "" {
		err = errNoSource
	}
	return r, err
}

// maxUops bounds the µops of one row.
const maxUops = 4096

// uops parses "2*0156 23/load DIV:10 4@1:3": count, ports, first busy cycle, cycles, kind.
func (p *rowParser) uops(text string) ([]Uop, error) {
	if text == "-" {
		return nil, nil
	}
	var out []Uop
	for _, f := range strings.Fields(text) {
		n, u, err := p.uop(f)
		if err != nil {
			return nil, err
		}
		if len(out)+n > maxUops {
			return nil, fmt.Errorf("more than %d µops in a row", maxUops)
		}
		for ; n > 0; n-- {
			out = append(out, u)
		}
	}
	if len(out) == 0 {
		return nil, errors.New("empty µops field; write '-' for no port, '=' for what earlier rows say")
	}
	return out, nil
}

var uopKinds = map[string]UopKind{"load": UopLoad, "sta": UopStoreAddr, "std": UopStoreData, "branch": UopBranch, "result": UopResult, "read": UopRead}

func (p *rowParser) uop(f string) (n int, u Uop, err error) {
	n, u.Cycles = 1, 1
	s := strings.Replace(f, "×", "*", 1)
	if c, rest, ok := strings.Cut(s, "*"); ok {
		if n, err = strconv.Atoi(c); err != nil || n < 1 || n > 1000 {
			return 0, u, fmt.Errorf("bad number of µops in '%s' (1 to 1000)", f)
		}
		s = rest
	}
	if rest, k, ok := strings.Cut(s, "/"); ok {
		kind, known := uopKinds[k]
		if !known {
			return 0, u, fmt.Errorf("unknown kind of µop '%s' in '%s' (load, sta, std, branch, result or read)", k, f)
		}
		s, u.Kind = rest, kind
	}
	if rest, c, ok := strings.Cut(s, ":"); ok {
		if u.Cycles, err = strconv.ParseFloat(c, 64); err != nil || !(u.Cycles > 0 && u.Cycles < 1e5) {
			return 0, u, fmt.Errorf("bad number of cycles in '%s'", f)
		}
		s = rest
	}
	if rest, c, ok := strings.Cut(s, "@"); ok {
		if u.Start, err = strconv.ParseFloat(c, 64); err != nil || !(u.Start >= 0 && u.Start < 1e5) {
			return 0, u, fmt.Errorf("bad start cycle in '%s'", f)
		}
		s = rest
	}
	u.Ports, err = p.set(s)
	u.Resource = u.Ports != 0 && u.Ports&^p.res == 0
	if err == nil && u.Kind == UopRead && !u.Resource {
		err = fmt.Errorf("'%s': only resources serve reads", f)
	}
	return n, u, err
}

func (p *rowParser) set(s string) (PortSet, error) {
	if set, ok := p.sets[s]; ok {
		return set, nil
	}
	var out PortSet
	for _, n := range strings.Split(s, "+") {
		set, ok := p.sets[n]
		if !ok {
			return 0, fmt.Errorf("unknown port '%s' (%s)", n, nearestHint(n, keys(p.sets)))
		}
		out |= set
	}
	return out, nil
}

// parse reads "4", "5,1", "4#3 r3-2#3", "4 1>0:5 m>0:2".
func (l *latency) parse(text string) error {
	first := true
	for text != "" {
		var f string
		f, text, _ = strings.Cut(text, " ")
		if f == "" {
			continue
		}
		var err error
		switch {
		case first:
			first, err = false, l.results(f)
		case strings.Contains(f, ">"):
			err = l.pair(f)
		default:
			err = l.lateUse(f)
		}
		if err != nil {
			return err
		}
	}
	if first {
		return errors.New("empty latency field; write '=' for what earlier rows say, '?' for unknown")
	}
	return nil
}

func (l *latency) results(f string) error {
	for f != "" {
		var d string
		d, f, _ = strings.Cut(f, ",")
		d, tag, err := cutTag(d)
		if err != nil {
			return err
		}
		if ok, err := l.bounded(d); err != nil {
			return err
		} else if ok {
			d = "?"
		}
		c, err := cycles(d)
		if err != nil {
			return err
		}
		l.defs = append(l.defs, defLat{c, tag})
	}
	return nil
}

// bounded reads the interval of an unknown latency, "?4-22", if d is one.
func (l *latency) bounded(d string) (ok bool, err error) {
	lo, hi, found := strings.Cut(strings.TrimPrefix(d, "?"), "-")
	if !found || d[0] != '?' {
		return false, nil
	}
	if l.low, err = cycles(lo); err == nil {
		l.high, err = cycles(hi)
	}
	if err != nil || !(l.low <= l.high) {
		return false, fmt.Errorf("bad interval of an unknown latency '%s' (as in ?4-22)", d)
	}
	return true, nil
}

func cutTag(s string) (string, uint16, error) {
	i := strings.IndexByte(s, '#')
	if i < 0 {
		return s, 0, nil
	}
	n, err := strconv.ParseUint(s[i+1:], 10, 16)
	if err != nil || n == 0 {
		return "", 0, fmt.Errorf("bad forwarding tag in '%s' (a number from 1)", s)
	}
	return s[:i], uint16(n), nil
}

func cycles(s string) (float64, error) {
	if s == "?" {
		return math.NaN(), nil
	}
	if len(s) == 1 && s[0] >= '0' && s[0] <= '9' {
		return float64(s[0] - '0'), nil
	}
	c, err := strconv.ParseFloat(s, 64)
	switch {
	case err != nil || math.IsNaN(c) || c > 1e5:
		return 0, fmt.Errorf("bad latency '%s' (cycles, or '?')", s)
	case c < 0:
		return 0, fmt.Errorf("%w '%s'", errNegative, s)
	}
	return c, nil
}

// lateUse reads "r3-2", "i0-5#7", "r1+1": operand, cycles saved (or added), tag.
func (l *latency) lateUse(f string) error {
	bad := fmt.Errorf("bad late operand '%s' (as in r2-5: operand 2 is needed 5 cycles later; i0-5 for implicit ones)", f)
	s, tag, err := cutTag(f)
	if err != nil {
		return err
	}
	i := strings.IndexAny(s, "+-")
	if whole, ok := map[string]int8{"x": opInst, "xx": opTwice}[s[:max(i, 0)]]; ok {
		c, err := cycles(s[i+1:])
		if err != nil || math.IsNaN(c) || s[i] == '-' || tag == 0 {
			return fmt.Errorf("bad delay of an instruction '%s' (as in x+2#9: 2 cycles behind results of tag 9; xx+2#9 if it also executes twice)", f)
		}
		l.late = append(l.late, lateUse{whole, -c, tag})
		return nil
	}
	if i < 2 || (s[0] != 'r' && s[0] != 'i') {
		return bad
	}
	op, err := strconv.Atoi(s[1:i])
	if err != nil || op > 60 || op < 0 {
		return bad
	}
	c, err := cycles(s[i+1:])
	if err != nil || math.IsNaN(c) {
		return bad
	}
	if s[i] == '+' {
		c = -c
	}
	if s[0] == 'i' {
		op = ^op
	}
	l.late = append(l.late, lateUse{int8(op), c, tag})
	return nil
}

// pair reads "1>0:5", "m>0:4", "2>m:3", "a>0:6", "i0>1:2", "i0>0:-".
func (l *latency) pair(f string) error {
	bad := fmt.Errorf("bad latency exception '%s' (as in 1>0:5; m the memory value, a the address, i0 an implicit operand)", f)
	ends, c, ok := strings.Cut(f, ":")
	from, to, ok2 := strings.Cut(ends, ">")
	if !ok || !ok2 {
		return bad
	}
	a, ok := operandRef(from)
	b, ok2 := operandRef(to)
	if ok && ok2 && c == "-" { // does not depend
		l.pairs = append(l.pairs, pairLat{a, b, math.NaN()})
		return nil
	}
	v, err := cycles(c)
	if !ok || !ok2 || err != nil || math.IsNaN(v) || b == opAddress {
		return bad
	}
	l.pairs = append(l.pairs, pairLat{a, b, v})
	return nil
}

func operandRef(s string) (int8, bool) {
	switch s {
	case "m":
		return opMemory, true
	case "a":
		return opAddress, true
	case "":
		return 0, false
	}
	imp := s[0] == 'i'
	n, err := strconv.Atoi(strings.TrimPrefix(s, "i"))
	if err != nil || n < 0 || n > 60 {
		return 0, false
	}
	if imp {
		n = ^n
	}
	return int8(n), true
}

var rowFlags = map[string]InstFlags{"zero-idiom": ZeroIdiom, "dep-break": DepBreak, "move-elim": MoveElim, "serialising": SideEffect, "complex": Complex, "no-idiom": NoIdiom, "load-in-memory": LoadInMemory, "store-in-memory": StoreInMemory, "no-forward": NoForward, "drains": Drains, "issue-first": IssueFirst, "issue-last": IssueLast, "early-alu": EarlyALU, "reads-result": ReadsResult, "microcode": Microcode, "stand-in": StandIn, "no-ports": NoPorts,
	"fp-domain": FloatDomain, "int-domain": IntegerDomain, "no-switch": NoSwitch, "stack-read": ReadsStack, "fence": Fence,
	"joins-prefix": JoinsPrefix, "joins-zeroing": JoinsZeroing, "joins-merging": JoinsMerging}

func (p *rowParser) attributes(r *row, text string) error {
	for text != "" {
		if rest, ok := strings.CutPrefix(text, "source="); ok { // takes the rest of the row
			r.source = rest
			return nil
		}
		var f string
		f, text, _ = strings.Cut(text, " ")
		text = strings.TrimLeft(text, " ")
		key, val, _ := strings.Cut(f, "=")
		var to *float64
		switch key {
		case "ld":
			to = &r.lat.load
		case "uops":
			to = &r.count
		case "slots":
			to = &r.slots
		case "decode":
			to = &r.decode
		case "group":
			to = &r.group
		case "alone":
			to = &r.alone
		case "rthru":
			to = &r.rthru
		case "when":
			c, err := parseCond(val)
			if err != nil {
				return err
			}
			r.cond = c
			continue
		default:
			flag, ok := rowFlags[f]
			if !ok {
				return fmt.Errorf("unknown attribute '%s' (ld=, uops=, slots=, decode=, group=, alone=, rthru=, when=, source=, %s)", f, strings.Join(slices.Sorted(maps.Keys(rowFlags)), ", "))
			}
			r.flags |= flag
			continue
		}
		v, err := strconv.ParseFloat(val, 64)
		if err != nil || !(v >= 0 && v < 1e6) {
			return fmt.Errorf("bad value in '%s'", f)
		}
		if *to = v; key == "alone" && v == 0 {
			*to = -1
		}
	}
	return nil
}
