package object

import (
	"debug/dwarf"
	"debug/elf"
	"encoding/binary"
)

// Relocatable objects are laid out as by a linker, from this address on. Each
// undefined symbol gets a stub after the last section.
const (
	relocBase  = 0x10000
	externSize = 16
	maxExterns = 1 << 20
)

// relocatable lays out the sections of an .o file and applies its relocations,
// so that calls, jumps and addresses have their targets.
func (l *loader) relocatable(e *elf.File) error {
	f := l.f
	addrs := make([]uint64, len(e.Sections)) // 0: not loaded
	index := make([]int, len(e.Sections))
	at := l.base
	for i, s := range e.Sections {
		if s.Flags&elf.SHF_ALLOC == 0 || s.Size == 0 {
			continue
		}
		var data []byte
		if s.Type != elf.SHT_NOBITS {
			d, err := s.Data()
			if err != nil {
				f.warn("section %s: %v", s.Name, err)
				continue
			}
			data = append([]byte(nil), d...)
		}
		if s.Addralign > 1 && s.Addralign <= 1<<16 {
			at = (at + s.Addralign - 1) &^ (s.Addralign - 1)
		}
		addrs[i], index[i] = at, len(f.sections)
		f.sections = append(f.sections, section{s.Name, at, data, s.Flags&elf.SHF_EXECINSTR != 0, max(1, s.Addralign)})
		at += max(uint64(len(data)), min(s.Size, 1<<30)) + 16
	}
	syms, _ := e.Symbols()
	values := make([]uint64, len(syms)+1)
	at = (at + 0xffff) &^ 0xffff
	externs := 0
	for i, s := range syms {
		switch {
		case int(s.Section) < len(addrs) && s.Section != elf.SHN_UNDEF:
			values[i+1] = addrs[s.Section] + s.Value
		case s.Name != "" && externs < maxExterns:
			values[i+1] = at
			f.imports[at] = s.Name
			at += externSize
			externs++
		}
	}
	f.entry = 0
	f.dwarfOf = func() (*dwarf.Data, error) { return l.relocatedDWARF(e, values) }
	l.elfSymbols(e, syms, func(s elf.Symbol) uint64 { return addrs[s.Section] + s.Value })
	for _, s := range e.Sections {
		if s.Type == elf.SHT_RELA && int(s.Info) < len(addrs) && addrs[s.Info] != 0 {
			if data, err := s.Data(); err == nil {
				l.relocate(e.Machine, &f.sections[index[s.Info]], data, values)
			}
		}
	}
	for i, s := range e.Sections {
		if s.Name == ".eh_frame" && addrs[i] != 0 {
			f.bounds, _ = ehFrame(f.sections[index[i]].data, addrs[i])
		}
	}
	return nil
}

// relocate applies the entries of one relocation section.
func (l *loader) relocate(m elf.Machine, s *section, rela []byte, values []uint64) {
	if m == elf.EM_RISCV {
		pcrelLow(s, rela, values)
	}
	for ; len(rela) >= 24; rela = rela[24:] {
		off := binary.LittleEndian.Uint64(rela)
		info := binary.LittleEndian.Uint64(rela[8:])
		sym := info >> 32
		if sym >= uint64(len(values)) || off >= uint64(len(s.data)) {
			continue
		}
		value := values[sym] + binary.LittleEndian.Uint64(rela[16:])
		field, pc := s.data[off:], s.addr+off
		switch m {
		case elf.EM_X86_64:
			relocateX86(elf.R_X86_64(uint32(info)), field, pc, value)
		case elf.EM_AARCH64:
			relocateA64(elf.R_AARCH64(uint32(info)), field, pc, value)
		case elf.EM_RISCV:
			t := elf.R_RISCV(uint32(info))
			if t == elf.R_RISCV_CALL || t == elf.R_RISCV_CALL_PLT {
				l.f.calls[pc+4] = value
			}
			relocateRISCV(t, field, pc, value)
		}
	}
}

func put32(b []byte, v uint64) {
	if len(b) >= 4 {
		binary.LittleEndian.PutUint32(b, uint32(v))
	}
}

func put64(b []byte, v uint64) {
	if len(b) >= 8 {
		binary.LittleEndian.PutUint64(b, v)
	}
}

