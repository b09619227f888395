package object

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"incore/internal/isa"
)

// TestEnter checks which code before a loop is kept, and where control may come from elsewhere.
func TestEnter(t *testing.T) {
	as, err := exec.LookPath("x86_64-linux-gnu-as")
	if err != nil {
		t.Skip("x86_64-linux-gnu-as is not installed (Debian package binutils-x86-64-linux-gnu)")
	}
	const loop = "1: movsd (%rdi),%xmm0\nadd $8,%rdi\ncmp %rdi,%rdx\njne 1b\n"
	for _, c := range []struct{ name, text, want string }{
		{"straight", "lea 8(%rdi),%rsi\n" + loop + "ret\n", "lea"},
		{"guarded", "test %rdx,%rdx\nje 3f\nlea 8(%rdi),%rsi\n" + loop + "3: ret\n", "test je lea"},
		{"one arm", "mov %rdi,%rsi\ntest %rdx,%rdx\nje 2f\nmov %rcx,%rsi\n2: nop\n" + loop + "ret\n", "mov test je |1:nop"},
		{"two ways in", "mov %rdi,%rsi\ntest %rdx,%rdx\nje 1f\nmov %rcx,%rsi\n" + loop + "ret\n", "mov test je |1:"},
		{"a jump around nothing", "mov %rdi,%rsi\ntest %rdx,%rdx\nje 1f\nnop\n" + loop + "ret\n", "mov test je |1:"},
		{"padding before the loop", "mov %rdi,%rsi\njmp 1f\nnopw 8(%rax)\n" + loop + "ret\n", "mov jmp |0:"},
		{"from nowhere", "mov %rdi,%rsi\njmp 1f\nmov %rcx,%rsi\n" + loop + "ret\n", "mov jmp |"},
		{"a jump anywhere", "mov %rdi,%rsi\ntest %rdx,%rdx\njs 4f\nje 1f\nmov %rcx,%rsi\n" + loop + "ret\n4: jmp *%rax\n", "mov test js je |"},
		{"too much between", "mov %rdi,%rsi\ntest %rdx,%rdx\nje 1f\n" + strings.Repeat("mov %rcx,%rsi\n", maxBetween+1) + loop + "ret\n", "mov test je |"},
		{"inner loop", "mov %rdi,%rsi\n4: mov %rbx,%rdi\n" + loop + "dec %ecx\njne 4b\nret\n", "mov |7:mov"},
		{"entered at the test", "mov %rdi,%rsi\njmp 2f\n1: movsd (%rdi),%xmm0\nadd $8,%rdi\n2: cmp %rdi,%rdx\njne 1b\nret\n", "mov jmp"},
		{"at the function's start", loop + "ret\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "x.o")
			cmd := exec.Command(as, "-o", out, "-")
			cmd.Stdin = strings.NewReader(".globl f\n.type f,@function\nf:\n" + c.text + ".size f,.-f\n")
			if text, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, text)
			}
			if _, err := os.Stat(out); err != nil {
				t.Fatal(err)
			}
			f := open(t, out)
			for _, l := range f.Loops(f.Function("f")) {
				if !l.Innermost {
					continue
				}
				k, err := l.Kernel(KernelOptions{})
				if err != nil {
					t.Fatal(err)
				}
				got := ""
				for i := range k.Entry {
					got += joined(&k.Entry[i])
					got += strings.TrimRight(strings.Fields(k.Entry[i].Text)[0], "qlbw") + " "
				}
				got += joined(&k.Lines[0])
				if got = strings.TrimSpace(got); got != c.want {
					t.Errorf("got %q, want %q", got, c.want)
				}
			}
		})
	}
}

// TestConfigured checks that the vector configuration of a loop is that of all ways to it.
func TestConfigured(t *testing.T) {
	as, err := exec.LookPath("riscv64-linux-gnu-as")
	if err != nil {
		t.Skip("riscv64-linux-gnu-as is not installed (Debian package binutils-riscv64-linux-gnu)")
	}
	const loop = "1: .word 0x028484d7\naddi a0,a0,-1\nbnez a0,1b\n" // vadd.vv v9,v8,v9
	const e32m1, e64m2 = ".word 0x0d0077d7\n", ".word 0x0d9077d7\n" // vsetvli a5,zero,e32,m1,ta,ma, and e64,m2
	for _, c := range []struct {
		name, text string
		want       isa.VType
	}{
		{"just before", e64m2 + loop, isa.VType{SEW: 64, LMUL: 1}},
		{"set anew on both ways from where another is", e64m2 + "beqz a1,2f\n" + e32m1 + "j 1f\n2: " + e32m1 + loop, isa.VType{SEW: 32}},
		{"another on one way", e64m2 + "beqz a1,1f\n" + e32m1 + loop, isa.VType{}},
		{"by a caller", loop, isa.VType{}},
		{"padding before the loop", e64m2 + "j 1f\nnop\n.p2align 4\n" + loop, isa.VType{SEW: 64, LMUL: 1}},
	} {
		out := filepath.Join(t.TempDir(), "x.o")
		cmd := exec.Command(as, "-o", out, "-")
		cmd.Stdin = strings.NewReader(".globl f\n.type f,@function\nf:\n" + c.text + "ret\n.size f,.-f\n")
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		f := open(t, out)
		loops := f.Loops(f.Function("f"))
		if len(loops) != 1 {
			t.Fatalf("%s: %d loops", c.name, len(loops))
		}
		k, err := loops[0].Kernel(KernelOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got := k.Lines[0].Inst.VType; got != c.want {
			t.Errorf("%s: %+v, want %+v: %s", c.name, got, c.want, k.Lines[0].Text)
		}
		body, _ := loops[0].Body(nil) // as 'incore loops' has it
		for i := range body.Lines {
			if got, want := body.Lines[i].Inst.VType, k.Lines[i].Inst.VType; got != want {
				t.Errorf("%s: instruction %d of the body: %+v, want %+v", c.name, i, got, want)
			}
		}
	}
}

// joined writes "|" where control joins, with the number of instructions that may have been executed since, where it is known.
func joined(l *isa.Line) string {
	switch {
	case !l.Join:
		return ""
	case l.Between == nil:
		return "|"
	}
	return fmt.Sprintf("|%d:", len(l.Between))
}
