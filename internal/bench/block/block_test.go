package block

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"incore/internal/bench/host"
	"incore/internal/isa"
	"incore/internal/isa/aarch64"
)

// assemble makes a kernel of statements.
func assemble(t *testing.T, statements ...string) *isa.Kernel {
	t.Helper()
	a := AMD64().ISA
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
				f, err := Measure(context.Background(), a.Code, a.N, Setup{Unrolled: unrolled})
				if err != nil {
					return "", false, err
				}
				return fmt.Sprintf("%.3f", f.Cycles), math.Abs(f.Cycles-c.want) <= 0.04*c.want, nil
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
	a := AMD64().ISA
	for code, kind := range map[string]string{"\xc3": "branch", "\xe8\x00\x00\x00\x00": "branch", "\x75\x02\x90\x90": "branch", "\x0f\xff\x06": "undecodable", "": "empty", "\x48": "undecodable"} {
		_, _, err := Body(a, []byte(code))
		if why := new(host.Reason); !errors.As(err, &why) || why.Kind != kind {
			t.Errorf("% x: %v, want %s", code, err, kind)
		}
	}
	body, n, err := Body(a, []byte("\x48\x01\xd8\x48\x01\xc3\x75\xf8"))
	if err != nil || n != 2 || len(body) != 6 {
		t.Errorf("loop: %x, %d instructions, %v", body, n, err)
	}
}

// TestCorpusResume checks that a run goes on where an interrupted one was, without what noise spoilt.
func TestCorpusResume(t *testing.T) {
	blocks, err := ReadCorpus(strings.NewReader("hex,cycles\n90,1\n# comment\n4801d8\t2\n\"addq %rax, %rbx; nop\"\nhex,a title is the first line\nimul %rax, %rbx;nop\n"))
	if err != nil || strings.Join(blocks, "|") != "90|4801d8|addq %rax, %rbx; nop|hex|imul %rax, %rbx;nop" {
		t.Fatalf("%q, %v", blocks, err)
	}
	if more, err := ReadCorpus(strings.NewReader("block\n90\nhex\n")); err != nil || len(more) != 2 { // a header is the first line only
		t.Errorf("%q, %v", more, err)
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
			return nil, host.Noisy("noise,\nmuch")
		}
		return &Figure{Cycles: 1.5, GHz: 4, Chosen: []string{"rdx starts with 0x0", "r8 with 0x8"}}, nil
	}
	if err := (&Corpus{Blocks: blocks, Jobs: host.Jobs(1), One: one}).Measure(ctx, &out); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	want := Header + "\n90,,,,\"unstable: noise, much\",\n4801d8,1.500,0.000,4.000,,rdx starts with 0x0; r8 with 0x8\n"
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
		carries, counter := AMD64().carriesFlags(a.Code)
		if got := carries && counter; got != want {
			t.Errorf("%s: %v", text, got)
		}
		if counter == strings.Contains(text, "rcx") {
			t.Errorf("%s: can count %v", text, counter)
		}
		if f, err := Measure(context.Background(), a.Code, a.N, Setup{Windows: 12}); err == nil && f.Unrolled != (carries && !counter) {
			t.Errorf("%s: unrolled %v", text, f.Unrolled)
		} else if err != nil && !host.Unstable(err) && !host.Unsteady(err) {
			why := new(host.Reason)
			if errors.As(err, &why) && (why.Kind == "unsupported" || why.Kind == "illegal") {
				continue
			}
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestAssemblePath checks what becomes of branches and of addresses relative to the instruction pointer in a path through machine code.
func TestAssemblePath(t *testing.T) {
	a := AMD64().ISA
	k := &isa.Kernel{ISA: a, Loop: true}
	at := uint64(0x1000)
	for _, code := range []string{
		"\x48\x8b\x05\x10\x00\x00\x00", // mov 16(%rip),%rax
		"\x48\x85\xc0",                 // test %rax,%rax
		"\x74\x20",                     // je elsewhere
		"\xeb\x00",                     // jmp to what follows
		"\x48\x01\xc3",                 // add %rax,%rbx
		"\x75\xf0",                     // jne: closes the loop
	} {
		l := isa.Line{Addr: at}
		n, err := a.Decode([]byte(code), at, &l.Inst)
		if err != nil {
			t.Fatal(err)
		}
		l.Inst.Size = uint8(n)
		at += uint64(n)
		k.Lines = append(k.Lines, l)
	}
	got, err := Assemble(k)
	if err != nil {
		t.Fatal(err)
	}
	if got.N != 4 || got.Branches != 1 || got.Jumps != 1 || got.Relative != 1 {
		t.Errorf("%+v, want 4 instructions, 1 branch, 1 jump, 1 address", got)
	}
	var targets []uint64
	for at := 0; at < len(got.Code); {
		var in isa.Inst
		n, err := a.Decode(got.Code[at:], uint64(at), &in)
		if err != nil {
			t.Fatal(err)
		}
		if f := a.Flow(&in); f.Kind == isa.FlowCond && f.Target.Imm != int64(at+n) {
			t.Errorf("the branch leads to %#x, not to %#x behind it", f.Target.Imm, at+n)
		}
		if m := a.Forms.MemOp(in.Form); m >= 0 {
			targets = append(targets, uint64(in.Ops[m+3].Imm))
		}
		at += n
	}
	if len(targets) != 1 || targets[0] != codeData+0x1017 {
		t.Errorf("addresses %#x, want %#x", targets, codeData+0x1017)
	}
}

// TestAssembleTestedBranch: a branch whose target is not its first operand cannot be led to the next instruction, and is no part of a path.
func TestAssembleTestedBranch(t *testing.T) {
	a := aarch64.ISA()
	k := &isa.Kernel{ISA: a, Loop: true}
	for i, text := range []string{"add x1, x1, x2", "cbz x1, 64", "add x3, x3, x1"} {
		in, err := a.Parse(nil, text, "")
		if err != nil {
			t.Fatal(err)
		}
		k.Lines = append(k.Lines, isa.Line{Inst: in[0], Text: text, Addr: uint64(0x1000 + 4*i)})
	}
	got, err := Assemble(k)
	if why := new(host.Reason); !errors.As(err, &why) || why.Kind != "branch" {
		t.Errorf("%+v, %v", got, err)
	}
}
