package frontend

import "incore/internal/machine"

// This file models the legacy decoders: a predecoder that finds instructions in blocks of code, a queue of instructions, and the decoders.

// macro is an instruction in the front end.
type macro struct {
	size   int32 // bytes
	opcode int32 // bytes before the opcode
	slots  int32 // slots in the queue
	decode int32 // slots in the decoders
	first  bool  // complex: only the first decoder takes it
	micro  bool  // its slots come from the microcode sequencer
	group  int32 // most instructions that the decoders take in a cycle that begins with it, 0 = limited by their slots only
	lcp    bool  // has a length-changing prefix
	joined bool  // it is decoded together with the instruction before it
	pair   bool  // it is decoded together with the next instruction
	early  bool  // the last decoder does not take it, because it might fuse with the next one
	// For loops that the µop cache does not hold completely (place):
	at     int32 // address, modulo the size of a predecoded block
	cached bool  // it comes from the µop cache
	branch bool  // a jump, taken or not
	taken  bool  // the next instruction is at another address
}

// decoded prepares the legacy path; it returns false if the sizes of the instructions are not known.
func (k *code) decoded(b *machine.Bound, start int) bool {
	k.insts = make([]macro, len(b.Insts))
	for i := range b.Insts {
		in := &b.Insts[i]
		m := &k.insts[i]
		if m.size = int32(in.Line.Inst.Size); m.size == 0 {
			return false
		}
		if q := b.Kernel.ISA.OpcodeOffset; q != nil && k.c.Predecode.Crossing {
			m.opcode = int32(q(&in.Line.Inst))
		}
		m.decode = int32(in.Decode + 0.5)
		m.first, m.group = in.Flags&machine.Complex != 0 || m.decode > 1, int32(in.Group)
		m.lcp = lengthChanging(b, i)
		m.joined = in.Flags&machine.FusedSecond != 0
		m.early = !k.c.Decoding.FuseLast && mayFuse(b, i)
		if m.joined && i > 0 {
			k.insts[i-1].pair = true
		}
		k.bytes += m.size
	}
	for i, n := range k.slots {
		k.insts[i].slots = n
		k.insts[i].micro = k.c.Decoding.Complex > 0 && (n > int32(k.c.Decoding.Complex) || b.Insts[i].Flags&machine.Microcode != 0) && b.Insts[i].Flags&machine.NoSwitch == 0
	}
	k.entry = int32(start % max(1, k.c.Predecode.Bytes))
	for i := range k.insts {
		k.insts[i].decode = max(k.insts[i].decode, min(1, k.insts[i].slots))
	}
	return len(k.insts) > 0
}

// lengthChanging reports whether an instruction's prefix changes the length of its immediate, which costs the predecoder extra cycles.
func lengthChanging(b *machine.Bound, i int) bool {
	q := b.Kernel.ISA.LengthChanging
	return q != nil && q(&b.Insts[i].Line.Inst)
}

// mayFuse reports whether the core fuses an instruction with a suitable branch after it.
func mayFuse(b *machine.Bound, i int) bool {
	q := b.Kernel.ISA.FusesFirst
	if q == nil {
		return false
	}
	kind := q(&b.Insts[i].Line.Inst)
	return kind != "" && b.Model.Fuses(kind)
}

// decode moves instructions from the instruction queue to the slot queue.
func (f *Feed) decode() {
	if f.switching|f.micro != 0 && f.sequence() {
		return
	}
	made, at, most := int32(0), f.dec, f.c.Decoders // fields that change are kept in variables, because they are read often
	have, queued, fits := f.have, f.queued, int32(f.c.DecodeSlots)
	for d := 0; d < most && queued > 0; d++ {
		m := &f.insts[at]
		if d == 0 && m.group > 0 {
			most = min(most, int(m.group))
		}
		if d > 0 && (m.first || made+m.decode > fits) || have+int(m.slots) > f.size && have > 0 {
			break
		}
		if m.pair && queued < 2 {
			break // the instruction to fuse with is not predecoded yet
		}
		if m.early && d == f.c.Decoders-1 {
			break
		}
		made += m.decode
		last := m
		queued, at = queued-1, f.behind(at)
		if m.pair {
			last = &f.insts[at]
			queued, at = queued-1, f.behind(at)
		}
		if m.micro {
			f.toMicrocode(m, d == 0)
			break
		}
		have += int(m.slots)
		if last.branch {
			break
		}
	}
	f.dec, f.have, f.queued = at, have, queued
}

// behind returns the index of the instruction after one.
func (f *Feed) behind(at int) int {
	if at++; at == len(f.insts) {
		return 0
	}
	return at
}

// predecode finds the boundaries of a cycle's instructions. A block's limit counts the instructions that end in it, and also the instruction that
// ends in the next block if its first byte is in this one.
func (f *Feed) predecode() {
	c := f.c
	if f.stall > 0 {
		f.stall--
		return
	}
	if f.stopped {
		return
	}
	block, at, addr, queued := int32(c.Predecode.Bytes), f.pre, f.addr, f.queued
	for n := 0; ; n++ {
		m := &f.insts[at]
		end := addr + m.size
		if end > block { // reaches into the next block: found there, in the next cycle
			if n < c.Predecode.Insts || !c.Predecode.Crossing || addr+m.opcode >= block {
				addr -= block
			}
			break
		}
		if n == c.Predecode.Insts || queued >= c.Predecode.Queue {
			break
		}
		if m.lcp {
			f.stall += c.Predecode.LCP
		}
		addr = end
		queued++
		at = f.behind(at)
		if m.branch && f.insts[at].cached {
			f.stopped = true
			break
		}
		if m.taken {
			addr = f.insts[at].at
			break
		}
		if addr == block {
			addr = 0
			break
		}
	}
	f.pre, f.addr, f.queued = at, addr, queued
}
