package bench

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"incore/internal/bench/host"
	"incore/internal/isa"
	"incore/internal/machine"
)

// assemble makes a kernel of statements.
func assemble(t *testing.T, statements ...string) *isa.Kernel {
	t.Helper()
	a := X86().ISA
	k := &isa.Kernel{ISA: a, Loop: true}
	for i, s := range statements {
		in, err := a.Parse(nil, s, "att")
		if err != nil {
			t.Fatal(err)
		}
		k.Lines = append(k.Lines, isa.Line{Inst: in[0], Text: s, No: i + 1})
	}
	return k
}

// retry repeats a measurement that noise may have spoilt.
func retry(t *testing.T, what string, ok func() (string, bool, error)) {
	t.Helper()
	last := ""
	for range 8 {
		s, good, err := ok()
		if why := new(host.Reason); errors.As(err, &why) && (why.Kind == "unsupported" || why.Kind == "unstable" || why.Kind == "unsteady") {
			t.Skipf("cannot measure here: %v", err)
		} else if err != nil {
			t.Fatal(err)
		}
		if last = s; good {
			return
		}
	}
	t.Errorf("%s: %s", what, last)
}

// TestKnown compares measurements with what must hold on any core, relative to each other.
func TestKnown(t *testing.T) {
	for _, c := range []struct {
		code []string
		want float64 // cycles of a dependent chain that every x86-64 core of the last fifteen years has
	}{
		{[]string{"addq %rbx, %rax", "addq %rax, %rbx"}, 2},
		{[]string{"imulq %rax, %rax"}, 3},
		{[]string{"leaq (%rax,%rbx), %rax", "imulq %rax, %rax", "jne 1b"}, 4}, // (Golden Cove adds immediates at rename)
	} {
		a, err := Assemble(assemble(t, c.code...))
		if err != nil {
			t.Fatal(err)
		}
		for _, unrolled := range []bool{false, true} {
			retry(t, strings.Join(c.code, "; "), func() (string, bool, error) {
				f, err := Block(context.Background(), a.Code, a.N, Setup{Unrolled: unrolled})
				if err != nil {
					return "", false, err
				}
				return trim(f.Cycles, 3), math.Abs(f.Cycles-c.want) <= 0.04*c.want, nil
			})
		}
	}
}

