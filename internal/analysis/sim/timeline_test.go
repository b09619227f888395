package sim_test

import (
	"errors"
	"math/rand"
	"strings"
	"testing"

	"incore/internal/analysis/sim"
)

// TestTimeline checks on random kernels what holds of every µop: the moments of its life are in order, its waits fill the time
// between them, µops are dispatched and retired in program order, and no port takes two at once.
func TestTimeline(t *testing.T) {
	rng := rand.New(rand.NewSource(11))
	for _, arch := range []string{"skylake", "zen4", "zen5", "haswell"} {
		for range 12 {
			var text []string
			for range 1 + rng.Intn(12) {
				text = append(text, pool[rng.Intn(len(pool))])
			}
			g := graph(t, arch, strings.Join(text, ";"))
			tl, err := sim.Trace(g, sim.Options{}, -1, 5)
			if err != nil {
				t.Fatal(err)
			}
			checkTimeline(t, arch+" "+strings.Join(text, "; "), tl)
			if t.Failed() {
				return
			}
		}
	}
}

func checkTimeline(t *testing.T, name string, tl *sim.Timeline) {
	t.Helper()
	if len(tl.Lives) == 0 || len(tl.Lives)%tl.Count != 0 || tl.Lives[0].Iteration != tl.First || tl.Lives[len(tl.Lives)-1].Iteration != tl.First+tl.Count-1 {
		t.Fatalf("%s: %d µops of %d iterations from %d on", name, len(tl.Lives), tl.Count, tl.First)
	}
	type slot struct {
		port  int
		cycle int64
	}
	taken := map[slot]bool{}
	for i := range tl.Lives {
		l := &tl.Lives[i]
		if l.Dispatched > l.Ready || l.Ready > l.Issued || l.Issued > l.Done || l.Done > l.Retired {
			t.Errorf("%s: µop %d: dispatched %d, ready %d, issued %d, done %d, retired %d", name, l.Uop, l.Dispatched, l.Ready, l.Issued, l.Done, l.Retired)
		}
		if i > 0 && (l.Dispatched < tl.Lives[i-1].Dispatched || l.Retired < tl.Lives[i-1].Retired) {
			t.Errorf("%s: µop %d overtakes the one before it in dispatch or retirement", name, l.Uop)
		}
		if s := (slot{l.Port, l.Issued}); l.Port >= 0 {
			if taken[s] {
				t.Errorf("%s: two µops on port %d in cycle %d", name, l.Port, l.Issued)
			}
			taken[s] = true
		}
		spent := map[sim.Phase]int64{}
		for _, w := range l.Waits {
			spent[w.For] += w.Cycles
			if w.Cycles <= 0 {
				t.Errorf("%s: µop %d waits %d cycles for %s", name, l.Uop, w.Cycles, w.For)
			}
			if w.For == sim.ForOperand && w.Inst < 0 {
				t.Errorf("%s: µop %d waits for the operand of no one", name, l.Uop)
			}
		}
		if spent[sim.ForPort] != l.Issued-l.Ready || spent[sim.ForRetirement] != l.Retired-l.Done || spent[sim.ForOperand] > l.Ready-l.Dispatched {
			t.Errorf("%s: µop %d: waits %v do not fill its life %+v", name, l.Uop, l.Waits, l.Event)
		}
	}
}

