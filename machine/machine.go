// Package machine opens models of CPU cores and says what an instruction costs on them, and where each figure comes from.
//
// The package is experimental: its API may change between versions. Package incore predicts loops on these models.
package machine

import (
	"errors"
	"fmt"
	"io"

	pub "incore/isa"

	"incore/internal/analyze"
	"incore/internal/analyze/handle"
	"incore/internal/isa"
	"incore/internal/machine"
	"incore/internal/report"
)

// Model is a model of a core. It does not change, and several goroutines may use it.
type Model handle.Model

func (m *Model) model() *machine.Model { return (*handle.Model)(m).Model() }

type (
	Info     = report.MachineInfo // a built-in model in brief
	Fact     = report.Fact        // a parameter of a model with its source
	Accuracy = report.Accuracy    // the errors of predictions on a corpus of measured code
)

// List describes the built-in models.
func List() []Info { return analyze.Machines() }

// Get returns a built-in model by its name or another name of it ("zen4", "skx").
func Get(name string) (*Model, error) { return opened(machine.Get(name)) }

// Load reads a model in the format of docs/model-format.md, which may be based on a built-in one; name names it in error messages.
func Load(r io.Reader, name string) (*Model, error) { return opened(machine.Load(r, name)) }

func opened(m *machine.Model, err error) (*Model, error) {
	if err != nil {
		return nil, err
	}
	return (*Model)(handle.ModelOf(m)), nil
}

// Name returns the model's name.
func (m *Model) Name() string { return m.model().Name }

// Title returns the name of the core in words.
func (m *Model) Title() string { return m.model().Title }

// ISA returns the name of the core's instruction set, which package incore/isa knows.
func (m *Model) ISA() string { return m.model().ISA }

// Cost is what one instruction costs on a core. Cycles are those of data in the first-level cache.
type Cost struct {
	Known bool // the model has figures; else they are estimates from similar instructions
	// Latency is the time from the last operand to the slowest result, a load included, in cycles; LowLatency and HighLatency bracket it where it is not known.
	Latency, LowLatency, HighLatency float64
	Each                             float64  // cycles for each of many independent instructions of this kind
	Slots                            float64  // of the width at which the core takes instructions in
	Ports                            string   // the µops, each with the ports that execute it: "23/load 0156"
	Pairs                            []Pair   // the latency from each operand to each result
	Source                           string   // of the figures, in words
	Rows                             []string // files of models and lines in them that have the figures
}

// Pair is the latency from an operand to a result. Both are names of registers, as in isa.Inst.Reads, or "memory".
type Pair struct {
	From, To string
	Cycles   float64
}

// Cost returns what an instruction costs.
func (m *Model) Cost(in *pub.Inst) (*Cost, error) {
	a, x := (*handle.Inst)(in).Set(), (*handle.Inst)(in).Inst()
	if a == nil || x.Form == isa.NoForm {
		return nil, errors.New("no instruction")
	}
	if a.Name != m.model().ISA {
		return nil, fmt.Errorf("%s has the instruction set %s, the instruction is of %s", m.model().Name, m.model().ISA, a.Name)
	}
	c := m.model().Cost(a, x)
	out := &Cost{Known: c.Flags&machine.Unknown == 0, Latency: c.Latency, LowLatency: c.LowLatency, HighLatency: c.HighLatency,
		Each: c.Each, Slots: c.Slots, Ports: c.Ports, Source: c.Source, Rows: c.Rows}
	for o := range c.Outputs() {
		for i := range c.Inputs() {
			if cycles, ok := c.Pair(i, o); ok {
				out.Pairs = append(out.Pairs, Pair{input(a, &c.Effects, i), result(a, &c.Effects, o), cycles})
			}
		}
	}
	return out, nil
}

const memory = "memory"

func input(a *isa.ISA, e *isa.Effects, i int) string {
	if i < len(e.Reads) {
		return a.Regs.Name(e.Reads[i].Reg)
	}
	return memory
}

func result(a *isa.ISA, e *isa.Effects, o int) string {
	if o < len(e.Writes) {
		return a.Regs.Name(e.Writes[o].Reg)
	}
	return memory
}
