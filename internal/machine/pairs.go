package machine

import (
	"math"
	"slices"

	"incore/internal/isa"
)

// pairer computes the latencies between the inputs and outputs of one instruction from the
// latency field of a row.
type pairer struct {
	in   *isa.Inst
	isa  *isa.ISA
	out  *Inst
	lat  *latency
	defs int // explicit definitions
	ops  int // MC operands of the form
	slow float64
	load float64 // the load's part
	pure bool    // loads only: the result is available when the load is done
	copy bool    // stores what it loads
	// shift is added to the latencies of results: the difference that the model's load-part makes.
	shift  float64
	update bool // an address register is written back
}

// prepare finds the slowest result and the load's part of its latency.
func (p *pairer) prepare(m *Model, u *row) {
	known := false
	for _, d := range p.lat.defs {
		if !math.IsNaN(d.cycles) {
			p.slow, known = max(p.slow, d.cycles), true
		}
	}
	if !known {
		p.slow = (p.lat.low + p.lat.high) / 2
		if p.lat.high == 0 {
			p.slow = 1
		}
		p.out.Flags |= Unknown
	}
	for _, w := range p.out.Effects.Writes {
		p.update = p.update || w.Role == isa.RoleUpdate
	}
	loads := false
	for i := range p.out.Effects.Mem {
		loads = loads || p.out.Effects.Mem[i].Load
	}
	if !loads {
		p.out.Latency = p.slow + p.delay()
		return
	}
	exec := 0
	for _, x := range u.uops {
		if !x.Resource && (x.Kind == UopExec || x.Kind == UopBranch) {
			exec++
		}
	}
	l1 := float64(m.Params.LoadLatency)
	switch {
	case copies(p.isa, p.in, &p.out.Effects) && l1 > 0: // rows have the latency of the store alone, or of both
		p.slow, p.load, p.copy = max(p.slow, l1), l1, true
	case !math.IsNaN(p.lat.load):
		p.load = min(p.lat.load, p.slow)
	case exec == 0:
		p.load = p.slow
	default:
		p.load = min(l1, p.slow)
	}
	p.pure = p.load == p.slow
	if part := m.Params.LoadPart; part > 0 {
		p.shift = part - p.load
		p.slow, p.load = p.slow+p.shift, part
	}
	p.out.Load = p.load
	p.out.Latency = p.slow + p.delay()
}

// delay returns the extra latency of the slowest operand (negative read-advances).
func (p *pairer) delay() float64 {
	d := 0.0
	for _, l := range p.lat.late {
		if l.tag == 0 {
			d = max(d, -l.cycles)
		}
	}
	return d
}

// result returns the latency of output o. For instructions that load and update their base register, LLVM's rows often give the two results in the
// wrong order: the update is the faster one.
func (p *pairer) result(o int) float64 {
	e := &p.out.Effects
	if p.update && p.load > 0 && o < len(e.Writes) {
		if e.Writes[o].Role != isa.RoleUpdate {
			return p.slow
		}
		c := p.slow - p.shift
		for _, d := range p.lat.defs {
			if d.cycles < c {
				c = d.cycles
			}
		}
		return max(1, c)
	}
	return p.listed(o)
}

// listed returns the latency of output o in the row.
func (p *pairer) listed(o int) float64 {
	e := &p.out.Effects
	if p.pure && p.load > 0 && o < len(e.Writes) {
		return p.slow // all loaded registers are available together: LLVM has only a default for the second register of a pair
	}
	k := -1
	if o < len(e.Writes) {
		op := int(e.Writes[o].Op)
		if k = op; op < 0 {
			k = p.defs + ^op
		}
		if k >= p.ops && op >= 0 {
			k = -1
		}
	}
	d := p.lat.defs
	c := math.NaN()
	switch {
	case p.copy && o >= len(e.Writes):
		return p.slow
	case len(d) == 1:
		c = d[0].cycles
	case k >= 0 && k < len(d):
		c = d[k].cycles
	case k < 0 && len(d) > p.results(): // the entry of a store follows those of the results
		c = d[p.results()].cycles
	}
	if math.IsNaN(c) {
		return p.slow
	}
	return max(0, c+p.shift)
}

