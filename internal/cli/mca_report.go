package cli

import (
	"fmt"
	"io"
	"math"

	"incore/internal/analyze"
	"incore/internal/asm"
	"incore/internal/catalog"
	"incore/internal/machine"
	"incore/internal/report"
	"incore/internal/source"
)

// This file writes what incore mca adds to a report: a summary under llvm-mca's headings.

// fixed returns the machine that stands for no particular one: always the same for an instruction set, whatever computer incore runs on.
func fixed(o *analyze.Options, src *source.File) []string {
	a := catalog.ISA(o.ISA)
	if o.ISA == "" {
		l, err := asm.NewInput(src).Detect(catalog.ISAs())
		if err != nil {
			return nil // the analysis says so
		}
		a = l.ISA
	}
	if a == nil {
		return nil
	}
	if name, _ := machine.Default(a.Name); name != "" {
		return []string{name}
	}
	return nil
}

// mcaSummary is the summary of a region, with llvm-mca's names. Cycles are those of the steady state.
type mcaSummary struct {
	BlockRThroughput float64
	DispatchWidth    int
	IPC              float64
	Instructions     int
	Iterations       int
	TotalCycles      int
	TotaluOps        int
	UopsPerCycle     float64 `json:"uOpsPerCycle"`
	// AtLeast is set if TotalCycles is a lower bound, and IPC and UopsPerCycle are upper bounds.
	AtLeast bool `json:",omitempty"`
	// UnknownCosts are the instructions without a known cost; TotalCycles is then the lower end of an interval, and MostCycles its upper end.
	UnknownCosts int `json:",omitempty"`
	MostCycles   int `json:",omitempty"`
}

func (f *mcaFlags) summaryOf(t *report.Target) mcaSummary {
	p, n, cycles := &t.Prediction, float64(f.iterations), t.Prediction.Least()
	s := mcaSummary{BlockRThroughput: report.Round(math.Max(p.Bounds.Ports, p.Bounds.Dispatch)), DispatchWidth: t.Throughput.Width, Instructions: len(t.Instructions) * f.iterations, Iterations: f.iterations,
		TotalCycles: int(math.Round(cycles * n)), TotaluOps: int(math.Round(t.Throughput.Slots * n)), AtLeast: p.AtLeast}
	if u := p.UnknownCosts; u != nil {
		s.UnknownCosts, s.MostCycles = u.Instructions, int(math.Round(u.High*n))
	}
	if p.AtLeast {
		s.MostCycles = 0
	}
	if cycles > 0 {
		s.IPC, s.UopsPerCycle = report.Round(float64(len(t.Instructions))/cycles), report.Round(t.Throughput.Slots/cycles)
	}
	return s
}

// marks returns the signs in front of the cycles and of what is counted per cycle, and what follows the cycles: their doubt.
func (s *mcaSummary) marks() (cycles, rates, doubt string) {
	switch {
	case s.AtLeast:
		cycles, rates = "≥", "≤"
	case s.MostCycles > s.TotalCycles:
		rates, doubt = "≤", fmt.Sprintf("…%d", s.MostCycles)
	}
	if s.UnknownCosts > 0 {
		doubt += fmt.Sprintf(" (instructions without a known cost: %d)", s.UnknownCosts)
	}
	return cycles, rates, doubt
}

// summary writes the summaries of the loops on the first machine.
func (f *mcaFlags) summary(w io.Writer, d *report.Document) {
	for i := range d.Kernels {
		k := &d.Kernels[i]
		if len(d.Kernels) > 1 {
			fmt.Fprintf(w, "[%d] Code Region - %s\n\n", i, k.Name)
		}
		s := f.summaryOf(&k.Targets[0])
		least, most, doubt := s.marks()
		fmt.Fprintf(w, "Iterations:        %d\nInstructions:      %d\nTotal Cycles:      %s%d%s\nTotal uOps:        %d\n\n", s.Iterations, s.Instructions, least, s.TotalCycles, doubt, s.TotaluOps)
		fmt.Fprintf(w, "Dispatch Width:    %d\nuOps Per Cycle:    %s%.2f\nIPC:               %s%.2f\nBlock RThroughput: %s%.1f\n\n\n", s.DispatchWidth, most, s.UopsPerCycle, most, s.IPC, least, s.BlockRThroughput)
	}
}

// mcaRegion is a region in JSON.
type mcaRegion struct {
	Instructions []string
	Name         string
	SummaryView  mcaSummary
}

// mcaDocument is the output in JSON.
type mcaDocument struct {
	CodeRegions          []mcaRegion
	Incore               *report.Document
	SimulationParameters map[string]string
}

func (f *mcaFlags) regions(d *report.Document) *mcaDocument {
	out := &mcaDocument{CodeRegions: []mcaRegion{}, Incore: d, SimulationParameters: map[string]string{"-march": d.Input.ISA, "-mcpu": "", "-mtriple": f.triple}}
	for i := range d.Kernels {
		k := &d.Kernels[i]
		t := &k.Targets[0]
		r := mcaRegion{Instructions: []string{}, Name: k.Name, SummaryView: f.summaryOf(t)}
		for j := range t.Instructions {
			r.Instructions = append(r.Instructions, t.Instructions[j].Text)
		}
		out.CodeRegions = append(out.CodeRegions, r)
		out.SimulationParameters["-mcpu"] = t.Arch
	}
	return out
}
