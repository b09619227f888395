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
}

func (f *mcaFlags) summaryOf(t *report.Target) mcaSummary {
	p, n := &t.Prediction, float64(f.iterations)
	s := mcaSummary{BlockRThroughput: report.Round(math.Max(p.Bounds.Ports, p.Bounds.Dispatch)), DispatchWidth: t.Throughput.Width, Instructions: len(t.Instructions) * f.iterations, Iterations: f.iterations,
		TotalCycles: int(math.Round(p.Cycles * n)), TotaluOps: int(math.Round(t.Throughput.Slots * n))}
	if p.Cycles > 0 {
		s.IPC, s.UopsPerCycle = report.Round(float64(len(t.Instructions))/p.Cycles), report.Round(t.Throughput.Slots/p.Cycles)
	}
	return s
}

// summary writes the summaries of the loops on the first machine.
func (f *mcaFlags) summary(w io.Writer, d *report.Document) {
	for i := range d.Kernels {
		k := &d.Kernels[i]
		if len(d.Kernels) > 1 {
			fmt.Fprintf(w, "[%d] Code Region - %s\n\n", i, k.Name)
		}
		s := f.summaryOf(&k.Targets[0])
		fmt.Fprintf(w, "Iterations:        %d\nInstructions:      %d\nTotal Cycles:      %d\nTotal uOps:        %d\n\n", s.Iterations, s.Instructions, s.TotalCycles, s.TotaluOps)
		fmt.Fprintf(w, "Dispatch Width:    %d\nuOps Per Cycle:    %.2f\nIPC:               %.2f\nBlock RThroughput: %.1f\n\n\n", s.DispatchWidth, s.UopsPerCycle, s.IPC, s.BlockRThroughput)
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
