package block

import (
	"fmt"
	"strings"
	"testing"

	"incore/internal/isa"
)

// TestSuit chooses values for code that plain registers do not suit, and leaves those alone that the user or other code needs.
func TestSuit(t *testing.T) {
	a := AMD64()
	for _, c := range []struct {
		text   string
		values map[int]uint64
		want   string
	}{
		{"vmovapd %ymm7, -120(%rsp)", nil, "rsp +24"},
		{"vmovaps %zmm7, 8(%rbp)", nil, "rbp +56"},
		{"movaps 8(%rsp), %xmm1; movaps %xmm1, 24(%rsp)", nil, "rsp +8"},
		{"addps 4(%rdi), %xmm1", nil, "rdi +12"},
		{"vaddps 4(%rdi), %xmm1, %xmm1", nil, ""},
		{"movups 4(%rdi), %xmm1", nil, ""},
		{"movaps 8(%rsp), %xmm1; movaps 16(%rsp), %xmm2", nil, ""}, // no value suits
		{"vmovapd %ymm7, -120(%rsp)", map[int]uint64{4: 8}, ""},
		{"lock cmpxchg16b 8(%rdi)", nil, "rdi +8"},
		{"pcmpeqd 12(%rsi), %xmm0", nil, "rsi +4"},
		{"pcmpistri $3, 12(%rsi), %xmm0", nil, ""},
		{"fxsave 8(%rsp)", nil, "rsp +8"},
		{"xsave 8(%rsp)", nil, "rsp +56"},
		{"movq (%rdx), %rax; addq %r8, %rdx", nil, "r8 stride 8"},
		{"movq (%rdx), %rax; subq %r8, %rdx; leaq (%rcx,%r9,4), %rcx; movq (%rcx), %rbx", nil, "r8 stride 8 r9 stride 8"},
		{"vmovups (%rdx), %zmm0; addq %r8, %rdx", nil, "r8 stride 64"},
		{"movaps (%rdx), %xmm0; vmovups (%rcx), %ymm1; addq %r8, %rdx", nil, "r8 stride 32"},
		{"movq (%rdx), %rax; addq %r8, %rdx; movq (%r8), %rbx", nil, ""},
		{"addq %r8, %rdx", nil, ""},
		{"movq (%rdx), %rax; addq %r8, %rax", nil, ""},
		{"imulq %rbx, %r11; movq (%rsi,%r11), %rax", nil, "rbx 0x1"},
		{"imulq %rbx, %r11; movq (%r11,%rbx), %rax", nil, "rbx 0x1"},
		{"imulq %rbx, %r11; movq (%rbx), %rax", nil, ""},
		{"imulq %rbx, %r11", nil, ""},
		{"movl %eax, %edi; leaq (%r8,%rdi,2), %rdi; addl %r9d, %eax; vmovdqu (%rdi), %ymm2", nil, "r9 stride 32"},
		{"leaq (%r8,%r9), %r10; addq %r10, %rdx; movq (%rdx), %rax", nil, "r8 stride 8 r9 stride 8"},
		{"movslq %r8d, %r9; addq %r9, %rdx; movq (%rdx), %rax", nil, "r8 stride 8"},
		{"movq %r8, %r9; shlq $9, %r9; addq %r9, %rdx; vmovups (%rdx), %ymm1", nil, "r8 0x1"}, // 32 would be too many
		{"imulq %rbx, %r11; imulq %rcx, %r11; movq (%rsi,%r11), %rax", nil, "rcx 0x1 rbx 0x1"},
		{"imulq %rbx, %r11; addq %r8, %r11; movq (%rsi,%r11), %rax", nil, "rbx 0x1 r8 stride 8"},
		{"movq (%rdx,%r8), %rax; addq $8, %rdx", nil, ""},
		{"movq (%rdx), %rax; addq $8192, %rdx; addq %r8, %rcx", nil, ""},
		{"movq (%rdx), %rax; addq %r8, %rdx; movq %rax, (%rsi)", nil, "r8 stride 8"},
		{"divq %rcx", nil, "rdx 0x0"},
		{"divl 8(%rsi)", nil, "rdx 0x0"},
		{"xorl %edx, %edx; divq %rcx", nil, ""},
		{"cqto; idivq %rcx", nil, ""},
		{"divb %cl", nil, ""},
	} {
		k := &isa.Kernel{ISA: a.ISA, Loop: true}
		for _, s := range strings.Split(c.text, ";") {
			in, err := a.ISA.Parse(nil, strings.TrimSpace(s), "att")
			if err != nil {
				t.Fatal(err)
			}
			k.Lines = append(k.Lines, isa.Line{Inst: in[0]})
		}
		s := Setup{Values: c.values}
		plain := s.Registers()
		s.Suit(k)
		var got []string
		for n, v := range s.Registers() {
			switch {
			case n >= len(a.names) || v == plain[n]:
			case v >= 8 && v <= 64:
				got = append(got, fmt.Sprintf("%s stride %d", a.names[n], v))
			case v < 8:
				got = append(got, fmt.Sprintf("%s %#x", a.names[n], v))
			default:
				got = append(got, a.names[n]+" +"+itoa(v-plain[n]))
			}
		}
		if g := strings.Join(got, " "); g != c.want {
			t.Errorf("%s: %q, want %q", c.text, g, c.want)
		}
	}
}

func itoa(v uint64) string {
	if v < 10 {
		return string(rune('0' + v))
	}
	return itoa(v/10) + itoa(v%10)
}
