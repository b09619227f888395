// Package machine describes microarchitectures: ports, widths, and the cost of each instruction form, every figure with its source. Costs looks
// up what the instructions of a kernel cost.
//
// Models are embedded text files (docs/model-format.md); a row is parsed when an instruction first needs it.
package machine

import (
	"sync"
	"sync/atomic"
)

// Port is an execution port, or a resource that is modelled like one (divider, store data).
type Port struct {
	Name     string // "0", "P0", "ALU1", "DIV"
	Resource bool   // no issue port of its own: a divider or another shared unit
	About    string // its meaning in a few words; "" where the name says it
}

// Params are the core parameters of a model. 0 means not known; the model file has the source of every other value.
type Params struct {
	DispatchWidth  int     `param:"dispatch-width"` // µops renamed/dispatched per cycle (fused domain)
	DecodeWidth    int     `param:"decode-width" overruled:"decode-slots"`
	RetireWidth    int     `param:"retire-width"`
	ROB            int     `param:"rob"`
	Scheduler      int     `param:"scheduler" overruled:"scheduler-"`
	LoadQueue      int     `param:"load-queue"`
	StoreQueue     int     `param:"store-queue"`
	LoadLatency    int     `param:"load-latency"`  // L1 load to use, integer, simple addressing
	LoadBytes      int     `param:"load-bytes"`    // bytes that a load port reads per cycle; wider loads use it more often; 0 = the rows say it
	StoreForward   float64 `param:"store-forward"` // store data ready → load result through store-to-load forwarding
	LoadsPerCycle  float64 `param:"loads-per-cycle"`
	StoresPerCycle float64 `param:"stores-per-cycle"`
	InOrder        bool    `param:"in-order"`
	LoadPart       float64 `param:"load-part"`        // the load's part of every latency, replaces the rows'; 0 = the rows say it
	VectorBytes    int     `param:"vector-bytes"`     // size in bytes of a register of scalable vectors (SVE, RVV)
	Mispredict     int     `param:"mispredict"`       // cycles that a mispredicted branch costs
	LLVMIssueWidth int     `param:"llvm-issue-width"` // LLVM's IssueWidth: only for LLVM's reciprocal throughput of forms without ports
}

// Fact is a named value of a model file with its source or meaning.
type Fact struct {
	Name, Value, Source string
}

// Model is a microarchitecture. It is immutable and safe for concurrent use.
type Model struct {
	Name    string   // canonical: "skylake-server", "zen4", "neoverse-v2"
	Title   string   // "Intel Skylake-X / Skylake-SP"
	Aliases []string // "skx", "skylake-avx512", …
	ISA     string   // isa.ISA.Name
	Ports   []Port
	Params  Params
	// Notes are the limits of the model's accuracy that a user must know ("borrowed from Cyclone (2013)"), one sentence each.
	Notes []string
	// Base is the model from which this one inherits, "" if none.
	Base string
	// Coverage is the number of the ISA's forms with data ("17835 of 18000 forms"), as the converter counted.
	Coverage string
	// Facts lists every parameter and feature of the file with its source, in the file's order.
	Facts []Fact
	// Groups are the named port sets, in the file's order.
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

// rows holds the costs: the rows of the model's file and its bases, and their compiled form for an ISA, made on first use.
type rows struct {
	layers   []*layer // lowest base first
	compiled atomic.Pointer[compiled]
	similar  sync.Map // mnemonic → interval, see unknown.go
	bound    atomic.Pointer[remembered]
	kernels  atomic.Int32 // kernels bound before bound was allocated
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

// SetName returns a port set in the notation of model files: a port, a group, or ports joined by '+'.
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
