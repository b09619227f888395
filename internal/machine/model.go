// Package machine describes microarchitectures: ports, widths, and what each
// instruction form costs, every figure with its source. Bind joins a model with a kernel.
package machine

// Port is one execution port, or a resource that is modelled like one (divider, store data).
type Port struct {
	Name     string // "0", "P0", "ALU1", "DIV"
	Resource bool   // no issue port of its own: a divider or another shared unit
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
	StoreForward                  float64 // store data ready → load result through store-to-load forwarding
	LoadsPerCycle, StoresPerCycle float64
	InOrder                       bool
}

// Model is one microarchitecture.
type Model struct {
	Name    string   // canonical: "skylake-server", "zen4", "neoverse-v2"
	Title   string   // "Intel Skylake-X / Skylake-SP"
	Aliases []string // "skx", "skylake-avx512", …
	ISA     string   // isa.ISA.Name
	Ports   []Port
	Params  Params
	// Notes says what a user must know of the model's truth ("borrowed from Cyclone (2013)"), one sentence each.
	Notes []string
	rows  *rows
}

// rows holds the costs by form; see load.go.
type rows struct{}

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
