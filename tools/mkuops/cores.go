package main

import "strings"

// core says where a core's figures are and how its port names are to be read.
type core struct {
	name string // the result: models/uops/NAME.model
	base string // LLVM's model under it
	// Either jsonl or csv: the file that the ports and µops come from, without ending.
	jsonl, csv string
	// donors are cores with per-operand figures (jsonl). Where a record of theirs agrees with the csv's range, its
	// operand pairs, decoder properties and same-register variants are taken.
	donors []string
	// over is a core whose rows are inherited (base leads to them): forms that cost the same there are left out.
	over   string
	header []string // header lines for the result

	ports          func(letters string) string // the base's name of a port set; nil = letters joined by '+'
	load, sta, std []string                    // port sets of load, store-address and store-data µops
	kinds          bool                        // no port is known: µops go to the units of their kind
	pipe           string                      // AMD: the group of the floating-point pipes in the base, and what their names begin with
	divider        string                      // resource that div_cycles occupy, "" none
	store          float64                     // from a register to memory in a plain store, as the per-operand figures count it
	gprLoad        float64                     // load latency, integer
	vecLoad        [3]float64                  // 128, 256, 512 bits

	siblings map[string]*record // by name: the records, for the register forms of memory forms
}

// serialHeader names the resource of instructions that hold up all others: locked and serialising ones. What is behind it is
// not known; that one follows another no sooner is measured.
const serialHeader = "resources: SERIAL"

var intelLegacy = core{header: []string{serialHeader}, load: []string{"23"}, sta: []string{"237", "23"}, std: []string{"4"}, divider: "FPDIV", store: 2, gprLoad: 5, vecLoad: [3]float64{6, 7, 7}}

var iceLake = core{header: []string{serialHeader}, load: []string{"23"}, sta: []string{"78"}, std: []string{"49"}, divider: "FPDIV", store: 2, gprLoad: 5, vecLoad: [3]float64{6, 7, 7}}

var goldenCove = core{load: []string{"23A"}, sta: []string{"78"}, std: []string{"49"}, divider: "DIV", store: 2, gprLoad: 5, vecLoad: [3]float64{6, 7, 7},
	header: []string{"resources: DIV", serialHeader}, ports: goldenCovePorts}

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
	legacy("SNB", "llvm/SandyBridgeModel", "23", 4),
	legacy("IVB", "llvm/SandyBridgeModel", "23", 4),
	legacy("HSW", "llvm/HaswellModel", "237", 4),
	legacy("BDW", "llvm/BroadwellModel", "237", 4),
	legacy("SKL", "llvm/SkylakeClientModel", "237", 2),
	table(intelLegacy, "SKX", "skylakex", "llvm/SkylakeServerModel", "SKL"),
	above(table(intelLegacy, "CLX", "cascadelake", "skylake-server", "SKL"), "SKX"),
	table(iceLake, "ICL", "icelake", "llvm/IceLakeModel", "SKL", "MTL-P"),
	above(table(iceLake, "RKL", "rocketlake", "icelake-client", "SKL", "MTL-P"), "ICL"),
	table(goldenCove, "ADL-P", "alderlakep", "llvm/SapphireRapidsModel", "MTL-P"),
	above(operands(goldenCove, "MTL-P", "alderlake-p"), "ADL-P"),
	lionCove("ARL-P"),
	atom("ADL-E", "I0 I1 I2 I3", "F0 F1 F2", "Gracemont"),
	atom("MTL-E", "I0 I1 I2 I3", "F0 F1 F2", "Crestmont"),
	atom("ARL-E", "I0 I1 I2 I3 I4 I5 I6 I7", "F0 F1 F2 F3", "Skymont"),
	loads(atom("TRM", "I0 I1 I2", "F0 F1", "Tremont"), 3, 4),
	amd("ZEN+", "ZEN+", "", "llvm/Znver1Model", "FPU"),
	amd("ZEN2", "ZEN2", "", "llvm/Znver2Model", "FPU"),
	amd("ZEN3", "ZEN3", "", "llvm/Znver3Model", "FP"),
	amd("ZEN4", "", "zen4", "llvm/Znver4Model", "FP", "ZEN3"),
}

func above(c core, other string) core {
	c.over, c.header = other, nil
	return c
}

// legacy are the cores before Ice Lake whose per-operand figures are published.
func legacy(name, base, sta string, store float64) core {
	c := operands(intelLegacy, name, base)
	c.sta, c.store = []string{sta, "23"}, store
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
	for i := range recs {
		k.siblings[recs[i].String] = &recs[i]
	}
	for _, d := range k.donors {
		given, err := read(dir, d)
		if err != nil {
			return nil, err
		}
		for i := range given {
			if r := k.siblings[given[i].String]; r != nil && r.donor == "" {
				r.take(&given[i], d)
			}
		}
	}
	return recs, nil
}

// lionCove is a core whose counters name kinds of units, not ports; how many there are of each is Intel's to say.
func lionCove(name string) core {
	units := map[string]string{"ALU": "I0+I1+I2+I3+I4+I5", "SHIFT": "I0+I2", "JMP": "I0+I2+I4", "SLOW": "I1+I3+I5", "INT_OTHER": "I0+I1+I2+I3+I4+I5", "UNKNOWN": "I0+I1+I2+I3+I4+I5",
		"LD": "L0+L1+L2", "STA": "S0+S1", "STD": "D0+D1", "V01": "V0+V1", "V23": "V2+V3", vectorUnit: "V0+V1+V2+V3"}
	return core{name: name, jsonl: name, base: "alderlake-p", load: []string{"LD"}, sta: []string{"STA"}, std: []string{"STD"}, divider: "DIV", store: 2, gprLoad: 4, vecLoad: [3]float64{7, 8, 8},
		ports:  func(unit string) string { return units[unit] },
		header: []string{"borrowed: Forms that uops.info has not measured cost what they do on Golden Cove.", "ports: I0 I1 I2 I3 I4 I5 L0 L1 L2 S0 S1 D0 D1 V0 V1 V2 V3"}}
}

func loads(c core, integer, vector float64) core {
	c.gprLoad, c.vecLoad = integer, [3]float64{vector, vector, vector}
	return c
}

// atom is a core of Intel's small line: no counters tell its ports, so µops go to the units of their kind, any of them. That gives
// each instruction the highest throughput that the core can have.
func atom(name, integer, vector, title string) core {
	join := func(s string) string { return strings.ReplaceAll(s, " ", "+") }
	units := map[string]string{"UNKNOWN": join(integer), vectorUnit: join(vector), "LD": "L0+L1", "STA": "S0+S1", "STD": "D0+D1"}
	return core{name: name, jsonl: name, base: "llvm/AlderlakePModel", kinds: true, load: []string{"LD"}, sta: []string{"STA"}, std: []string{"STD"}, divider: "DIV", store: 2, gprLoad: 4, vecLoad: [3]float64{5, 6, 6},
		ports: func(unit string) string { return units[unit] },
		header: []string{"borrowed: Forms that uops.info has not measured on " + title + " cost what LLVM says of Golden Cove.",
			"ports: " + integer + " L0 L1 S0 S1 D0 D1 " + vector, "resources: DIV SERIAL"}}
}

// vectorUnit stands for a vector unit that the counters don't tell apart.
const vectorUnit = "VECTOR"
