package machine

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"incore/internal/isa"
)

// DispatchLimit is the number of µops per cycle that can be dispatched to a set of ports, as in Arm's Software Optimization Guides: "up to 4 µOPs
// utilizing the S or B pipelines". If the ports are resources, it limits the instructions that use these.
type DispatchLimit struct {
	Name  string // the ports as the model names them: "S or B"
	Uops  int
	Ports PortSet
	Slots bool // it counts slots: see CountsSlots
	Loads bool // a cycle in which a load is among the slots has one slot fewer, unless the load ports are busy
}

// slotsWord and loadsWord stand before the ports of a limit that counts slots.
const (
	slotsWord = "slots"
	loadsWord = "loads"
)

// CountsSlots reports whether a limit counts the slots of an instruction: of one that uses the limit's ports, and of an eliminated move or a zero idiom
// that writes a vector or mask register, although it uses none.
func (l *DispatchLimit) CountsSlots(b *Bound, in *Inst) bool {
	if !l.Slots {
		return false
	}
	for i := range in.Uops {
		if u := &in.Uops[i]; u.Ports != 0 && !u.Resource && u.Ports&^l.Ports == 0 {
			return true
		}
	}
	return in.Flags&(ZeroIdiom|MoveElim) != 0 && in.writesVector(b.Kernel.ISA)
}

// writesVector reports whether an instruction writes a register that is no general-purpose one: of a vector, or its mask.
func (in *Inst) writesVector(a *isa.ISA) bool {
	return slices.ContainsFunc(in.Effects.Writes, func(w isa.Access) bool {
		vector, general := fileOf(a, w)
		return w.Role != isa.RoleFlags && (vector || !general)
	})
}

// TouchesVectors reports whether an instruction reads or writes a register of the vector file.
func (in *Inst) TouchesVectors(a *isa.ISA) bool {
	touches := func(x isa.Access) bool { vector, _ := fileOf(a, x); return vector }
	return slices.ContainsFunc(in.Effects.Reads, touches) || slices.ContainsFunc(in.Effects.Writes, touches)
}

// fileOf reports whether a register is of the vector file, or of another one that is renamed (of an instruction set
// that names none: always the latter); masks are of neither.
func fileOf(a *isa.ISA, x isa.Access) (vector, general bool) {
	if a.RegFile == nil {
		return false, true
	}
	file, ok := a.RegFile(x.Reg)
	return ok && file == isa.VectorFile, ok && file != isa.VectorFile
}

// schedulerPrefix begins the names of the scheduler's partitions in models.
const schedulerPrefix = "scheduler-"

// LimitPrefix begins the names of dispatch limits in models.
const LimitPrefix = "dispatch-limit-"

// maxDispatchLimits bounds the limits that a model may state. Every union of stated limits is a limit too, and with the limit of all µops there must
// be no more than 64.
const maxDispatchLimits = 6

// limit reads "UOPS PORTS…", "SLOTS slots PORTS…" or "SLOTS slots loads PORTS…".
func (m *Model) limit(text string) (DispatchLimit, error) {
	count, ports, _ := strings.Cut(strings.TrimSpace(text), " ")
	l := DispatchLimit{}
	if ports, l.Slots = strings.CutPrefix(strings.TrimSpace(ports), slotsWord+" "); l.Slots {
		ports, l.Loads = strings.CutPrefix(strings.TrimSpace(ports), loadsWord+" ")
	}
	l.Name = strings.Join(strings.Fields(ports), " or ")
	var err error
	if l.Uops, err = strconv.Atoi(count); err != nil || l.Uops < 1 || l.Uops > maxParam {
		return l, fmt.Errorf("bad number of µops '%s'", clip(count))
	}
	if l.Ports, err = m.ports(ports); err != nil {
		return l, err
	}
	if l.Ports == 0 {
		return l, fmt.Errorf("expected a number of µops and ports")
	}
	return l, nil
}

// limits returns all limits that follow from the stated ones. A µop that may use the ports of several limits counts for any one of them, so a union
// of ports has the sum of their counts. With an optimal choice, a set of µops fits if and only if it satisfies all these limits (Hall 1935). Limits
// that count slots are apart from these.
func (m *Model) limits(stated []DispatchLimit, all int) []DispatchLimit {
	slots := slices.DeleteFunc(slices.Clone(stated), func(l DispatchLimit) bool { return !l.Slots })
	stated = slices.DeleteFunc(stated, func(l DispatchLimit) bool { return l.Slots })
	var out []DispatchLimit
	for subset := 1; subset < 1<<len(stated); subset++ {
		u := DispatchLimit{}
		for s := subset; s != 0; s &= s - 1 {
			l := &stated[bits.TrailingZeros(uint(s))]
			if u.Name != "" {
				u.Name += " or "
			}
			u.Name, u.Uops, u.Ports = u.Name+l.Name, u.Uops+l.Uops, u.Ports|l.Ports
		}
		out = fewest(out, u)
	}
	if all > 0 {
		out = fewest(out, DispatchLimit{Name: "any port", Uops: all, Ports: m.issuePorts()})
	}
	var kept []DispatchLimit
	for i := range out {
		if !impliedBy(out, i) {
			kept = append(kept, out[i])
		}
	}
	return append(kept, slots...)
}

// fewest adds a limit to others; of two limits on the same ports it keeps the lower one.
func fewest(ls []DispatchLimit, l DispatchLimit) []DispatchLimit {
	for i := range ls {
		if ls[i].Ports == l.Ports {
			if l.Uops < ls[i].Uops {
				ls[i] = l
			}
			return ls
		}
	}
	return append(ls, l)
}

// impliedBy reports whether limit i follows from a limit on a superset of its ports that allows no more µops.
func impliedBy(ls []DispatchLimit, i int) bool {
	for k := range ls {
		if k != i && ls[i].Ports&^ls[k].Ports == 0 && ls[k].Uops <= ls[i].Uops {
			return true
		}
	}
	return false
}

// issuePorts returns the ports of the model, without resources.
func (m *Model) issuePorts() (all PortSet) {
	for i := range m.Ports {
		if !m.Ports[i].Resource {
			all |= 1 << i
		}
	}
	return all
}

// maxTimes is the largest number of one-cycle µops that one µop of a row stands for; more cycles mean one long µop.
const maxTimes = 16

// Times returns the number of µops that a row's µop stands for: LLVM writes n one-cycle µops on a group of ports as one use of n cycles.
func (u *Uop) Times() int {
	if bits.OnesCount64(uint64(u.Ports)) < 2 || u.Cycles <= 1 || u.Cycles > maxTimes {
		return 1
	}
	return int(math.Ceil(u.Cycles))
}
