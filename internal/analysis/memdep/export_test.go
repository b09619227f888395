package memdep

import "incore/internal/isa"

// Executor runs instructions one by one as Analyze does, for tests.
type Executor struct {
	c compiler
	m *machineState
	e isa.Effects
}

// Accessed is a memory operand of an instruction that is about to be executed.
type Accessed struct {
	Addr  uint64
	Size  int
	Known bool
}

func NewExecutor(a *isa.ISA, vectorBytes int) *Executor {
	p := &program{sem: a.Semantics, slots: int(isa.FirstReg) + a.Regs.Len(), memory: true}
	x := &Executor{c: compiler{program: p, isa: a}, m: newMachine(p, &Options{}, 1)}
	x.m.vl = uint64(vectorBytes)
	return x
}

// Reset forgets all registers and memory.
func (x *Executor) Reset() {
	x.m.mem.reset(1)
	x.m.forget()
}

func (x *Executor) Set(r isa.Reg, v uint64) { x.m.set(isa.RegSlot(r), v, exact) }

// Get returns the content of a register, if it is known.
func (x *Executor) Get(r isa.Reg) (uint64, bool) {
	v, state := x.m.get(isa.RegSlot(r))
	return v, state != invalid
}

// Store and Load access eight bytes of memory; known has a bit for each byte.
func (x *Executor) Store(addr, v uint64) { x.m.mem.write(addr, 8, v, exact) }

func (x *Executor) Load(addr uint64) (v uint64, known uint8) {
	w := x.m.mem.at(addr >> 3)
	return w.data, w.valid
}

// Prepare makes an instruction ready and returns what it will access; Execute runs it.
func (x *Executor) Prepare(l *isa.Line) []Accessed {
	p, m := x.c.program, x.m
	p.access, p.steps = p.access[:0], p.steps[:0]
	x.c.isa.Effects(&l.Inst, &x.e)
	p.body = append(p.body[:0], x.c.inst(0, l, &x.e))
	n := len(p.access)
	m.found, m.recording = make([][]record, n), true // as in the loop: what is not evaluated is unknown
	m.addr, m.known, m.size, m.stride = make([]uint64, n), make([]bool, n), make([]int, n), make([]uint64, n)
	m.storedAt = make([]uint64, m.iterations*n+n+1)
	out := make([]Accessed, n)
	for i := range p.access {
		a := &p.access[i]
		if m.size[i] = a.size; a.size == 0 && !a.unknown {
			m.size[i] = a.vector(int(m.vl))
		}
		out[i].Size = m.size[i]
		out[i].Addr, out[i].Known = m.address(a, &p.body[0])
	}
	return out
}

func (x *Executor) Execute() { x.m.execute(&x.c.program.body[0]) }
