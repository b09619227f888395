package main

import (
	"math"
	"regexp"
	"strings"
)

// core describes the sources of a core's figures, its port names, and the corrections of the figures.
type core struct {
	name string // the result: models/uops/NAME.model
	from string // the core that was measured; "" = name
	base string // LLVM's model under it
	// Either jsonl or csv is set: the name, without extension, of the file with the ports and µops.
	jsonl, csv string
	// donors are cores with per-operand figures (jsonl). If a donor's record agrees with the csv's range, the core takes its
	// operand pairs, decoder properties and same-register variants.
	donors []string
	// over is a core whose rows the model inherits through base: forms with the same cost there are left out.
	over string
	// quicker is set for a table that was measured with chains through additions that are executed at rename, after which some operations start 2
	// cycles later: the core then also takes a donor's smaller latencies.
	quicker bool
	// server is the table (csv) of the core's server version: operations of 512 bits with port 0 here and ports 0 and 5 there get both
	// ports.
	server string
	// slow is a core's table (csv) that supplies missing throughputs, which show the instructions that block others (serial), and missing ports of microcoded
	// instructions.
	slow   string
	header []string // header lines for the result

	ports          func(letters string) string // the base's name of a port set; nil = letters joined by '+'
	load, sta, std []string                    // port sets of load, store-address and store-data µops
	kinds          bool                        // no port is known: µops go to the units of their kind
	pipe           string                      // AMD: the group of the floating-point pipes in the base, and the prefix of their names (FPU0 … on Zen 1 and 2, FP0 … on later cores)
	divider        string                      // the resource that div_cycles occupy, "" none
	wideLoad       string                      // the ports of loads of 512 bits, if fewer than those of other loads
	wideStore      float64                     // cycles for which the data of a 512-bit store occupy a port; 0: as for other stores
	serialises     bool                        // AMD: locked and serialising instructions block others for their measured reciprocal throughput
	split          bool                        // AMD: an access of 256 bits occupies its port twice
	halves         string                      // the units that a load of 256 bits occupies for two cycles, as a store of 256 bits the port of its data; "": one cycle
	bypass         float64                     // cycles that chains through the vectors' integer units add to floating-point operations
	transfers      [2]float64                  // cycles from a general-purpose to a vector register, and back, to correct figures of other instructions between them (across)
	store          float64                     // per-operand latency from register to memory of a plain store (of one that is not renamed, if the core renames memory)
	forward        float64                     // the model's store-forward
	renames        bool                        // the core renames memory
	renaming       string                      // the core with per-operand figures (jsonl) that show the loads that memory renaming does not handle; "": this core
	gprLoad        float64                     // load latency, integer
	vecLoad        [3]float64                  // 128, 256, 512 bits
	complexSlots   float64                     // the model's decoding (complex): more come from microcode; 0: not known
	decodeSlots    int                         // the model's decode-slots, for cores whose records state the instructions that are decoded together with a complex one

	siblings map[string]*record // the records by name, to find the register form of a memory form
}

// simpleDecoders is the number of decoders that decode only instructions of one slot, on cores with decodeSlots.
const simpleDecoders = 3

// group returns the number of instructions that are decoded in a cycle that begins with a complex one, if it differs from the number by decodeSlots; otherwise 0.
func (c *core) group(r *record) int {
	if c.decodeSlots == 0 || !r.Complex || r.MS > 0 || r.MITE < 1 || r.MITE > simpleDecoders+1 {
		return 0
	}
	beside := 0
	if r.Simple != nil {
		beside = *r.Simple
	}
	if beside == min(simpleDecoders, c.decodeSlots-int(r.MITE)) {
		return 0
	}
	return beside + 1
}

// microcoded reports whether microcode generates an instruction's slots although the decoders could. It excludes near returns, whose records have one slot too many.
func (c *core) microcoded(r *record) bool {
	return r.MS > 0 && r.Slots != nil && *r.Slots <= c.complexSlots && (r.MS == *r.Slots || r.MITE+r.MS == *r.Slots)
}

// serialHeader names the resource of locked and serialising instructions, which block each other. The resource stands for an unknown mechanism; the measurements
// show only the time between two of these instructions.
const serialHeader = "resources: SERIAL"

// gatherHeader names the unit of gathers on Intel's cores from Skylake on: a gather takes longer than its loads.
const gatherHeader = "resources: GATHER"

