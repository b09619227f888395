package incore_test

import (
	"fmt"

	"incore"
)

const triad = `
.L22:
	vmovapd	0(%r13,%rax), %ymm0
	vfmadd213pd	(%r14,%rax), %ymm1, %ymm0
	vmovapd	%ymm0, (%r12,%rax)
	addq	$32, %rax
	cmpq	%rax, %r15
	jne	.L22
`

func ExampleAnalyze() {
	doc, err := incore.Analyze("triad.s", triad, incore.Options{Archs: []string{"skx"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	k := doc.Kernels[0]
	fmt.Println(k.Name, "lines", k.Lines)
	fmt.Println(k.Targets[0].Prediction.Text)
	// Output:
	// .L22 lines 3-8
	// 1.5 cycles/iteration, bound by ports 2, 3, as tightly by dispatch and the front end; the slowest loop-carried chain, through rax, would allow 1.0
}

func ExamplePredict() {
	list, err := incore.Predict(triad, incore.Options{Archs: []string{"skx", "zen4"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range list {
		fmt.Printf("%s: %.2f cycles per iteration, bound by %s\n", p.Arch, p.Cycles, p.Bound)
	}
	// Output:
	// skylake-server: 1.50 cycles per iteration, bound by ports
	// zen4: 1.00 cycles per iteration, bound by latency
}

func ExampleMachines() {
	for _, m := range incore.Machines() {
		if m.Name == "zen4" {
			fmt.Println(m.ISA, m.Title)
		}
	}
	// Output:
	// x86-64 AMD Zen 4 (family 19h, models 10h-1Fh, 60h-AFh)
}
