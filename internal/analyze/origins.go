package analyze

import (
	"fmt"
	"path/filepath"

	"incore/internal/report"
	"incore/internal/source"
)

// origins puts into a kernel's report which line of the source program each instruction is of, and the text of these lines where it is to be had. at are
// the places by instruction, their lines 0 where none is known.
func (d *describer) origins(out *report.Kernel, at []source.Pos) {
	names := map[string]string{} // by path
	taken := map[string]string{} // the other way round
	known := map[source.Pos]bool{}
	for i, p := range at {
		if p.Line <= 0 || p.File == "" {
			continue
		}
		name := names[p.File]
		if name == "" {
			if name = filepath.Base(p.File); taken[name] != "" {
				name = p.File // another file of that name
			}
			names[p.File], taken[name] = name, p.File
		}
		where := fmt.Sprintf("%s:%d", name, p.Line)
		for t := range out.Targets {
			if list := out.Targets[t].Instructions; i < len(list) {
				list[i].Where = where
			}
		}
		if !known[p] {
			known[p] = true
			out.SourceLines = append(out.SourceLines, report.SourceLine{Where: where, File: p.File, Line: p.Line, Text: d.options.Listing.Line(p.File, p.Line)})
			d.older(p.File)
		}
	}
}

// older notes that a source file was changed after the code was made of it.
func (d *describer) older(path string) {
	o := d.options
	if d.warned[path] || o.Listing == nil || !o.Listing.Newer(path, o.Made) {
		return
	}
	if d.warned == nil {
		d.warned = map[string]bool{}
	}
	d.warned[path] = true
	d.doc.Diagnostics = append(d.doc.Diagnostics, report.Diagnostic{Severity: "note", File: d.doc.Input.File, Message: filepath.Base(path) + " was changed after this code was made of it: the source lines shown may be others"})
}
