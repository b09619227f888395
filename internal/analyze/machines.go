package analyze

import (
	"strings"

	"incore/internal/analysis/engine"
	"incore/internal/machine"
	"incore/internal/report"
	"incore/internal/report/describe"
)

// Machines describes all embedded machine models in brief.
func Machines() []report.MachineInfo {
	var out []report.MachineInfo
	for _, m := range machine.All() {
		out = append(out, machineInfo(m))
	}
	return out
}

func machineInfo(m *machine.Info) report.MachineInfo {
	x := report.MachineInfo{Name: m.Name, Title: m.Title, ISA: m.ISA, Aliases: append([]string{}, m.Aliases...), Ports: []string{}, Width: m.Params.DispatchWidth,
		Coverage: m.Coverage, Sources: append([]string{}, m.Sources...), Notes: append([]string{}, m.Notes...), Borrowed: m.Borrowed, Accuracy: accuracyOf(m.Name, engine.NameSimulator)}
	x.AccuracyText = describe.Accuracy(x.Accuracy)
	for _, p := range m.Ports {
		x.Ports = append(x.Ports, p.Name)
	}
	return x
}

// Machine describes one embedded machine model, by any of its names, in detail.
func Machine(name string) (*report.MachineInfo, error) {
	m, err := machine.Get(name)
	if err != nil {
		return nil, UsageError{err}
	}
	for _, i := range machine.All() {
		if i.Name != m.Name {
			continue
		}
		x := machineInfo(i)
		for _, f := range m.Facts {
			x.Facts = append(x.Facts, report.Fact{Name: f.Name, Value: f.Value, Source: f.Source})
		}
		for _, g := range m.Groups {
			x.Groups = append(x.Groups, report.Fact{Name: g.Name, Value: strings.Join(m.PortNames(g.Ports), " ")})
		}
		for _, p := range m.Ports {
			if p.About != "" {
				x.Units = append(x.Units, report.Fact{Name: p.Name, Value: p.About})
			}
		}
		return &x, nil
	}
	return nil, UsageError{err}
}
