package object

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
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
		{"one arm", "mov %rdi,%rsi\ntest %rdx,%rdx\nje 2f\nmov %rcx,%rsi\n2: nop\n" + loop + "ret\n", "mov test je |nop"},
		{"two ways in", "mov %rdi,%rsi\ntest %rdx,%rdx\nje 1f\nmov %rcx,%rsi\n" + loop + "ret\n", "mov test je |"},
		{"inner loop", "mov %rdi,%rsi\n4: mov %rbx,%rdi\n" + loop + "dec %ecx\njne 4b\nret\n", "mov |mov"},
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
					if k.Entry[i].Join {
						got += "|"
					}
					got += strings.TrimRight(strings.Fields(k.Entry[i].Text)[0], "qlbw") + " "
				}
				if k.Lines[0].Join {
					got += "|"
				}
				if got = strings.TrimSpace(got); got != c.want {
					t.Errorf("got %q, want %q", got, c.want)
				}
			}
		})
	}
}
