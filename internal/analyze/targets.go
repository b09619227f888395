package analyze

import (
	"fmt"
	"strings"

	"incore/internal/base/source"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
)

// Targets returns the machines of the options and their common instruction set. detected is the instruction set of
// the input, nil if it is not known. If the options name no machine, it is the one that incore runs on, or the default machine of
// the instruction set.
func Targets(o *Options, detected *isa.ISA) ([]Target, *isa.ISA, error) {
	list, err := asked(o)
	if err != nil {
		return nil, nil, err
	}
	a := detected
	if o.ISA != "" {
		named := catalog.ISA(o.ISA)
		if named == nil {
			return nil, nil, UsageError{fmt.Errorf("unknown instruction set %q; known are %s", o.ISA, strings.Join(catalog.ISANames(), ", "))}
		}
		if detected != nil && named != detected {
			return nil, nil, fmt.Errorf("the input is for %s, not %s", detected.Name, named.Name)
		}
		a = named
	}
	if a == nil {
		a = catalog.ISAs()[0]
		if len(list) > 0 {
			a = catalog.ISA(list[0].Model.ISA)
		}
	}
	for _, t := range list {
		switch {
		case t.Model.ISA == a.Name:
		case detected != nil:
			return nil, nil, source.About(fmt.Errorf("the input is for %s, but %s is a machine for %s; name a machine of that instruction set, or none", a.Name, t.Model.Name, t.Model.ISA), "arch", "machines")
		default:
			return nil, nil, UsageError{fmt.Errorf("%s is a machine for %s, not %s", t.Model.Name, t.Model.ISA, a.Name)}
		}
	}
	if len(list) == 0 {
		t, err := defaultTarget(a)
		if err != nil {
			return nil, nil, err
		}
		list = []Target{t}
	}
	return list, a, nil
}
