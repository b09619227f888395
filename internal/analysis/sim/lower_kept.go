package sim

import (
	"incore/internal/isa"
	"incore/internal/machine"
)

// This file keeps what code as it ran has in common: the µops of an instruction, which executes again and again, and the memory that they take.

// kept is what one simulation of code as it ran leaves to the next.
type kept struct {
	templates map[templateKey]*template
	insts     []parts
	body      []uop
	deps      []dep // of all µops, in pieces
	used      int   // of deps
}

// templateKey is all that an instruction's µops hang on, but for what they wait for in other instructions.
type templateKey struct {
	line                          *isa.Line
	forwarded, syncs, mergesFlags bool
	mergesHigh                    isa.Reg
}

// template is an instruction's µops as if it were the first, and where they are. Their waits are for each other.
type template struct {
	uops  []uop
	parts parts
}

// forget makes the memory free again. The µops of the simulation before are not used any more.
func (k *kept) forget() { k.used = 0 }

// piece returns room for n dependences; more are allocated elsewhere.
func (k *kept) piece(n int) []dep {
	if k.used+n > len(k.deps) {
		k.deps, k.used = make([]dep, max(2*len(k.deps), 1<<14, n)), 0
	}
	at := k.used
	k.used += n
	return k.deps[at : at : at+n]
}

// spare is how many dependences on other instructions a µop mostly has at most.
const spare = 3

// again appends the µops of an instruction that was lowered before. It reports whether there was one.
func (l *lowering) again(p *parts) bool {
	t := l.kept.templates[keyOf(p)]
	if t == nil {
		return false
	}
	first := uopIndex(len(l.body))
	l.body = append(l.body, t.uops...)
	for i := range t.uops {
		u := &l.body[int(first)+i]
		u.inst = p.index
		if u.kind == kindValue {
			u.load += first
		}
		u.deps = l.kept.piece(len(u.deps) + spare)
		for _, d := range t.uops[i].deps {
			d.uop += first
			u.deps = append(u.deps, d)
		}
	}
	index, in := p.index, p.in
	*p = t.parts
	p.index, p.in = index, in
	p.move(first)
	return true
}

// keep makes a template of the instruction that was lowered last.
func (l *lowering) keep(p *parts) {
	t := &template{uops: append([]uop(nil), l.body[p.first:]...), parts: *p}
	t.parts.move(-p.first)
	for i := range t.uops {
		u := &t.uops[i]
		if u.load -= p.first; u.kind != kindValue {
			u.load = absent
		}
		u.deps = append([]dep(nil), u.deps...)
		for k := range u.deps {
			u.deps[k].uop -= p.first
		}
	}
	l.kept.templates[keyOf(p)] = t
}

func keyOf(p *parts) templateKey {
	return templateKey{p.in.Line, p.forwarded, p.syncs, p.mergesFlags, p.mergesHigh}
}

// move moves where an instruction's µops are.
func (p *parts) move(by uopIndex) {
	p.first, p.end, p.own = p.first+by, p.end+by, p.own+int(by)
	for _, u := range [...]*uopIndex{&p.sync, &p.high, &p.flags, &p.load, &p.value, &p.execFirst, &p.exec, &p.result, &p.sta, &p.std, &p.update} {
		if *u != absent {
			*u += by
		}
	}
}

// start is a lowering with the memory of the one before.
func (k *kept) start(insts []machine.Inst) (p []parts, body []uop) {
	k.forget()
	if cap(k.insts) < len(insts) {
		k.insts = make([]parts, len(insts)+len(insts)/2)
	}
	return k.insts[:len(insts)], k.body[:0]
}
