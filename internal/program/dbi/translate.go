// Package dbi runs an x86-64 program under Linux with dynamic binary instrumentation: it counts and records the executed blocks.
// The program's code stays unchanged in memory and is never executed itself: each block is copied into a cache when it is first reached, with inserted
// code that counts the block, or records the block and the addresses of its accesses. Instructions are copied, not emulated, so that all instructions of the CPU work.
// The stack holds the program's own return addresses, so that it can be unwound. The tracer writes the cache over ptrace; the copies write their records into
// memory that both processes map.
package dbi

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"incore/internal/isa"
)

// Translator copies blocks into the cache.
type Translator struct {
	Blocks []*Block

	isa       *isa.ISA
	regs      *registers
	effects   isa.Effects
	addresses bool
	filter    *filter                                  // nil: all addresses are recorded
	events    int                                      // number of accesses that are events
	ahead     map[uint64]bool                          // results of flagsDeadAt
	read      func(addr uint64, n int) []byte          // reads the program's memory; fewer bytes at its end
	write     func(addr uint64, b []byte) error        // writes into the cache
	room      func(near uint64, n int) (uint64, error) // reserves room in the cache within reach of 32-bit distances
	keepRoom  func(from, end uint64)                   // releases the unused rest of the last reserved room
	unwritten code                                     // consecutive blocks that are not written to the cache yet
	enter     func(block uint64) (routine uint64)      // the nearest routine that searches targets of indirect branches
	forgetAt  func(block uint64) (routine uint64)      // the nearest routine that empties the filter
	at        map[uint64]*Block                        // blocks by the program's address
	exits     map[uint64]exit                          // traps, by address in the cache
	special   map[isa.FormID]bool

	mutable  func(addr uint64) bool // code at an address may be overwritten; nil: no code is
	discard  func(lo, hi uint64)    // forgets what read keeps of the program's memory
	variants map[uint64][]*Block    // former and present translations of code that has changed, by the program's address
	onPage   map[uint64][]*Block    // blocks of code that cannot be overwritten, by page
}

// exit is a trap of the cache. Without a mark it replaces a branch to code that is not translated yet.
type exit struct {
	patch  uint64 // address of the branch's distance to the trap
	target uint64
	alone  bool // the tracer single-steps the instruction at target in place
	trap   bool // the program executes the instruction at target in its own code, as it traps
	stale  bool // the code at target is no longer what was translated
	watch  bool // before a system call that changes the memory map or starts a thread or child
}

// perAccess is the largest size of the code for an access, in bytes.
const perAccess = 1280

// most is the largest number of blocks that one call of Block translates.
const most = 64

// errNoCode is the error for code that cannot be read or is no instruction.
var errNoCode = errors.New("is no instruction that is known")

// Block translates the block at an address and the blocks to which it branches, unless they are already translated.
func (t *Translator) Block(addr uint64) (*Block, error) {
	if b := t.at[addr]; b != nil {
		return b, nil
	}
	first, err := t.one(addr)
	if err != nil {
		return nil, err
	}
	return first, nil
}

