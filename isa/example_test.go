package isa_test

import (
	"fmt"
	"testing"

	"incore/isa"
)

// An instruction is read from text, encoded, and decoded again.
func ExampleSet_Parse() {
	x86, err := isa.Get("x86-64")
	if err != nil {
		fmt.Println(err)
		return
	}
	list, err := x86.Parse("vfmadd231pd (%rsi,%rax,8), %ymm1, %ymm0", "att")
	if err != nil {
		fmt.Println(err)
		return
	}
	in := &list[0]
	fmt.Println(in.Form())
	fmt.Println(in.Text("intel"))
	fmt.Println(in.Reads(), in.Writes(), in.Memory())
	code, err := in.Encode(0)
	fmt.Printf("%x %v\n", code, err)
	again, size, err := x86.Decode(code, 0)
	fmt.Println(again.Text(""), size, err)
	_, err = x86.Parse("vfmad231pd %ymm2, %ymm1, %ymm0", "")
	fmt.Println(err)
	// Output:
	// VFMADD231PDYm
	// vfmadd231pd ymm0, ymm1, ymmword ptr [rsi + 8*rax]
	// [YMM0 YMM1 RSI RAX MXCSR] [YMM0] [{RSI RAX 8 0 256 1 true false}]
	// c4e2f5b804c6 <nil>
	// vfmadd231pd (%rsi,%rax,8), %ymm1, %ymm0 6 <nil>
	// unknown mnemonic 'vfmad231pd' in 'vfmad231pd %ymm2, %ymm1, %ymm0' (nearest: vfmadd231pd, vfmadd231ph, vfmadd231ps)
}

// What code reads and writes tells which of its registers come from outside.
func ExampleInst_Reads() {
	a64, err := isa.Get("aarch64-linux-gnu")
	if err != nil {
		fmt.Println(err)
		return
	}
	written := map[string]bool{}
	for _, statement := range []string{"ldr d1, [x0], #8", "fmul d1, d1, d2", "fadd d0, d0, d1"} {
		list, err := a64.Parse(statement, "")
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, r := range list[0].Reads() {
			if !written[r] {
				fmt.Println(statement, "needs", r)
			}
		}
		for _, r := range list[0].Writes() {
			written[r] = true
		}
	}
	// Output:
	// ldr d1, [x0], #8 needs X0
	// fmul d1, d1, d2 needs D2
	// fmul d1, d1, d2 needs FPCR
	// fadd d0, d0, d1 needs D0
	// fadd d0, d0, d1 needs FPCR
}

// TestRefused checks that what has no meaning is an error: a syntax that the instruction set lacks, machine code that depends on a symbol.
func TestRefused(t *testing.T) {
	for name, statement := range map[string]string{"x86-64": "jmp foo", "aarch64": "b foo", "riscv64": "j foo"} {
		s, err := isa.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Parse("nop", "nasm"); err == nil {
			t.Errorf("%s: the syntax nasm is taken", name)
		}
		list, err := s.Parse(statement, "")
		if err != nil {
			t.Fatal(err)
		}
		if code, err := list[0].Encode(0); err == nil {
			t.Errorf("%s: %s is %x", name, statement, code)
		}
	}
}
