package asm_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"incore/internal/asm"
	"incore/internal/base/source"
	"incore/internal/isa/catalog"
)

// TestListingsAgree: the listings of one object file by objdump and llvm-objdump, with and without addresses and machine code, have the same loops.
func TestListingsAgree(t *testing.T) {
	const code = "void f(double *a, const double *b, long n) { for (long i = 0; i < n; i++) a[i] += b[i]; }\n" +
		"long g(const int *a, long n) { long s = 0; for (long i = 0; i < n; i++) if (a[i] > 3) s += a[i]; return s; }\n" +
		"int h(const char *a, char *b) { int n = 0; while (*a) { *b++ = *a++ ^ 7; n++; } return n; }\n"
	object := t.TempDir() + "/x.o"
	for _, tool := range []string{"gcc", "objdump", "llvm-objdump-19"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("needs ", tool)
		}
	}
	for _, level := range []string{"-O1", "-O2", "-O3"} {
		gcc := exec.Command("gcc", level, "-c", "-x", "c", "-o", object, "-")
		gcc.Stdin = strings.NewReader(code)
		if out, err := gcc.CombinedOutput(); err != nil {
			t.Skipf("%v: %s", err, out)
		}
		want := ""
		for _, how := range []string{"objdump -d", "objdump -d --no-show-raw-insn", "objdump -d --no-addresses", "objdump -d --no-addresses --no-show-raw-insn", "objdump -d --prefix-addresses",
			"objdump -d --prefix-addresses --show-raw-insn", "objdump -d --visualize-jumps", "objdump -d -w -l", "llvm-objdump-19 -d", "llvm-objdump-19 -d --no-leading-addr",
			"llvm-objdump-19 -d --no-leading-addr --no-show-raw-insn", "llvm-objdump-19 -d --symbolize-operands --no-show-raw-insn"} {
			args := append(strings.Fields(how), object)
			out, err := exec.Command(args[0], args[1:]...).Output()
			if err != nil {
				continue // an older tool
			}
			got := loopsOf(t, how, out)
			if want == "" {
				want = got
			}
			if got != want {
				t.Errorf("%s, %s:\n%s\nwant\n%s", level, how, got, want)
			}
		}
	}
}

// loopsOf describes the loops of a text by the number of their instructions.
func loopsOf(t *testing.T, name string, text []byte) string {
	f, err := source.New(name, text)
	if err != nil {
		t.Fatal(err)
	}
	p, err := asm.Parse(f, asm.Options{ISAs: catalog.ISAs()})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	found, _, err := p.Kernels(asm.Select{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	sizes := map[string][]int{}
	for i := range found {
		function, _, _ := strings.Cut(found[i].Name, ":")
		sizes[function] = append(sizes[function], len(p.Build(&found[i]).Lines))
	}
	return fmt.Sprint(sizes)
}