// TestEncoding compares our machine code with that of the system assembler.
func TestEncoding(t *testing.T) {
	as, err := exec.LookPath("as")
	if err != nil {
		t.Skip("no assembler (as) here")
	}
	statements := []string{"movq 592(%rsp), %rsi", "cmpl %ecx, %edx", "vfmadd231ps %xmm2, %xmm0, %xmm8", "movabsq $3398564432480903210, %rsi", "bswapq %rdx",
		"cmoveq %rsp, %r12", "andq $-64, %rax", "pcmpeqb 16(%rax), %xmm9", "vpaddd (%rax,%rbx,4), %zmm1, %zmm2{%k1}", "shrq $4, %rdi", "cmpl $0, %fs:24", "leaq (,%r9,8), %r13", "divq %rcx", "lock addl $1, (%rdi)"}
	dir := t.TempDir()
	src, obj, bin := filepath.Join(dir, "a.s"), filepath.Join(dir, "a.o"), filepath.Join(dir, "a.bin")
	if err := os.WriteFile(src, []byte(strings.Join(statements, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(as, "--64", "-o", obj, src).CombinedOutput(); err != nil {
		t.Skipf("the assembler does not take x86-64 code: %s", out)
	}
	if out, err := exec.Command("objcopy", "-O", "binary", "-j", ".text", obj, bin).CombinedOutput(); err != nil {
		t.Skipf("objcopy: %v %s", err, out)
	}
	want, err := os.ReadFile(bin)
	if err != nil {
		t.Fatal(err)
	}
	a, err := Assemble(assemble(t, statements...))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a.Code, want) {
		t.Errorf("got  %x\nwant %x", a.Code, want)
	}
}

// TestRefusals gives code that cannot be measured as it stands.
func TestRefusals(t *testing.T) {
	a := X86().ISA
	for code, kind := range map[string]string{"\xc3": "branch", "\xe8\x00\x00\x00\x00": "branch", "\x75\x02\x90\x90": "branch", "\x0f\xff\x06": "undecodable", "": "empty", "\x48": "undecodable"} {
		_, _, err := BlockOf(a, []byte(code))
		if why := new(host.Reason); !errors.As(err, &why) || why.Kind != kind {
			t.Errorf("% x: %v, want %s", code, err, kind)
		}
	}
	body, n, err := BlockOf(a, []byte("\x48\x01\xd8\x48\x01\xc3\x75\xf8"))
	if err != nil || n != 2 || len(body) != 6 {
		t.Errorf("loop: %x, %d instructions, %v", body, n, err)
	}
}

// TestCorpusResume checks that a run goes on where an interrupted one was, without what noise spoilt.
func TestCorpusResume(t *testing.T) {
	blocks, err := Blocks(strings.NewReader("hex,cycles\n90,1\n# comment\n4801d8\t2\n\"addq %rax, %rbx; nop\"\nimul %rax, %rbx;nop\n"))
	if err != nil || strings.Join(blocks, "|") != "90|4801d8|addq %rax, %rbx; nop|imul %rax, %rbx;nop" {
		t.Fatalf("%q, %v", blocks, err)
	}
	var out bytes.Buffer
	out.WriteString(Header + "\n")
	ctx, stop := context.WithCancel(context.Background())
	calls := 0
	one := func(_ context.Context, b string, _ []int) (*Figure, error) {
		if calls++; calls == 3 {
			stop()
		}
		if b == "90" {
			return nil, &host.Reason{Kind: "unstable", Msg: unstablePrefix + ": noise,\nmuch"}
		}
		return &Figure{Cycles: 1.5, GHz: 4}, nil
	}
	if err := Measure(ctx, blocks, Jobs(1), &out, one, nil); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	want := Header + "\n90,,,,\"unstable: noise, much\"\n4801d8,1.500,0.000,4.000,\n"
	if out.String() != want {
		t.Errorf("got %q\nwant %q", out.String(), want)
	}
	done, valid, err := Done(strings.NewReader(want + "addq %rax,"))
	if err != nil || valid != int64(len(want)) || len(done) != 1 || done["4801d8"] != 1 {
		t.Errorf("done %v, %d bytes, %v", done, valid, err)
	}
	if _, _, err := Done(strings.NewReader("something,else\n")); err == nil {
		t.Error("a foreign file is taken for measurements")
	}
	if left := Left([]string{"90", "4801d8", "90", "4801d8", "4801d8"}, done); !slices.Equal(left, []string{"90", "90", "4801d8", "4801d8"}) {
		t.Errorf("of blocks that a corpus has several times, left are %q", left)
	}
}

// TestResults writes results, reads them back, and makes a model of them that the loader takes.
func TestResults(t *testing.T) {
	x := X86()
	b := &Bench{Target: x, Run: dataflow(x, func(*isa.Inst) float64 { return 1 })}
	if err := b.Calibrate(context.Background()); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := b.WriteHeader(&out, Identity{"CPU stepping 1 microcode 0x7 (EPYC)", "kernel", "2026-01-01", "test"}, "zen4"); err != nil {
		t.Fatal(err)
	}
	forms := x.Select(regexp.MustCompile(`^(ADD64rr|SUB64rr|IMUL64rm|XOR32rr|VADDPDYrr|CMP64rr)$`), nil)
	b.CPUs = [][]int{nil, nil} // two at a time
	if err := b.Forms(context.Background(), forms, Latency|Throughput, &out, nil); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Measured(strings.NewReader(out.String()), "CPU stepping 2 microcode 0x7 (EPYC)"); err == nil || !strings.Contains(err.Error(), "another machine") {
		t.Errorf("results of another machine: %v", err)
	}
	done, valid, err := Measured(strings.NewReader(out.String()+"VADDPSrr | = | 2"), "CPU stepping 1 microcode 0x8 (EPYC)") // updated since
	if err != nil || len(done) != len(forms) || valid != int64(out.Len()) || !done["CMP64rr"] {
		t.Errorf("%v, %d of %d bytes, %v", done, valid, out.Len(), err)
	}
	var model strings.Builder
	if err := Build(&out, &model, "here", "Here"); err != nil {
		t.Fatal(err)
	}
	m, err := machine.Load(strings.NewReader(model.String()), "here")
	if err != nil {
		t.Fatalf("%v\n%s", err, model.String())
	}
	in, _ := x.ISA.Parse(nil, "imulq %rax, %rbx", "att")
	if c := m.Cost(x.ISA, &in[0]); c.Latency <= 0 {
		t.Errorf("inherited cost %+v", c)
	}
	in, _ = x.ISA.Parse(nil, "vaddpd %ymm0, %ymm1, %ymm2", "att")
	if c := m.Cost(x.ISA, &in[0]); c.SourceLatency != 1 || !strings.HasPrefix(c.Rows[len(c.Rows)-1], "here:") {
		t.Errorf("measured cost %g from %v", c.SourceLatency, c.Rows)
	}
	if err := Build(strings.NewReader("nonsense"), &model, "x", "x"); err == nil {
		t.Error("a model is made of nonsense")
	}
}

// TestCarriesFlags: the driver's loop leaves the flags alone where a block reads what it last wrote into them, unless
// only the carry, which the loop always leaves; without a register to count in there is no loop.
func TestCarriesFlags(t *testing.T) {
	for text, want := range map[string]bool{
		"movq %rbx, %rax; adoxq %rdx, %rax":          true,
		"sete %al; addb %al, %bl":                    true,
		"cmovoq %rdx, %rax; addq %rsi, %rdi":         true,
		"movq %rbx, %rax; adcq %rdx, %rax":           false, // the carry
		"addq %rsi, %rdi; cmovoq %rdx, %rax":         false, // its own
		"cmovoq %rdx, %rax":                          false, // never written
		"movq %rbx, %rcx; adoxq %rdx, %rcx":          false, // no register to count in
		"movq %rbx, %rax; adoxq (%rsi,%rcx,4), %rax": false,
	} {
		a, err := Assemble(assemble(t, strings.Split(text, "; ")...))
		if err != nil {
			t.Fatal(err)
		}
		carries, counter := X86().carriesFlags(a.Code)
		if got := carries && counter; got != want {
			t.Errorf("%s: %v", text, got)
		}
		if counter == strings.Contains(text, "rcx") {
			t.Errorf("%s: can count %v", text, counter)
		}
		if f, err := Block(context.Background(), a.Code, a.N, Setup{Windows: 12}); err == nil && f.Unrolled != (carries && !counter) {
			t.Errorf("%s: unrolled %v", text, f.Unrolled)
		} else if err != nil && !unstable(err) && !unsteady(err) {
			why := new(host.Reason)
			if errors.As(err, &why) && (why.Kind == "unsupported" || why.Kind == "illegal") {
				continue
			}
			t.Errorf("%s: %v", text, err)
		}
	}
}
