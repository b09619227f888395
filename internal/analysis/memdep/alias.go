package memdep

import (
	"fmt"
	"strconv"
	"strings"

	"incore/internal/isa"
)

// ParseAlias reads a fact about a register at the loop's entry: "rdi=rsi+8", "r10=rax", "x0=sp-16", "rcx=0".
func ParseAlias(a *isa.ISA, text string) (Alias, error) {
	left, right, ok := strings.Cut(text, "=")
	if !ok {
		return Alias{}, fmt.Errorf("alias %q: REGISTER=REGISTER+BYTES is needed", text)
	}
	var out Alias
	var err error
	if out.Reg, err = fullRegister(a, left); err != nil {
		return Alias{}, err
	}
	right = strings.TrimSpace(right)
	if at := strings.LastIndexAny(right, "+-"); at > 0 {
		if out.Offset, err = strconv.ParseInt(strings.ReplaceAll(right[at:], " ", ""), 0, 64); err != nil {
			return Alias{}, fmt.Errorf("alias %q: %q is no number of bytes", text, right[at:])
		}
		right = right[:at]
	} else if v, err := strconv.ParseInt(right, 0, 64); err == nil {
		out.Offset = v
		return out, nil
	}
	out.Base, err = fullRegister(a, right)
	return out, err
}

func fullRegister(a *isa.ISA, name string) (isa.Reg, error) {
	name = strings.ToLower(strings.TrimLeft(strings.TrimSpace(name), "%$"))
	r := a.Regs.Spelled(name)
	if a.Semantics != nil && r != isa.NoReg {
		if full, _, width := a.Semantics.Part(r); width == 64 {
			return full, nil
		}
	}
	return isa.NoReg, fmt.Errorf("%q is no 64-bit integer register of %s", name, a.Name)
}

// CheckAliases returns an error for aliases that contradict each other: "rdi=rdi+8", "rdi=0" together with "rdi=64", a circle whose offsets do not
// add up to 0.
func CheckAliases(a *isa.ISA, list []Alias) error {
	type place struct {
		from isa.Reg // NoReg: the address 0
		by   int64
	}
	at := map[isa.Reg]place{}
	find := func(r isa.Reg) (root isa.Reg, by int64) {
		for {
			p, ok := at[r]
			if !ok {
				return r, by
			}
			r, by = p.from, by+p.by
		}
	}
	for _, x := range list {
		root, by := find(x.Reg)
		base, off := find(x.Base)
		off += x.Offset // x.Reg is at base + off
		switch {
		case root == base && by != off:
			return fmt.Errorf("alias %s contradicts the others: it would be %d bytes from where they put it", x.text(a), off-by)
		case root == base: // known already
		case root == isa.NoReg: // the address 0 is no register that could lie elsewhere
			at[base] = place{root, by - off}
		default:
			at[root] = place{base, off - by}
		}
	}
	return nil
}

func (x *Alias) text(a *isa.ISA) string {
	if x.Base == isa.NoReg {
		return fmt.Sprintf("%s=%d", a.Regs.Name(x.Reg), x.Offset)
	}
	return fmt.Sprintf("%s=%s%+d", a.Regs.Name(x.Reg), a.Regs.Name(x.Base), x.Offset)
}
