package results

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"incore/internal/bench/plan"
	"incore/internal/isa"
	"incore/internal/machine"
)

// This file gives forms that access memory the ports that were measured for the same operation on registers: the inference of ports has no forms with memory operands, and a
// base may have fewer ports than the machine.

// grownAddress is the name of ports for loads that the base lacks; ownLoad is what follows the name of a port that the base gives to others, too, in that of a load's
// own one.
const (
	grownAddress = "LOAD"
	ownLoad      = "L"
)

// compose gives forms with memory operands the µops of their twins on registers, if those have measured ports, and enough ports for the loads of a cycle. m has the
// measured latencies.
func compose(t *plan.Target, rows map[string]string, f *resultFile, m, base *machine.Model) *composition {
	c := &composition{t: t, rows: rows, kin: kin(rows), loads: number(f.params, "loads-per-cycle"), m: m, base: base}
	c.classify(f.memory)
	for f := range rows {
		c.form(f)
	}
	return c
}

// extend composes the µops of the forms that were not measured: rows has those that are like measured ones, to which it adds.
func (c *composition) extend(rows, measured map[string]string) {
	c.rows = maps.Clone(c.rows)
	maps.Copy(c.rows, rows)
	c.kin = kin(c.rows)
	for f := isa.FormID(1); int(f) < c.t.ISA.Forms.Len(); f++ {
		name := c.t.ISA.Forms.Name(f)
		if _, ok := measured[name]; ok || c.t.ISA.Forms.MemOp(f) < 0 {
			continue
		}
		row, ok := rows[name]
		if !ok {
			row = "= | ="
			c.rows[name] = row
		}
		if c.form(name); c.rows[name] != row {
			rows[name] = c.rows[name]
		}
	}
}

// composition is what compose knows.
type composition struct {
	t       *plan.Target
	rows    map[string]string
	kin     map[string]string // widthless name → the µops that all forms with it have
	loads   float64           // a cycle
	classes map[machine.PortSet]*loadClass
	m, base *machine.Model
	grown   []string // the names of the ports that loads got beyond the base's
}

// loadClass is what was measured of the loads to which the base gives the same ports.
type loadClass struct {
	rate float64 // loads a cycle
	own  bool    // they have ports of their own: stores to which the base gives some of the same ports do not take theirs
}

// ownLoads is the largest part of the time of shared ports that loads beside stores take if they do not share them.
const ownLoads = 0.85

// classify finds the loads a cycle of each class, by the form that only loads and is the fastest; and which have ports of their own, by loads beside stores.
func (c *composition) classify(memory memoryResults) {
	c.classes = map[machine.PortSet]*loadClass{}
	for f := range c.rows {
		each := c.each(f)
		if u := c.only(f, machine.UopLoad); u != nil && each > 0 {
			k := c.classes[u.Ports]
			if k == nil {
				k = &loadClass{}
				c.classes[u.Ports] = k
			}
			k.rate = min(c.loads, max(k.rate, 1/each))
		}
	}
	for name, x := range memory {
		var load, store string
		if n, _ := fmt.Sscanf(name, plan.BesideName, &load, &store); n < 2 {
			continue
		}
		l, s := c.only(load, machine.UopLoad), c.only(store, machine.UopStoreData)
		if s == nil {
			s = c.only(store, machine.UopStoreAddr)
		}
		if l == nil || s == nil || l.Ports&s.Ports == 0 || c.classes[l.Ports] == nil {
			continue
		}
		if pair := 2 * x.cycles; pair < ownLoads*2/size(l.Ports|s.Ports) {
			c.classes[l.Ports].own = true
		}
	}
}

// each is the measured reciprocal throughput of a form, NaN if there is none.
func (c *composition) each(form string) float64 {
	return attribute(strings.SplitN(c.rows[form]+" |  | ", " | ", 4)[2], "rthru")
}

// only returns the µop of a kind of a form that has no other ones, in the base; nil if there is none.
func (c *composition) only(form string, kind machine.UopKind) *machine.Uop {
	b := bound(c.t, form, c.base)
	if b == nil {
		return nil
	}
	var found *machine.Uop
	for i := range b.Insts[0].Uops {
		switch u := &b.Insts[0].Uops[i]; {
		case u.Resource:
		case u.Kind != kind || u.Cycles != 1 || found != nil:
			return nil
		default:
			found = u
		}
	}
	return found
}

// form composes the µops of a form, if it accesses memory and has none of its own.
func (c *composition) form(f string) {
	if uops, _, _ := strings.Cut(c.rows[f], " | "); uops != "=" {
		return
	}
	b := bound(c.t, f, c.base)
	if b == nil || len(b.Insts[0].Effects.Mem) == 0 {
		return
	}
	in := &b.Insts[0]
	fields := strings.SplitN(c.rows[f]+" |  | ", " | ", 4)
	own, ok := c.twin(f)
	works := ok && (loadsAndWorks(in) || c.worksLater(f, in))
	each := attribute(fields[2], "rthru")
	var list []string
	changed := works && !loadsAndWorks(in)
	for i := range in.Uops {
		u := in.Uops[i]
		switch n := each * size(u.Ports); {
		case u.Resource && u.Cycles > 1.05*n: // the machine has more of them than the base, or keeps them busy for less time
			changed = true
			if u.Cycles = halves(n); u.Cycles < 1 {
				continue
			}
		case u.Resource:
		case u.Kind == machine.UopLoad && c.changes(u.Ports):
			list, changed = append(list, c.load(&u, in, each)), true
			continue
		case u.Kind == machine.UopExec && works:
			changed = true
			continue
		case u.Kind == machine.UopExec && u.Cycles > 1.05*max(n, 1):
			u.Cycles, changed = max(halves(n), 1), true
		}
		list = append(list, uopText(c.base, &u))
	}
	if works {
		list = append(list, own)
	}
	if changed {
		c.rows[f] = strings.TrimRight(fmt.Sprintf("%s | %s | slots=%s %s", strings.Join(list, " "), fields[1], Trim(in.Slots, 2), strings.Trim(fields[2], " |")), " |")
	}
}

