package sim_test

import (
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/sim"
	"incore/internal/analysis/uops"
	"incore/internal/isa"
	"incore/internal/machine"
)

// TestKept holds µops of code as it ran, made of templates, to those that are made anew: random blocks one after another, with dependences through memory
// from any store to any load behind it.
func TestKept(t *testing.T) {
	rng := rand.New(rand.NewSource(11))
	several := map[string][]string{ // they load several times
		"x86-64":  {"vpgatherdd %ymm2, (%rsi,%ymm1,4), %ymm3", "vgatherqpd %xmm2, (%rsi,%xmm1,8), %xmm3", "vmovupd 32(%rdi), %ymm4", "cmpsb", "movsq", "leave", "vpconflictd (%rsi), %ymm3"},
		"aarch64": {"ldp q0, q1, [x0, #32]", "ld2 {v0.4s, v1.4s}, [x0]", "ld4 {v0.16b, v1.16b, v2.16b, v3.16b}, [x1]", "swp x1, x2, [x0]"},
	}
	for _, arch := range []string{"zen2", "zen3", "zen4", "zen5", "skylake", "emeraldrapids", "neoverse-v2", "cortex-a55", "rocket"} {
		m, err := machine.Get(arch)
		if err != nil {
			t.Fatal(err)
		}
		core, err := sim.Available(m)
		if err != nil {
			t.Fatalf("%s: %v", arch, err)
		}
		var blocks []*machine.Bound
		for range 12 {
			blocks = append(blocks, uops.Bind(m, kernelOf(t, m.ISA, random(rng, append(several[m.ISA], pools[m.ISA]...)))))
		}
		differ := sim.Kept(core)
		var runs depgraph.Runs
		number := map[*isa.Line]int32{}
		for range 8 {
			var insts []machine.Inst
			for len(insts) < 40+rng.Intn(400) {
				insts = append(insts, blocks[rng.Intn(len(blocks))].Insts...)
			}
			b := &machine.Bound{Kernel: &isa.Kernel{ISA: blocks[0].Kernel.ISA, Loop: true, Lines: make([]isa.Line, 1)}, Model: m, Insts: insts}
			numbers := make([]int32, len(insts))
			for i := range insts {
				at := insts[i].Line
				if _, ok := number[at]; !ok {
					number[at] = int32(len(number))
				}
				numbers[i] = number[at]
			}
			g := runs.Graph(b, numbers, throughMemory(rng, insts))
			if d := differ(g, numbers); d != "" {
				t.Fatalf("%s: %s", arch, d)
			}
		}
	}
}

// throughMemory draws a store of late for every third load.
func throughMemory(rng *rand.Rand, insts []machine.Inst) (list []depgraph.Executed) {
	type access struct{ inst, mem int }
	var stores []access
	for i := range insts {
		for k, mem := range insts[i].Effects.Mem {
			if mem.Load && len(stores) > 0 && rng.Intn(3) == 0 {
				s := stores[max(0, len(stores)-1-rng.Intn(4))]
				list = append(list, depgraph.Executed{From: int32(s.inst), To: int32(i), FromMem: int16(s.mem), ToMem: int16(k), Short: rng.Intn(8) == 0})
			}
		}
		for k, mem := range insts[i].Effects.Mem {
			if mem.Store {
				stores = append(stores, access{i, k})
			}
		}
	}
	return list
}

// TestRelease: a simulation of a freed core leaves the model and other simulations as they are.
func TestRelease(t *testing.T) {
	for _, name := range machine.Names() {
		m, err := machine.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		before, err := sim.Available(m)
		if err != nil {
			continue
		}
		want := fmt.Sprintf("%+v", *before)
		if _, err := sim.NewStreamer(m, 10, sim.Free{Ports: true, Width: true, FrontEnd: true, Buffers: true, Branches: true, Memory: true, Loads: true, LoadsAtOne: true}); err != nil {
			t.Fatal(err)
		}
		after, _ := sim.Available(m)
		if got := fmt.Sprintf("%+v", *after); got != want || fmt.Sprintf("%+v", *before) != want {
			t.Errorf("%s: the freed core changed the model", name)
		}
	}
}

// TestWideWithoutWidth: where dispatch has no width, instructions of more slots than the front end's queue holds are
// dispatched all the same.
func TestWideWithoutWidth(t *testing.T) {
	for arch, code := range map[string]string{"silvermont": "bsfq %rax, %rax; addq $1, %rcx", "gracemont": "addq $1, %rcx; xsavec 64(%rsp)", "btver2": "cpuid; addq $1, %rcx"} {
		m, err := machine.Get(arch)
		if err != nil {
			t.Fatal(err)
		}
		b := uops.Bind(m, kernelOf(t, m.ISA, code))
		var runs depgraph.Runs
		for _, free := range []sim.Free{{}, {Width: true}, {Width: true, FrontEnd: true}} {
			s, err := sim.NewStreamer(m, 10, free)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Run(&sim.Region{Graph: runs.Graph(b, []int32{0, 1}, nil), Numbers: []int32{0, 1}, To: len(b.Insts)}); err != nil {
				t.Errorf("%s: %s with %+v: %v", arch, code, free, err)
			}
		}
	}
}