// decode reads a block's instructions.
func (t *Translator) decode(addr uint64) (*Block, error) {
	b := &Block{Addr: addr, End: addr, r1: noGPR, r2: noGPR}
	text := t.fresh(addr, 16*mostInsts)
	used := uint32(1 << rsp)
	through := t.filter != nil
	if through {
		used |= 1 << rax // for flags
	}
	changes := t.changes(addr)
	for len(b.Insts) < mostInsts && t.changes(b.End) == changes {
		in := Inst{Addr: b.End}
		off := int(b.End - addr)
		if off >= len(text) {
			break
		}
		n, err := t.isa.Decode(text[off:], b.End, &in.Inst)
		if err != nil || n == 0 {
			break
		}
		in.Size = uint8(n)
		words := t.describe(&in, b.Words, t.addresses && !through)
		touched := used | t.touched(&in.Inst)
		if through && !t.filtered(&in) {
			if len(b.Insts) > 0 {
				break
			}
			through = false // nor do the accesses after it in the block
			in.Mem = nil
			words = t.describe(&in, b.Words, true)
		}
		if len(b.Insts) > 0 && (free(touched) < 2 || b.Words+words > mostWords) {
			break
		}
		used = touched
		b.Words += words
		b.Insts = append(b.Insts, in)
		b.End += uint64(n)
		if t.isa.Flow(&in.Inst).Kind != isa.FlowNext || t.systemCall(&in.Inst) {
			break
		}
		if t.at[b.End] != nil || changes && stores(&t.effects) {
			break
		}
	}
	if changes {
		b.text = slices.Clone(text[:b.End-addr])
	}
	if len(b.Insts) == 0 {
		return nil, fmt.Errorf("code at %#x %w", addr, errNoCode)
	}
	if through {
		t.number(b)
	}
	if t.addresses && !through || b.Words > 0 || b.events {
		b.r1, b.r2 = pick(used)
	}
	return b, nil
}

// touched returns the general registers that an instruction reads or writes, as bits. t.effects must be the instruction's effects.
func (t *Translator) touched(in *isa.Inst) (set uint32) {
	add := func(r isa.Reg) {
		if n := t.regs.gpr(r); n != noGPR {
			set |= 1 << n
		}
	}
	for _, a := range t.effects.Reads {
		add(a.Reg)
	}
	for _, a := range t.effects.Writes {
		add(a.Reg)
	}
	for i := range in.Ops[:in.NOps] {
		if in.Ops[i].Kind == isa.OpReg {
			add(in.Ops[i].Reg)
		}
	}
	if t.isa.Forms.Flags(in.Form)&isa.SideEffects != 0 { // the tables may lack registers
		set |= 1<<rax | 1<<rbx | 1<<rcx | 1<<rdx | 1<<rsi | 1<<rdi | 1<<r11
	}
	return set
}

// pick returns two registers that are not touched. The first is not r12, which needs another encoding as a base.
func pick(used uint32) (r1, r2 int) {
	r1, r2 = noGPR, noGPR
	for n := gprs - 1; n >= 0; n-- {
		if used>>n&1 != 0 {
			continue
		}
		if r1 == noGPR && n != r12 {
			r1 = n
		} else if r2 == noGPR {
			r2 = n
		}
	}
	return r1, r2
}

// free returns the number of registers that pick can return, at most 2.
func free(used uint32) int {
	r1, r2 := pick(used)
	n := 0
	if r1 != noGPR {
		n++
	}
	if r2 != noGPR {
		n++
	}
	return n
}

func (t *Translator) systemCall(in *isa.Inst) bool { return t.special[in.Form] }

// one translates a block and its untranslated successors.
func (t *Translator) one(addr uint64) (*Block, error) {
	var first *Block
	queue := []uint64{addr}
	for n := 0; len(queue) > 0 && n < most; n++ {
		a := queue[0]
		queue = queue[1:]
		if t.at[a] != nil || n > 0 && t.changes(a) { // it may not be written yet
			continue
		}
		b, err := t.decode(a)
		if err != nil {
			if first == nil {
				return nil, err
			}
			continue // it may never be reached
		}
		next, err := t.emit(b)
		if err != nil {
			return nil, err
		}
		if first == nil {
			first = b
		}
		queue = append(queue, next...)
	}
	return first, t.flush()
}

