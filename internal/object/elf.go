package object

import (
	"debug/dwarf"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"incore/internal/base/platform"
)

func (l *loader) elf() error {
	e, err := elf.NewFile(l.r)
	if err != nil {
		return damaged("ELF", err)
	}
	name := platform.OfELF(e.Machine)
	if name == "" || e.Class != elf.ELFCLASS64 || e.Data != elf.ELFDATA2LSB {
		return fmt.Errorf("ELF file for %v, %v, %v: only 64-bit little-endian x86-64, AArch64 and RISC-V are supported", e.Machine, e.Class, e.Data)
	}
	if err := l.choose(name); err != nil {
		return err
	}
	f := l.f
	f.entry = e.Entry
	f.dwarfOf = func() (d *dwarf.Data, err error) { return e.DWARF() }
	f.Format = map[elf.Type]string{elf.ET_EXEC: "ELF executable", elf.ET_DYN: "ELF shared object", elf.ET_REL: "ELF relocatable"}[e.Type]
	if f.Format == "" {
		return fmt.Errorf("ELF file of type %v holds no code", e.Type)
	}
	sizes := expansion{most: l.most}
	if err := sizes.addAll(e); err != nil {
		return err
	}
	defer sizes.end(f) // for both ways to read debugging information
	if e.Type == elf.ET_REL {
		if intermediate(e) {
			f.warn("GCC's intermediate code for link-time optimisation and no machine code: give the linked program, or compile with -ffat-lto-objects")
		}
		return l.relocatable(e)
	}
	f.placed(e)
	needed, err := e.ImportedLibraries()
	interpreted := slices.ContainsFunc(e.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP })
	f.static.whole = e.Entry != 0 && len(needed) == 0 && err == nil && !interpreted
	l.separated(e)
	for _, s := range e.Sections {
		if s.Flags&elf.SHF_ALLOC == 0 || s.Type == elf.SHT_NOBITS || s.Size == 0 {
			continue
		}
		data, err := l.contents(s)
		if err != nil {
			f.warn("section %s: %v", s.Name, err)
			continue
		}
		f.sections = append(f.sections, section{s.Name, s.Addr, data, s.Flags&elf.SHF_EXECINSTR != 0, 0})
	}
	if len(f.sections) == 0 { // stripped of its section table
		l.segments(e)
	}
	syms, _ := e.Symbols()
	dyn, _ := e.DynamicSymbols()
	l.elfSymbols(e, append(syms, dyn...), func(s elf.Symbol) uint64 { return s.Value })
	l.plt(e, dyn)
	if s := e.Section(".eh_frame"); s != nil {
		if data, err := l.contents(s); err == nil {
			f.bounds, f.static.personalities = ehFrame(data, s.Addr)
		}
	}
	if s := e.Section(".gopclntab"); s != nil && len(syms) == 0 {
		l.goSymbols(e, s)
	}
	return nil
}

// contents returns the contents of a section; for an uncompressed section they are in the file's memory.
func (l *loader) contents(s *elf.Section) ([]byte, error) {
	if s.Flags&elf.SHF_COMPRESSED != 0 || s.Offset > uint64(len(l.data)) || s.FileSize > uint64(len(l.data))-s.Offset {
		return s.Data()
	}
	return l.data[s.Offset : s.Offset+s.FileSize : s.Offset+s.FileSize], nil
}

// intermediate reports whether an object file holds the compiler's intermediate code instead of machine code.
func intermediate(e *elf.File) bool {
	lto := false
	for _, s := range e.Sections {
		if s.Flags&elf.SHF_EXECINSTR != 0 && s.Size > 0 {
			return false
		}
		lto = lto || strings.HasPrefix(s.Name, ".gnu.lto_")
	}
	return lto
}

// segments reads the loaded segments of a file without sections.
func (l *loader) segments(e *elf.File) {
	for _, p := range e.Progs {
		if p.Type != elf.PT_LOAD || p.Filesz == 0 || p.Off > uint64(len(l.data)) || p.Filesz > uint64(len(l.data))-p.Off {
			continue
		}
		l.f.sections = append(l.f.sections, section{"", p.Vaddr, l.data[p.Off : p.Off+p.Filesz], p.Flags&elf.PF_X != 0, 0})
	}
}

