package memdep_test

import (
	"fmt"
	"strings"
	"testing"

	"incore/internal/analysis/memdep"
	"incore/internal/analysis/uops"
	"incore/internal/asm"
	"incore/internal/base/source"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

// bind reads a kernel and binds it to a machine. A text with a function or a loop has its first loop analysed.
func bind(t testing.TB, arch, text string) *machine.Bound {
	t.Helper()
	m, err := machine.Get(arch)
	if err != nil {
		t.Fatal(err)
	}
	f, err := source.New("test.s", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := asm.Parse(f, asm.Options{ISA: catalog.ISA(m.ISA), ISAs: catalog.ISAs()})
	if err != nil {
		t.Fatal(err)
	}
	ks, _, err := p.Kernels(asm.Select{})
	if err != nil {
		t.Fatal(err)
	}
	return uops.Bind(m, p.Build(&ks[0]))
}

// describe writes edges as "FROM>TO@DISTANCE", WAR and WAW marked, possible ones with "?".
func describe(r *memdep.Result) string {
	var s []string
	for i := range r.Edges {
		e := &r.Edges[i]
		x := fmt.Sprintf("%d>%d@%d", e.From, e.To, e.Dist)
		if !e.Must() {
			x = fmt.Sprintf("%d>%d?%s", e.From, e.To, e.Why)
		}
		s = append(s, [...]string{"", "war:", "waw:"}[e.Kind]+x)
	}
	return strings.Join(s, " ")
}

func alias(t testing.TB, b *machine.Bound, texts ...string) (out []memdep.Alias) {
	t.Helper()
	for _, x := range texts {
		a, err := memdep.ParseAlias(b.Kernel.ISA, x)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, a)
	}
	return out
}

// TestKernels checks the dependences of small kernels.
func TestKernels(t *testing.T) {
	for _, c := range []struct{ name, arch, text, want string }{
		{"known case of the paper", "skx", "vmulsd (%rax),%xmm3,%xmm0\nvmovsd %xmm0,(%r10)", ""},
		{"in place", "skx", "addsd (%rax),%xmm0\nmovsd %xmm0,8(%rax)\nadd $8,%rax", "1>0@1"},
		{"two iterations", "skx", "vmovsd -16(%rax),%xmm0\nvaddsd %xmm0,%xmm1,%xmm0\nvmovsd %xmm0,(%rax)\nadd $8,%rax", "2>0@2"},
		{"scaled index", "skx", "movsd -8(%rdi,%rcx,8),%xmm0\nmovsd %xmm0,(%rdi,%rcx,8)\ninc %rcx", "1>0@1"},
		{"shifted pointer against lea", "skx", "mov %rcx,%rax\nshl $3,%rax\nmovsd -8(%rdi,%rax),%xmm0\nlea (%rdi,%rcx,8),%rdx\nmovsd %xmm0,(%rdx)\nadd $1,%rcx", "4>2@1"},
		{"sum of registers in two orders", "skx", "lea (%rdi,%rsi),%rax\nmov %rsi,%rdx\nadd %rdi,%rdx\nmov %rbx,(%rax)\nmov (%rdx),%rcx\nadd $64,%rdi", "3>4@0"},
		{"stack slot", "skx", "mov -8(%rsp),%rax\nadd $1,%rax\nmov %rax,-8(%rsp)", "2>0@1"},
		{"pointer through memory", "skx", "mov %rdi,(%rsp)\nmov (%rsp),%rax\nmov %rcx,(%rdi)\nmov (%rax),%rdx\nadd $8,%rdi", "0>1@0 2>3@0"},
		{"push and pop", "skx", "push %rax\npop %rbx", "0>1@0"},
		{"partial overlap", "skx", "movq %rax,(%rdi)\nmovl 4(%rdi),%ecx\nadd $64,%rdi", "0>1@0"},
		{"two stores feed a load", "skx", "movl %eax,(%rdi)\nmovl %eax,4(%rdi)\nmovq (%rdi),%rcx\nadd $64,%rdi", "0>2@0 1>2@0"},
		{"overwritten", "skx", "movq %rax,(%rdi)\nmovq %rbx,(%rdi)\nmovq (%rdi),%rcx\nadd $64,%rdi", "1>2@0"},
		{"stream", "skx", "vmovupd (%rsi,%rax),%ymm0\nvmovupd %ymm0,(%rdi,%rax)\nadd $32,%rax", ""},
		{"vectors overlap", "skx", "vmovupd (%rdi),%ymm0\nvmovupd %ymm0,8(%rdi)\nadd $32,%rdi", "1>0@1"},
		{"histogram", "skx", "movslq (%rsi),%rax\nincl (%rdi,%rax,4)\nadd $4,%rsi", ""},
		{"one counter", "skx", "incl (%rdi)", "0>0@1"},
		{"other symbols", "skx", "movsd a(,%rax,8),%xmm0\nmovsd %xmm0,b(,%rax,8)\ninc %rax", ""},
		{"one symbol", "skx", "movsd a(,%rax,8),%xmm0\nmovsd %xmm0,a+8(,%rax,8)\ninc %rax", "1>0@1"},
		{"global counter", "skx", "mov n(%rip),%rax\ninc %rax\nmov %rax,n(%rip)", "2>0@1"},
		{"32-bit index wraps alike", "skx", "lea -1(%rcx),%eax\nmovsd (%rdi,%rax,8),%xmm0\nmov %ecx,%edx\nmovsd %xmm0,(%rdi,%rdx,8)\ninc %ecx", "3>1@1"},
		{"sign-extended index", "skx", "lea -1(%rcx),%eax\ncltq\nmovsd (%rdi,%rax,8),%xmm0\nmovslq %ecx,%rdx\nmovsd %xmm0,(%rdi,%rdx,8)\ninc %ecx", "4>2@1"},
		{"cmov breaks knowledge", "skx", "cmovg %rsi,%rdi\nmov (%rdi),%rax\nmov %rax,8(%rdi)\nadd $8,%rdi", ""},
		{"call keeps the frame", "skx", "mov %rbx,8(%rsp)\ncall f\nmov 8(%rsp),%rbx", "0>2@0"},
		{"row by row", "skx", "mov (%rdi),%rax\nadd %rsi,%rdi\nmov %rax,(%rdi)", "2>0@1"},
		{"fibonacci", "neoverse-v2", "ldp x1,x2,[x0,-16]\nadd x1,x1,x2\nstr x1,[x0],8", "2>0@1 2>0@2"},
		{"post-index against index", "neoverse-v2", "ldr d0,[x0],8\nfadd d0,d0,d1\nstr d0,[x0]", "2>0@1"},
		{"shifted register", "neoverse-v2", "sub x3,x2,1\nldr d0,[x0,x3,lsl 3]\nadd x4,x0,x2,lsl 3\nstr d0,[x4]\nadd x2,x2,1", "3>1@1"},
		{"sign-extended word", "neoverse-v2", "sub w3,w2,1\nldr d0,[x0,w3,sxtw 3]\nstr d0,[x0,w2,sxtw 3]\nadd w2,w2,1", "2>1@1"},
		{"bit fields", "neoverse-v2", "sbfiz x3,x2,3,32\nldr d0,[x0,x3]\nadd w2,w2,1\nstr d0,[x0,w2,sxtw 3]", "3>1@1"},
		{"globals", "neoverse-v2", "adrp x0,n\nldr x1,[x0,:lo12:n]\nadd x1,x1,1\nadrp x2,n\nadd x2,x2,:lo12:n\nstr x1,[x2]", "5>1@1"},
		{"pairs", "neoverse-v2", "ldp x1,x2,[x0]\nstp x1,x2,[x0,16]!", "1>0@1"},
		{"vector lists", "neoverse-v2", "ld1 {v0.4s},[x0],16\nst1 {v0.4s},[x0]", "1>0@1"},
		{"SVE", "neoverse-v2", "ld1d {z0.d},p0/z,[x0,x2,lsl 3]\nst1d {z0.d},p0,[x1,x2,lsl 3]\nincd x2", ""},
		{"SVE in place", "neoverse-v2", "ld1d {z0.d},p0/z,[x0,x2,lsl 3]\nincd x2\nst1d {z0.d},p0,[x0,x2,lsl 3]", "2>0@1"},
		{"gather", "neoverse-v2", "ld1d {z0.d},p0/z,[x0,z1.d,lsl 3]\nst1d {z0.d},p0,[x0,z1.d,lsl 3]", ""},
		{"RISC-V", "sifive-p670", "fld fa0,0(a0)\nfadd.d fa0,fa0,fa1\nfsd fa0,8(a0)\naddi a0,a0,8", "2>0@1"},
		{"scaled add", "sifive-p670", "sh3add a5,a4,a0\nfld fa0,-8(a5)\nslli a6,a4,3\nadd a6,a6,a0\nfsd fa0,0(a6)\naddi a4,a4,1", "4>1@1"},
		{"words", "sifive-p670", "slli a5,a4,32\nsrli a5,a5,29\nadd a5,a5,a0\nfld fa0,-8(a5)\nfsd fa0,0(a5)\naddiw a4,a4,1", "4>3@1"},
		{"RISC-V global", "sifive-p670", "lla a0,n\nld a1,0(a0)\naddi a1,a1,1\nlla a2,n\nsd a1,0(a2)", "6>2@1"},
		{"RVV, a column in place", "sifive-p670", "vsetvli t0,a2,e64,m1,ta,ma\nvlse64.v v0,(a0),a1\nmul t1,t0,a1\nadd a0,a0,t1\nvsse64.v v0,(a0),a1", "4>1@1"},
		{"RVV, the next column", "sifive-p670", "vsetvli t0,a2,e64,m1,ta,ma\nvlse64.v v0,(a0),a1\naddi t2,a0,8\nmul t1,t0,a1\nadd a0,a0,t1\nvsse64.v v0,(t2),a1", ""},
		{"RVV, every other one", "sifive-p670", "li a1,16\nvsetvli t0,a2,e64,m1,ta,ma\nvlse64.v v0,(a0),a1\naddi t2,a0,8\nvsse64.v v0,(t2),a1\nslli t1,t0,4\nadd a0,a0,t1", ""},
		{"RVV, one element", "sifive-p670", "vsetvli t0,a2,e64,m1,ta,ma\nvsse64.v v0,(a0),zero\nld a3,0(a0)\nadd a0,a0,8", "1>2@0"},
		{"RVV", "sifive-p670", "vsetvli t0,a2,e64,m1,ta,ma\nvle64.v v0,(a0)\nslli t1,t0,3\nadd a0,a0,t1\nvse64.v v0,(a0)\nsub a2,a2,t0", "4>1@1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := describe(memdep.Analyze(bind(t, c.arch, c.text), memdep.Options{})); got != c.want {
				t.Errorf("%s\n%s\ngot  %q\nwant %q", c.arch, c.text, got, c.want)
			}
		})
	}
}