// results returns the number of register results that the row can describe.
func (p *pairer) results() int {
	n := p.defs
	for _, w := range p.out.Effects.Writes {
		if w.Op < 0 {
			n = max(n, p.defs+int(^w.Op)+1)
		}
	}
	return n
}

// used returns the number of an operand in the row's late operands (r0, r1, …): first the sources in order after the definitions, then the implicit
// ones.
func (p *pairer) used(op int8) int {
	if op < 0 {
		return p.ops - p.defs + int(^op)
	}
	return int(op) - p.defs
}

// late returns how many cycles after the start of the instruction an operand is needed; ok is false if the row does not say.
func (p *pairer) late(r *isa.Access) (cycles float64, ok bool) {
	for _, l := range p.lat.late {
		if l.tag == 0 && int(l.op) == p.used(r.Op) {
			if p.shift != 0 && l.cycles == p.load-p.shift {
				return p.load, true // late because of the load, whose latency the model replaces
			}
			return l.cycles, true
		}
	}
	return 0, false
}

// fill sets the latencies of all pairs.
func (p *pairer) fill(m *Model) {
	e := &p.out.Effects
	for i := range e.Reads {
		p.fromRegister(m, i)
	}
	for i := range e.Mem {
		if e.Mem[i].Load {
			p.fromMemory(len(e.Reads) + i)
		}
	}
	if p.stores(m) {
		p.forwarded()
	}
	p.addressAlone(p.computesStored())
	for _, x := range p.lat.pairs {
		p.exception(x)
	}
	p.throughLoad()
	p.clearsMask()
}

// clearsMask removes the dependences of the mask that a gather leaves on what the row gives a latency of 0 from: the mask is cleared, whatever it and
// the elements were. (A latency of 0 is what remains of a chain through other operands: uops.info.)
func (p *pairer) clearsMask() {
	e := &p.out.Effects
	if !slices.ContainsFunc(e.Mem, func(m isa.MemRef) bool { return m.Gather && m.Load }) {
		return
	}
	for o := 1; o < len(e.Writes); o++ {
		for i := range p.out.Inputs() {
			if c, ok := p.out.Pair(i, o); ok && c == 0 {
				p.out.SetPair(i, o, math.NaN())
			}
		}
	}
}

// computesStored reports whether an instruction without a load computes what it stores (setcc, extractions) before the µops of the store.
func (p *pairer) computesStored() bool {
	exec, store := false, false
	for _, x := range p.out.Uops {
		exec = exec || !x.Resource && x.Kind == UopExec
		store = store || x.Kind == UopStoreAddr || x.Kind == UopStoreData
	}
	indexed := slices.ContainsFunc(p.out.Effects.Mem, func(m isa.MemRef) bool { return m.Index != isa.NoReg })
	return exec && store && p.load == 0 && !(p.isa.ShiftsIndex && indexed)
}

// addressAlone removes load and operation from the latencies from the address of a store to the stored value, because the address waits for neither:
// in all instructions that load from elsewhere, and with all also in others.
func (p *pairer) addressAlone(all bool) {
	e := &p.out.Effects
	for i := range e.Reads {
		if r := &e.Reads[i]; r.Role != isa.RoleAddr || !all && (p.load == 0 || !storesOnly(e.Mem, r.Reg)) {
			continue
		}
		for o := len(e.Writes); o < p.out.Outputs(); o++ {
			if _, ok := p.out.Pair(i, o); ok {
				p.out.SetPair(i, o, 0)
			}
		}
	}
}

// throughLoad sets the latencies from the address of an instruction that works on memory to the value that it stores: the load, and then what the row
// states from the loaded value on. A row may state the former itself.
func (p *pairer) throughLoad() {
	states := func(from int8) bool {
		return slices.ContainsFunc(p.lat.pairs, func(x pairLat) bool { return x.from == from && x.to == opMemory })
	}
	if p.load == 0 || !states(opMemory) || states(opAddress) {
		return
	}
	e := &p.out.Effects
	for i := range e.Reads {
		for o := len(e.Writes); o < p.out.Outputs() && e.Reads[i].Role == isa.RoleAddr; o++ {
			for k := range e.Mem {
				if c, ok := p.out.Pair(len(e.Reads)+k, o); ok {
					p.out.SetPair(i, o, p.load+c)
				}
			}
		}
	}
}

