package trace

import (
	"bufio"
	"context"
	_ "embed" // the plugin
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"incore/internal/isa"
	"incore/internal/program/qemu"
)

//go:embed csrc/trace.c
var pluginSource string

// Events of the plugin.
const (
	eventBytes = 16
	kindLoad   = iota - 1
	kindStore
	kindBlock
	kindDefinition
	kindInstruction
	kindCode
	kindFork
	kindThread
	kindBias
	kindEnd = 255
)

// event is one event.
type event struct {
	addr uint64
	id   uint32
	n    uint16
	kind uint8
	size uint8
}

// emulated runs programs under QEMU.
type emulated struct {
	t       *tracer
	version string
	blocks  []*translated
	now     *translated // the block that is being executed
	touched []event     // its accesses so far
	words   []uint64
	key     []byte
	vtype   isa.VType
	types   map[isa.VType]byte
	module  module
	noted   map[string]bool
	effects isa.Effects
}

// translated is a translated block of QEMU. The number of accesses of an instruction may differ between executions, as with vectors of any length; each variant is
// a Block.
type translated struct {
	lines    []isa.Line
	variants map[string]*variant
	last     *variant
	lastKey  string
}

type variant struct {
	id    int
	block *Block
	after isa.VType
}

func (x *emulated) method() string {
	return "under QEMU: " + x.version
}

func (x *emulated) run(ctx context.Context, t *tracer) error {
	x.t, x.types, x.noted = t, map[isa.VType]byte{}, map[string]bool{}
	f, o := t.file, t.o
	dir, remove, err := qemu.Dir("incore-trace-")
	if err != nil {
		return err
	}
	defer remove()
	last := make([]byte, eventBytes)
	last[14] = kindEnd
	p := qemu.Program{ISA: f.ISA.Name, Path: f.Path, Args: o.Args[1:], CPU: o.CPU, Sysroot: o.Sysroot, Limit: o.Limit, Stdin: o.Stdin, Stdout: o.Stdout, Stderr: o.Stderr}
	e, err := p.Run(ctx, dir, &qemu.Watch{Name: "trace", Source: pluginSource, Read: x.consume, Last: last})
	if err != nil {
		return err
	}
	x.version, t.signal, t.partial = e.Version, e.Signal, append(t.partial, e.Partial...)
	if len(x.blocks) == 0 {
		return fmt.Errorf("%s: nothing was seen of the program", e.Emulator)
	}
	return nil
}

// errDamaged is the error for an inconsistent record.
var errDamaged = errors.New("the record of the program is damaged")

// consume reads all events.
func (x *emulated) consume(pipe io.Reader) error {
	in := bufio.NewReaderSize(pipe, 1<<20)
	var raw [eventBytes]byte
	var failed error // further events are still read, so that the program does not block
	for n := 0; ; n++ {
		if _, err := io.ReadFull(in, raw[:]); err != nil {
			return errors.Join(failed, err)
		}
		e := event{binary.LittleEndian.Uint64(raw[:]), binary.LittleEndian.Uint32(raw[8:]), binary.LittleEndian.Uint16(raw[12:]), raw[14], raw[15]}
		if e.kind == kindEnd {
			x.visit()
			return failed
		}
		if failed == nil {
			failed = x.take(e, in)
		}
		if n%4096 == 0 {
			x.t.tell(false)
		}
	}
}

// take processes an event.
func (x *emulated) take(e event, in io.Reader) error {
	switch e.kind {
	case kindLoad, kindStore:
		x.touched = append(x.touched, e)
	case kindBlock:
		x.visit()
		if int(e.id) >= len(x.blocks) {
			return errDamaged
		}
		x.now = x.blocks[e.id]
	case kindDefinition:
		return x.define(e, in)
	case kindFork:
		x.note("it starts other processes, which are not traced")
	case kindThread:
		x.note("it starts threads; the first alone is traced")
	case kindBias:
		lo, hi := uint64(0), ^uint64(0)
		if fns := x.t.file.Functions(); len(fns) > 0 {
			lo, hi = fns[0].Addr+e.addr, fns[len(fns)-1].End()+e.addr
		}
		x.module = module{x.t.file.Path, lo, hi, e.addr}
		x.t.region.bias = e.addr
	default:
		return errDamaged
	}
	return nil
}

