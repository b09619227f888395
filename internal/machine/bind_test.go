package machine_test

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"incore/internal/isa"
	"incore/internal/isa/aarch64"
	"incore/internal/isa/riscv"
	"incore/internal/isa/x86"
	"incore/internal/machine"
)

var isas = map[string]*isa.ISA{"x86-64": x86.ISA(), "aarch64": aarch64.ISA(), "riscv64": riscv.ISA()}

// kernel parses statements separated by newlines.
func kernel(t testing.TB, name, text string) *isa.Kernel {
	t.Helper()
	a := isas[name]
	k := &isa.Kernel{ISA: a, Syntax: a.Syntaxes[0], Loop: true}
	for _, l := range strings.Split(strings.TrimSpace(text), "\n") {
		l = strings.TrimSpace(l)
		in, err := a.Parse(nil, l, k.Syntax)
		if err != nil {
			in = []isa.Inst{{}}
		}
		for _, i := range in {
			k.Lines = append(k.Lines, isa.Line{Inst: i, Text: l, Err: err})
		}
	}
	return k
}

func model(t testing.TB, name string) *machine.Model {
	t.Helper()
	m, err := machine.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// pressure is the load of each port if every µop is spread evenly over its ports.
func pressure(b *machine.Bound) map[string]float64 {
	out := map[string]float64{}
	for _, in := range b.Insts {
		for _, u := range in.Uops {
			names := b.Model.PortNames(u.Ports)
			for _, n := range names {
				out[n] += u.Cycles / float64(len(names))
			}
		}
	}
	return out
}

func TestShow(t *testing.T) {
	v := os.Getenv("SHOW")
	if v == "" {
		t.Skip("SHOW=model:file prints a bound kernel")
	}
	name, file, _ := strings.Cut(v, ":")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m := model(t, name)
	b := m.Bind(kernel(t, m.ISA, string(text)))
	for i := range b.Insts {
		in := &b.Insts[i]
		fmt.Printf("%-40s lat %v load %v slots %v flags %b %s\n", in.Line.Text, in.Latency, in.Load, in.Slots, in.Flags, in.Source)
		for _, u := range in.Uops {
			fmt.Printf("      %v:%v kind %d\n", m.SetName(u.Ports), u.Cycles, u.Kind)
		}
		for x := 0; x < in.Inputs(); x++ {
			for y := 0; y < in.Outputs(); y++ {
				if c, ok := in.Pair(x, y); ok {
					from, to := "mem", "mem"
					if x < len(in.Effects.Reads) {
						from = isas[m.ISA].Regs.Name(in.Effects.Reads[x].Reg)
					}
					if y < len(in.Effects.Writes) {
						to = isas[m.ISA].Regs.Name(in.Effects.Writes[y].Reg)
					}
					fmt.Printf("      %s>%s:%v", from, to, c)
				}
			}
		}
		fmt.Println()
	}
	fmt.Println(pressure(b), b.Notes, math.Inf(1))
}

// TestHost checks that whatever machine the test runs on is either recognised as an embedded model, or explained.
func TestHost(t *testing.T) {
	name, why, ok := machine.Host()
	t.Log(name, why, ok)
	if why == "" {
		t.Error("no explanation")
	}
	if !ok {
		t.Skip("host not recognised: " + why)
	}
	model(t, name)
}

// TestValidate joins every model with its ISA as it is used, vector types included.
func TestValidate(t *testing.T) {
	for _, n := range machine.Names() {
		m := model(t, n)
		if err := m.Validate(isas[m.ISA]); err != nil {
			t.Errorf("%s: %v", n, err)
		}
	}
}
