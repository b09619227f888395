package depgraph

import (
	"cmp"
	"slices"
	"sort"
	"sync"

	"incore/internal/isa"
	"incore/internal/machine"
)

// MaxDistance is the largest iteration distance of the memory dependences that Addresses looks for; a dependence over a larger distance never limits
// a core.
const MaxDistance = 256

// Addresses finds the loads that read data stored by the kernel, from the address expressions alone: store and load have equal base, index, scale,
// segment and symbol. It follows registers through copies and additions of constants: after an addition of 8 to x0, [x0, -8] is the [x0] of the
// iteration before. It assumes that different base registers point to different memory, or, with equal set (Options.EqualRegisters), that they hold
// the same value at entry. Each byte of a load depends on the last store to it. The edges are sorted by To.
//
// complete is true if only relations between values at entry could add edges: every address is a constant, or follows from values at entry by copies
// and additions of constants.
func Addresses(b *machine.Bound, equal bool) (edges []MemoryEdge, complete bool) {
	loads, stores := b.Accesses()
	if loads == 0 || stores == 0 {
		return nil, true
	}
	t := trackers.Get().(*tracker)
	defer trackers.Put(t)
	t.reset(b)
	t.equal = equal
	refs := t.walk(make([]ref, 0, loads+stores))
	t.settle() // finds how the values at entry change from iteration to iteration
	t.partial = false
	refs = t.walk(refs[:0])
	return match(refs), !t.partial
}

// value is a symbolic value: root + off. Root u below the unit count is the value, at the start of the iteration, of the register whose first unit is
// u. Roots from the unit count on are values that instructions of the kernel produced. none marks an absent register.
type value struct {
	root int32
	off  int64
}

const (
	none   = -1
	common = -2 // the one value that all registers and pointers in memory start with (Options.EqualRegisters)
)

// unitState is the symbolic content of a register unit.
type unitState struct {
	value
	write int32 // number of the write that produced it; -1 for the value at entry
}

// tracker follows register contents through the kernel.
type tracker struct {
	b     *machine.Bound
	regs  *isa.RegTable
	state []unitState
	entry []value   // by root: the value at entry as root and offset of another value at entry; {own root, 0} if there is no such relation
	repr  []isa.Reg // by root: the register it stands for, as the kernel uses it
	step  []int64   // by root: the amount that one iteration adds to it
	known []bool    // by root: step is valid
	equal bool      // Options.EqualRegisters
	// partial: the address of some access could not be followed to the end.
	partial bool
}

// trackers reuses the memory of trackers.
var trackers = sync.Pool{New: func() any { return new(tracker) }}

func (t *tracker) reset(b *machine.Bound) {
	n := b.Kernel.ISA.Regs.NumUnits()
	if len(t.state) != n {
		*t = tracker{state: make([]unitState, n), entry: make([]value, n), repr: make([]isa.Reg, n), step: make([]int64, n), known: make([]bool, n)}
	}
	t.b, t.regs, t.partial = b, b.Kernel.ISA.Regs, false
	clear(t.repr)
	clear(t.step)
	clear(t.known)
	for u := range t.entry {
		t.entry[u] = value{root: int32(u)}
	}
}

// walk runs over the kernel once and appends its memory accesses to refs.
func (t *tracker) walk(refs []ref) []ref {
	for u := range t.state {
		t.state[u] = unitState{write: -1}
	}
	for i := range t.b.Insts {
		refs = t.access(i, refs)
		t.execute(i)
	}
	return refs
}

// value returns the content of a register; ok is false if separate instructions wrote parts of it.
func (t *tracker) value(r isa.Reg) (value, bool) {
	units := t.regs.Units(r)
	if units.Len() == 0 {
		return value{root: none}, true
	}
	u := units.At(0)
	for k := 1; k < units.Len(); k++ {
		if t.state[units.At(k)].write != t.state[u].write {
			return value{}, false
		}
	}
	if t.state[u].write < 0 {
		t.repr[u] = r
		return t.entry[u], true
	}
	return t.state[u].value, true
}

