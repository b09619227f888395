package results

import (
	"math/bits"
	"slices"
	"strings"

	"incore/internal/bench/plan"
	"incore/internal/machine"
)

// unevenLoss is the largest part of the throughput that ports allow which steering by chance may cost: operations find the ports of their part taken while others are free.
const unevenLoss = 0.25

// level takes from forms the µops by which the inference of ports explained that they are slower than their ports allow, where the model says that operations are given
// to parts of these ports by chance: that is why. m is the measured model; the base has one µop for such a form.
func level(t *plan.Target, rows map[string]string, m, base *machine.Model) {
	for _, g := range m.Core().Steering {
		if g.Policy != machine.SteerChance {
			continue
		}
		all := machine.PortSet(0)
		for _, p := range g.Partitions {
			all |= m.Core().Schedulers[p.Scheduler].Ports
		}
		names := m.PortNames(all)
		least := 1 / float64(bits.OnesCount64(uint64(all)))
		for f, row := range rows {
			fields := strings.SplitN(row+" |  | ", " | ", 4)
			uops := strings.Fields(fields[0])
			at := slices.IndexFunc(uops, func(u string) bool { return samePorts(u, names) })
			each := attribute(fields[2], "rthru")
			if len(uops) != 2 || at < 0 || !(each <= least/(1-unevenLoss)) || onlyPorts(t, f, base) == nil {
				continue
			}
			rows[f] = strings.TrimRight(uops[at]+" | "+fields[1]+" | "+strings.Trim(fields[2], " |"), " |")
		}
	}
}

// samePorts reports whether a µop of one cycle goes to ports with these names, in any order.
func samePorts(uop string, names []string) bool {
	ports := strings.Split(uop, "+")
	return len(ports) == len(names) && !slices.ContainsFunc(ports, func(p string) bool { return !slices.Contains(names, p) })
}
