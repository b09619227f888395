package analyze

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"incore/internal/analysis/engine"
	"incore/internal/base/long"
	"incore/internal/base/source"
	"incore/internal/machine"
	"incore/internal/report"
)

func text(t *testing.T, code string) *source.File {
	t.Helper()
	f, err := source.New("test.s", []byte(code))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

const seidel = ".L3:\nmovsd -8(%rdi,%rax,8), %xmm0\nmulsd %xmm1, %xmm0\naddsd (%rsi,%rax,8), %xmm0\nmovsd %xmm0, (%rdi,%rax,8)\naddq $1, %rax\ncmpq %rax, %rdx\njne .L3\n"

// TestMemory checks the dependences through memory in a report.
func TestMemory(t *testing.T) {
	for _, c := range []struct {
		name, code string
		o          MemoryOptions
		want       string // FROM>TO@DISTANCE BYTES/SIZE, without it N; then what is possible
	}{
		{"carried", seidel, MemoryOptions{}, "3>0@1 8/8 executed without 1.5; without all 1.5"},
		{"off", seidel, MemoryOptions{Off: true}, ""},
		{"none", "movsd (%rdi),%xmm0\nmovsd %xmm0,8(%rdi)\n", MemoryOptions{}, ""},
		{"two", "movsd -8(%rdi),%xmm0\naddsd -16(%rdi),%xmm0\nmovsd %xmm0,(%rdi)\nadd $8,%rdi\n", MemoryOptions{}, "2>0@1 8/8 executed without half; 2>1@2 8/8 executed; without all 1.0"},
		{"in one iteration", "mov %rax,(%rsp)\nmov (%rsp),%eax\nadd $64,%rsp\n", MemoryOptions{}, "0>1@0 4/4 executed without 1.0; without all 1.0"},
		{"pointers that may be equal", "vmulsd (%rax),%xmm3,%xmm0\nvmovsd %xmm0,(%r10)\n", MemoryOptions{}, "1>0@1 if r10=rax slower"},
		{"pointers that are not", "vmulsd (%rax),%xmm3,%xmm0\nvmovsd %xmm0,(%r10)\n", MemoryOptions{NoAlias: true}, ""},
		{"pointers that are", "vmulsd (%rax),%xmm3,%xmm0\nvmovsd %xmm0,(%r10)\n", MemoryOptions{Alias: []string{"r10=rax"}}, "1>0@1 8/8 executed without 1.0; without all 1.0"},
		{"not of interest: ports are slower", "divsd (%rax),%xmm3\nvdivpd %ymm1,%ymm2,%ymm4\nvdivpd %ymm1,%ymm2,%ymm5\nmovsd %xmm1,(%r10)\n", MemoryOptions{}, ""},
		{"by index", "movsd (%rdi,%rax),%xmm0\naddsd %xmm1,%xmm0\nmovsd %xmm0,(%rdi,%rcx)\n", MemoryOptions{}, "2>0@1 if rcx=rax slower"},
		{"the stack is no pointer's", "movsd (%rdi),%xmm0\naddsd %xmm1,%xmm0\nmovsd %xmm0,(%rsp)\n", MemoryOptions{}, ""},
		{"by data", "movslq (%rsi),%rax\naddl $1,(%rdi,%rax,4)\nadd $4,%rsi\n", MemoryOptions{}, "1>1@1 if address depends on data slower"},
		{"not executed", "movq %xmm1,%rax\nmov %rcx,(%rax)\nmov (%rax),%rcx\n", MemoryOptions{}, "1>2@0 0/0 expressions without 1.0; without all 1.0"},
	} {
		doc, err := Run(text(t, c.code), Options{Archs: []string{"skx"}, Engine: engine.Bounds, Memory: c.o})
		if err != nil {
			t.Fatal(err)
		}
		x := &doc.Kernels[0].Targets[0]
		if got := describeMemory(x); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func describeMemory(t *report.Target) string {
	var s []string
	m, now := t.Memory, t.Prediction.Cycles
	if m == nil {
		return ""
	}
	for _, d := range m.Dependencies {
		x := fmt.Sprintf("%d>%d@%d %d/%d %s", d.From, d.To, d.Distance, d.Bytes, d.Size, d.Method)
		switch {
		case d.Without == nil:
		case d.Without.Cycles == now/2:
			x += " without half"
		default:
			x += fmt.Sprintf(" without %.1f", d.Without.Cycles)
		}
		if d.Method == report.Executed && (d.Seen == 0 || d.Seen > d.Of) {
			x += fmt.Sprintf(" seen in %d of %d", d.Seen, d.Of)
		}
		s = append(s, x)
	}
	if m.Without != nil {
		s = append(s, fmt.Sprintf("without all %.1f", m.Without.Cycles))
	}
	for _, p := range m.Possible {
		why := p.If
		if why == "" {
			why = p.Why
		}
		x := fmt.Sprintf("%d>%d@%d if %s", p.From, p.To, p.Distance, why)
		if p.Cycles > 2*now {
			x += " slower"
		}
		s = append(s, x)
	}
	return strings.Join(s, "; ")
}

// TestDeps checks that the dependences of examples refer to existing instructions, that none is listed twice, and that they equal those in
// the report of analyze.
func TestDeps(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "examples", "*.s"))
	if err != nil || len(files) < 50 {
		t.Fatalf("%d examples, %v", len(files), err)
	}
	memory := 0
	for _, path := range long.Spread(files, 50) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, _ := source.New(filepath.Base(path), data)
		full, err := Run(f, Options{})
		if err != nil {
			t.Fatal(err)
		}
		arch := full.Kernels[0].Targets[0].Arch
		doc, err := Deps(f, Options{Archs: []string{arch}}, DepsOptions{WAR: true, WAW: true, May: true})
		if err != nil || len(doc.Kernels) != len(full.Kernels) {
			t.Fatalf("%s: %d kernels, analyze has %d; %v", f.Name, len(doc.Kernels), len(full.Kernels), err)
		}
		for i := range doc.Kernels {
			memory += checkDeps(t, f.Name, &doc.Kernels[i], &full.Kernels[i].Targets[0])
			k := &doc.Kernels[i]
			if said := strings.Contains(strings.Join(k.Notes, "\n"), "an outer loop carries"); said != (k.Depth > 1) {
				t.Errorf("%s %s: depth %d, notes %q", f.Name, k.Name, k.Depth, k.Notes)
			}
		}
	}
	least := 3
	if long.Tests() {
		least = 20
	}
	if memory < least {
		t.Errorf("%d dependences through memory in the examples, want %d at least", memory, least)
	}
}

