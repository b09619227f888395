package sim

import (
	"incore/internal/machine"
)

// This file is the front end: it fills the queue of slots that dispatch takes from. Three
// sources are modelled: a µop cache (a number of slots per cycle, up to the end of an iteration
// whose branch is taken), a loop buffer (as the µop cache, with the body laid out several times) and the
// legacy decoders (16-byte blocks, instruction queue, one complex and several simple decoders).

// macro is an instruction as the front end sees it.
type macro struct {
	size   int32 // bytes
	opcode int32 // bytes before the opcode
	slots  int32 // slots it makes in the queue
	decode int32 // slots that the decoders make
	first  bool  // complex: only the first decoder takes it
	lcp    bool  // has a length-changing prefix
	fusing bool  // could fuse with the next instruction
	joined bool  // is decoded together with the one before it
}

// feed is the front end's state.
type feed struct {
	have, size, width int
	straight          int // slots per cycle while no branch is taken
	body              int // slots of one iteration, or of several laid out by a loop buffer
	once              int // slots of the kernel
	left              int // slots of the iteration still to fetch
	loop              bool
	legacy            bool
	c                 *Core
	insts             []macro
	bytes             int32 // of one iteration
	// legacy path
	pre, dec  int   // next instruction to predecode, to decode (index into insts)
	queued    int   // instructions between the two
	addr      int32 // address of the next instruction to predecode, modulo the block size
	stall     int   // cycles that the predecoder is busy with a length-changing prefix
	micro     int   // slots that the microcode sequencer still delivers
	switching int   // cycles of switching to microcode and back
}

func newFeed(c *Core, b *machine.Bound, body []uop, opt Options) feed {
	f := feed{c: c, width: c.FetchWidth, size: c.FetchQueue, loop: !opt.Unrolled && c.FetchWidth > 0}
	for i := range body {
		f.body += int(body[i].slots)
	}
	if f.width == 0 {
		f.width = c.Width
	}
	if f.size == 0 {
		f.size = 4 * f.width
	}
	f.once = f.body
	f.body *= max(1, opt.Copies)
	f.left = f.body
	if opt.Unrolled && c.Decoders > 0 {
		f.legacy = f.decoded(b, body)
	}
	f.straight = f.width
	if c.StraightWidth > 0 && constants(b) {
		f.straight = c.StraightWidth
	}
	if f.loop && len(c.LoopUnroll) > 0 {
		f.buffer()
	}
	return f
}

// buffer lays the loop out as the loop buffer does, if it fits there.
func (f *feed) buffer() {
	for _, r := range f.c.LoopUnroll {
		if f.body <= r.Slots {
			f.body *= r.Factor
			f.left, f.width, f.straight = f.body, f.c.Width, f.c.Width
			return
		}
	}
	if f.body <= f.size { // fits the queue, not unrolled
		f.width, f.straight = f.c.Width, f.c.Width
	}
}

// constants reports whether any instruction carries an immediate or a displacement.
func constants(b *machine.Bound) bool {
	q := b.Kernel.ISA.HasConstant
	for i := range b.Insts {
		if q != nil && q(&b.Insts[i].Line.Inst) {
			return true
		}
	}
	return false
}

// decoded prepares the legacy path; false if the sizes of the instructions are not known.
func (f *feed) decoded(b *machine.Bound, body []uop) bool {
	f.insts = make([]macro, len(b.Insts))
	for i := range b.Insts {
		in := &b.Insts[i]
		m := &f.insts[i]
		if m.size = int32(in.Line.Inst.Size); m.size == 0 {
			return false
		}
		if q := b.Kernel.ISA.OpcodeOffset; q != nil && f.c.CrossingCounts {
			m.opcode = int32(q(&in.Line.Inst))
		}
		m.decode = int32(in.Decode + 0.5)
		m.first = in.Flags&machine.Complex != 0 || m.decode > 1
		m.lcp = lengthChanging(b, i)
		m.joined = in.Flags&machine.FusedSecond != 0
		m.fusing = mayFuse(b, i)
		f.bytes += m.size
	}
	for i := range body {
		f.insts[body[i].inst].slots += int32(body[i].slots)
	}
	for i := range f.insts {
		f.insts[i].decode = max(f.insts[i].decode, min(1, f.insts[i].slots))
	}
	return len(f.insts) > 0
}

