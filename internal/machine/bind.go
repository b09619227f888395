package machine

import (
	"math"
	"slices"
	"strings"

	"incore/internal/isa"
)

// Costs returns what each instruction of a kernel costs on the machine by itself. uops.Bind changes the costs by the instructions around it. foreign
// reports that the code belongs to another instruction set, of which the model knows no costs.
//
// Latencies run from inputs to outputs. Every output depends on every input, with three exceptions: the update of a base register depends on the
// address alone; register operands of a loading instruction do not wait for the load; data and address of a store reach only memory, unless the
// instruction also writes registers.
func (m *Model) Costs(k *isa.Kernel) (insts []Inst, foreign bool) {
	if k.ISA == nil {
		return nil, false
	}
	w := binder{m: m, a: k.ISA, high: m.renamesHigh(k.ISA)}
	if foreign = k.ISA.Name != m.ISA; foreign {
		w.c = newCompiled(nil, k.ISA)
		w.m = &Model{Name: m.Name, ISA: m.ISA, rows: &rows{}}
	} else {
		w.c, w.memory = m.compile(k.ISA), m.rows.memory()
	}
	insts = make([]Inst, len(k.Lines))
	for i := range insts {
		insts[i].Line = &k.Lines[i]
		w.bind(&insts[i])
	}
	return insts, foreign
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
	out.Slots, out.Group, out.Alone = w.m.slots(u), int(u.group), int(u.alone)
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
	w.m.splitIndexed(out)
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

// splitIndexed gives a second slot to a one-slot instruction that combines an access by base and index with an operation or a store, on cores that
// split it ("indexed-slots").
func (m *Model) splitIndexed(in *Inst) {
	if vectors := m.Core().IndexedSlots; vectors != 0 && in.Flags&Unknown == 0 && in.Slots == 1 && in.combinesIndexed(vectors) {
		in.Slots, in.Decode, in.LowSlots, in.HighSlots = 2, 2, 2, 2
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

// mnemonicOf is the first word of an assembly text.
func mnemonicOf(text string) string {
	f := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' })
	if len(f) == 0 {
		return ""
	}
	return strings.ToLower(f[0])
}