// emit writes a block's translation.
func (t *Translator) emit(b *Block) (next []uint64, err error) {
	size := 128
	for i := range b.Insts {
		size += int(b.Insts[i].Size) + 16 + perAccess*len(b.Insts[i].Mem)
	}
	size += perCheck * (len(b.text)/4 + 4)
	if len(t.Blocks) >= maxBlocks {
		return nil, fmt.Errorf("the program executes more than %d blocks", maxBlocks)
	}
	base, err := t.room(b.Addr, size)
	if err != nil {
		return nil, err
	}
	c := &code{base: base}
	b.cache = base
	id := len(t.Blocks)
	t.Blocks = append(t.Blocks, b)
	t.at[b.Addr] = b
	e := &emitter{Translator: t, code: c, block: b, dead: t.deadFlags(b)}
	e.verify()
	e.head(id)
	for i := range b.Insts {
		if err := e.instruction(&b.Insts[i], e.dead[i], i == len(b.Insts)-1); err != nil {
			return nil, err
		}
	}
	e.emitReports()
	e.emitStale()
	for _, x := range e.exits {
		t.link(c, x)
		if !x.trap {
			next = append(next, x.target)
		}
	}
	b.cacheEnd = c.at()
	if len(c.b) > size {
		return nil, fmt.Errorf("the translation of the block at %#x takes %d bytes, not %d", b.Addr, len(c.b), size)
	}
	t.keepRoom(base, b.cacheEnd)
	t.register(b, c)
	return next, t.hold(c)
}

// hold keeps a block's code, which is written together with the preceding blocks.
func (t *Translator) hold(c *code) error {
	u := &t.unwritten
	if gap := int64(c.base - u.at()); len(u.b) == 0 || gap < 0 || gap > 16 {
		if err := t.flush(); err != nil {
			return err
		}
		u.base = c.base
	}
	for u.at() < c.base {
		u.bytes(0xcc)
	}
	u.bytes(c.b...)
	return nil
}

// flush writes the held blocks.
func (t *Translator) flush() error {
	u := &t.unwritten
	if len(u.b) == 0 {
		return nil
	}
	err := t.write(u.base, u.b)
	u.b = u.b[:0]
	return err
}

// link sets the distance of a branch to its target's translation, or to a trap.
func (t *Translator) link(c *code, x pending) {
	to := t.at[x.target]
	if to != nil && !x.alone && !x.trap {
		binary.LittleEndian.PutUint32(c.b[x.off:], uint32(to.cache-(c.base+uint64(x.off)+4)))
		return
	}
	trap := c.at()
	c.bytes(0xcc)
	binary.LittleEndian.PutUint32(c.b[x.off:], uint32(trap-(c.base+uint64(x.off)+4)))
	t.exits[trap] = exit{patch: c.base + uint64(x.off), target: x.target, alone: x.alone, trap: x.trap}
}

// resolve translates the target of a trap, and patches the branch to jump to the translation.
func (t *Translator) resolve(trap uint64) (*Block, error) {
	x := t.exits[trap]
	b, err := t.Block(x.target)
	if err != nil {
		return nil, err
	}
	if distance := int64(b.cache) - int64(x.patch+4); distance == int64(int32(distance)) {
		return b, t.write(x.patch, binary.LittleEndian.AppendUint32(nil, uint32(distance)))
	}
	return b, nil
}

// place finds the block whose translation contains an address of the cache.
func (t *Translator) place(at uint64) *Block {
	for _, b := range t.Blocks {
		if at >= b.cache && at < b.cacheEnd {
			return b
		}
	}
	return nil
}

// pending is a branch whose target is not linked yet.
type pending struct {
	off    int // offset of its distance in the code
	target uint64
	alone  bool
	trap   bool
}

// emitter writes one block.
type emitter struct {
	*Translator
	*code
	block   *Block
	exits   []pending
	dead    []bool // by instruction: the flags are dead before it
	body    int    // offset of the code after the save of the block's two registers
	reports []report
	checks  []int // offsets of the branches that are taken when the code has changed
}

func (e *emitter) exit(target uint64, opcode ...byte) {
	e.bytes(opcode...)
	e.exits = append(e.exits, pending{off: len(e.b), target: target})
	e.u32(0)
}