var intelLegacy = core{complexSlots: 4, header: []string{serialHeader, gatherHeader}, load: []string{"23"}, sta: []string{"237", "23"}, std: []string{"4"}, divider: "FPDIV", store: 2, forward: 4, gprLoad: 5, vecLoad: [3]float64{6, 7, 7}}

var iceLake = core{complexSlots: 4, header: []string{serialHeader, gatherHeader}, load: []string{"23"}, sta: []string{"78"}, std: []string{"49"}, wideStore: 2, divider: "FPDIV", store: 2, forward: 5, renames: true, renaming: "MTL-P", gprLoad: 5, vecLoad: [3]float64{6, 7, 7}}

// goldenCove takes latencies from Redwood Cove, too: measured on an Emerald Rapids, BZHI, SHLX, BEXTR, AESENC, AESIMC, HADDPD, SHLD by CL and GF2P8 have the latencies of
// Redwood Cove's records, 1 to 4 cycles less than those in the table of Golden Cove.
var goldenCove = core{complexSlots: 5, quicker: true, load: []string{"23A"}, sta: []string{"78"}, std: []string{"49"}, wideLoad: "23", wideStore: 2, divider: "DIV", store: 4, forward: 5, renames: true, renaming: "MTL-P", gprLoad: 5, vecLoad: [3]float64{6, 7, 7},
	header: []string{"resources: DIV", serialHeader, gatherHeader}, ports: goldenCovePorts}

// goldenCovePorts: uops.info's A is the third load port (Intel: 11), B the fifth ALU (Intel: 10).
func goldenCovePorts(letters string) string {
	var out []string
	for _, c := range letters {
		switch c {
		case 'A':
			out = append(out, "11")
		case 'B':
			out = append(out, "10")
		default:
			out = append(out, string(c))
		}
	}
	return strings.Join(out, "+")
}

var cores = []core{
	halved(legacy("SNB", "llvm/SandyBridgeModel", early)),
	halved(legacy("IVB", "llvm/SandyBridgeModel", early)),
	legacy("HSW", "llvm/HaswellModel", fourth),
	legacy("BDW", "llvm/BroadwellModel", fourth),
	heldBy("skylakex", skylake(legacy("SKL", "llvm/SkylakeClientModel", memoryUnit{sta: "237", store: 2, forward: 4, decodeSlots: 5}))),
	skylake(table(intelLegacy, "SKX", "skylakex", "llvm/SkylakeServerModel", "SKL")),
	skylake(above(table(intelLegacy, "CLX", "cascadelake", "skylake-server", "SKL"), "SKX")),
	skylake(table(iceLake, "ICL", "icelake", "llvm/IceLakeModel", "SKL", "MTL-P")),
	skylake(above(table(iceLake, "RKL", "rocketlake", "icelake-client", "SKL", "MTL-P"), "ICL")),
	skylake(as("ICL", server(above(table(iceLake, "ICX", "icelake", "icelake-client", "SKL", "MTL-P"), "ICL"), "cascadelake"))),
	table(goldenCove, "ADL-P", "alderlakep", "llvm/SapphireRapidsModel", "MTL-P"),
	heldBy("alderlakep", above(operands(goldenCove, "MTL-P", "alderlake-p"), "ADL-P")),
	as("ADL-P", server(above(table(goldenCove, "SPR", "alderlakep", "alderlake-p", "MTL-P"), "ADL-P"), "cascadelake")),
	as("MTL-P", redwoodServer()),
	lionCove("ARL-P"),
	atom("ADL-E", "Gracemont", units{"I0 I1 I2 I3", "L0 L1", "F0 F1 F2"}, 8, 10),
	atom("MTL-E", "Crestmont", units{"I0 I1 I2 I3", "L0 L1", "F0 F1 F2"}, 6, 10),
	atom("ARL-E", "Skymont", units{"I0 I1 I2 I3 I4 I5 I6 I7", "L0 L1 L2", "F0 F1 F2 F3"}, 6, 11),
	tremont(atom("TRM", "Tremont", units{"I0 I1 I2", "L0 L1", "F0 F1"}, 5, 10)),
	zen1(amd("ZEN+", "llvm/Znver1Model", "FPU")),
	zen2(amd("ZEN2", "llvm/Znver2Model", "FPU")),
	zen3(amd("ZEN3", "zen4", "FP")),
	zen4(amdTable("ZEN4", "zen4", "llvm/Znver4Model", "FP", "ZEN3")),
}

// oneStore adds a port for the one store per cycle of Zen 1 and 2 (Software Optimization Guides, family 17h), which LLVM's models lack.
func oneStore(c core) core {
	c.header, c.std, c.serialises = []string{"ports: ST", serialHeader}, []string{"ST"}, true
	return c
}

