package machine

import (
	"math"
	"slices"
	"strings"

	"incore/internal/isa"
)

// Bind returns the cost of each instruction of a kernel on the machine.
//
// Latencies run from inputs to outputs. Every output depends on every input, with three exceptions: the update of a base register depends on the
// address alone; register operands of a loading instruction do not wait for the load; data and address of a store reach only memory, unless the
// instruction also writes registers.
func (m *Model) Bind(k *isa.Kernel) *Bound {
	b := &Bound{Kernel: k, Model: m, Insts: make([]Inst, len(k.Lines))}
	if k.ISA == nil {
		k = &isa.Kernel{ISA: &isa.ISA{}, Name: k.Name}
		b.Insts = nil
	}
	w := binder{m: m, a: k.ISA, high: m.renamesHigh(k.ISA)}
	if k.ISA.Name == m.ISA {
		w.c, w.memory = m.compile(k.ISA), m.rows.memory()
	} else if b.Insts != nil {
		b.Foreign = true
		w.c = newCompiled(nil, k.ISA)
		w.m = &Model{Name: m.Name, ISA: m.ISA, rows: &rows{}}
	}
	for i := range k.Lines {
		b.Insts[i].Line = &k.Lines[i]
		w.bind(&b.Insts[i])
	}
	b.closes()
	b.halves()
	b.applyForwarding()
	b.domains()
	m.splitIndexed(b)
	m.fuse(b)
	m.joinNops(b)
	m.joinMoves(b)
	b.joinPrefixes()
	return b
}

// halves removes the dependence on a register that the next instruction finishes to overwrite ("load-halves").
func (b *Bound) halves() {
	if !b.Model.Core().LoadHalves || b.Kernel.ISA == nil || b.Kernel.ISA.LoadsHalves == nil {
		return
	}
	for i := 1; i < len(b.Insts); i++ {
		low := &b.Insts[i-1]
		if low.Flags&Unknown != 0 || !b.Kernel.ISA.LoadsHalves(&low.Line.Inst, &b.Insts[i].Line.Inst) {
			continue
		}
		low.Flags |= DepBreak
		low.lat = slices.Clone(low.lat) // of every instance of the instruction
		for k, r := range low.Effects.Reads {
			if r.Role == isa.RoleData {
				low.ClearInput(k)
			}
		}
	}
}

// binder holds the state that is shared while the instructions of a kernel are bound.
type binder struct {
	m      *Model
	a      *isa.ISA
	c      *compiled
	memory *remembered // nil: nothing is remembered
	high   bool        // the second bytes of registers (ah) are renamed apart
	e      isa.Effects
	found  found
}

// bind fills in the cost of an instruction, independent of its neighbours.
func (w *binder) bind(out *Inst) {
	if w.memory == nil || out.Line.Inst.Form == isa.NoForm { // unresolved text has a mnemonic at most
		w.fresh(out)
	} else if !w.memory.recall(out) {
		w.fresh(out)
		w.memory.keep(out)
	}
}

func (w *binder) fresh(out *Inst) {
	in := &out.Line.Inst
	w.found = w.c.lookup(in)
	if w.a.Outside != nil {
		out.Open = w.a.Outside(in)
	}
	if out.Open == "" && w.a.Flow != nil && w.a.Flow(in).Kind == isa.FlowCall {
		out.Open = callsFunction
	}
	if w.lacks(in.Form) {
		out.Flags |= Foreign
	}
	w.effects(in, out)
	out.InitLatencies()
	if w.found.uops == nil || w.found.lat == nil {
		w.unknown(out)
		return
	}
	if out.Open == "" && in.Prefix&isa.PfxLock != 0 && !w.found.uops.cond.tells(isa.PfxLock) {
		out.Open = locked
	}
	w.known(in, out)
}

// lacks reports whether none of the model's cores has an extension that a form needs.
func (w *binder) lacks(f isa.FormID) bool {
	if w.c.cores == nil {
		return false
	}
	_, lacks := w.c.cores().Lacks(f)
	return lacks
}

