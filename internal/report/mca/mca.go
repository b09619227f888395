// Package mca writes a document under the headings of llvm-mca: views as text, regions as JSON with llvm-mca's names.
package mca

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"incore/internal/report"
)

// Summary is the summary of a region, with llvm-mca's names. Cycles are those of the steady state.
type Summary struct {
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

func (v *Views) summaryOf(t *report.Target) Summary {
	p, n, cycles := &t.Prediction, float64(v.Iterations), t.Prediction.Least()
	s := Summary{BlockRThroughput: report.Round(math.Max(p.Bounds.Ports, p.Bounds.Dispatch)), DispatchWidth: t.Throughput.Width, Instructions: len(t.Instructions) * v.Iterations, Iterations: v.Iterations,
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
func (s *Summary) marks() (cycles, rates, doubt string) {
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

// Views selects what is written under llvm-mca's headings.
type Views struct {
	Iterations            int    // that a summary counts
	Triple                string // the target triple, for the JSON
	Summary, Info, Stalls bool
}

// Text writes the views of each loop, on the first machine.
func (v *Views) Text(w io.Writer, d *report.Document) {
	for i := range d.Kernels {
		k := &d.Kernels[i]
		if len(d.Kernels) > 1 {
			fmt.Fprintf(w, "[%d] Code Region - %s\n\n", i, k.Name)
		}
		if v.Summary {
			v.summaryView(w, &k.Targets[0])
		}
		if v.Info {
			infoView(w, &k.Targets[0])
		}
		if v.Stalls {
			v.stallView(w, &k.Targets[0])
		}
	}
}

func (v *Views) summaryView(w io.Writer, t *report.Target) {
	s := v.summaryOf(t)
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
func (v *Views) stallView(w io.Writer, t *report.Target) {
	if len(t.Prediction.Stalls) == 0 || t.Prediction.Cycles == 0 {
		return
	}
	fmt.Fprint(w, "Dynamic Dispatch Stall Cycles:\n")
	for _, s := range t.Prediction.Stalls {
		fmt.Fprintf(w, "%-40s %.0f  (%.1f%%)\n", s.Reason+":", s.Cycles*float64(v.Iterations),
			100*s.Cycles/t.Prediction.Cycles)
	}
	fmt.Fprint(w, "\n\n")
}

// Region is a region in JSON.
type Region struct {
	InstructionInfoView  struct{ InstructionList []Info }
	Instructions         []string
	Name                 string
	ResourcePressureView struct{ ResourcePressureInfo []Pressure }
	SummaryView          Summary
}

// Info is the cost of an instruction, a guess if UnknownCost is set.
type Info struct {
	Instruction     int
	Latency         float64
	NumMicroOpcodes float64
	RThroughput     float64
	UnknownCost     bool `json:",omitempty"`
}

// Pressure is the number of cycles that an instruction keeps a resource busy.
type Pressure struct {
	InstructionIndex int
	ResourceIndex    int
	ResourceUsage    float64
}

// Target names a machine and its resources, by whose places those of Pressure are numbered.
type Target struct {
	CPUName   string
	Resources []string
}

// Document is the output in JSON.
type Document struct {
	CodeRegions          []Region
	Incore               *report.Document
	SimulationParameters map[string]string
	TargetInfo           Target
}

// Document has the regions of a document, with all views, on the first machine.
func (v *Views) Document(d *report.Document) *Document {
	out := &Document{CodeRegions: []Region{}, Incore: d, SimulationParameters: map[string]string{"-march": d.Input.ISA, "-mcpu": "", "-mtriple": v.Triple}}
	for i := range d.Kernels {
		k := &d.Kernels[i]
		t := &k.Targets[0]
		r := Region{Instructions: []string{}, Name: k.Name, SummaryView: v.summaryOf(t)}
		if out.TargetInfo.CPUName == "" {
			out.TargetInfo.CPUName = t.Arch
			for _, p := range t.Throughput.Ports {
				out.TargetInfo.Resources = append(out.TargetInfo.Resources, p.Name)
			}
		}
		for j := range t.Instructions {
			x := &t.Instructions[j]
			r.Instructions = append(r.Instructions, x.Text)
			info := Info{j, x.Latency, x.Uops, x.Throughput, slices.Contains(x.Flags, "unknown")}
			r.InstructionInfoView.InstructionList = append(r.InstructionInfoView.InstructionList, info)
			for _, p := range x.Ports {
				pressure := Pressure{j, slices.Index(out.TargetInfo.Resources, p.Name), report.Round(p.Cycles)}
				r.ResourcePressureView.ResourcePressureInfo = append(r.ResourcePressureView.ResourcePressureInfo, pressure)
			}
		}
		out.CodeRegions = append(out.CodeRegions, r)
		out.SimulationParameters["-mcpu"] = t.Arch
	}
	return out
}

// CPU is a line of the list of machines.
func CPU(name, title string) string { return fmt.Sprintf("  %-24s - %s\n", name, title) }

// CPUs lists machines as LLVM's tools list the CPUs of a target.
func CPUs(w io.Writer, lines []string) error {
	_, err := io.WriteString(w, "Available CPUs for this target:\n\n"+strings.Join(lines, ""))
	return err
}
