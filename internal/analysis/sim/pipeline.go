package sim

import (
	"math"

	"incore/internal/analysis/frontend"
)

// This file is the pipeline: its units, and the stages of one cycle. It does not depend on instruction sets or particular cores: a program is a loop
// of µops with dependences (package uops), a core is a set of parameters (Core).

// pipeline is the state of one simulation. Its memory is reused for the next one.
type pipeline struct {
	window              // µops in flight, and the clock
	rename renamer      // rename and allocation
	sched  scheduler    // partitions and their entries, and the allocation of entries
	wheel  wheel        // µops with known arrival times of all operands
	ready  readyList    // ready µops that wait for ports
	order  programOrder // issue of in-order cores
	vain   vainRequests // of speculative wake-up
	exec   execution    // ports
	bus    resultBus
	memory loadStore
	rob    reorderBuffer
	regs   registers // physical registers
	supply supply    // slots from the front end
	detect detector
	trace  func(Event)

	list       []unit
	classes    int   // entries of the memory-dependence predictor that the body's loads share
	stalled    cycle // no issue before this cycle (Core.Stalled)
	everyCycle bool  // no cycle is skipped (Options.everyCycle)
}

// unit is the contract of a unit. The pipeline resets, skips and compares its units in one list.
type unit interface {
	// reset prepares the unit for the pipeline's core and body.
	reset(p *pipeline)
	// advance passes n cycles in which no µop is dispatched, issues or retires.
	advance(n cycle)
	// mark stores, as mark k, the state on which the future depends, as far as it does not follow from the µops in flight.
	mark(k int)
	// recurs reports whether that state is the same as at mark k: times are relative to the cycle, µops to the oldest one.
	recurs(k int) bool
}

// never is the time of an event that does not come.
const never = cycle(math.MaxInt32)

// timeless is a unit whose state changes only with the µops that it handles.
type timeless struct{}

func (timeless) advance(cycle) {}

// derived is a unit whose state follows from the µops in flight.
type derived struct{}

func (derived) mark(int)        {}
func (derived) recurs(int) bool { return true }

// units returns the units. The list is made once, as it is used in every idle phase of a simulation.
func (p *pipeline) units() []unit {
	if p.list == nil {
		p.list = []unit{&p.rename, &p.sched, &p.wheel, &p.ready, &p.order, &p.vain, &p.exec, &p.bus, &p.memory, &p.rob,
			&p.regs, &p.supply}
	}
	return p.list
}

// reset prepares a pipeline for a core and a loop body. The second number is the size of the memory-dependence predictor that its loads share.
func (p *pipeline) reset(core *Core, body []uop, classes int) {
	p.window.reset(core, body)
	p.prepare(classes)
	p.detect.reset(p)
}

// resetRun prepares the pipeline for µops that are dispatched once.
func (p *pipeline) resetRun(core *Core, body []uop, classes int) {
	p.window.resetRun(core, body)
	p.prepare(classes)
}

// prepare resets the units.
func (p *pipeline) prepare(classes int) {
	p.trace, p.everyCycle, p.classes, p.stalled = nil, false, classes, p.core.Stalled
	for _, u := range p.units() {
		u.reset(p)
	}
}

// run simulates a cycle with the front end's slots, and then skips the following cycles in which only the front end works, up to a given cycle.
func (p *pipeline) run(front *frontend.Feed, until cycle) {
	front.Fill()
	offered, owed := front.Have(), p.rename.debt
	taken := p.step(offered)
	front.Take(taken)
	p.supply.note(offered, taken, owed, p.rename.held)
	if taken == 0 && !p.everyCycle && p.idle() {
		p.skip(front, min(until, p.nextEvent()))
	}
}

// idle reports whether the following cycles repeat the last one, which dispatched nothing, until a µop retires or becomes ready: dispatch waits for
// that, and no µop waits for a port.
func (p *pipeline) idle() bool {
	if p.ready.waiting > 0 || p.now < p.stalled || p.core.InOrder || len(p.sched.groups) > 0 || p.rename.debt > 0 || p.rob.debt > 0 {
		return false
	}
	switch p.rename.held {
	case ROBFull, SchedulerFull, LoadQueueFull, StoreQueueFull, RegistersFull, BranchesFull, Fenced:
		return true
	}
	return false
}

// nextEvent returns the next cycle in which a µop retires or becomes ready, or an entry becomes free. All other units
// wait for these.
func (p *pipeline) nextEvent() cycle {
	return min(p.rob.event(), p.wheel.event(), p.memory.event())
}

// skip advances to a cycle before which only the front end works.
func (p *pipeline) skip(front *frontend.Feed, to cycle) {
	if to <= p.now {
		return
	}
	for _, u := range p.units() {
		u.advance(to - p.now)
	}
	for ; p.now < to; p.now++ {
		front.Fill()
	}
}

// step simulates a cycle in which the front end offers a number of slots, and returns the number of slots taken. The stages are: rename, allocation
// and steering to a partition of the scheduler; wake-up by the operands, selection for a port, execution; retirement. Each stage works on µops that
// the stage before it finished in earlier cycles, so the last stage runs first.
func (p *pipeline) step(offered int) (taken int) {
	p.sched.begin()
	p.retire()
	p.wakeUp()
	p.bus.advance(1)
	p.issue()
	taken = p.dispatch(offered)
	p.steer()
	p.now++
	return taken
}
