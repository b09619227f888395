package cli

import (
	"cmp"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"incore/internal/analyze"
	"incore/internal/base/regex"
	"incore/internal/machine"
	"incore/internal/report"
)

// Commit and CommitTime name the sources where tools/dist has built the program. Otherwise Go's own stamp counts, which it leaves out in some checkouts.
var Commit, CommitTime string

// built is what is known of the program itself.
type built struct {
	Version  string       `json:"version"`
	Commit   string       `json:"commit,omitempty"` // of the sources; absent: built outside of a repository
	Date     string       `json:"date,omitempty"`   // of the commit
	Modified bool         `json:"modified,omitempty"`
	Go       string       `json:"go"`
	Platform string       `json:"platform"`
	Models   []datedModel `json:"models"`
}

// datedModel is what is known of a machine model.
type datedModel struct {
	Name    string   `json:"name"`
	ISA     string   `json:"isa"`
	Date    string   `json:"date,omitempty"` // the latest that the model's own facts name
	Sources []string `json:"sources"`
}

func newVersion(e *env) *cobra.Command {
	var format string
	var models bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "the version, its commit, and the dates and sources of the machine models",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if known := report.Formats(new(built)); !slices.Contains(known, format) {
				return fmt.Errorf("unknown format %q; known are %s", format, strings.Join(known, ", "))
			}
			b := thisProgram()
			if models || format == "json" {
				b.Models = datedModels()
			}
			return e.result("", b, format, report.TextOptions{})
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "output format: text, json")
	cmd.Flags().BoolVar(&models, "models", false, "list the sources of each machine model")
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions([]string{"text", "json"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// day is a date in a model's facts.
var day = regex.Lazy(`\b20\d\d-[01]\d-[0-3]\d\b`)

// thisProgram collects what Go wrote into the program.
func thisProgram() *built {
	b := &built{Version: Version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
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
func datedModels() (list []datedModel) {
	for _, m := range analyze.Machines() {
		x := datedModel{Name: m.Name, ISA: m.ISA, Sources: m.Sources}
		if full, err := machine.Get(m.Name); err == nil {
			for _, f := range full.Facts {
				for _, d := range day().FindAllString(f.Source, -1) {
					x.Date = max(x.Date, d)
				}
			}
		}
		list = append(list, x)
	}
	slices.SortFunc(list, func(x, y datedModel) int {
		return cmp.Or(strings.Compare(x.ISA, y.ISA), strings.Compare(x.Name, y.Name))
	})
	return list
}

// Layout implements report.Result.
func (*built) Layout() string { return "incore.version/1" }

// Text writes the models only if they have been read.
func (b *built) Text(w io.Writer, _ report.TextOptions) error {
	fmt.Fprintf(w, "incore %s\n", b.Version)
	if b.Commit != "" {
		changed := ""
		if b.Modified {
			changed = ", with changes that are not in it"
		}
		of := ""
		if b.Date != "" { // a package may know the commit alone
			of = " of " + b.Date
		}
		fmt.Fprintf(w, "commit    %s%s%s\n", b.Commit, of, changed)
	}
	fmt.Fprintf(w, "built     %s, %s\n", b.Go, b.Platform)
	hint := " (--models lists the dates of their facts, and sources)"
	if b.Models != nil {
		hint = ""
	}
	fmt.Fprintf(w, "models    %s%s\n", counted(len(machine.Names()), "machine"), hint)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i := range b.Models {
		m := &b.Models[i]
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", m.Name, m.ISA, cmp.Or(m.Date, "-"), strings.Join(m.Sources, "; "))
	}
	return t.Flush()
}
