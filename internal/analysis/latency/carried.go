package latency

import "incore/internal/analysis/depgraph"

// Carried returns the cycles of LoopCarried alone, without the chains: for predictors of many kernels.
func Carried(g *depgraph.Graph) float64 { return slowest(costs{g, stated}) }
