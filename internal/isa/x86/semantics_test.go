package x86

import (
	"strings"
	"testing"

	"incore/internal/isa"
)

func parseAll(t *testing.T, text string) []isa.Inst {
	t.Helper()
	var code []isa.Inst
	for _, s := range strings.Split(text, ";") {
		var err error
		if code, err = ISA().Parse(code, strings.TrimSpace(s), "att"); err != nil {
			t.Fatal(err)
		}
	}
	return code
}

func TestFusion(t *testing.T) {
	for text, want := range map[string]string{
		"cmpq %rax, %rbx; jne x":            "cmp+jcc",
		"cmpl $1, (%rdi); jne x":            "cmp+jcc.imm",
		"cmpl %eax, (%rdi); jne x":          "cmp+jcc",
		"cmpl %eax, foo(%rip); jne x":       "cmp+jcc.rip",
		"cmpl $1, foo(%rip); jne x":         "cmp+jcc.imm.rip",
		"cmpl %eax, %ebx; js x":             "cmp+jcc.sop",
		"testl %eax, %eax; js x":            "test+jcc.sop",
		"testb $1, %al; jne x":              "test+jcc",
		"addq $1, %rax; jne x":              "add+jcc",
		"addq (%rdi), %rax; jb x":           "add+jcc",
		"addq $1, (%rax); jne x":            "",
		"subq $1, %rax; jb x":               "sub+jcc",
		"andl %eax, %ebx; je x":             "and+jcc",
		"incq %rax; jne x":                  "inc+jcc",
		"decl %eax; jb x":                   "dec+jcc.c",
		"decl (%rax); jne x":                "",
		"orl %eax, %eax; je x":              "or+jcc",
		"xorl %eax, %ebx; je x":             "xor+jcc",
		"adcl %eax, %ebx; je x":             "",
		"{nf} addq %rax, %rbx; je x":        "",
		"imulq %rax, %rbx; je x":            "",
		"cmpq %rax, %rbx; jmp x":            "",
		"cmpq %rax, %rbx; sete %al":         "",
		"cmpxchgq %rax, %rbx; je x":         "",
		"ucomisd %xmm0, %xmm1; je x":        "",
		"cmpltps %xmm0, %xmm1; je x":        "",
		"andps %xmm0, %xmm1; je x":          "",
		"vaddps %xmm0, %xmm1, %xmm2; je x":  "",
		"subq %rax, %rbx; {disp32} jg x":    "sub+jcc",
		"cmpb $1, 8(%rdi,%rcx,4); ja x":     "cmp+jcc.imm",
		"testq $1, (%rdi); je x":            "test+jcc.imm",
		"cmpq $5, %rax; jg x":               "cmp+jcc",
		"addq $1000, %rax; jg x":            "add+jcc",
		"testq %rax, (%rdi); je x":          "test+jcc",
		"subq foo(%rip), %rax; jo x":        "sub+jcc.sop.rip",
		"incl %eax; jbe x":                  "inc+jcc.c",
		"incl %eax; jg x":                   "inc+jcc",
		"incl %eax; jp x":                   "inc+jcc.sop",
		"cmpw $300, %ax; je x":              "cmp+jcc",
		"andn %eax, %ebx, %ecx; je x":       "",
		"xaddl %eax, %ebx; je x":            "",
		"shll $2, %eax; je x":               "",
		"addq %rax, %rbx, %rcx; je x":       "",
		"cmpsb; je x":                       "",
		"ccmpbq {dfv=of} %rax, %rbx; je x":  "",
		"cmpexadd %eax, %ebx, (%rdi); je x": "",
		"lock xaddl %eax, (%rdi); je x":     "",
		"testl %eax, %eax; jbe x":           "test+jcc",
		"andl $7, %eax; jp x":               "and+jcc.sop",
		"cmpl $1, %fs:8; je x":              "cmp+jcc.imm",
		"subl $1, %eax; loop x":             "",
	} {
		code := parseAll(t, text)
		if got := fusesWith(&code[0], &code[1]); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestJoinsMove: which operations join a move to rbx, or ebx, in front of them.
func TestJoinsMove(t *testing.T) {
	for text, want := range map[string]bool{
		"addq %rax, %rbx": true, "adcl $1, %ebx": true, "andl $7, %ebx": true, "xorw %ax, %bx": true, "orq $1000, %rbx": true, "subl %ecx, %ebx": true, "sbbq %rax, %rbx": true,
		"incl %ebx": true, "decq %rbx": true, "notl %ebx": true, "shlq $3, %rbx": true, "shrl %ebx": true, "sarq %cl, %rbx": true,
		"addq %rbx, %rbx": false, "addq %rbx, %rax": false, "addq (%rax), %rbx": false, "addq %rax, (%rbx)": false, "negl %ebx": false, "cmpq %rax, %rbx": false, "testl %ebx, %ebx": false,
		"rolq $3, %rbx": false, "imulq %rax, %rbx": false, "shldq $3, %rax, %rbx": false, "leaq 1(%rbx), %rbx": false, "{nf} addq %rax, %rbx": false, "addq %rax, %rcx, %rbx": false,
		"andnq %rax, %rcx, %rbx": false, "shrxq %rax, %rcx, %rbx": false, "bswapq %rbx": false,
	} {
		in := &parseAll(t, text)[0]
		dst := RBX
		for _, r := range []isa.Reg{EBX, BX} {
			if in.Reg(0) == r {
				dst = r
			}
		}
		if got := joinsMove(in, dst); got != want {
			t.Errorf("%s: %t, want %t", text, got, want)
		}
	}
}

func TestIdioms(t *testing.T) {
	const zero, breaks, move = 1, 2, 4
	for text, want := range map[string]int{
		"xorl %eax, %eax": zero | breaks, "xorl %eax, %ebx": 0, "xorw %ax, %ax": 0, "subq %rax, %rax": zero | breaks,
		"sbbl %eax, %eax": breaks, "cmpl %eax, %eax": breaks, "addl %eax, %eax": 0, "andl %eax, %eax": 0,
		"pxor %xmm1, %xmm1": zero | breaks, "vpxor %xmm1, %xmm1, %xmm2": zero | breaks, "vpxor %xmm1, %xmm2, %xmm2": 0,
		"vpxorq %zmm1, %zmm1, %zmm2": zero | breaks, "vpxorq %zmm1, %zmm1, %zmm2{%k1}": 0, "vxorps %ymm1, %ymm1, %ymm1": zero | breaks,
		"psubb %xmm0, %xmm0": zero | breaks, "pcmpgtd %xmm0, %xmm0": zero | breaks, "pcmpeqd %xmm0, %xmm0": breaks,
		"pandn %xmm0, %xmm0": zero | breaks, "andnps %xmm0, %xmm0": zero | breaks, "por %xmm0, %xmm0": 0, "kxorw %k1, %k1, %k2": zero | breaks,
		"kxnorw %k1, %k1, %k2": breaks, "pxor %mm0, %mm0": zero | breaks, "xorl (%rax), %eax": 0, "psubusb %xmm1, %xmm1": zero | breaks,
		"movq %rax, %rbx": move, "movl %eax, %ebx": move, "movw %ax, %bx": 0, "movaps %xmm0, %xmm1": move, "vmovaps %xmm8, %xmm1": move,
		"vmovdqa64 %zmm0, %zmm1": move, "vmovdqa64 %zmm0, %zmm1{%k1}": 0, "movsd %xmm0, %xmm1": 0, "movzbl %al, %ebx": 0, "movq %xmm0, %xmm1": 0,
		"movq (%rax), %rbx": 0, "movq %mm0, %mm1": move, "xchgq %rax, %rbx": 0, "vmovups %ymm0, %ymm1": move, "vmovddup %xmm0, %xmm1": 0,
	} {
		in := parseAll(t, text)[0]
		got := 0
		if zeroIdiom(&in) {
			got |= zero
		}
		if depBreaking(&in) {
			got |= breaks
		}
		if dst, src, ok := regMove(&in); ok {
			got |= move
			if dst == src || dst != in.Reg(0) {
				t.Errorf("%s: moves register %d to %d", text, src, dst)
			}
		}
		if got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}

// TestLoadsHalves names the pairs of loads that together overwrite a register, the low half first.
func TestLoadsHalves(t *testing.T) {
	for text, want := range map[string]bool{
		"movlps (%rsi), %xmm1; movhps 8(%rsi), %xmm1": true, "movlpd (%rsi), %xmm1; movhps (%rdi), %xmm1": true, "movlps (%rsi), %xmm1; movhpd 64(%rsi,%rax), %xmm1": true,
		"vmovlps (%rsi), %xmm1, %xmm1; vmovhpd 8(%rsi), %xmm1, %xmm1": true, "vmovlps (%rsi), %xmm1, %xmm2; vmovhps 8(%rsi), %xmm2, %xmm1": false,
		"movhps 8(%rsi), %xmm1; movlps (%rsi), %xmm1": false, "movlps (%rsi), %xmm1; movhps (%rsi), %xmm2": false, "movlps (%rsi), %xmm1; movlps (%rsi), %xmm1": false,
		"movlps (%rsi), %xmm1; movhps %xmm1, (%rsi)": false, "movsd (%rsi), %xmm1; movhps 8(%rsi), %xmm1": false, "movhlps %xmm2, %xmm1; movlhps %xmm3, %xmm1": false,
	} {
		low, high, _ := strings.Cut(text, ";")
		l, h := parseAll(t, low)[0], parseAll(t, strings.TrimSpace(high))[0]
		if got := loadsHalves(&l, &h); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
}

func TestFlow(t *testing.T) {
	for text, want := range map[string]struct {
		kind   isa.FlowKind
		target string
	}{
		"jmp foo": {isa.FlowJump, "foo"}, "jne foo+4": {isa.FlowCond, "foo+4"}, "loop foo": {isa.FlowCond, "foo"}, "jrcxz 1f": {isa.FlowCond, "1f"},
		"call foo@PLT": {isa.FlowCall, "foo@PLT"}, "call *%rax": {isa.FlowCall, ""}, "call *8(%rax)": {isa.FlowCall, ""}, "ret": {isa.FlowReturn, ""},
		"jmp *%rax": {isa.FlowIndirect, ""}, "jmp *(%rax)": {isa.FlowIndirect, ""}, "notrack jmp *%rax": {isa.FlowIndirect, ""},
		"ud2": {isa.FlowTrap, ""}, "hlt": {isa.FlowTrap, ""}, "int3": {isa.FlowTrap, ""}, "syscall": {isa.FlowNext, ""}, "addq %rax, %rbx": {isa.FlowNext, ""},
		"ljmp *(%rax)": {isa.FlowIndirect, ""}, "lcall *(%rax)": {isa.FlowCall, ""}, "iretq": {isa.FlowReturn, ""}, "xbegin foo": {isa.FlowCond, "foo"},
	} {
		in := parseAll(t, text)[0]
		f := flow(&in)
		target := ""
		if f.Target.Expr != nil {
			target = f.Target.Expr.Text
		}
		if f.Kind != want.kind || target != want.target {
			t.Errorf("%s: kind %d to %q, want %d to %q", text, f.Kind, target, want.kind, want.target)
		}
	}
}

// TestStackTop: with the top known, independent x87 chains stay independent.
func TestStackTop(t *testing.T) {
	code := parseAll(t, "fldl (%rdi); fmull (%rsi); fldl 8(%rdi); fmull 8(%rsi); faddp; fstpl (%rdx)")
	ISA().Context(code, true)
	var got []string
	for i := range code {
		got = append(got, summary(&code[i]))
	}
	want := []string{
		"r[FPCW:c RDI:a] w[FP7] load64x1(RDI+0)",
		"r[FP7 FPCW:c RSI:a] w[FP7] load64x1(RSI+0)",
		"r[FPCW:c RDI:a] w[FP6] load64x1(RDI+8)",
		"r[FP6 FPCW:c RSI:a] w[FP6] load64x1(RSI+8)",
		"r[FP6 FP7 FPCW:c] w[FP7]",
		"r[FP7 FPCW:c RDX:a] w[] store64x1(RDX+0)",
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%d: %s, want %s", i, got[i], want[i])
		}
	}
	if code = parseAll(t, "fldl (%rdi); fmull (%rsi)"); true {
		ISA().Context(code, true)
		if code[0].Top != 0 || code[1].Top != 0 {
			t.Error("a loop that leaves the stack deeper must not get stack tops")
		}
	}
}

// TestLonePrefix: a prefix on a line of its own belongs to the next instruction.
func TestLonePrefix(t *testing.T) {
	code := parseAll(t, "lock; addl %eax, (%rdi)")
	ISA().Context(code, false)
	if code[1].Prefix&isa.PfxLock == 0 {
		t.Error("lock did not reach the next instruction")
	}
}

func TestErrors(t *testing.T) {
	for _, s := range []string{"mov %rip, %rax", "mov (%rax,%rip), %rbx", "lea (%rax,%rsp), %rax", "mov (%rax,%ebx), %ecx", "mov (%bx), %eax",
		"mov %ch, (%r8)", "add %bh, %sil", "movzx %dh, %rsi"} {
		if l, err := ISA().Parse(nil, s, "att"); err == nil {
			t.Errorf("%s: accepted as %s", s, canonical(&l[0]))
		}
	}
}

// TestEveryForm: the semantic functions have an answer for every form of the
// tables, whatever its operands. What it finds is panics.
func TestEveryForm(t *testing.T) {
	a := ISA()
	var e isa.Effects
	for f := isa.FormID(0); int(f) < a.Forms.Len(); f++ {
		for _, kind := range []isa.OpKind{isa.OpReg, isa.OpImm, isa.OpExpr} {
			in := isa.Inst{Form: f}
			for range a.Forms.NumOps(f) {
				in.Add(isa.Operand{Kind: kind, Reg: RAX, Imm: -1, Expr: &isa.Expr{}})
			}
			a.Effects(&in, &e)
			a.Flow(&in)
			a.ZeroIdiom(&in)
			a.DepBreaking(&in)
			a.RegMove(&in)
			a.FusesWith(&in, &in)
			code := []isa.Inst{in}
			a.Context(code, true)
		}
	}
}
