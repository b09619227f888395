package advice_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"incore/internal/analyze"
	"incore/internal/base/source"
	"incore/internal/report"
)

// advise analyses a loop.
func advise(t *testing.T, arch, text string) []report.Advice {
	t.Helper()
	f, err := source.New("loop.s", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	d, err := analyze.Run(f, analyze.Options{Archs: []string{arch}})
	if err != nil {
		t.Fatal(err)
	}
	return d.Kernels[0].Targets[0].Advice
}

// TestRemedies checks the gain of each remedy on loops whose cycles are computed by hand from latencies and ports.
func TestRemedies(t *testing.T) {
	for _, c := range []struct {
		name, arch, text string
		kind             string
		before, after    float64
		line             string // that the changed loop has
	}{
		{"dot product", "skx", ".L3:\n vmovsd (%rdi,%rax,8), %xmm1\n vfmadd231sd (%rsi,%rax,8), %xmm1, %xmm0\n addq $1, %rax\n cmpq %rax, %rdx\n jne .L3\n",
			"accumulators", 4, 1, "vfmadd231sd 24(%rsi,%rax,8), %xmm1, %xmm4"},
		{"unrolled sum", "skx", ".L3:\n vaddsd (%rdi), %xmm0, %xmm0\n vaddsd 8(%rdi), %xmm0, %xmm0\n vaddsd 16(%rdi), %xmm0, %xmm0\n vaddsd 24(%rdi), %xmm0, %xmm0\n addq $32, %rdi\n cmpq %rdi, %rdx\n jne .L3\n",
			"accumulators", 16, 2.3, "vaddsd 24(%rdi), %xmm3, %xmm3"},
		{"integer product", "skx", ".L3:\n imulq (%rdi), %rax\n addq $8, %rdi\n cmpq %rdi, %rdx\n jne .L3\n", "accumulators", 3, 1, "imulq 16(%rdi), %rsi"},
		{"integer difference", "skx", ".L3:\n subq (%rdi), %rax\n subq 8(%rdi), %rax\n subq 16(%rdi), %rax\n addq $24, %rdi\n cmpq %rdi, %rdx\n jne .L3\n", "accumulators", 3, 1.5, ""},
		{"sum on AArch64", "neoverse-n1", ".L3:\n ldr d1, [x0], 8\n fadd d0, d0, d1\n cmp x0, x1\n bne .L3\n", "accumulators", 2, 1, ""},
		{"sum on RISC-V", "sifive-7", ".L3:\n fld fa5,0(a0)\n addi a0,a0,8\n fadd.d fa0,fa0,fa5\n bne a0,a5,.L3\n", "accumulators", 7, 0, "fld fa5, 8(a0)"},
		{"reassociation", "skx", ".L5:\n vmovsd (%rdi), %xmm0\n vaddsd %xmm2, %xmm1, %xmm1\n vaddsd %xmm0, %xmm1, %xmm1\n vmulsd %xmm3, %xmm1, %xmm1\n vmovsd %xmm1, (%rsi)\n addq $8, %rdi\n addq $8, %rsi\n cmpq %rdi, %rdx\n jne .L5\n",
			"reassociate", 12, 8, ""},
		{"scalars", "skx", ".L3:\n vmovsd (%rdi,%rax), %xmm1\n vmulsd %xmm1, %xmm0, %xmm1\n vmovsd %xmm1, (%rsi,%rax)\n addq $8, %rax\n cmpq %rax, %rdx\n jne .L3\n",
			"wider-vectors", 1.25, 0, "vmovupd (%rdi,%rax), %zmm1"},
		{"memory", "skx", ".L3:\n vmovsd -8(%rdi), %xmm0\n vaddsd (%rsi), %xmm0, %xmm0\n vmovsd %xmm0, (%rdi)\n addq $8, %rdi\n addq $8, %rsi\n cmpq %rdi, %rdx\n jne .L3\n",
			"keep-in-register", 10, 4, ""},
		{"false dependency", "skx", ".L3:\n cvtsi2sdq (%rdi), %xmm0\n mulsd %xmm1, %xmm0\n movsd %xmm0, (%rsi)\n addq $8, %rdi\n addq $8, %rsi\n cmpq %rdi, %rdx\n jne .L3\n",
			"false-dependency", 8, 0, "vxorps %xmm0, %xmm0, %xmm0"},
		{"invariant divisor", "skx", ".L3:\n vmovsd (%rdi), %xmm0\n vdivsd %xmm1, %xmm0, %xmm0\n vmovsd %xmm0, (%rdi)\n addq $8, %rdi\n cmpq %rdi, %rdx\n jne .L3\n",
			"reciprocal", 4, 0, "vmulsd %xmm1, %xmm0, %xmm0"},
		{"lea of three parts", "skx", ".L3:\n leaq 1(%rdi,%rdi,2), %rdi\n subq $1, %rsi\n jne .L3\n", "other-instruction", 3, 2, ""},
		{"invariant work", "skx", ".L3:\n vmovsd (%rsi), %xmm1\n vsqrtsd %xmm1, %xmm1, %xmm1\n vmulsd (%rdi), %xmm1, %xmm0\n vmovsd %xmm0, (%rdi)\n addq $8, %rdi\n cmpq %rdi, %rdx\n jne .L3\n",
			"hoist", 0, 0, ""},
	} {
		found := advise(t, c.arch, c.text)
		i := slices.IndexFunc(found, func(a report.Advice) bool { return a.Kind == c.kind })
		if i < 0 {
			t.Errorf("%s: no %s among %d", c.name, c.kind, len(found))
			continue
		}
		a := &found[i]
		near := func(x, want float64) bool { return want == 0 || math.Abs(x-want) <= 0.3 }
		if !near(a.Before, c.before) || !near(a.After, c.after) || a.After >= 0.95*a.Before {
			t.Errorf("%s: %g → %g, want %g → %g", c.name, a.Before, a.After, c.before, c.after)
		}
		if c.line != "" && !slices.ContainsFunc(a.Code, func(l report.AdviceLine) bool { return l.New && l.Text == c.line }) {
			t.Errorf("%s: no line %q in\n%s", c.name, c.line, code(a))
		}
		if s := a.Text; s == a.Kind {
			t.Errorf("%s: %s has no sentence", c.name, a.Kind)
		}
	}
}

func code(a *report.Advice) string {
	var b strings.Builder
	for _, l := range a.Code {
		b.WriteString(l.Text + "\n")
	}
	return b.String()
}

// TestNone checks loops for which no remedy, or not a certain remedy, may be reported.
func TestNone(t *testing.T) {
	for _, c := range []struct{ name, text, not string }{
		{"a chain of pointers", ".L3:\n movq (%rdi), %rdi\n testq %rdi, %rdi\n jne .L3\n", ""},
		{"Horner's scheme", ".L3:\n vfmadd213sd (%rdi), %xmm1, %xmm0\n addq $8, %rdi\n cmpq %rdi, %rdx\n jne .L3\n", ""},
		{"partial sums that are stored", ".L3:\n vaddsd (%rdi), %xmm0, %xmm0\n vmovsd %xmm0, (%rsi)\n addq $8, %rdi\n addq $8, %rsi\n cmpq %rdi, %rdx\n jne .L3\n", "accumulators wider-vectors"},
		{"subtraction from what is loaded", ".L3:\n vmovsd (%rdi), %xmm1\n vsubsd %xmm0, %xmm1, %xmm0\n addq $8, %rdi\n cmpq %rdi, %rdx\n jne .L3\n", "accumulators"},
		{"a divisor that changes", ".L3:\n vmovsd (%rdi), %xmm1\n vdivsd %xmm1, %xmm0, %xmm2\n vmovsd %xmm2, (%rdi)\n addq $8, %rdi\n cmpq %rdi, %rdx\n jne .L3\n", "reciprocal"},
		{"flags that are used", ".L3:\n incq %rdi\n adcq (%rsi,%rdi,8), %rax\n decq %rcx\n jne .L3\n", "other-instruction unroll"},
		{"every second element", ".L3:\n vmovsd (%rdi), %xmm1\n vmulsd %xmm1, %xmm0, %xmm1\n vmovsd %xmm1, (%rdi)\n addq $16, %rdi\n cmpq %rdi, %rdx\n jne .L3\n", "wider-vectors"},
		{"an element that the iteration before stored", ".L3:\n vmovsd -8(%rdi), %xmm1\n vmulsd %xmm1, %xmm0, %xmm1\n vmovsd %xmm1, (%rdi)\n addq $8, %rdi\n cmpq %rdi, %rdx\n jne .L3\n", "wider-vectors"},
		{"a search, which leaves with the place", ".L3:\n cmpb %al, (%rdi)\n je .L4\n incq %rdi\n cmpq %rsi, %rdi\n jne .L3\n.L4:\n movq %rdi, %rax\n ret\n", "unroll accumulators wider-vectors"},
		{"a sum that is left early", ".L3:\n vmovsd (%rdi), %xmm1\n vcomisd %xmm2, %xmm1\n ja .L4\n vaddsd %xmm1, %xmm0, %xmm0\n addq $8, %rdi\n cmpq %rsi, %rdi\n jne .L3\n.L4:\n ret\n", "unroll accumulators wider-vectors"},
		{"a store that is left early", ".L3:\n vaddsd (%rdi), %xmm0, %xmm0\n vmovsd %xmm0, (%rdx)\n vcomisd %xmm2, %xmm0\n ja .L4\n addq $8, %rdi\n cmpq %rsi, %rdi\n jne .L3\n.L4:\n ret\n", "sink-store accumulators"},
		{"a store that a function may read", ".L3:\n addq (%rbx), %rbp\n movq %rbp, (%r12)\n call f\n addq $8, %rbx\n cmpq %r13, %rbx\n jne .L3\n ret\n", "sink-store"},
		{"a root that not all iterations take", ".L3:\n vmovsd (%rdi), %xmm1\n vcomisd %xmm3, %xmm1\n ja .L4\n vsqrtsd (%rdx), %xmm5, %xmm2\n vmulsd %xmm2, %xmm1, %xmm1\n vmovsd %xmm1, (%rdi)\n addq $8, %rdi\n cmpq %rsi, %rdi\n jne .L3\n.L4:\n vmovapd %xmm2, %xmm0\n ret\n", "hoist"},
		{"a case that goes elsewhere", ".L3:\n movl (%rdi), %eax\n testl %eax, %eax\n js .L5\n.L4:\n addl %eax, %edx\n addq $4, %rdi\n cmpq %rsi, %rdi\n jne .L3\n ret\n.L5:\n negl %eax\n movl %eax, (%rdi)\n jmp .L4\n", "unroll accumulators wider-vectors"},
		{"no loop", "vaddsd %xmm1, %xmm0, %xmm0\n", ""},
		{"an unknown instruction", ".L3:\n foo %rax\n vaddsd (%rdi), %xmm0, %xmm0\n addq $8, %rdi\n cmpq %rdi, %rdx\n jne .L3\n", ""},
		{"a core that lacks it", ".L3:\n vmovupd (%rdi), %xmm1\n vaddpd %xmm1, %xmm0, %xmm0\n addq $16, %rdi\n cmpq %rdi, %rdx\n jne .L3\n", ""},
	} {
		arch := "skx"
		if c.name == "a core that lacks it" {
			arch = "zen3"
		}
		found := advise(t, arch, c.text)
		if arch == "skx" {
			for _, a := range advise(t, "zen5", c.text) { // unrolling is proposed for cores with measured loops alone
				if slices.Contains(strings.Fields(c.not), a.Kind) {
					t.Errorf("%s on Zen 5: %s (%s)\n%s", c.name, a.Kind, a.Text, code(&a))
				}
			}
		}
		for _, a := range found {
			if c.name == "a core that lacks it" {
				if a.Count == 512 {
					t.Errorf("%s: %s of 512 bits", c.name, a.Kind)
				}
				continue
			}
			if c.not == "" && !a.Conditional || slices.Contains(strings.Fields(c.not), a.Kind) {
				t.Errorf("%s: %s (%s)\n%s", c.name, a.Kind, a.Text, code(&a))
			}
		}
	}
}

// TestBudget checks that the search for advice on a long loop stops after a bounded number of predictions.
func TestBudget(t *testing.T) {
	text := ".L3:\n" + strings.Repeat(" vaddsd (%rdi), %xmm0, %xmm0\n", 3000) + " addq $8, %rdi\n cmpq %rdi, %rdx\n jne .L3\n"
	if found := advise(t, "skx", text); len(found) > 0 {
		t.Errorf("%d pieces of advice for a loop of 3,003 instructions", len(found))
	}
}

// TestNamed: advice names what has to change, and the compiler's option that does it.
func TestNamed(t *testing.T) {
	triad := ".L3:\n vmovupd (%rdi), %ymm1\n vaddpd 8(%rsi), %ymm1, %ymm1\n vmovupd %ymm1, 8(%rdx,%rax)\n addq $32, %rdi\n addq $32, %rsi\n addq $32, %rax\n cmpq %rdi, %rcx\n jne .L3\n"
	stencil := ".L3:\n vmovupd -8(%rdi), %ymm1\n vaddpd 8(%rdi), %ymm1, %ymm1\n vaddpd (%rdi), %ymm1, %ymm1\n vaddpd 64(%rdi), %ymm1, %ymm1\n vmovupd %ymm1, (%rdx)\n addq $32, %rdi\n addq $32, %rdx\n cmpq %rdi, %rcx\n jne .L3\n"
	scale := ".L3:\n movsd (%rdi), %xmm1\n mulsd %xmm0, %xmm1\n movsd %xmm1, (%rdi)\n addq $8, %rdi\n cmpq %rdi, %rcx\n jne .L3\n"
	stored := ".L3:\n vmovupd (%rsi), %ymm8\n vaddpd %ymm8, %ymm0, %ymm0\n vmovupd %ymm0, -128(%rsp)\n vmulpd %ymm8, %ymm1, %ymm1\n vmovupd %ymm1, -96(%rsp)\n vmovupd %ymm8, -64(%rsp)\n vmovupd %ymm8, -32(%rsp)\n vmovupd %ymm8, -160(%rsp)\n vmovupd %ymm8, -192(%rsp)\n addq $32, %rsi\n cmpq %rsi, %rdx\n jne .L3\n"
	for _, c := range []struct{ name, arch, text, kind, want, option string }{
		{"arrays", "zen4", triad, "align-data", "(%rdi), 8(%rsi), 8(%rdx,%rax) to a multiple of 64", "alignas(64)"},
		{"a stencil", "skx", stencil, "align-data", "(%rdi), (%rdx) to a multiple of 64", "alignas(64)"},
		{"where bounds do not fall", "zen5", ".L3:\n vdivpd %ymm1, %ymm2, %ymm3\n addq $8, %rdi\n cmpq %rdi, %rcx\n jne .L3\n", "unroll", "", ""},
		{"a loop at one cycle", "zen5", scale, "unroll", "unroll by", "-funroll-loops"},
		{"on a core without measured loops", "skx", scale, "unroll", "", ""},
		{"stores that only the last iteration needs", "zen4", stored, "sink-store", "store -128(%rsp), -96(%rsp), -64(%rsp), -32(%rsp), -160(%rsp), -192(%rsp) behind the loop", "restrict"},
		{"a store that the loop loads", "zen4", strings.Replace(stored, "vmovupd (%rsi), %ymm8", "vmovupd (%rsi), %ymm8\n vmovupd -128(%rsp), %ymm9", 1), "sink-store", "store -96(%rsp), -64(%rsp)", "restrict"},
		{"two stores to one place", "zen4", strings.ReplaceAll(stored, "-96(%rsp)", "-128(%rsp)"), "sink-store", "store -64(%rsp), -32(%rsp)", "restrict"},
	} {
		found := advise(t, c.arch, c.text)
		i := slices.IndexFunc(found, func(a report.Advice) bool { return a.Kind == c.kind })
		switch {
		case i < 0 && c.want != "", i >= 0 && c.want == "":
			t.Errorf("%s: %s: %+v", c.name, c.kind, found)
		case i >= 0 && (!strings.Contains(found[i].Text, c.want) || !strings.Contains(found[i].Option, c.option)):
			t.Errorf("%s: %q, %q; want %q, %q", c.name, found[i].Text, found[i].Option, c.want, c.option)
		}
	}
}

// TestEndLoaded: a loop whose end depends on what it loads is not unrolled without its tests: strlen, a search, a list.
func TestEndLoaded(t *testing.T) {
	for _, c := range []struct {
		text    string
		counted bool
	}{
		{".L3:\n cmpb $0, 1(%rdi,%rax)\n leaq 1(%rax), %rax\n jne .L3\n", false},
		{".L3:\n addq $4, %rdi\n cmpl %esi, (%rdi)\n jne .L3\n", false},
		{".L3:\n movzbl (%rdi), %eax\n addq $1, %rdi\n testb %al, %al\n jne .L3\n", false},
		{".L3:\n movzbl (%rdi), %eax\n addq $1, %rdi\n xorl $7, %eax\n cmpl %eax, %edx\n jne .L3\n", false},
		{".L3:\n movsd (%rdi), %xmm1\n mulsd %xmm0, %xmm1\n movsd %xmm1, (%rdi)\n addq $8, %rdi\n cmpq %rdi, %rcx\n jne .L3\n", true},
	} {
		unrolled := slices.ContainsFunc(advise(t, "zen5", c.text), func(a report.Advice) bool { return a.Iterations > 1 })
		if unrolled != c.counted {
			t.Errorf("%s: unrolled: %t", c.text, unrolled)
		}
	}
}

// TestPlaced: what another place of the code gives for nothing is no gain of a remedy, nor is what leaves the bounds of ports and dispatch as they are. Measured on a
// Zen 5 at offsets 0, 16, 32 and 48: lerp 4.04, 3.02, 3.02 and 3.03 cycles, with pointers in place of the index 2.5; rev 1.14 cycles, with pointers 1.33.
func TestPlaced(t *testing.T) {
	for name, text := range map[string]string{
		"lerp": ".L3:\n movupd (%rsi,%r9), %xmm2\n movupd 16(%rsi,%r9), %xmm3\n movupd (%rdx,%r9), %xmm4\n movupd 16(%rdx,%r9), %xmm5\n subpd %xmm2, %xmm4\n subpd %xmm3, %xmm5\n mulpd %xmm1, %xmm4\n" +
			" addpd %xmm2, %xmm4\n mulpd %xmm1, %xmm5\n addpd %xmm3, %xmm5\n movupd %xmm4, (%rdi,%r9)\n movupd %xmm5, 16(%rdi,%r9)\n addq $32, %r9\n cmpq %r9, %r8\n jne .L3\n",
		"rev": ".L3:\n movzbl (%rdi), %edx\n movzbl (%rax,%rcx), %r8d\n movb %r8b, (%rdi)\n movb %dl, (%rax,%rcx)\n incq %rdi\n decq %rcx\n cmpq %rcx, %rsi\n jne .L3\n",
	} {
		for _, a := range advise(t, "zen5", text) {
			if !a.Conditional && a.Kind != "wider-vectors" {
				t.Errorf("%s: %s: %g → %g", name, a.Kind, a.Before, a.After)
			}
		}
	}
}

// TestWiderSum: a sum in wider vectors that latency limits gets accumulators as well.
func TestWiderSum(t *testing.T) {
	found := advise(t, "zen4", ".L3:\n vmovsd (%rdi,%rax,8), %xmm0\n vmulsd (%rsi,%rax,8), %xmm0, %xmm0\n vaddsd %xmm0, %xmm1, %xmm1\n incq %rax\n cmpq %rax, %rdx\n jne .L3\n")
	if !slices.ContainsFunc(found, func(a report.Advice) bool {
		return a.Kind == "wider-vectors" && a.Accumulators == 2 && a.Iterations == 16
	}) {
		t.Errorf("no vectors with two accumulators among %+v", found)
	}
}

// TestFlagsKept: no remedy puts an instruction that writes flags between one that writes and one that reads them, counts by one that writes more of them, or splits a
// sum of which the loop tests overflow or carry.
func TestFlagsKept(t *testing.T) {
	for _, c := range []struct{ name, isa, text string }{
		{"carry between additions", "x86", ".L:\n movq (%rdi,%rcx,8), %rax\n adcq (%rsi,%rcx,8), %rax\n movq %rax, (%rdi,%rcx,8)\n leaq 1(%rcx), %rcx\n decl %edx\n jnz .L\n"},
		{"borrow between subtractions", "x86", ".L:\n movq (%rdi,%rcx,8), %rax\n sbbq (%rsi,%rcx,8), %rax\n movq %rax, (%rdx,%rcx,8)\n incq %rcx\n decq %r8\n jne .L\n"},
		{"two carries", "x86", ".L:\n mulxq (%rsi,%rcx,8), %rax, %rbx\n adcxq %r9, %rax\n adoxq (%rdi,%rcx,8), %rax\n movq %rax, (%rdi,%rcx,8)\n movq %rbx, %r9\n leaq 1(%rcx), %rcx\n jrcxz .L2\n jmp .L\n.L2:\n"},
		{"checked overflow", "x86", ".L:\n addl (%rdi), %eax\n jo .Lout\n addq $4, %rdi\n cmpq %rsi, %rdi\n jne .L\n.Lout:\n ret\n"},
		{"checked carry", "x86", ".L:\n addq (%rdi), %rax\n jc .Lout\n addq $8, %rdi\n cmpq %rsi, %rdi\n jne .L\n.Lout:\n ret\n"},
		{"counted carries", "x86", ".L:\n addq (%rdi), %rax\n adcq $0, %rdx\n addq $8, %rdi\n cmpq %rsi, %rdi\n jne .L\n"},
		{"checked product", "x86", ".L:\n imull (%rdi), %eax\n jo .Lout\n addq $4, %rdi\n cmpq %rsi, %rdi\n jne .L\n.Lout:\n ret\n"},
		{"carry on AArch64", "arm", ".L:\n ldr x3, [x0]\n ldr x4, [x1], #8\n adcs x3, x3, x4\n str x3, [x0], #8\n sub x2, x2, #1\n cbnz x2, .L\n"},
		{"overflow on AArch64", "arm", ".L:\n ldr w3, [x0], #4\n adds w2, w2, w3\n b.vs .Lout\n cmp x0, x1\n b.ne .L\n.Lout:\n ret\n"},
	} {
		for _, arch := range map[string][]string{"x86": {"skx", "zen3", "zen5", "adl", "hsw"}, "arm": {"neoverse-v2", "neoverse-n1", "apple-m1"}}[c.isa] {
			for _, a := range advise(t, arch, c.text) {
				writers := 0
				for _, l := range a.Code {
					m, _, _ := strings.Cut(l.Text, " ")
					if l.New && c.name != "counted carries" && slices.Contains([]string{"addq", "addl", "subq", "subl", "xorl", "adds", "subs"}, m) {
						writers++
					}
				}
				if a.Kind == "accumulators" || a.Kind == "wider-vectors" || writers > 0 {
					t.Errorf("%s, %s: %s (%s)\n%s", c.name, arch, a.Kind, a.Text, code(&a))
				}
			}
		}
	}
}
