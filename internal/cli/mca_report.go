package cli

import (
	"fmt"
	"io"
	"math"
	"slices"

	"incore/internal/analyze"
	"incore/internal/asm"
	"incore/internal/base/source"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
	"incore/internal/report"
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

// regionViews writes the views under llvm-mca's headings of each loop, on the first machine.
func (f *mcaFlags) regionViews(w io.Writer, d *report.Document) {
	for i := range d.Kernels {
		k := &d.Kernels[i]
		if len(d.Kernels) > 1 {
			fmt.Fprintf(w, "[%d] Code Region - %s\n\n", i, k.Name)
		}
		static := f.tables == "normal" || f.tables == "true"
		if f.summary && !static {
			f.summaryView(w, &k.Targets[0])
		}
		if f.info {
			infoView(w, &k.Targets[0])
		}
		if (f.dispatch || f.stats || f.views) && !static {
			f.stallView(w, &k.Targets[0])
		}
	}
}

func (f *mcaFlags) summaryView(w io.Writer, t *report.Target) {
	s := f.summaryOf(t)
	least, most, doubt := s.marks()
	fmt.Fprintf(w, "Iterations:        %d\nInstructions:      %d\nTotal Cycles:      %s%d%s\nTotal uOps:        %d\n\n",
		s.Iterations, s.Instructions, least, s.TotalCycles, doubt, s.TotaluOps)
	fmt.Fprintf(w, "Dispatch Width:    %d\nuOps Per Cycle:    %s%.2f\nIPC:               %s%.2f\n",
		s.DispatchWidth, most, s.UopsPerCycle, most, s.IPC)
	fmt.Fprintf(w, "Block RThroughput: %s%.1f\n\n\n", least, s.BlockRThroughput)
}

// infoView writes the costs of each instruction, "?" if these are not known.
func infoView(w io.Writer, t *report.Target) {
	fmt.Fprint(w, "Instruction Info:\n[1]: #uOps\n[2]: Latency\n[3]: RThroughput\n\n[1]    [2]    [3]    Instructions:\n")
	for i := range t.Instructions {
		x := &t.Instructions[i]
		if slices.Contains(x.Flags, "unknown") {
			fmt.Fprintf(w, " ?      ?     ?      %s\n", x.Text)
			continue
		}
		fmt.Fprintf(w, " %-6.4g %-5.4g %-6.2f %s\n", x.Uops, x.Latency, x.Throughput, x.Text)
	}
	fmt.Fprint(w, "\n\n")
}

// stallView writes the cycles by the reason for which dispatch ends.
func (f *mcaFlags) stallView(w io.Writer, t *report.Target) {
	if len(t.Prediction.Stalls) == 0 || t.Prediction.Cycles == 0 {
		return
	}
	fmt.Fprint(w, "Dynamic Dispatch Stall Cycles:\n")
	for _, s := range t.Prediction.Stalls {
		fmt.Fprintf(w, "%-40s %.0f  (%.1f%%)\n", s.Reason+":", s.Cycles*float64(f.iterations),
			100*s.Cycles/t.Prediction.Cycles)
	}
	fmt.Fprint(w, "\n\n")
}

// mcaRegion is a region in JSON.
type mcaRegion struct {
	InstructionInfoView  struct{ InstructionList []mcaInfo }
	Instructions         []string
	Name                 string
	ResourcePressureView struct{ ResourcePressureInfo []mcaPressure }
	SummaryView          mcaSummary
}

// mcaInfo is the cost of an instruction, a guess if UnknownCost is set.
type mcaInfo struct {
	Instruction     int
	Latency         float64
	NumMicroOpcodes float64
	RThroughput     float64
	UnknownCost     bool `json:",omitempty"`
}

// mcaPressure is the number of cycles that an instruction keeps a resource busy.
type mcaPressure struct {
	InstructionIndex int
	ResourceIndex    int
	ResourceUsage    float64
}

// mcaTarget names a machine and its resources, by whose places those of mcaPressure are numbered.
type mcaTarget struct {
	CPUName   string
	Resources []string
}

// mcaDocument is the output in JSON.
type mcaDocument struct {
	CodeRegions          []mcaRegion
	Incore               *report.Document
	SimulationParameters map[string]string
	TargetInfo           mcaTarget
}

func (f *mcaFlags) regions(d *report.Document) *mcaDocument {
	out := &mcaDocument{CodeRegions: []mcaRegion{}, Incore: d, SimulationParameters: map[string]string{"-march": d.Input.ISA, "-mcpu": "", "-mtriple": f.triple}}
	for i := range d.Kernels {
		k := &d.Kernels[i]
		t := &k.Targets[0]
		r := mcaRegion{Instructions: []string{}, Name: k.Name, SummaryView: f.summaryOf(t)}
		if out.TargetInfo.CPUName == "" {
			out.TargetInfo.CPUName = t.Arch
			for _, p := range t.Throughput.Ports {
				out.TargetInfo.Resources = append(out.TargetInfo.Resources, p.Name)
			}
		}
		for j := range t.Instructions {
			x := &t.Instructions[j]
			r.Instructions = append(r.Instructions, x.Text)
			info := mcaInfo{j, x.Latency, x.Uops, x.Throughput, slices.Contains(x.Flags, "unknown")}
			r.InstructionInfoView.InstructionList = append(r.InstructionInfoView.InstructionList, info)
			for _, p := range x.Ports {
				pressure := mcaPressure{j, slices.Index(out.TargetInfo.Resources, p.Name), report.Round(p.Cycles)}
				r.ResourcePressureView.ResourcePressureInfo = append(r.ResourcePressureView.ResourcePressureInfo, pressure)
			}
		}
		out.CodeRegions = append(out.CodeRegions, r)
		out.SimulationParameters["-mcpu"] = t.Arch
	}
	return out
}
