package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Built is what is known of the program itself, the result of incore version.
type Built struct {
	Version  string       `json:"version"`
	Commit   string       `json:"commit,omitempty"` // of the sources; absent: built outside of a repository
	Date     string       `json:"date,omitempty"`   // of the commit
	Modified bool         `json:"modified,omitempty"`
	Go       string       `json:"go"`
	Platform string       `json:"platform"`
	Machines int          `json:"-"` // how many models there are
	Models   []DatedModel `json:"models"`
}

// DatedModel is what is known of a machine model.
type DatedModel struct {
	Name    string   `json:"name"`
	ISA     string   `json:"isa"`
	Date    string   `json:"date,omitempty"` // the latest that the model's own facts name
	Sources []string `json:"sources"`
}

// Layout implements Result.
func (*Built) Layout() string { return "incore.version/1" }

// Text writes the models only if they have been read.
func (b *Built) Text(w io.Writer, _ TextOptions) error {
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
	fmt.Fprintf(w, "models    %s%s\n", Counted(b.Machines, "machine"), hint)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i := range b.Models {
		m := &b.Models[i]
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", m.Name, m.ISA, cmp.Or(m.Date, "-"), strings.Join(m.Sources, "; "))
	}
	return t.Flush()
}
