package results

import (
	"fmt"
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

// grownAddress is the name of ports for loads that the base lacks.
const grownAddress = "LOAD"

// compose gives forms with memory operands the µops of their twins on registers, if those have measured ports, and enough ports for the loads of a cycle. It returns the names
// of the ports that loads got beyond the base's.
func compose(t *plan.Target, rows map[string]string, loads float64, base *machine.Model) (grown []string) {
	for f, row := range rows {
		fields := strings.SplitN(row+" |  | ", " | ", 4)
		if fields[0] != "=" {
			continue
		}
		b := bound(t, f, base)
		if b == nil || len(b.Insts[0].Effects.Mem) == 0 {
			continue
		}
		in := &b.Insts[0]
		own, ok := twin(f, rows)
		ok = ok && loadsAndWorks(in)
		each := attribute(fields[2], "rthru")
		var list []string
		changed := false
		for i := range in.Uops {
			u := in.Uops[i]
			switch n := each * size(u.Ports); {
			case u.Resource && u.Cycles > 1.05*n: // the machine has more of them than the base, or keeps them busy for less time
				changed = true
				if u.Cycles = math.Floor(n + 0.15); u.Cycles < 1 {
					continue
				}
			case u.Resource:
			case u.Kind == machine.UopLoad && loads > size(u.Ports):
				names := base.PortNames(u.Ports)
				for k := 0; float64(len(names)) < loads; k++ {
					name := fmt.Sprintf("%s%d", grownAddress, k)
					if names = append(names, name); !slices.Contains(grown, name) {
						grown = append(grown, name)
					}
				}
				busy := ""
				if t := math.Round(each * loads); t > 1 && !stores(in) && !loadsAndWorks(in) { // vectors have fewer loads a cycle than other values
					busy = ":" + Trim(t, 0)
				}
				list, changed = append(list, strings.Join(names, "+")+busy+"/load"), true
				continue
			case u.Kind == machine.UopExec && ok:
				changed = true
				continue
			}
			list = append(list, uopText(base, &u))
		}
		if ok {
			list = append(list, own)
		}
		if changed {
			rows[f] = strings.TrimRight(fmt.Sprintf("%s | %s | slots=%s %s", strings.Join(list, " "), fields[1], Trim(in.Slots, 2), strings.Trim(fields[2], " |")), " |")
		}
	}
	slices.Sort(grown)
	return grown
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

// twin returns the measured µops of the same operation on registers: LLVM names its form with an r in place of the m.
func twin(form string, rows map[string]string) (uops string, ok bool) {
	at := strings.LastIndexByte(form, 'm')
	if at < 0 {
		return "", false
	}
	name := form[:at] + "r" + form[at+1:]
	row, found := rows[name]
	if !found {
		return "", false
	}
	uops, _, _ = strings.Cut(row, " | ")
	return uops, uops != "=" && uops != "-"
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
