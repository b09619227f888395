package roofline

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// WriteMachine writes a machine as a file that ReadMachine reads.
func WriteMachine(w io.Writer, m *Machine) error {
	var b strings.Builder
	if m.Title != "" {
		fmt.Fprintf(&b, "name: %s\ntitle: %q\n", m.Name, m.Title)
	} else {
		fmt.Fprintf(&b, "name: %s\n", m.Name)
	}
	fmt.Fprintf(&b, "vector_bits: %g\n", m.VectorBits)
	if m.Cores > 1 {
		fmt.Fprintf(&b, "cores: %d\n", m.Cores)
	}
	if m.Clock > 0 {
		fmt.Fprintf(&b, "clock: %g  # GHz\n", m.Clock)
	}
	if m.Core != "" {
		fmt.Fprintf(&b, "core: %s\n", m.Core)
	}
	if m.Overlap {
		b.WriteString("overlap: true\n")
	}
	var peaks []string
	for _, p := range []struct {
		name string
		rate float64
	}{{"double", m.Peak.Double}, {"single", m.Peak.Single}, {"half", m.Peak.Half}} {
		if p.rate > 0 {
			peaks = append(peaks, fmt.Sprintf("%s: %g", p.name, p.rate))
		}
	}
	fmt.Fprintf(&b, "peak: {%s}  # GFLOP/s\nlevels:  # GB/s, bytes, cycles\n", strings.Join(peaks, ", "))
	for _, l := range m.Levels {
		fmt.Fprintf(&b, "  - {name: %s", l.Name)
		for _, f := range []struct {
			name  string
			value float64
		}{{"bandwidth", l.Bandwidth}, {"uncertainty", l.Uncertainty}, {"size", l.Size}, {"ways", float64(l.Ways)}, {"line", float64(l.Line)}, {"latency", l.Latency}} {
			if f.value != 0 {
				fmt.Fprintf(&b, ", %s: %.10g", f.name, f.value)
			}
		}
		if l.Victim {
			b.WriteString(", victim: true")
		}
		b.WriteString("}\n")
	}
	b.WriteString("sources:\n")
	keys := make([]string, 0, len(m.Sources))
	for k := range m.Sources {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		fmt.Fprintf(&b, "  %s: %q\n", k, m.Sources[k])
	}
	if len(m.Peaks) > 0 {
		b.WriteString("peaks:  # GFLOP/s, GHz\n")
	}
	for _, p := range m.Peaks {
		fmt.Fprintf(&b, "  - {precision: %s, vector_bits: %g, operations: %q, rate: %g, median: %g, clock: %g}\n", p.Precision, p.VectorBits, p.Operations, p.Rate, p.Median, p.Clock)
	}
	if len(m.Bandwidths) > 0 {
		b.WriteString("bandwidths:  # GB/s\n")
	}
	for _, p := range m.Bandwidths {
		fmt.Fprintf(&b, "  - {level: %s, operation: %s, vector_bits: %g, rate: %g, median: %g, low: %g}\n", p.Level, p.Operation, p.VectorBits, p.Rate, p.Median, p.Low)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
