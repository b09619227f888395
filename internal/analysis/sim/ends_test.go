package sim_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/sim"
	"incore/internal/analysis/uops"
	"incore/internal/machine"
)

// numbers are options of a core whose value is a number, or has parts that are, as functions of this number: PART=N
// behind the parts that the core states.
func numbers(m *machine.Model) map[string]func(n int) machine.Fact {
	out := map[string]func(n int) machine.Fact{}
	stated := map[string]string{}
	for _, f := range m.Facts {
		stated[f.Name] = f.Value
	}
	core := reflect.TypeFor[machine.Core]()
	for s := range core.NumField() {
		for i := range core.Field(s).Type.NumField() {
			f := core.Field(s).Type.Field(i)
			name := f.Tag.Get("param")
			switch {
			case name == "":
			case f.Type.Kind() == reflect.Int || f.Type.Kind() == reflect.Float64:
				out[name] = func(n int) machine.Fact { return machine.Fact{Name: name, Value: fmt.Sprint(n)} }
			case f.Type.Kind() == reflect.Struct && f.Type.NumField() > 0:
				for k := range f.Type.NumField() {
					part := f.Type.Field(k)
					key := part.Tag.Get("key")
					if key == "" || part.Type.Kind() == reflect.Bool {
						continue
					}
					var first string
					var others []string
					for i, word := range strings.Fields(stated[name]) {
						switch n, _, named := strings.Cut(word, "="); {
						case i == 0 && !named && strings.Trim(word, "0123456789") == "":
							first = word
						case n != key:
							others = append(others, word)
						}
					}
					out[name+" "+key] = func(n int) machine.Fact {
						words := append([]string{first}, append(others, fmt.Sprintf("%s=%d", key, n))...)
						if key == "." {
							words = append([]string{fmt.Sprint(n)}, others...)
						}
						return machine.Fact{Name: name, Value: strings.TrimSpace(strings.Join(words, " "))}
					}
				}
			}
		}
	}
	return out
}

// TestEndsOfOptions: whatever number an option takes, the simulation comes to an end; and a number for which it has
// no room is an error, not another number. A time for which something stays taken never makes a loop faster as it
// grows.
func TestEndsOfOptions(t *testing.T) {
	kernels := map[string][]string{
		"x86-64": {"movq (%rsi), %rax; movq (%rdi), %rbx; movq 8(%rsi), %rcx; movq 8(%rdi), %rdx; movq (%rbp), %rbp",
			"divq %rcx; movq (%rax), %rax; movq %rbx, 8(%rax); vmulps %ymm0, %ymm1, %ymm2; vdivps %ymm0, %ymm1, %ymm3",
			"addq $1, %rax; movq %rax, (%rdi); movq (%rdi), %rbx; vpaddd (%rsi), %ymm1, %ymm1; vmovups %ymm1, (%rsi)"},
		"aarch64": {"ldr x0, [x1]; ldr x2, [x3]; str x2, [x4]; fadd d0, d1, d2; add x5, x5, #1"},
	}
	values := []int{1, 2, 3, 7, 15, 16, 17, 40, 64, 128, 255, 256, 16384}
	runs := 0
	for _, arch := range []string{"skylake", "zen5", "zen3", "cortex-a55"} {
		m, err := machine.Get(arch)
		if err != nil {
			t.Fatal(err)
		}
		for name, fact := range numbers(m) {
			for _, text := range kernels[m.ISA] {
				before := 0.0
				for _, n := range values {
					d, err := m.With(fact(n))
					if err != nil {
						continue
					}
					cycles := simulated(t, d, fact(n), text)
					if runs++; strings.Contains(name, "hold") && cycles < before-0.01 {
						t.Errorf("%s: %v: %s: %.3f cycles, with a smaller one %.3f", arch, fact(n), text, cycles, before)
					}
					before = cycles
				}
			}
		}
	}
	if t.Logf("%d simulations", runs); runs < 3000 {
		t.Errorf("%d simulations", runs)
	}
}

// simulated returns the cycles of a kernel on a core; 0 where the core is too small for it.
func simulated(t *testing.T, m *machine.Model, f machine.Fact, text string) float64 {
	defer func() {
		if e := recover(); e != nil {
			t.Fatalf("%s with %v: %s: %v", m.Name, f, text, e)
		}
	}()
	core, err := sim.Available(m)
	if err != nil {
		t.Fatal(err)
	}
	r, err := sim.Run(depgraph.Build(uops.Bind(m, kernelOf(t, m.ISA, text)), depgraph.Options{}), core, sim.Options{MaxCycles: 4000})
	if err != nil {
		return 0
	}
	return r.Cycles
}