// forwarded sets the latencies of stored values to 0.
func (p *pairer) forwarded() {
	for i := range p.out.Effects.Reads {
		for o := len(p.out.Effects.Writes); o < p.out.Outputs(); o++ {
			if _, ok := p.out.Pair(i, o); ok {
				p.out.SetPair(i, o, 0)
			}
		}
	}
}

func (p *pairer) fromRegister(m *Model, i int) {
	e := &p.out.Effects
	r := &e.Reads[i]
	late, said := p.late(r)
	merge := r.Merge || p.pure && r.Role == isa.RoleData // the old value is merged with the loaded one
	if r.Merge {
		late, said = 0, true
	}
	for o := 0; o < p.out.Outputs(); o++ {
		if o >= len(e.Writes) && !e.Mem[o-len(e.Writes)].Store {
			continue
		}
		if o < len(e.Writes) && e.Writes[o].Role == isa.RoleUpdate {
			p.writeback(m, i, o)
			continue
		}
		adv := late
		if r.Role != isa.RoleAddr && !said && !p.pure {
			adv = p.load // data is needed only after the load
		}
		c := max(0, p.result(o)-adv)
		if merge && p.load > 0 { // data is needed only after the load
			c = max(1, p.result(o)-p.load)
		}
		p.out.SetPair(i, o, c)
	}
}

// stores reports whether the instruction is a plain store on a core with a known store-forward. That parameter is measured from the stored register
// of a plain store to the value of the load, so it includes the row's own latency. Exceptions of the row about the stored value ("5>m:1") add to it.
// An execution µop in addition to those of the store works on the data (setcc, extractions); rows that do not tell the µops of stores apart count as
// plain stores.
func (p *pairer) stores(m *Model) bool {
	if m.Params.StoreForward <= 0 || p.load > 0 {
		return false
	}
	exec, store := false, false
	for _, x := range p.out.Uops {
		exec = exec || !x.Resource && x.Kind == UopExec
		store = store || x.Kind == UopStoreAddr || x.Kind == UopStoreData
	}
	return !exec || !store && !p.computes()
}

// computes reports whether the instruction has results other than stored data and updated addresses.
func (p *pairer) computes() bool {
	for _, w := range p.out.Effects.Writes {
		if w.Role != isa.RoleUpdate {
			return true
		}
	}
	return false
}

// writeback sets the latency of an address register's update, which depends on the address alone, not on loaded or stored data. With a stack engine
// the update of the stack pointer has latency 0.
func (p *pairer) writeback(m *Model, i, o int) {
	e := &p.out.Effects
	r := &e.Reads[i]
	stack := false
	for k := range e.Mem {
		stack = stack || e.Mem[k].Op < 0
	}
	if r.Role != isa.RoleAddr && r.Reg != e.Writes[o].Reg {
		return
	}
	c := p.result(o)
	if len(p.lat.defs) == 1 { // with one latency for all results, the update is a plain addition
		c = min(c, 1)
	}
	if c = max(1, c); stack && m.Core().StackEngine {
		c = 0
	}
	p.out.SetPair(i, o, c)
}

func (p *pairer) fromMemory(i int) {
	e := &p.out.Effects
	for o := 0; o < p.out.Outputs(); o++ {
		if o < len(e.Writes) && e.Writes[o].Role == isa.RoleUpdate {
			continue
		}
		if o >= len(e.Writes) && !e.Mem[o-len(e.Writes)].Store {
			continue
		}
		p.out.SetPair(i, o, max(0, p.result(o)-p.load))
	}
}

