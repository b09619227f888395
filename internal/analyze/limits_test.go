package analyze

import (
	"math"
	"strings"
	"testing"

	"incore/internal/base/source"
	"incore/internal/report"
)

// TestManyUnknown checks that a kernel of unknown instructions is refused with a message, in bounded time.
func TestManyUnknown(t *testing.T) {
	for n, want := range map[int]string{
		60:   "u.s:2: 60 of the 62 instructions of kernel .L1 are not known in x86-64 att",
		3000: "u.s:2:2: 1001 of the first 1001 statements are no known x86-64 att instructions",
	} {
		var b strings.Builder
		b.WriteString(".L1:\n")
		for i := range n {
			b.WriteString("\tfrobnicate" + itoa(i) + "\t%eax, %ebx\n")
		}
		b.WriteString("\taddl\t%eax, %ebx\n\tjne\t.L1\n")
		f, err := source.New("u.s", []byte(b.String()))
		if err != nil {
			t.Fatal(err)
		}
		if _, err = Run(f, Options{Archs: []string{"skx"}, ISA: "x86-64"}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%d: got %v, want %s", n, err, want)
		}
	}
}

// analyzed runs a text and returns its first target.
func analyzed(t *testing.T, text, arch string) (*report.Document, report.Target) {
	t.Helper()
	f, err := source.New("t.s", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := Run(f, Options{Archs: []string{arch}})
	if err != nil {
		t.Fatal(err)
	}
	return doc, doc.Kernels[0].Targets[0]
}

// TestLongKernel checks that code too long for a loop body is refused.
func TestLongKernel(t *testing.T) {
	f, err := source.New("l.s", []byte(".rept 30001\n\taddl\t$1, %eax\n.endr\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err = Run(f, Options{}); err == nil || !strings.Contains(err.Error(), "30001 instructions") {
		t.Errorf("got %v", err)
	}
}

// TestNotes checks that a note reports each part of the input that the parser skipped, once.
func TestNotes(t *testing.T) {
	doc, x := analyzed(t, ".L1:\n\taddq\t$1, %rax\n\t.byte 0xff, 0xff, 0xff, 0xff\n\tdecq\t%rdi\n\tjne\t.L1\n\tret\n.code32\n\tpush %eax\n", "zen5")
	told := map[string]bool{}
	for _, s := range x.Assumptions {
		if told[s] {
			t.Errorf("told twice: %s", s)
		}
		told[s] = true
	}
	if len(doc.Diagnostics) != 2 || !strings.Contains(doc.Diagnostics[0].Message, "4 bytes of data") || !strings.Contains(doc.Diagnostics[1].Message, ".code32") {
		t.Errorf("diagnostics: %+v", doc.Diagnostics)
	}
}

// TestChains holds loop-carried chains whose cycles were measured on a Zen 5 (the model "zen5"; loops of
// these bodies, timed against a chain of multiplications), or follow from vendors' guides.
func TestChains(t *testing.T) {
	for _, x := range []struct {
		arch, body string
		want       float64
	}{
		{"zen5", "pushq %rax; addq $1, %rbx; popq %rax", 1},                                                 // memory renaming: 1.04
		{"zen5", "addq $3, (%rdi)", 1},                                                                      // 1.06
		{"zen5", "movq (%rdi), %rax; addq $3, %rax; movq %rax, (%rdi)", 1},                                  // 1.06
		{"zen4", "movq (%rdi), %rax; addq $3, %rax; movq %rax, (%rdi)", 1},                                  // memory renaming
		{"skx", "movq (%rdi), %rax; addq $3, %rax; movq %rax, (%rdi)", 5},                                   // store forwarding, 4, and 1
		{"zen5", "movb (%rsi), %al; addl %eax, %ebx; movb %bl, %ah; incq %rdx", 3},                          // bl → ah → merged al → eax: 3.03
		{"zen5", "movb (%rsi), %al; addq $1, %rax", 2},                                                      // merge: 2.02
		{"skx", "movb (%rsi), %al; addq $1, %rax", 2},                                                       // the load is not in the chain
		{"zen5", "cmpq (%rsi), %rbx; setb %al; movzbl %al, %eax; addq %rax, %rbx", 4},                       // 4.02
		{"skx", "cmpq (%rsi), %rbx; setb %al; movzbl %al, %eax; addq %rax, %rbx", 4},                        // no elimination within a register
		{"zen5", "movq %rax, %rbx; movq %rbx, %rcx; movq %rcx, %rax; addq $1, %rax", 1},                     // moves eliminated: 1.03
		{"zen5", "adcq %rcx, %rax; adcq %rcx, %rbx; adcq %rcx, %r8; adcq %rcx, %r9", 4},                     // through the carry flag: 4.02
		{"zen5", "imulq %rbx, %rax; addq $7, %rax; leaq 3(%rax,%rcx,2), %rax", 6},                           // 6.01
		{"zen5", "vfmadd231pd (%rdi), %ymm1, %ymm0", 4},                                                     // 3.98
		{"v2", "fmla z1.d, p0/m, z0.d, z2.d", 2},                                                            // Arm's guide: accumulators are forwarded
		{"v2", "ldr q0, [x0], #16; fmla v1.4s, v0.4s, v2.4s; str q1, [x1], #16", 2},                         // the same; bases are updated early
		{"tx2", "ldr d0, [x0]; fadd d0, d0, d1; str d0, [x0]", 14},                                          // fadd 6, store to load 8
		{"skx", "vxorps %xmm0, %xmm0, %xmm0; vcvtsi2sdq %rax, %xmm0, %xmm0; vaddsd %xmm0, %xmm1, %xmm1", 4}, // the conversion is not in the chain
	} {
		text := ".L1:\n\t" + strings.ReplaceAll(x.body, "; ", "\n\t") + "\n"
		_, got := analyzed(t, text, x.arch)
		if len(got.LoopCarried) == 0 || got.LoopCarried[0].Cycles != x.want {
			t.Errorf("%s: %s: %+v, want %g", x.arch, x.body, got.LoopCarried, x.want)
		}
	}
}

// TestPlaces checks the figures of loops whose address is not known, and what is said about other places: a loop begins
// at the median of the places that its alignment allows, 16 bytes where the text has no directives. The loop of 14
// slots takes 2.2 cycles on a Zen 5 where gcc and clang placed it, 4.0 at a line's begin.
func TestPlaces(t *testing.T) {
	const (
		loop = ".L1:\n\tmovq\t(%rsi,%rdx,8), %rax\n\taddq\t$1, %rdx\n\tcmpq\t%rdx, %rcx\n\tjne\t.L1\n"
		long = ".L1:\n\tmovupd\t(%rsi,%r8,8), %xmm2\n\tmovupd\t0x10(%rsi,%r8,8), %xmm3\n\tmovapd\t%xmm2, %xmm4\n\taddpd\t%xmm1, %xmm4\n" +
			"\tmovapd\t%xmm3, %xmm5\n\taddpd\t%xmm1, %xmm5\n\tmovupd\t%xmm4, (%rdi,%r8,8)\n\tmovupd\t%xmm5, 0x10(%rdi,%r8,8)\n" +
			"\tsubpd\t%xmm1, %xmm2\n\tsubpd\t%xmm1, %xmm3\n\tmovupd\t%xmm2, (%rdx,%r8,8)\n\tmovupd\t%xmm3, 0x10(%rdx,%r8,8)\n" +
			"\tadd\t$4, %r8\n\tcmp\t%r8, %rax\n\tjne\t.L1\n"
		unaligned = "\t.p2align 4\n\tnop\n" // directives, but none for the loop
	)
	for _, x := range []struct {
		arch, text string
		cycles     float64
		want       string
	}{
		{"zen4", loop, 1, ""},
		{"zen4", unaligned + loop, 1, "elsewhere it takes 1.0 to 2.0 cycles, because it may span 2 lines of 64 bytes and fetching each takes a cycle"},
		{"zen5", loop, 1, ""},
		{"zen5", long, 2, "16 bytes behind a multiple of 64, as good as the middle of the places that it may have; elsewhere it takes 2.0 to 4.0 cycles"},
		{"zen5", "\t.p2align 4,,10\n\t.p2align 3\n" + long, 2, "16 bytes behind a multiple of 64"},
		{"zen5", "\t.p2align 5\n" + long, 2, "32 bytes behind a multiple of 64"},
		{"zen5", "\t.balign 64\n" + long, 4, ""},
		{"zen5", unaligned + long, 2, "1 byte behind"},
		{"skx", unaligned + loop, 1, ""},
	} {
		said := ""
		_, got := analyzed(t, x.text, x.arch)
		if math.Abs(got.Prediction.Cycles-x.cycles) > 0.03 {
			t.Errorf("%s: %.2f cycles, want %g: %s", x.arch, got.Prediction.Cycles, x.cycles, x.text)
		}
		for _, s := range got.Assumptions {
			if strings.Contains(s, "the loop is assumed to start") {
				said = s
			}
		}
		if x.want == "" && said != "" || !strings.Contains(said, x.want) {
			t.Errorf("%s: %q, want %q", x.arch, said, x.want)
		}
	}
}

// TestListing checks that a disassembly is also read if the machine is named.
func TestListing(t *testing.T) {
	_, x := analyzed(t, "\na.out:     file format elf64-x86-64\n\n0000000000401000 <f>:\n  401000:\t48 83 c0 01          \tadd    $0x1,%rax\n"+
		"  401004:\t48 ff cf             \tdec    %rdi\n  401007:\t75 f7                \tjne    401000 <f>\n  401009:\tc3                   \tret\n", "skx")
	if len(x.Instructions) != 3 || x.Prediction.Cycles != 1 {
		t.Errorf("%d instructions, %+v", len(x.Instructions), x.Prediction)
	}
}

// TestViaNames checks that chains are named by registers as the source writes them, also for vectors with an arrangement and groups of registers.
func TestViaNames(t *testing.T) {
	for _, c := range []struct{ arch, text, want string }{
		{"neoverse-v2", ".L1:\n\tfmla\tv1.2d, v5.2d, v3.2d\n\tsubs\tx11, x11, 1\n\tb.ne\t.L1\n", "v1"},
		{"neoverse-v2", ".L1:\n\tfadd\td7, d7, d3\n\tsubs\tx11, x11, 1\n\tb.ne\t.L1\n", "d7"},
		{"neoverse-v2", ".L1:\n\tfmla\tz2.d, p0/m, z5.d, z3.d\n\tsubs\tx11, x11, 1\n\tb.ne\t.L1\n", "z2"},
		{"spacemit-x60", ".L1:\n\tvsetvli\ta4, zero, e64, m2, ta, ma\n\tvfmacc.vv\tv8, v12, v10\n\taddi\ta3, a3, -1\n\tbnez\ta3, .L1\n", "v8"},
		{"zen4", ".L1:\n\tvaddpd\t%ymm1, %ymm0, %ymm0\n\tdecq\t%rcx\n\tjne\t.L1\n", "ymm0"},
	} {
		f, err := source.New("t.s", []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		d, err := Run(f, Options{Archs: []string{c.arch}})
		if err != nil {
			t.Fatal(err)
		}
		if l := d.Kernels[0].Targets[0].LoopCarried; len(l) == 0 || l[0].Via != c.want {
			t.Errorf("%s: %+v, want %s\n%s", c.arch, l, c.want, c.text)
		}
	}
}
