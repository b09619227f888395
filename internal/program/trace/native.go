package trace

import (
	"context"
	"encoding/binary"
	"strings"

	"incore/internal/isa"
	"incore/internal/object"
	"incore/internal/program/dbi"
	"incore/internal/program/tracee"
)

// native runs x86-64 programs as a translation of their own code (package dbi).
type native struct {
	t       *tracer
	plans   []plan
	words   []uint64
	modules []module
	thread  uint64
	located bool
}

// plan describes the layout of a block's record.
type plan struct {
	id    int
	block *Block
	words int // bytes of its record
	reads []read
}

// read is the position of an access's address in a record.
type read struct {
	at, counts int // in bytes; counts: for a repeated access the position of its counter before and, in the next word, after it; −1 for others
	size       uint64
	index      int // for a gather the position of the element's index in bytes, −1 for others
	bits       int // bits of that index
	scale      uint64
	base       uint64
}

func (n *native) method() string {
	return "native: the program's own code, with its path and addresses recorded"
}

func (n *native) run(ctx context.Context, t *tracer) error {
	n.t = t
	o := t.o
	r, err := dbi.Run(ctx, t.file.ISA, dbi.Options{Args: o.Args, Stdin: o.Stdin, Stdout: o.Stdout, Stderr: o.Stderr, Addresses: true, Limit: o.Limit, Consume: n.consume})
	if err != nil {
		return err
	}
	for _, s := range r.Uncount {
		t.partial = append(t.partial, strings.ReplaceAll(s, "counted", "traced"))
	}
	if r.Ended != "" {
		t.partial = append(t.partial, "the program was "+r.Ended)
	}
	if why := tracee.Reason(r.Signal, r.Exit); why != "" && r.Ended == "" {
		t.partial, t.signal = append(t.partial, why), r.Signal
	}
	t.tell(true)
	return nil
}

// locate finds the files that contain the executed code.
func (n *native) locate(r *dbi.Result) {
	for i := len(n.modules); i < len(r.Modules); i++ {
		m := r.Modules[i]
		bias, err := object.Bias(m.Path, m.Lo, m.Offset)
		if err != nil {
			n.modules = append(n.modules, module{})
			continue
		}
		n.modules = append(n.modules, module{m.Path, m.Lo, m.Hi, bias})
		if m.Path == n.t.file.Path && !n.located {
			n.located, n.t.region.bias = true, bias
		}
	}
}

func (n *native) module(addr uint64) *module {
	for i := range n.modules {
		if m := &n.modules[i]; addr >= m.lo && addr < m.hi {
			return m
		}
	}
	return nil
}

// consume reads a record.
func (n *native) consume(r *dbi.Result, record []byte) {
	n.thread = r.Thread
	n.locate(r)
	for i := len(n.plans); i < len(r.Blocks); i++ {
		n.plans = append(n.plans, n.plan(r.Blocks[i]))
	}
	t := n.t
	for at := 0; at+8 <= len(record); {
		id := binary.LittleEndian.Uint64(record[at:])
		if id >= uint64(len(n.plans)) {
			return
		}
		p := &n.plans[id]
		end := at + 8 + p.words
		if end > len(record) {
			return
		}
		if traced, first := t.region.follow(p.block); traced {
			if first {
				t.rec.Gap()
			}
			t.visit(p.id, n.module, n.read(p, record[at+8:end]))
		}
		at = end
	}
	t.tell(false)
}

// plan makes a block from translated code.
func (n *native) plan(b *dbi.Block) plan {
	p := planOf(n.t.file.ISA, b.Insts, n.thread)
	p.words = 8 * b.Words
	p.id = n.t.add(p.block)
	return p
}

// planOf makes a block from some of the translated instructions. thread is the base address of the thread-local storage.
func planOf(a *isa.ISA, insts []dbi.Inst, thread uint64) (p plan) {
	lines := make([]isa.Line, len(insts))
	var accesses []Access
	for i := range insts {
		in := &insts[i]
		lines[i] = isa.Line{Inst: in.Inst, Addr: in.Addr}
		for k := range in.Mem {
			m := &in.Mem[k]
			if m.Address < 0 {
				continue
			}
			x := read{at: 8 * m.Address, counts: -1, index: -1, size: uint64(m.Bits) / 8 * uint64(max(1, m.Elems))}
			if m.Thread {
				x.base = thread
			}
			y := Access{Line: i, Mem: k, Bytes: int(x.size), Load: m.Load, Store: m.Store}
			switch {
			case m.Count >= 0:
				x.counts, x.size, y.Bytes = 8*m.Count, max(1, uint64(m.Bits)/8), 0
			case m.Indices >= 0:
				x.size, x.bits, x.scale = max(1, uint64(m.Bits)/8), m.IndexBits, uint64(max(1, m.Scale))
				y.Bytes = int(x.size)
				for e := range max(1, int(m.Elems)) {
					x.index = 8*m.Indices + e*m.IndexBits/8
					p.reads, accesses = append(p.reads, x), append(accesses, y)
				}
				continue
			case x.size == 0:
				continue
			}
			p.reads, accesses = append(p.reads, x), append(accesses, y)
		}
	}
	p.block = NewBlock(a, lines, accesses)
	return p
}

// read takes the addresses from a record.
func (n *native) read(p *plan, record []byte) []uint64 {
	n.words = p.read(n.words[:0], record)
	return n.words
}

// read appends the words of the block's accesses.
func (p *plan) read(words []uint64, record []byte) []uint64 {
	for i := range p.reads {
		x := &p.reads[i]
		addr := binary.LittleEndian.Uint64(record[x.at:]) + x.base
		switch {
		case x.index >= 0 && x.bits == 32:
			addr += uint64(int64(int32(binary.LittleEndian.Uint32(record[x.index:])))) * x.scale
		case x.index >= 0:
			addr += binary.LittleEndian.Uint64(record[x.index:]) * x.scale
		}
		words = append(words, addr)
		if x.counts >= 0 {
			times := binary.LittleEndian.Uint64(record[x.counts:]) - binary.LittleEndian.Uint64(record[x.counts+8:])
			if times > 1<<40 {
				times = 0
			}
			words = append(words, times*x.size)
		}
	}
	return words
}