// TestTimelineReasons holds reasons that are plain from the kernel.
func TestTimelineReasons(t *testing.T) {
	for _, c := range []struct {
		arch, text string
		uop        int // of the iteration
		phase      sim.Phase
		reason     sim.Reason
		on         int // instruction waited for
		before     int // iterations before
	}{
		{"skylake", "imulq %rbx, %rax; addq $1, %rcx", 0, sim.ForOperand, sim.Operands, 0, 1},                                       // a chain
		{"skylake", "imulq %rbx, %rax; addq %rax, %rcx", 1, sim.ForOperand, sim.Operands, 0, 0},                                     // a result
		{"skylake", "imulq %rbx, %rax", 0, sim.ForDispatch, sim.SchedulerFull, -1, 0},                                               // 97 waiting multiplications
		{"skylake", "imulq $3, %rbx, %rax; imulq $3, %rbx, %rcx; imulq $3, %rbx, %rdx", 2, sim.ForPort, sim.PortBusy, 1, 0},         // one multiplier
		{"skylake", "imulq %rbx, %rax; imulq %rbx, %rax; imulq %rbx, %rax; addq $1, %rcx", 3, sim.ForRetirement, sim.InOrder, 2, 0}, // in order
	} {
		tl, err := sim.Trace(graph(t, c.arch, c.text), sim.Options{}, -1, 3)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for i := range tl.Lives {
			l := &tl.Lives[i]
			for _, w := range l.Waits {
				found = found || l.Uop == c.uop && w.For == c.phase && w.Reason == c.reason && w.Inst == c.on && (c.on < 0 || w.Iteration == l.Iteration-c.before)
			}
		}
		if !found {
			t.Errorf("%s: %s: no wait of µop %d for %s (%s) on instruction %d of %d iterations before; first: %+v", c.arch, c.text, c.uop, c.phase, c.reason, c.on, c.before, tl.Lives[c.uop])
		}
	}
}

// TestOlderStores: nothing but a load waits for the addresses of older stores, and that only on cores which are said to let it. On Zen 4 an operation
// that has got its queue at dispatch waits for the port of that queue, whatever other ports are free.
func TestOlderStores(t *testing.T) {
	const walk = "movq (%rsi,%rcx), %rax; addq %rbp, %rax; shlq $3, %rax; movq %rax, (%rdi,%rcx); addq $8, %rcx; cmpq %rcx, %rdx; jne 0"
	for arch, ordered := range map[string]bool{"zen4": false, "zen5": false, "golden-cove": false, "skylake": true} {
		for _, text := range []string{walk, strings.Join(pool, "; ")} {
			tl, err := sim.Trace(graph(t, arch, text), sim.Options{}, -1, 20)
			if err != nil {
				t.Fatal(err)
			}
			ports := 0
			for i := range tl.Lives {
				for _, w := range tl.Lives[i].Waits {
					if w.Reason == sim.OlderStores && (!ordered || tl.Lives[i].Kind != "load") {
						t.Errorf("%s: %s of instruction %d waits for older stores", arch, tl.Lives[i].Kind, tl.Lives[i].Inst)
					}
					if w.For == sim.ForPort && w.Inst >= 0 {
						ports++
					}
				}
			}
			if ports == 0 && arch == "zen4" {
				t.Errorf("%s: %s: nothing waits for a port", arch, text)
			}
		}
	}
}

// TestTimelineErrors checks that impossible timelines are refused.
func TestTimelineErrors(t *testing.T) {
	g := graph(t, "skylake", "imulq %rbx, %rax")
	for _, c := range [][2]int{{-1, 0}, {1 << 30, 1}} {
		if tl, err := sim.Trace(g, sim.Options{}, c[0], c[1]); err == nil {
			t.Errorf("from %d, %d iterations: %d µops", c[0], c[1], len(tl.Lives))
		}
	}
	if tl, err := sim.Trace(g, sim.Options{}, 0, 1<<30); err != nil || tl.Count < 1000 || tl.Count == 1<<30 || len(tl.Lives) < tl.Count {
		t.Errorf("as many iterations as can be followed: %v", err)
	}
	long := graph(t, "skylake", strings.Repeat("leaq (%rbx), %rax; ", 12000)+"leaq (%rbx), %rax")
	if _, err := sim.Trace(long, sim.Options{}, 0, 1); !errors.Is(err, sim.ErrTooLong) {
		t.Errorf("12,001 instructions: %v", err)
	}
	tl, err := sim.Trace(g, sim.Options{}, 0, 2)
	if err != nil || tl.First != 0 || tl.Lives[0].Dispatched != 0 || tl.Steady {
		t.Errorf("from the start: %+v, %v", tl, err)
	}
}
