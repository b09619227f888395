// Package catalog is the list of instruction sets: a new one is a folder and a line here. Its test holds all packages to
// the rule that imports point down.
package catalog

import (
	"strings"

	"incore/internal/isa"
	"incore/internal/isa/aarch64"
	"incore/internal/isa/riscv"
	"incore/internal/isa/x86"
)

// isas are the instruction sets; a new one is a folder and a line here. The names are the ISAs' own: opening one
// for its name alone would take a millisecond of every start.
var isas = []struct {
	name string
	open func() *isa.ISA
}{
	{"x86-64", x86.ISA},
	{"aarch64", aarch64.ISA},
	{"riscv64", riscv.ISA},
}

// ISAs returns the instruction sets.
func ISAs() []*isa.ISA {
	out := make([]*isa.ISA, len(isas))
	for i, l := range isas {
		out[i] = l.open()
	}
	return out
}

// ISA finds an instruction set by its name, an alias, or a target triple that begins
// with one of them ("aarch64-linux-gnu"), in any case; nil if there is none.
func ISA(name string) *isa.ISA {
	if name == "" {
		return nil // before any instruction set is read
	}
	name = strings.ToLower(name)
	arch, _, _ := strings.Cut(name, "-")
	for _, l := range isas {
		if l.name == name {
			return l.open()
		}
	}
	for _, l := range isas {
		a := l.open()
		for _, n := range append([]string{a.Name}, a.Aliases...) {
			if name == n || strings.HasPrefix(name, n+"-") || arch == n {
				return a
			}
		}
	}
	return nil
}

// ISANames lists the names of the instruction sets.
func ISANames() []string {
	var names []string
	for _, l := range isas {
		names = append(names, l.name)
	}
	return names
}

// architectures are the names of architecture versions in compilers' -march options, by
// their beginnings.
var architectures = []struct{ prefix, isa string }{
	{"x86-64", "x86-64"}, {"armv8", "aarch64"}, {"armv9", "aarch64"}, {"rv64", "riscv64"}, {"rva2", "riscv64"}, {"rvb2", "riscv64"},
}

// Architecture finds the instruction set of an architecture version ("armv8.2-a", "rv64gcv",
// "x86-64-v3"); nil if it is none.
func Architecture(name string) *isa.ISA {
	name = strings.ToLower(name)
	for _, a := range architectures {
		if strings.HasPrefix(name, a.prefix) {
			return ISA(a.isa)
		}
	}
	return ISA(name)
}
