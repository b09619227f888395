package dbi

import (
	"bytes"
	"encoding/binary"
	"slices"

	"incore/internal/isa"
)

// A program may write code: just-in-time compilers do, and so do trampolines on the stack. The translation of code that can be overwritten begins with a
// comparison of that code with the bytes that were translated, so that writes are found whoever makes them: the program, the kernel, or another mapping of
// the same memory. Such a block ends at an instruction that stores, because it may overwrite the next one. Code in memory that cannot be written changes only
// after a system call that changes the memory map; the tracer sees these (watch).

// jumpSize is the size of a jump with a distance of 32 bits.
const jumpSize = 5

// perCheck is the size of the comparison of up to four bytes of code.
const perCheck = 16

// mostVariants is the largest number of translations of one address that are kept for the case that the same code comes back.
const mostVariants = 32

// changes reports whether the code at an address may be overwritten without a system call.
func (t *Translator) changes(addr uint64) bool { return t.mutable != nil && t.mutable(addr) }

// fresh reads code at an address as it is now.
func (t *Translator) fresh(addr uint64, n int) []byte {
	if t.changes(addr) {
		t.discard(addr, addr+uint64(n))
	}
	return t.read(addr, n)
}

// stores reports whether an instruction with these effects stores into memory.
func stores(e *isa.Effects) bool {
	return slices.ContainsFunc(e.Mem, func(m isa.MemRef) bool { return m.Store })
}

// verify emits the comparison of the block's code with what was translated.
func (e *emitter) verify() {
	text := e.block.text
	if text == nil {
		return
	}
	flags := !e.dead[0]
	if flags {
		e.saveFlags()
	}
	for at := e.block.Addr; len(text) > 0; {
		n := 4
		switch {
		case len(text) >= 4:
			e.bytes(0x81, 0x3d) // cmpl $imm32, distance(%rip)
		case len(text) >= 2:
			n = 2
			e.bytes(0x66, 0x81, 0x3d)
		default:
			n = 1
			e.bytes(0x80, 0x3d)
		}
		e.u32(uint32(at - (e.code.at() + 4 + uint64(n))))
		e.bytes(text[:n]...)
		e.checks = append(e.checks, e.forward(0x0f, 0x85)) // jne
		text, at = text[n:], at+uint64(n)
	}
	if flags {
		e.restoreFlags()
	}
}

// emitStale emits the target of the branches of verify: a trap.
func (e *emitter) emitStale() {
	if len(e.checks) == 0 {
		return
	}
	for _, at := range e.checks {
		e.here(at)
	}
	if !e.dead[0] {
		e.restoreFlags()
	}
	e.Translator.exits[e.code.at()] = exit{target: e.block.Addr, stale: true}
	e.bytes(0xcc)
}

// register keeps what later changes of a block's code need.
func (t *Translator) register(b *Block, c *code) {
	copy(b.entry[:], c.b)
	if b.text != nil {
		t.keepVariant(b)
		return
	}
	first, last := b.Addr&^(pageSize-1), (b.End-1)&^(pageSize-1)
	t.onPage[first] = append(t.onPage[first], b)
	if last != first {
		t.onPage[last] = append(t.onPage[last], b)
	}
}

// keepVariant adds a translation to those of its address. The oldest is forgotten; it still jumps to a newer one.
func (t *Translator) keepVariant(b *Block) {
	v := t.variants[b.Addr]
	if len(v) == mostVariants {
		v = slices.Delete(v, 0, 1)
	}
	t.variants[b.Addr] = append(v, b)
}

// renew returns the translation of changed code: a new one, or a former one of the same code. The other translations of the address jump to it.
func (t *Translator) renew(addr uint64) (*Block, error) {
	delete(t.at, addr)
	t.fresh(addr, 16*mostInsts)
	for _, v := range t.variants[addr] {
		if v.text != nil && bytes.Equal(v.text, t.read(addr, len(v.text))) {
			t.at[addr] = v
		}
	}
	b, err := t.Block(addr)
	if err != nil {
		return nil, err
	}
	for _, v := range t.variants[addr] {
		entry := v.entry[:]
		if distance := int64(b.cache) - int64(v.cache+jumpSize); v != b && distance == int64(int32(distance)) {
			entry = binary.LittleEndian.AppendUint32([]byte{0xe9}, uint32(distance))
		} else if v != b && v.text == nil { // out of reach: the trap stays
			continue
		}
		if err := t.write(v.cache, entry); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// forgetCode makes the translations of the blocks between two addresses end in traps, because the program changes the memory there.
func (t *Translator) forgetCode(lo, hi uint64) error {
	t.discard(lo, hi)
	if len(t.onPage) == 0 || hi <= lo {
		return nil
	}
	for _, page := range t.translated(lo, hi) {
		blocks := t.onPage[page]
		delete(t.onPage, page)
		for _, b := range blocks {
			if t.at[b.Addr] != b {
				continue
			}
			delete(t.at, b.Addr)
			t.keepVariant(b)
			t.exits[b.cache] = exit{target: b.Addr, stale: true}
			if err := t.write(b.cache, []byte{0xcc}); err != nil {
				return err
			}
		}
	}
	for addr := range t.ahead {
		if addr+16*mostAhead > lo && addr < hi {
			delete(t.ahead, addr)
		}
	}
	return nil
}

// translated returns the pages between two addresses that have translated blocks. Programs change their memory map far more often than their code.
func (t *Translator) translated(lo, hi uint64) (pages []uint64) {
	first := lo &^ (pageSize - 1)
	if (hi-first)/pageSize > uint64(len(t.onPage)) {
		for page := range t.onPage {
			if page+pageSize > lo && page < hi {
				pages = append(pages, page)
			}
		}
		return pages
	}
	for page := first; page < hi; page += pageSize {
		if len(t.onPage[page]) > 0 {
			pages = append(pages, page)
		}
	}
	return pages
}

// watched are the numbers of the system calls that the tracer sees before they are made.
var watched = []int32{callMmap, callMprotect, callMunmap, callMremap, callPkeyMprotect, callClone, callClone3, callArchPrctl}

const (
	callMmap         = 9
	callMprotect     = 10
	callMunmap       = 11
	callMremap       = 25
	callClone        = 56
	callArchPrctl    = 158
	callPkeyMprotect = 329
	callClone3       = 435
)

// watch emits a trap before a system call that is watched. It may use rcx, which the system call overwrites, and keeps the flags.
func (e *emitter) watch(text []byte) {
	if !bytes.HasSuffix(text, []byte{0x0f, 0x05}) {
		return
	}
	var jumps []int
	for _, n := range watched {
		e.bytes(0x8d, 0x88) // lea -n(%rax), %ecx
		e.u32(uint32(-n))
		e.bytes(0xe3, 0) // jrcxz
		jumps = append(jumps, len(e.b))
	}
	e.bytes(0xeb, 1) // over the trap
	for _, at := range jumps {
		e.b[at-1] = byte(len(e.b) - at)
	}
	e.Translator.exits[e.code.at()] = exit{watch: true}
	e.bytes(0xcc)
}
