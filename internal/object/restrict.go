package object

import (
	"debug/dwarf"
	"sort"
	"strings"

	"incore/internal/isa"
)

// restricted returns the registers that hold restrict-qualified pointers when a function is entered, as its debugging
// information has it. It has none where the registers of the parameters are not those of the calling convention.
func (fn *Function) restricted() (regs []isa.Reg) {
	f := fn.file
	if f.ISA.Semantics == nil || strings.Contains(fn.Symbol, ".") { // gcc's clones (.isra, .constprop) take other parameters
		return nil
	}
	f.unitAt(fn.Addr) // opens the tables
	t := &f.lines
	t.mu.Lock()
	defer t.mu.Unlock()
	defer func() {
		if recover() != nil { // damaged debug information is none
			regs = nil
		}
	}()
	i := sort.Search(len(t.units), func(i int) bool { return t.units[i].lo > fn.Addr }) - 1
	if i < 0 || fn.Addr >= t.units[i].hi {
		return nil
	}
	if sub := t.subprogram(t.units[i].entry, fn.Addr); sub != nil {
		return t.restrictedOf(sub, f.ISA.Semantics.Arguments)
	}
	return nil
}

// subprogram finds the function that starts at an address.
func (t *lineTable) subprogram(cu *dwarf.Entry, addr uint64) *dwarf.Entry {
	r := t.data.Reader()
	r.Seek(cu.Offset)
	if _, err := r.Next(); err != nil || !cu.Children {
		return nil
	}
	for depth := 1; depth > 0; {
		e, err := r.Next()
		switch {
		case e == nil || err != nil:
			return nil
		case e.Tag == 0:
			depth--
		case e.Tag == dwarf.TagSubprogram:
			if low, ok := e.Val(dwarf.AttrLowpc).(uint64); ok && low == addr {
				return e
			}
			r.SkipChildren()
		case e.Children:
			depth++
		}
	}
	return nil
}

// restrictedOf assigns argument registers to the parameters of a function and returns those of restrict pointers.
func (t *lineTable) restrictedOf(sub *dwarf.Entry, arguments []isa.Reg) (regs []isa.Reg) {
	const otherRegisters = 5 // DW_CC_nocall: not called by the convention
	if cc, ok := sub.Val(dwarf.AttrCalling).(int64); ok && cc == otherRegisters {
		return nil
	}
	if origin := t.at(sub.Val(dwarf.AttrAbstractOrigin)); origin != nil { // it lists all parameters
		sub = origin
	}
	if kind, _ := t.passed(t.at(sub.Val(dwarf.AttrType))); kind == elsewhere && sub.Val(dwarf.AttrType) != nil {
		return nil // a result in memory may take the first register
	}
	r := t.data.Reader()
	r.Seek(sub.Offset)
	if _, err := r.Next(); err != nil || !sub.Children {
		return nil
	}
	for used := 0; used < len(arguments); {
		e, err := r.Next()
		if e == nil || err != nil || e.Tag == 0 {
			break
		}
		if e.Tag != dwarf.TagFormalParameter {
			r.SkipChildren()
			continue
		}
		if origin := t.at(e.Val(dwarf.AttrAbstractOrigin)); origin != nil {
			e = origin
		}
		kind, restrict := t.passed(t.at(e.Val(dwarf.AttrType)))
		switch {
		case kind == elsewhere:
			return regs // those that follow are not known
		case kind == floating:
			continue
		case restrict:
			regs = append(regs, arguments[used])
		}
		used++
	}
	return regs
}

// passing says how a value is passed to a function.
type passing uint8

const (
	elsewhere passing = iota // not known, or in memory
	integer                  // in the next integer register
	floating                 // in a floating-point register
)

// passed follows a type to how its values are passed, and whether it is a restrict-qualified pointer.
func (t *lineTable) passed(e *dwarf.Entry) (kind passing, restrict bool) {
	const complexFloat, float = 3, 4 // DW_ATE
	for range 16 {
		if e == nil {
			break
		}
		switch e.Tag {
		case dwarf.TagRestrictType:
			restrict = true
		case dwarf.TagConstType, dwarf.TagVolatileType, dwarf.TagTypedef:
		case dwarf.TagPointerType, dwarf.TagReferenceType, dwarf.TagRvalueReferenceType:
			return integer, restrict
		case dwarf.TagEnumerationType:
			return integer, false
		case dwarf.TagBaseType:
			size, _ := e.Val(dwarf.AttrByteSize).(int64)
			enc, _ := e.Val(dwarf.AttrEncoding).(int64)
			switch {
			case enc == complexFloat:
				return elsewhere, false // one register or two, or memory
			case enc == float && size <= 8:
				return floating, false
			case enc != float && size <= 8:
				return integer, false
			}
			return elsewhere, false
		default:
			return elsewhere, false
		}
		e = t.at(e.Val(dwarf.AttrType))
	}
	return elsewhere, false
}

// at returns the entry that a value refers to, nil if it is none.
func (t *lineTable) at(v any) *dwarf.Entry {
	off, ok := v.(dwarf.Offset)
	if !ok {
		return nil
	}
	r := t.data.Reader()
	r.Seek(off)
	e, err := r.Next()
	if err != nil {
		return nil
	}
	return e
}