// zen1 reads and writes 256 bits in two halves.
func zen1(c core) core {
	c = oneStore(c)
	c.split = true
	c.gprLoad, c.store, c.forward = 4, 5, 6
	return c
}

// zen2 renames memory for stores of general-purpose registers of 32 or 64 bits.
func zen2(c core) core {
	c = oneStore(c)
	c.gprLoad, c.store, c.forward, c.renames = 4, 5, 6, true
	return c
}

// zen3 is based on measurements on Zen 4, which are compiled into this program: after a change of zen4.model or uops/ZEN4, mkuops must be run again for it.
func zen3(c core) core {
	c.gprLoad, c.store, c.forward = 4, 5, 6
	c.header = []string{"borrowed: Integer and memory units, the schedulers before them, and what is renamed are as measured on Zen 4, whose guide (family 19h model 11h) describes them as Zen 3's does. What was measured on a Zen 3 besides says so."}
	return c
}

// zen4 has the resource of serialising instructions; locked ones are measured (zen4.model).
func zen4(c core) core {
	c.header = []string{serialHeader}
	return c
}

// server returns the server version of a core, with the 512-bit units of a table.
func server(c core, csv string) core {
	c.server = csv
	return c
}

// heldBy returns a core that takes unpublished throughputs from its sister's table.
func heldBy(csv string, c core) core {
	c.slow = csv
	return c
}

// redwoodServer is Redwood Cove's figures over those of Golden Cove's server version.
func redwoodServer() core {
	c := heldBy("alderlakep", above(operands(goldenCove, "MTL-P", "sapphirerapids"), "ADL-P"))
	c.name = "GNR"
	return c
}

// as returns a core with another core's figures.
func as(from string, c core) core {
	c.from = from
	return c
}

func above(c core, other string) core {
	c.over, c.header = other, nil
	return c
}

// legacy returns a core before Ice Lake with published per-operand figures.
func legacy(name, base string, u memoryUnit) core {
	c := operands(intelLegacy, name, base)
	c.decodeSlots = u.decodeSlots
	c.sta, c.store, c.forward = []string{u.sta, "23"}, u.store, u.forward
	return c
}

// memoryUnit holds the properties in which cores before Ice Lake differ: the ports of a store's address, the latencies of a store and of store-to-load forwarding, and the
// slots decoded per cycle.
type memoryUnit struct {
	sta            string
	store, forward float64
	decodeSlots    int
}

// early is the memory unit of Sandy Bridge and Ivy Bridge, fourth that of Haswell and Broadwell, whose port 7 computes simple addresses.
var (
	early  = memoryUnit{sta: "23", store: 4, forward: 5, decodeSlots: 4}
	fourth = memoryUnit{sta: "237", store: 4, forward: 5, decodeSlots: 4}
)

// halved is a core whose data cache reads and writes 128 bits at a time: 256 bits take two cycles, in the second of which the address of a store may go
// to the load's port (Intel Optimization Reference Manual, Sandy Bridge; Agner Fog, microarchitecture guide).
func halved(c core) core {
	c.header, c.halves = []string{serialHeader + " LD2 LD3"}, "LD2+LD3"
	return c
}

// skylake is a core on which a move to a vector register and one back take 4 cycles, of which Agner Fog's instruction tables give 2 to each.
func skylake(c core) core {
	c.transfers = [2]float64{2, 2}
	return c
}

func operands(c core, name, base string) core {
	c.name, c.jsonl, c.base = name, name, base
	return c
}

func table(c core, name, csv, base string, donors ...string) core {
	c.name, c.csv, c.base, c.donors = name, csv, base, donors
	return c
}

func (k *core) read(dir string) ([]record, error) {
	if k.jsonl != "" {
		return read(dir, k.jsonl)
	}
	return readTable(dir, k.csv)
}

