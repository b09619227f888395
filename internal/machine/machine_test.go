package machine

import (
	"os"
	"strings"
	"testing"

	"incore/internal/isa"
)

// tables opens the ISAs' tables alone, without their parsers: enough for forms and registers.
func tables(t testing.TB) map[string]*isa.ISA {
	t.Helper()
	out := map[string]*isa.ISA{}
	for name, dir := range map[string]string{"x86-64": "x86", "aarch64": "aarch64", "riscv64": "riscv"} {
		data, err := os.ReadFile("../isa/" + dir + "/tables.bin")
		if err != nil {
			t.Fatal(err)
		}
		a := &isa.ISA{Name: name}
		a.Forms, a.Regs, a.Match = isa.Load(string(data))
		out[name] = a
	}
	return out
}

// TestModels validates every embedded model: it parses, and all forms, ports and registers exist.
func TestModels(t *testing.T) {
	isas := tables(t)
	if len(Names()) < 60 {
		t.Errorf("only %d models embedded", len(Names()))
	}
	for _, n := range Names() {
		m, err := Get(n)
		if err != nil {
			t.Errorf("%s: %v", n, err)
			continue
		}
		a := isas[m.ISA]
		if a == nil {
			t.Errorf("%s: unknown isa '%s'", n, m.ISA)
			continue
		}
		if m.Name != n {
			t.Errorf("%s: the file calls itself '%s'", n, m.Name)
		}
		if err := m.Validate(a); err != nil {
			t.Errorf("%s: %v", n, err)
		}
		if m.Params.DispatchWidth == 0 || m.Params.LoadLatency == 0 || len(m.rows.list) == 0 {
			t.Errorf("%s: no dispatch width, load latency or rows: %+v", n, m.Params)
		}
	}
}

func TestAll(t *testing.T) {
	all := All()
	if len(all) != len(Names()) {
		t.Errorf("All lists %d models of %d", len(all), len(Names()))
	}
	for _, i := range all {
		if i.Title == "" || len(i.Ports) == 0 || len(i.Sources) == 0 || i.Coverage == "" {
			t.Errorf("%s: incomplete: %+v", i.Name, i)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	for _, n := range []string{"skylake-server", "zen5", "thunderx2", "sapphirerapids", "sifive-7"} {
		b.Run(n, func(b *testing.B) {
			for b.Loop() {
				file, text, _ := findEmbedded(n)
				if _, err := parseModel(file, text, findEmbedded, 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	isas := tables(b)
	for _, n := range []string{"skylake-server", "zen5", "thunderx2", "sapphirerapids", "sifive-7"} {
		m, err := Get(n)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(n, func(b *testing.B) {
			for b.Loop() {
				if _, err := compileRows(m.rows.list, isas[m.ISA]); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkAll(b *testing.B) {
	for b.Loop() {
		All()
	}
}

// TestLoadPart checks that a load's part of the latency is what the load adds to the same
// instruction with a register in its place, so that register operands cost the same in both.
func TestLoadPart(t *testing.T) {
	a := tables(t)["x86-64"]
	for _, n := range []string{"sandybridge", "haswell", "skylake", "skylake-server", "icelake-client", "alderlake-p", "sapphirerapids", "zen1", "zen2", "zen3", "zen4"} {
		m, err := Get(n)
		if err != nil {
			t.Fatal(err)
		}
		c, all, bad := m.compile(a), 0, 0
		for f := isa.FormID(1); int(f) < a.Forms.Len(); f++ {
			name, ok := strings.CutSuffix(a.Forms.Name(f), "rm")
			sibling := a.Forms.Named(name + "rr")
			if !ok || sibling == isa.NoForm {
				continue
			}
			x, y := c.lookup(&isa.Inst{Form: f}), c.lookup(&isa.Inst{Form: sibling})
			if x.lat == nil || y.lat == nil || !(x.lat.lat.load < x.lat.lat.source()) {
				continue
			}
			all++
			if x.lat.lat.source()-x.lat.lat.load != y.lat.lat.source() {
				bad++
			}
		}
		if all < 1000 || bad > all/8 { // measurements give upper bounds for some
			t.Errorf("%s: in %d of %d forms the load's part is not what it adds", n, bad, all)
		}
	}
}

// TestCorrected counts the forms whose cost is not LLVM's alone, and checks that every row has a source.
func TestCorrected(t *testing.T) {
	isas := tables(t)
	for _, n := range Names() {
		m, err := Get(n)
		if err != nil {
			t.Fatal(err)
		}
		a := isas[m.ISA]
		c, known, corrected, borrowed := m.compile(a), 0, 0, 0
		for f := isa.FormID(1); int(f) < a.Forms.Len(); f++ {
			r := c.lookup(&isa.Inst{Form: f})
			if r.uops == nil || r.lat == nil || a.Forms.Flags(f)&isa.Pseudo != 0 {
				continue
			}
			known++
			if r.uops.source == "" || r.lat.source == "" {
				t.Errorf("%s: %s has no source", n, a.Forms.Name(f))
			}
			if !strings.HasPrefix(r.uops.source, "llvm ") || !strings.HasPrefix(r.lat.source, "llvm ") {
				corrected++
			}
			if r.uops.borrowed {
				borrowed++
			}
		}
		t.Logf("%s: %d forms with data, %d corrected, %d borrowed", n, known, corrected, borrowed)
		if known < 150 {
			t.Errorf("%s: data for %d forms only", n, known)
		}
	}
}

func BenchmarkIndex(b *testing.B) {
	for b.Loop() {
		for _, n := range Names() {
			modelHead(readEmbedded("models/" + n + modelExt))
		}
	}
}
