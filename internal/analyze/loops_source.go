package analyze

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"

	"incore/internal/base/source"
	"incore/internal/isa"
	"incore/internal/report"
)

// withText is the number of loops whose source is shown at least, textLines the number of source lines of each.
const withText, textLines = 200, 12

// text adds the source lines of loops, if the source files can be read.
func (f *loopFinder) text(list []report.LoopInfo, found []*foundLoop) {
	if f.options.Listing == nil {
		return
	}
	f.again(found[:len(list)])
	for i := range list {
		k, _ := found[i].loop.Body(nil)
		for _, p := range origins(k) {
			text := f.options.Listing.Line(p.File, p.Line)
			if text == "" || len(list[i].SourceLines) == textLines {
				continue
			}
			list[i].SourceLines = append(list[i].SourceLines, report.SourceLine{Where: fmt.Sprintf("%s:%d", filepath.Base(p.File), p.Line), File: p.File, Line: p.Line, Text: text})
		}
	}
}

// origins returns the source lines of code, grouped by file and sorted.
func origins(k *isa.Kernel) (out []source.Pos) {
	files := map[string]int{} // in order of appearance
	for i := range k.Lines {
		p := source.Pos{File: k.Lines[i].File, Line: k.Lines[i].No}
		if p.Line <= 0 || slices.Contains(out, p) {
			continue
		}
		if _, ok := files[p.File]; !ok {
			files[p.File] = len(files)
		}
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b source.Pos) int {
		return cmp.Or(cmp.Compare(files[a.File], files[b.File]), cmp.Compare(a.Line, b.Line))
	})
	return out
}
