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

// loadLatency returns the load's part of a latency, by the kind and width of the load's destination.
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

// pair is the latency from one operand to one result, both in row syntax.
type pair struct {
	from, to string
	cycles   float64
}

// pairs collects the latencies of a record: the slowest for each pair of operands.
type pairs struct {
	list []pair
	top  float64            // the slowest of all
	to   map[string]float64 // the slowest to each result
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

// across subtracts the transfer back from latencies between general-purpose and vector registers. uops.info measures these in chains with the fastest transfer back, and
// subtracts only its least possible latency, one cycle. So a chain of MOVQ to a vector register and MOVQ back takes one cycle more than the figure of either.
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
		if x.core.kinds && from && x.isFlags(l.To) { // the chain goes from the flags to a general-purpose register
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

// bypassedRE matches the floating-point operations whose figures contain a bypass delay; with several operands, only the figure from the operand that is not overwritten.
var bypassedRE = regexp.MustCompile(`^(ADD|SUB|MUL|MAX|MIN|CMP|DP|ROUND)[PS][SD]|^ADDSUBP|^RCP[PS]S|^CVT(DQ|P[SDI]|S[SD]|TP[SD])2(DQ|P[SDI]|S[SD]) `)

// bypassed subtracts the bypass delay to the vectors' integer units and back from latencies between two vector registers: if the overwritten register differs from the
// source, a shuffle closes the chain.
func (k *core) bypassed(r *record) {
	if k.bypass == 0 || !bypassedRE.MatchString(r.String) {
		return
	}
	own := math.Inf(1) // from the overwritten register, whose chain needs no other instruction
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

// notTheHalf replaces a latency of 0 between two registers of 256 bits by the latency for 128 bits, on cores that execute 256 bits as two operations: a few of Crestmont's
// records have 0 from one operand and 1 from the other, while other records of the same operation have 1 from both.
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
			if l.Addr == nil { // dividers: the same latency as from a register
				exec, ok := registers[to.def]
				if !ok && x.rec.Div > 0 { // a square root of a memory operand
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
			if x.pureLoad() && (x.vector() || !x.core.kinds) { // the rest is the transfer in the measured chain
				exec = 0
			}
			p.add("m", to.def, exec)
			p.add("a", to.def, x.ld+exec)
		case l.Cycles == 0 && x.isFlags(l.From) && !x.isFlags(l.To):
			unread = from.use // flags that stay unchanged if the shift count is 0: no result waits for them
		default:
			p.add(from.use, to.def, l.Cycles)
		}
	}
	if c, ok := p.to["m"]; ok && x.reads && p.top < x.ld { // the stored value waits for the load (NOT, which sets no flags)
		p.top = x.ld + c
	}
	return x.latencyField(p, unread)
}

// latencyField writes pairs in row syntax. unread is an operand that no result waits for.
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
		if q.from == "m" && q.to == "m" && q.cycles == p.top-x.ld { // the default of the row
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

// The figures divide the latency of a store and the load of its value into one cycle for the load and the rest for the store. A row must
// not contain the store-to-load forwarding, which the model states (store-forward): it is the figure of a plain store plus that
// cycle. For locked instructions the model's forwarding is assumed, even if the figures contain a faster one.

// stored returns the latency from a register to the stored value, given its figure c. A figure below that of a plain store was measured with memory renaming:
// it contains no forwarding.
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

// throughMemory returns the latency from the loaded to the stored value of an instruction that repeats every c cycles on one location.
func (x *reader) throughMemory(c float64) float64 {
	switch {
	case x.locked():
		return max(0, c-x.core.forward)
	case c < x.core.store+1:
		return c
	}
	return c - x.core.store - 1
}

// loadInMemory reports whether the core renames memory, but not the load of this instruction.
func (x *reader) loadInMemory() bool {
	switch {
	case !x.core.renames || x.ld > x.core.gprLoad: // the latter is a load of a vector, which no core renames
		return false
	case x.core.renaming != "":
		return x.rec.inMemory
	}
	return x.rec.loadsInMemory(x.core)
}

// loadsInMemory reports whether an instruction waits for store-to-load forwarding by the per-operand figures: its latency on one location, or to its
// results, is at least that of forwarding.
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

// throughRenaming returns the least latency through memory of an instruction whose load is renamed.
func (r *record) throughRenaming() (c float64, ok bool) {
	c = math.Inf(1)
	for _, l := range r.Latencies {
		if l.Mem != nil && strings.HasPrefix(l.From, "MEM") {
			c, ok = min(c, *l.Mem), true
		}
	}
	return c, ok
}

// oneOperation reports whether an instruction is a load and one µop, which has the same latency from all operands. With several µops, one may
// only merge the result (CVTSD2SS).
func (x *reader) oneOperation() bool { return x.rec.Uops != nil && *x.rec.Uops <= 2 }

// registerLatency returns the slowest pair of the form with a register in place of the memory operand: the latency from memory is only an upper bound,
// since it is measured with a transfer between register files.
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

// sameLatency returns the latency of a move of a register to itself, which no core eliminates.
func (x *reader) sameLatency() float64 {
	for _, l := range x.rec.Latencies {
		if l.Same != nil {
			return *l.Same
		}
	}
	return 1
}

// tableLatency returns the latency field of a record without figures per operand: the largest latency of the table; for loads the sum of the load's
// latency and the register form's; "=" if the table has only an upper bound.
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
		return fmt.Sprintf("%g", r.Range.lo) // the latency for fast operands of a divider, as in the per-operand figures
	case !x.reads:
		return fmt.Sprintf("%g", r.Range.hi) + x.unmasked(r.Range.hi)
	}
	exec := max(0, r.Range.hi-x.ld)
	s := x.core.siblings[registerForm(r.String)]
	switch {
	case s != nil && s.Range.known && r.Div > 0: // the table has no pair from memory, as for comparisons into masks
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

// unmasked returns the exceptions of a masked form: the mask has the longest latency, the other operands the latency of the form without a mask,
// but at least that of the table's fastest pair.
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

// registerForm returns the name of an instruction with a register in place of its memory operand: for a vector or a broadcast a register
// of the width of the widest one, otherwise an MMX or general-purpose register.
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

// twinRE matches the parts of the name of an EVEX store that the VEX name lacks: a mask, and the size of the masked elements.
var twinRE = regexp.MustCompile(`_EVEX| K,|(^VMOVDQ[AU])(8|16|32|64)`)

// storedAsTwin returns the latency field of a plain store without figures per operand: the measured latency of the same store with VEX, and with 256 bits
// instead of 512; if there is none, only forwarding.
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
