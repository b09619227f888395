package main

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"sort"
	"strings"

	"incore/internal/isa"
	"incore/internal/isa/x86"
	"incore/internal/machine"
)

// AMD's counters distinguish floating-point pipes, but not integer ones. These files therefore take the macro-op counts, the latencies
// between registers and the floating-point pipes from uops.info. All other ports are LLVM's (for Zen 3, whose integer
// and memory units are those of Zen 4, the ones measured on Zen 4); their busy cycles are shortened if the measured throughput is
// higher than they allow. An instruction that loads and has vector registers keeps LLVM's latency, since the measured one is an upper bound; one
// with general-purpose registers only has the measured latency. Latencies between integer and vector registers are measured as sums with a transfer back.

// amd returns an AMD core with published figures per operand; base is LLVM's model, pipe LLVM's name of a pipe.
func amd(name, base, pipe string) core { return core{name: name, jsonl: name, base: base, pipe: pipe} }

// amdTable returns an AMD core for which only the table is published.
func amdTable(name, csv, base, pipe string, donors ...string) core {
	return core{name: name, csv: csv, base: base, donors: donors, pipe: pipe}
}

// maxLatency is the largest believable latency between registers, and maxFlags the largest believable delay of the flags after the result. Chains with larger
// figures contained another, unknown dependence.
const (
	maxLatency = 60
	maxFlags   = 2
)

// amdRows makes the row of one record: its ports, then its latency.
func (x *reader) amdRows() []cost {
	m, err := machine.Get(x.core.base)
	if err != nil {
		return nil
	}
	known := m.Cost(x86.ISA(), &x.form.inst)
	standIn := known.Flags&machine.StandIn != 0
	if known.Flags&machine.Unknown != 0 && !standIn || x.rec.Uops == nil || x.rec.eliminated() || *x.rec.Uops == 0 {
		return nil
	}
	if standIn { // LLVM's ports are a placeholder; only the record's count and throughput are known
		known.Load = 0
		if known.LowSlots < known.Slots {
			known.Uops, known.RThroughput = nil, 0
		}
	}
	bare := standIn && len(known.Uops) == 0 || known.Latency >= microcoded && len(known.Uops) == 0
	if bare {
		known = x.described(m, known)
	}
	uops := x.amdPorts(m, known, bare)
	attrs := fmt.Sprintf("uops=%g slots=%g", *x.rec.Uops, *x.rec.Uops)
	if x.integers() && x.reads {
		attrs += fmt.Sprintf(" ld=%g", x.ld)
	} else {
		attrs += load(known)
	}
	hold := x.holdsUp(m, known, uops)
	c := cost{uops: strings.TrimPrefix(m.UopText(x.halves(uops))+x.stores(known, uops)+hold, "- "), latency: x.amdLatency(m, known), attrs: attrs + x.inMemory(known), source: "uops.info " + x.core.name + x.core.rest()}
	if x.rec.table {
		c.source = "uops.info " + x.core.name + " table" + x.core.rest()
	}
	executes := func(u machine.Uop) bool { // also LLVM's occupancy for all that an instruction does, by one µop
		return u.Cycles > 1 || u.Kind != machine.UopLoad && u.Kind != machine.UopStoreAddr && u.Kind != machine.UopStoreData
	}
	if *x.rec.Uops > maxFastPath && hold == "" && !slices.ContainsFunc(uops, executes) {
		c.attrs += " no-ports"
	}
	return []cost{c}
}

// maxFastPath is the number of macro-ops that the decoders make of an instruction. Instructions with more are microcode, which delays the next instruction by much more than
// the sum of its slots.
const maxFastPath = 2

// integers reports whether an instruction accesses memory and has only general-purpose registers, so that its chains through memory and
// addresses were measured without transfers between register files.
func (x *reader) integers() bool {
	return x.core.gprLoad > 0 && (x.reads || x.writes) && !x.vector() && len(x.rec.Latencies) > 0 && x.form.inst.Prefix&(isa.PfxRep|isa.PfxRepne) == 0
}

