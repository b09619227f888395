package x86

import (
	"fmt"
	"testing"

	"incore/internal/isa"
)

// TestUnsignedImmediates: what disassemblers write of a negative constant of one byte, as a number of the operation's size without a sign, is assembled as the
// constant is, for every operation that has such a form.
func TestUnsignedImmediates(t *testing.T) {
	encoded := func(text string) (string, error) {
		var in isa.Inst
		l, err := ISA().Parse(nil, text, "att")
		if err != nil {
			return "", err
		}
		in = l[0]
		code, err := ISA().Encode(nil, &in, 0)
		return fmt.Sprintf("%x", code), err
	}
	check := func(format, constant, unsigned string) {
		want, err := encoded(fmt.Sprintf(format, constant))
		if err != nil {
			t.Errorf(format+": %v", constant, err)
			return
		}
		if got, err := encoded(fmt.Sprintf(format, unsigned)); err != nil || got != want {
			t.Errorf(format+": %s, %v; want %s", unsigned, got, err, want)
		}
	}
	for _, op := range []string{"add", "or", "adc", "sbb", "and", "sub", "xor", "cmp"} {
		for _, at := range []string{"(%%rax)", "8(%%rsi,%%rdi)"} {
			check(op+"w $%s, "+at, "-64", "0xffc0")
			check(op+"l $%s, "+at, "-64", "0xffffffc0")
			check(op+"q $%s, "+at, "-64", "0xffffffffffffffc0")
		}
		check(op+"w $%s, %%r9w", "-128", "0xff80")
		check(op+"l $%s, %%r9d", "-128", "0xffffff80")
	}
	for _, from := range []string{"(%%rax)", "%%r9d"} {
		check("imull $%s, "+from+", %%esi", "-1", "0xffffffff")
	}
	check("imulw $%s, (%%rax), %%si", "-1", "0xffff")
	check("pushw $%s", "-64", "0xffc0")
	for _, text := range []string{"pushq $0xffffffc0", "addq $0xffffffc0, %rax", "addq $0xffffffc0, (%rax)"} { // the processor would extend them
		if code, err := encoded(text); err == nil {
			t.Errorf("%s: %s", text, code)
		}
	}
}
