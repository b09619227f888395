package sim

import (
	"incore/internal/analysis/uops"
	"incore/internal/machine"
)

// This file is a core in which nothing is in flight: what is left of its state decides how it executes what follows.

// Rest is what is left of the state of a core when nothing is in flight.
type Rest struct {
	emptied bool                    // code was executed before
	loads   portSet                 // the next port of each pair of load ports (binding.turn)
	unit    portSet                 // the next of the units that take µops in turn
	turns   [machine.MaxGroups]int8 // the next partition of steering by turns
	passed  [uops.MaxPorts]int8     // resultBus.passed
	stack   bool                    // push or pop has moved the stack pointer since an instruction read it
	learnt  []learnt                // entries of the memory-dependence predictor
}

// Emptied is all that is left where nothing is known of the code before.
var Emptied = Rest{emptied: true}

// learnt is an entry of the predictor that is not as at the start.
type learnt struct {
	class int32
	predictorEntry
}

// rest returns what is left of the state. moved is Rest.stack.
func (p *pipeline) rest(moved bool) Rest {
	r := Rest{emptied: true, loads: p.sched.binding.turn, unit: p.exec.turn, stack: moved}
	if p.core.ResultBus.Ports != 0 {
		r.passed = p.bus.passed
	}
	for k, g := range p.sched.groups {
		r.turns[k] = g.turns.next
	}
	if p.memory.learnt {
		for class, e := range p.memory.predictor {
			if e != (predictorEntry{}) {
				r.learnt = append(r.learnt, learnt{int32(class), e})
			}
		}
	}
	return r
}

// begin lets a pipeline that has been reset begin with a µop of its body. The earlier ones have retired.
func (p *pipeline) begin(first seqNo, r *Rest) {
	for at := range first {
		p.ring[at&p.mask].issued = longAgo
	}
	if r.emptied {
		p.stalled = 0
	}
	p.head, p.tail, p.rename.next = first, first, uopIndex(first)
	p.sched.binding.turn = r.loads
	if r.unit != 0 {
		p.exec.turn = r.unit
	}
	p.bus.passed = r.passed
	for k, g := range p.sched.groups {
		g.turns.next = r.turns[k]
	}
	for _, e := range r.learnt {
		p.memory.predictor[e.class], p.memory.learnt = e.predictorEntry, true
	}
}

// longAgo is a time before the first cycle by more than any latency.
const longAgo = cycle(-1 << 20)

// Key returns a number that tells rests apart. What is only there sometimes begins with a bit of its own.
func (r *Rest) Key() uint64 {
	h := uint64(1)
	add := func(x uint64) { h = (h ^ x) * 0x9e3779b97f4a7c15; h ^= h >> 29 }
	add(uint64(r.loads))
	add(uint64(r.unit))
	for _, n := range r.turns {
		add(uint64(n))
	}
	add(bit(r.stack, 0) | bit(r.emptied, 1))
	for port, n := range r.passed {
		if n != 0 {
			add(1<<16 | uint64(port)<<8 | uint64(uint8(n)))
		}
	}
	for _, e := range r.learnt {
		add(1<<17 | uint64(e.class)<<32 | bit(e.waits, 18))
		add(uint64(uint32(e.vain)))
	}
	return h
}

// bit returns a bit of a number that stands for a condition.
func bit(is bool, k uint) uint64 {
	if is {
		return 1 << k
	}
	return 0
}
