package x86

import (
	"strings"
	"sync"

	"incore/internal/isa"
)

// canonicalForms maps the forms that only a disassembler produces (LLVM's _REV and
// _alt: another opcode for the same text) to the forms that the parser chooses for that text.
var canonicalForms = sync.OnceValue(func() []isa.FormID {
	t := codes().table
	out := make([]isa.FormID, t.Len())
	for f := range out {
		out[f] = isa.FormID(f)
		name := t.Name(isa.FormID(f))
		for _, suffix := range [...]string{"_REV", "_alt"} {
			if !strings.HasSuffix(name, suffix) {
				continue
			}
			g := t.Named(strings.TrimSuffix(name, suffix))
			if g != isa.NoForm && t.NumOps(g) == t.NumOps(isa.FormID(f)) && t.NumDefs(g) == t.NumDefs(isa.FormID(f)) {
				out[f] = g
			}
		}
	}
	return out
})

// canonicalForm is isa.ISA.Canonical.
func canonicalForm(f isa.FormID) isa.FormID {
	t := canonicalForms()
	if int(f) >= len(t) {
		return f
	}
	return t[f]
}
