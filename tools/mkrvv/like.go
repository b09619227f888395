package main

import (
	"maps"
	"strings"

	"incore/internal/isa"
)

// immediates gives operations with an immediate the figures of the same operation with an integer register, where the table has only that.
func (l *layer) immediates() {
	for form, f := range maps.Clone(l.forms) {
		name, ok := strings.CutSuffix(l.a.Forms.Name(form), "_VX")
		if !ok {
			continue
		}
		if vi := l.a.Forms.Named(name + "_VI"); vi != isa.NoForm && l.forms[vi] == nil {
			l.forms[vi] = &figures{withForm(f.plain, vi), withForm(f.masked, vi)}
		}
	}
}

// withForm returns figures as those of another form.
func withForm(by map[isa.VType]*figure, form isa.FormID) map[isa.VType]*figure {
	out := map[isa.VType]*figure{}
	for v, f := range by {
		in := f.inst
		in.Form = form
		out[v] = &figure{f.cycles, in}
	}
	return out
}