// execute applies the register writes of instruction i.
func (t *tracker) execute(i int) {
	in := &t.b.Insts[i]
	const perInst = 64 // more writes than any instruction has
	a := t.b.Kernel.ISA
	if a.Flow != nil && a.Semantics != nil && a.Flow(&in.Line.Inst).Kind == isa.FlowCall {
		// The callee changes the registers that the calling convention lets it change, and returns with the stack pointer restored.
		for k, r := range a.Semantics.Clobbered {
			id := i*perInst + k
			t.write(r, unitState{value{int32(len(t.state)) + int32(id), 0}, int32(id)})
		}
		return
	}
	var sum value
	dst, isSum := isa.NoReg, false
	if add := t.b.Kernel.ISA.AddImm; add != nil && in.Line.Inst.Form != isa.NoForm {
		if d, src, imm, ok := add(&in.Line.Inst); ok {
			if v, ok := t.value(src); ok {
				dst, sum, isSum = d, value{v.root, v.off + imm}, true
			}
		}
	}
	var updated value
	base, isUpdate := isa.NoReg, false
	for k := range in.Effects.Mem {
		if m := &in.Effects.Mem[k]; m.Update != 0 && m.Base != isa.NoReg {
			if v, ok := t.value(m.Base); ok {
				base, updated, isUpdate = m.Base, value{v.root, v.off + m.Update}, true
			}
		}
	}
	for o := range in.Effects.Writes {
		r := in.Effects.Writes[o].Reg
		id := int32(i*perInst + o)
		s := unitState{value{int32(len(t.state)) + id, 0}, id}
		switch {
		case isSum && r == dst:
			s.value = sum
		case isUpdate && r == base:
			s.value = updated
		case t.equal && o == 0 && loadsPointer(in):
			s.value = value{root: common}
		}
		t.write(r, s)
	}
}

func (t *tracker) write(r isa.Reg, s unitState) {
	for u, units := 0, t.regs.Units(r); u < units.Len(); u++ {
		t.state[units.At(u)] = s
	}
}

// settle finds, after a walk, the registers that change by a constant per iteration, and those that copy them.
func (t *tracker) settle() {
	for u := range t.repr {
		if r := t.repr[u]; r != isa.NoReg {
			if v, ok := t.value(r); ok && v.root == int32(u) {
				t.step[u], t.known[u] = v.off, true
				if t.equal && v.off == 0 && !t.stackPointer(r) {
					t.entry[u] = value{root: common}
				}
			}
		}
	}
	for u := range t.repr {
		r := t.repr[u]
		if r == isa.NoReg || t.known[u] {
			continue
		}
		v, ok := t.value(r)
		switch {
		case !ok || v.root == none:
		case v.root == common:
			t.entry[u] = v
		case int(v.root) < len(t.known) && t.known[v.root]:
			t.entry[u] = value{v.root, v.off - t.step[v.root]}
			if t.equal && t.step[v.root] == 0 {
				t.entry[u].root = common
			}
		}
	}
}

// stackPointer reports whether a register is the stack pointer. Measurements give it a value different from the other registers'.
func (t *tracker) stackPointer(r isa.Reg) bool {
	q := t.b.Kernel.ISA.StackPointer
	return q != nil && q(r)
}

// loadsPointer reports whether an instruction does nothing but load an aligned word of address width into a register.
func loadsPointer(in *machine.Inst) bool {
	if len(in.Effects.Mem) != 1 || len(in.Effects.Writes) != 1 || in.Load == 0 || in.Load != in.Latency {
		return false
	}
	m := &in.Effects.Mem[0]
	return m.Load && !m.Store && m.Elems == 1 && (m.Bits == 64 || m.Bits == 32) && m.Disp&7 == 0
}

// ref is a memory access with its address: base + index·scale + symbol + off.
type ref struct {
	inst int32
	mem  int16
	load bool
	st   bool
	key  key
	off  int64
	size int64 // bytes, 0 unknown
	step int64 // bytes that one iteration adds to the address
	// steady: step is valid, so addresses of different iterations can be compared.
	steady bool
}

// key is the part of an address that must be equal in two accesses before their offsets can be compared.
type key struct {
	base, index int32
	scale       uint8
	extend      byte
	indexOff    int64 // offset of an extended index, kept apart because the extension of a sum is not the sum of extensions
	sym, mod    string
	seg         isa.Reg
}

