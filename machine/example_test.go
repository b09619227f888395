package machine_test

import (
	"fmt"
	"strings"
	"testing"

	"incore/isa"
	"incore/machine"
)

// instruction is the first instruction of a statement.
func instruction(set, statement string) *isa.Inst {
	s, err := isa.Get(set)
	if err != nil {
		panic(err)
	}
	list, err := s.Parse(statement, "")
	if err != nil {
		panic(err)
	}
	return &list[0]
}

// The cost of an instruction on several cores.
func ExampleModel_Cost() {
	in := instruction("x86-64", "imulq (%rsi), %rax")
	for _, name := range []string{"skylake", "zen4"} {
		m, err := machine.Get(name)
		if err != nil {
			fmt.Println(err)
			return
		}
		c, err := m.Cost(in)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: one in %g cycles, %g slots, µops %s, by %s\n", m.Name(), c.Each, c.Slots, c.Ports, c.Source)
		for _, p := range c.Pairs {
			if p.To == "RAX" { // the others are flags
				fmt.Printf("  %s to %s: %g cycles\n", p.From, p.To, p.Cycles)
			}
		}
	}
	// Output:
	// skylake: one in 1 cycles, 1 slots, µops 1 23/load, by uops.info SKL
	//   RAX to RAX: 3 cycles
	//   RSI to RAX: 8 cycles
	//   memory to RAX: 3 cycles
	// zen4: one in 1 cycles, 1 slots, µops AGU012/load ALU1 LSU Load, by uops.info ZEN4 table; integer and memory ports llvm
	//   RAX to RAX: 3 cycles
	//   RSI to RAX: 7 cycles
	//   memory to RAX: 3 cycles
}

// A model of one's own inherits what it does not state.
func ExampleLoad() {
	text := `name: mine
title: a Skylake with a slow multiplier
isa: x86-64
base: skylake

IMUL64rr | 1 | 5 | source=an example
`
	m, err := machine.Load(strings.NewReader(text), "mine.model")
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := m.Cost(instruction("x86-64", "imulq %rbx, %rax"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Name(), c.Latency, c.Source)
	// Output:
	// mine 5 an example
}

func ExampleList() {
	for _, m := range machine.List() {
		if m.Name == "zen4" {
			fmt.Println(m.ISA, m.Title)
		}
	}
	// Output:
	// x86-64 AMD Zen 4 (family 19h, models 10h-1Fh, 60h-AFh)
}

// TestNoInstruction checks that what is no instruction has no cost.
func TestNoInstruction(t *testing.T) {
	m, err := machine.Get("zen4")
	if err != nil {
		t.Fatal(err)
	}
	s, err := isa.Get(m.ISA())
	if err != nil {
		t.Fatal(err)
	}
	bad, _, err := s.Decode([]byte{0x0f}, 0)
	if err == nil {
		t.Error("half an instruction is decoded")
	}
	for _, in := range []*isa.Inst{{}, &bad} {
		if c, err := m.Cost(in); err == nil {
			t.Errorf("cost %+v", c)
		}
	}
}
