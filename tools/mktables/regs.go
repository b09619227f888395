package main

import (
	"encoding/json"
	"sort"
)

// flagUnits are units that LLVM doesn't have: the parts of a flags register that
// instructions read and write apart. Each becomes a sub-register of the whole.
// x86: INC and DEC leave CF, rotates write only CF and OF, conditions read some
// of the flags; cores rename CF and the SPAZO group apart (uops.info; Intel SDM vol. 1, 3.4.3).
var flagUnits = map[string]map[string][]string{
	"X86": {"EFLAGS": {"CF", "OF", "SPAZ"}},
}

func (b *builder) registers() {
	type reg struct {
		name  string
		subs  []string
		units []uint16
	}
	regs := []reg{{}}
	unit := uint16(0)
	for _, r := range b.src.regs.Regs {
		var x reg
		for i, dst := range []any{&x.name, &x.subs, &x.units} {
			if err := json.Unmarshal(r[i], dst); err != nil {
				b.fail("regs: %v", err)
				return
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
				regs = append(regs, reg{name: p, units: []uint16{unit}})
				unit++
			}
		}
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
		var s []uint16
		for _, n := range r.subs {
			s = append(s, b.reg(n))
		}
		subs = append(subs, s)
	}
	b.w.Strings("reg.name", names)
	b.w.Lists("reg.unit", units)
	b.w.Lists("reg.sub", subs)

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

	classes := sortedKeys(b.src.regs.Classes)
	members, sizes := [][]uint16{}, []uint16{}
	for _, c := range classes {
		var m []uint16
		for _, n := range b.src.regs.Classes[c].M {
			m = append(m, b.reg(n))
		}
		members = append(members, m)
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
