package results

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"incore/internal/analysis/throughput"
	"incore/internal/analysis/uops"
	"incore/internal/bench/plan"
	"incore/internal/isa"
	"incore/internal/machine"
)

// refute replaces a base's µops if the measured throughput is higher than their ports allow. A form of one µop gets a
// port set that was measured for another form, if exactly one such set has the size that the throughput requires and
// contains the base's ports; it gets no port if the throughput equals the dispatch width. For other forms, and forms
// that access memory, the time that a µop keeps its port busy is reduced to the measured time (shorten), equal
// operations are left out (fewer), and a load's ports are reduced to the measured loads per cycle (narrow). Forms with measured ports are not changed.
func refute(t *plan.Target, rows map[string]string, width float64, base *machine.Model) {
	sets := portSets(rows)
	for f, row := range rows {
		fields := strings.SplitN(row+" |  | ", " | ", 4)
		each := attribute(fields[2], "rthru")
		if fields[0] != "=" || math.IsNaN(each) || each <= 0 {
			continue
		}
		ports := onlyPorts(t, f, base)
		uop, slots := "", 1.0
		switch {
		case len(ports) > 0 && each <= 0.85/float64(len(ports)):
			if uop = "-"; !(width > 0 && each < 1.12/width) {
				uop = theOne(sets[int(math.Round(1/each))], ports)
			} else if each < sharesSlot/width {
				slots = 0.5 // two instances share a slot
			}
		case len(ports) == 0:
			uop, slots = timed(t, f, each, base)
		}
		if uop != "" {
			rows[f] = strings.TrimRight(fmt.Sprintf("%s | %s | slots=%s %s", uop, fields[1], Trim(slots, 2), strings.Trim(fields[2], " |")), " |")
		}
	}
}

// sharesSlot is the largest number of dispatch slots per instance at which two instances of a form are taken
// to share one.
const sharesSlot = 0.6

// timed adapts the µops of a form in the base to the measured cycles per instance; "" if they already agree, or if
// no change makes them agree. slots are the base's dispatch slots.
func timed(t *plan.Target, form string, each float64, m *machine.Model) (text string, slots float64) {
	b := bound(t, form, m)
	if b == nil || len(b.Insts[0].Uops) == 0 {
		return "", 0
	}
	in := &b.Insts[0]
	uops := slices.Clone(in.Uops)
	ports := throughput.Analyze(b, throughput.Optimal).Cycles
	switch {
	case ports > 1.15*each:
		shorten(uops, each)
		uops = fewer(b, uops, each)
	case ports < 0.87*each:
		if !narrow(uops, each) {
			return "", 0
		}
	default:
		return "", 0
	}
	b = b.Change(b.Model, func(_ int, in *machine.Inst) { in.Uops = uops })
	if now := throughput.Analyze(b, throughput.Optimal).Cycles; math.Abs(math.Log(now/each)) >= math.Abs(math.Log(ports/each)) {
		return "", 0 // several µops on the same ports
	}
	var list []string
	for i := range uops {
		list = append(list, uopText(m, &uops[i]))
	}
	return strings.Join(list, " "), in.Slots
}

// shorten reduces the busy cycles of µops that exceed each, to one at least.
func shorten(uops []machine.Uop, each float64) {
	for i := range uops {
		u := &uops[i]
		if n := each * size(u.Ports); u.Cycles > n {
			u.Cycles = max(1, halves(n))
		}
	}
}

// fewer leaves out operations that equal the one before them, as long as an instruction's µops are slower than each
// (LLVM's Zen 4 compares scalars into flags by two µops on one pair of ports).
func fewer(b *machine.Bound, uops []machine.Uop, each float64) []machine.Uop {
	for i := len(uops) - 1; i > 0; i-- {
		if u := &uops[i]; u.Resource || u.Kind != machine.UopExec || *u != uops[i-1] {
			continue
		}
		now := b.Change(b.Model, func(_ int, in *machine.Inst) { in.Uops = uops })
		if throughput.Analyze(now, throughput.Optimal).Cycles <= 1.15*each {
			break
		}
		uops = slices.Delete(slices.Clone(uops), i, i+1)
	}
	return uops
}

// halves is a measured time of a port or unit in whole cycles, from two on in half cycles (dividers), from which it may deviate upwards by a part of a cycle.
func halves(cycles float64) float64 {
	if cycles < 2 {
		return math.Floor(cycles + 0.15)
	}
	return math.Floor(2*cycles+0.3) / 2
}

// narrow reduces a load's ports to the number of loads per cycle; false if the form does anything else, or if that
// number is not whole.
func narrow(uops []machine.Uop, each float64) bool {
	n := math.Round(1 / each)
	if n < 1 || math.Abs(n*each-1) > 0.1 {
		return false
	}
	loads := 0
	for i := range uops {
		u := &uops[i]
		if u.Resource {
			continue
		}
		if loads++; u.Kind != machine.UopLoad || u.Cycles != 1 || size(u.Ports) < n || loads > 1 {
			return false
		}
		left := machine.PortSet(0)
		for p := u.Ports; size(left) < n; p &= p - 1 {
			left |= p & -p
		}
		u.Ports = left
	}
	return loads == 1
}

// uopText formats a µop as in a row.
func uopText(m *machine.Model, u *machine.Uop) string {
	s := m.SetName(u.Ports)
	if u.Start != 0 {
		s += "@" + Trim(u.Start, 2)
	}
	if u.Cycles != 1 {
		s += ":" + Trim(u.Cycles, 2)
	}
	return s + map[machine.UopKind]string{machine.UopLoad: "/load", machine.UopStoreAddr: "/sta", machine.UopStoreData: "/std", machine.UopBranch: "/branch", machine.UopResult: "/result", machine.UopRead: "/read"}[u.Kind]
}

func size(s machine.PortSet) float64 { return float64(bits.OnesCount64(uint64(s))) }

// portSets collects the port sets of rows with one µop, as lists of names, by size.
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

// theOne returns the only one of some sets that contains all given ports, formatted as in a row; "" if none or
// several do.
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

// onlyPorts returns the ports of a form's only µop in a model; nil if the form has another number of µops, keeps
// its port busy for more than a cycle, or accesses memory.
func onlyPorts(t *plan.Target, form string, m *machine.Model) []string {
	k := bound(t, form, m)
	if k == nil {
		return nil
	}
	b := &k.Insts[0]
	if len(b.Uops) != 1 || b.Uops[0].Cycles != 1 || b.Uops[0].Resource || len(b.Effects.Mem) > 0 {
		return nil
	}
	return m.PortNames(b.Uops[0].Ports)
}

// bound analyses a loop of one instance of a form on a model; nil if the model does not know the form.
func bound(t *plan.Target, form string, m *machine.Model) *machine.Bound {
	in, err := t.Instance(t.ISA.Forms.Named(form))
	if err != nil {
		return nil
	}
	b := uops.Bind(m, &isa.Kernel{ISA: t.ISA, Loop: true, Lines: []isa.Line{{Inst: in, No: 1}}})
	if b.Insts[0].Flags&machine.Unknown != 0 {
		return nil
	}
	return b
}

// attribute returns the numeric value of a row's attribute; NaN if it is absent.
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
