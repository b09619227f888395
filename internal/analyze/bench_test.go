package analyze

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"incore/internal/base/source"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
	"incore/internal/report"
)

// tenInstructions is a loop of ten instructions with loads, arithmetic, a store and a branch.
const tenInstructions = `.L4:
	vmovupd	(%rsi,%rax), %ymm1
	vmovupd	(%rdx,%rax), %ymm2
	vfmadd213pd	(%rcx,%rax), %ymm0, %ymm1
	vaddpd	%ymm2, %ymm1, %ymm1
	vmulpd	%ymm1, %ymm0, %ymm3
	vaddpd	%ymm3, %ymm4, %ymm4
	vmovupd	%ymm1, (%rdi,%rax)
	addq	$32, %rax
	cmpq	%r8, %rax
	jne	.L4
`

// BenchmarkKernel predicts one kernel from its text, as in a run over a corpus. The target is
// 20,000 kernels per second on one core: 50 µs.
func BenchmarkKernel(b *testing.B) {
	a := catalog.ISA("x86-64")
	m, err := machine.Get("skx")
	if err != nil {
		b.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(tenInstructions), "\n")[1:]
	var o Options
	var buf []isa.Inst
	run := func() float64 {
		k := &isa.Kernel{ISA: a, Syntax: "att", Loop: true, Lines: make([]isa.Line, len(lines))}
		for i, l := range lines {
			if buf, err = a.Parse(buf[:0], strings.TrimSpace(l), "att"); err != nil {
				b.Fatal(err)
			}
			k.Lines[i] = isa.Line{Inst: buf[0], Text: l, No: i + 1}
		}
		c, _ := Kernel(k, m, &o).Cycles()
		return c
	}
	run()
	b.ReportAllocs()
	for b.Loop() {
		if run() == 0 {
			b.Fatal("no prediction")
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "kernels/s")
}

// BenchmarkFile analyses a whole assembly text of 50 lines, including detection and report.
func BenchmarkFile(b *testing.B) {
	text := tenInstructions + strings.Repeat("\taddl\t$1, %ecx\n\timull\t%ecx, %edx\n", 20)
	for b.Loop() {
		f, _ := source.New("bench.s", []byte(text))
		if _, err := Run(f, Options{Archs: []string{"skx"}}); err != nil {
			b.Fatal(err)
		}
	}
}

// manyLoops returns a text of about n lines: functions with one loop each.
func manyLoops(n int) string {
	var s strings.Builder
	body := strings.ReplaceAll(tenInstructions, ".L4", ".LN")
	for i := 0; i*16 < n; i++ {
		id := string(rune('a'+i%26)) + strings.Repeat("x", i%7) + itoa(i)
		s.WriteString("\t.globl\tf" + id + "\n\t.type\tf" + id + ", @function\nf" + id + ":\n")
		s.WriteString(strings.ReplaceAll(body, ".LN", ".L"+itoa(i)))
		s.WriteString("\tvzeroupper\n\tret\n")
	}
	return s.String()
}

func itoa(i int) string {
	var d [20]byte
	n := len(d)
	for {
		n--
		d[n] = byte('0' + i%10)
		if i /= 10; i == 0 {
			return string(d[n:])
		}
	}
}

// BenchmarkBigFile analyses a text of 100,000 lines with 6,000 loops, as the command does, with advice for the hottest loop only. The target is 2 s.
func BenchmarkBigFile(b *testing.B) {
	text := []byte(manyLoops(100_000))
	for b.Loop() {
		f, _ := source.New("big.s", text)
		if _, err := Run(f, Options{Archs: []string{"skx"}, Asked: 1}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestBigFile checks that a large text is read completely.
func TestBigFile(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 100,000 lines")
	}
	f, err := source.New("big.s", []byte(manyLoops(100_000)))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := Run(f, Options{Archs: []string{"skx"}, Asked: 1})
	if err != nil {
		t.Fatal(err)
	}
	more := fmt.Sprintf("not mentioned: %d more loops", 6250-maxFull-maxListed)
	if n := len(doc.Kernels) + len(doc.Others); n != maxFull+maxListed || doc.Input.Unresolved != 0 || !slices.ContainsFunc(doc.Diagnostics, func(d report.Diagnostic) bool { return d.Message == more }) {
		t.Errorf("%d loops, %d unresolved; want %d, 0 and a note of %s", n, doc.Input.Unresolved, maxFull+maxListed, more)
	}
}
