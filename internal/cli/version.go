package cli

import (
	"cmp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"incore/internal/analyze"
	"incore/internal/base/regex"
	"incore/internal/machine"
	"incore/internal/report"
)

// Commit and CommitTime name the sources where tools/dist has built the program. Otherwise Go's own stamp counts, which it leaves out in some checkouts.
var Commit, CommitTime string

func newVersion(e *env) *cobra.Command {
	var out outputFlags
	var models bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "the version, its commit, and the dates and sources of the machine models",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := out.check(); err != nil {
				return err
			}
			b := thisProgram()
			if models || out.format == "json" {
				b.Models = datedModels()
			}
			return out.write(e, b, report.TextOptions{})
		},
	}
	out.formatOnly(cmd, (*report.Built)(nil))
	cmd.Flags().BoolVar(&models, "models", false, "list the sources of each machine model")
	return cmd
}

// day is a date in a model's facts.
var day = regex.Lazy(`\b20\d\d-[01]\d-[0-3]\d\b`)

// thisProgram collects what Go wrote into the program.
func thisProgram() *report.Built {
	b := &report.Built{Version: Version, Go: runtime.Version(), Machines: len(machine.Names()), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	b.Commit, b.Date = Commit, CommitTime
	if info, ok := debug.ReadBuildInfo(); ok && Commit == "" {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				b.Commit = s.Value
			case "vcs.time":
				b.Date = s.Value
			case "vcs.modified":
				b.Modified = s.Value == "true"
			}
		}
	}
	return b
}

// datedModels reads the models, which takes longer than all else that starts.
func datedModels() (list []report.DatedModel) {
	for _, m := range analyze.Machines() {
		x := report.DatedModel{Name: m.Name, ISA: m.ISA, Sources: m.Sources}
		if full, err := machine.Get(m.Name); err == nil {
			for _, f := range full.Facts {
				for _, d := range day().FindAllString(f.Source, -1) {
					x.Date = max(x.Date, d)
				}
			}
		}
		list = append(list, x)
	}
	slices.SortFunc(list, func(x, y report.DatedModel) int {
		return cmp.Or(strings.Compare(x.ISA, y.ISA), strings.Compare(x.Name, y.Name))
	})
	return list
}
