package main

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"incore/internal/isa"
	"incore/internal/isa/x86"
)

// loadLatency is the load's part: by the kind and width of what the load goes to.
func (x *reader) loadLatency() float64 {
	if !x.reads {
		return 0
	}
	width := 0
	for _, r := range x.form.regs {
		n := x86.ISA().Regs.Name(r)
		switch {
		case strings.HasPrefix(n, "XMM"), strings.HasPrefix(n, "MM"):
			width = max(width, 1)
		case strings.HasPrefix(n, "YMM"):
			width = max(width, 2)
		case strings.HasPrefix(n, "ZMM"):
			width = max(width, 3)
		}
	}
	if width == 0 {
		return x.core.gprLoad
	}
	return x.core.vecLoad[width-1]
}

// pair is the latency from one operand to one result, both as row syntax has them.
type pair struct {
	from, to string
	cycles   float64
}

// pairs collects the latencies of a record: the slowest of those that fall on the same two operands.
type pairs struct {
	list []pair
	top  float64            // the slowest of all
	to   map[string]float64 // the slowest of each result
}

func (p *pairs) add(from, to string, c float64) {
	if from == "" || to == "" {
		return
	}
	p.top, p.to[to] = max(p.top, c), max(p.to[to], c)
	for i := range p.list {
		if q := &p.list[i]; q.from == from && q.to == to {
			q.cycles = max(q.cycles, c)
			return
		}
	}
	p.list = append(p.list, pair{from, to, c})
}

// across takes the way back off latencies between general-purpose and vector registers: these are measured in chains with the quickest one, of which uops.info
// takes off no more than the cycle that it must last. So a chain of MOVQ there and MOVQ back takes one cycle more than either has.
func (x *reader) across() *reader {
	to, back := x.core.transfers[0], x.core.transfers[1]
	if to == 0 || slices.ContainsFunc(x.form.regs, isMask) {
		return x
	}
	r := *x.rec
	r.Latencies = slices.Clone(r.Latencies)
	for i := range r.Latencies {
		l := &r.Latencies[i]
		from, register := x.vectors[l.From]
		vector, other := x.vectors[l.To]
		if x.core.kinds && from && x.isFlags(l.To) { // which go on to a general-purpose register
			vector, other = false, true
		}
		switch {
		case !register || !other || from == vector:
		case vector:
			l.Cycles -= back - 1
		default:
			l.Cycles -= to - 1
		}
	}
	y := *x
	y.rec = &r
	return &y
}

// bypassedRE matches the operations of floating point whose figures have a bypass in them: of those with several operands, from the one that is not overwritten.
var bypassedRE = regexp.MustCompile(`^(ADD|SUB|MUL|MAX|MIN|CMP|DP|ROUND)[PS][SD]|^ADDSUBP|^RCP[PS]S|^CVT(DQ|P[SDI]|S[SD]|TP[SD])2(DQ|P[SDI]|S[SD]) `)

// bypassed takes what the way to the vectors' integer units and back adds off latencies between two vector registers: where the overwritten one is not the same as the
// other, the chains are closed by a shuffle.
func (k *core) bypassed(r *record) {
	if k.bypass == 0 || !bypassedRE.MatchString(r.String) {
		return
	}
	own := math.Inf(1) // from the overwritten register, whose chain needs nothing else
	for _, l := range r.Latencies {
		if l.From == l.To {
			own = l.Cycles
		}
	}
	vectors := map[string]bool{}
	for _, o := range r.Operands {
		vectors[o.Name] = o.Type == "reg" && !o.Implicit
	}
	for i := range r.Latencies {
		if l := &r.Latencies[i]; vectors[l.From] && vectors[l.To] && l.From != l.To && (math.IsInf(own, 1) || l.Cycles == own+k.bypass) {
			l.Cycles -= k.bypass
		}
	}
}

// notTheHalf replaces a latency of 0 between two registers of 256 bits, on cores that execute these as two operations, by that of 128 bits: of Crestmont's records a
// few have 0 from one operand and 1 from the other, others of the same operation with 1 from both.
func (r *record) notTheHalf(half *record) {
	if half == nil || r.Uops == nil || *r.Uops != 2 || half == r {
		return
	}
	for i := range r.Latencies {
		for j := range half.Latencies {
			if l, h := &r.Latencies[i], &half.Latencies[j]; l.Cycles == 0 && l.Addr == nil && l.From == h.From && l.To == h.To {
				l.Cycles = h.Cycles
			}
		}
	}
}

