package analyze

import (
	"incore/internal/isa"
	"incore/internal/object"
)

// Code returns the kernels that RunBinary analyses: the selected loops of an object file, or the regions between IACA's
// markers, the likely hottest first.
func Code(f *object.File, o *Options, sel CodeSelect) ([]*isa.Kernel, error) {
	if err := checkSyntax(o.Syntax, f.ISA); err != nil {
		return nil, err
	}
	found, err := code(f, o, sel)
	if err != nil {
		return nil, err
	}
	if o.Kernel != "" {
		if found, err = namedLoops(found, o.Kernel); err != nil {
			return nil, err
		}
	}
	out := make([]*isa.Kernel, len(found))
	for i := range found {
		if out[i], err = found[i].build(o); err != nil {
			return nil, err
		}
		if found[i].why != "" {
			out[i].Why = found[i].why
		}
	}
	return out, nil
}
