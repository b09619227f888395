package block

import (
	"strings"
	"testing"

	"incore/internal/analyze/predict"
	"incore/internal/isa"
)

// TestStart: what code starts with, and the register that ends a loop in place.
func TestStart(t *testing.T) {
	set := AMD64().ISA
	at := func(text string) map[string]uint64 {
		r := predict.Reader{ISA: set}
		k, err := r.Hex(text)
		if err != nil {
			t.Fatal(err)
		}
		registers, word := Start(k, 1)
		if inPlace := strings.Contains(text, "@"); (word == FillWord) != inPlace || (word == 0) == inPlace {
			t.Errorf("%s: memory holds %#x", text, word)
		}
		out := map[string]uint64{}
		for _, a := range registers {
			if a.Base != isa.NoReg {
				t.Errorf("%s: %s hangs on a register", text, set.Regs.Name(a.Reg))
			}
			out[set.Regs.Name(a.Reg)] = uint64(a.Offset)
		}
		return out
	}
	straight := at("480fafc0")
	if len(straight) < 16 || straight["RAX"] != 0x2324000 || straight["RSI"] != 0x2324000+6*0x20100 || straight["R15"] != 0x2324000+15*0x20100 {
		t.Errorf("straight code starts with %x", straight)
	}
	// movzbl (%rsi), %eax; addq $1, %rsi; addl $1, (%rdi,%rax,4); cmpq %rdx, %rsi; jne: a bound
	bound := at("0fb6064883c601830487014839d675f0@00")
	if bound["RSI"] != straight["RSI"] || bound["RDX"] <= bound["RSI"] || bound["RDX"] > bound["RSI"]+4096 {
		t.Errorf("a loop with a bound starts with %x", bound)
	}
	// addps (%rdi,%rax), %xmm0; addq $16, %rax; jne: from a multiple of 16 below zero
	index := at("0f5804074883c01075f6@00")
	if v := int64(index["RAX"]); v >= 0 || v%16 != 0 || v < -16*4096 {
		t.Errorf("a loop that counts up to zero starts with %x", index)
	}
}

func BenchmarkStart(b *testing.B) {
	r := predict.Reader{ISA: AMD64().ISA}
	k, err := r.Hex("0fb6064883c601830487014839d675f0@00")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		Start(k, 1)
	}
}