// most returns the loads a cycle of a class, which is that of all loads where none was measured.
func (c *composition) most(ports machine.PortSet) float64 {
	if k := c.classes[ports]; k != nil {
		return math.Round(k.rate)
	}
	return c.loads
}

// changes reports whether loads of a class have other ports than in the base.
func (c *composition) changes(ports machine.PortSet) bool {
	k := c.classes[ports]
	return c.most(ports) > size(ports) || k != nil && k.own
}

// load returns a load's µop with as many ports as its class has loads a cycle.
func (c *composition) load(u *machine.Uop, in *machine.Inst, each float64) string {
	names := c.base.PortNames(u.Ports)
	grow := func(name string) string {
		if !slices.Contains(c.grown, name) {
			c.grown = append(c.grown, name)
		}
		return name
	}
	if k := c.classes[u.Ports]; k != nil && k.own {
		names = slices.Clone(names)
		for i := range names {
			names[i] = grow(names[i] + ownLoad)
		}
	}
	most := c.most(u.Ports)
	for k := 0; float64(len(names)) < most; k++ {
		names = append(names, grow(fmt.Sprintf("%s%d", grownAddress, k)))
	}
	busy := ""
	if t := math.Round(each * float64(len(names))); t > 1 && !stores(in) && !loadsAndWorks(in) { // vectors have fewer loads a cycle than other values
		busy = ":" + Trim(t, 0)
	}
	return strings.Join(names, "+") + busy + "/load"
}

// worksLater reports whether a form that only loads in the base, into an integer register, takes as much longer than a load as its twin on registers takes: the machine
// loads and then works (a sign extension).
func (c *composition) worksLater(form string, in *machine.Inst) bool {
	if c.m.Params.LoadLatency <= 0 || stores(in) || len(in.Effects.Writes) != 1 || c.t.File(in.Effects.Writes[0].Reg) != plan.GPR {
		return false
	}
	rr, rm := bound(c.t, twinName(form), c.m), bound(c.t, form, c.m)
	return rr != nil && rm != nil && rr.Insts[0].Latency >= 1 && rm.Insts[0].Latency >= float64(c.m.Params.LoadLatency)+rr.Insts[0].Latency-confirmTolerance
}

// stores reports whether an instruction stores.
func stores(in *machine.Inst) bool {
	return slices.ContainsFunc(in.Effects.Mem, func(m isa.MemRef) bool { return m.Store })
}

// loadsAndWorks reports whether an instruction does more than to load or to store.
func loadsAndWorks(in *machine.Inst) bool {
	load, exec := false, false
	for i := range in.Uops {
		load = load || in.Uops[i].Kind == machine.UopLoad
		exec = exec || in.Uops[i].Kind == machine.UopExec && !in.Uops[i].Resource
	}
	return load && exec
}

// twin returns the measured µops of the same operation on registers; of other widths, if it was not measured and they
// all have the same.
func (c *composition) twin(form string) (uops string, ok bool) {
	name := twinName(form)
	if uops, _, _ = strings.Cut(c.rows[name], " | "); uops == "" || uops == "=" {
		uops = c.kin[widthless(name)]
	}
	return uops, uops != "" && uops != "-"
}

// kin returns the measured µops of the forms that differ only in the numbers in their names, "" where they have
// different ones.
func kin(rows map[string]string) map[string]string {
	out := map[string]string{}
	for f, row := range rows {
		uops, _, _ := strings.Cut(row, " | ")
		if uops == "=" {
			continue
		}
		name := widthless(f)
		if other, found := out[name]; found && other != uops {
			uops = ""
		}
		out[name] = uops
	}
	return out
}

// widthless returns a form's name without the numbers in it.
func widthless(form string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, form)
}

// twinName returns the name of the form of the same operation on registers: LLVM has an r in place of the m; "" if there is none.
func twinName(form string) string {
	at := strings.LastIndexByte(form, 'm')
	if at < 0 {
		return ""
	}
	return form[:at] + "r" + form[at+1:]
}

// number returns the value of a parameter in lines "param NAME: VALUE  # …"; NaN if there is none.
func number(params []string, name string) float64 {
	for _, p := range params {
		if rest, ok := strings.CutPrefix(p, "param "+name+": "); ok {
			value, _, _ := strings.Cut(rest, " ")
			if v, err := strconv.ParseFloat(value, 64); err == nil {
				return v
			}
		}
	}
	return math.NaN()
}
