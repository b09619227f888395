package report

import "slices"

// Limiting returns the instruction that takes most of the limit: of the busiest port, or of the slowest chain. It returns nil for limits of the whole loop.
func (t *Target) Limiting() (most *Instruction) {
	best := 0.0
	for i := range t.Instructions {
		in := &t.Instructions[i]
		share := 0.0
		switch t.Prediction.Bound {
		case "ports":
			for _, p := range in.Ports {
				if slices.Contains(t.Throughput.Bottleneck, p.Name) {
					share += p.Cycles
				}
			}
		case "latency":
			if in.LCD != nil {
				share = *in.LCD
			}
		}
		if share > best {
			best, most = share, in
		}
	}
	return most
}