// locked is Inst.Open of a locked operation of which the model only knows the figures without the lock.
const locked = "is locked, and the model's figures are those without the lock"

// renamesHigh reports whether the second bytes of registers (ah) are renamed apart.
func (m *Model) renamesHigh(a *isa.ISA) bool {
	return m.Core().HighMerge != 0 && a.Apart != nil
}

// effects computes the registers and memory that the instruction reads and writes. On cores that do not rename parts of registers, a write to a part
// also reads the old value (except to second bytes that are renamed apart). So does a write that the row marks as a false dependence.
func (w *binder) effects(in *isa.Inst, out *Inst) {
	w.a.Effects(in, &w.e)
	for _, wr := range w.e.Writes {
		if wr.Merge && !(w.high && w.a.Apart(wr.Reg) == isa.HighByte) {
			whole := wr.Reg
			if wr.Whole != isa.NoReg {
				whole = wr.Whole
			}
			w.e.Reads = append(w.e.Reads, isa.Access{Reg: whole, Op: wr.Op, Role: isa.RoleData, Merge: true})
		}
	}
	if w.found.flags&ReadsResult != 0 && len(w.e.Writes) > 0 && w.e.Writes[0].Op >= 0 {
		w.e.Reads = append(w.e.Reads, isa.Access{Reg: w.e.Writes[0].Reg, Op: w.e.Writes[0].Op, Role: isa.RoleData})
	}
	n := len(w.e.Reads)
	both := slices.Concat(w.e.Reads, w.e.Writes)
	out.Effects.Reads, out.Effects.Writes, out.Effects.Mem = both[:n:n], both[n:], slices.Clone(w.e.Mem)
}

// known fills in the cost from the rows.
func (w *binder) known(in *isa.Inst, out *Inst) {
	u, l := w.found.uops, w.found.lat
	out.Uops = w.m.wide(w.storeAddress(in, u.uops, &out.Effects), out.Effects.Mem)
	out.Slots, out.Group = w.m.slots(u), int(u.group)
	if out.Decode = u.decode; math.IsNaN(u.decode) {
		out.Decode = out.Slots
	}
	out.Flags |= w.found.flags &^ (StandIn | NoPorts)
	if w.found.cond {
		out.Flags |= Variant
	}
	by := w.found.from
	if by[0].borrowed || by[1].borrowed {
		out.Flags |= Borrowed
	}
	if w.a.Forms.Flags(in.Form)&isa.SideEffects != 0 && len(u.uops) == 0 {
		out.Flags |= SideEffect
	}
	out.Source = by[0].source
	if by[1].source != by[0].source {
		out.Source = "ports " + by[0].source + "; latency " + by[1].source
	}
	p := pairer{in: in, isa: w.a, out: out, lat: &l.lat, defs: w.a.Forms.NumDefs(in.Form), ops: w.a.Forms.NumOps(in.Form)}
	p.prepare(w.m, u)
	p.fill(w.m)
	if l.lat.tagged() {
		keep := p
		out.late = &keep
	}
	if w.a.Exchanges != nil && w.a.Exchanges(in) {
		out.exchange()
	}
	w.idioms(in, out)
	out.LowLatency, out.HighLatency = out.Latency, out.Latency
	if l.lat.unknown() {
		out.LowLatency, out.HighLatency = l.lat.bounds()
	}
	out.LowSlots, out.HighSlots = out.Slots, out.Slots
	w.open(out)
}

// exchange takes the dependence of each result of an exchange on its own register away.
func (i *Inst) exchange() {
	i.Flags |= Exchange
	n := i.Outputs()
	for k, r := range i.Effects.Reads {
		for o, w := range i.Effects.Writes {
			if r.Reg == w.Reg && !r.Merge {
				i.lat[k*n+o] = math.NaN()
			}
		}
	}
}

