package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"incore/internal/isa/catalog"
)

// TestLoops: of the loops of a file those are printed that are one block without a call, with the closing branch.
func TestLoops(t *testing.T) {
	const code = `
plain:	addl (%rdi), %eax
	addq $4, %rdi
	cmpq %rsi, %rdi
	jne plain
	ret
calls:	movl $3, %edi
	call other
	subl $1, %ebx
	jne calls
	ret
round:	addl $1, %eax
	testl $3, %eax
	je skip
	addl $2, %ecx
skip:	subl $1, %edx
	jne round
	ret
`
	if _, err := exec.LookPath("as"); err != nil {
		t.Skip("no as")
	}
	name := filepath.Join(t.TempDir(), "a.o")
	if err := os.WriteFile(name+".s", []byte(code), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("as", "--64", "-o", name, name+".s").CombinedOutput(); err != nil {
		t.Skipf("as makes no x86-64 code: %v\n%s", err, out)
	}
	for placed, want := range map[bool]string{false: "03074883c7044839f7\n", true: "03074883c7044839f775f5@00\n"} {
		var out strings.Builder
		c := collector{out: &out, isa: catalog.ISA("x86-64"), loops: true, placed: placed, seen: map[string]bool{}}
		if !c.file(name) || out.String() != want {
			t.Errorf("placed %t: %q, want %q", placed, out.String(), want)
		}
	}
}
