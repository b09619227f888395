package main

import (
	"encoding/json"
	"sort"
)

// flagUnits are units that LLVM does not have: the parts of a flags register that instructions read and write
// separately. Each becomes a sub-register of the whole. x86: INC and DEC leave CF, rotates write only CF and
// OF, conditions read some of the flags; cores rename CF and the SPAZO group separately (uops.info; Intel SDM
// vol. 1, 3.4.3).
var flagUnits = map[string]map[string][]string{
	"X86": {"EFLAGS": {"CF", "OF", "SPAZ"}},
}

// register is a register, its parts, and its units: two registers overlap if they share a unit.
type register struct {
	name  string
	subs  []string
	units []uint16
}

// registers writes the registers, their spellings and their classes; number 0 is no register.
func (b *builder) registers() {
	regs, ok := b.readRegisters()
	if !ok {
		return
	}
	b.regID = map[string]uint16{}
	names, units, subs := []string{}, [][]uint16{}, [][]uint16{}
	for i, r := range regs {
		if r.name != "" {
			b.regID[r.name] = uint16(i)
		}
		names, units = append(names, r.name), append(units, r.units)
	}
	for _, r := range regs {
		subs = append(subs, b.regs(r.subs))
	}
	b.w.Strings("reg.name", names)
	b.w.Lists("reg.unit", units)
	b.w.Lists("reg.sub", subs)
	b.spellings()
	b.registerClasses()
}

// readRegisters reads LLVM's registers, and adds the parts of flags registers that are read and written
// separately.
func (b *builder) readRegisters() (regs []register, ok bool) {
	regs = []register{{}}
	unit := uint16(0)
	for _, r := range b.src.regs.Regs {
		var x register
		for i, dst := range []any{&x.name, &x.subs, &x.units} {
			if err := json.Unmarshal(r[i], dst); err != nil {
				b.fail("regs: %v", err)
				return nil, false
			}
		}
		for _, u := range x.units {
			unit = max(unit, u+1)
		}
		regs = append(regs, x)
	}
	for whole, parts := range flagUnits[b.target] {
		for i := range regs {
			if regs[i].name != whole {
				continue
			}
			regs[i].units, regs[i].subs = nil, parts
			for _, p := range parts {
				regs[i].units = append(regs[i].units, unit)
				regs = append(regs, register{name: p, units: []uint16{unit}})
				unit++
			}
		}
	}
	return regs, true
}

// regs returns the numbers of registers.
func (b *builder) regs(names []string) (out []uint16) {
	for _, n := range names {
		out = append(out, b.reg(n))
	}
	return out
}

// spellings writes the assembly names of the registers.
func (b *builder) spellings() {
	spell := map[string]string{}
	for _, table := range []string{"MatchRegisterAltName", "MatchRegisterName"} {
		for s, n := range b.src.regs.Names[table] {
			spell[s] = n
		}
	}
	keys := sortedKeys(spell)
	of := make([]uint16, len(keys))
	for i, k := range keys {
		n := spell[k]
		if n == "_EFLAGS" {
			n = "EFLAGS"
		}
		of[i] = b.reg(n)
	}
	b.w.Strings("reg.spell", keys)
	b.w.U16("reg.of", of)
}

// registerClasses writes the classes, their members and sizes in bits.
func (b *builder) registerClasses() {
	classes := sortedKeys(b.src.regs.Classes)
	members, sizes := [][]uint16{}, []uint16{}
	for _, c := range classes {
		members = append(members, b.regs(b.src.regs.Classes[c].M))
		sizes = append(sizes, uint16(b.src.regs.Classes[c].Size))
	}
	b.w.Strings("rc.name", classes)
	b.w.Lists("rc.member", members)
	b.w.U16("rc.size", sizes)
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