// exception applies a "from>to:cycles" of the row.
func (p *pairer) exception(x pairLat) {
	e := &p.out.Effects
	for i := 0; i < p.out.Inputs(); i++ {
		switch {
		case i >= len(e.Reads):
			if x.from != opMemory || !e.Mem[i-len(e.Reads)].Load {
				continue
			}
		case x.from == opAddress:
			if e.Reads[i].Role != isa.RoleAddr {
				continue
			}
		case x.from != e.Reads[i].Op:
			continue
		}
		for o := 0; o < p.out.Outputs(); o++ {
			if o >= len(e.Writes) {
				if x.to != opMemory || !e.Mem[o-len(e.Writes)].Store {
					continue
				}
			} else if x.to != e.Writes[o].Op {
				continue
			}
			p.out.SetPair(i, o, x.cycles)
		}
	}
}

// Forward returns how many cycles after the time given by its pair latencies an input is needed, if its value comes from output o of producer. It is
// positive for late forwarding between instructions of a kind, such as a chain of multiply-adds through the accumulator; eliminated moves preserve it
// with "forward-moves". It is negative if the value comes from vector units of another domain ("bypass").
func (i *Inst) Forward(in int, producer *Inst, o int) float64 {
	early := i.early(in, producer, o)
	if i.Domain != 0 && producer.Domain != 0 && i.Domain != producer.Domain {
		early -= i.Bypass
	}
	return early
}

// early returns Forward without the delay between domains.
func (i *Inst) early(in int, producer *Inst, o int) float64 {
	if i.late == nil || in >= len(i.Effects.Reads) {
		return 0
	}
	tag := producer.Copied
	if tag == 0 {
		tag = producer.Tag(o)
	}
	if tag == 0 {
		return 0
	}
	r := &i.Effects.Reads[in]
	for _, l := range i.late.lat.late {
		if Tag(l.tag) == tag && int(l.op) == i.late.used(r.Op) && (l.cycles > 0 || producer.Copied == 0) {
			return l.cycles
		}
	}
	return 0
}

// Forwards lists the possible values of Forward for an input: from producers of the instruction's own kind, and from other kinds.
func (i *Inst) Forwards(in int) (own, other []float64) {
	if i.late == nil || in >= len(i.Effects.Reads) {
		return nil, nil
	}
	for _, l := range i.late.lat.late {
		if l.tag == 0 || int(l.op) != i.late.used(i.Effects.Reads[in].Op) {
			continue
		}
		to := &other
		if slices.ContainsFunc(i.late.lat.defs, func(d defLat) bool { return d.tag == l.tag }) {
			to = &own
		}
		if !slices.Contains(*to, l.cycles) {
			*to = append(*to, l.cycles)
		}
	}
	return own, other
}

// Tag is a name that a row gives to results, so that rows of other instructions can state how soon their operands get them ("x+2#9"); 0: none.
type Tag uint16

// Tag returns the tag of an output.
func (i *Inst) Tag(o int) Tag {
	p := i.late
	if p == nil || o >= len(i.Effects.Writes) {
		return 0
	}
	e := &i.Effects
	k := int(e.Writes[o].Op)
	if k < 0 {
		k = p.defs + ^k
	}
	d := p.lat.defs
	if len(d) == 1 {
		k = 0
	}
	if k >= len(d) {
		return 0
	}
	return Tag(d[k].tag)
}

// Tagged reports whether tags matter for the instruction.
func (i *Inst) Tagged() bool { return i.late != nil }

// Delay says how many cycles longer an instruction takes as a whole if an operand is a result with a tag.
type Delay struct {
	Tag    Tag
	Cycles float64
	Twice  bool // it executes twice
}

// Delays yields the delays that the instruction's row states.
func (i *Inst) Delays(yield func(Delay) bool) {
	if i.late == nil {
		return
	}
	for _, l := range i.late.lat.late {
		if (l.op == opInst || l.op == opTwice) && !yield(Delay{Tag(l.tag), -l.cycles, l.op == opTwice}) {
			return
		}
	}
}

// tagged reports whether forwarding tags matter for the row.
func (l *latency) tagged() bool {
	for _, d := range l.defs {
		if d.tag != 0 {
			return true
		}
	}
	for _, x := range l.late {
		if x.tag != 0 {
			return true
		}
	}
	return false
}
