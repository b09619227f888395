package sim

import "incore/internal/analysis/frontend"

// This file is the pipeline: its units, and a cycle of each of its stages. It knows nothing of instruction sets or cores: a program is a loop
// of µops with dependences (lower.go makes it), a core is a handful of numbers (Core).

// pipeline is the state of one simulation. Its memory is kept for the next one.
type pipeline struct {
	window              // µops in flight, and the clock
	rename renamer      // rename and allocation
	sched  scheduler    // partitions and their entries; how µops get one
	wheel  wheel        // µops all of whose operands are on their way
	pool   waiterPool   // µops some of whose producers have not issued
	ready  readyList    // µops that wait for ports
	order  programOrder // issue of cores that issue so
	vain   vainRequests // of speculative wake-up
	exec   execution    // ports
	bus    resultBus
	memory loadStore
	rob    reorderBuffer
	regs   registers // physical registers
	supply supply    // what the front end gave
	detect detector
	trace  func(Event)
}

// reset prepares a pipeline for a core and the body of a loop whose loads share so many entries of the memory-dependence predictor.
func (p *pipeline) reset(core *Core, body []uop, classes int) {
	p.window.reset(core, body)
	p.units(classes)
	p.detect.reset(p)
}

// resetRun prepares it for µops that are dispatched once.
func (p *pipeline) resetRun(core *Core, body []uop, classes int) {
	p.window.resetRun(core, body)
	p.units(classes)
}

// units prepares the units.
func (p *pipeline) units(classes int) {
	w := &p.window
	p.rename.reset(w)
	p.sched.reset(w)
	p.wheel.reset(w)
	p.pool.reset()
	p.ready.reset(w)
	p.order.reset(w)
	p.vain.reset(w, &p.pool)
	p.exec.reset(w)
	p.bus.reset(w)
	p.memory.reset(w, classes)
	p.rob.reset(w)
	p.regs.reset(w.core)
	p.supply.reset(w)
	p.trace = nil
}

// run simulates a cycle with what the front end delivers, and those behind it in which nothing but the front end does anything, up to a cycle.
func (p *pipeline) run(front *frontend.Feed, until cycle) {
	front.Fill()
	offered, owed := front.Have(), p.rename.debt
	taken := p.step(offered)
	front.Take(taken)
	p.supply.note(offered, taken, owed, p.rename.held)
	if taken == 0 && p.idle() {
		p.skip(front, min(until, p.nextEvent()))
	}
}

// idle reports whether the cycles that come are like the one before, which dispatched nothing, until a µop retires or becomes ready: dispatch waits for that, and no µop
// waits for a port.
func (p *pipeline) idle() bool {
	if p.ready.waiting > 0 || p.now < p.core.stalled || p.core.InOrder || len(p.sched.groups) > 0 || p.rename.debt > 0 || p.rob.debt > 0 {
		return false
	}
	switch p.rename.held {
	case ROBFull, SchedulerFull, LoadQueueFull, StoreQueueFull, RegistersFull:
		return true
	}
	return false
}

// nextEvent is the next cycle in which a µop retires or becomes ready.
func (p *pipeline) nextEvent() cycle {
	next := p.wheel.next()
	if p.head < p.tail {
		if x := &p.ring[p.head&p.mask]; x.issued != notYet {
			next = min(next, x.issued+p.body[x.uop].done)
		}
	}
	return next
}

// skip goes on to a cycle before which only the front end does anything.
func (p *pipeline) skip(front *frontend.Feed, to cycle) {
	if to <= p.now {
		return
	}
	p.rename.stalls[p.rename.held] += int64(to - p.now)
	p.vain.clear()
	p.bus.advanceTo(to)
	for ; p.now < to; p.now++ {
		front.Fill()
		p.supply.cycles = append(p.supply.cycles, taken{})
	}
}

// step simulates a cycle in which the front end offers so many slots. It returns how many of them were taken. They are renamed and allocated, and steered to
// a partition of the scheduler; µops are woken up by their operands, selected for a port and executed; they are committed and retired. Each stage works on what the
// one before it has made in earlier cycles, so the last comes first.
func (p *pipeline) step(offered int) (taken int) {
	p.sched.begin()
	p.retire()
	p.wakeUp()
	p.bus.advance()
	p.issue()
	taken = p.dispatch(offered)
	p.steer()
	p.now++
	return taken
}
