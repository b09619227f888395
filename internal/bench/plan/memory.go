package plan

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"incore/internal/isa"
)

// MemoryTest is an experiment on loads and stores. Its figure is the plan's cycles, minus the overhead, divided
// by N.
type MemoryTest struct {
	Name string // unique; a run that was stopped resumes by this key
	Plan *Plan
	Unit string // unit of the figure
}

// Units of memory tests.
const (
	UnitLatency = "cycles from address to result"
	UnitUpdate  = "cycles from address to written-back address"
	UnitForward = "cycles from stored register to loaded register"
	UnitEach    = "cycles each"
)

// The part of a store's bytes that a load reads, appended to unitForward.
const (
	SameBytes  = ", same bytes"
	FewerBytes = ", fewer bytes"
	MoreBytes  = ", more bytes"
)

// Appended to unitForward if the load is into another register file than the store is from; the way back through helpers is taken off.
const (
	ToVector  = ", into a vector register"
	ToInteger = ", into an integer register"
)

// lineBytes and pageSize are the sizes of a cache line and of a page, whose boundaries accesses may cross.
const (
	lineBytes = 64
	pageSize  = 4096
)

// MemoryTests makes the memory experiments from the forms whose name matches: pure loads by addressing mode,
// write-back of addresses, store-to-load forwarding, accesses per cycle within a line and across lines and pages,
// read-modify-writes; and repeated moves by their number of bytes.
func (t *Target) MemoryTests(match *regexp.Regexp) (out []MemoryTest) {
	add := func(p *Plan, err error, unit, format string, a ...any) {
		if err == nil {
			out = append(out, MemoryTest{fmt.Sprintf(format, a...), p, unit})
		}
	}
	moves := t.moves(match)
	for _, f := range moves.loads {
		name := t.ISA.Forms.Name(f)
		modes := t.modes(f)
		for _, a := range modes {
			p, err := t.chase(f, a, 0, 0)
			add(p, err, UnitLatency, "load-to-use %s %s", name, a.name)
		}
		if len(modes) == 0 {
			continue
		}
		for i := 1; i < t.results(f); i++ {
			p, err := t.chase(f, modes[0], 0, i)
			add(p, err, UnitLatency, "load-to-use %s %s, register %d", name, modes[0].name, i+1)
		}
		for where, off := range t.crossings(f) {
			p, err := t.chase(f, modes[0], off, 0)
			add(p, err, UnitLatency, "load-to-use %s across a %s", name, where)
		}
	}
	for kind, forms := range map[string][]isa.FormID{"loads": moves.loads, "stores": moves.stores} {
		for _, f := range forms {
			p, err := t.stream(f, 0)
			add(p, err, UnitEach, "%s of %s", kind, t.ISA.Forms.Name(f))
			for where, off := range t.crossings(f) {
				p, err := t.stream(f, off)
				add(p, err, UnitEach, "%s of %s across a %s", kind, t.ISA.Forms.Name(f), where)
			}
			p, err = t.writeBack(f)
			add(p, err, UnitUpdate, "write-back of %s", t.ISA.Forms.Name(f))
		}
	}
	for _, b := range t.besides(moves) {
		p, err := t.beside(b.load, b.store)
		add(p, err, UnitEach, BesideName, t.ISA.Forms.Name(b.load), t.ISA.Forms.Name(b.store))
	}
	for _, f := range moves.both {
		name := t.ISA.Forms.Name(f)
		p, err := t.stream(f, 0)
		add(p, err, UnitEach, "read-modify-writes of %s", name)
		if p := t.SameAddress(f); p != nil {
			add(p, nil, UnitEach, "read-modify-writes of %s at one address", name)
		}
	}
	for _, s := range moves.stores {
		out = append(out, t.forwards(s)...)
	}
	if len(out) > 0 {
		out = append(out, t.repetitions()...)
	}
	sortTests(out)
	return out
}

// repetitions plans instructions that move a number of bytes each, one experiment per number.
func (t *Target) repetitions() (out []MemoryTest) {
	for text, bytes := range t.repeated {
		for _, n := range []int{0, 1, 8, 16, 32, 64, 128, 256, 512, 1024, 2048} {
			p := &Plan{Values: map[int]uint64{t.hardware(t.base): aligned}}
			var err error
			for _, s := range append(t.repeat(n/bytes), text) {
				err = cmp.Or(err, p.text(t, s, 0, 0, t.named(t.base)))
			}
			if err != nil || n%bytes != 0 {
				continue
			}
			p.Own[len(p.Own)-1], p.N = true, 1
			out = append(out, MemoryTest{fmt.Sprintf("%s, %d bytes", text, n), p, UnitEach})
		}
	}
	return out
}

