package throughput

import "incore/internal/machine"

// Quick returns the cycles of the busiest port under the optimal policy, and the cycles of dispatch, without the details of Analyze. It is for predictions of
// many kernels.
func Quick(b *machine.Bound) (ports, dispatch float64) {
	var mem [64]float64 // a machine.PortSet has at most 64 ports
	r := &Result{Ports: mem[:len(b.Model.Ports)]}
	r.optimal(b, false)
	for _, load := range r.Ports {
		ports = max(ports, load)
	}
	r.dispatch(b)
	return ports, r.Dispatch
}
