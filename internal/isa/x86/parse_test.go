package x86

import "testing"

func TestSmoke(t *testing.T) {
	a := ISA()
	for _, c := range []struct{ syn, s string }{{"att", "addq %rax, %rbx"}, {"att", "jne foo"}, {"att", "movq foo@GOTPCREL(%rip), %rax"},
		{"att", "lock addl $5,%fs:8(%rax,%rcx,4)"}, {"att", "fstcw (%rax)"}, {"att", "rep movsb"}, {"att", "movl $foo+4, %eax"},
		{"att", "vaddps {rn-sae}, %zmm0,%zmm1,%zmm2{%k1}{z}"}, {"att", "int $3"}, {"att", "shll $1,%eax"}, {"intel", "mov rax, qword ptr [rip+foo]"},
		{"intel", "vaddps zmm0 {k1}, zmm1, dword ptr [rax]{1to16}"}, {"intel", "call foo"}, {"intel", "mov eax, OFFSET FLAT:foo"}, {"att", "addd %eax, %ebx"}, {"att", "(4+4)*2(%rax)"}, {"att", "mov (4+4)*2(%rax), %eax"}} {
		l, err := a.Parse(nil, c.s, c.syn)
		if err != nil {
			t.Log(c.s, err)
			continue
		}
		for i := range l {
			t.Log(c.s, a.FormName(&l[i]), l[i].Ops[:l[i].NOps])
		}
	}
}