// access appends the memory accesses of instruction i whose addresses are known.
func (t *tracker) access(i int, refs []ref) []ref {
	mem := t.b.Insts[i].Effects.Mem
	for k := range mem {
		m := &mem[k]
		if !m.Load && !m.Store {
			continue
		}
		r := ref{inst: int32(i), mem: int16(k), load: m.Load, st: m.Store, size: int64(m.Bits) * int64(m.Elems) / 8}
		if m.Gather || !t.address(i, m, &r) {
			t.partial = true
			continue
		}
		t.partial = t.partial || !t.followed(&r) || m.Update != 0 && t.calls(i)
		refs = append(refs, r)
	}
	return refs
}

// followed reports whether the address changes by a constant per iteration and has only one way of writing it: no values that the kernel produced,
// and no index without a base.
func (t *tracker) followed(r *ref) bool {
	k := &r.key
	made := func(root int32) bool { return int(root) >= len(t.state) || t.equal && root >= 0 && t.step[root] != 0 }
	return r.steady && r.size > 0 && !made(k.base) && !made(k.index) && (k.index == none || k.base != none && k.base != k.index)
}

// calls reports whether instruction i is a call; the return undoes its change of the stack pointer.
func (t *tracker) calls(i int) bool {
	in := &t.b.Insts[i].Line.Inst
	flow := t.b.Kernel.ISA.Flow
	return flow != nil && in.Form != isa.NoForm && flow(in).Kind == isa.FlowCall
}

// address fills in the address of r; it returns false if the address is not known.
func (t *tracker) address(i int, m *isa.MemRef, r *ref) bool {
	r.off, r.steady = m.Disp, true
	if m.Update != 0 || m.Post {
		r.off = 0
		if !m.Post {
			r.off = m.Update
		}
	}
	r.key = key{base: none, index: none, seg: m.Seg}
	if m.Sym != nil {
		r.key.sym, r.key.mod = m.Sym.Sym, m.Sym.Mod
		if s := t.b.Kernel.ISA.Semantics; s != nil && s.Symbol(m.Sym) >= isa.SymbolVL {
			t.partial = true // a multiple of the vector length
			return false
		}
	}
	if c := t.b.Kernel.ISA.Constant; m.Base != isa.NoReg && c != nil && c(m.Base) {
		return m.Sym != nil || t.absolute(i, r)
	}
	base, ok := t.value(m.Base)
	if !ok {
		return false
	}
	r.key.base = base.root
	r.off += base.off
	t.advance(r, base.root, 1)
	if m.Index == isa.NoReg {
		return true
	}
	index, ok := t.value(m.Index)
	if !ok {
		return false
	}
	scale := int64(max(m.Scale, 1))
	r.key.index, r.key.scale, r.key.extend = index.root, uint8(scale), m.Extend
	if scale == 1 && m.Extend == 0 && r.key.index < r.key.base { // base and index can be exchanged
		r.key.base, r.key.index = r.key.index, r.key.base
	}
	if m.Extend != 0 {
		r.key.indexOff = index.off
	} else {
		r.off += scale * index.off
	}
	t.advance(r, index.root, scale)
	return true
}

// absolute resolves a program-counter-relative address in machine code.
func (t *tracker) absolute(i int, r *ref) bool {
	l := t.b.Insts[i].Line
	if l.Addr == 0 || l.Inst.Size == 0 {
		return false
	}
	r.off += int64(l.Addr) + int64(l.Inst.Size)
	return true
}

// advance adds the change of a register per iteration to the change of the address.
func (t *tracker) advance(r *ref, root int32, scale int64) {
	switch {
	case root == none, root == common:
	case int(root) < len(t.known) && t.known[root]:
		r.step += scale * t.step[root]
	default:
		r.steady = false
	}
}

// candidate is a store that overlaps a load.
type candidate struct {
	store *ref
	dist  int32
	diff  int64 // address of the store - address of the load dist iterations later
}

// match finds the last store to each byte of every load. refs must be in program order; the edges have the same order.
func match(refs []ref) []MemoryEdge {
	all := map[key]*written{}
	for i := range refs {
		if s := &refs[i]; s.st {
			w := all[s.key]
			if w == nil {
				w = new(written)
				all[s.key] = w
			}
			w.stores = append(w.stores, s)
			w.most = max(w.most, s.size)
		}
	}
	for _, w := range all {
		slices.SortStableFunc(w.stores, func(a, b *ref) int { return cmp.Or(cmp.Compare(a.off, b.off), cmp.Compare(a.size, b.size)) })
	}
	var edges []MemoryEdge
	var cand []candidate
	for i := range refs {
		if load := &refs[i]; load.load {
			if w := all[load.key]; w != nil {
				edges, cand = w.lastTo(load, edges, cand)
			}
		}
	}
	return edges
}

