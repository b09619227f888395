package frontend_test

import (
	"math/rand"
	"strconv"
	"strings"
	"testing"

	"incore/internal/analysis/frontend"
	"incore/internal/analysis/uops"
	"incore/internal/machine"
)

// texts are what random kernels of this file are made of.
var texts = []string{"nop", "nopw %ax", "addq $1, %rax", "movabsq $0x123456789abc, %rdx", "movl 1000(%rdi), %ecx", "addl %ecx, 8(%rsi)", "sete %dl", "cmpw $1000, %r8w",
	"xchgb %al, (%rdi)", "movl $7, 12(%rsp)", "imulq %rbx, %rdx"}

// drained is a front end whose slots dispatch takes, from 0 to its width in a cycle, as a random number says.
type drained struct {
	frontend.Feed
	rng              *rand.Rand
	width, delivered int
}

// cycle is how many slots come in a cycle, and how many are taken of it.
func (d *drained) cycle() (came, taken int) {
	before := d.Have()
	d.Fill()
	came = d.Have() - before
	taken = min(d.Have(), d.rng.Intn(d.width+1))
	d.Take(taken)
	d.delivered += came
	return came, taken
}

// eachFeed calls f with the front ends of random kernels in several layouts.
func eachFeed(t *testing.T, kernels int, f func(name string, b *machine.Bound, layout frontend.Layout, slots []int32)) {
	t.Helper()
	rng := rand.New(rand.NewSource(5))
	for _, arch := range []string{"skylake", "haswell", "emeraldrapids", "tremont", "zen2", "zen3", "zen4", "zen5"} {
		for n := range kernels {
			parts := make([]string, 1+rng.Intn(12))
			for i := range parts {
				parts[i] = texts[rng.Intn(len(texts))]
			}
			b := bind(t, arch, strings.Join(parts, "; "))
			slots := make([]int32, len(b.Insts))
			for i := range b.Insts {
				slots[i] = int32(b.Insts[i].WholeSlots())
			}
			layout := frontend.Layout{Unrolled: n%2 == 0, Copies: 1 + n%5}
			f(arch+", unrolled "+strconv.FormatBool(layout.Unrolled)+": "+strings.Join(parts, "; "), b, layout, slots)
		}
	}
}

// TestFeed holds the front end to its width, to the entries of its queue, and to what it says of its state: where that is the same, the same slots come.
func TestFeed(t *testing.T) {
	const cycles = 400
	again, all := 0, 0
	eachFeed(t, 12, func(name string, b *machine.Bound, layout frontend.Layout, slots []int32) {
		c := b.Model.Core()
		widest := 0
		for _, n := range slots {
			widest = max(widest, int(n))
		}
		width := max(b.Model.Params.DispatchWidth, c.FetchWidth, c.DecodeSlots, c.Microcode.Slots, c.Decoders, widest)
		size := c.FetchQueue
		if size == 0 {
			size = 4 * width
		}
		d := drained{Feed: frontend.New(c, b, slots, layout), rng: rand.New(rand.NewSource(1)), width: b.Model.Params.DispatchWidth}
		seen := map[frontend.State]frontend.Feed{}
		for k := range cycles {
			came, _ := d.cycle()
			if came < 0 || came > width {
				t.Fatalf("%s: %d slots in cycle %d; the core has %d", name, came, k, width)
			}
			if d.Have() < 0 || d.Have() > max(size, width) {
				t.Fatalf("%s: %d slots in a queue of %d", name, d.Have(), size)
			}
			if _, ok := seen[d.Snapshot()]; !ok {
				seen[d.Snapshot()] = d.Feed
				continue
			}
			then, now := seen[d.Snapshot()], d.Feed // both go on alike, whatever dispatch takes
			rng := rand.New(rand.NewSource(int64(k)))
			for range 40 {
				then.Fill()
				if now.Fill(); then.Have() != now.Have() {
					t.Fatalf("%s: the state of cycle %d goes on otherwise than the same one before: %d slots, %d", name, k, now.Have(), then.Have())
				}
				n := min(now.Have(), rng.Intn(d.width+1))
				then.Take(n)
				now.Take(n)
			}
			again++
			break
		}
		all++
	})
	if again < all/2 {
		t.Errorf("of %d of %d kernels a state comes again", again, all)
	}
}

