package latency

import "incore/internal/analysis/depgraph"

// Carried returns only the cycles of LoopCarried, without the chains. It is for predictions of many kernels.
func Carried(g *depgraph.Graph) float64 { return slowest(newCosts(g, stated)) }
