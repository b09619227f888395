package block

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"incore/internal/base/regex"
	"incore/internal/isa"
)

// Suit chooses initial values of registers for a kernel where Distinct ones do not do: bases of accesses that must be aligned get the offset that aligns them, as a
// function's stack pointer has; registers that addresses advance by get a small stride, so that the code does not walk through memory in steps of megabytes; those
// that addresses are multiplied by get 1, so that they stay; and the upper half of a dividend gets 0, so that the quotient fits. It keeps the values that the user
// has set. The notes tell what was chosen, in words.
func (s *Setup) Suit(k *isa.Kernel) (notes []string) {
	a := of(k.ISA)
	if a == nil || a.goarch != "amd64" {
		return nil
	}
	values := s.Registers()
	choose := func(n int, v uint64, why string) {
		if _, set := s.Values[n]; set || values[n] == v {
			return
		}
		if len(notes) == 0 { // others may share the map
			s.Values = maps.Clone(s.Values)
			if s.Values == nil {
				s.Values = map[int]uint64{}
			}
		}
		s.Values[n] = v
		notes = append(notes, fmt.Sprintf("%s starts with %#x, %s", a.names[n], v, why))
	}
	u := a.uses(k)
	for n := range a.regs {
		if off, ok := u.aligning(n, values[n]); ok && off != 0 {
			choose(n, values[n]+off, "which aligns the accesses that need it")
		}
	}
	l := a.arithmetic(k.ISA, k.Lines)
	var constant []int
	for n := range a.regs {
		if _, set := s.Values[n]; !set && !u.base[n] && !l.written[l.slots[n]] {
			constant = append(constant, n)
		}
	}
	for n, v := range l.near(s.Registers(), constant, u.widest) {
		switch v {
		case u.widest:
			choose(n, v, "a stride")
		case 1:
			choose(n, v, "a factor of an address")
		}
	}
	for n := range a.regs {
		if u.upper[n] && !u.moving[n] {
			choose(n, 0, "the upper half of a dividend")
		}
	}
	return notes
}

// Bases returns the registers, by hardware number, that addresses of a kernel have as bases.
func Bases(k *isa.Kernel) [32]bool {
	if a := of(k.ISA); a != nil {
		return a.uses(k).base
	}
	return [32]bool{}
}

// Suit chooses values for a loop in place, as Setup.Suit does.
func (p *Placed) Suit(s *Setup) (notes []string) {
	return s.Suit(&isa.Kernel{ISA: p.trips.set, Lines: p.trips.lines, Loop: true})
}

// uses tells how a kernel uses the general registers, by number.
type uses struct {
	base, moving [32]bool
	widest       uint64       // bytes of the widest access, 8 to 64: a stride that leaves no gaps, so that few pages are touched
	upper        [32]bool     // the upper half of a dividend, unless the code has set it
	aligned      [32][]access // accesses that must be aligned
	indexed      [32]bool     // some access that must be aligned has an index
}

// access is a displacement and the multiple that its address has to be.
type access struct{ disp, bytes int64 }

// uses finds the uses of registers in a kernel.
func (a *Arch) uses(k *isa.Kernel) (u uses) {
	number := func(r isa.Reg) int {
		if r == isa.NoReg {
			return -1
		}
		return a.Number(a.root[r])
	}
	u.widest = 8
	var written [32]bool
	var e isa.Effects
	for i := range k.Lines {
		in := &k.Lines[i].Inst
		k.ISA.Effects(in, &e)
		if k.ISA.Divides(in) {
			for _, r := range e.Reads {
				if n := number(r.Reg); n >= 0 && a.names[n] == "rdx" && !written[n] {
					u.upper[n] = true
				}
			}
		}
		for _, w := range e.Writes {
			if n := number(w.Reg); n >= 0 {
				written[n] = true
			}
		}
		for _, m := range e.Mem {
			b, x := number(m.Base), number(m.Index)
			if bytes := uint64(m.Bits) / 8; bytes == 16 || bytes == 32 || bytes == 64 {
				u.widest = max(u.widest, bytes)
			}
			if x >= 0 {
				u.moving[x] = true
			}
			if b < 0 {
				continue
			}
			u.base[b], u.moving[b] = true, true
			if bytes := alignment(k.ISA.FormName(in), int64(m.Bits)/8); bytes > 0 {
				u.aligned[b] = append(u.aligned[b], access{m.Disp, bytes})
				u.indexed[b] = u.indexed[b] || x >= 0
			}
		}
	}
	return u
}

// alignedMove names the moves that fault unless their address is a multiple of their size.
var alignedMove = regex.Lazy(`^V?(MOVAP[SD]|MOVDQA|MOVNT(DQ|PS|PD))`)

// alignment returns the multiple that the address of an access has to be, 0 if any will do: its size for aligned moves, operands of 128 bits of instructions without
// VEX, but those of unaligned moves and of comparisons of strings, and CMPXCHG16B; 16 and 64 bytes for the areas of FXSAVE and XSAVE.
func alignment(form string, bytes int64) int64 {
	has := func(prefixes ...string) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(form, p) })
	}
	switch {
	case has("FXSAVE", "FXRSTOR"):
		return 16
	case has("XSAVE", "XRSTOR"):
		return 64
	case alignedMove().MatchString(form) && bytes >= 16:
		return bytes
	case bytes == 16 && !has("V", "MOVU", "MOVDQU", "LDDQU", "PCMPESTR", "PCMPISTR"):
		return bytes
	}
	return 0
}

// aligning returns the number of bytes to add to a base so that all its accesses that must be aligned are.
func (u *uses) aligning(n int, value uint64) (off uint64, ok bool) {
	for off = 0; off < 64; off += 4 {
		all := len(u.aligned[n]) > 0
		for _, a := range u.aligned[n] {
			all = all && (value+off+uint64(a.disp))%uint64(a.bytes) == 0
		}
		if all {
			return off, true
		}
	}
	return 0, false
}
