package asm_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"incore/internal/asm"
	"incore/internal/base/source"
	"incore/internal/isa/catalog"
)

// TestPasted reads texts that people paste: each file of testdata/pasted begins with the kernels that it holds and the instructions of the first, after "want:".
func TestPasted(t *testing.T) {
	files, _ := filepath.Glob("testdata/pasted/*")
	if len(files) < 12 {
		t.Fatalf("%d files", len(files))
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want, text, _ := strings.Cut(string(b), "\n")
		for _, text := range []string{text, strings.ReplaceAll(text, "\n", "\r\n")} {
			f, err := source.New(file, []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			p, err := asm.Parse(f, asm.Options{ISAs: catalog.ISAs()})
			if err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			found, _, err := p.Kernels(asm.Select{})
			if err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			got := "want:"
			for i := range found {
				got += " " + strings.ReplaceAll(found[i].Name, " ", "_")
			}
			k := p.Build(&found[0])
			var insts []string
			for i := range k.Lines {
				insts = append(insts, strings.Join(strings.Fields(k.Lines[i].Text), " "))
			}
			got += " | " + strings.Join(insts, "; ")
			for _, e := range p.Errors {
				got += " | " + e.Msg
			}
			if got != want {
				t.Errorf("%s:\n%s\n%s", file, got, want)
			}
		}
	}
}

// TestConstantsBounded: constants of constants do not grow without bound.
func TestConstantsBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("%define a0 nop\nsection .text\nf:\n.l:\n add rax, 1\n")
	for i := range 60 {
		b.WriteString(fmt.Sprintf("%%define a%d a%d a%d a%d a%d\n", i+1, i, i, i, i))
	}
	b.WriteString("%define big " + strings.Repeat("y ", 200) + "\n")
	for range 20 {
		b.WriteString(" db " + strings.Repeat("big,", 20000) + "1\n")
	}
	b.WriteString(" dec rcx\n jnz .l\n")
	f, err := source.New("x.asm", []byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := asm.Parse(f, asm.Options{ISAs: catalog.ISAs()}); err != nil {
		t.Log(err)
	}
}

// TestElsewhere: a text whose jumps lead to places that it lacks, as Compiler Explorer shows object code, is refused with that reason.
func TestElsewhere(t *testing.T) {
	jumpsElsewhere(t, "ce.s", "sum(double const*, long):\n test   rsi,rsi\n jle    40113e <sum(double const*, long)+0x1e>\n addsd  xmm0,QWORD PTR [rdi]\n add    rdi,0x8\n cmp    rdi,rax\n jne    401130 <sum(double const*, long)+0x10>\n ret\n")
}

// jumpsElsewhere checks that a text is refused because two of its jumps lead to places that it lacks.
func jumpsElsewhere(t *testing.T, name, text string) {
	t.Helper()
	f, err := source.New(name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := asm.Parse(f, asm.Options{ISAs: catalog.ISAs()})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := p.Kernels(asm.Select{}); err == nil || !strings.Contains(err.Error(), "2 conditional jumps lead to places that it does not have") {
		t.Error(err)
	}
}

// TestUnlinked: in the listing of an object file for RISC-V each jump leads to itself, which is no loop.
func TestUnlinked(t *testing.T) {
	jumpsElsewhere(t, "v.dis", "v.o:\tfile format elf64-littleriscv\n\nDisassembly of section .text:\n\n0000000000000000 <add8>:\n       0: c201         \tbeqz\ta2, 0x0 <add8>\n"+
		"      14: 0005c683     \tlbu\ta3, 0x0(a1)\n      22: 0505         \taddi\ta0, a0, 0x1\n      26: 00c51063     \tbne\ta0, a2, 0x26 <add8+0x26>\n      2a: a001         \tj\t0x2a <add8+0x2a>\n      2e: 8082         \tret\n")
}

// TestPlan9Refused: Go's own assembly is refused by name, whatever machine is named: its mnemonics and registers mean other things elsewhere.
func TestPlan9Refused(t *testing.T) {
	for _, text := range []string{"main_sum_pc0:\n        TEXT    main.sum(SB), NOSPLIT|NOFRAME|ABIInternal, $0-24\n        XORL    CX, CX\nmain_sum_pc10:\n        ADDQ    (AX)(DX*8), CX\n        INCQ    DX\n        CMPQ    BX, DX\n        JGT     main_sum_pc10\n        RET\n",
		"#include \"textflag.h\"\nTEXT ·sum(SB), NOSPLIT, $0-24\nloop:\n\tMOVD (R0), R1\n\tADD $8, R0\n\tSUBS $1, R2\n\tBNE loop\n\tRET\n"} {
		f, err := source.New("x.s", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range append(catalog.ISAs(), nil) {
			if _, err := asm.Parse(f, asm.Options{ISA: a, ISAs: catalog.ISAs()}); err == nil || !strings.Contains(err.Error(), "Go's own assembly") {
				t.Errorf("%v", err)
			}
		}
	}
}