// written holds the stores with equal keys, sorted by offset and size, then in program order.
type written struct {
	stores []*ref
	most   int64 // the largest size
}

// lastTo appends an edge from each store that was the last to write a byte of a load. It tries the stores of the same iteration first, then those of
// earlier iterations.
func (w *written) lastTo(load *ref, edges []MemoryEdge, cand []candidate) ([]MemoryEdge, []candidate) {
	grain := max(1, (load.size+63)/64) // bytes per bit of missing
	missing := ^uint64(0)
	if n := load.size / grain; n > 0 && n < 64 {
		missing = 1<<n - 1
	}
	first, last := w.distances(load)
	for d := int64(0); missing != 0 && d <= last; d++ {
		if d == 1 {
			d = max(1, first)
		}
		cand = w.touching(load, d, cand[:0])
		for i := range cand {
			bytes := covered(&cand[i], load.size, grain)
			if missing&bytes == 0 {
				continue
			}
			missing &^= bytes
			edges = append(edges, MemoryEdge{From: cand[i].store.inst, To: load.inst, FromMem: cand[i].store.mem, ToMem: load.mem, Dist: cand[i].dist,
				Placed: true, Offset: -cand[i].diff})
			if missing == 0 {
				break
			}
		}
	}
	return edges, cand
}

// distances returns the smallest and the largest iteration distance, apart from 0, at which a store may overlap a load; last = 0 means none.
func (w *written) distances(load *ref) (first, last int64) {
	switch {
	case !load.steady:
		return 0, 0
	case load.step == 0:
		return 1, 1
	}
	// The address of a load d iterations later is larger by d·step.
	lo := w.stores[0].off - load.off - max(load.size, 1)
	hi := w.stores[len(w.stores)-1].off - load.off + max(w.most, 1)
	step := load.step
	if step < 0 {
		lo, hi, step = -hi, -lo, -step
	}
	return max(1, lo/step), min(MaxDistance, max(0, hi)/step)
}

// touching appends the stores that overlap a load d iterations later, latest first. Of the stores with equal offset and size it takes only the
// latest.
func (w *written) touching(load *ref, d int64, c []candidate) []candidate {
	at := load.off + d*load.step
	from := sort.Search(len(w.stores), func(i int) bool { return w.stores[i].off > at-max(w.most, 1) })
	for i := from; i < len(w.stores) && w.stores[i].off < at+max(load.size, 1); {
		end := i + sort.Search(len(w.stores)-i, func(k int) bool {
			s := w.stores[i+k]
			return s.off != w.stores[i].off || s.size != w.stores[i].size
		})
		k := end
		if d == 0 { // of the same iteration only the stores before the load count
			k = i + sort.Search(end-i, func(k int) bool { return w.stores[i+k].inst >= load.inst })
		}
		for k--; k >= i; k-- {
			s := w.stores[k]
			if d > 0 && !s.steady {
				continue
			}
			if diff := s.off - at; overlap(diff, s.size, load.size) {
				c = append(c, candidate{s, int32(d), diff})
			}
			break
		}
		i = end
	}
	slices.SortFunc(c, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.store.inst, a.store.inst), cmp.Compare(b.store.mem, a.store.mem))
	})
	return c
}

// overlap reports whether a store at diff and a load at 0 share a byte. Accesses of unknown size overlap if their addresses are equal.
func overlap(diff, store, load int64) bool {
	if store == 0 || load == 0 {
		return diff == 0
	}
	return diff < load && -diff < store
}

// covered returns a bit mask of the load's bytes (in units of grain) that the store writes.
func covered(c *candidate, size, grain int64) uint64 {
	if size == 0 || c.store.size == 0 {
		return ^uint64(0)
	}
	first, end := max(0, c.diff)/grain, (min(size, c.diff+c.store.size)+grain-1)/grain
	if end-first >= 64 {
		return ^uint64(0)
	}
	return (1<<(end-first) - 1) << first
}