// inMemory returns the attributes for accesses that memory renaming does not handle: as measured, nothing for vectors, and the attributes of
// the model below.
func (x *reader) inMemory(known *machine.Cost) string {
	load, store := known.Flags&machine.LoadInMemory != 0, known.Flags&machine.StoreInMemory != 0
	if x.core.renames {
		load = load || x.integers() && x.reads && (x.locked() || x.loadInMemory())
		store = store || x.writes && (x.locked() || x.vector())
	}
	out := ""
	if load {
		out += " load-in-memory"
	}
	if store {
		out += " store-in-memory"
	}
	return out
}

// holdsUp returns the cycles for which a locked or serialising instruction blocks others, or for which an instruction blocks the next one of its kind if no known
// property explains its throughput.
func (x *reader) holdsUp(m *machine.Model, known *machine.Cost, others []machine.Uop) string {
	slow := len(others) == 0 && x.rec.TP > 1
	const jumps = isa.Branch | isa.Call | isa.Return | isa.IndirectBranch // measured with mispredictions
	if flags := x.table.Flags(x.form.inst.Form); flags&isa.SideEffects != 0 && flags&jumps == 0 && !x.locked() && !dividesRE.MatchString(x.rec.String) {
		explained := max(known.RThroughput, *x.rec.Uops/float64(m.Params.DispatchWidth))
		slow = slow || x.rec.TP >= minHold && x.rec.TP > 1.5*explained
	}
	if slow || x.core.serialises && x.serial() {
		return fmt.Sprintf(" SERIAL:%g", x.rec.TP)
	}
	return ""
}

// minHold is the reciprocal throughput from which an instruction with side effects counts as blocking the next.
const minHold = 2

// wideRE matches records of accesses of 256 bits.
var wideRE = regexp.MustCompile(`\bM256\b`)

// twice gives an operation on 256 bits without known pipes twice the µops of the same operation on 128 bits, if it has twice as many macro-ops.
func (r *record) twice(half *record) {
	if half == nil || len(r.Ports) > 0 || len(half.Ports) == 0 || r.Uops == nil || half.Uops == nil || *r.Uops != 2**half.Uops || !strings.Contains(r.String, "YMM") {
		return
	}
	r.Ports = map[string]float64{}
	for pipes, n := range half.Ports {
		r.Ports[pipes] = 2 * n
	}
}

// halves doubles the busy cycles of a load of 256 bits on cores that load it in two halves.
func (x *reader) halves(uops []machine.Uop) []machine.Uop {
	if !x.core.split || !wideRE.MatchString(x.rec.String) {
		return uops
	}
	for i := range uops {
		if uops[i].Kind == machine.UopLoad {
			uops[i].Cycles *= 2
		}
	}
	return uops
}

// stores returns the use of the store port, which LLVM's model lacks, by an instruction that stores and whose other ports are known.
func (x *reader) stores(known *machine.Cost, others []machine.Uop) string {
	if len(x.core.std) == 0 || len(others) == 0 || !slices.ContainsFunc(known.Effects.Mem, func(m isa.MemRef) bool { return m.Store }) {
		return ""
	}
	if x.core.split && wideRE.MatchString(x.rec.String) {
		return " " + x.core.std[0] + ":2/std"
	}
	return " " + x.core.std[0] + "/std"
}

// rest names the source of the ports that AMD's counters do not distinguish.
func (c *core) rest() string {
	if !strings.HasPrefix(c.base, "llvm/") {
		return "; integer and memory ports as measured on " + c.base
	}
	return "; integer and memory ports llvm"
}

// microcoded is the latency, without any ports, that LLVM gives to instructions that it does not describe.
const microcoded = 100

