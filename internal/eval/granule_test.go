package eval

import (
	"fmt"
	"strings"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/uops"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

// TestMistakenRenaming: on Zen 5 a load that begins within the same four bytes of the displacement as an older store,
// but at another byte, may be given the data of that store. Measured: widths of stores and loads at all offsets,
// extensions with zeros and vectors not, registers that change in between not, the stack pointer yes; not on Zen 4.
func TestMistakenRenaming(t *testing.T) {
	stores := map[int]string{1: "movb %%bl, %d(%%rsi)", 2: "movw %%bx, %d(%%rsi)", 4: "movl %%ebx, %d(%%rsi)", 8: "movq %%rbx, %d(%%rsi)", 16: "movups %%xmm0, %d(%%rsi)"}
	loads := map[string]int{"movb %d(%%rsi), %%cl": 1, "movsbl %d(%%rsi), %%ecx": 1, "addb %d(%%rsi), %%cl": 1, "cmpb $1, %d(%%rsi)": 1, "incb %d(%%rsi)": 1, "addw %d(%%rsi), %%cx": 2,
		"movl %d(%%rsi), %%ecx":   4,
		"movslq %d(%%rsi), %%rcx": 4,
		"movq %d(%%rsi), %%rcx":   8,
		"movzbl %d(%%rsi), %%ecx": 0,
		"movzwl %d(%%rsi), %%ecx": 0,
		"movss %d(%%rsi), %%xmm1": 0}
	mistaken := func(core, code string) bool {
		m, err := machine.Get(core)
		if err != nil {
			t.Fatal(err)
		}
		k := parsed(t, catalog.ISA(m.ISA), strings.Split(code, "; "))
		return len(depgraph.Build(uops.Bind(m, k), depgraph.Options{}).Mistaken()) > 0
	}
	expect := func(core, code string, want bool) {
		if mistaken(core, code) != want {
			t.Errorf("%s: %s: a mistake of memory renaming is possible: %v, want %v", core, code, !want, want)
		}
	}
	for size, store := range stores {
		for load, width := range loads {
			for from := -4; from <= 4; from++ {
				for to := -8; to <= 8; to++ {
					code := fmt.Sprintf(store, from) + "; " + fmt.Sprintf(load, to)
					want := size <= 8 && width > 0 && width <= size && from != to && (from+8)/4 == (to+8)/4
					if strings.HasPrefix(load, "inc") && !want { // it also stores, so that it serves as the store of the next iteration
						continue
					}
					expect("zen5", code, want)
					expect("zen4", code, false)
				}
			}
		}
	}
	for code, want := range map[string]bool{
		"pushq %rbx; movb 1(%rsp), %cl; addq $8, %rsp":                        true,
		"pushq %rbx; pushq %rdi; movb 9(%rsp), %cl; addq $16, %rsp":           true,
		"incb (%rsi); incb 1(%rsi)":                                           true,
		"movq %rbx, (%rsi); addq $4, %rsi; movb -3(%rsi), %cl; subq $4, %rsi": false,
		"movq %rbx, (%rsi); leaq (%rsi), %rdi; movb 1(%rdi), %cl":             false,
		"movl %edi, 8(%rsi); movb %bl, 9(%rsi); movb 9(%rsi), %cl":            false,
		"movq %rbx, (%rsi,%rdi); movb 1(%rsi,%rdi), %cl":                      true,
		"movb 1(%rsi), %cl; movq %rbx, (%rsi)":                                true,
	} {
		expect("zen5", code, want)
	}
}
