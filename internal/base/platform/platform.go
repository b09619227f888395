// Package platform has the names that other programs give to an instruction set: compilers, emulators, formats of files, and Go.
package platform

import (
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"slices"
)

// Platform is an instruction set with its names.
type Platform struct {
	ISA          string // as in package isa
	Arch         string // GOARCH
	Triple       string // of GNU's and LLVM's tools for Linux
	Emulator     string // QEMU's command
	CPU          string // that emulator's processor with vectors of any length, where there are some
	ELF          elf.Machine
	MachO        macho.Cpu // 0: none
	PE           uint16    // 0: none
	Default, Why string    // the model where none is named and the code is not for this machine, and the reason
}

// platforms are all of them.
var platforms = []Platform{
	{"x86-64", "amd64", "x86_64-linux-gnu", "qemu-x86_64", "", elf.EM_X86_64, macho.CpuAmd64, pe.IMAGE_FILE_MACHINE_AMD64,
		"skylake-server", "the most widely measured server core with AVX-512"},
	{"aarch64", "arm64", "aarch64-linux-gnu", "qemu-aarch64", "max", elf.EM_AARCH64, macho.CpuArm64, pe.IMAGE_FILE_MACHINE_ARM64,
		"neoverse-v2", "a current server core whose figures follow Arm's guide and measurements"},
	{"riscv64", "riscv64", "riscv64-linux-gnu", "qemu-riscv64", "rv64,v=true,vlen=256", elf.EM_RISCV, 0, 0,
		"sifive-7", "the commonest application core with a complete model"},
}

// where returns the platform of which a condition holds, nil if there is none.
func where(is func(Platform) bool) *Platform {
	if i := slices.IndexFunc(platforms, is); i >= 0 {
		return &platforms[i]
	}
	return nil
}

// Of returns the platform of an instruction set, nil if there is none.
func Of(isa string) *Platform { return where(func(p Platform) bool { return p.ISA == isa }) }

// OfELF returns the instruction set of an ELF file's machine, "" if it is not known.
func OfELF(m elf.Machine) string { return isaOf(func(p Platform) bool { return p.ELF == m }) }

// OfMachO returns the instruction set of a Mach-O file's processor, "" if it is not known.
func OfMachO(c macho.Cpu) string {
	return isaOf(func(p Platform) bool { return c != 0 && p.MachO == c })
}

// OfPE returns the instruction set of a PE file's machine, "" if it is not known.
func OfPE(m uint16) string { return isaOf(func(p Platform) bool { return m != 0 && p.PE == m }) }

func isaOf(is func(Platform) bool) string {
	if p := where(is); p != nil {
		return p.ISA
	}
	return ""
}

// Sysroot is where Debian's cross compilers have the libraries for it.
func (p *Platform) Sysroot() string { return "/usr/" + p.Triple }
