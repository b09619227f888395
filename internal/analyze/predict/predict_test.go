package predict

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"incore/internal/analysis/engine"
	"incore/internal/analysis/sim"
	"incore/internal/isa"
	"incore/internal/isa/aarch64"
	"incore/internal/isa/riscv"
	"incore/internal/isa/x86"
	"incore/internal/machine"
)

// job makes a job of a text for machines.
func job(t testing.TB, text, block, choice string, a *isa.ISA, archs ...string) *Job {
	t.Helper()
	r := bufio.NewReader(strings.NewReader(text))
	f, err := Detect(r, a, block)
	if err != nil {
		t.Fatal(err)
	}
	j := &Job{Source: NewLines(r, &f), Format: f, ISA: a}
	for _, name := range archs {
		m, err := machine.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		j.Targets = append(j.Targets, Predictor{Model: m, Engine: engine.Choice(choice), Both: true})
	}
	return j
}

// rows runs a job and returns its output without the header.
func rows(t testing.TB, j *Job) string {
	t.Helper()
	var out []byte
	err := j.Run(context.Background(), func(rows []Row) error {
		for i := range rows {
			out = rows[i].Append(out, len(j.Targets) > 1)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestDetect(t *testing.T) {
	a := x86.ISA()
	for _, c := range []struct {
		name, text, column string
		want               Format
	}{
		{"hex", "480fafc0\n4801c3\n", "", Format{Hex: true}},
		{"one line of hex", "480fafc0", "", Format{Hex: true}},
		{"hex, CSV without header", "480fafc0,3\n4801c3,1\n", "", Format{Separator: ',', Hex: true}},
		{"hex, CSV with header", "hex,cycles\n480fafc0,3\n", "", Format{Separator: ',', Header: []string{"hex", "cycles"}, Hex: true}},
		{"hex, TSV with unusual header", "machine code\tthroughput\n480fafc0\t3\n", "", Format{Separator: '\t', Header: []string{"machine code", "throughput"}, Hex: true}},
		{"windows line ends", "hex\tcycles\r\n480fafc0\t3\r\n", "", Format{Separator: '\t', Header: []string{"hex", "cycles"}, Hex: true}},
		{"assembly", "addq %rax, %rbx;incq %rcx\naddq %rbx, %rax\n", "", Format{}},
		{"intel", "add rbx, rax; inc rcx\n", "", Format{}},
		{"quoted assembly", "\"addq %rax, %rbx\",1\n", "", Format{Separator: ','}},
		{"assembly in another column", "n\tcycles\tasm\n1\t1.0\taddq %rax, %rbx\n", "asm", Format{Separator: '\t', Header: []string{"n", "cycles", "asm"}, Block: 2}},
		{"assembly where a header with commas has it", "name,asm,cycles\r\nx,\"addq %rax, %rbx\",1\r\n", "", Format{Separator: ',', Header: []string{"name", "asm", "cycles"}, Block: 1}},
		{"assembly where the header has it", "n\tcycles\tasm\n1\t1.0\taddq %rax, %rbx\n", "", Format{Separator: '\t', Header: []string{"n", "cycles", "asm"}, Block: 2}},
		{"by number", "1\taddq %rax, %rbx\n", "2", Format{Separator: '\t', Block: 1}},
		{"comment", "# blocks\n\n480fafc0\n", "", Format{Hex: true}},
		{"a block longer than the buffer", "hex,cycles\n" + strings.Repeat("90", 40000) + ",1\n4801c3,1\n", "", Format{Separator: ',', Header: []string{"hex", "cycles"}, Hex: true}},
		{"the same without header", strings.Repeat("90", 40000) + ",1\n4801c3,1\n", "", Format{Separator: ',', Hex: true}},
	} {
		f, err := Detect(bufio.NewReader(strings.NewReader(c.text)), a, c.column)
		if err != nil || fmt.Sprint(f) != fmt.Sprint(c.want) {
			t.Errorf("%s: %+v, %v; want %+v", c.name, f, err, c.want)
		}
	}
	for _, c := range []struct{ text, column string }{{"", ""}, {"\n\n", ""}, {"480fafc0\n", "cycles"}, {"hex\tcycles\n90\t1\n", "none"}, {"90\n", "0"}} {
		if _, err := Detect(bufio.NewReader(strings.NewReader(c.text)), a, c.column); err == nil {
			t.Errorf("%q, column %q: no error", c.text, c.column)
		}
	}
}

// TestRows holds blocks and their rows: the first of each pair is the input line.
func TestRows(t *testing.T) {
	for _, c := range []struct {
		a          *isa.ISA
		arch       string
		line, want string
	}{
		{x86.ISA(), "skl", "480fafc0", "480fafc0,3,3,3,latency,bounds,0,false"},
		{x86.ISA(), "skl", "imulq %rax, %rax", `"imulq %rax, %rax",3,3,3,latency,bounds,0,false`},
		{x86.ISA(), "skl", "imul rax, rax", `"imul rax, rax",3,3,3,latency,bounds,0,false`},
		{x86.ISA(), "skl", ".L1: imulq %rax, %rax; jmp .L1", `".L1: imulq %rax, %rax; jmp .L1",3,3,3,latency,bounds,0,false`},
		{x86.ISA(), "skl", "9090", "9090,0.5,0.5,0.5,dispatch,bounds,0,false"},
		{x86.ISA(), "skl", "90ebfd", "90ebfd,1,1,0.25,branch,bounds,0,false"}, // nop; jmp
		{aarch64.ISA(), "n1", "mul x0, x0, x1", `"mul x0, x0, x1",4,4,4,latency,bounds,0,false`},
		{aarch64.ISA(), "n1", "007c019b", "007c019b,4,4,4,latency,bounds,0,false"},
		{riscv.ISA(), "sifive-7", "mul a0, a0, a1", `"mul a0, a0, a1",3,3,3,latency,bounds,0,false`},
	} {
		if got := rows(t, job(t, c.line+"\n", "", "bounds", c.a, c.arch)); got != c.want+"\n" {
			t.Errorf("%s on %s:\n%swant\n%s", c.line, c.arch, got, c.want)
		}
	}
}

// TestBad checks that blocks that cannot be read have a row that says why, and that the others are not lost.
func TestBad(t *testing.T) {
	got := rows(t, job(t, "480fafc0\n06\n480f\n4\nzz\n480fafc0\n", "", "bounds", x86.ISA(), "skl"))
	lines := strings.Split(strings.TrimSpace(got), "\n")
	if len(lines) != 6 || lines[0] != lines[5] {
		t.Fatalf("%q", lines)
	}
	for i, want := range []string{"", "06,,,,,,", "480f,,,,,,byte 0", "4,,,,,,an odd number", "zz,,,,,,"} {
		if !strings.HasPrefix(lines[i], want) || i > 0 && strings.Count(lines[i], ",") < 7 {
			t.Errorf("%q, want %q", lines[i], want)
		}
	}
	got = rows(t, job(t, "addq %rax, %rbx; frobnicate %rax\n", "", "bounds", x86.ISA(), "skl"))
	if !strings.HasSuffix(got, ",1,false\n") {
		t.Errorf("an unknown instruction is not counted: %q", got)
	}
}

// TestForms checks that machine code and its text are the same instructions and cost the same.
func TestForms(t *testing.T) {
	data, err := os.ReadFile("testdata/blocks.tsv")
	if err != nil {
		t.Fatal(err)
	}
	a := x86.ISA()
	m, err := machine.Get("zen5")
	if err != nil {
		t.Fatal(err)
	}
	p := Predictor{Model: m, Engine: engine.Auto, Both: true}
	var code, text Reader
	code.ISA, text.ISA = a, a
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
		f := strings.Split(line, "\t")
		x, err := code.Hex(f[0])
		if err != nil {
			t.Errorf("%s: %v", f[0], err)
			continue
		}
		y, err := text.Text(f[2])
		if err != nil || len(x.Lines) != len(y.Lines) {
			t.Errorf("%s: %v, %d and %d instructions", f[2], err, len(x.Lines), len(y.Lines))
			continue
		}
		for i := range x.Lines {
			u, v := &x.Lines[i].Inst, &y.Lines[i].Inst
			if u.Form != v.Form {
				t.Errorf("%s: %s as code, %s as text", y.Lines[i].Text, a.FormName(u), a.FormName(v))
			}
			if u.Size != v.Size {
				t.Errorf("%s: %d bytes as code, %d as text", y.Lines[i].Text, u.Size, v.Size)
			}
		}
		c, _ := p.Predict(x)
		d, _ := p.Predict(y)
		if c != d {
			t.Errorf("%s: %+v as code, %+v as text", f[2], c, d)
		}
	}
}

// TestHexPlaces: a loop in hexadecimal begins with a line of code where its offset is not given, so that the JCC erratum is known.
func TestHexPlaces(t *testing.T) {
	m, err := machine.Get("skylake")
	if err != nil {
		t.Fatal(err)
	}
	p := Predictor{Model: m, Engine: engine.Auto, Both: true}
	r := Reader{ISA: x86.ISA()}
	const loop = "0f1f40000f1f40000f1f40000f1f40000f1f40000f1f40000f1f400049ffcf75df" // seven nops of 4 bytes, dec %r15, jne: the pair crosses byte 32
	for _, c := range []struct {
		hex  string
		want float64
	}{{loop, 3}, {loop + "@0", 3}, {loop + "@10", 2}} {
		k, err := r.Hex(c.hex)
		if err != nil {
			t.Fatal(err)
		}
		if f, _ := p.Predict(k); f.Loop != c.want {
			t.Errorf("%s: %g cycles, want %g", c.hex, f.Loop, c.want)
		}
	}
	if k, err := r.Hex("4801d8"); err != nil || k.Placed() {
		t.Errorf("straight code has a place (%v)", err)
	}
}

// TestOrder checks that many blocks come in the order of the input, whatever the number of workers.
func TestOrder(t *testing.T) {
	var in, want strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&in, "48c7c0%02x%02x0000%s\n", i&255, i>>8, strings.Repeat("480fafc0", i%7))
	}
	for _, l := range strings.Fields(in.String()) {
		fmt.Fprintln(&want, l)
	}
	for _, workers := range []int{1, 3, 16} {
		j := job(t, in.String(), "", "bounds", x86.ISA(), "skl", "zen4")
		j.Workers = workers
		var got strings.Builder
		n := 0
		if err := j.Run(context.Background(), func(rows []Row) error {
			for i := range rows {
				if n%2 == 0 {
					fmt.Fprintln(&got, rows[i].Block)
				}
				n++
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if got.String() != want.String() || n != 6000 {
			t.Errorf("%d workers: %d rows, or in another order", workers, n)
		}
	}
}

// TestInterrupted checks that a cancelled run and a failing output end it, also while the input waits.
func TestInterrupted(t *testing.T) {
	in, feed := io.Pipe()
	defer feed.Close()
	go fmt.Fprint(feed, "480fafc0\n4801c3\n")
	r := bufio.NewReader(in)
	f, err := Detect(r, x86.ISA(), "")
	if err != nil {
		t.Fatal(err)
	}
	j := job(t, "90\n", "", "bounds", x86.ISA(), "skl")
	j.Source, j.Format = NewLines(r, &f), f
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	err = j.Run(ctx, func(rows []Row) error {
		if n += len(rows); n == 2 { // both blocks came, though the input is not at its end
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || n != 2 {
		t.Errorf("%v after %d rows", err, n)
	}
	broken := errors.New("broken")
	j = job(t, strings.Repeat("90\n", 10000), "", "bounds", x86.ISA(), "skl")
	if err := j.Run(context.Background(), func([]Row) error { return broken }); err != broken {
		t.Errorf("%v", err)
	}
}

func TestConditions(t *testing.T) {
	r := Reader{ISA: x86.ISA()}
	m, _ := machine.Get("skl")
	k, err := r.Text("movq %rax, (%rsi); movq (%rdi), %rax")
	if err != nil {
		t.Fatal(err)
	}
	cycles := func(c Conditions) float64 {
		p := Predictor{Model: m, Engine: engine.Bounds, Conditions: c, Both: true}
		f, _ := p.Predict(k)
		return c.Cycles(&f)
	}
	if distinct, same := cycles(Conditions{}), cycles(Conditions{EqualRegs: true}); distinct > 1 || same < 4 {
		t.Errorf("distinct registers %g cycles, equal ones %g", distinct, same)
	}
	if k, err = r.Text("adcq %rbx, %rcx"); err != nil {
		t.Fatal(err)
	}
	if a, b := cycles(Conditions{}), cycles(Conditions{NoFlags: true}); a < b || a < 1 {
		t.Errorf("with flags %g cycles, without %g", a, b)
	}
}

func FuzzCorpus(f *testing.F) {
	f.Add([]byte("hex,cycles\n480fafc0,3\n"), byte(0))
	f.Add([]byte("addq %rax, %rbx; jne .L1\n"), byte(0))
	f.Add([]byte("\"a\"\"\",1\n\x00\n"), byte(1))
	f.Add([]byte("mul x0, x0, x1\n"), byte(1))
	f.Add([]byte("vsetvli a0, a1, e32, m1, ta, ma; vadd.vv v0, v0, v1"), byte(2))
	m := map[byte]*machine.Model{}
	isas := []*isa.ISA{x86.ISA(), aarch64.ISA(), riscv.ISA()}
	for i, name := range []string{"skl", "n1", "sifive-7"} {
		m[byte(i)], _ = machine.Get(name)
	}
	f.Fuzz(func(t *testing.T, data []byte, which byte) {
		which %= 3
		r := bufio.NewReader(bytes.NewReader(data))
		format, err := Detect(r, isas[which], "")
		if err != nil {
			return
		}
		j := &Job{Source: NewLines(r, &format), Format: format, ISA: isas[which], Workers: 1, Targets: []Predictor{{Model: m[which], Engine: engine.Bounds}}}
		_ = j.Run(context.Background(), func(rows []Row) error {
			for i := range rows {
				if rows[i].Err != nil && strings.HasPrefix(rows[i].Err.Error(), "internal error") {
					t.Error(rows[i].Err)
				}
				if line := rows[i].Append(nil, false); bytes.IndexByte(line, '\n') < 0 {
					t.Errorf("%q", line)
				}
			}
			return nil
		})
	})
}

// BenchmarkBounds is a corpus from text to rows on one core. The target is 50,000 blocks per second.
func BenchmarkBounds(b *testing.B) {
	benchmark(b, strings.Repeat(corpus(b, "../../eval/testdata/zen4-loops.tsv"), 2), "bounds", "skl")
}

// BenchmarkAuto is the same with the simulator, on compiled loops. The target is 10,000 blocks per second. Its profile of three cores is that with which
// incore is built (cmd/incore/default.pgo).
func BenchmarkAuto(b *testing.B) {
	text := corpus(b, "../../eval/testdata/zen4-loops.tsv") + corpus(b, "../../eval/testdata/emeraldrapids-loops.tsv")
	for _, arch := range []string{"skylake", "zen4", "zen5"} {
		b.Run(arch, func(b *testing.B) { benchmark(b, text, "auto", arch) })
	}
}

// corpus returns the rows of a file, without their header.
func corpus(b *testing.B, file string) string {
	b.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	_, rows, _ := strings.Cut(string(data), "\n")
	return rows
}

func benchmark(b *testing.B, rows, engine, arch string) {
	n := 0
	for b.Loop() {
		sim.Forget() // copies of a block are simulated once
		j := job(b, "hex\tcycles\tatt\n"+rows, "", engine, x86.ISA(), arch)
		j.Workers, j.Targets[0].Both = 1, false
		if err := j.Run(context.Background(), func(rows []Row) error { n += len(rows); return nil }); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "blocks/s")
}

// TestEither: a corpus may have machine code and text.
func TestEither(t *testing.T) {
	r := Reader{ISA: x86.ISA()}
	for _, c := range []struct {
		block string
		hex   bool // most of the corpus is
		insts int  // 0: an error
	}{{"480fafc0", false, 1}, {"480fafc0", true, 1}, {"imul %rax, %rax; incq %rcx", true, 2}, {"imul %rax, %rax", false, 1}, {"zz", true, 0}, {"zz", false, 0}, {"48", false, 0}} {
		k, err := r.either(c.block, c.hex)
		if (err != nil) != (c.insts == 0) || err == nil && len(k.Lines) != c.insts {
			t.Errorf("%s: %v, %v", c.block, k, err)
		}
	}
}

// TestQuotedFields: fields in quotes may hold separators and quotes.
func TestQuotedFields(t *testing.T) {
	f := Format{Separator: ','}
	for line, want := range map[string][]string{
		`a,b`:                       {"a", "b"},
		`"add %rax,%rbx",2,"x"`:     {"add %rax,%rbx", "2", "x"},
		`1,"say ""a,b""",""`:        {"1", `say "a,b"`, ""},
		`"a","never closed, so one`: {"a", `"never closed, so one`},
	} {
		if got := f.Split(line, nil); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// TestNoMemdep: a chain through memory is left out where it is asked to be.
func TestNoMemdep(t *testing.T) {
	a := x86.ISA()
	m, err := machine.Get("skl")
	if err != nil {
		t.Fatal(err)
	}
	r := Reader{ISA: a}
	k, err := r.Text("addq $1, (%rdi)")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		without bool
		want    float64
	}{{false, 5}, {true, 1}} { // the load, which takes what is stored, and the addition; one store a cycle
		p := Predictor{Model: m, Engine: engine.Bounds, Conditions: Conditions{NoMemdep: c.without}, Both: true}
		if got, _ := p.Predict(k); math.Abs(got.Unrolled-c.want) > 0.01 {
			t.Errorf("without memory %v: %.2f cycles, want %g", c.without, got.Unrolled, c.want)
		}
	}
}
