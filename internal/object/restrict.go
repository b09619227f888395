package object

import (
	"debug/dwarf"
	"slices"
	"strings"

	"incore/internal/isa"
)

// restricted returns the registers that hold restrict-qualified pointers at the entry of a function, by its debugging
// information. It returns none if the parameters' registers are not those of the calling convention.
func (fn *Function) restricted() (regs []isa.Reg) {
	f := fn.file
	if f.ISA.Semantics == nil || f.Format == "PE" { // Windows has other conventions
		return nil
	}
	if strings.Contains(fn.Symbol, ".") { // gcc's clones (.isra, .constprop) take other parameters
		return nil
	}
	f = f.owner(fn.Addr)
	u := f.unitAt(fn.Addr)
	if u == nil {
		return nil
	}
	t := &f.lines
	t.mu.Lock()
	defer t.mu.Unlock()
	defer func() {
		if recover() != nil { // damaged debug information counts as missing
			regs = nil
		}
	}()
	off, ok := u.functions[fn.Addr]
	if sub := t.at(off); ok && sub != nil {
		return t.restrictedOf(sub, f.ISA.Semantics.Arguments)
	}
	return nil
}

// floatRegisters is the number of floating-point argument registers; on RISC-V further floating-point arguments use integer registers.
const floatRegisters = 8

// restrictedOf assigns argument registers to the parameters of a function and returns those of restrict pointers.
func (t *lineTable) restrictedOf(sub *dwarf.Entry, arguments []isa.Reg) (regs []isa.Reg) {
	const otherRegisters = 5 // DW_CC_nocall: not called by the convention
	if cc, ok := sub.Val(dwarf.AttrCalling).(int64); ok && cc == otherRegisters {
		return nil
	}
	if kind, _ := t.passed(t.resultType(sub)); kind == elsewhere && t.resultType(sub) != nil {
		return nil // the address of a result in memory may use the first register
	}
	if origin := t.at(sub.Val(dwarf.AttrAbstractOrigin)); origin != nil { // it lists all parameters
		sub = origin
	}
	r := t.data.Reader()
	r.Seek(sub.Offset)
	if _, err := r.Next(); err != nil || !sub.Children {
		return nil
	}
	for used, floats := 0, 0; used < len(arguments) && floats <= floatRegisters; {
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
			return regs // the registers of the following parameters are unknown
		case kind == floating:
			floats++
			continue
		case restrict:
			regs = append(regs, arguments[used])
		}
		used++
	}
	return regs
}

// resultType returns the type of a function's result, which is in a separate declaration if one exists; nil without a result.
func (t *lineTable) resultType(sub *dwarf.Entry) *dwarf.Entry {
	for range 4 {
		if v := sub.Val(dwarf.AttrType); v != nil {
			return t.at(v)
		}
		next := t.at(sub.Val(dwarf.AttrAbstractOrigin))
		if next == nil {
			next = t.at(sub.Val(dwarf.AttrSpecification))
		}
		if next == nil {
			return nil
		}
		sub = next
	}
	return sub // not found: a function is no type, so passed returns elsewhere
}

// passing is the way in which a value is passed to a function.
type passing uint8

const (
	elsewhere passing = iota // not known, or in memory
	integer                  // in the next integer register
	floating                 // in a floating-point register
)

// Encodings of base types (DW_ATE; DWARF 5, 7.8). Complex, imaginary, decimal and fixed-point numbers are passed in other ways.
const encFloat = 4

var integers = []int64{1, 2, 5, 6, 7, 8, 16} // address, boolean, signed, signed char, unsigned, unsigned char, UTF

// passed returns the way in which values of a type are passed, and whether the type is a restrict-qualified pointer.
func (t *lineTable) passed(e *dwarf.Entry) (kind passing, restrict bool) {
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
			case size <= 0 || size > 8:
			case enc == encFloat:
				return floating, false
			case slices.Contains(integers, enc):
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

// at returns the entry to which a value refers, nil for other values.
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
