package whatif

import (
	"slices"
	"strings"

	"incore/internal/machine"
)

// Known lists what a question can change on a machine, one line per kind: "ports 0 1 5", "rob=224", "feature.macro-fusion=on".
func Known(m *machine.Model) (out []string) {
	ports := []string{"ports.load+1", "ports.sta+1", "ports.std+1", "ports.branch+1"}
	for _, p := range m.Ports {
		ports = append(ports, "ports."+p.Name+"+1")
	}
	for _, g := range m.Groups {
		ports = append(ports, "ports."+g.Name+"+1")
	}
	var parameters, features []string
	for _, f := range m.Facts {
		_, number := params[f.Name]
		o := machine.OptionNamed(f.Name)
		switch {
		case o != nil && o.Feature:
			features = append(features, "feature."+f.Name+"=off")
		case number || o != nil || strings.HasPrefix(f.Name, schedulerPrefix) || strings.HasPrefix(f.Name, machine.LimitPrefix):
			value, _, _ := strings.Cut(f.Value, " ")
			parameters = append(parameters, f.Name+"="+value)
		}
	}
	free := []string{"ports=free", "frontend=free", "dispatch=free", "window=free", "dependences=free", "memory=free"}
	slices.Sort(parameters)
	slices.Sort(features)
	return []string{
		"ports: " + strings.Join(slices.Compact(ports), ", "),
		"parameters, as they are: " + strings.Join(slices.Compact(parameters), ", "),
		"features, which are on: " + strings.Join(slices.Compact(features), ", "),
		"what can be free: " + strings.Join(free, ", "),
		"costs: latency(FORMS)-1, latency(FORMS)=0.5x, latency(load)-1, uops(FORMS)=USES",
		"a load: line=12:latency=40; load(8(%rdi)):latency=2x; L3=50,line=12:latency=L3",
	}
}