// TestFeedEnds: code with long instructions comes to its end, also if dispatch takes an instruction only when all of its
// slots, or as many as the core is wide, have come.
func TestFeedEnds(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	for n := range 200 {
		arch := []string{"skylake", "zen3", "zen4", "zen5"}[n%4]
		codes := make([]string, 1+rng.Intn(1000))
		for i := range codes {
			codes[i] = []string{"90", "4801c3", "488d540b08", "0f1f840000000000"}[rng.Intn(4)]
		}
		m, err := machine.Get(arch)
		if err != nil {
			t.Fatal(err)
		}
		b := uops.Bind(m, loopAt(t, strings.Join(codes, "")+"@0"))
		slots := make([]int32, len(b.Insts))
		for i := range slots {
			if slots[i] = 1; i%40 < 30 && rng.Intn(3) == 0 {
				slots[i] += int32(rng.Intn(120))
			}
		}
		f := frontend.New(b.Model.Core(), b, slots, frontend.Layout{Unrolled: n%8 < 4})
		width := b.Model.Params.DispatchWidth
		at, left := 0, int(slots[0]) // the instruction that is dispatched
		for cycles, done := 0, 0; done < 20*len(slots); cycles++ {
			if cycles > 100*f.Iteration() {
				t.Fatalf("%s: ends at instruction %d of %d, of which %d slots are left and %d have come", arch, at, len(slots), left, f.Have())
			}
			f.Fill()
			for room := width; room > 0 && f.Have() >= min(left, room) && (left <= room || room == width); {
				n := min(left, room)
				f.Take(n)
				if room, left = room-n, left-n; left == 0 {
					at, done = (at+1)%len(slots), done+1
					left = int(slots[at])
				}
			}
		}
	}
}

// TestFeedConserves: over many iterations a front end that nothing holds up delivers each slot of them once, at the pace of its bound. Where a cycle's fetch ends at a
// taken branch, each iteration of a loop ends with a cycle.
func TestFeedConserves(t *testing.T) {
	ends := 0
	eachFeed(t, 8, func(name string, b *machine.Bound, layout frontend.Layout, slots []int32) {
		bound, err := frontend.Bound(b, layout)
		if err != nil {
			t.Fatal(err)
		}
		f := frontend.New(b.Model.Core(), b, slots, layout)
		taken, n := 0, 0
		c := b.Model.Core()
		loop := !layout.Unrolled && c.FetchWidth > 0 && c.Decoders == 0 && !c.UopCache.PastBranch && len(c.LoopUnroll) == 0
		body, came := f.Iteration()*layout.Copies, 0
		for ; taken < 400*f.Iteration(); n++ {
			before := came
			f.Fill()
			came = taken + f.Have()
			if loop && before/body != came/body {
				if ends++; came%body != 0 {
					t.Fatalf("%s: %d slots have come by cycle %d; an iteration has %d", name, came, n, body)
				}
			}
			k := min(f.Have(), b.Model.Params.DispatchWidth)
			f.Take(k)
			taken += k
		}
		if got := float64(n) / 400; got > 1.02*bound+0.05 || got < 0.98*bound-0.05 {
			t.Errorf("%s: 400 iterations in %d cycles; the bound is %.3f", name, n, bound)
		}
	})
	if ends < 1000 {
		t.Errorf("%d iterations end", ends)
	}
}

// TestFeedMonotone: a wider fetch, more slots of the decoders or fewer cycles between branches make no kernel slower, and each makes some faster.
func TestFeedMonotone(t *testing.T) {
	type change struct {
		name       string
		less, more int
	}
	changes := []change{{"fetch-width", 3, 6}, {"decode-slots", 3, 5}, {"taken-branch", 4, 2}}
	faster := map[string]int{}
	eachFeed(t, 8, func(name string, b *machine.Bound, layout frontend.Layout, slots []int32) {
		for _, c := range changes {
			if c.name == "decode-slots" && b.Model.Core().Decoders == 0 {
				continue
			}
			bound := func(value int) float64 {
				m, err := b.Model.With(machine.Fact{Name: c.name, Value: strconv.Itoa(value)})
				if err != nil {
					t.Fatal(err)
				}
				got, err := frontend.Bound(uops.Bind(m, b.Kernel), layout)
				if err != nil {
					t.Fatal(err)
				}
				return got
			}
			less, more := bound(c.less), bound(c.more)
			if more > less+1e-9 {
				t.Errorf("%s: %s %d: %.3f cycles, %d: %.3f", name, c.name, c.less, less, c.more, more)
			}
			if more < less-1e-9 {
				faster[c.name]++
			}
		}
	})
	for _, c := range changes {
		if faster[c.name] < 3 {
			t.Errorf("%s makes %d kernels faster", c.name, faster[c.name])
		}
	}
}