// accesses groups forms by their memory accesses.
type accesses struct{ loads, stores, both []isa.FormID }

// moves lists the forms that only load registers or store them, and those that load and store at one address.
func (t *Target) moves(match *regexp.Regexp) (out accesses) {
	for _, f := range t.Select(match, nil) {
		if t.Lacks(f) != "" || t.ISA.Forms.Flags(f)&(isa.MaskMerge|isa.MaskZero) != 0 {
			continue
		}
		_, in, err := t.first(f)
		if err != nil {
			continue
		}
		var e isa.Effects
		t.ISA.Effects(&in, &e)
		if len(e.Mem) != 1 || e.Mem[0].Gather || e.Mem[0].Elems > mostMoved || e.Mem[0].Bits < 8 {
			continue
		}
		data, implicit := 0, false
		for _, r := range e.Reads {
			implicit = implicit || r.Op < 0 && r.Role != isa.RoleControl
			if r.Role == isa.RoleData {
				data++
			}
		}
		for _, w := range e.Writes {
			implicit = implicit || w.Op < 0
		}
		switch m := e.Mem[0]; {
		case m.Load && m.Store:
			if _, both := t.implicit(&in); len(both) > 0 { // instances would depend on each other through it
				continue
			}
			out.both = append(out.both, f)
		case implicit:
		case m.Load && data == 0 && len(results(&e)) > 0:
			out.loads = append(out.loads, f)
		case m.Store && data > 0 && len(results(&e)) == 0:
			out.stores = append(out.stores, f)
		}
	}
	return out
}

// mostMoved is the most registers that a form of the tests loads or stores.
const mostMoved = 4

// results returns the writes that are not addresses.
func results(e *isa.Effects) (out []isa.Access) {
	for _, w := range e.Writes {
		if w.Role != isa.RoleUpdate {
			out = append(out, w)
		}
	}
	return out
}

// results counts the registers that a form loads.
func (t *Target) results(f isa.FormID) int {
	_, in, err := t.first(f)
	if err != nil {
		return 0
	}
	var e isa.Effects
	t.ISA.Effects(&in, &e)
	return len(results(&e))
}

// crossings returns displacements at which the middle of the form's access is on a boundary, by the boundary's name.
func (t *Target) crossings(f isa.FormID) map[string]int64 {
	x, err := newInstance(t, f)
	if err != nil || x.bytes() < 2 || x.bytes() == scalableBytes || t.aligned != nil && t.aligned.MatchString(t.ISA.Forms.Name(f)) {
		return nil
	}
	return map[string]int64{"line": lineBytes - x.bytes()/2, "page": pageSize - x.bytes()/2}
}

// aligned is the value of the tests' base register: the start of a page.
const aligned = 0x4400000

// memoryPlan is an empty plan whose base register is at the start of a page.
func (t *Target) memoryPlan(f isa.FormID) *Plan {
	p, s := t.newPlan(f)
	p.Fill, p.Values = 0, map[int]uint64{}
	for i, v := range s.values {
		p.Values[i] = v
	}
	p.Values[t.hardware(t.base)] = aligned
	return p
}

// hardware returns the encoding number of a general-purpose root.
func (t *Target) hardware(name string) int { return t.Number(t.named(name)) }

// chase plans a load whose address depends on the load's own result (result i if there are several), which is
// cleared to zero and added.
func (t *Target) chase(f isa.FormID, a mode, offset int64, i int) (*Plan, error) {
	x, in, err := t.first(f)
	if err != nil {
		return nil, err
	}
	p := t.memoryPlan(f)
	p.Values[t.hardware(t.base)] += uint64(offset)
	waits := t.named(t.base)
	if a.index >= 0 && a.waits {
		waits = t.named(t.spare[GPR][len(t.spare[GPR])-3])
		p.Values[t.hardware(t.ISA.Regs.Name(waits))] = 0
	}
	x.apply(&in, a, waits)
	var e isa.Effects
	t.ISA.Effects(&in, &e)
	p.To = results(&e)[i]
	if err := p.add(t, in, true); err != nil {
		return nil, err
	}
	at := t.root[p.To.Reg]
	if at == waits {
		return nil, planError("the address is the result")
	}
	if t.kindOf[at] != GPR {
		at = t.free(GPR, &in)
		if err := x.helped(p, p.To, at, GPR, &in); err != nil {
			return nil, err
		}
	}
	if err := p.text(t, t.clear, at, waits, 0); err != nil {
		return nil, err
	}
	p.Extra += 2
	return p, p.text(t, t.step, at, waits, 0)
}

