package object

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMovable: of a relocatable file the address of code is final but for the alignment of its section, of an
// executable it is final.
func TestMovable(t *testing.T) {
	as, err := exec.LookPath("as")
	if err != nil {
		t.Skip("needs as (package binutils)")
	}
	for align, want := range map[string]int{"": 1, ".p2align 4\n": 16, ".p2align 6\n": 64} {
		out := filepath.Join(t.TempDir(), "x.o")
		cmd := exec.Command(as, "-o", out, "-")
		cmd.Stdin = strings.NewReader(align + ".globl f\n.type f,@function\nf:\n1: addq $1,%rax\ndec %rdi\njne 1b\nret\n.size f,.-f\n")
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		movable(t, out, want)
		if ld, err := exec.LookPath("ld"); err == nil {
			if text, err := exec.Command(ld, "-e", "f", "-o", out+".out", out).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, text)
			}
			movable(t, out+".out", 0)
		}
	}
}

// movable checks the alignment of the loop of a file.
func movable(t *testing.T, name string, want int) {
	t.Helper()
	f := open(t, name)
	loops := f.Loops(f.Function("f"))
	if len(loops) != 1 {
		t.Fatalf("%d loops", len(loops))
	}
	k, err := loops[0].Kernel(KernelOptions{})
	if err != nil {
		t.Fatal(err)
	}
	body, _ := loops[0].Body(nil)
	if k.Movable != want || body.Movable != want {
		t.Errorf("%s: %d and %d, want %d", filepath.Base(name), k.Movable, body.Movable, want)
	}
}
