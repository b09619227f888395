package incore_test

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"incore"
	"incore/isa"
	"incore/machine"
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
	doc, err := incore.Analyze(context.Background(), "triad.s", triad, incore.Options{Archs: []string{"skx"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	k := doc.Kernels[0]
	fmt.Println(k.Name, "lines", k.Lines)
	p := k.Targets[0].Prediction
	fmt.Println(p.Cycles, "cycles, bound by", p.Bound)
	// Output:
	// .L22 lines 3-8
	// 1.5 cycles, bound by ports
}

func ExamplePredict() {
	list, err := incore.Predict(context.Background(), triad, incore.Options{Archs: []string{"skx", "zen4"}})
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

// A predictor serves many texts, from several goroutines.
func ExamplePredictor() {
	p, err := incore.NewPredictor(incore.Options{Archs: []string{"skx"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	chains := []string{"imulq %rax, %rax", "mulsd %xmm0, %xmm0", "vdivsd %xmm0, %xmm1, %xmm1"}
	cycles := make([]float64, len(chains))
	var group sync.WaitGroup
	for i, text := range chains {
		group.Add(1)
		go func() {
			defer group.Done()
			if list, err := p.Predict(context.Background(), text+"\n"); err == nil {
				cycles[i] = list[0].Cycles
			}
		}()
	}
	group.Wait()
	fmt.Println(cycles)
	// Output:
	// [3 4 13]
}

// A document states as typed values what limits a prediction and which assumptions it depends on.
func ExamplePredictor_Analyze() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	p, err := incore.NewPredictor(incore.Options{Archs: []string{"zen4"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	doc, err := p.Analyze(ctx, "triad.s", triad)
	if err != nil {
		fmt.Println(err)
		return
	}
	t := doc.Kernels[0].Targets[0]
	fmt.Println(t.Prediction.Limit.Kind == incore.LimitBound, t.Prediction.Limit.Bound)
	for _, s := range t.Basis {
		if s.Kind == "data-alignment" {
			fmt.Println("cycles at the worst alignment:", s.Values.Cycles)
		}
	}
	// Output:
	// true latency
	// cycles at the worst alignment: 1.5
}

// A what-if question predicts the same loop on a changed core.
func ExampleOptions_whatIf() {
	doc, err := incore.Analyze(context.Background(), "triad.s", triad, incore.Options{Archs: []string{"skx"}, WhatIf: []string{"ports.load+1"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range doc.Kernels[0].Targets[0].WhatIf {
		fmt.Println(a.Question, a.Cycles)
	}
	// Output:
	// ports.load+1 1.5
}

// AnalyzeObject analyses the loops of an executable; this example analyses its own.
func ExamplePredictor_AnalyzeObject() {
	p, err := incore.NewPredictor(incore.Options{Function: "strings.Map"})
	if err != nil {
		fmt.Println(err)
		return
	}
	file, err := os.Executable()
	if err != nil {
		fmt.Println(err)
		return
	}
	data, err := os.ReadFile(file)
	if err != nil {
		fmt.Println(err)
		return
	}
	doc, err := p.AnalyzeObject(context.Background(), file, data)
	if err != nil {
		fmt.Println(err)
		return
	}
	k := doc.Kernels[0]
	fmt.Println(k.Function, k.Loop, k.Targets[0].Prediction.Cycles > 0)
	// Output:
	// strings.Map true true
}

func ExamplePredictor_AnalyzeCode() {
	p, err := incore.NewPredictor(incore.Options{Archs: []string{"skx"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	code, _ := hex.DecodeString("480fafc0") // imul %rax, %rax
	doc, err := p.AnalyzeCode(context.Background(), code, 0x1000)
	if err != nil {
		fmt.Println(err)
		return
	}
	t := doc.Kernels[0].Targets[0]
	fmt.Println(t.Instructions[0].Text, t.Prediction.Cycles, t.Prediction.Bound == incore.BoundLatency)
	// Output:
	// imulq %rax, %rax 3 true
}

// A search makes variants, as machine code, and asks for each: in how many sums must a reduction be split?
func ExamplePredictor_PredictCode() {
	p, err := incore.NewPredictor(incore.Options{Archs: []string{"zen4"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	x86, err := isa.Get("x86-64")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, sums := range []int{1, 2, 4, 8, 12} {
		var code []byte
		for i := range sums {
			list, err := x86.Parse(fmt.Sprintf("vfmadd231pd %d(%%rsi,%%rax), %%ymm15, %%ymm%d", 32*i, i), "att")
			if err != nil {
				fmt.Println(err)
				return
			}
			text, err := list[0].Encode(uint64(len(code)))
			if err != nil {
				fmt.Println(err)
				return
			}
			code = append(code, text...)
		}
		list, err := p.PredictCode(context.Background(), code, 0)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%d sums: %.2f cycles for a vector, bound by %s\n", sums, list[0].Cycles/float64(sums), list[0].Bound)
	}
	// Output:
	// 1 sums: 4.00 cycles for a vector, bound by latency
	// 2 sums: 2.00 cycles for a vector, bound by latency
	// 4 sums: 1.00 cycles for a vector, bound by latency
	// 8 sums: 0.50 cycles for a vector, bound by latency
	// 12 sums: 0.50 cycles for a vector, bound by ports
}

// A corpus of machine code, a block a line, is predicted without text; a block that is not code is an error of its own.
func ExamplePredictor_PredictCode_corpus() {
	p, err := incore.NewPredictor(incore.Options{Archs: []string{"skx"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	const corpus = "480fafc0\nc5fd58c1c5fd59d2\n0f0b06\n4883c0084839c875f7\n"
	for block := range strings.Lines(corpus) {
		block = strings.TrimSpace(block)
		code, err := hex.DecodeString(block)
		if err != nil {
			fmt.Println(err)
			continue
		}
		list, err := p.PredictCode(context.Background(), code, 0)
		if err != nil {
			fmt.Println(block, err)
			continue
		}
		fmt.Println(block, list[0].Cycles, list[0].Engine == incore.EngineSimulator)
	}
	// Output:
	// 480fafc0 3 true
	// c5fd58c1c5fd59d2 4 true
	// 0f0b06 byte 2: undefined instruction
	// 4883c0084839c875f7 1 true
}

// A model of the user can be based on a built-in one.
func ExampleOptions_models() {
	m, err := machine.Load(strings.NewReader("name: mine\ntitle: a Skylake-X of my own\nisa: x86-64\nbase: skylake-server\n"), "mine.model")
	if err != nil {
		fmt.Println(err)
		return
	}
	list, err := incore.Predict(context.Background(), triad, incore.Options{Models: []*machine.Model{m}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(list[0].Arch, list[0].Cycles)
	// Output:
	// mine 1.5
}

func ExampleRender() {
	doc, err := incore.Analyze(context.Background(), "mul.s", "mulsd %xmm0, %xmm0\n", incore.Options{Archs: []string{"skx"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	var b strings.Builder
	if err := incore.Render(&b, doc, incore.Text, incore.TextOptions{Width: 100}); err != nil {
		fmt.Println(err)
	}
	fmt.Println(strings.SplitN(b.String(), ";", 2)[0])
	// Output:
	// not a loop: 4.0 cycles per pass if the code runs again and again
}

func TestContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p, err := incore.NewPredictor(incore.Options{Archs: []string{"skx"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Analyze(ctx, "triad.s", triad); !errors.Is(err, context.Canceled) {
		t.Errorf("Analyze: %v", err)
	}
	if _, err := p.Predict(ctx, triad); !errors.Is(err, context.Canceled) {
		t.Errorf("Predict: %v", err)
	}
}

func TestBadOptions(t *testing.T) {
	for _, o := range []incore.Options{{Archs: []string{"nothing"}}, {ISA: "z80"}, {Engine: "steam"}, {Lines: "x"}, {Unroll: -1}, {Timeline: -1}, {Models: []*machine.Model{nil}}, {Models: []*machine.Model{{}}}} {
		if _, err := incore.NewPredictor(o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
}

// TestEmpty renders a document without code.
func TestEmpty(t *testing.T) {
	for _, f := range []incore.Format{incore.Text, incore.JSON, incore.YAML, incore.CSV, incore.HTML, incore.DOT, incore.SVG} {
		if err := incore.Render(io.Discard, &incore.Document{}, f, incore.TextOptions{}); err != nil {
			t.Errorf("%s: %v", f, err)
		}
	}
}

// TestObject analyses this test itself, an object file.
func TestObject(t *testing.T) {
	name, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Skip(err)
	}
	p, err := incore.NewPredictor(incore.Options{Function: "runtime.memequal", Engine: incore.EngineBounds})
	if err != nil {
		t.Fatal(err)
	}
	doc, err := p.AnalyzeObject(context.Background(), name, data)
	if err != nil {
		t.Skip(err) // incore does not read this object format, or the function is missing
	}
	if len(doc.Kernels) == 0 {
		t.Error("no kernels")
	}
}
