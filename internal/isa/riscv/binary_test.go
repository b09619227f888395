package riscv

import (
	"bufio"
	"bytes"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"incore/internal/isa"
)

// binaries are decoded and compared when the cross toolchain's libraries are there, or
// those that INCORE_RISCV_BINARIES (a list of patterns) names.
func binaries(t *testing.T) []string {
	patterns := os.Getenv("INCORE_RISCV_BINARIES")
	if patterns == "" {
		patterns = "/usr/riscv64-linux-gnu/lib/libm.so.6"
	}
	var out []string
	for _, p := range filepath.SplitList(patterns) {
		files, _ := filepath.Glob(p)
		out = append(out, files...)
	}
	if len(out) == 0 {
		t.Skip("no RISC-V libraries: install libc6-riscv64-cross or set INCORE_RISCV_BINARIES")
	}
	return out
}

// TestBinaries compares lengths with llvm-objdump and forms with llvm-mc --disassemble.
func TestBinaries(t *testing.T) {
	objdump := tool(t, "llvm-objdump-19", "llvm-objdump")
	a := ISA()
	unique := map[string]int{}
	for _, file := range binaries(t) {
		starts := objdumpStarts(t, objdump, file)
		f, err := elf.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		n, unknown, lengths := 0, 0, 0
		var in isa.Inst
		for _, s := range f.Sections {
			if s.Flags&elf.SHF_EXECINSTR == 0 || s.Type != elf.SHT_PROGBITS {
				continue
			}
			code, err := s.Data()
			if err != nil {
				t.Fatal(err)
			}
			for at := 0; at < len(code); n++ {
				addr := s.Addr + uint64(at)
				size, err := a.Decode(code[at:], addr, &in)
				if err != nil {
					unknown++
				}
				if !starts[addr] {
					if lengths++; lengths < 5 {
						t.Errorf("%s: %#x is no instruction's start to llvm-objdump", file, addr)
					}
				}
				unique[string(code[at:at+size])]++
				at += size
			}
		}
		f.Close()
		t.Logf("%s: %d instructions (llvm-objdump %d), %d without a form, %d starts differ", filepath.Base(file), n, len(starts), unknown, lengths)
		if n != len(starts) {
			t.Errorf("%s: %d instructions, llvm-objdump has %d", file, n, len(starts))
		}
	}
	var words [][]byte
	for w := range unique {
		words = append(words, []byte(w))
	}
	compareDecode(t, words)
}

// objdumpStarts returns the addresses of the instructions that llvm-objdump finds.
func objdumpStarts(t *testing.T, objdump, file string) map[uint64]bool {
	t.Helper()
	out, err := exec.Command(objdump, "-d", "-z", "--no-show-raw-insn", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	starts := map[uint64]bool{}
	sc := bufio.NewScanner(bytes.NewReader(out))
	for sc.Scan() {
		addr, rest, ok := strings.Cut(strings.TrimSpace(sc.Text()), ":")
		if n, err := strconv.ParseUint(addr, 16, 64); ok && err == nil && strings.HasPrefix(rest, " ") {
			starts[n] = true
		}
	}
	return starts
}
