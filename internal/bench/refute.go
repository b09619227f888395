package bench

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"incore/internal/isa"
	"incore/internal/machine"
)

// refute replaces a base's µop where the measurement shows that it cannot be: a form of one µop that goes by faster than that µop's ports allow. It takes
// the ports that another form was measured to have, if only one such set is as large as the throughput demands and holds the base's
// ports; none if as many go by as the core dispatches. Forms whose ports were measured are left alone.
func (t *Target) refute(rows map[string]string, width float64, base *machine.Model) {
	sets := portSets(rows)
	for f, row := range rows {
		fields := strings.SplitN(row+" |  | ", " | ", 4)
		each := attribute(fields[2], "rthru")
		if fields[0] != "=" || math.IsNaN(each) || each <= 0 {
			continue
		}
		ports := t.onlyPorts(f, base)
		if len(ports) == 0 || each > 0.85/float64(len(ports)) {
			continue
		}
		uop := "-"
		if !(width > 0 && each < 1.12/width) {
			if uop = theOne(sets[int(math.Round(1/each))], ports); uop == "" {
				continue
			}
		}
		rows[f] = strings.TrimRight(uop+" | "+fields[1]+" | slots=1 "+strings.Trim(fields[2], " |"), " |")
	}
}

// portSets are the sets of ports that rows with one µop have, as lists of names, by size.
func portSets(rows map[string]string) map[int][][]string {
	out, seen := map[int][][]string{}, map[string]bool{}
	for _, row := range rows {
		uops, _, _ := strings.Cut(row, " | ")
		if uops == "=" || uops == "-" || strings.ContainsAny(uops, " *:/") || seen[uops] {
			continue
		}
		seen[uops] = true
		ports := strings.Split(uops, "+")
		out[len(ports)] = append(out[len(ports)], ports)
	}
	return out
}

// theOne is the only one of some sets that holds all ports given, as a row writes it; "" if none or several do.
func theOne(sets [][]string, ports []string) string {
	found := ""
	for _, s := range sets {
		if slices.ContainsFunc(ports, func(p string) bool { return !slices.Contains(s, p) }) {
			continue
		}
		if found != "" {
			return ""
		}
		found = strings.Join(s, "+")
	}
	return found
}

// onlyPorts are the ports of a form's only µop in a model; nil if it has another number, keeps its port busy for longer, or accesses memory.
func (t *Target) onlyPorts(form string, m *machine.Model) []string {
	_, in, err := t.first(t.ISA.Forms.Named(form))
	if err != nil {
		return nil
	}
	k := &isa.Kernel{ISA: t.ISA, Loop: true, Lines: []isa.Line{{Inst: in, No: 1}}}
	b := &m.Bind(k).Insts[0]
	if b.Flags&machine.Unknown != 0 || len(b.Uops) != 1 || b.Uops[0].Cycles != 1 || b.Uops[0].Resource || len(b.Effects.Mem) > 0 {
		return nil
	}
	return m.PortNames(b.Uops[0].Ports)
}

// attribute is a number among a row's attributes; NaN if it is not there.
func attribute(attrs, name string) float64 {
	for _, a := range strings.Fields(attrs) {
		if text, ok := strings.CutPrefix(a, name+"="); ok {
			if v, err := strconv.ParseFloat(text, 64); err == nil {
				return v
			}
		}
	}
	return math.NaN()
}
