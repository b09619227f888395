// Package object reads executables, shared objects and relocatable files: their
// functions, the control flow within the functions, and the loops, ready to analyse. It
// implements the file formats; an isa.ISA provides the semantics of instructions.
package object

import (
	"bytes"
	"debug/dwarf"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sort"
	"sync"

	"incore/internal/isa"
)

// maxFile is the largest file read, in bytes.
const maxFile = 4 << 30

// File is an opened object file. Its methods are safe for concurrent use.
type File struct {
	Path string
	// Compiler is the command that compiled the file on this machine, "" if it is not known.
	Compiler string
	Format   string // "ELF executable", "ELF shared object", "ELF relocatable", "Mach-O", "PE"
	ISA      *isa.ISA

	sections []section // by address
	symbols  []symbol  // symbols of code, by address
	imports  map[uint64]string
	calls    map[uint64]uint64 // in a relocatable RISC-V file: address of the jalr of a call by auipc and jalr → called address
	bounds   []bounds          // functions by unwind tables, without names
	data     []bounds          // variables, by address; none overlap
	members  []member          // of a static library, by address
	entry    uint64
	loaded   []piece // of a linked ELF file: what of the file is loaded where
	buildID  string  // in hexadecimal digits; "" without
	separate separate
	golang   bool // it is a program of Go
	dwarfOf  func() (*dwarf.Data, error)
	warnings []string

	once   sync.Once
	funcs  []*Function
	static staticLibrary
	lines  lineTable
}

// staticLibrary is where the libraries are in a statically linked program.
type staticLibrary struct {
	whole         bool     // the program needs no other file, so that it has its libraries in it
	personalities []uint64 // functions that unwind the stack, which are a library's
	once          sync.Once
	reached       map[*Function]bool // by the entries of the libraries
	from          uint64             // address of the first function
}

// section is a piece of the program's memory.
type section struct {
	name string
	addr uint64
	data []byte
	exec bool
	// align is the alignment that a linker gives to the section of a relocatable file; 0: its address is final.
	align uint64
}

func (s *section) end() uint64 { return s.addr + uint64(len(s.data)) }

// symbol is a name for code; size 0 if not known.
type symbol struct {
	name       string
	addr, size uint64
	weak       bool // another symbol at the same address is preferred
}

type bounds struct{ lo, hi uint64 }

// Open reads an object file of one of the given instruction sets.
func Open(path string, isas ...*isa.ISA) (*File, error) {
	fi, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !fi.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file", path)
	}
	if fi.Size() > maxFile {
		return nil, fmt.Errorf("%s: larger than %d bytes", path, int64(maxFile))
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f, err := Read(data, isas...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	f.Path = path
	f.FollowDebug(path)
	return f, nil
}

// damaged wraps an error in reading a file's headers with its meaning for the user.
func damaged(format string, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("truncated %s file: its headers point behind its end", format)
	}
	return fmt.Errorf("damaged %s file: %w", format, err)
}

// ErrFormat is the error for data in an unknown format.
var ErrFormat = errors.New("not an ELF, Mach-O or PE file")

// Read reads an object file, or a static library as one file, from data. The File keeps data.
func Read(data []byte, isas ...*isa.ISA) (*File, error) {
	return ReadWithin(maxExpanded, data, isas...)
}

// ReadWithin is Read with a limit: compressed sections may expand to at most expanded bytes in all.
func ReadWithin(expanded uint64, data []byte, isas ...*isa.ISA) (*File, error) {
	return read(data, loader{isas: isas, most: expanded})
}

// read reads an object file. load.base is the address at which a relocatable file is laid out; if it is 0, the data may also be a library.
func read(data []byte, load loader) (f *File, err error) {
	defer func() { // the standard library's readers are hardened, but the data may be hostile
		if r := recover(); r != nil {
			f, err = nil, fmt.Errorf("damaged object file: %v", r)
		}
	}()
	library := load.base == 0
	if library {
		load.base = relocBase
	}
	f = &File{imports: map[uint64]string{}, calls: map[uint64]uint64{}}
	load.f, load.data, load.r = f, data, bytes.NewReader(data)
	switch {
	case bytes.HasPrefix(data, []byte("\x7fELF")):
		err = load.elf()
	case isMachO(data):
		err = load.macho()
	case isPE(data):
		err = load.pe()
	case library && bytes.HasPrefix(data, []byte(archiveMagic)):
		err = load.archive()
	default:
		return nil, ErrFormat
	}
	if err != nil {
		return nil, err
	}
	f.orderSections()
	f.golang = slices.ContainsFunc(f.sections, isOfGo)
	return f, nil
}

// orderSections sorts the sections. If sections overlap, as in damaged files, a section ends at the start of the next, so that each address has one byte.
func (f *File) orderSections() {
	f.sections = slices.DeleteFunc(f.sections, func(s section) bool { return s.end() < s.addr })
	sort.SliceStable(f.sections, func(i, j int) bool { return f.sections[i].addr < f.sections[j].addr })
	for i := 1; i < len(f.sections); i++ {
		if s, next := &f.sections[i-1], &f.sections[i]; s.end() > next.addr {
			f.warn("sections %s and %s overlap", s.name, next.name)
			s.data = s.data[:next.addr-s.addr]
		}
	}
}

// IsObject reports whether a file's first bytes are those of a supported format.
func IsObject(head []byte) bool {
	return bytes.HasPrefix(head, []byte("\x7fELF")) || isMachO(head) || isPE(head) || bytes.HasPrefix(head, []byte(archiveMagic))
}

// Warnings returns messages about parts of the file that could not be read.
func (f *File) Warnings() []string { return f.warnings }

func (f *File) warn(format string, args ...any) {
	f.warnings = append(f.warnings, fmt.Sprintf(format, args...))
}

// loader fills a File from one of the formats.
type loader struct {
	f    *File
	isas []*isa.ISA
	data []byte
	r    io.ReaderAt
	most uint64 // largest size of all expanded sections in bytes
	base uint64 // address of a relocatable file; 0: the default address, and the file may be a library
}

// choose picks the instruction set of a machine by name.
func (l *loader) choose(name string) error {
	for _, a := range l.isas {
		if a.Name == name {
			l.f.ISA = a
			if a.Decode == nil {
				return fmt.Errorf("no decoder for %s", name)
			}
			return nil
		}
	}
	return fmt.Errorf("object file for %s, which is not supported", name)
}

// sectionAt returns the section that contains an address, nil if no section does.
func (f *File) sectionAt(addr uint64) *section {
	i := sort.Search(len(f.sections), func(i int) bool { return f.sections[i].end() > addr })
	if i < len(f.sections) && f.sections[i].addr <= addr {
		return &f.sections[i]
	}
	return nil
}

// Bytes returns the n bytes from an address on, fewer if the section ends before.
func (f *File) Bytes(addr uint64, n int) []byte { return f.bytesAt(addr, n) }

// bytesAt returns the bytes from an address to the end of its section, at most n; nil outside of all sections.
func (f *File) bytesAt(addr uint64, n int) []byte {
	s := f.sectionAt(addr)
	if s == nil {
		return nil
	}
	d := s.data[addr-s.addr:]
	return d[:min(n, len(d))]
}