// open marks instructions whose cycles have no upper bound. It replaces stand-in figures by the known minimum: a slot and, if the instruction has
// results, one cycle.
func (w *binder) open(out *Inst) {
	slots, cycles := w.found.uops.flags&StandIn != 0, w.found.lat.flags&StandIn != 0 && out.Outputs() > 0
	if slots {
		out.LowSlots = min(1, out.Slots)
	}
	if cycles {
		out.LowLatency = min(1, out.Latency)
	}
	if slots || cycles {
		out.Flags |= Unknown | StandIn
	}
	out.Flags |= w.found.uops.flags & NoPorts
}

// wide repeats the load µop of an instruction that loads more bytes than a port reads per cycle ("load-bytes").
func (m *Model) wide(uops []Uop, mem []isa.MemRef) []Uop {
	more := 0
	for i := range mem {
		if r := &mem[i]; r.Load && !r.Gather && m.Params.LoadBytes > 0 {
			more = max(more, (int(r.Bits)*max(1, int(r.Elems))-1)/(8*m.Params.LoadBytes))
		}
	}
	k := slices.IndexFunc(uops, func(u Uop) bool { return u.Kind == UopLoad })
	if more == 0 || k < 0 {
		return uops
	}
	return slices.Insert(slices.Clone(uops), k, slices.Repeat(uops[k:k+1], more)...)
}

// slots returns the dispatch slots of a row: the row's own figure, else the source's µop count converted by the model's slot rule.
func (m *Model) slots(r *row) float64 {
	if !math.IsNaN(r.slots) {
		return r.slots
	}
	listed, loads, sta, std := 0, 0, 0, 0
	for _, u := range r.uops {
		if u.Resource || u.Ports == 0 {
			continue
		}
		listed++
		switch u.Kind {
		case UopLoad:
			loads++
		case UopStoreAddr:
			sta++
		case UopStoreData:
			std++
		}
	}
	n := r.count
	if math.IsNaN(n) || m.Core().SlotsFromPorts {
		n = float64(listed)
	}
	switch {
	case m.Core().MicroFusion:
		fused := 0
		if loads > 0 && listed > loads+sta+std {
			fused++
		}
		if sta > 0 && std > 0 && n > float64(listed-1) {
			fused++
		}
		n -= float64(fused)
	case m.Core().MacroOps:
		n = math.Ceil(n / 2)
	}
	return max(1, n)
}

// idioms applies the idioms that the core resolves at rename.
func (w *binder) idioms(in *isa.Inst, out *Inst) {
	known := out.Flags&NoIdiom == 0
	if known && w.m.Core().ZeroIdioms && w.a.ZeroIdiom != nil && w.a.ZeroIdiom(in) {
		out.Flags |= ZeroIdiom
	}
	if known && w.m.Core().DepBreaking && w.a.DepBreaking != nil && w.a.DepBreaking(in) {
		out.Flags |= DepBreak
	}
	switch {
	case out.Flags&ZeroIdiom != 0:
		out.Uops, out.Latency, out.Load = nil, 0, 0
		for i := range out.lat {
			out.lat[i] = math.NaN()
		}
	case out.Flags&DepBreak != 0:
		for i, r := range out.Effects.Reads {
			if r.Role == isa.RoleData && !r.Merge {
				out.ClearInput(i)
			}
		}
	case out.Flags&MoveElim != 0:
		out.Uops, out.Latency = nil, 0
		for i := range out.lat {
			if !math.IsNaN(out.lat[i]) {
				out.lat[i] = 0
			}
		}
	}
}

// splitIndexed gives a second slot to one-slot instructions that combine an access by base and index with an operation or a store, on cores that
// split them ("indexed-slots").
func (m *Model) splitIndexed(b *Bound) {
	core := m.Core()
	if core.IndexedSlots == 0 {
		return
	}
	for i := range b.Insts {
		if in := &b.Insts[i]; in.Flags&Unknown == 0 && in.Slots == 1 && in.combinesIndexed(core.IndexedSlots) {
			in.Slots, in.Decode, in.LowSlots, in.HighSlots = 2, 2, 2, 2
		}
	}
}

