package analyze

import (
	"math"
	"strings"
	"testing"

	"incore/internal/base/source"
)

// TestLoadsByLine: a load that another level of the memory hierarchy serves, asked for or said by a comment, on a chain whose cycles are known by hand.
func TestLoadsByLine(t *testing.T) {
	for _, c := range []struct {
		text, arch string
		ask        []string
		want       []float64 // of each answer; 0: refused
	}{
		{"1:\n mov (%rdi), %rdi\n dec %rcx\n jnz 1b\n", "zen4", []string{"line=2:latency=40", "line=2:latency=2x"}, []float64{40, 8, 0}},
		{"1:\n mov (%rdi), %rdi\n dec %rcx\n jnz 1b\n", "zen4", []string{"L3=50,line=2:latency=L3"}, []float64{50}},
		{"1:\n mov (%rdi), %rdi\n dec %rcx\n jnz 1b\n", "zen4", []string{"line=2:latency=L1"}, []float64{4}},
		{"1:\n mov (%rdi), %rdi\n dec %rcx\n jnz 1b\n", "zen4", []string{"line=3:latency=9"}, []float64{0}},
		{"1:\n mov (%rdi), %rdi\n mov 8(%rsi,%rax), %rsi\n dec %rcx\n jnz 1b\n", "zen4", []string{"load((%rdi)):latency=33"}, []float64{33}},
		// An index costs a cycle on this core, whichever cache serves the load.
		{"1:\n mov (%rdi), %rdi\n mov 8(%rsi,%rax), %rsi\n dec %rcx\n jnz 1b\n", "zen4", []string{"L2=44,load(8(%rsi, %rax)):latency=L2"}, []float64{45}},
		{"1:\n mov 18(%rdi), %rdi\n dec %rcx\n jnz 1b\n", "zen4", []string{"load(8(%rdi)):latency=33"}, []float64{0}},
		{"1:\n mov 8(%rdi), %rdi\n dec %rcx\n jnz 1b\n", "zen4", []string{"load((%rdi)):latency=33"}, []float64{0}},
		{"1:\n mov rdi, qword ptr [rdi+8]\n dec rcx\n jnz 1b\n", "zen4", []string{"load([rdi + 8]):latency=33"}, []float64{33}},
		{"1:\n ldr x0, [x0, #8]\n subs x1, x1, #1\n b.ne 1b\n", "neoverse-v1", []string{"load([x0, #8]):latency=25"}, []float64{25}},
		{"1:\n mov (%rdi), %rdi # incore: 30\n dec %rcx\n jnz 1b\n", "zen4", nil, []float64{30}},
		{"1:\n mov (%rdi), %rdi # incore: L2\n mov (%rsi), %rsi # incore: L2=14\n dec %rcx\n jnz 1b\n", "zen3", nil, []float64{14}},
		{"1:\n mov (%rdi), %rdi # incore: DRAM\n dec %rcx\n jnz 1b\n", "zen4", nil, []float64{0}},
		{"1:\n ldr x0, [x0] // incore: L3=44\n subs x1, x1, #1\n b.ne 1b\n", "neoverse-v1", nil, []float64{44}},
		{"1:\n ld a0, 0(a0) # incore: DRAM=200\n bnez a0, 1b\n", "sifive-u74", nil, []float64{200}},
	} {
		f, err := source.New("text", []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		d, err := Run(f, Options{Archs: []string{c.arch}, Questions: Questions{WhatIf: c.ask}})
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		got := d.Kernels[0].Targets[0].WhatIf
		if len(got) != len(c.want) && !(len(c.ask) > 1 && len(got) == len(c.ask)+1) {
			t.Errorf("%s %v: %d answers: %+v", c.text, c.ask, len(got), got)
			continue
		}
		for i, want := range c.want[:min(len(c.want), max(1, len(c.ask)))] {
			if math.Abs(got[i].Cycles-want) > 0.02*want || (want == 0) != (got[i].Note != "") {
				t.Errorf("%s %v: %+v, want %v", c.text, c.ask, got[i], want)
			}
		}
	}
}

// TestWrongComments: a comment for incore beside an instruction that says what cannot be is refused by its words, and
// not passed over.
func TestWrongComments(t *testing.T) {
	for _, c := range []string{"zzz", "L3=NaN", "L3=Inf", "L3=-1", "L3=1e308", "L9=3", "-5", "1e308",
		"9223372036854775808", "zen4", "latency", "L3=50,rob=32", "L2 = 14 cycles", "rob=32"} {
		f, err := source.New("text", []byte("1:\n mov (%rdi), %rdi # incore: "+c+"\n dec %rcx\n jnz 1b\n"))
		if err != nil {
			t.Fatal(err)
		}
		d, err := Run(f, Options{Archs: []string{"zen4"}})
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Kernels[0].Targets[0].WhatIf; len(got) != 1 || !strings.Contains(got[0].Note, "what-if") ||
			got[0].Cycles != 0 {
			t.Errorf("%q: %+v", c, got)
		}
	}
}

// TestShares: the shares of the limits add up to the cycles, and none is negative.
func TestShares(t *testing.T) {
	for _, text := range []string{
		"1:\n vmovupd (%rdi,%rax), %ymm0\n vfmadd231pd (%rsi,%rax), %ymm0, %ymm1\n vdivpd %ymm0, %ymm5, %ymm6\n add $32, %rax\n cmp %rdi, %rsi\n jne 1b\n",
		"1:\n imul %rax, %rbx\n imul %rcx, %rdx\n imul %rsi, %rdi\n dec %r8\n jnz 1b\n",
		"1:\n mov (%rdi), %rax\n add %rax, (%rdi)\n dec %r8\n jnz 1b\n",
		"1:\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n dec %r8\n jnz 1b\n",
	} {
		for _, arch := range []string{"zen4", "skx", "spr"} {
			f, err := source.New("text", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			d, err := Run(f, Options{Archs: []string{arch}, Questions: Questions{Sensitivity: true}})
			if err != nil {
				t.Fatal(err)
			}
			x := &d.Kernels[0].Targets[0]
			sum := 0.0
			for _, s := range x.Shares {
				if sum += s.Cycles; s.Cycles < 0 {
					t.Errorf("%s on %s: %+v", text, arch, x.Shares)
				}
			}
			if math.Abs(sum-x.Prediction.Cycles) > 0.01 {
				t.Errorf("%s on %s: the shares %+v add up to %v, not %v", text, arch, x.Shares, sum, x.Prediction.Cycles)
			}
		}
	}
}
