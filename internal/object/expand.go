package object

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Limits of expanded sections: zlib can expand one byte to a thousand bytes, compilers' debugging information expands about tenfold.
const (
	maxGrowth   = 100     // largest ratio of a section larger than freeGrowth
	freeGrowth  = 1 << 20 // bytes
	maxExpanded = 1 << 30 // bytes of all sections of a file
)

// expansion adds up the expanded sizes of a file's compressed sections, before any section is expanded.
type expansion struct {
	most  uint64 // bytes; 0: maxExpanded
	total uint64
	debug string // reason why debugging information is not read, "" if it may be read
}

// add checks a section of stored bytes whose header states size expanded bytes. It returns an error only for sections other than debugging information.
func (x *expansion) add(name string, stored, size uint64) error {
	if size <= stored {
		return nil
	}
	x.total += size
	var why string
	switch {
	case size > freeGrowth && size/maxGrowth > stored:
		why = fmt.Sprintf("section %s would grow from %d bytes to %d; at most %d-fold is read", name, stored, size, maxGrowth)
	case x.total > x.limit():
		why = fmt.Sprintf("compressed sections up to %s would become %d bytes; at most %d are read", name, x.total, x.limit())
	default:
		return nil
	}
	if !isDebug(name) {
		return errors.New(why)
	}
	if x.debug == "" {
		x.debug = why
	}
	return nil
}

// addAll checks all sections of an ELF file.
func (x *expansion) addAll(e *elf.File) (err error) {
	for _, s := range e.Sections {
		if s.Flags&elf.SHF_COMPRESSED != 0 {
			err = x.add(s.Name, s.FileSize, s.Size)
		} else {
			err = x.addOld(s.Name, s.FileSize, s)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (x *expansion) limit() uint64 {
	if x.most != 0 {
		return x.most
	}
	return maxExpanded
}

// addOld checks a section in the older format, whose first bytes state its size.
func (x *expansion) addOld(name string, stored uint64, data io.ReaderAt) error {
	var head [12]byte
	if !strings.Contains(name, "zdebug_") || stored < uint64(len(head)) {
		return nil
	}
	if _, err := data.ReadAt(head[:], 0); err != nil || string(head[:4]) != "ZLIB" {
		return nil
	}
	return x.add(name, stored, binary.BigEndian.Uint64(head[4:]))
}

// isDebug reports whether a section is debugging information by its name in ELF, Mach-O or PE.
func isDebug(name string) bool {
	name = strings.TrimLeft(name, "._")
	return strings.HasPrefix(name, "debug_") || strings.HasPrefix(name, "zdebug_")
}

// end drops debugging information that would expand to too many bytes.
func (x *expansion) end(f *File) {
	if x.debug != "" {
		f.dwarfOf = nil
		f.warn("debugging information is left out: %s", x.debug)
	}
}