// records reads the core's figures and completes them with the donors'.
func (k *core) records(dir string) ([]record, error) {
	recs, err := k.read(dir)
	if err != nil {
		return nil, err
	}
	if k.kinds {
		for i := range recs {
			recs[i].unitsByKind()
		}
	}
	k.siblings = make(map[string]*record, len(recs))
	plain := map[string]*record{}
	for i := range recs {
		k.siblings[recs[i].String] = &recs[i]
		plain[immediateRE.ReplaceAllString(recs[i].String, "")] = &recs[i]
	}
	if k.kinds {
		for i := range recs {
			k.dividerTime(&recs[i])
			k.bypassed(&recs[i])
			recs[i].notTheHalf(k.siblings[halfWidth.Replace(recs[i].String)])
		}
	}
	if k.split {
		for i := range recs {
			recs[i].twice(k.siblings[halfWidth.Replace(recs[i].String)])
		}
	}
	if k.server != "" {
		if err := k.serverPorts(dir, recs); err != nil {
			return nil, err
		}
	}
	if k.slow != "" {
		given, err := readTable(dir, k.slow)
		if err != nil {
			return nil, err
		}
		for i := range given {
			if r := k.siblings[given[i].String]; r != nil {
				r.heldAs(&given[i])
			}
		}
	}
	k.returns()
	if k.renaming != "" {
		given, err := read(dir, k.renaming)
		if err != nil {
			return nil, err
		}
		for i := range given {
			d := &given[i]
			r := k.siblings[d.String]
			if r == nil {
				r = plain[d.String]
			}
			if r == nil {
				continue
			}
			least, ok := d.throughRenaming()
			r.inMemory = ok && (d.loadsInMemory(&goldenCove) || r.Range.known && r.Range.lo >= least+goldenCove.store)
		}
	}
	for _, d := range k.donors {
		given, err := read(dir, d)
		if err != nil {
			return nil, err
		}
		for i := range given {
			r := k.siblings[given[i].String]
			if r == nil {
				r = plain[given[i].String]
			}
			switch {
			case r == nil:
			case r.donor == "":
				r.take(&given[i], d, k.quicker)
			case r.MITE == 0:
				r.decoded(&given[i])
			}
		}
	}
	for i := range recs {
		r := &recs[i]
		r.gather(k.siblings[unmaskedGather(r.String)])
		if !k.quicker {
			continue
		}
		if s := k.siblings[registerForm(r.String)]; s != nil && len(s.Latencies) > 0 && len(r.offered) > 0 {
			r.Latencies = r.offered
		}
		r.borrow(k.siblings[narrower(r.String)])
	}
	return recs, nil
}

// returns gives near returns of Intel's big cores a branch and a load, as in the table of Golden Cove. The other cores' records measured mispredicted returns, with up
// to 32 cycles and with µops of the wrong path.
func (k *core) returns() {
	jump := k.siblings["JMP (R64)"]
	if jump == nil || len(k.load) == 0 || !strings.HasPrefix(k.load[0], "23") {
		return
	}
	for name, branches := range map[string]float64{"RET_NEAR": 1, "RET_NEAR (I16)": 2} {
		r := k.siblings[name]
		if r == nil || total(r.Ports) <= branches+1 {
			continue
		}
		uops, slots := branches+1, 2*branches-1
		*r = record{String: r.String, Operands: r.Operands, Attrs: r.Attrs, Latencies: r.Latencies, Range: r.Range, table: r.table, Uops: &uops, Slots: &slots, Ports: map[string]float64{k.load[0]: 1}}
		for p, n := range jump.Ports {
			r.Ports[p] += n * branches
		}
	}
}

// immediateRE matches the suffixes of the table's names that the names of the per-operand figures lack: SHLD_CL, IMUL_IMMB.
var immediateRE = regexp.MustCompile(`_(IMMB|IMMZ|CL)\b`)

// halvesRE matches operations on half precision and 52-bit products, which Cascade Lake lacks.
var halvesRE = regexp.MustCompile(`PH|^VPMADD52`)

// serverPorts adds to records of 512 bits the second unit at port 5 of the server version: if the core
// named by k.server has it, or if that core lacks the instruction and the same operation of half the width runs on ports 0 and 1.
func (k *core) serverPorts(dir string, recs []record) error {
	other, err := readTable(dir, k.server)
	if err != nil {
		return err
	}
	both := map[string]bool{}
	known := map[string]bool{}
	for i := range other {
		known[other[i].String] = true
		both[other[i].String] = other[i].Ports["05"] > 0 && other[i].Ports["0"] == 0
	}
	for i := range recs {
		r := &recs[i]
		n := r.Ports["0"]
		if n == 0 || !strings.Contains(r.String, "ZMM") {
			continue
		}
		name := halfWidth.Replace(r.String)
		half := k.siblings[name]
		if half == nil { // an instruction that has a VEX encoding as well, but for 512 bits
			half = k.siblings[strings.Replace(name, " ", "_EVEX ", 1)]
		}
		if both[r.String] || !known[r.String] && halvesRE.MatchString(r.String) && half != nil && half.Ports["01"] == n {
			delete(r.Ports, "0")
			r.Ports["05"] += n
		}
	}
	return nil
}

