package sim

import (
	"reflect"

	"incore/internal/analysis/depgraph"
)

// PredictAnew predicts a kernel as if no program had been simulated before, and reports whether the result is what Predict, which may know it, says; known
// tells whether it did.
func PredictAnew(g *depgraph.Graph, opt Options) (same, known bool) {
	n := len(results.results)
	before := Predict(g, opt)
	kept := results.results
	known = len(kept) == n
	Forget()
	after := Predict(g, opt)
	results.results = kept
	return reflect.DeepEqual(before, after), known
}
