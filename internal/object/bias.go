package object

import (
	"debug/elf"
	"fmt"
)

// Bias returns the difference between addresses in memory and in an ELF file whose contents from offset on are mapped at lo.
func Bias(path string, lo, offset uint64) (uint64, error) {
	e, err := elf.Open(path)
	if err != nil {
		return 0, err
	}
	defer e.Close()
	for _, p := range e.Progs {
		if p.Type == elf.PT_LOAD && offset+0xfff >= p.Off && offset < p.Off+p.Filesz {
			return lo - (p.Vaddr - p.Off + offset), nil
		}
	}
	return 0, fmt.Errorf("%s has nothing to load at offset %#x", path, offset)
}