// elfSymbols reads the symbols of code and the bounds of variables.
func (l *loader) elfSymbols(e *elf.File, syms []elf.Symbol, value func(elf.Symbol) uint64) {
	for _, s := range syms {
		typ := elf.ST_TYPE(s.Info)
		if s.Section == elf.SHN_UNDEF || s.Section >= elf.SHN_LORESERVE || int(s.Section) >= len(e.Sections) || s.Name == "" {
			continue
		}
		if typ == elf.STT_OBJECT && s.Size > 0 && value(s)+s.Size > value(s) && e.Sections[s.Section].Flags&elf.SHF_ALLOC != 0 {
			l.f.data = append(l.f.data, bounds{value(s), value(s) + s.Size})
		}
		if typ != elf.STT_FUNC && typ != elf.STT_LOOS /* GNU_IFUNC */ && typ != elf.STT_NOTYPE {
			continue
		}
		if e.Sections[s.Section].Flags&elf.SHF_EXECINSTR == 0 || isMappingSymbol(s.Name) {
			continue
		}
		l.f.symbols = append(l.f.symbols, symbol{s.Name, value(s), s.Size, typ == elf.STT_NOTYPE || elf.ST_BIND(s.Info) == elf.STB_WEAK})
	}
	l.f.joinData()
}

// isMappingSymbol recognises the markers of code and data ($x, $d, …) and local labels.
func isMappingSymbol(name string) bool {
	return len(name) >= 2 && name[0] == '$' && (name[1] == 'x' || name[1] == 'd' || name[1] == 'a' || name[1] == 't') || len(name) > 2 && name[:2] == ".L"
}

// plt names the stubs that call functions of other objects.
func (l *loader) plt(e *elf.File, dyn []elf.Symbol) {
	byGOT := map[uint64]string{}
	var slots []string // of .plt, in order
	for _, s := range e.Sections {
		if s.Type != elf.SHT_RELA {
			continue
		}
		data, err := l.contents(s)
		if err != nil {
			continue
		}
		for ; len(data) >= 24; data = data[24:] {
			info := binary.LittleEndian.Uint64(data[8:])
			i := int(info >> 32)
			if i == 0 || i > len(dyn) {
				continue
			}
			byGOT[binary.LittleEndian.Uint64(data)] = dyn[i-1].Name
			if s.Name == ".rela.plt" {
				slots = append(slots, dyn[i-1].Name)
			}
		}
	}
	for _, s := range e.Sections {
		if len(s.Name) < 4 || s.Name[:4] != ".plt" {
			continue
		}
		data, err := l.contents(s)
		switch {
		case err != nil:
		case e.Machine == elf.EM_X86_64:
			l.x86PLT(data, s.Addr, byGOT)
		case s.Name == ".plt" && len(slots) > 0 && len(data) > 32:
			size := uint64(len(data)-32) / uint64(len(slots)) &^ 3
			for i, name := range slots {
				l.f.imports[s.Addr+32+uint64(i)*size] = name
			}
		}
	}
}

// x86PLT finds the jumps through the global offset table (ff 25 disp32) in stubs of 8 or 16 bytes.
func (l *loader) x86PLT(data []byte, addr uint64, byGOT map[uint64]string) {
	for i := 0; i+6 <= len(data); i++ {
		if data[i] != 0xff || data[i+1] != 0x25 {
			continue
		}
		got := addr + uint64(i) + 6 + uint64(int64(int32(binary.LittleEndian.Uint32(data[i+2:]))))
		if name := byGOT[got]; name != "" {
			start := uint64(i) &^ 15
			if i&15 >= 8 { // .plt.got without endbr has stubs of 8 bytes
				start = uint64(i) &^ 7
			}
			l.f.imports[addr+start] = name
		}
	}
}