func checkDeps(t *testing.T, file string, k *report.DepsKernel, x *report.Target) (memory int) {
	t.Helper()
	type key struct {
		kind, via, order string
		from, to, dist   int
		must             bool
	}
	seen, reads := map[key]bool{}, map[key]bool{}
	last := 0
	for _, d := range k.Dependencies {
		n := len(k.Instructions)
		id := key{d.Kind, d.Via, d.Order, d.From, d.To, d.Distance, d.Must}
		switch {
		case d.From < 0 || d.From >= n || d.To < last || d.To >= n, d.Distance < 0, d.Distance == 0 && d.From >= d.To:
			t.Errorf("%s %s: %+v of %d instructions", file, k.Name, d, n)
		case d.Via == "", (d.Why == "") != d.Must, (d.Latency != nil) != (d.Order == report.RAW && d.Must), (d.Evidence != nil) != (d.Kind == "memory" && d.Must):
			t.Errorf("%s %s: %+v", file, k.Name, d)
		case seen[id]:
			t.Errorf("%s %s: twice: %+v", file, k.Name, d)
		}
		last, seen[id] = d.To, true
		if d.Order == report.RAW && d.Must {
			reads[id] = true
			if d.Kind == "memory" {
				memory++
			}
		}
	}
	want := map[key]bool{}
	for _, d := range x.Dependencies {
		kind := d.Kind
		if kind == "address" {
			kind = "register"
		}
		want[key{kind, d.Via, report.RAW, d.From, d.To, d.Distance, true}] = true
	}
	if len(want) != len(reads) {
		t.Errorf("%s %s: %d dependences, analyze has %d", file, k.Name, len(reads), len(want))
	}
	return memory
}

