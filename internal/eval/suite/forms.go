package suite

import (
	"fmt"
	"maps"
	"slices"

	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/object"
)

// mostOpened is the number of benchmarks that Forms reads.
const mostOpened = 400

// Forms returns the instruction forms in the kernels of a directory's benchmarks.
func Forms(dir string) (*isa.ISA, []isa.FormID, error) {
	d, err := readSuite(dir)
	if err != nil {
		return nil, nil, err
	}
	seen := map[isa.FormID]bool{}
	var set *isa.ISA
	for _, b := range d.Benchmarks[:min(mostOpened, len(d.Benchmarks))] {
		f, err := object.Open(binaryFile(dir, b.ID), catalog.ISAs()...)
		if err != nil {
			return nil, nil, err
		}
		set = f.ISA
		entry := f.Function("kernel")
		if entry == nil {
			continue
		}
		for _, fn := range reach(f, entry) {
			_ = f.Disassemble(fn.Addr, fn.End(), func(l *object.Line) error {
				if l.Err == nil && f.ISA.Flow(&l.Inst).Kind == isa.FlowNext {
					form := l.Inst.Form
					if f.ISA.Canonical != nil {
						form = f.ISA.Canonical(form)
					}
					seen[form] = true
				}
				return nil
			})
		}
	}
	if set == nil {
		return nil, nil, fmt.Errorf("%s has no benchmarks", dir)
	}
	return set, slices.Sorted(maps.Keys(seen)), nil
}