// latency writes the latency field: the slowest result first, then the pairs that differ.
func (x *reader) latency() string {
	p, unread := &pairs{to: map[string]float64{}}, ""
	registers := map[string]float64{} // the slowest register operand → each result
	for _, l := range x.rec.Latencies {
		if to := x.source[l.To].def; to != "" && x.source[l.From].use != "m" && l.Cycles > 0 { // 0: it does not depend on it (POPCNT on its destination)
			registers[to] = max(registers[to], l.Cycles)
		}
	}
	for _, l := range x.rec.Latencies {
		from, to := x.source[l.From], x.source[l.To]
		switch {
		case from.use == "m" && to.def == "m":
			if l.Mem != nil {
				p.add("m", "m", x.throughMemory(*l.Mem))
			}
		case to.def == "m":
			p.add(from.use, "m", x.stored(l.Cycles))
		case from.use == "a":
			if l.Addr != nil {
				p.add("a", to.def, *l.Addr)
			}
		case from.use == "m":
			if !x.reads {
				continue
			}
			if l.Addr == nil { // dividers: as from a register
				exec, ok := registers[to.def]
				if !ok && x.rec.Div > 0 { // the root of nothing but memory
					exec = x.registerLatency()
					ok = !math.IsInf(exec, 1)
				}
				if ok {
					p.add("m", to.def, exec)
					p.add("a", to.def, x.ld+exec)
				}
				continue
			}
			exec := min(max(0, *l.Addr-x.ld), x.registerLatency())
			if r, ok := registers[to.def]; ok && (x.oneOperation() || x.writes) {
				exec = min(exec, r)
			}
			if x.pureLoad() && (x.vector() || !x.core.kinds) { // the rest is the transfer that the measured chain needed
				exec = 0
			}
			p.add("m", to.def, exec)
			p.add("a", to.def, x.ld+exec)
		case l.Cycles == 0 && x.isFlags(l.From) && !x.isFlags(l.To):
			unread = from.use // flags that pass through unchanged if the count is 0: no result waits for them
		default:
			p.add(from.use, to.def, l.Cycles)
		}
	}
	if c, ok := p.to["m"]; ok && x.reads && p.top < x.ld { // what is stored of what is loaded waits for the load (NOT, which sets no flags)
		p.top = x.ld + c
	}
	return x.latencyField(p, unread)
}

// latencyField writes pairs as a row has them. The operand unread is one that no result waits for.
func (x *reader) latencyField(p *pairs, unread string) string {
	if unread != "" {
		p.list = slices.DeleteFunc(p.list, func(q pair) bool { return q.from == unread })
	}
	if len(p.list) == 0 {
		return "="
	}
	out := []string{fmt.Sprintf("%g", p.top)}
	if c, ok := p.to[x.merges()]; ok && c < p.top {
		out = append(out, fmt.Sprintf("0>0:%g", c))
	}
	for _, q := range p.list {
		if q.from == "m" && q.to == "m" && q.cycles == p.top-x.ld { // what it is without saying
			continue
		}
		if q.cycles != p.top || q.from == "m" || q.to == "m" {
			out = append(out, fmt.Sprintf("%s>%s:%g", q.from, q.to, q.cycles))
		}
	}
	if unread != "" {
		for _, to := range slices.Sorted(maps.Keys(p.to)) {
			out = append(out, fmt.Sprintf("%s>%s:-", unread, to))
		}
	}
	return strings.Join(out, " ")
}

// The figures count a store and the load that takes its value from it as one cycle for the load, all else for the store. A row must
// leave out the forwarding between them, which is the model's to say (store-forward): a plain store's figure and that
// cycle. Locked instructions forward as the model has it, whatever the quickest forwarding of the core that the figures saw.

// stored is the latency from a register to the stored value, c by the figures. What takes less than a plain store was renamed: nothing
// of it is forwarding.
func (x *reader) stored(c float64) float64 {
	switch {
	case x.locked():
		return max(0, c+1-x.core.forward)
	case c < x.core.store:
		return c
	case strings.HasPrefix(x.rec.String, "MOV (M8,") || strings.HasPrefix(x.rec.String, "MOV (M16,"):
		return max(0, c-x.core.store-1) // the load back merges what it loads with the rest of the register
	}
	return c - x.core.store
}

// throughMemory is the latency from the loaded to the stored value of an instruction that repeats every c cycles on one location.
func (x *reader) throughMemory(c float64) float64 {
	switch {
	case x.locked():
		return max(0, c-x.core.forward)
	case c < x.core.store+1:
		return c
	}
	return c - x.core.store - 1
}

// loadInMemory reports whether the core renames stores, but does not take what this instruction loads from there.
func (x *reader) loadInMemory() bool {
	switch {
	case !x.core.renames || x.ld > x.core.gprLoad: // or a vector, which no core renames
		return false
	case x.core.renaming != "":
		return x.rec.inMemory
	}
	return x.rec.loadsInMemory(x.core)
}

