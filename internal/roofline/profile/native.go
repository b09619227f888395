package profile

import (
	"context"
	"encoding/binary"
	"math/bits"
	"path/filepath"
	"slices"
	"strings"

	"incore/internal/isa"
	"incore/internal/object"
	"incore/internal/program/cachesim"
	"incore/internal/program/dbi"
	"incore/internal/program/tracee"
)

// nativeISA is the instruction set whose programs run natively with instrumentation.
const nativeISA = "x86-64"

// ref is an access of a block, prepared for reading from a record.
type ref struct {
	*dbi.Reference
	site  *site
	at    int    // offset of the address in the block's words, in bytes; −1: not recorded
	bytes uint64 // size of a plain access
	plain bool
	base  uint64 // added to addresses
	// filtered means that it is reported as an event.
	filtered bool
}

// quick holds the data of a plain access that each execution needs.
type quick struct {
	at    int
	bytes uint64
	base  uint64
	store bool
	again bool   // the same instruction already loaded from the access's address
	hits  uint64 // executions that Recent found
	site  *site
}

// event is a plain access that the program passes through a filter and reports only if it may miss the first level.
type event struct {
	bytes       uint64
	load, store bool
	reported    [cachesim.MaxLevels + 1]uint64 // by level: reported accesses within one line that it served
	parts       cachesim.Served                // by level: parts that it served of reported accesses across two lines
	site        *site
}

// mask is a masked instruction that does floating-point operations.
type mask struct {
	at   int
	all  uint64 // the mask's relevant bits
	site *site
}

// plan describes how to read the record of a block.
type plan struct {
	block     *dbi.Block
	sites     []*site
	count     uint64  // executions while counting is active
	refs      []ref   // accesses with the same size in each execution
	special   []ref   // all other accesses
	quick     []quick // for refs whose addresses are recorded
	events    []int   // for filtered refs: their numbers
	masks     []mask
	call, ret bool
	words     int
}

// counter reads records.
type counter struct {
	file   *object.File
	isa    *isa.ISA
	caches *cachesim.Hierarchy
	plans  []*plan
	events []event // by number
	sites  map[uint64]*site
	ranges []Range // addresses in memory
	bias   uint64
	known  bool // bias is known
	path   string
	o      *Options

	entry  uint64 // address in memory of the counted function; 0: all code counts
	active bool
	calls  []uint64 // return addresses
	depth  int      // of calls when the function was entered
	isRet  bool     // the block before ended with a return
	served cachesim.Served
	lines  []cachesim.Used // buffer for a list
}

// deepest is the largest number of open calls that are followed; beyond it the oldest are forgotten.
const deepest = 1 << 16

func runNative(ctx context.Context, f *object.File, o *Options) (*seen, error) {
	path, err := filepath.Abs(f.Path)
	if err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	c := &counter{file: f, isa: f.ISA, o: o, path: path, sites: map[uint64]*site{}, active: o.Function == ""}
	if !o.NoCaches {
		if c.caches, err = cachesim.New(o.Caches); err != nil {
			return nil, err
		}
	}
	run := dbi.Options{Args: o.Args, Stdin: o.Stdin, Stdout: o.Stdout, Stderr: o.Stderr, Addresses: !o.NoCaches || o.Function != "", Limit: o.Limit, Consume: c.consume}
	if c.caches != nil && o.Function == "" && !o.unfiltered && c.caches.Levels[0].Size > c.caches.Levels[0].Line {
		l := &c.caches.Levels[0]
		run.Filter = &dbi.Filter{Line: l.Line, Sets: l.Size / l.Line / l.Ways, Ways: l.Ways, Whole: len(o.Caches) == 1 || !o.Caches[1].Spill}
	}
	r, err := dbi.Run(ctx, f.ISA, run)
	if err != nil {
		return nil, err
	}
	s := &seen{isa: f.ISA, caches: c.caches, method: "native: the program's own code with counters between"}
	c.prepare(r)
	for id, p := range c.plans {
		n := p.count
		if id < len(r.Counts) {
			n += r.Counts[id]
		}
		p.settle(n)
		c.filtered(p, n)
	}
	for k, n := range r.Crossed {
		c.events[k].site.crossed += n
	}
	for _, x := range c.sites {
		s.sites = append(s.sites, x)
	}
	slices.SortFunc(s.sites, func(a, b *site) int {
		if a.addr < b.addr {
			return -1
		}
		return 1
	})
	for _, m := range r.Modules {
		if bias, err := object.Bias(m.Path, m.Lo, m.Offset); err == nil {
			s.modules = append(s.modules, module{m.Path, m.Lo, m.Hi, bias})
		}
	}
	s.partial = append(s.partial, r.Uncount...)
	if r.Ended != "" {
		s.partial = append(s.partial, "the program was "+r.Ended)
	}
	if why := tracee.Reason(r.Signal, r.Exit); why != "" && r.Ended == "" {
		s.partial, s.signal = append(s.partial, why), r.Signal
	}
	return s, nil
}