// TestCarriedEverywhere checks on every machine, with its default engine, that a chain through memory costs at least its arithmetic, and that the
// prediction equals the sum of the chain.
func TestCarriedEverywhere(t *testing.T) {
	code := map[string][]string{
		"x86-64": {".L3:\nmovsd (%rax),%xmm0\nmulsd %xmm1,%xmm0\nmovsd %xmm0,(%rax)\njne .L3\n",
			".L3:\nmov 8(%rdi,%rcx),%rax\nimul %rax,%rax\nmov %rax,8(%rdi,%rcx)\njne .L3\n"},
		"aarch64": {".L3:\nldr d0,[x0]\nfmul d0,d0,d1\nstr d0,[x0]\ncmp x0,x2\nbne .L3\n",
			".L3:\nldr x1,[x0]\nmul x1,x1,x1\nstr x1,[x0]\ncmp x0,x2\nbne .L3\n"},
		"riscv64": {".L3:\nfld fa5,0(a0)\nfmul.d fa5,fa5,fa4\nfsd fa5,0(a0)\nbne a0,a2,.L3\n",
			".L3:\nld a5,0(a0)\nmul a5,a5,a5\nsd a5,0(a0)\nbne a0,a2,.L3\n"},
	}
	n := 0
	for _, name := range machine.Names() {
		m, err := machine.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		if m.Name != name {
			continue
		}
		for _, c := range code[m.ISA] {
			doc, err := Run(text(t, c), Options{Archs: []string{name}, ISA: m.ISA})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			checkCarried(t, name, &doc.Kernels[0].Targets[0])
			n++
		}
	}
	t.Logf("%d kernels", n)
}

func checkCarried(t *testing.T, name string, x *report.Target) {
	t.Helper()
	multiply := slices.IndexFunc(x.Instructions, func(in report.Instruction) bool { return strings.Contains(in.Text, "mul") })
	p, latency := x.Prediction, x.Instructions[multiply].Latency
	switch {
	case x.Memory == nil || len(x.Memory.Dependencies) != 1 || len(x.LoopCarried) == 0:
		t.Errorf("%s: %+v", name, x.Memory)
	case p.Cycles < latency-0.01:
		t.Errorf("%s: %g cycles by the %s, though the multiplication alone takes %g; without the dependence %g", name, p.Cycles, p.Engine, latency, x.Memory.Without.Cycles)
	case p.Cycles < x.LoopCarried[0].Cycles-0.01:
		t.Errorf("%s: %s: %g cycles by the %s, though the chain takes %g", name, x.Instructions[multiply].Text, p.Cycles, p.Engine, x.LoopCarried[0].Cycles)
	}
}

// TestTooManyPairs checks that the possible dependences of a kernel with very many pairs are not listed, and that a note says so.
func TestTooManyPairs(t *testing.T) {
	code := strings.Repeat("mov %rax,(%rbx)\nmov (%rcx),%rdx\n", 400)
	doc, err := Deps(text(t, code), Options{Archs: []string{"skx"}}, DepsOptions{May: true})
	if err != nil {
		t.Fatal(err)
	}
	k := &doc.Kernels[0]
	if len(k.Diagnostics) != 1 || !strings.Contains(k.Diagnostics[0].Message, "160000 pairs") {
		t.Errorf("%+v", k.Diagnostics)
	}
	for _, d := range k.Dependencies {
		if !d.Must {
			t.Fatalf("%+v", d)
		}
	}
}
