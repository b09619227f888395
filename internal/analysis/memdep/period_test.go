package memdep_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"incore/internal/analysis/memdep"
	"incore/internal/isa/x86"
)

// TestPeriod: what loads read of stores where every word of memory holds 0x2324000, in bytes 00 40 32 02 00 00 00 00.
func TestPeriod(t *testing.T) {
	const closed = "\nadd $%d,%%rsi\ncmp %%rdx,%%rsi\njne .L"
	loop := func(step int, body string) string { return ".L:\n" + body + fmt.Sprintf(closed, step) }
	for _, c := range []struct {
		text   string
		period int
		want   string // FROM>TO@DISTANCE, and the iterations in which it is
	}{
		// index 0 comes 5 times, each of the others once: as it is found first in the pattern, which begins anywhere
		{loop(1, "movzbl (%rsi),%eax\nincl (%rdi,%rax,4)"), 8, "1>1@1:4 1>1@4:1 1>1@8:3"},
		{loop(2, "movzbl (%rsi),%eax\nincl (%rdi,%rax,4)"), 4, "1>1@1:2 1>1@2:1 1>1@4:1"},
		{loop(4, "movzbl (%rsi),%eax\nincl (%rdi,%rax,4)"), 0, "1>1@1"}, // 00 and 00
		{loop(8, "movzbl (%rsi),%eax\nincl (%rdi,%rax,4)"), 0, "1>1@1"},
		{loop(2, "movzwl (%rsi),%eax\naddl %ecx,(%rdi,%rax,4)"), 4, "1>1@1:1 1>1@3:1 1>1@4:2"},
		{loop(1, "movzbl (%rsi),%eax\nmovl (%rdi,%rax,4),%ecx\naddl $1,%ecx\nmovl %ecx,(%rdi,%rax,4)"), 8, "3>1@1:4 3>1@4:1 3>1@8:3"},
		// the order of elements is known from the code alone
		{loop(1, "mov %ecx,%eax\nand $1,%eax\nincl (%rdi,%rax,4)\ninc %ecx"), 0, "2>2@2"},
		// what was stored is not what memory held: a pointer that is advanced in memory
		{loop(8, "mov (%rdi),%rax\nincl (%rax)\nadd $4,%rax\nmov %rax,(%rdi)"), 0, "3>0@1"},
		// stores one place, loads others
		{loop(4, "mov (%rsi),%eax\nmov %eax,(%rdi,%rcx,4)\nand $1,%eax\nadd %rax,%rcx"), 0, ""},
	} {
		b := bind(t, "zen4", c.text)
		var registers []memdep.Alias
		for i, name := range strings.Fields("rax rcx rdx rbx rsp rbp rsi rdi") {
			a, err := memdep.ParseAlias(x86.ISA(), fmt.Sprintf("%s=%d", name, 0x2324000+i*0x20100))
			if err != nil {
				t.Fatal(err)
			}
			registers = append(registers, a)
		}
		edges, r := memdep.Find(b, memdep.Options{Alias: registers, Word: 0x2324000})
		var got []string
		for _, e := range edges {
			s := fmt.Sprintf("%d>%d@%d", e.From, e.To, e.Dist)
			if n := strings.Count(fmt.Sprintf("%b", e.When), "1"); n > 0 {
				s += fmt.Sprintf(":%d", n)
			}
			got = append(got, s)
		}
		slices.Sort(got)
		if s := strings.Join(got, " "); r.Period != c.period || s != c.want {
			t.Errorf("%q: period %d: %s; want %d: %s", c.text, r.Period, s, c.period, c.want)
		}
		for _, unknown := range []memdep.Options{{}, {Alias: registers}} { // nothing is known of data
			if _, r := memdep.Find(b, unknown); r != nil && (r.Period > 0 || len(r.Phases) > 0) {
				t.Errorf("%q: period %d without memory's word", c.text, r.Period)
			}
		}
	}
}