// settle adds the work that is the same in each of n executions to the instructions of a block.
func (p *plan) settle(n uint64) {
	for _, x := range p.sites {
		if x != nil {
			x.count += n
		}
	}
	for i := range p.quick {
		p.quick[i].site.served.Bytes[0] += p.quick[i].hits * p.quick[i].bytes
	}
	for i := range p.refs {
		if r := &p.refs[i]; r.plain {
			if r.Load {
				r.site.loaded += n * r.bytes
			}
			if r.Store {
				r.site.stored += n * r.bytes
			}
			if r.at < 0 && !r.filtered { // without a cache model
				if r.Load {
					r.site.served.Bytes[0] += n * r.bytes
				}
				if r.Store {
					r.site.served.Bytes[0] += n * r.bytes
				}
			}
		}
	}
}

// filtered adds the filtered accesses of a block in n executions. The first level served all unreported accesses.
func (c *counter) filtered(p *plan, n uint64) {
	for _, k := range p.events {
		e := &c.events[k]
		served := &e.site.served
		farther := uint64(0) // bytes served by levels after the first
		for at := 1; at < len(e.reported); at++ {
			bytes := e.reported[at]*e.bytes + e.parts.Bytes[at]
			served.Bytes[at] += bytes
			served.Lines[at] += e.reported[at] + e.parts.Lines[at]
			farther += bytes
		}
		ways := uint64(0)
		if e.load {
			ways++
		}
		if e.store { // if an access loads and stores, the store hits the line
			ways++
		}
		served.Bytes[0] += ways*n*e.bytes - min(ways*n*e.bytes, farther)
	}
}

// prepare makes plans for new blocks.
func (c *counter) prepare(r *dbi.Result) {
	for !c.known && len(r.Modules) > 0 {
		for _, m := range r.Modules {
			if m.Path == c.path {
				c.bias, _ = object.Bias(m.Path, m.Lo, m.Offset)
				break
			}
		}
		c.known = true
		if fn := c.file.Function(c.o.Function); c.o.Function != "" && fn != nil {
			c.entry = fn.Addr + c.bias
		}
		for _, x := range c.o.Ranges {
			c.ranges = append(c.ranges, Range{x.Lo + c.bias, x.Hi + c.bias})
		}
	}
	for i := len(c.plans); i < len(r.Blocks); i++ {
		c.plans = append(c.plans, c.plan(r.Blocks[i], r.Thread))
	}
}

// counts reports whether the instruction at an address is counted.
func (c *counter) counts(addr uint64) bool {
	if len(c.ranges) == 0 {
		return true
	}
	return slices.ContainsFunc(c.ranges, func(r Range) bool { return addr >= r.Lo && addr < r.Hi })
}

func (c *counter) plan(b *dbi.Block, thread uint64) *plan {
	p := &plan{block: b, words: 8 * b.Words}
	for i := range b.Insts {
		in := &b.Insts[i]
		if !c.counts(in.Addr) {
			p.sites = append(p.sites, nil)
			c.reach(p, in, &site{inst: in.Inst}, thread) // not counted, but its accesses change the caches
			continue
		}
		s := c.sites[in.Addr]
		if s == nil {
			s = &site{addr: in.Addr, inst: in.Inst}
			if c.isa.Float != nil {
				s.float = c.isa.Float(&in.Inst)
			}
			s.branch = c.isa.Flow(&in.Inst).Kind != isa.FlowNext
			s.masked = in.Mask >= 0 && s.float.Flops > 0
			c.sites[in.Addr] = s
		}
		p.sites = append(p.sites, s)
		if s.masked {
			p.masks = append(p.masks, mask{8 * in.Mask, ones(in.Lanes), s})
		}
		c.reach(p, in, s, thread)
	}
	last := c.isa.Flow(&b.Insts[len(b.Insts)-1].Inst).Kind
	p.call, p.ret = last == isa.FlowCall, last == isa.FlowReturn
	return p
}