// head counts the block, or begins its record.
func (e *emitter) head(id int) {
	r1, r2 := e.block.r1, e.block.r2
	if r1 != noGPR {
		e.save(r1, slotS1)
		e.save(r2, slotS2)
	}
	e.body = len(e.b)
	if r1 != noGPR && !e.block.events {
		if e.filter != nil {
			e.forget()
		}
		e.load(slotPointer, r1)
		e.storeImm(int32(id), r1, 0)
		return
	}
	slot := slotCounts + 8*id
	if e.dead[0] {
		e.bytes(gsPrefx, 0x48, 0xff, 0x04, 0x25) // incq gs:slot
		e.u32(uint32(slot))
		return
	}
	e.save(rax, slotA)
	e.load(slot, rax)
	e.advance(rax, 1)
	e.save(rax, slot)
	e.load(slotA, rax)
}

// finish ends the block's record.
func (e *emitter) finish() {
	if r1, r2 := e.block.r1, e.block.r2; r1 != noGPR {
		if !e.block.events {
			e.advance(r1, int32(8*(1+e.block.Words)))
			e.save(r1, slotPointer)
		}
		e.load(slotS1, r1)
		e.load(slotS2, r2)
	}
}

// accesses emits the code before an instruction that records its accesses.
func (e *emitter) accesses(in *Inst, dead bool) bool {
	if !e.block.events {
		return e.emitWords(e.code, in, e.block.r1, e.block.r2)
	}
	for i := range in.Mem {
		if m := &in.Mem[i]; m.Event >= 0 && !e.check(in, m, !dead) {
			return false
		}
	}
	return true
}

// instruction copies an instruction.
func (e *emitter) instruction(in *Inst, dead, last bool) error {
	if e.block.r1 != noGPR && !e.accesses(in, dead) {
		return fmt.Errorf("the address that the instruction at %#x accesses cannot be computed", in.Addr)
	}
	flow := e.isa.Flow(&in.Inst)
	text := e.read(in.Addr, int(in.Size))
	if flow.Kind == isa.FlowNext {
		system := e.systemCall(&in.Inst)
		if system {
			e.finish()
			e.watch(text)
		}
		if err := e.plain(in, text); err != nil {
			return err
		}
		if e.block.r1 != noGPR && !e.block.events && len(in.Mem) > 0 && in.Mem[0].Count >= 0 {
			e.store(rcx, e.block.r1, int32(8*(2+in.Mem[0].Count)))
		}
		if last {
			if !system {
				e.finish()
			}
			e.exit(in.Next(), 0xe9)
		}
		return nil
	}
	target := uint64(math.MaxUint64)
	if flow.Target.Kind == isa.OpImm {
		target = uint64(flow.Target.Imm)
	}
	if e.block.events && target == e.block.Addr && e.again(flow.Kind, text) {
		e.finish()
		e.exit(in.Next(), 0xe9)
		return nil
	}
	e.finish()
	return e.branch(in, flow.Kind, target, text)
}

// again copies the conditional branch of a block to itself. It keeps the saved values of the block's two registers, which the block's own code does not use.
func (e *emitter) again(kind isa.FlowKind, text []byte) bool {
	condition := text[0] & 15
	switch {
	case kind != isa.FlowCond:
		return false
	case text[0] == 0x0f && text[1]&0xf0 == 0x80:
		condition = text[1] & 15
	case text[0] < 0x70 || text[0] >= 0x80:
		return false
	}
	e.bytes(0x0f, 0x80|condition)
	e.u32(uint32(e.body - len(e.b) - 4))
	return true
}