// TestManyStores: an instruction that stores to more addresses than the store queue has entries ends.
func TestManyStores(t *testing.T) {
	for _, arch := range []string{"core2", "sandybridge"} {
		m, err := machine.Get(arch)
		if err != nil {
			t.Fatal(err)
		}
		b := uops.Bind(m, kernelOf(t, m.ISA, "movq %rax, (%rdi); fxsave 512(%rdi)"))
		s, err := sim.NewStreamer(m, 10, sim.Free{})
		if err != nil {
			t.Fatal(err)
		}
		var runs depgraph.Runs
		if _, err := s.Run(&sim.Region{Graph: runs.Graph(b, []int32{0, 1}, nil), Numbers: []int32{0, 1}, To: len(b.Insts)}); err != nil {
			t.Errorf("%s: %v", arch, err)
		}
	}
}

// TestFarStore: code as it ran may load what was stored further back than the window of µops reaches.
func TestFarStore(t *testing.T) {
	m, err := machine.Get("zen5")
	if err != nil {
		t.Fatal(err)
	}
	for _, between := range []int{10, 6000} {
		k := kernelOf(t, m.ISA, "movsd %xmm0, 64(%rdi)"+strings.Repeat("; addq %rax, %rbx", between)+"; movsd 64(%rdi), %xmm1")
		insts := uops.Bind(m, k).Insts
		b := &machine.Bound{Kernel: &isa.Kernel{ISA: k.ISA, Loop: true, Lines: make([]isa.Line, 1)}, Model: m, Insts: insts}
		numbers := make([]int32, len(insts))
		for i := range numbers {
			numbers[i] = int32(i)
		}
		var runs depgraph.Runs
		g := runs.Graph(b, numbers, []depgraph.Executed{{To: int32(between + 1)}})
		s, err := sim.NewStreamer(m, 10, sim.Free{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Run(&sim.Region{Graph: g, Numbers: numbers, To: len(insts), Group: make([]int32, len(insts)), Groups: 1}); err != nil {
			t.Errorf("%d instructions between: %v", between, err)
		}
	}
}

// TestCrossing: accesses of executed code that reach into a second line take as long as those of a loop
// (uops.Templates.Cross). On a Zen 5 eight stores of 8 to 32 bytes take 4.0 cycles, 8.0 if each crosses lines, eight
// of 64 bytes 8.0 in both cases; six of any width were measured, more of them make the cache wait.
func TestCrossing(t *testing.T) {
	m, err := machine.Get("zen5")
	if err != nil {
		t.Fatal(err)
	}
	for store, want := range map[string][2]float64{"movq %rax": {4, 8}, "vmovups %xmm0": {4, 8}, "vmovups %ymm0": {4, 8}, "vmovups %zmm0": {8, 8}} {
		var text []string
		for i := range 8 {
			text = append(text, fmt.Sprintf("%s, %d(%%rdi)", store, 128*i))
		}
		const passes, warm = 60, 20
		k := kernelOf(t, m.ISA, strings.Join(text, "; "))
		code := uops.Bind(m, k).Insts
		var insts []machine.Inst
		var numbers []int32
		for range passes {
			for i := range code {
				insts, numbers = append(insts, code[i]), append(numbers, int32(i))
			}
		}
		b := &machine.Bound{Kernel: &isa.Kernel{ISA: k.ISA, Loop: true, Lines: make([]isa.Line, 1)}, Model: m, Insts: insts}
		for crossing, cycles := range want {
			var runs depgraph.Runs
			s, err := sim.NewStreamer(m, 10, sim.Free{})
			if err != nil {
				t.Fatal(err)
			}
			r := sim.Region{Graph: runs.Graph(b, numbers, nil), Numbers: numbers, From: warm * len(code), To: (passes - warm) * len(code), Groups: 1}
			r.Group, r.Crosses = make([]int32, len(insts)), make([]bool, len(insts))
			for i := range r.Crosses {
				r.Crosses[i] = crossing > 0
			}
			a, err := s.Run(&r)
			if err != nil {
				t.Fatal(err)
			}
			if got := a.Cycles / (passes - 2*warm); math.Abs(got-cycles) > 0.05*cycles {
				t.Errorf("%s, crossing %v: %.2f cycles, want %.1f", store, crossing > 0, got, cycles)
			}
		}
	}
}