// combinesIndexed reports whether an instruction uses none of the vector ports, accesses memory by base and index, and also stores or executes.
func (i *Inst) combinesIndexed(vectors PortSet) bool {
	if !slices.ContainsFunc(i.Effects.Mem, func(r isa.MemRef) bool { return r.Base != isa.NoReg && r.Index != isa.NoReg }) {
		return false
	}
	combines := i.StoresMemory()
	for k := range i.Uops {
		if u := &i.Uops[k]; !u.Resource {
			if u.Ports&vectors != 0 {
				return false
			}
			combines = combines || u.Kind == UopExec
		}
	}
	return combines
}

// fuse marks the pairs that the core macro-fuses. The cost of a jump moves to the instruction before it, whose µop includes the jump.
func (m *Model) fuse(b *Bound) {
	a := b.Kernel.ISA
	if a == nil || a.FusesWith == nil || len(m.fuses) == 0 {
		return
	}
	core := m.Core()
	for i := 0; i+1 < len(b.Insts); i++ {
		first, second := &b.Insts[i], &b.Insts[i+1]
		if (first.Flags|second.Flags)&(Unknown|FusedFirst|FusedSecond) != 0 {
			continue
		}
		kind := a.FusesWith(&first.Line.Inst, &second.Line.Inst)
		apart := core.FusionInLine && b.Kernel.Placed() && (first.Line.Addr+uint64(first.Line.Inst.Size))%cacheLine == 0 ||
			core.FuseRegisters && len(first.Effects.Mem) > 0
		if kind == "" || !m.fuses[kind] || apart || a.CopyPrefix != nil && a.CopyPrefix(&first.Line.Inst, &second.Line.Inst) != isa.NoCopy {
			continue
		}
		first.Flags |= FusedFirst
		second.Flags |= FusedSecond
		first.Uops = fusedUops(first.Uops, second.Uops)
		if core.CompareJump != 0 && !slices.ContainsFunc(first.Effects.Writes, func(w isa.Access) bool { return w.Op >= 0 }) {
			branchOn(first.Uops, core.CompareJump)
		}
		second.Uops, second.Slots, second.LowSlots, second.HighSlots = nil, 0, 0, 0
		if a.Forms.Flags(second.Line.Inst.Form)&isa.Branch == 0 {
			second.instant()
			second.waits(first)
		}
	}
}

// waits sets the latency of the second instruction of a fused pair from registers that the first does not write: the pair waits for these, too, so that they
// take as long as the first instruction.
func (i *Inst) waits(first *Inst) {
	n := i.Outputs()
	for k, r := range i.Effects.Reads {
		if slices.ContainsFunc(first.Effects.Writes, func(w isa.Access) bool { return w.Reg == r.Reg }) {
			continue
		}
		for o := range n {
			if _, ok := i.Pair(k, o); ok {
				i.lat[k*n+o] = first.Latency
			}
		}
	}
}

// branchOn replaces the ports of the branch µop.
func branchOn(uops []Uop, ports PortSet) {
	for i := range uops {
		if uops[i].Kind == UopBranch {
			uops[i].Ports = ports
		}
	}
}

// cacheLine is the size of a line of the instruction cache, in bytes.
const cacheLine = 64

// joinNops removes the slot of a nop where the core joins it with the next instruction (feature "nop-fusion"). Consecutive nops are joined in pairs;
// after a pair, the last one of an odd number keeps its slot.
func (m *Model) joinNops(b *Bound) {
	n := len(b.Insts)
	if !m.Core().NopFusion {
		return
	}
	for i := 0; i < n; {
		run := 0
		for i+run < n && b.Insts[i+run].idle() {
			run++
		}
		if run == 1 && n > 1 {
			run++ // with the next instruction, which follows in the next iteration after the last one
		}
		for k := 0; k+1 < run; k += 2 {
			in := &b.Insts[i+k]
			in.Slots, in.LowSlots, in.HighSlots = 0, 0, 0
		}
		i += max(run, 1)
	}
}

