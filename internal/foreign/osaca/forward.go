package osaca

import (
	"math"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/latency"
	"incore/internal/analysis/uops"
	"incore/internal/isa"
)

// forward returns OSACA's store_to_load_forward_latency, which OSACA adds to the latencies of the store and of the load. The
// model's figure for a value that is stored and loaded again contains both, so it is less their latencies: negative where a
// store passes its data on earlier than the cache would. Cores forward general-purpose registers otherwise than vectors, and the
// file has one number: it is that of vectors, because OSACA's users change arrays of floating-point numbers in place.
func (x *exporter) forward(loads, stores transfers) float64 {
	load, store := loads[x.dialect.vector], stores[x.dialect.vector]
	if load == nil || store == nil {
		return 0
	}
	k := &isa.Kernel{ISA: x.set, Syntax: x.set.Syntaxes[0], Loop: true}
	for _, text := range x.dialect.inPlace {
		insts, err := x.set.Parse(nil, text, k.Syntax)
		if err != nil || len(insts) != 1 {
			return 0
		}
		k.Lines = append(k.Lines, isa.Line{Text: text, Inst: insts[0]})
	}
	all := latency.Carried(depgraph.Build(uops.Bind(x.model, k), depgraph.Options{}))
	if v := all - load.cost.Latency - store.cost.Latency; all > 0 && !math.IsNaN(v) {
		return v
	}
	return 0
}