// described gives a loading form that LLVM does not describe the load of a plain load.
func (x *reader) described(m *machine.Model, known *machine.Cost) *machine.Cost {
	if !x.onlyLoads(known) {
		return known
	}
	plain := "MOV (R64, M64)"
	for _, r := range x.form.regs {
		if n := x86.ISA().Regs.Name(r); strings.HasSuffix(n[:min(3, len(n))], "MM") {
			plain = "MOVUPS (XMM, M128)"
		}
	}
	f, err := resolve(plain)
	if err != nil {
		return known
	}
	load := m.Cost(x86.ISA(), &f.inst)
	c := *known
	c.Load, c.Uops = load.Load, load.Uops
	return &c
}

// onlyLoads reports whether an instruction reads one memory operand and writes none. LLVM's flags are unreliable, since they are derived from patterns.
func (x *reader) onlyLoads(known *machine.Cost) bool {
	return len(known.Effects.Mem) == 1 && known.Effects.Mem[0].Load && !known.Effects.Mem[0].Store && memoryOperand.MatchString(x.rec.String)
}

// load returns the attribute for the load's part of a latency.
func load(known *machine.Cost) string {
	if known.Load == 0 {
		return ""
	}
	return fmt.Sprintf(" ld=%g", known.Load)
}

var pipesRE = regexp.MustCompile(`^FP([0-5]+)$`)

// amdPorts returns LLVM's µops with uops.info's floating-point pipes in place of LLVM's, or added if LLVM describes none.
func (x *reader) amdPorts(m *machine.Model, known *machine.Cost, bare bool) []machine.Uop {
	all, _ := m.PortSet(x.core.pipe)
	var out []machine.Uop
	joined := x.joined(m, known)
	cycles := 1.0 // LLVM's occupancy of its floating-point pipes: dividers, operations in two halves
	replaced := false
	for _, u := range known.Uops {
		if u.Kind == machine.UopExec && !u.Resource && u.Ports&^all == 0 {
			cycles, replaced = max(cycles, u.Cycles), true
			continue
		}
		out = append(out, u)
	}
	if joined {
		out = x.quicker(m, known, out)
	}
	if divides := dividesRE.MatchString(x.rec.String); !replaced && !joined && !bare || divides || len(x.rec.Ports) == 0 {
		out = append(out[:0], known.Uops...)
		if divides && x.rec.Div > 0 {
			for i := range out {
				if out[i].Cycles > 1 {
					out[i].Cycles = x.rec.Div
				}
			}
		}
		return x.quicker(m, known, out)
	}
	keys := make([]string, 0, len(x.rec.Ports))
	for k := range x.rec.Ports {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		p := pipesRE.FindStringSubmatch(k)
		if p == nil {
			return known.Uops
		}
		u := machine.Uop{Cycles: 1}
		if bits512RE.MatchString(x.rec.String) && (cycles == 2 || x.rec.TP > 1.4*x.fullest()) {
			u.Cycles = 2 // two passes
		}
		for _, d := range p[1] {
			set, ok := m.PortSet(x.core.pipe + string(d))
			if !ok {
				return known.Uops
			}
			u.Ports |= set
		}
		for range int(x.rec.Ports[k]) {
			out = append(out, u)
		}
	}
	return out
}

// joined reports whether LLVM has only the load's µop for an operation on a loaded value and a register (pinsr, masked loads) for which
// the record names the pipes.
func (x *reader) joined(m *machine.Model, known *machine.Cost) bool {
	if known.Load == 0 || len(x.rec.Ports) == 0 || !slices.ContainsFunc(known.Effects.Reads, func(r isa.Access) bool { return r.Role != isa.RoleAddr }) {
		return false
	}
	all, _ := m.PortSet(x.core.pipe)
	load := false
	for _, u := range known.Uops {
		switch {
		case u.Kind == machine.UopLoad && u.Ports&^all == 0:
			load = true
		case !u.Resource && u.Kind != machine.UopLoad:
			return false
		}
	}
	return load
}

// bits512RE matches records of operations on 512 bits, whose only 512-bit operand may be in memory: "VCVTPD2PS_EVEX (YMM, M512)", "(YMM, M64_1to8)".
var bits512RE = regexp.MustCompile(`ZMM|M512|M64_1to8|M32_1to16|M16_1to32`)