// joinMoves removes slot and port of a register move where the core joins it with the next instruction, an operation that overwrites the move's
// result (feature "move-fusion").
func (m *Model) joinMoves(b *Bound) {
	a := b.Kernel.ISA
	if !m.Core().MoveFusion || a.RegMove == nil || a.JoinsMove == nil {
		return
	}
	for i := 0; i+1 < len(b.Insts); i++ {
		in, next := &b.Insts[i], &b.Insts[i+1]
		if dst, _, ok := a.RegMove(&in.Line.Inst); ok && a.JoinsMove(&next.Line.Inst, dst) {
			in.Slots, in.LowSlots, in.HighSlots, in.Uops = 0, 0, 0, nil
		}
	}
}

// joinPrefixes removes slot, port and latency of an instruction that only prepares the destination of the next one, where the core fuses the two: the
// model states it per form (joins-prefix and others) or for all forms (fuses).
func (b *Bound) joinPrefixes() {
	a := b.Kernel.ISA
	if a == nil || a.CopyPrefix == nil {
		return
	}
	for i := 0; i+1 < len(b.Insts); i++ {
		in, next := &b.Insts[i], &b.Insts[i+1]
		if (in.Flags|next.Flags)&Unknown != 0 {
			continue
		}
		kind := a.CopyPrefix(&in.Line.Inst, &next.Line.Inst)
		if kind != isa.NoCopy && (next.Flags&joins[kind] != 0 || b.Model.fuses[a.FusesWith(&in.Line.Inst, &next.Line.Inst)]) {
			in.Flags |= FusedFirst
			in.Slots, in.LowSlots, in.HighSlots, in.Uops = 0, 0, 0, nil
			in.instant()
		}
	}
}

var joins = [...]InstFlags{isa.PlainCopy: JoinsPrefix, isa.ZeroingCopy: JoinsZeroing, isa.MergingCopy: JoinsMerging}

// idle reports whether an instruction is a nop: one slot, no port, no reads and writes.
func (i *Inst) idle() bool {
	e := &i.Effects
	return i.Flags&^(SideEffect|Borrowed) == 0 && i.Slots == 1 && len(i.Uops) == 0 && len(e.Reads)+len(e.Writes)+len(e.Mem) == 0
}

// instant sets the latency of one instruction of a fused pair to 0 (the second of aese+aesmc and adrp+add, movprfx), because the other one has the
// latency of the pair.
func (i *Inst) instant() {
	i.Latency, i.LowLatency, i.HighLatency = 0, 0, 0
	i.lat = slices.Clone(i.lat)
	for k := range i.lat {
		if !math.IsNaN(i.lat[k]) {
			i.lat[k] = 0
		}
	}
}

// fusedUops returns the µops of a fused pair: those of the first instruction, the last of them on the ports that the second can use (a
// compare-and-branch runs on branch ports), and the resources that the second uses.
func fusedUops(first, second []Uop) []Uop {
	out := append([]Uop(nil), first...)
	for _, s := range second {
		if s.Resource {
			out = append(out, s)
		}
	}
	for _, s := range second {
		if s.Resource {
			continue
		}
		for i := len(out) - 1; i >= 0; i-- {
			if out[i].Kind == UopExec && !out[i].Resource {
				out[i].Kind = s.Kind
				if common := out[i].Ports & s.Ports; common != 0 {
					out[i].Ports = common
				} else {
					out[i].Ports = s.Ports
				}
				return out
			}
		}
		return append(out, s)
	}
	return out
}

// mnemonicOf is the first word of an assembly text.
func mnemonicOf(text string) string {
	f := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' })
	if len(f) == 0 {
		return ""
	}
	return strings.ToLower(f[0])
}