func ones(n int) uint64 {
	if n >= 64 {
		return ^uint64(0)
	}
	return 1<<n - 1
}

// reach adds the accesses of an instruction to a plan.
func (c *counter) reach(p *plan, in *dbi.Inst, s *site, thread uint64) {
	for k := range in.Mem {
		m := &in.Mem[k]
		x := ref{Reference: m, site: s, at: 8 * m.Address, bytes: uint64(m.Bits) / 8 * uint64(max(1, m.Elems))}
		x.plain = m.Mask < 0 && m.Vector < 0 && m.Indices < 0 && m.Count < 0
		if m.Address < 0 || c.caches == nil {
			x.at = -1
		}
		if m.Thread {
			x.base = thread
		}
		switch {
		case x.bytes == 0:
		case !x.plain:
			p.special = append(p.special, x)
		default:
			if m.Event >= 0 {
				x.filtered = true
				p.events = append(p.events, m.Event)
				for len(c.events) <= m.Event {
					c.events = append(c.events, event{site: &site{}})
				}
				c.events[m.Event] = event{bytes: x.bytes, load: x.Load, store: x.Store, site: s}
			}
			p.refs = append(p.refs, x)
			for _, way := range [2]bool{false, true} {
				if x.at >= 0 && (way && x.Store || !way && x.Load) {
					p.quick = append(p.quick, quick{at: x.at, bytes: x.bytes, base: x.base, store: way, again: way && x.Load, site: s})
				}
			}
		}
	}
}

// consume reads a record.
func (c *counter) consume(r *dbi.Result, record []byte) {
	c.prepare(r)
	for at := 0; at+8 <= len(record); {
		id := binary.LittleEndian.Uint64(record[at:])
		if k := ^id; k>>63 == 0 {
			end := at + 8*r.EventWords(k)
			if end > len(record) {
				return
			}
			c.event(k, binary.LittleEndian.Uint64(record[at+8:]), record[at+8*dbi.EventWords:end])
			at = end
			continue
		}
		if id >= uint64(len(c.plans)) {
			return
		}
		p := c.plans[id]
		end := at + 8 + p.words
		if end > len(record) {
			return
		}
		if c.entry != 0 {
			c.follow(p)
		}
		if c.active {
			p.count++
		}
		c.block(p, record[at+8:end])
		at = end
	}
}

// event simulates a reported access, or updates the cache by a list.
func (c *counter) event(k, addr uint64, words []byte) {
	if k&dbi.Listed != 0 {
		c.list(words)
	}
	number := uint32(k)
	if number == dbi.ListOnly {
		return
	}
	e := &c.events[number]
	second := addr&dbi.SecondLine != 0
	addr &^= dbi.SecondLine
	first, last := c.caches.LineOf(addr), c.caches.LineOf(addr+e.bytes-1)
	line := first
	if second {
		line = last
	}
	at := 0
	if k&dbi.Replaces != 0 {
		old := binary.LittleEndian.Uint64(words)
		at = c.caches.Replace(line, c.caches.LineOf(old), old&1 != 0)
	} else {
		at = c.caches.Line(line, e.store)
	}
	if first == last {
		e.reported[at]++
		return
	}
	bytes := last*c.caches.LineBytes() - addr // bytes in the first line
	if second {
		bytes = e.bytes - bytes
	}
	e.parts.Bytes[at] += bytes
	e.parts.Lines[at]++
}

// list sets the order of use of a set's lines from a reported list, whose first line was used last.
func (c *counter) list(words []byte) {
	c.lines = c.lines[:0]
	for ; len(words) > 0; words = words[8:] {
		if tag := binary.LittleEndian.Uint64(words); tag != 0 {
			c.lines = append(c.lines, cachesim.Used{Line: c.caches.LineOf(tag), Changed: tag&1 != 0})
		}
	}
	c.caches.Use(c.lines)
}