// fullest is the reciprocal throughput that the pipes allow if each takes a µop per cycle.
func (x *reader) fullest() float64 {
	top := 0.0
	for k, n := range x.rec.Ports {
		if p := pipesRE.FindStringSubmatch(k); p != nil {
			top = max(top, n/float64(len(p[1])))
		}
	}
	return top
}

// quicker shortens busy cycles where the measured throughput is higher than LLVM's ports allow.
func (x *reader) quicker(m *machine.Model, known *machine.Cost, uops []machine.Uop) []machine.Uop {
	if !x.rec.table || x.rec.TP <= 0 || known.RThroughput <= 1.25*x.rec.TP || dividesRE.MatchString(x.rec.String) {
		return uops
	}
	for i := range uops {
		if uops[i].Cycles > 1 {
			uops[i].Cycles = max(1, math.Round(uops[i].Cycles*x.rec.TP/known.RThroughput))
		}
	}
	return uops
}

// amdLatency returns the latency between registers of one kind, added to LLVM's load latency; "=" if the instruction writes memory or the latency is not known.
func (x *reader) amdLatency(m *machine.Model, known *machine.Cost) string {
	flags := x.table.Flags(x.form.inst.Form)
	switch {
	case x.integers() || known.Flags&machine.StandIn != 0 && known.Load == 0 && !x.rec.table && len(x.rec.Latencies) > 0 && x.form.inst.Prefix&(isa.PfxRep|isa.PfxRepne) == 0:
		return x.believable().latency()
	case flags&(isa.MayLoad|isa.MayStore) == isa.MayLoad && x.joined(m, known):
		return fmt.Sprintf("%g", known.Load+x.rec.operation())
	case flags&isa.MayStore == 0 && flags&isa.MayLoad == 0 && x.mixed() && len(x.rec.Latencies) > 0:
		return x.acrossFiles()
	case flags&isa.MayStore != 0 || x.mixed():
		return "="
	case flags&isa.MayLoad != 0 || x.onlyLoads(known):
		took, top := x.besideLoad(), 0.0
		if s := x.core.siblings[registerForm(x.rec.String)]; s != nil {
			top = s.between()
		} else if known.Latency >= microcoded { // there is no form with a register in place of the memory operand
			for _, c := range took {
				top = max(top, c)
			}
		}
		if operation := known.Latency - known.Load; top == 0 && !x.rec.table && known.Latency < microcoded {
			for _, c := range took {
				if c < operation { // the merged operand (CVTSI2SD) has a shorter latency than the loaded one
					top = operation
				}
			}
		}
		if top <= 0 || known.Load == 0 {
			return "="
		}
		out := fmt.Sprintf("%g", known.Load+top)
		for _, p := range slices.Sorted(maps.Keys(took)) {
			if took[p] < top {
				out += fmt.Sprintf(" %s:%g", p, took[p])
			}
		}
		return out
	}
	if len(x.rec.Latencies) > 0 {
		return x.believable().latency()
	}
	if top := x.rec.between(); top > 0 && x.flags(x.table.ImplicitDefs(x.form.inst.Form)) == "" {
		return fmt.Sprintf("%g", top) + x.unmasked(top)
	}
	return "="
}

// maxStored is the largest believable latency from a register to the stored value: longer chains went through an address, or memory.
const maxStored = 20

// believable returns the reader of the record without the latencies that contain other dependences.
func (x *reader) believable() *reader {
	r, slow := *x.rec, 0.0
	for _, l := range r.Latencies {
		if !x.isFlags(l.To) {
			slow = max(slow, l.Cycles)
		}
	}
	r.Latencies = slices.DeleteFunc(slices.Clone(r.Latencies), func(l pairInfo) bool {
		switch {
		case l.Addr != nil:
			return *l.Addr > maxLatency
		case x.source[l.To].def == "m":
			return l.Cycles > maxStored
		}
		return l.Cycles > maxLatency || x.isFlags(l.To) && slow > 0 && l.Cycles > slow+maxFlags
	})
	y := *x
	y.rec = &r
	return &y
}

