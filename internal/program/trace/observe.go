package trace

import (
	"context"
	"encoding/binary"
	"os"
	"slices"
	"strings"
	"time"

	"incore/internal/object"
	"incore/internal/program/dbi"
)

// ObserveOptions selects the executions that Observe records.
type ObserveOptions struct {
	Args                  []string
	Dir                   string // working directory, "": the current one
	Entry, Exit           uint64 // the region by addresses of the file; it ends before the instruction at Exit, or, if Exit is 0, when the function at Entry returns
	First, Last           uint64 // executions of the region, from 1; the program is stopped after Last; Last 0: it runs to its end
	Words                 int    // greatest number of recorded words; later blocks are only counted
	Limit                 time.Duration
	Stdin, Stdout, Stderr *os.File
}

// Visits holds the executed blocks of a region, in the order of execution.
type Visits struct {
	Blocks  []ObservedBlock
	Calls   uint64   // number of entries into the region
	Partial []string // reasons for an incomplete observation
	Whole   bool     // the record is complete
	words   []uint64 // for each visit the block's number, with the highest bit set after other code, and the words of its accesses
}

// ObservedBlock is a block of a file.
type ObservedBlock struct {
	*Block
	File  *object.File // nil: no file that can be read
	Bias  uint64       // difference of its addresses to those in the file
	Count uint64       // executions
	words int          // words of a visit after the number
}

const afterOthers = 1 << 63

// Walk calls do for each visit of the record. first reports that other code was executed before it.
func (v *Visits) Walk(do func(block int, first bool, words []uint64)) {
	for at := 0; at < len(v.words); {
		id := int(v.words[at] &^ afterOthers)
		end := at + 1 + v.Blocks[id].words
		do(id, v.words[at]&afterOthers != 0, v.words[at+1:end])
		at = end
	}
}

// Feed passes the record to a recorder.
func (v *Visits) Feed(r *Recorder) {
	ids := make([]int, len(v.Blocks))
	for i := range v.Blocks {
		b := *v.Blocks[i].Block
		b.visited = 0
		ids[i] = r.Add(&b)
	}
	v.Walk(func(block int, first bool, words []uint64) {
		if first {
			r.Gap()
		}
		r.Visit(ids[block], words)
	})
}

// observer reads a program's record.
type observer struct {
	native
	o       *ObserveOptions
	v       *Visits
	cancel  func()
	region  region
	files   map[string]*object.File
	parts   []part
	inside  bool
	number  uint64 // number of the current call
	between bool   // other code was executed since the last visit
}

// part is a translated block and the plans to read it: as a whole, or cut to a range that begins or ends within it.
type part struct {
	dbi         *dbi.Block
	whole       *plan
	entry, exit int // instructions at which the range begins and ends, −1 if not in this block
	cut         map[[2]int]*plan
}

// Observe runs a program natively and records what a region of it executes.
func Observe(ctx context.Context, f *object.File, o ObserveOptions) (*Visits, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	x := &observer{o: &o, v: &Visits{Whole: true}, cancel: cancel, files: map[string]*object.File{f.Path: f}}
	x.native.t = &tracer{file: f}
	x.region = region{ranges: []Range{{o.Entry, o.Entry + 1}}, whole: true, entry: o.Entry}
	r, err := dbi.Run(ctx, f.ISA, dbi.Options{Args: o.Args, Dir: o.Dir, Stdin: o.Stdin, Stdout: o.Stdout, Stderr: o.Stderr, Addresses: true, Limit: o.Limit, Consume: x.consume})
	if err != nil {
		return nil, err
	}
	over := o.Last > 0 && x.v.Calls >= o.Last && !x.inside
	for _, s := range r.Uncount {
		x.v.Partial = append(x.v.Partial, strings.ReplaceAll(s, "counted", "followed"))
	}
	if r.Ended != "" && !over {
		x.v.Partial = append(x.v.Partial, "the program was "+r.Ended)
	}
	if r.Signal != "" {
		x.v.Partial = append(x.v.Partial, "the program was ended by "+r.Signal)
	}
	return x.v, nil
}

