package object

import (
	"debug/dwarf"
	"debug/elf"
	"errors"
	"strings"
)

// relocatedDWARF reads the debugging information of a relocatable object and relocates its addresses
// to the layout of the sections. values are the symbols' values.
func (l *loader) relocatedDWARF(e *elf.File, values []uint64) (*dwarf.Data, error) {
	data := map[string][]byte{}
	at := map[int]string{} // section number → name without its prefix
	for i, s := range e.Sections {
		name, ok := strings.CutPrefix(s.Name, ".debug_")
		if !ok || data[name] != nil {
			continue
		}
		d, err := s.Data()
		if err != nil {
			return nil, err
		}
		data[name], at[i] = append([]byte(nil), d...), name
	}
	if data["info"] == nil {
		return nil, errors.New("no debugging information")
	}
	for _, s := range e.Sections {
		name, ok := at[int(s.Info)]
		if !ok || s.Type != elf.SHT_RELA {
			continue
		}
		if rela, err := s.Data(); err == nil {
			l.relocate(e.Machine, &section{data: data[name]}, rela, values)
		}
	}
	d, err := dwarf.New(data["abbrev"], nil, nil, data["info"], data["line"], nil, data["ranges"], data["str"])
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"addr", "line_str", "loclists", "rnglists", "str_offsets"} {
		if data[name] != nil {
			if err := d.AddSection(".debug_"+name, data[name]); err != nil {
				return nil, err
			}
		}
	}
	return d, nil
}