// wayBack is the latency of the transfer back that a figure between register files contains. A chain of MOVD to a vector register and MOVD back takes 6 cycles on Zen+ to
// Zen 3 and 7 on Zen 4. Each of the two has a figure of one cycle less than the chain, as if the other took one cycle. A chain from flags has one more instruction, whose latency is
// also subtracted. The transfer out of the vector units takes 3 cycles, measured on Zen 4 (zen4.model); the transfer in takes the other 3.
const wayBack = 2

// acrossFiles returns the latency field of an instruction with vector registers and others.
func (x *reader) acrossFiles() string {
	r := *x.rec
	r.Latencies = slices.Clone(r.Latencies)
	for i := range r.Latencies {
		l := &r.Latencies[i]
		if x.vectors[l.From] != x.vectors[l.To] {
			l.Cycles -= wayBack
		}
		l.Cycles = max(1, l.Cycles) // merging is not free (VCVTSI2SD: 0)
	}
	y := *x
	y.rec = &r
	return y.latency()
}

// besideLoad returns the latencies from the register operands of a form that loads, by pair in row syntax. Pairs of registers of one kind are measured directly. For a table's
// range it is the lower end for all registers except masks, unless that is an upper bound, as latencies from memory are.
func (x *reader) besideLoad() map[string]float64 {
	took := map[string]float64{}
	for _, l := range x.rec.Latencies {
		from, to := x.source[l.From], x.source[l.To]
		if !slices.Contains([]string{"", "a", "m"}, from.use) && to.def != "" && to.def != "m" && l.Cycles > 0 && !x.isFlags(l.From) && !x.isFlags(l.To) {
			took[from.use+">"+to.def] = max(took[from.use+">"+to.def], l.Cycles)
		}
	}
	if r := x.rec.Range; len(x.rec.Latencies) == 0 && r.known && !r.loBound && r.hiBound && r.lo > 0 && x.table.NumDefs(x.form.inst.Form) == 1 {
		for _, reg := range x.form.regs {
			if use := x.operands(reg).use; reg != isa.NoReg && use != "" && !isMask(reg) {
				took[use+">0"] = r.lo
			}
		}
	}
	return took
}

// isMask reports whether a register is a mask.
func isMask(r isa.Reg) bool { return strings.HasPrefix(x86.ISA().Regs.Name(r), "K") }

// between returns the slowest latency between registers, 0 if it isn't known. From a table's range it is known only if all pairs are equal or measured.
func (r *record) between() float64 {
	top := 0.0
	for _, l := range r.Latencies {
		top = max(top, l.Cycles)
	}
	if len(r.Latencies) == 0 && r.Range.known && !r.Range.hiBound {
		top = r.Range.hi
	}
	if top > maxLatency {
		return 0
	}
	return top
}

// operation returns the latency from a register to the result of an instruction that loads; 1 if it isn't known.
func (r *record) operation() float64 {
	if c := r.quickest(); c > 0 {
		return c
	}
	if r.Range.known && !r.Range.loBound {
		return max(1, r.Range.lo)
	}
	return 1
}

// setsFlagsRE matches the instructions on vectors that write flags.
var setsFlagsRE = regexp.MustCompile(`^V?(U?COMIS[SDH]|P?TEST(P[SD])?)[_ ]`)

// mixed reports whether an instruction has both integer and vector registers: its latency is then measured with a transfer back.
func (x *reader) mixed() bool {
	vector, integer := false, false
	for _, r := range x.form.regs {
		switch n := x86.ISA().Regs.Name(r); {
		case r == isa.NoReg, isMask(r): // masks need no transfer
		case strings.HasPrefix(n, "XMM"), strings.HasPrefix(n, "YMM"), strings.HasPrefix(n, "ZMM"), strings.HasPrefix(n, "MM"):
			vector = true
		default:
			integer = true
		}
	}
	return vector && (integer || setsFlagsRE.MatchString(x.rec.String))
}