// loadsInMemory reports whether per-operand figures have an instruction wait for what a store passes on: it repeats on one location, or
// gives its results, no sooner than forwarding allows.
func (r *record) loadsInMemory(k *core) bool {
	forwarded := false
	for _, l := range r.Latencies {
		switch {
		case l.Mem == nil || !strings.HasPrefix(l.From, "MEM"):
		case strings.HasPrefix(l.To, "MEM"):
			return *l.Mem > k.store
		case l.Addr != nil && *l.Mem-max(0, *l.Addr-k.gprLoad) >= k.store: // the rest is the operation
			forwarded = true
		}
	}
	return forwarded
}

// throughRenaming is the least of the figures through memory, of an instruction that does not wait for what a store passes on.
func (r *record) throughRenaming() (c float64, ok bool) {
	c = math.Inf(1)
	for _, l := range r.Latencies {
		if l.Mem != nil && strings.HasPrefix(l.From, "MEM") {
			c, ok = min(c, *l.Mem), true
		}
	}
	return c, ok
}

// oneOperation reports whether an instruction is a load and one µop, which takes as long from all its operands; of several, one may
// have nothing to do but to merge the result (CVTSD2SS).
func (x *reader) oneOperation() bool { return x.rec.Uops != nil && *x.rec.Uops <= 2 }

// registerLatency is the slowest pair of the form with a register in the memory operand's place: the latency from memory is measured
// with a transfer between register files, and but an upper bound.
func (x *reader) registerLatency() float64 {
	s := x.core.siblings[registerForm(x.rec.String)]
	if s == nil || len(s.Latencies) == 0 {
		if s != nil && s.Range.known && !s.Range.hiBound {
			return s.Range.hi
		}
		return math.Inf(1)
	}
	top := 0.0
	for _, l := range s.Latencies {
		top = max(top, l.Cycles)
	}
	return top
}

// sameLatency is the latency of a move of a register to itself, which no core eliminates.
func (x *reader) sameLatency() float64 {
	for _, l := range x.rec.Latencies {
		if l.Same != nil {
			return *l.Same
		}
	}
	return 1
}

// tableLatency is the latency field of a record without figures per operand: the largest latency of the table, for loads the load's
// latency and the register form's. "=" where the table has but an upper bound.
func (x *reader) tableLatency() string {
	r := x.rec
	flags := x.table.Flags(x.form.inst.Form)
	x.reads, x.writes = flags&isa.MayLoad != 0, flags&isa.MayStore != 0
	x.ld = x.loadLatency()
	switch {
	case x.plainStore():
		return x.storedAsTwin()
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
	case s != nil && s.Range.known && r.Div > 0: // of which the table has no pair from memory, as of comparisons into masks
		exec = s.Range.lo
	case s != nil && s.Range.known && r.Range.hi < x.ld && !x.pureLoad():
		exec = min(s.Range.hi, x.registerLatency())
	case x.pureLoad():
		exec = 0
	case s != nil && s.Range.known:
		exec = min(exec, s.Range.hi, x.registerLatency())
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
		if use := x.operands(r).use; r != isa.NoReg && use != "" && !isMask(r) {
			out += fmt.Sprintf(" %s>0:%g", use, rest)
		}
	}
	return out
}

var memoryOperand = regexp.MustCompile(`\bM(\d+)(_1to\d+)?`)

// registerForm is the name of an instruction with a register in the place of its memory operand: of the
// width of the widest register for a vector or a broadcast, MMX or general-purpose else.
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
	case reg == "" && strings.Contains(name, "(MM,"):
		reg = "MM"
	case reg == "" && vector:
		reg = "XMM"
	case reg == "" && m[1] == "8":
		reg = "R8l"
	case reg == "":
		reg = "R" + m[1]
	}
	return memoryOperand.ReplaceAllLiteralString(name, reg)
}

// twinRE matches what the name of a store has in EVEX and lacks in VEX: a mask, the size of elements that masks are for.
var twinRE = regexp.MustCompile(`_EVEX| K,|(^VMOVDQ[AU])(8|16|32|64)`)

// storedAsTwin is the latency field of a plain store without figures per operand: its data take what the twin with VEX, and 256 bits in the
// place of 512, was measured to take; where there is none, forwarding alone.
func (x *reader) storedAsTwin() string {
	name := strings.ReplaceAll(strings.ReplaceAll(twinRE.ReplaceAllString(x.rec.String, "$1"), "ZMM", "YMM"), "M512", "M256")
	twin := x.core.siblings[name]
	if twin == nil {
		return "0"
	}
	for _, l := range twin.Latencies {
		if !strings.HasPrefix(l.From, "REG") || !strings.HasPrefix(l.To, "MEM") {
			continue
		}
		out := fmt.Sprintf("%g", x.stored(l.Cycles))
		for _, r := range x.form.regs {
			if use := x.operands(r).use; r != isa.NoReg && use != "" && !isMask(r) {
				out += fmt.Sprintf(" %s>m:%g", use, x.stored(l.Cycles))
			}
		}
		return out
	}
	return "0"
}