// writeBack plans a chain of one form that writes its address register back.
func (t *Target) writeBack(f isa.FormID) (*Plan, error) {
	_, in, err := t.first(f)
	if err != nil {
		return nil, err
	}
	var e isa.Effects
	t.ISA.Effects(&in, &e)
	if !slices.ContainsFunc(e.Writes, func(w isa.Access) bool { return w.Role == isa.RoleUpdate && w.Op >= 0 }) {
		return nil, planError("leaves its address as it is")
	}
	p := t.memoryPlan(f)
	return p, p.add(t, in, true)
}

// stream plans independent accesses, to adjacent addresses or all across boundaries.
func (t *Target) stream(f isa.FormID, offset int64) (*Plan, error) {
	x, in, err := t.first(f)
	if err != nil {
		return nil, err
	}
	p := t.memoryPlan(f)
	place := func(i int) int64 {
		switch {
		case offset == 0:
			return int64(i) * x.bytes() % pageSize
		case offset < lineBytes:
			return offset + int64(i)*lineBytes
		}
		return offset + int64(i%8)*pageSize
	}
	p.Values[t.hardware(t.base)] += uint64(offset)
	var bases []isa.Reg
	for i := range x.count() {
		if !x.reaches(place(i) - offset) {
			bases = x.apart(p, &in, place)
			break
		}
	}
	for i := range x.count() {
		c := choice{rot: i, disp: place(i) - offset}
		if bases != nil {
			c.disp, c.roots = 0, map[int]isa.Reg{x.base: bases[i%len(bases)]}
		}
		in, err := x.build(c)
		if err != nil {
			return nil, err
		}
		if err := p.add(t, in, true); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// BesideName is the name of a test of loads of one form beside stores of another, as a format. Its cycles are those of each access, of which half are loads.
const BesideName = "loads of %s beside stores of %s"

// besideForms is a load and a store that are measured beside each other.
type besideForms struct{ load, store isa.FormID }

// besides lists each store with the first load of as many bytes into registers of the same kind.
func (t *Target) besides(moves accesses) (out []besideForms) {
	type access struct {
		kind  Kind
		bytes int64
	}
	of := func(f isa.FormID) (a access, ok bool) {
		x, in, err := t.first(f)
		if err != nil {
			return a, false
		}
		var e isa.Effects
		t.ISA.Effects(&in, &e)
		for _, r := range slices.Concat(e.Reads, e.Writes) {
			if r.Op >= 0 && r.Role == isa.RoleData {
				return access{t.kindOf[r.Reg], x.bytes()}, true
			}
		}
		return a, false
	}
	first := map[access]isa.FormID{}
	for _, f := range moves.loads {
		if a, ok := of(f); ok && first[a] == isa.NoForm {
			first[a] = f
		}
	}
	for _, f := range moves.stores {
		if a, ok := of(f); ok && first[a] != isa.NoForm {
			out = append(out, besideForms{first[a], f})
		}
	}
	return out
}

// beside plans independent loads and stores in turn, the stores to bytes behind those of the loads.
func (t *Target) beside(load, store isa.FormID) (*Plan, error) {
	p := t.memoryPlan(load)
	x, _, err := t.first(load)
	if err != nil {
		return nil, err
	}
	y, _, err := t.first(store)
	if err != nil {
		return nil, err
	}
	const apart = 1024 // displacements of all instruction sets reach twice as far
	for i := range x.count() {
		at := int64(i) * x.bytes() % apart
		for k, z := range []*instance{x, y} {
			disp := at + int64(k)*apart
			if !z.reaches(disp) {
				return nil, planError("its displacements do not reach")
			}
			in, err := z.build(choice{rot: i, disp: disp})
			if err != nil {
				return nil, err
			}
			if err := p.add(t, in, true); err != nil {
				return nil, err
			}
		}
	}
	return p, nil
}

// apart prepares registers with a different address for each instance, for addresses that displacements do not
// reach.
func (x *instance) apart(p *Plan, in *isa.Inst, place func(int) int64) (out []isa.Reg) {
	if out = x.bases(in); out == nil {
		out = x.take()
	}
	for i, r := range out {
		p.Values[x.t.hardware(x.t.ISA.Regs.Name(r))] = uint64(aligned + place(i))
	}
	return out
}

// forwards plans round trips from a stored register to a load of the same or other bytes, and back, for each load size
// of the target and the register's kind.
func (t *Target) forwards(store isa.FormID) (out []MemoryTest) {
	_, in, err := t.first(store)
	if err != nil {
		return nil
	}
	var e isa.Effects
	t.ISA.Effects(&in, &e)
	size, number := int64(e.Mem[0].Bits/8), 0
	for _, r := range e.Reads {
		if r.Role != isa.RoleData || r.Op < 0 {
			continue
		}
		from := e.Mem[0].Disp + int64(number)*size // of the register's bytes
		which := ""
		if number++; number > 1 {
			which = fmt.Sprintf(", register %d,", number)
		}
		for bits := range t.reload[t.kindOf[r.Reg]] {
			n := int64(bits / 8)
			bytes := map[int]string{-1: FewerBytes, 0: SameBytes, 1: MoreBytes}[cmp.Compare(n, size)]
			offsets := map[string]int64{"": 0}
			if n < size {
				offsets[fmt.Sprintf(" from byte %d", size-n)] = size - n
				if size > 2*n {
					offsets[" from byte 1"] = 1
				}
			}
			for name, off := range offsets {
				p := t.memoryPlan(store)
				if p.add(t, in, true) != nil || p.text(t, t.reloads(t.kindOf[r.Reg], bits, from+off), t.root[r.Reg], t.named(t.base), 0) != nil {
					continue
				}
				out = append(out, MemoryTest{fmt.Sprintf("forward %s%s to %d bits%s", t.ISA.Forms.Name(store), which, bits, name), p, UnitForward + bytes})
			}
		}
		for to, unit := range map[Kind]string{Vec: ToVector, GPR: ToInteger} {
			out = append(out, t.across(&crossing{store, &in, r.Reg, from, "forward " + t.ISA.Forms.Name(store) + which, unit}, to)...)
		}
	}
	return out
}

// crossing is a store of a register that is loaded into another register file.
type crossing struct {
	store  isa.FormID
	in     *isa.Inst
	stored isa.Reg
	from   int64 // displacement of the register's bytes
	name   string
	unit   string
}

// across plans round trips from a stored register to a load into another register file of its first bytes, and of those from the middle on.
func (t *Target) across(c *crossing, to Kind) (out []MemoryTest) {
	kind := t.kindOf[c.stored]
	back := t.path(to, kind, "")
	if kind == to || kind != GPR && kind != Vec || back == nil || len(t.spare[to]) == 0 {
		return nil
	}
	var e isa.Effects
	t.ISA.Effects(c.in, &e)
	for bits := range t.reload[to] {
		if bits > int(e.Mem[0].Bits) {
			continue
		}
		offsets := []int{0}
		if int(e.Mem[0].Bits) == 2*bits {
			offsets = append(offsets, bits/8)
		}
		for _, off := range offsets {
			p := t.memoryPlan(c.store)
			at := t.named(t.spareOf(to, 0))
			if p.add(t, *c.in, true) != nil || p.text(t, t.reloads(to, bits, c.from+int64(off)), at, t.named(t.base), 0) != nil || t.follow(p, back, at, t.root[c.stored]) != nil {
				continue
			}
			name := fmt.Sprintf("%s to %d bits%s", c.name, bits, c.unit)
			if off > 0 {
				name += fmt.Sprintf(" from byte %d", off)
			}
			out = append(out, MemoryTest{name, p, UnitForward + c.unit})
		}
	}
	return out
}

// follow appends helpers that take a value from one register to another.
func (t *Target) follow(p *Plan, path []int, at, end isa.Reg) error {
	for i, h := range path {
		next := end
		if i < len(path)-1 {
			next = t.named(t.spareOf(t.helpers[h].to, 1))
		}
		if err := p.text(t, t.helpers[h].text, next, at, t.named(t.constant[GPR][0])); err != nil {
			return err
		}
		at = next
		p.Helpers = append(p.Helpers, h)
	}
	return nil
}

// reloads returns the statement that loads a number of bits into a register (%R) of a kind, from behind bytes
// after an address (%W); "" if there is none.
func (t *Target) reloads(k Kind, bits int, behind int64) string {
	return strings.Replace(t.reload[k][bits], displacement, fmt.Sprint(behind), 1)
}

// displacement is the placeholder of the displacement in load statements.
const displacement = "%O"

// sortTests puts tests into the order of their names.
func sortTests(l []MemoryTest) {
	slices.SortFunc(l, func(a, b MemoryTest) int { return strings.Compare(a.Name, b.Name) })
}