// lengthChanging reports whether an instruction's prefix changes the length of its immediate, which the
// predecoder finds out late.
func lengthChanging(b *machine.Bound, i int) bool {
	q := b.Kernel.ISA.LengthChanging
	return q != nil && q(&b.Insts[i].Line.Inst)
}

// mayFuse reports whether the core fuses an instruction with a suitable branch behind it.
func mayFuse(b *machine.Bound, i int) bool {
	q := b.Kernel.ISA.FusesFirst
	if q == nil {
		return false
	}
	kind := q(&b.Insts[i].Line.Inst)
	return kind != "" && b.Model.Fuses(kind)
}

// fill brings the queue up by a cycle's work.
func (f *feed) fill() {
	if f.legacy {
		f.decode()
		f.predecode()
		return
	}
	width := f.straight
	if f.loop && f.left == f.body { // behind a taken branch
		width = f.width
	}
	n := min(width, f.size-f.have)
	if f.loop && f.body > 0 {
		n = min(n, f.left)
		if f.left -= n; f.left == 0 {
			f.left = f.body
		}
	}
	f.have += n
}

func (f *feed) take(n int) { f.have -= n }

// decode moves instructions from the instruction queue to the slot queue.
func (f *feed) decode() {
	c := f.c
	if f.switching > 0 {
		f.switching--
		return
	}
	if f.micro > 0 {
		n := min(c.Width, f.micro, max(0, f.size-f.have))
		f.have, f.micro = f.have+n, f.micro-n
		if f.micro == 0 {
			f.switching = c.MicrocodeStall / 2
		}
		return
	}
	made := int32(0)
	for d := 0; d < c.Decoders && f.queued > 0; d++ {
		m := &f.insts[f.dec]
		joined := f.dec+1 < len(f.insts) && f.insts[f.dec+1].joined
		if d > 0 && (m.first || made+m.decode > int32(c.DecodeSlots)) || f.have+int(m.slots) > f.size && f.have > 0 {
			return
		}
		if joined && f.queued < 2 {
			return // its partner is not there yet
		}
		if d == c.Decoders-1 && m.fusing && !c.FuseLastDecoder {
			return
		}
		made += m.decode
		f.advance()
		if joined {
			f.advance()
		}
		if m.slots > int32(c.ComplexSlots) && c.ComplexSlots > 0 {
			f.micro, f.switching = int(m.slots), (c.MicrocodeStall+1)/2
			return
		}
		f.have += int(m.slots)
	}
}

func (f *feed) advance() {
	f.queued--
	if f.dec++; f.dec == len(f.insts) {
		f.dec = 0
	}
}

// predecode finds the boundaries of a cycle's instructions: those that end in the present block, and
// the one whose first byte lies in it but which ends in the next, count against the block.
func (f *feed) predecode() {
	c := f.c
	if f.stall > 0 {
		f.stall--
		return
	}
	block := int32(c.PredecodeBytes)
	for n := 0; ; n++ {
		if next := &f.insts[f.pre]; f.addr+next.size > block { // reaches into the next block: found there, in the next cycle
			if n < c.PredecodeInsts || !c.CrossingCounts || f.addr+next.opcode >= block {
				f.addr -= block
			}
			return
		}
		if n == c.PredecodeInsts || f.queued >= c.InstructionQueue {
			return
		}
		m := &f.insts[f.pre]
		end := f.addr + m.size
		if m.lcp && f.stall == 0 {
			f.stall = c.LCPStall
		}
		f.addr = end
		f.queued++
		if f.pre++; f.pre == len(f.insts) {
			f.pre = 0
		}
		if f.addr == block {
			f.addr = 0
			return
		}
	}
}