// relocateX86 follows the x86-64 psABI, 4.4. Entries of the global offset table are
// replaced by their future contents.
func relocateX86(t elf.R_X86_64, b []byte, pc, v uint64) {
	switch t {
	case elf.R_X86_64_PC32, elf.R_X86_64_PLT32, elf.R_X86_64_GOTPCREL, elf.R_X86_64_GOTPCRELX, elf.R_X86_64_REX_GOTPCRELX:
		put32(b, v-pc)
	case elf.R_X86_64_32, elf.R_X86_64_32S:
		put32(b, v)
	case elf.R_X86_64_64:
		put64(b, v)
	case elf.R_X86_64_PC64:
		put64(b, v-pc)
	}
}

// field replaces the bits of mask in an instruction word.
func field(b []byte, mask, v uint32) {
	if len(b) >= 4 {
		w := binary.LittleEndian.Uint32(b)
		binary.LittleEndian.PutUint32(b, w&^mask|v&mask)
	}
}

// relocateA64 follows the ELF for the Arm 64-bit Architecture, 5.7.
func relocateA64(t elf.R_AARCH64, b []byte, pc, v uint64) {
	d := v - pc
	switch t {
	case elf.R_AARCH64_CALL26, elf.R_AARCH64_JUMP26:
		field(b, 1<<26-1, uint32(d>>2))
	case elf.R_AARCH64_CONDBR19, elf.R_AARCH64_LD_PREL_LO19:
		field(b, (1<<19-1)<<5, uint32(d>>2)<<5)
	case elf.R_AARCH64_TSTBR14:
		field(b, (1<<14-1)<<5, uint32(d>>2)<<5)
	case elf.R_AARCH64_ADR_PREL_LO21:
		field(b, 3<<29|(1<<19-1)<<5, uint32(d&3)<<29|uint32(d>>2)<<5)
	case elf.R_AARCH64_ADR_PREL_PG_HI21, elf.R_AARCH64_ADR_GOT_PAGE:
		p := v>>12 - pc>>12
		field(b, 3<<29|(1<<19-1)<<5, uint32(p&3)<<29|uint32(p>>2)<<5)
	case elf.R_AARCH64_ADD_ABS_LO12_NC, elf.R_AARCH64_LDST8_ABS_LO12_NC:
		field(b, 0xfff<<10, uint32(v&0xfff)<<10)
	case elf.R_AARCH64_LDST16_ABS_LO12_NC:
		field(b, 0xfff<<10, uint32(v&0xfff)>>1<<10)
	case elf.R_AARCH64_LDST32_ABS_LO12_NC:
		field(b, 0xfff<<10, uint32(v&0xfff)>>2<<10)
	case elf.R_AARCH64_LDST64_ABS_LO12_NC, elf.R_AARCH64_LD64_GOT_LO12_NC:
		field(b, 0xfff<<10, uint32(v&0xfff)>>3<<10)
	case elf.R_AARCH64_LDST128_ABS_LO12_NC:
		field(b, 0xfff<<10, uint32(v&0xfff)>>4<<10)
	case elf.R_AARCH64_ABS64:
		put64(b, v)
	case elf.R_AARCH64_ABS32:
		put32(b, v)
	case elf.R_AARCH64_PREL32:
		put32(b, d)
	case elf.R_AARCH64_PREL64:
		put64(b, d)
	}
}

// relocateRISCV follows the RISC-V ELF psABI, 8.4. Even branches within a function have
// relocations there, because the linker may shorten code.
func relocateRISCV(t elf.R_RISCV, b []byte, pc, v uint64) {
	d := uint32(v - pc)
	bit := func(from, to, n uint) uint32 { return d >> from & (1<<n - 1) << to }
	switch t {
	case elf.R_RISCV_BRANCH:
		field(b, 0xfe000f80, bit(12, 31, 1)|bit(5, 25, 6)|bit(1, 8, 4)|bit(11, 7, 1))
	case elf.R_RISCV_JAL:
		field(b, 0xfffff000, bit(20, 31, 1)|bit(1, 21, 10)|bit(11, 20, 1)|bit(12, 12, 8))
	case elf.R_RISCV_CALL, elf.R_RISCV_CALL_PLT:
		field(b, 0xfffff000, d+0x800)
		if len(b) >= 8 {
			field(b[4:], 0xfff00000, d<<20)
		}
	case elf.R_RISCV_PCREL_HI20, elf.R_RISCV_GOT_HI20:
		field(b, 0xfffff000, d+0x800)
	case elf.R_RISCV_HI20:
		field(b, 0xfffff000, uint32(v)+0x800)
	case elf.R_RISCV_LO12_I:
		field(b, 0xfff00000, uint32(v)<<20)
	case elf.R_RISCV_RVC_BRANCH:
		half(b, 0x1c7c, bit(8, 12, 1)|bit(3, 10, 2)|bit(6, 5, 2)|bit(1, 3, 2)|bit(5, 2, 1))
	case elf.R_RISCV_RVC_JUMP:
		half(b, 0x1ffc, bit(11, 12, 1)|bit(4, 11, 1)|bit(8, 9, 2)|bit(10, 8, 1)|bit(6, 7, 1)|bit(7, 6, 1)|bit(1, 3, 3)|bit(5, 2, 1))
	case elf.R_RISCV_64:
		put64(b, v)
	case elf.R_RISCV_32:
		put32(b, v)
	case elf.R_RISCV_32_PCREL:
		put32(b, uint64(d))
	default:
		relocateDifference(t, b, v)
	}
}

