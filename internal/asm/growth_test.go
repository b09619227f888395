package asm

import (
	"strconv"
	"strings"
	"testing"

	"incore/internal/base/growth"
	"incore/internal/base/source"
)

// repeated is n copies of one text after another, then n of a second in reverse, where '@' is a copy's number: "L@: " and "jne L@" nest.
func repeated(a, b string, n int) string {
	var s strings.Builder
	for i := range n {
		s.WriteString(strings.ReplaceAll(a, "@", strconv.Itoa(i)))
		s.WriteByte('\n')
	}
	for i := n - 1; i >= 0 && b != ""; i-- {
		s.WriteString(strings.ReplaceAll(b, "@", strconv.Itoa(i)))
		s.WriteByte('\n')
	}
	return s.String()
}

// FuzzGrowth reads text that is made of repeated pieces: loops after each other, loops in each other, and what the fuzzer thinks of.
func FuzzGrowth(f *testing.F) {
	f.Add("L@: incl %eax\njne L@", "")
	f.Add("L@: incl %eax", "jne L@")
	f.Add("L@: incl %eax\njne M@", "M@: decl %ecx\njne L@")
	f.Add("f@:\n.loc 1 @ 0\nsubs x0, x0, 1\nb.ne f@", "bl f@")
	f.Add("f@:\nret\n.size f@, .-f@", ".globl f@")
	f.Add("1: addi a0, a0, -1\nbnez a0, 1b", "j 1b")
	f.Add(".macro m@\nnop\n.endm", "m@")
	f.Add("# LLVM-MCA-BEGIN a@\nnop", "# LLVM-MCA-END a@")
	f.Add(".set x@, @", "addq $x@, %rax")
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a)+len(b) > 400 || strings.Contains(a+b, ".rept") || strings.Contains(a+b, ".irp") {
			return // repetitions are legal and as long as they say
		}
		if strings.Count(a, "@")+strings.Count(b, "@") > 20 {
			return
		}
		growth.Check(t, 8<<10/(len(a)+len(b)+1)+1, func(n int) func() {
			file, err := source.New("t.s", []byte(repeated(a, b, n)))
			if err != nil {
				return func() {}
			}
			return func() {
				p, err := Parse(file, Options{ISAs: isas()})
				if err != nil {
					return
				}
				ks, _, err := p.Kernels(Select{})
				if err == nil && len(ks) > 0 {
					p.Build(&ks[0])
				}
			}
		})
	})
}
