package ports

import (
	"context"
	"testing"

	"incore/internal/machine"
)

// BenchmarkInfer infers a machine's port maps from mixes that have all been measured: what the inference itself takes.
func BenchmarkInfer(b *testing.B) {
	for _, arch := range []string{"zen4", "skylake"} {
		b.Run(arch, func(b *testing.B) {
			m, err := machine.Get(arch)
			if err != nil {
				b.Fatal(err)
			}
			s := common(b, m, 300)
			known := map[string]Measurement{}
			opt := Options{Zero: s.Zero, Known: known, Record: func(m Measurement, key string) { known[key] = m }}
			oracle := boundOracle(s, m, 0.01, 1)
			if _, err := Infer(context.Background(), s.Forms, 0, oracle, opt); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := Infer(context.Background(), s.Forms, 0, oracle, Options{Zero: s.Zero, Known: known}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(known)), "mixes")
		})
	}
}
