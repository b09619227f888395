package machine

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"incore/internal/base/long"
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
		checkWhole(t, m)
	}
}

// checkWhole checks what every model of the folder has.
func checkWhole(t *testing.T, m *Model) {
	t.Helper()
	if m.Params.DispatchWidth == 0 || m.Params.LoadLatency == 0 || len(m.rows.layers) == 0 {
		t.Errorf("%s: no dispatch width, load latency or rows: %+v", m.Name, m.Params)
	}
}

// TestConcurrent looks forms up in fresh models of one base from several goroutines; each must find what a lone one does.
func TestConcurrent(t *testing.T) {
	a := tables(t)["x86-64"]
	costs := func(m *Model) string {
		var s strings.Builder
		for f := isa.FormID(1); int(f) < a.Forms.Len(); f += 5 {
			if r := m.compile(a).lookup(&isa.Inst{Form: f}); r.uops != nil && r.lat != nil {
				fmt.Fprintln(&s, f, r.uops.file, r.uops.line, r.uops.uops, r.lat.file, r.lat.line, r.lat.lat)
			}
		}
		return s.String()
	}
	names := []string{"zen4", "zen5"}
	var want [2]string
	for i, n := range names {
		m, err := Get(n)
		if err != nil {
			t.Fatal(err)
		}
		if want[i] = costs(m); len(want[i]) < 100_000 {
			t.Fatalf("%s: only %d bytes of costs", n, len(want[i]))
		}
	}
	forget()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			m, err := Get(names[i%2])
			if err != nil {
				t.Error(err)
			} else if costs(m) != want[i%2] {
				t.Errorf("%s: other costs than alone", names[i%2])
			}
		}()
	}
	wg.Wait()
}

// forget empties what is remembered of embedded models.
func forget() {
	cache.Clear()
	embeddedTables.Clear()
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

// BenchmarkLoad is what a process pays for a machine: its files read and indexed, a kernel's instructions looked up.
// The target is 2 ms.
func BenchmarkLoad(b *testing.B) {
	isas := tables(b)
	for _, c := range []struct {
		machine string
		forms   []string
	}{
		{"zen5", x86Forms}, {"skylake", x86Forms}, {"emeraldrapids", x86Forms},
		{"neoverse-v2", []string{"LDRDui", "LDPQi", "FMADDDrrr", "FMLAv2f64", "STRDui", "ADDXri", "SUBSXri", "Bcc"}},
		{"sifive-7", []string{"FLD", "FMADD_D", "FSD", "ADDI", "VLE64_V", "VFMACC_VV", "BNE"}},
	} {
		b.Run(c.machine, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				forget()
				m, err := Get(c.machine)
				if err != nil {
					b.Fatal(err)
				}
				a := isas[m.ISA]
				for _, form := range c.forms {
					if f := m.compile(a).lookup(&isa.Inst{Form: a.Forms.Named(form)}); f.uops == nil {
						b.Fatalf("%s: no row", form)
					}
				}
			}
		})
	}
}

var x86Forms = []string{"VMOVUPDYrm", "VFMADD213PDYm", "VADDPDYrr", "VMULPDYrr", "VMOVUPDYmr", "ADD64ri8", "CMP64rr", "JCC_1"}

// BenchmarkValidate reads and checks all rows of a model.
func BenchmarkValidate(b *testing.B) {
	isas := tables(b)
	for b.Loop() {
		forget()
		m, err := Get("emeraldrapids")
		if err != nil {
			b.Fatal(err)
		}
		if err := m.Validate(isas[m.ISA]); err != nil {
			b.Fatal(err)
		}
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
	for _, n := range long.Spread(Names(), 12) {
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

// BenchmarkIndex reads the names of all models.
func BenchmarkIndex(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		readNames()
	}
}
