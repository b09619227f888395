package machine

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"incore/internal/isa"
)

// Cost is the model's data of one instruction, with sources.
type Cost struct {
	Inst                // by itself (Costs); its Line is set
	Form        string  // "?" if unresolved
	NumUops     float64 // µops as the source counts them (LLVM: NumMicroOps)
	RThroughput float64 // reciprocal throughput by the ports alone, as LLVM defines it, in cycles
	// Each is the cycles per instruction among many of the same kind: the source's own figure, else the limit of all sets of ports and of the
	// dispatch slots. RThroughput considers only single ports and named groups.
	Each float64
	// SourceLatency is the latency of the slowest result by the source's own rule; NaN = unknown.
	SourceLatency float64
	Ports         string // the µops as the model file writes them: "23/load 0156"
	// Rows gives the origin of the figures: file and line of the rows for µops and latency.
	Rows []string
}

// Cost returns the model's data of an instruction, with sources.
func (m *Model) Cost(a *isa.ISA, in *isa.Inst) *Cost {
	k := &isa.Kernel{ISA: a, Lines: []isa.Line{{Inst: *in}}}
	insts, _ := m.Costs(k)
	c := &Cost{Inst: insts[0], Form: a.FormName(in), SourceLatency: math.NaN()}
	dispatch := 0.0
	if m.Params.DispatchWidth > 0 {
		dispatch = c.Slots / float64(m.Params.DispatchWidth)
	}
	f := found{}
	if a.Name == m.ISA {
		f = m.compile(a).lookup(in)
	}
	if f.uops == nil || f.lat == nil {
		c.NumUops, c.RThroughput, c.Ports = c.Slots, m.rthru(c.Uops, c.Slots, false), m.UopText(c.Uops)
		c.SourceLatency, c.Each = math.NaN(), max(c.RThroughput, portBound(c.Uops), dispatch)
		return c
	}
	c.NumUops = f.uops.numUops()
	uops := m.wide(f.uops.uops, c.Effects.Mem)
	if f.rthru != nil {
		c.RThroughput = f.rthru.rthru
		c.Each = c.RThroughput
	} else {
		c.RThroughput = m.rthru(uops, c.NumUops, false)
		c.Each = max(c.RThroughput, portBound(uops), dispatch)
	}
	c.SourceLatency = f.lat.lat.source()
	c.Ports = m.UopText(uops)
	for _, r := range f.from {
		at := fmt.Sprintf("%s:%d (%s)", r.file, r.line, r.source)
		if len(c.Rows) == 0 || c.Rows[0] != at {
			c.Rows = append(c.Rows, at)
		}
	}
	return c
}

// numUops returns the µop count of a row as its source counts.
func (r *row) numUops() float64 {
	if !math.IsNaN(r.count) {
		return r.count
	}
	n := 0
	for _, u := range r.uops {
		if !u.Resource && u.Ports != 0 {
			n++
		}
	}
	return float64(n)
}

// source returns the latency by LLVM's rule: the slowest result and the longest delay of an operand.
func (l *latency) source() float64 {
	slow, delay := 0.0, 0.0
	for _, d := range l.defs {
		slow = max(slow, d.cycles) // NaN (unknown) wins
	}
	for _, x := range l.late {
		if x.tag == 0 {
			delay = max(delay, -x.cycles)
		}
	}
	return slow + delay
}

// rthru returns the load of the fullest port or named group of ports; without ports, the limit of the dispatch width. With released, a port counts as
// busy from the start, as in LLVM 19.
func (m *Model) rthru(uops []Uop, count float64, released bool) float64 {
	best := 0.0
	check := func(s PortSet) {
		sum := 0.0
		for _, u := range uops {
			if u.Ports != 0 && u.Ports&^s == 0 {
				sum += u.Cycles
				if released {
					sum += u.Start
				}
			}
		}
		best = max(best, sum/float64(bits.OnesCount64(uint64(s))))
	}
	for i := range m.Ports {
		check(1 << i)
	}
	for _, g := range m.Groups {
		check(g.Ports)
	}
	width := m.Params.LLVMIssueWidth
	if width == 0 {
		width = max(1, m.Params.DispatchWidth)
	}
	if best == 0 {
		return count / float64(width)
	}
	return best
}

// Counted returns the µops and uses of resources that bounds count: all except reads of registers (UopRead). Without such reads it returns the list
// itself.
func Counted(uops []Uop) []Uop {
	read := func(u Uop) bool { return u.Kind == UopRead }
	if !slices.ContainsFunc(uops, read) {
		return uops
	}
	return slices.DeleteFunc(slices.Clone(uops), read)
}

// portBound returns the load of the fullest set of ports. It is enough to examine unions of the port sets of the µops.
func portBound(uops []Uop) float64 {
	sets := []PortSet{0}
	uops = Counted(uops)
	for _, u := range uops {
		for _, s := range sets {
			if j := s | u.Ports; !slices.Contains(sets, j) && len(sets) < maxJoined {
				sets = append(sets, j)
			}
		}
	}
	best := 0.0
	for _, s := range sets[1:] {
		sum := 0.0
		for _, u := range uops {
			if u.Ports != 0 && u.Ports&^s == 0 {
				sum += u.Cycles
			}
		}
		best = max(best, sum/float64(bits.OnesCount64(uint64(s))))
	}
	return best
}

// maxJoined limits the sets of ports that portBound examines; forms have few kinds of µops.
const maxJoined = 1 << 10

var uopKindNames = [...]string{UopExec: "", UopLoad: "/load", UopStoreAddr: "/sta", UopStoreData: "/std", UopBranch: "/branch", UopResult: "/result", UopRead: "/read"}

// UopText returns µops in the notation of model files: "23/load 2*0156 DIV:10", "-" for none.
func (m *Model) UopText(uops []Uop) string {
	var parts []string
	for i := 0; i < len(uops); {
		u, n := uops[i], 1
		for i+n < len(uops) && uops[i+n] == u {
			n++
		}
		i += n
		s := m.SetName(u.Ports)
		if u.Start > 0 {
			s += fmt.Sprintf("@%g", u.Start)
		}
		if u.Cycles != 1 {
			s += fmt.Sprintf(":%g", u.Cycles)
		}
		s += uopKindNames[u.Kind]
		if n > 1 {
			s = fmt.Sprintf("%d*%s", n, s)
		}
		parts = append(parts, s)
	}
	if len(parts) == 0 {
		return "-"
	}
	return strings.Join(parts, " ")
}