// TestOptions checks aliases, the kinds of dependences and the labels.
func TestOptions(t *testing.T) {
	const paper = "vmulsd (%rax),%xmm3,%xmm0\nvmovsd %xmm0,(%r10)"
	for _, c := range []struct {
		name, text string
		aliases    []string
		o          memdep.Options
		want       string
	}{
		{"alias", paper, []string{"r10=rax"}, memdep.Options{}, "1>0@1"},
		{"alias elsewhere", paper, []string{"r10=rax+8"}, memdep.Options{}, ""},
		{"partial alias", paper, []string{"r10 = rax - 4"}, memdep.Options{}, "1>0@1"},
		{"constant", "mov (%rax),%rcx\nmov %rcx,(%rbx)", []string{"rax=4096", "rbx=0x1000"}, memdep.Options{}, "1>0@1"},
		{"possible", paper, nil, memdep.Options{May: true}, "1>0?unrelated base pointers"},
		{"told not to", paper, nil, memdep.Options{May: true, NoAlias: true}, ""},
		{"histogram", "movslq (%rsi),%rax\nincl (%rdi,%rax,4)\nadd $4,%rsi", nil, memdep.Options{May: true, NoAlias: true}, "1>0?address depends on data 1>1?address depends on data"},
		{"not followed", "cmovg %rsi,%rdi\nmov (%rdi),%rax\nmov %rax,(%rbx)", nil, memdep.Options{May: true, NoAlias: true}, "2>1?address not followed"},
		{"stream with itself", "movsd (%rdi),%xmm0\nmovsd %xmm0,-8(%rdi)\nadd $8,%rdi", nil, memdep.Options{May: true}, ""},
		{"war and waw", "movsd (%rdi),%xmm0\nmovsd %xmm0,-8(%rdi)\nadd $8,%rdi", nil, memdep.Options{WAR: true, WAW: true}, "war:0>1@1"},
		{"waw", "mov %rax,(%rdi)\nmov %rbx,(%rdi)", nil, memdep.Options{WAW: true}, "waw:1>0@1 waw:0>1@0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := bind(t, "skx", c.text)
			c.o.Alias = alias(t, b, c.aliases...)
			if got := describe(memdep.Analyze(b, c.o)); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestParseAlias(t *testing.T) {
	for _, text := range []string{"", "rdi", "rdi=", "=rsi", "xmm0=rsi", "rdi=eax", "rdi=rsi+x", "edi=rsi", "rdi=rsi+99999999999999999999"} {
		if a, err := memdep.ParseAlias(catalog.ISA("x86-64"), text); err == nil {
			t.Errorf("%q: %+v", text, a)
		}
	}
}

// TestEntry checks that the code before a loop tells what its registers hold, and that what may not
// have run does not.
func TestEntry(t *testing.T) {
	const loop = ".L2:\nmovsd (%rdi),%xmm0\naddsd %xmm1,%xmm0\nmovsd %xmm0,(%rsi)\nadd $8,%rdi\nadd $8,%rsi\ncmp %rdi,%rdx\njne .L2\nret\n"
	for _, c := range []struct{ name, before, want string }{
		{"nothing known", "f:\n", ""},
		{"copy", "f:\nlea 8(%rdi),%rsi\n", "2>0@1"},
		{"constant indices", "f:\nxor %eax,%eax\nmov %rdi,%rsi\nadd $16,%rsi\n", "2>0@2"},
		{"through the stack", "f:\nmov %rdi,-8(%rsp)\nmov -8(%rsp),%rsi\nadd $8,%rsi\n", "2>0@1"},
		{"entered from elsewhere too", "f:\nlea 8(%rdi),%rsi\ntest %rdx,%rdx\njne .L2\nmov %rdi,%rsi\n", ""},
		{"a branch around", "f:\nmov %rdi,%rsi\ntest %rdx,%rdx\nje .L1\nlea 8(%rdi),%rsi\n.L1:\nnop\n", ""},
		{"a branch around what does not matter", "f:\nlea 8(%rdi),%rsi\ntest %rdx,%rdx\nje .L1\nmov %rcx,%rax\n.L1:\nnop\n", "2>0@1"},
		{"a jump of unknown target", "f:\nlea 8(%rdi),%rsi\ntest %rdx,%rdx\njs .L3\njne .L1\nmov %rcx,%rax\n.L1:\nnop\njmp .L4\n.L3:\njmp *%rax\n.L4:\nnop\n", ""},
		{"a spill that is overwritten", "f:\nmov %rdi,-8(%rsp)\ntest %rdx,%rdx\nje .L1\nmov %rcx,-8(%rsp)\n.L1:\nmov -8(%rsp),%rsi\nadd $8,%rsi\n", ""},
		{"a spill beside one that is", "f:\nmov %rdi,-8(%rsp)\ntest %rdx,%rdx\nje .L1\nmov %rcx,-16(%rsp)\n.L1:\nmov -8(%rsp),%rsi\nadd $8,%rsi\n", "2>0@1"},
		{"a spill that is overwritten through a pointer", "f:\nmov %rdi,-8(%rsp)\ntest %rdx,%rdx\nje .L1\nlea -16(%rsp),%rax\nmov %rcx,8(%rax)\n.L1:\nmov -8(%rsp),%rsi\nadd $8,%rsi\n", ""},
		{"known behind the join", "f:\ntest %rdx,%rdx\nje .L1\nmov %rcx,%rsi\n.L1:\nlea 8(%rdi),%rsi\n", "2>0@1"},
		{"a loop before", "f:\nlea 8(%rdi),%rsi\n.L0:\nadd $8,%rsi\ncmp %rsi,%rcx\njne .L0\n", ""},
		{"what a call returns", "f:\ncall g\nmov %rax,%rdi\nlea 8(%rax),%rsi\n", "2>0@1"},
		{"an old value and one that is not known", "f:\nlea 8(%rdi),%rsi\nimul %rcx,%rdi\nmovq %xmm0,%rdi\n", ""},
		{"unknown, on the stack", "f:\nmovsd %xmm0,-8(%rsp)\nmov -8(%rsp),%rdi\nmov -8(%rsp),%rsi\nadd $8,%rsi\n", "2>0@1"},
		{"clobbered by a call", "f:\nmov %rdi,%rsi\nadd $8,%rsi\ncall g\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := bind(t, "skx", ".text\n.type f,@function\n"+c.before+loop)
			if got := describe(memdep.Analyze(b, memdep.Options{})); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// TestNest checks what is known of an inner loop: what the outer one does not write, and no more.
func TestNest(t *testing.T) {
	for _, c := range []struct{ name, arch, text, want string }{
		{"arguments", "skx", "f:\nlea 8(%rdi),%r8\n.L0:\nmov %rdi,%rax\nmov %r8,%rsi\nxor %ecx,%ecx\n" +
			".L2:\nmovsd (%rax,%rcx,8),%xmm0\nmovsd %xmm0,(%rsi,%rcx,8)\ninc %rcx\ncmp %rdx,%rcx\njne .L2\ndec %r9\njne .L0\nret\n", "1>0@1"},
		{"the next row", "skx", "f:\nlea 8(%rdi),%r8\n.L0:\nmov %rdi,%rax\nmov %r8,%rsi\nxor %ecx,%ecx\n" +
			".L2:\nmovsd (%rax,%rcx,8),%xmm0\nmovsd %xmm0,(%rsi,%rcx,8)\ninc %rcx\ncmp %rdx,%rcx\njne .L2\nadd %r10,%r8\ndec %r9\njne .L0\nret\n", ""},
		{"a jump from the inner loop", "skx", "f:\nlea 8(%rdi),%rsi\nxor %eax,%eax\n.L0:\nxor %ecx,%ecx\n" +
			".L2:\nmovsd (%rdi,%rcx,8),%xmm0\nmovsd %xmm0,(%rsi,%rax,8)\ninc %rcx\ninc %rax\ntest %r9,%r9\nje .L0\ncmp %rdx,%rcx\njne .L2\nret\n", ""},
		{"AArch64", "neoverse-v2", "f:\nadd x8,x0,8\n.L0:\nmov x1,x0\nmov x2,x8\n" +
			".L2:\nldr d0,[x1],8\nstr d0,[x2],8\ncmp x1,x5\nbne .L2\nsubs x4,x4,1\nbne .L0\nret\n", "1>0@1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := describe(memdep.Analyze(bind(t, c.arch, ".text\n.type f,@function\n"+c.text), memdep.Options{})); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// TestTrips checks that a loop of few iterations has no dependences over more, where the code before it says how many.
func TestTrips(t *testing.T) {
	const x86 = ".text\n.type f,@function\nf:\n%s\n.L2:\nmovsd (%%rdi),%%xmm0\nmovsd %%xmm0,104(%%rdi)\nadd $8,%%rdi\n%s\njne .L2\nret\n"
	x86fmt := strings.Replace(x86, "%s\njne", "%s", 1)
	const arm = ".text\n.type f,%%function\nf:\n%s\n.L2:\nldr d0,[x0]\nstr d0,[x0,104]\nadd x0,x0,8\n%s .L2\nret\n"
	const riscv = ".text\n.type f,@function\nf:\n%s\n.L2:\nfld fa0,0(a0)\nfsd fa0,104(a0)\naddi a0,a0,8\n%s,.L2\nret\n"
	for _, c := range []struct {
		name, arch, text, before, latch, want string
		trip                                  int
	}{
		{"12 iterations", "skx", x86, "mov $12,%ecx", "dec %ecx", "", 12},
		{"13", "skx", x86, "mov $13,%ecx", "dec %ecx", "", 13},
		{"14", "skx", x86, "mov $14,%ecx", "dec %ecx", "1>0@13", 14},
		{"up to a pointer", "skx", x86, "lea 96(%rdi),%rax", "cmp %rax,%rdi", "", 12},
		{"up to a pointer farther on", "skx", x86, "lea 112(%rdi),%rax", "cmp %rax,%rdi", "1>0@13", 14},
		{"unknown", "skx", x86, "nop", "cmp %rax,%rdi", "1>0@13", 0},
		{"from memory", "skx", x86, "mov (%rdx),%ecx", "dec %ecx", "1>0@13", 0},
		{"a byte from memory", "skx", x86, "movzbl (%rdx),%ecx", "dec %ecx", "1>0@13", 0},
		{"by order", "skx", x86, "lea 96(%rdi),%rax", "cmp %rax,%rdi\njb .L9\nnop\n.L9:\ncomisd %xmm1,%xmm0", "1>0@13", 0},
		{"fewer", "skx", x86fmt, "xor %ecx,%ecx", "inc %ecx\ncmp $12,%ecx\njl", "", 12},
		{"no more", "skx", x86fmt, "xor %ecx,%ecx", "inc %ecx\ncmp $11,%ecx\njbe", "", 12},
		{"fewer than an argument", "skx", x86fmt, "xor %ecx,%ecx", "inc %ecx\ncmp %edx,%ecx\njl", "1>0@13", 0},
		{"counted on the stack", "skx", x86fmt, "movl $0,-4(%rsp)", "addl $1,-4(%rsp)\ncmpl $11,-4(%rsp)\njle", "3>3@1 3>4@0", 12},
		{"AArch64", "neoverse-v2", arm, "add x1,x0,96", "cmp x0,x1\nbne", "", 12},
		{"counted down", "neoverse-v2", arm, "mov w1,12", "sub w1,w1,1\ncbnz w1,", "", 12},
		{"by order", "neoverse-v2", arm, "mov w1,12", "subs w1,w1,1\nbgt", "", 12},
		{"by order, of a pointer", "neoverse-v2", arm, "add x1,x0,96", "cmp x0,x1\nblo", "1>0@13", 0},
		{"after a compare of a compare", "neoverse-v2", arm, "mov w1,12\nmov w2,0", "add w2,w2,1\ncmp w2,1\nccmp w2,w1,0,ge\nblt", "", 12},
		{"RISC-V", "sifive-p670", riscv, "addi a1,a0,96", "bne a0,a1", "", 12},
		{"by order", "sifive-p670", riscv, "li a1,12\nli a2,0", "addi a2,a2,1\nblt a2,a1", "", 12},
		{"against zero", "sifive-p670", riscv, "li a1,12", "addi a1,a1,-1\nbnez a1", "", 12},
		{"unknown", "sifive-p670", riscv, "nop", "bne a0,a1", "1>0@13", 0},
	} {
		t.Run(c.arch+" "+c.name, func(t *testing.T) {
			b := bind(t, c.arch, fmt.Sprintf(c.text, c.before, c.latch))
			r := memdep.Analyze(b, memdep.Options{})
			if got := describe(r); got != c.want || r.Trip != c.trip {
				t.Errorf("got  %q, %d iterations\nwant %q, %d", got, r.Trip, c.want, c.trip)
			}
			if edges, _ := memdep.Find(b, memdep.Options{}); len(edges) != len(strings.Fields(c.want)) {
				t.Errorf("Find: %v, want %q", edges, c.want)
			}
		})
	}
}

// TestVariables checks that a loop of unknown length does not get from one variable into the next.
func TestVariables(t *testing.T) {
	const text = ".text\n.type f,@function\nf:\nmov $%#x,%%edi\nmov $0x2320,%%esi\n.L2:\nmovsd (%%rdi),%%xmm0\nmovsd %%xmm0,(%%rsi)\nadd $8,%%rdi\nadd $8,%%rsi\ncmp %%rdx,%%rdi\njne .L2\nret\n"
	for _, c := range []struct {
		name   string
		from   int
		bounds [2]uint64 // of the first variable; the second follows
		want   string
	}{
		{"two", 0x2300, [2]uint64{0x2300, 0x2320}, ""},
		{"one", 0x2300, [2]uint64{0x2300, 0x2640}, "1>0@4"},
		{"no symbols", 0x2300, [2]uint64{}, "1>0@4"},
		{"from before it", 0x22f8, [2]uint64{0x2300, 0x2320}, "1>0@5"},
		{"a word before, which is none of its own", 0x22f8, [2]uint64{0x22f0, 0x2300}, "1>0@5"},
	} {
		b := bind(t, "skx", fmt.Sprintf(text, c.from))
		b.Kernel.Data = func(a uint64) (lo, hi uint64) {
			if c.bounds[0] <= a && a < c.bounds[1] {
				return c.bounds[0], c.bounds[1]
			}
			return 0, 0
		}
		if got := describe(memdep.Analyze(b, memdep.Options{})); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestEvidence checks that what could show in an iteration or two of the window is not taken for a rule.
func TestEvidence(t *testing.T) {
	// One element is read again and again, which the store passes over once.
	const text = "mov %rax,(%rdi)\nmov 160(%rsi),%rcx\nadd $8,%rdi\n"
	for window := 4; window <= 120; window += 4 {
		b := bind(t, "skx", text)
		r := memdep.Analyze(b, memdep.Options{Window: window, Alias: alias(t, b, "rsi=rdi")})
		if len(r.Edges) > 0 {
			t.Errorf("window of %d: %s", window, describe(r))
		}
	}
}

// TestScalable checks accesses whose size and place depend on the vector length.
func TestScalable(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"st1d {z0.d},p0,[x0,#1,mul vl]\nld1d {z1.d},p0/z,[x0,#1,mul vl]\nadd x9,x9,1", "0>1@0"},
		{"st1d {z0.d},p0,[x0,#1,mul vl]\nld1d {z1.d},p0/z,[x0,#2,mul vl]\nadd x9,x9,1", ""},
		{"st1b {z0.d},p0,[x0,#-8,mul vl]\nld1d {z1.d},p0/z,[x0,#-1,mul vl]\nadd x9,x9,1", "0>1@0"}, // bytes of doublewords: an eighth
		{"st1b {z0.d},p0,[x0,#1,mul vl]\nld1d {z1.d},p0/z,[x0,#1,mul vl]\nadd x9,x9,1", ""},
		{"str p0,[x0,#3,mul vl]\nldr p1,[x0,#3,mul vl]\nldr p2,[x0,#2,mul vl]\nadd x9,x9,1", "0>1@0"},
		{"str z0,[x0,#-1,mul vl]\nldr z1,[x0,#-1,mul vl]\nadd x9,x9,1", "0>1@0"},
		{"st2d {z0.d,z1.d},p0,[x0]\nld1d {z1.d},p0/z,[x0,#1,mul vl]\nld1d {z1.d},p0/z,[x0,#2,mul vl]\nadd x9,x9,1", "0>1@0"},
		{"ld1d {z0.d},p0/z,[x0,x2,lsl 3]\nst1d {z0.d},p0,[x1,x2,lsl 3]\nadd x1,x0,8\nincd x2", "1>0@1"}, // overlap by all but one element
	} {
		b := bind(t, "neoverse-v2", c.text)
		if got := describe(memdep.Analyze(b, memdep.Options{})); got != c.want {
			t.Errorf("%s\ngot  %q\nwant %q", c.text, got, c.want)
		}
		edges, _ := memdep.Find(b, memdep.Options{})
		got := ""
		for _, e := range edges {
			got += fmt.Sprintf("%d>%d@%d", e.From, e.To, e.Dist)
		}
		if got != c.want {
			t.Errorf("Find: %s\ngot  %q\nwant %q", c.text, got, c.want)
		}
	}
}

// TestElements checks which bytes vector accesses of RISC-V are taken to touch: as many elements as an immediate asks for, those of a
// stride one by one, segments together.
func TestElements(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"vsetivli zero,2,e32,m1,ta,ma\nvse32.v v8,(a0)\nvle32.v v9,(a0)\naddi a0,a0,8", "1>2@0"},
		{"vsetivli zero,2,e32,m1,ta,ma\nvle32.v v9,(a0)\nvse32.v v8,(a0)\naddi a0,a0,8", ""},
		{"vsetivli zero,2,e32,m1,ta,ma\nvle32.v v9,(a0)\nvse32.v v8,(a0)\naddi a0,a0,4", "2>1@1"},
		{"vsetivli zero,3,e32,m1,ta,ma\nvse32.v v8,(a0)\nvsetvli zero,zero,e16,mf2,ta,ma\nvle16.v v9,(a0)\naddi a1,a0,6\nvle16.v v10,(a1)\naddi a2,a0,12\nvle16.v v11,(a2)", "1>3@0 1>5@0"},
		{"vsetivli zero,2,e32,m1,ta,ma\nvsse32.v v8,(a0),a2\nadd a3,a0,a2\nvle32.v v9,(a3)\naddi a3,a3,4\nvle32.v v10,(a3)\nli a2,8", "1>3@0"},
		{"vsetivli zero,2,e32,m1,ta,ma\nvsseg2e32.v v8,(a0)\naddi a3,a0,8\nvle32.v v9,(a3)\naddi a3,a3,8\nvle32.v v10,(a3)", "1>3@0"},
		{"li a2,64\nvsetivli zero,2,e32,m1,ta,ma\nvssseg2e32.v v8,(a0),a2\naddi a3,a0,68\nvle32.v v9,(a3)\naddi a3,a3,4\nvle32.v v10,(a3)", "2>4@0"},
	} {
		if got := describe(memdep.Analyze(bind(t, "sifive-p670", c.text), memdep.Options{})); got != c.want {
			t.Errorf("%s\ngot  %q\nwant %q", c.text, got, c.want)
		}
	}
}

// TestScalableMay checks what is said to be possible of loops that step by the length of a vector register, which the model of the core may not know: that an array
// updated in place meets itself is not, that elements a constant number before are read is.
func TestScalableMay(t *testing.T) {
	for _, c := range []struct{ name, arch, text, want string }{
		{"in place", "aarch64", "ld1d {z0.d},p0/z,[x0,x2,lsl 3]\nst1d {z0.d},p0,[x0,x2,lsl 3]\nincd x2\nwhilelo p0.d,x2,x1\nb.first .L0", ""},
		{"two vectors at a time", "aarch64", "ld1d {z0.d},p0/z,[x0]\nld1d {z1.d},p0/z,[x0,#1,mul vl]\nst1d {z0.d},p0,[x0]\nst1d {z1.d},p0,[x0,#1,mul vl]\naddvl x0,x0,#2", ""},
		{"a constant way back", "aarch64", "sub x3,x0,1024\nld1d {z0.d},p0/z,[x3]\nst1d {z0.d},p0,[x0]\nincb x0", "2>1@1 depends on the vector length"},
		{"a constant way back, of vectors of 32 bytes", "neoverse-v1", "sub x3,x0,1024\nld1d {z0.d},p0/z,[x3]\nst1d {z0.d},p0,[x0]\nincb x0", "2>1@32"},
		{"ahead", "aarch64", "add x3,x0,1024\nld1d {z0.d},p0/z,[x3]\nst1d {z0.d},p0,[x0]\nincb x0", ""},
		{"two pointers", "aarch64", "ld1d {z0.d},p0/z,[x0,x2,lsl 3]\nst1d {z0.d},p0,[x1,x2,lsl 3]\nincd x2", "1>0@1 unrelated base pointers"},
		{"a step by data", "aarch64", "ld1d {z0.d},p0/z,[x0]\nst1d {z0.d},p0,[x0]\nldr x2,[x3],8\nadd x0,x0,x2", "1>0@1 address depends on data 1>2@0 address depends on data"},
		{"RVV, in place by vlenb", "sifive-p670", "csrr a3,vlenb\nslli a3,a3,1\nvl2re64.v v10,(a2)\nvs2r.v v10,(a2)\nadd a2,a2,a3", ""},
		{"RVV, another control register", "sifive-p670", "csrr a3,instret\nvl2re64.v v10,(a2)\nvs2r.v v10,(a2)\nadd a2,a2,a3", "2>1@1 address not followed"},
	} {
		got := []string{}
		for _, e := range memdep.Analyze(bind(t, c.arch, c.text), memdep.Options{May: true}).Edges {
			got = append(got, strings.TrimSpace(fmt.Sprintf("%d>%d@%d %v", e.From, e.To, e.Dist, e.Why)))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s:\ngot  %q\nwant %q", c.name, s, c.want)
		}
	}
}

// TestConditions checks what is known of values that a condition chose.
func TestConditions(t *testing.T) {
	const ring = "mov %rax,(%rdi,%rsi,8)\nmov (%rdi,%rcx,8),%rax\nmov %rsi,%rcx\ninc %rsi\ncmp %rdx,%rsi\n"
	for _, c := range []struct{ name, arch, text, want string }{
		{"two unrelated values differ", "skx", ring + "cmove %r8,%rsi", "0>1@1"},
		{"order is not known", "skx", ring + "cmovge %r8,%rsi", ""},
		{"both the same", "skx", "mov %rax,(%rdi)\nlea 8(%rdi),%rcx\ncmovge %rcx,%rdi\nmov %rcx,%rdi\nmov -8(%rdi),%rax", "0>4@0"},
		{"either the same", "skx", "mov %rax,(%rdi)\nmov %rdi,%rcx\ncmovge %rcx,%rdi\nmov (%rdi),%rax", "0>3@0"},
		{"set", "skx", "xor %eax,%eax\ntest %rsi,%rsi\nsete %al\nmov %rcx,(%rdi,%rax,8)\nmov (%rdi),%rdx", "3>4@0"},
		{"data decides", "skx", "cmpq $0,(%rsi)\ncmovne %r8,%rdi\nmov (%rdi),%rax\nmov %rax,(%rdi)", ""},
		{"an unknown count", "skx", "cmp %rsi,%rdx\nshl %cl,%rax\ncmovne %r8,%rdi\nmov (%rdi),%rax\nmov %rax,8(%rdi)\nadd $8,%rdi", ""},
		{"select", "neoverse-v2", "str x1,[x0,x2,lsl 3]\nldr x1,[x0,x3,lsl 3]\nmov x3,x2\nadd x2,x2,1\ncmp x2,x5\ncsel x2,xzr,x2,eq", "0>1@1"},
		{"select by order", "neoverse-v2", "str x1,[x0,x2,lsl 3]\nldr x1,[x0,x3,lsl 3]\nmov x3,x2\nadd x2,x2,1\ncmp x2,x5\ncsel x2,xzr,x2,ge", ""},
		{"compare and branch on floats", "neoverse-v2", "cmp x2,x5\nfcmp d0,d1\ncsel x2,x9,x2,eq\nldr x1,[x0,x2,lsl 3]\nstr x1,[x0,x2,lsl 3]", ""},
		{"step by data", "sifive-p670", "ld a1,0(a0)\nslt a2,a1,a3\nadd a0,a0,a2\nsd a1,0(a0)", ""},
		{"least of unrelated values", "sifive-p670", "addi a2,a2,1\nmin a4,a2,a3\nsh3add a5,a4,a0\nld a1,-8(a5)\nsd a1,0(a5)", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			for seed := range uint64(16) {
				if got := describe(memdep.Analyze(bind(t, c.arch, c.text), memdep.Options{Seed: seed})); got != c.want {
					t.Fatalf("seed %d\n%s\ngot  %q\nwant %q", seed, c.text, got, c.want)
				}
			}
		})
	}
}

// TestDivision: quotients and remainders of x86 are known where the dividend's upper half is the extension of its lower one.
func TestDivision(t *testing.T) {
	const stores = "\nmov %rbx,(%rdi,%rax,8)\nmov %rbx,(%rsi,%rdx,8)\n"
	for _, c := range []struct{ name, text, want string }{
		{"unsigned", "mov $100,%eax\nxor %edx,%edx\nmov $7,%ecx\ndiv %rcx" + stores + "mov 112(%rdi),%r8\nmov 16(%rsi),%r9", "4>6@0 5>7@0"},
		{"32 bits", "mov $-100,%eax\nxor %edx,%edx\nmov $0x10000000,%ecx\ndiv %ecx" + stores + "mov 120(%rdi),%r8\nmov 2147482848(%rsi),%r9", "4>6@0 5>7@0"}, // 15 and 0xfffff9c
		{"signed", "mov $-100,%rax\ncqto\nmov $7,%ecx\nidiv %rcx" + stores + "mov -112(%rdi),%r8\nmov -16(%rsi),%r9", "4>6@0 5>7@0"},
		{"memory", "movq $7,8(%rbp)\nmov $100,%eax\nxor %edx,%edx\ndivq 8(%rbp)" + stores + "mov 112(%rdi),%r8\nmov 16(%rsi),%r9", "0>3@0 4>6@0 5>7@0"},
		{"upper half", "mov $100,%eax\nmov $7,%ecx\nmov $1,%edx\ndiv %rcx" + stores + "mov 112(%rdi),%r8\nmov 16(%rsi),%r9", ""},
		{"flags", "mov $100,%eax\nmov $7,%ecx\nxor %edx,%edx\ndiv %rcx\ncmovz %rsi,%rdi\nmov %rbx,(%rdi)\nmov (%rsi),%r8", ""},
		{"not known", "mov $100,%eax\nmov $7,%ecx\nmov %r10,%rdx\ndiv %rcx" + stores + "mov 112(%rdi),%r8\nmov 16(%rsi),%r9", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := describe(memdep.Analyze(bind(t, "skx", c.text), memdep.Options{})); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}
