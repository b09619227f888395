package feature

import (
	"strings"

	"incore/internal/isa"
)

// RISCV64 returns the table of RISC-V.
func RISCV64(set *isa.ISA) *Table {
	t := &Table{arch: "riscv64", needs: predicates(set.Forms, riscvFeature)}
	t.Names = needed(set.Forms, t.needs)
	return t
}

// riscvFeature translates an LLVM feature to the extension's name in the kernel and in the architecture string.
func riscvFeature(llvm string) string {
	switch {
	case strings.HasPrefix(llvm, "StdExt"):
		return strings.ToLower(llvm[6:])
	case strings.HasPrefix(llvm, "Vendor"):
		return strings.ToLower(llvm[6:])
	case llvm == "not64Bit":
		return "rv32"
	}
	return ""
}

// riscvImplied lists the extensions that others include.
var riscvImplied = map[string][]string{"g": {"i", "m", "a", "f", "d"}, "v": {"zve64d"}, "zve64d": {"zve64f", "d"}, "zve64f": {"zve64x", "zve32f"}, "zve64x": {"zve32x"}, "zve32f": {"zve32x", "f"},
	"b": {"zba", "zbb", "zbs"}, "m": {"zmmul"}, "a": {"zaamo", "zalrsc"}, "c": {"zca", "zcd"}, "d": {"f"}, "zfh": {"zfhmin"}, "zvfh": {"zvfhmin"}, "zvbb": {"zvkb"}, "zvknhb": {"zvknha"},
	"zk": {"zkn", "zkr", "zkt"}, "zkn": {"zbkb", "zbkc", "zbkx", "zkne", "zknd", "zknh"}, "zks": {"zbkb", "zbkc", "zbkx", "zksed", "zksh"},
	"zvkn": {"zvkned", "zvknhb", "zvkb"}, "zvks": {"zvksed", "zvksh", "zvkb"}}

// riscv returns the extensions of an architecture string (rv64imafdcv_zba_zbb), including implied ones; nil if there is
// none.
func riscv(march string) Set {
	single, rest, _ := strings.Cut(strings.ToLower(march), "_")
	single, ok := strings.CutPrefix(single, "rv64")
	if !ok {
		return nil
	}
	has := Set{}
	var add func(x string)
	add = func(x string) {
		if x == "" || has[x] {
			return
		}
		has[x] = true
		for _, y := range riscvImplied[x] {
			add(y)
		}
	}
	for i := range single {
		add(single[i : i+1])
	}
	for _, x := range strings.Split(rest, "_") {
		add(x)
	}
	return has
}
