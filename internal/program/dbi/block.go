package dbi

import (
	"strconv"
	"strings"

	"incore/internal/isa"
)

// Block is translated straight-line code: it is only entered at its beginning, and only its last instruction branches. Blocks may overlap, because code is
// translated from each address at which it is entered.
type Block struct {
	Addr, End uint64 // in the program's memory
	Insts     []Inst
	Words     int // words of its record, without the word that names the block; 0 for a block that is only counted

	cache, cacheEnd uint64         // its translation
	r1, r2          int            // registers that its record or its checks use; noGPR without a record
	events          bool           // its accesses go through the filter
	text            []byte         // the code that was translated, if it may be overwritten
	entry           [jumpSize]byte // the first bytes of the translation
}

// Inst is an instruction of a block.
type Inst struct {
	isa.Inst
	Addr uint64
	Mem  []Reference
	Mask int // word of the record with the mask register that disables elements of the result, −1: none
	// Lanes is the number of the mask's elements.
	Lanes int
}

// Next returns the address after the instruction.
func (i *Inst) Next() uint64 { return i.Addr + uint64(i.Size) }

// Reference is an access to memory. Numbers of words count from 0 after the word that names the block; −1: no word.
type Reference struct {
	isa.MemRef
	Address   int // word with the address, for gathers the address of index 0; −1 also if addresses are not recorded
	Mask      int // word with a mask register
	Lanes     int // number of the mask's elements
	Vector    int // first word of a vector whose elements' signs enable elements
	Indices   int // first word of a vector of indices
	IndexBits int
	Count     int  // word with the repetition count before the instruction; the next word has the count after it
	Event     int  // its number if it goes through a filter, else −1
	Thread    bool // the address counts from the thread's own area (segment fs)
}

// pageSize is the size of a page of the program's memory.
const pageSize = 4096

// mostInsts is the largest number of instructions of a block; it limits the decoding of code that is never executed.
const mostInsts = 96

// mostWords is the largest record of a block in words: less than the guard page after a buffer.
const mostWords = 448

// describe determines the recorded data of an instruction, and returns the number of words used. addresses reports whether addresses of plain accesses are recorded.
func (t *Translator) describe(in *Inst, words int, addresses bool) (used int) {
	in.Mask = -1
	t.isa.Effects(&in.Inst, &t.effects)
	next := words
	take := func(n int) int { next += n; return next - n }
	for _, r := range t.effects.Reads {
		if k := t.regs.mask(r.Reg); r.Role == isa.RoleMask && k > 0 && (len(t.effects.Mem) > 0 || t.counts(&in.Inst)) {
			in.Mask, in.Lanes = take(1), t.lanes(&in.Inst, int(r.Op))
		}
	}
	for _, m := range t.effects.Mem {
		if strings.HasPrefix(t.isa.Forms.Name(in.Form), "PREFETCH") { // a hint, not an access
			continue
		}
		x := Reference{MemRef: m, Address: -1, Mask: -1, Vector: -1, Indices: -1, Count: -1, Event: -1}
		x.Thread = m.Seg != isa.NoReg
		switch {
		case m.Elems == 0 && m.Post: // repeated
			if len(in.Mem) > 0 {
				x.Count = in.Mem[0].Count
			} else {
				x.Count = take(2)
			}
		case m.Gather:
			_, bits := t.regs.vector(m.Index)
			x.Indices, x.IndexBits = take(bits/64), t.indexBits(in.Form)
		}
		if in.Mask >= 0 {
			x.Mask, x.Lanes = in.Mask, in.Lanes
		} else if v := t.vectorMask(&in.Inst); v != isa.NoReg {
			_, bits := t.regs.vector(v)
			x.Vector = take(bits / 64)
		}
		if addresses {
			x.Address = take(1)
		}
		in.Mem = append(in.Mem, x)
	}
	return next - words
}

// counts reports whether an instruction does floating-point operations.
func (t *Translator) counts(in *isa.Inst) bool {
	return t.isa.Float != nil && t.isa.Float(in).Flops > 0
}

// lanes returns the number of elements of the mask register in operand op, by its register class (VK8WM).
func (t *Translator) lanes(in *isa.Inst, op int) int {
	if op >= 0 {
		if c := t.isa.Forms.OperandClass(in.Form, op); c != nil {
			if n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(c.RegClass, "VK"), "WM")); err == nil {
				return n
			}
		}
	}
	return 64
}

// indexBits returns the width of a gather's indices, by the letter at the end of its name.
func (t *Translator) indexBits(f isa.FormID) int {
	name := t.isa.Forms.Name(f)
	if i := strings.Index(name, "ER"); i >= 0 && i+2 < len(name) && name[i+2] == 'D' {
		return 32
	}
	return 64
}

// vectorMask returns the vector register whose elements' signs mask an instruction's access (AVX's masked moves, AVX2's gathers), NoReg without one.
func (t *Translator) vectorMask(in *isa.Inst) isa.Reg {
	name := t.isa.Forms.Name(in.Form)
	load := strings.HasSuffix(name, "rm")
	switch {
	case !strings.HasPrefix(name, "VMASKMOVP") && !strings.HasPrefix(name, "VPMASKMOV") && !strings.Contains(name, "GATHER"), t.isa.Forms.Encoding(in.Form) != 'V':
		return isa.NoReg
	case strings.Contains(name, "GATHER"):
		return in.Reg(8)
	case load:
		return in.Reg(1)
	}
	return in.Reg(5)
}

// emitWords emits the code before an instruction that writes its record. r1 points to the block's record.
func (t *Translator) emitWords(c *code, in *Inst, r1, r2 int) bool {
	at := func(word int) int32 { return int32(8 * (1 + word)) }
	t.isa.Effects(&in.Inst, &t.effects)
	if in.Mask >= 0 {
		for _, r := range t.effects.Reads {
			if k := t.regs.mask(r.Reg); r.Role == isa.RoleMask && k > 0 {
				c.storeMask(k, r1, at(in.Mask), in.Lanes > 16)
			}
		}
	}
	for i := range in.Mem {
		m := &in.Mem[i]
		if m.Count >= 0 && i == 0 {
			c.store(rcx, r1, at(m.Count))
		}
		if m.Indices >= 0 {
			v, bits := t.regs.vector(m.Index)
			c.storeVector(v, bits, r1, at(m.Indices))
		}
		if m.Vector >= 0 {
			v, bits := t.regs.vector(t.vectorMask(&in.Inst))
			c.storeVector(v, bits, r1, at(m.Vector))
		}
		if m.Address >= 0 {
			if !t.lea(c, &m.MemRef, in.Next(), r2) {
				return false
			}
			c.store(r2, r1, at(m.Address))
		}
	}
	return true
}