func (x *emulated) note(text string) {
	if !x.noted[text] {
		x.noted[text] = true
		x.t.partial = append(x.t.partial, text)
	}
}

// define reads the instructions of a block.
func (x *emulated) define(e event, in io.Reader) error {
	b := &translated{variants: map[string]*variant{}}
	a := x.t.file.ISA
	var raw [2 * eventBytes]byte
	for range e.n {
		if _, err := io.ReadFull(in, raw[:]); err != nil {
			return err
		}
		if raw[14] != kindInstruction {
			return errDamaged
		}
		l := isa.Line{Addr: binary.LittleEndian.Uint64(raw[:])}
		size := min(raw[15], 16)
		n, err := a.Decode(raw[eventBytes:eventBytes+int(size)], l.Addr, &l.Inst)
		if err != nil || n == 0 {
			l.Inst, l.Err = isa.Inst{}, err
		}
		l.Inst.Size = size
		b.lines = append(b.lines, l)
	}
	if int(e.id) != len(x.blocks) || len(b.lines) == 0 {
		return errDamaged
	}
	x.blocks = append(x.blocks, b)
	return nil
}

// visit passes the executed block to the recorder.
func (x *emulated) visit() {
	b := x.now
	x.now = nil
	if b == nil {
		x.touched = x.touched[:0]
		return
	}
	kind, ok := x.types[x.vtype]
	if !ok {
		kind = byte(len(x.types))
		x.types[x.vtype] = kind
	}
	x.key, x.words = append(x.key[:0], kind), x.words[:0]
	for i := range x.touched {
		e := &x.touched[i]
		x.key = append(x.key, byte(e.id), byte(e.id>>8), e.kind, e.size)
		x.words = append(x.words, e.addr)
	}
	if b.last == nil || b.lastKey != string(x.key) {
		v := b.variants[string(x.key)]
		if v == nil {
			v = x.variant(b)
			b.variants[string(x.key)] = v
		}
		b.last, b.lastKey = v, string(x.key)
	}
	x.touched = x.touched[:0]
	x.vtype = b.last.after
	if traced, first := x.t.region.follow(b.last.block); traced {
		if first {
			x.t.rec.Gap()
		}
		x.t.visit(b.last.id, x.in, x.words)
	}
}

// variant makes a block with the accesses of this execution.
func (x *emulated) variant(b *translated) *variant {
	a := x.t.file.ISA
	lines := make([]isa.Line, len(b.lines))
	copy(lines, b.lines)
	now := x.vtype
	if a.Configure != nil {
		for i := range lines {
			after, uses := a.Configure(&lines[i].Inst, now)
			if uses {
				lines[i].Inst.VType = now
			}
			now = after
		}
	}
	var accesses []Access
	for i := range x.touched {
		e := &x.touched[i]
		line := min(int(e.id), len(lines)-1)
		y := Access{Line: line, Bytes: max(1, int(e.size)), Load: e.kind == kindLoad, Store: e.kind == kindStore}
		a.Effects(&lines[line].Inst, &x.effects)
		for k := range x.effects.Mem {
			if m := &x.effects.Mem[k]; y.Load && m.Load || y.Store && m.Store {
				y.Mem = k
				break
			}
		}
		if y.Mem < len(x.effects.Mem) {
			accesses = append(accesses, y)
			continue
		}
		y.Load, y.Store = false, false // the tables contain no access there
		accesses = append(accesses, y)
	}
	v := &variant{block: NewBlock(a, lines, accesses), after: now}
	v.id = x.t.add(v.block)
	return v
}

// in returns the module that contains an address, nil if it is not the program's.
func (x *emulated) in(addr uint64) *module {
	if addr >= x.module.lo && addr < x.module.hi {
		return &x.module
	}
	return nil
}