func (x *observer) consume(r *dbi.Result, record []byte) {
	x.thread = r.Thread
	x.locate(r)
	if x.native.located {
		x.region.bias = x.native.t.region.bias
	}
	for i := len(x.parts); i < len(r.Blocks); i++ {
		x.parts = append(x.parts, x.part(r.Blocks[i]))
	}
	for at := 0; at+8 <= len(record); {
		id := binary.LittleEndian.Uint64(record[at:])
		if id >= uint64(len(x.parts)) {
			return
		}
		p := &x.parts[id]
		end := at + 8 + 8*p.dbi.Words
		if end > len(record) {
			return
		}
		x.visit(p, record[at+8:end])
		at = end
	}
}

func (x *observer) part(b *dbi.Block) part {
	p := part{dbi: b, entry: -1, exit: -1, cut: map[[2]int]*plan{}}
	if x.o.Exit != 0 {
		at := func(addr uint64) int {
			return slices.IndexFunc(b.Insts, func(in dbi.Inst) bool { return in.Addr-x.region.bias == addr })
		}
		p.entry, p.exit = at(x.o.Entry), at(x.o.Exit)
	}
	p.whole = x.plan(b.Insts)
	return p
}

// plan adds a block and returns its plan.
func (x *observer) plan(insts []dbi.Inst) *plan {
	p := planOf(x.t.file.ISA, insts, x.thread)
	p.id = len(x.v.Blocks)
	b := ObservedBlock{Block: p.block}
	if m := x.module(p.block.Addr()); m != nil && m.path != "" {
		f, ok := x.files[m.path]
		if !ok {
			f, _ = object.Open(m.path, x.t.file.ISA)
			x.files[m.path] = f
		}
		b.File, b.Bias = f, m.bias
	}
	for i := range p.block.Accesses {
		if b.words++; p.block.Accesses[i].Bytes == 0 {
			b.words++
		}
	}
	x.v.Blocks = append(x.v.Blocks, b)
	return &p
}

// visit processes an executed block.
func (x *observer) visit(p *part, record []byte) {
	if x.o.Exit == 0 {
		was := x.region.active
		traced, first := x.region.follow(p.whole.block)
		if was && !traced {
			x.leave()
		}
		if first {
			x.enter()
		}
		if traced {
			x.add(p.whole, record)
		}
		return
	}
	from := 0
	if !x.inside {
		if p.entry < 0 {
			return
		}
		from = p.entry
		x.enter()
	}
	to, ends := len(p.dbi.Insts), p.exit >= from
	if ends {
		to = p.exit
	}
	if from == 0 && !ends {
		x.add(p.whole, record)
		return
	}
	if from < to {
		key := [2]int{from, to}
		if p.cut[key] == nil {
			p.cut[key] = x.plan(p.dbi.Insts[from:to])
		}
		x.add(p.cut[key], record)
	}
	if ends {
		x.leave()
	}
}

func (x *observer) enter() {
	x.inside, x.between = true, true
	x.v.Calls++
	x.number = x.v.Calls
}

func (x *observer) leave() {
	x.inside = false
	if x.o.Last > 0 && x.v.Calls >= x.o.Last {
		x.cancel()
	}
}

// add records a visit if its call is selected.
func (x *observer) add(p *plan, record []byte) {
	if x.number < x.o.First || x.o.Last > 0 && x.number > x.o.Last {
		return
	}
	b := &x.v.Blocks[p.id]
	b.Count++
	if x.v.Whole = x.v.Whole && len(x.v.words)+1+b.words <= x.o.Words; !x.v.Whole {
		return
	}
	id := uint64(p.id)
	if x.between {
		id, x.between = id|afterOthers, false
	}
	x.v.words = p.read(append(x.v.words, id), record)
}