// halfWidth converts the name of an instruction of 512 bits to that of 256 bits, which has no static rounding.
var halfWidth = strings.NewReplacer("ZMM", "YMM", "YMM", "XMM", "M512", "M256", "M256", "M128", "_1to32", "_1to16", "_1to16", "_1to8", "_1to8", "_1to4", "_SAE", "", "_ER", "")

// figures returns the name of the measured core.
func (k *core) figures() string {
	if k.from != "" {
		return k.from
	}
	return k.name
}

// lionCove is a core whose counters count kinds of units, not ports. The number of units of each kind is from Intel's documents.
func lionCove(name string) core {
	units := map[string]string{"ALU": "I0+I1+I2+I3+I4+I5", "SHIFT": "I0+I2", "JMP": "I0+I2+I4", "SLOW": "I1+I3+I5", "INT_OTHER": "I0+I1+I2+I3+I4+I5", "UNKNOWN": "I0+I1+I2+I3+I4+I5",
		"LD": "L0+L1+L2", "STA": "S0+S1", "STD": "D0+D1", "V01": "V0+V1", "V23": "V2+V3", vectorUnit: "V0+V1+V2+V3"}
	return core{name: name, jsonl: name, base: "alderlake-p", complexSlots: 5, load: []string{"LD"}, sta: []string{"STA"}, std: []string{"STD"}, divider: "DIV", store: 4, forward: 5, renames: true, gprLoad: 4, vecLoad: [3]float64{7, 8, 8},
		transfers: [2]float64{4, 5}, // 9 in all; which part is which is not published
		ports:     func(unit string) string { return units[unit] },
		header:    []string{"borrowed: Forms that uops.info has not measured cost what they do on Golden Cove.", "ports: I0 I1 I2 I3 I4 I5 L0 L1 L2 S0 S1 D0 D1 V0 V1 V2 V3"}}
}

// tremont has a shorter load latency than its successors and no memory renaming. Its two address units serve loads and stores (WikiChip Fuse, 2019), with one store
// per cycle. Its conversions take 2 cycles less than uops.info states, in chains of their own (InstLatx64, Celeron N5100: CVTDQ2PS 4, ROUNDPS 4, RCPPS 5).
func tremont(c core) core {
	c.gprLoad, c.vecLoad, c.renames, c.bypass = 3, [3]float64{4, 4, 4}, false, 2
	units := c.ports
	c.ports = func(unit string) string {
		switch unit {
		case "STA":
			return "L0+L1"
		case "STD":
			return "D0"
		}
		return units(unit)
	}
	c.header[1] = "ports: I0 I1 I2 L0 L1 D0 F0 F1"
	return c
}

// atom returns a core of Intel's small line. No counters distinguish its ports, so µops can use any unit of their kind, which gives
// each instruction the highest possible throughput. forward is the latency of a vector from a store to a load's result. around is the sum for a move to a vector
// register and a move back (on Tremont 10: InstLatx64, Celeron N5100); how it divides between the two is not known.
func atom(name, title string, u units, forward, around float64) core {
	join := func(s string) string { return strings.ReplaceAll(s, " ", "+") }
	ports := map[string]string{"UNKNOWN": join(u.integer), vectorUnit: join(u.vector), "LD": join(u.loads), "STA": "S0+S1", "STD": "D0+D1"}
	return core{name: name, jsonl: name, base: "llvm/AlderlakePModel", kinds: true, load: []string{"LD"}, sta: []string{"STA"}, std: []string{"STD"}, divider: "DIV", store: forward - 1, forward: forward, renames: true, gprLoad: 4, vecLoad: [3]float64{5, 6, 6},
		transfers: [2]float64{math.Floor(around / 2), math.Ceil(around / 2)},
		ports:     func(unit string) string { return ports[unit] },
		header: []string{"borrowed: Forms that uops.info has not measured on " + title + " cost what LLVM says of Golden Cove.",
			"ports: " + u.integer + " " + u.loads + " S0 S1 D0 D1 " + u.vector, "resources: DIV SERIAL"}}
}

// units lists the ports of a core by kind. The store ports, two for addresses and two for data, are the same on all of these cores.
type units struct{ integer, loads, vector string }

// vectorUnit represents any vector unit; the counters don't distinguish them.
const vectorUnit = "VECTOR"
