// Package machine describes microarchitectures: ports, widths, and what each
// instruction form costs, every figure with its source. Bind joins a model with a kernel.
//
// Models are text files (docs/model-format.md), embedded; their rows are parsed when an instruction needs them.
package machine

import (
	"sync"
	"sync/atomic"
)

// Port is one execution port, or a resource that is modelled like one (divider, store data).
type Port struct {
	Name     string // "0", "P0", "ALU1", "DIV"
	Resource bool   // no issue port of its own: a divider or another shared unit
	About    string // what it stands for, in a few words; "" where the name says it
}

// Params are the core parameters of a model. 0 means not known; every one set has a source in the model file.
type Params struct {
	DispatchWidth                 int // µops renamed/dispatched per cycle (fused domain)
	DecodeWidth                   int
	RetireWidth                   int
	ROB                           int
	Scheduler                     int
	LoadQueue                     int
	StoreQueue                    int
	LoadLatency                   int     // L1 load to use, integer, simple addressing
	LoadBytes                     int     // that a load port reads per cycle; wider loads use it more often; 0 = as rows say
	StoreForward                  float64 // store data ready → load result through store-to-load forwarding
	LoadsPerCycle, StoresPerCycle float64
	InOrder                       bool
	LoadPart                      float64 // the load's part of every latency, in place of what rows say; 0 = as rows say
	VectorBytes                   int     // a register of scalable vectors (SVE, RVV)
	Mispredict                    int     // cycles that a mispredicted branch costs
	LLVMIssueWidth                int     // what LLVM calls IssueWidth: only for LLVM's reciprocal throughput of forms without ports
}

// Fact is a named value of a model file with its source or meaning.
type Fact struct {
	Name, Value, Source string
}

// Model is one microarchitecture. It is immutable and safe for concurrent use.
type Model struct {
	Name    string   // canonical: "skylake-server", "zen4", "neoverse-v2"
	Title   string   // "Intel Skylake-X / Skylake-SP"
	Aliases []string // "skx", "skylake-avx512", …
	ISA     string   // isa.ISA.Name
	Ports   []Port
	Params  Params
	// Notes says what a user must know of the model's truth ("borrowed from Cyclone (2013)"), one sentence each.
	Notes []string
	// Base is the model that this one inherits from, "" if none.
	Base string
	// Coverage says how many of the ISA's forms have data ("17835 of 18000 forms"), as the converter counted.
	Coverage string
	// Facts lists every parameter and feature as the file has them, with their sources, in order.
	Facts []Fact
	// Groups are the named port sets, in order.
	Groups []Group
	core   *Core
	fuses  map[string]bool
	rows   *rows
}

// Group is a named set of ports.
type Group struct {
	Name  string
	Ports PortSet
}

// Fuses reports whether the core macro-fuses a kind of instruction pair (isa.ISA.FusesWith).
func (m *Model) Fuses(kind string) bool { return m.fuses[kind] }

// rows holds the costs: the rows of the model's file and its bases, and compiled against the tables of the ISA on first use.
type rows struct {
	layers   []*layer // the lowest base's first
	compiled atomic.Pointer[compiled]
	similar  sync.Map // mnemonic → interval, see unknown.go
	bound    atomic.Pointer[remembered]
	kernels  atomic.Int32 // that were bound while there was no table of what was
}

// PortNames returns the names of the ports in a set, in the model's order.
func (m *Model) PortNames(s PortSet) []string {
	var out []string
	for i := range m.Ports {
		if s>>i&1 != 0 {
			out = append(out, m.Ports[i].Name)
		}
	}
	return out
}

// SetName returns how the model file writes a port set: a port, a group, or ports joined by '+'.
func (m *Model) SetName(s PortSet) string {
	for i := range m.Ports {
		if s == 1<<i {
			return m.Ports[i].Name
		}
	}
	for _, g := range m.Groups {
		if g.Ports == s {
			return g.Name
		}
	}
	name := ""
	for _, n := range m.PortNames(s) {
		if name != "" {
			name += "+"
		}
		name += n
	}
	if name == "" {
		return "-"
	}
	return name
}
