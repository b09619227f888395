package analyze

import (
	"fmt"
	"path/filepath"

	"incore/internal/base/source"
	"incore/internal/report"
)

// origins adds to a kernel's report the source line of each instruction, and the text of these lines if the source can be read. at holds
// the source positions by instruction; their line is 0 where it is not known.
func (d *describer) origins(out *report.Kernel, at []source.Pos) {
	names := map[string]string{} // by path
	taken := map[string]string{} // paths by name
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

// older adds a note if a source file was changed after the code was compiled.
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
