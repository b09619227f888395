package object

import (
	"debug/elf"
	"encoding/binary"
	"encoding/hex"
)

// piece is a part of a file that is loaded at an address.
type piece struct{ offset, addr, size uint64 }

// placed notes what of a file is loaded where, and its build id.
func (f *File) placed(e *elf.File) {
	for _, p := range e.Progs {
		if p.Type == elf.PT_LOAD {
			f.loaded = append(f.loaded, piece{p.Off, p.Vaddr, p.Filesz})
		}
	}
	s := e.Section(".note.gnu.build-id")
	if s == nil {
		return
	}
	const head = 16 // sizes of name and description, type, "GNU" and a zero
	if b, err := s.Data(); err == nil && len(b) > head && binary.LittleEndian.Uint32(b[8:]) == 3 {
		f.buildID = hex.EncodeToString(b[head:])
	}
}

// BuildID returns the build id of an ELF file in hexadecimal digits, "" if it has none.
func (f *File) BuildID() string { return f.buildID }

// AddrOf returns the address at which an offset of an ELF file is loaded, as long as the file's own addresses hold.
func (f *File) AddrOf(offset uint64) (addr uint64, ok bool) {
	for _, p := range f.loaded {
		if offset >= p.offset && offset-p.offset < p.size {
			return p.addr + offset - p.offset, true
		}
	}
	return 0, false
}