// follow updates the call stack, which decides whether the counted function is being executed.
func (c *counter) follow(p *plan) {
	if c.isRet {
		c.isRet = false
		for i := len(c.calls) - 1; i >= 0 && i >= len(c.calls)-64; i-- {
			if c.calls[i] == p.block.Addr {
				c.calls = c.calls[:i]
				break
			}
		}
		if c.active && len(c.calls) < c.depth {
			c.active = false
		}
	}
	if !c.active && p.block.Addr == c.entry {
		c.active, c.depth = true, len(c.calls)
	}
	if p.call {
		if len(c.calls) >= deepest {
			c.calls = append(c.calls[:0], c.calls[deepest/2:]...)
			c.depth -= deepest / 2
		}
		c.calls = append(c.calls, p.block.End)
	}
	c.isRet = p.ret
}

// block reads the words of one execution of a block.
func (c *counter) block(p *plan, words []byte) {
	for i := range p.masks {
		if m := &p.masks[i]; c.active {
			m.site.lanes += uint64(bits.OnesCount64(binary.LittleEndian.Uint64(words[m.at:]) & m.all))
		}
	}
	for i := range p.quick {
		q := &p.quick[i]
		addr := binary.LittleEndian.Uint64(words[q.at:]) + q.base
		switch {
		case !c.caches.Recent(addr, q.bytes, q.store):
			served := &q.site.served
			if !c.active {
				served = &c.served
			}
			c.caches.Access(addr, q.bytes, q.store, served)
			if c.active && !q.again && c.caches.LineOf(addr) != c.caches.LineOf(addr+q.bytes-1) {
				q.site.crossed++
			}
		case c.active:
			q.hits++
		}
	}
	for i := range p.special {
		c.special(&p.special[i], words)
	}
}

// special reads an access whose length or addresses depend on masks, indices or a count.
func (c *counter) special(r *ref, words []byte) {
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(words[8*i:]) }
	base := r.base
	if r.Address >= 0 {
		base += word(r.Address)
	}
	size := uint64(r.Bits) / 8
	if r.Count >= 0 { // addresses are assumed to increase: the direction flag is practically never set
		if n := word(r.Count) - word(r.Count+1); n < 1<<40 {
			c.touch(r, base, n*size)
		}
		return
	}
	lanes := int(max(1, r.Elems))
	total := size * uint64(lanes)
	if r.Indices < 0 { // one range of memory with disabled elements
		if r.Lanes > 0 && r.Mask >= 0 {
			lanes = r.Lanes
		} else {
			lanes = int(total / elementOf(c.isa, r))
		}
		lanes = max(1, lanes)
		size = max(1, total/uint64(lanes))
	}
	for i := range lanes {
		if !on(r, word, i, size) {
			continue
		}
		at := base + uint64(i)*size
		if r.Indices >= 0 {
			at = base + index(r, word, i)*uint64(max(1, r.Scale))
		}
		c.touch(r, at, size)
	}
}

// elementOf returns the size in bytes of the elements of a vector mask, in which the sign bit of each element enables the element.
func elementOf(a *isa.ISA, r *ref) uint64 {
	name := a.Forms.Name(r.site.inst.Form)
	if strings.Contains(name, "MASKMOVPD") || strings.Contains(name, "MASKMOVQ") {
		return 8
	}
	return 4
}

// on reports whether element i of an access is enabled.
func on(r *ref, word func(int) uint64, i int, size uint64) bool {
	switch {
	case r.Mask >= 0:
		return word(r.Mask)>>uint(i)&1 != 0
	case r.Vector >= 0:
		bit := (uint64(i)+1)*size*8 - 1
		return word(r.Vector+int(bit/64))>>(bit%64)&1 != 0
	}
	return true
}

// index returns element i of a gather's indices.
func index(r *ref, word func(int) uint64, i int) uint64 {
	if r.IndexBits == 32 {
		return uint64(int64(int32(word(r.Indices+i/2) >> (32 * uint(i%2)))))
	}
	return word(r.Indices + i)
}

// touch accesses a range of memory.
func (c *counter) touch(r *ref, at, n uint64) {
	if n == 0 {
		return
	}
	served := &r.site.served
	if !c.active {
		served = &c.served
	}
	for _, way := range [2]bool{false, true} {
		if way && !r.Store || !way && !r.Load {
			continue
		}
		switch {
		case c.caches != nil && r.Address >= 0:
			c.caches.Access(at, n, way, served)
		default:
			served.Bytes[0] += n
		}
		if c.active {
			if way {
				r.site.stored += n
			} else {
				r.site.loaded += n
			}
		}
	}
}
