package asm_test

import (
	"fmt"
	"strings"
	"testing"

	"incore/internal/asm"
	"incore/internal/base/source"
	"incore/internal/isa/catalog"
)

// bigText is assembly text of n functions with a loop each.
func bigText(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "\t.globl\tf%d\n\t.type\tf%d, @function\nf%d:\n.L%d:\n\tvmovupd\t(%%rsi,%%rax), %%ymm1\n\tvfmadd213pd\t(%%rcx,%%rax), %%ymm0, %%ymm1\n\tvmovupd\t%%ymm1, (%%rdi,%%rax)\n\taddq\t$32, %%rax\n\tcmpq\t%%r8, %%rax\n\tjne\t.L%d\n\tret\n", i, i, i, i, i)
	}
	return b.String()
}

// bigListing is the same as objdump lists it.
func bigListing(n int) string {
	var b strings.Builder
	b.WriteString("\na.out:     file format elf64-x86-64\n\n\nDisassembly of section .text:\n")
	for i := range n {
		at := 0x401000 + 32*i
		fmt.Fprintf(&b, "\n%016x <f%d>:\n  %x:\tc5 fd 10 0c 06       \tvmovupd (%%rsi,%%rax,1),%%ymm1\n  %x:\tc5 fd 11 0c 07       \tvmovupd %%ymm1,(%%rdi,%%rax,1)\n  %x:\t48 83 c0 20          \tadd    $0x20,%%rax\n  %x:\t4c 39 c0             \tcmp    %%r8,%%rax\n  %x:\t75 f0                \tjne    %x <f%d>\n  %x:\tc3                   \tret\n",
			at, i, at, at+5, at+10, at+14, at+17, at, i, at+19)
	}
	return b.String()
}

// BenchmarkRead reads texts of 20,000 functions.
func BenchmarkRead(b *testing.B) {
	for _, x := range []struct{ name, text string }{{"text", bigText(20_000)}, {"listing", bigListing(20_000)}} {
		b.Run(x.name, func(b *testing.B) {
			f, err := source.New("big.s", []byte(x.text))
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(x.text)))
			for b.Loop() {
				if _, err := asm.Parse(f, asm.Options{ISAs: catalog.ISAs()}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