// relocateDifference applies relocations of differences of addresses, which the linker may change; debugging
// information has many of them.
func relocateDifference(t elf.R_RISCV, b []byte, v uint64) {
	combine := func(bytes int, f func(old uint64) uint64) {
		if len(b) < bytes {
			return
		}
		var word [8]byte
		copy(word[:], b[:bytes])
		binary.LittleEndian.PutUint64(word[:], f(binary.LittleEndian.Uint64(word[:])))
		copy(b, word[:bytes])
	}
	add := func(old uint64) uint64 { return old + v }
	sub := func(old uint64) uint64 { return old - v }
	set := func(uint64) uint64 { return v }
	switch t {
	case elf.R_RISCV_ADD8:
		combine(1, add)
	case elf.R_RISCV_ADD16:
		combine(2, add)
	case elf.R_RISCV_ADD32:
		combine(4, add)
	case elf.R_RISCV_ADD64:
		combine(8, add)
	case elf.R_RISCV_SUB8:
		combine(1, sub)
	case elf.R_RISCV_SUB16:
		combine(2, sub)
	case elf.R_RISCV_SUB32:
		combine(4, sub)
	case elf.R_RISCV_SUB64:
		combine(8, sub)
	case elf.R_RISCV_SET8:
		combine(1, set)
	case elf.R_RISCV_SET16:
		combine(2, set)
	case elf.R_RISCV_SET32:
		combine(4, set)
	case elf.R_RISCV_SUB6:
		combine(1, func(old uint64) uint64 { return old&^63 | (old-v)&63 })
	case elf.R_RISCV_SET6:
		combine(1, func(old uint64) uint64 { return old&^63 | v&63 })
	}
}

// pcrelLow applies the relocations of the second instruction of a pair auipc, addi (or a
// load or store): they name the first instruction and add the low part of its distance.
func pcrelLow(s *section, rela []byte, values []uint64) {
	high := map[uint64]uint32{} // address of the auipc → distance
	for pass := 0; pass < 2; pass++ {
		for r := rela; len(r) >= 24; r = r[24:] {
			off, info := binary.LittleEndian.Uint64(r), binary.LittleEndian.Uint64(r[8:])
			if info>>32 >= uint64(len(values)) || off >= uint64(len(s.data)) {
				continue
			}
			v := values[info>>32]
			switch t := elf.R_RISCV(uint32(info)); {
			case pass == 0 && (t == elf.R_RISCV_PCREL_HI20 || t == elf.R_RISCV_GOT_HI20):
				high[s.addr+off] = uint32(v + binary.LittleEndian.Uint64(r[16:]) - (s.addr + off))
			case pass == 1 && t == elf.R_RISCV_PCREL_LO12_I:
				field(s.data[off:], 0xfff00000, high[v]<<20)
			case pass == 1 && t == elf.R_RISCV_PCREL_LO12_S:
				d := high[v]
				field(s.data[off:], 0xfe000f80, d>>5&0x7f<<25|d&0x1f<<7)
			}
		}
	}
}

// half replaces bits of a 16-bit instruction.
func half(b []byte, mask, v uint32) {
	if len(b) >= 2 {
		w := binary.LittleEndian.Uint16(b)
		binary.LittleEndian.PutUint16(b, w&^uint16(mask)|uint16(v)&uint16(mask))
	}
}
