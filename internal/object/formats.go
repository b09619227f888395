package object

import (
	"bytes"
	"debug/dwarf"
	"debug/elf"
	"debug/gosym"
	"debug/macho"
	"debug/pe"
	"encoding/binary"
	"fmt"

	"incore/internal/base/platform"
)

// goSymbols reads the functions of a stripped Go program from its line table.
func (l *loader) goSymbols(e *elf.File, s *elf.Section) {
	data, err := s.Data()
	text := e.Section(".text")
	if err != nil || text == nil {
		return
	}
	table, err := gosym.NewTable(nil, gosym.NewLineTable(data, text.Addr))
	if err != nil {
		l.f.warn("Go line table: %v", err)
		return
	}
	for _, fn := range table.Funcs {
		if fn.Sym != nil && fn.End > fn.Entry {
			l.f.symbols = append(l.f.symbols, symbol{fn.Sym.Name, fn.Entry, fn.End - fn.Entry, false})
		}
	}
}

func isMachO(data []byte) bool {
	if len(data) < 8 {
		return false
	}
	switch binary.LittleEndian.Uint32(data) {
	case macho.Magic64, 0xbebafeca: // the second: a universal file, big-endian
		return true
	}
	return false
}

// isPE recognises executables by their DOS stub, and COFF objects by their machine.
func isPE(data []byte) bool {
	return bytes.HasPrefix(data, []byte("MZ")) || len(data) >= 20 && platform.OfPE(binary.LittleEndian.Uint16(data)) != "" && data[2] != 0
}

func (l *loader) macho() error {
	open := l.universal
	if binary.LittleEndian.Uint32(l.data) == macho.Magic64 {
		open = func() (*macho.File, error) { return macho.NewFile(l.r) }
	}
	m, err := open()
	if err != nil {
		return damaged("Mach-O", err)
	}
	name := platform.OfMachO(m.Cpu)
	if name == "" {
		return fmt.Errorf("Mach-O file for %v", m.Cpu)
	}
	if err := l.choose(name); err != nil {
		return err
	}
	f := l.f
	f.Format = "Mach-O"
	f.dwarfOf = func() (*dwarf.Data, error) { return m.DWARF() }
	sizes := expansion{most: l.most}
	for _, s := range m.Sections {
		if err := sizes.addOld(s.Name, s.Size, s); err != nil {
			return err
		}
	}
	sizes.end(f)
	const pureInstructions, someInstructions, zeroFill = 0x80000000, 0x400, 1
	for _, s := range m.Sections {
		if s.Flags&0xff == zeroFill || s.Size == 0 {
			continue
		}
		data, err := s.Data()
		if err != nil {
			f.warn("section %s: %v", s.Name, err)
			continue
		}
		f.sections = append(f.sections, section{s.Name, s.Addr, data, s.Flags&(pureInstructions|someInstructions) != 0, 0})
		if m.Type == macho.TypeObj {
			f.sections[len(f.sections)-1].align = 1 << min(s.Align, 16)
		}
	}
	if m.Symtab == nil {
		return nil
	}
	const stab, typeMask, inSection = 0xe0, 0x0e, 0x0e
	for _, s := range m.Symtab.Syms {
		if s.Type&stab != 0 || s.Type&typeMask != inSection || int(s.Sect) > len(m.Sections) || s.Sect == 0 || s.Name == "" {
			continue
		}
		if m.Sections[s.Sect-1].Flags&(pureInstructions|someInstructions) == 0 {
			continue
		}
		if name := s.Name; len(name) < 4 || name[:4] != "ltmp" {
			f.symbols = append(f.symbols, symbol{trimUnderscore(name), s.Value, 0, false})
		}
	}
	return nil
}

// trimUnderscore removes the underscore with which C compilers prefix names on this system.
func trimUnderscore(s string) string {
	if len(s) > 1 && s[0] == '_' {
		return s[1:]
	}
	return s
}

// universal opens the part of a universal file with one of the instruction sets.
func (l *loader) universal() (*macho.File, error) {
	fat, err := macho.NewFatFile(l.r)
	if err != nil {
		return nil, err
	}
	for _, a := range fat.Arches {
		for _, i := range l.isas {
			if platform.OfMachO(a.Cpu) == i.Name {
				return a.File, nil
			}
		}
	}
	return nil, fmt.Errorf("universal file without a supported processor")
}

func (l *loader) pe() error {
	p, err := pe.NewFile(l.r)
	if err != nil {
		return damaged("PE", err)
	}
	name := platform.OfPE(p.Machine)
	if name == "" {
		return fmt.Errorf("PE file for machine %#x", p.Machine)
	}
	if err := l.choose(name); err != nil {
		return err
	}
	f := l.f
	f.Format = "PE"
	f.dwarfOf = func() (*dwarf.Data, error) { return p.DWARF() }
	sizes := expansion{most: l.most}
	for _, s := range p.Sections {
		if err := sizes.addOld(s.Name, uint64(s.Size), s); err != nil {
			return err
		}
	}
	sizes.end(f)
	var base uint64
	h, linked := p.OptionalHeader.(*pe.OptionalHeader64)
	if linked {
		base = h.ImageBase
		f.entry = base + uint64(h.AddressOfEntryPoint)
	}
	at := l.base
	addrs := make([]uint64, len(p.Sections))
	for i, s := range p.Sections {
		data, err := s.Data()
		if err != nil {
			f.warn("section %s: %v", s.Name, err)
			continue
		}
		if s.VirtualSize > 0 && uint64(s.VirtualSize) < uint64(len(data)) {
			data = data[:s.VirtualSize]
		}
		addrs[i] = base + uint64(s.VirtualAddress)
		align := uint64(0)
		if !linked { // sections of objects all start at 0: place them one after the other
			addrs[i], align = at, coffAlignment(s.Characteristics)
			at = (at + uint64(len(data)) + 0xfff) &^ 0xfff
		}
		f.sections = append(f.sections, section{s.Name, addrs[i], data, s.Characteristics&pe.IMAGE_SCN_MEM_EXECUTE != 0, align})
		if s.Name == ".pdata" && linked {
			l.pdata(data, base, p.Machine)
		}
	}
	const function = 0x20
	for _, s := range p.Symbols {
		if s.SectionNumber < 1 || int(s.SectionNumber) > len(p.Sections) || s.Type != function {
			continue
		}
		f.symbols = append(f.symbols, symbol{s.Name, addrs[s.SectionNumber-1] + uint64(s.Value), 0, false})
	}
	return nil
}

// coffAlignment returns the alignment of a section of a COFF object: four bits of its characteristics, one more than
// the power of two; 16 by default.
func coffAlignment(characteristics uint32) uint64 {
	if n := characteristics >> 20 & 15; n > 0 {
		return 1 << (n - 1)
	}
	return 16
}

// pdata reads the table of functions for exception handling.
func (l *loader) pdata(data []byte, base uint64, machine uint16) {
	if machine != pe.IMAGE_FILE_MACHINE_AMD64 {
		return // the table of AArch64 packs lengths into unwind data
	}
	for r := bytes.NewReader(data); ; {
		var e struct{ Begin, End, Unwind uint32 }
		if binary.Read(r, binary.LittleEndian, &e) != nil {
			return
		}
		if e.End > e.Begin {
			l.f.bounds = append(l.f.bounds, bounds{base + uint64(e.Begin), base + uint64(e.End)})
		}
	}
}
