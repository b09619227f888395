package object

import (
	"debug/elf"
	"fmt"
)

// Bias is by how much addresses in memory exceed those of an ELF file, when lo is where the file's contents from an offset on are mapped.
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
