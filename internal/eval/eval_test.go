package eval

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"incore/internal/analyze/predict"
	"incore/internal/isa/x86"
	"incore/internal/machine"
)

func TestSummarise(t *testing.T) {
	s := Summarise([]float64{1, 2, 3, 4}, []float64{1, 4, 3, 2})
	if s.N != 4 || s.Mean != (0+0.5+0+1)/4 || s.Median != 0.25 || s.Within20 != 0.5 || s.Over != 0.25 || s.Under != 0.25 {
		t.Errorf("%+v", s)
	}
}

// corpus is our own: figures that follow from the documented latencies and widths.
const corpus = "hex\tcycles\tatt\n" +
	"4801c3\t1\taddq %rax, %rbx\n" +
	"480fafd8\t3\timulq %rax, %rbx\n" +
	"zz\t3\tbroken\n" +
	"4801c3\t-1\taddq %rax, %rbx\n"

func TestCorpus(t *testing.T) {
	blocks, bad, err := read(strings.NewReader(corpus), nil, x86.ISA())
	if err != nil || len(blocks) != 2 || len(bad) != 2 {
		t.Fatalf("%d blocks, %v, %v", len(blocks), bad, err)
	}
	m, err := machine.Get("skylake")
	if err != nil {
		t.Fatal(err)
	}
	for i := range blocks {
		p := Predict(m, &blocks[i], predict.Conditions{Unrolled: true, Measured: true})
		if RelError(p.Sim, blocks[i].Cycles) > 0.02 || p.Bounds != blocks[i].Cycles {
			t.Errorf("%s: %+v", blocks[i].Text, p)
		}
	}
	for _, text := range []string{"", "hex\tatt\n", "cycles\tasm\n1\tjunk junk", "hex\tcycles\n@30\t1\n", "hex\tcycles\n\t1\n"} {
		if b, bad, err := read(strings.NewReader(text), nil, x86.ISA()); err == nil && len(bad) == 0 || len(b) > 0 {
			t.Errorf("%q: %d blocks, %v", text, len(b), err)
		}
	}
}

// TestPlaces: loops whose place is known have it, others begin at 0.
func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	corpus := file("c.tsv", "kernel\tflags\tcycles\tasm\n2\t-O1\t1\tdecl %ecx;jne .L1\n2\t-O2\t1\tdecl %ecx;jne .L1\n")
	blocks, bad, err := Load(corpus, file("p.tsv", "kernel\tflags\toffset\n2\t-O2\t3f\n"), x86.ISA())
	if err != nil || len(bad) > 0 || len(blocks) != 2 {
		t.Fatal(len(blocks), bad, err)
	}
	if a, b := blocks[0].Kernel.Lines[0].Addr, blocks[1].Kernel.Lines; a != 0 || b[0].Addr%64 != 0x3f || b[1].Addr != b[0].Addr+2 {
		t.Errorf("at %#x, and at %#x and %#x", a, b[0].Addr, b[1].Addr)
	}
	for _, text := range []string{"", "kernel\tflags\n", "kernel\toffset\n2\tz\n"} {
		if _, _, err := Load(corpus, file("bad.tsv", text), x86.ISA()); err == nil {
			t.Errorf("%q is read", text)
		}
	}
	blocks, bad, err = read(strings.NewReader("hex\tcycles\nffc975fc@30\t1\n"), nil, x86.ISA())
	if err != nil || len(bad) > 0 || len(blocks) != 1 || !blocks[0].Kernel.Loop || blocks[0].Kernel.Lines[0].Addr%64 != 0x30 {
		t.Errorf("%+v, %v, %v", blocks, bad, err)
	}
}