// branch copies the last instruction of a block.
func (e *emitter) branch(in *Inst, kind isa.FlowKind, target uint64, text []byte) error {
	direct := target != math.MaxUint64
	for len(text) > 1 && direct && slices.Contains([]byte{0x2e, 0x3e, 0xf2, 0x66}, text[0]) { // hints, bnd
		text = text[1:]
	}
	switch op := text[0]; {
	case kind == isa.FlowTrap:
		e.bytes(0xe9)
		e.exits = append(e.exits, pending{off: len(e.b), target: in.Addr, trap: true})
		e.u32(0)
	case kind == isa.FlowReturn && (text[len(text)-1] == 0xc3 || op == 0xc2):
		e.popSlot(slotTarget)
		if op == 0xc2 {
			e.advance4(rsp, int32(binary.LittleEndian.Uint16(text[1:])))
		}
		e.jump(e.enter(e.base))
	case kind == isa.FlowJump && direct && (op == 0xe9 || op == 0xeb):
		e.exit(target, 0xe9)
	case kind == isa.FlowCall && direct && op == 0xe8:
		e.push(in.Next())
		e.exit(target, 0xe9)
	case kind == isa.FlowCond && op >= 0x70 && op < 0x80:
		e.exit(target, 0x0f, 0x80|op&15)
		e.exit(in.Next(), 0xe9)
	case kind == isa.FlowCond && op == 0x0f && text[1]&0xf0 == 0x80:
		e.exit(target, 0x0f, text[1])
		e.exit(in.Next(), 0xe9)
	case kind == isa.FlowCond && op >= 0xe0 && op <= 0xe3: // loop, jrcxz
		e.bytes(op, 5)
		e.exit(in.Next(), 0xe9)
		e.exit(target, 0xe9)
	case !direct && (kind == isa.FlowCall || kind == isa.FlowIndirect || kind == isa.FlowJump):
		return e.indirect(in, kind == isa.FlowCall, text)
	default: // the tracer single-steps it in place
		e.bytes(0xe9)
		e.exits = append(e.exits, pending{off: len(e.b), target: in.Addr, alone: true})
		e.u32(0)
	}
	return nil
}

// advance4 emits lea by(%rsp), %rsp.
func (e *emitter) advance4(_ int, by int32) {
	e.bytes(0x48, 0x8d, 0xa4, 0x24)
	e.u32(uint32(by))
}

// push emits the push of an address from a constant in the code, which a jump skips.
func (e *emitter) push(addr uint64) {
	if int64(addr) == int64(int32(addr)) {
		e.bytes(0x68)
		e.u32(uint32(addr))
		return
	}
	e.bytes(0xff, 0x35) // push 2(%rip)
	e.u32(2)
	e.bytes(0xeb, 8) // over the constant
	e.u64(addr)
}

// indirect copies a call or jump through a register or memory: it stores the target in slotTarget.
func (e *emitter) indirect(in *Inst, call bool, text []byte) error {
	i, rexByte := 0, byte(0)
	var prefixes []byte
	for ; i < len(text); i++ {
		switch b := text[i]; {
		case b&0xf0 == 0x40:
			rexByte = b & 0x0f
			continue
		case b == 0x64 || b == 0x67:
			prefixes = append(prefixes, b)
			continue
		case b == 0x3e || b == 0xf2 || b == 0x2e || b == 0x66: // notrack, bnd, padding
			continue
		}
		break
	}
	if i+1 >= len(text) || text[i] != 0xff || text[i+1]>>3&7 == 3 || text[i+1]>>3&7 == 5 {
		return fmt.Errorf("the branch at %#x leads to another segment", in.Addr)
	}
	form := text[i+1]
	if form>>6 == 3 { // a register
		e.save(int(form&7)|int(rexByte&1)<<3, slotTarget)
	} else {
		e.save(rax, slotA)
		e.bytes(prefixes...)
		e.bytes(0x48|rexByte&3, 0x8b, form&^0x38)
		e.bytes(text[i+2:]...)
		if form&0xc7 == 5 { // relative to the instruction pointer
			e.mend(len(e.b)-4, int64(in.Next()), len(e.b))
		}
		e.save(rax, slotTarget)
		e.load(slotA, rax)
	}
	if call {
		e.push(in.Next())
	}
	e.jump(e.enter(e.base))
	return nil
}
