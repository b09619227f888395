package machine_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"incore/internal/machine"
)

func limitsModel(t *testing.T, limits string) (*machine.Model, error) {
	t.Helper()
	return machine.Load(strings.NewReader("name: t\ntitle: T\nisa: aarch64\nports: A B C D\ngroup AB: A B\nparam dispatch-width: 8  # test\nparam load-latency: 4  # test\n"+limits), "t.model")
}

// TestDispatchLimits reads limits of dispatch and what follows from them.
func TestDispatchLimits(t *testing.T) {
	for text, want := range map[string]string{
		"param dispatch-limit-ab: 4 AB  # test\n":                                                                    "4 AB",
		"param dispatch-limit-a: 2 A  # test\nparam dispatch-limit-b: 3 B  # test\n":                                 "2 A, 3 B, 5 A or B",
		"param dispatch-limit-x: 4 A B  # test\nparam dispatch-limit-a: 2 A  # test\n":                               "4 A or B, 2 A",        // A or B or A has the same ports as the first, and more µops
		"param dispatch-limit-x: 2 A B  # test\nparam dispatch-limit-a: 3 A  # test\n":                               "2 A or B",             // the second follows from the first
		"param dispatch-limit-a: 2 A  # test\nparam dispatch-limit-b: 3 B  # test\nparam dispatch-uops: 4  # test\n": "2 A, 3 B, 4 any port", // five of A or B never come
		"param dispatch-limit-a: 2 A  # test\nparam dispatch-limit-v: 6 slots loads C D  # test\n":                   "2 A, 6 C or D slots loads",
		"param dispatch-limit-v: 6 slots A B  # test\nparam dispatch-limit-a: 7 A  # test\n":                         "7 A, 6 A or B slots", // slots bound no µops
	} {
		m, err := limitsModel(t, text)
		if err != nil {
			t.Fatal(err)
		}
		core := m.Core()
		var got []string
		for _, l := range core.DispatchLimits {
			got = append(got, fmt.Sprintf("%d %s%s%s", l.Uops, l.Name, map[bool]string{true: " slots"}[l.Slots], map[bool]string{true: " loads"}[l.Loads]))
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("%q: %s, want %s", text, s, want)
		}
	}
	for _, bad := range []string{"0 A", "x A", "4", "4 E", "-1 A B", "1000000 A", "4 slots", "4 slots loads", "4 loads A", "4 slots slots A"} {
		if _, err := limitsModel(t, "param dispatch-limit-x: "+bad+"  # test\n"); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
	seven := ""
	for i := range 7 {
		seven += fmt.Sprintf("param dispatch-limit-%d: %d A  # test\n", i, i+1)
	}
	if _, err := limitsModel(t, seven); err == nil || !strings.Contains(err.Error(), "more than 6") {
		t.Errorf("seven limits: %v", err)
	}
}

// TestImpliedLimits holds the implied limits to what they mean: µops fit into a cycle if and only if each can be given a place of a limit one port of
// which it may go to.
func TestImpliedLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		text, stated := "", make([]machine.DispatchLimit, 1+r.IntN(3))
		for i := range stated {
			set := machine.PortSet(1 + r.IntN(15))
			stated[i] = machine.DispatchLimit{Uops: 1 + r.IntN(3), Ports: set}
			text += fmt.Sprintf("param dispatch-limit-%d: %d", i, stated[i].Uops)
			for s := uint64(set); s != 0; s &= s - 1 {
				text += " " + string(rune('A'+bits.TrailingZeros64(s)))
			}
			text += "  # test\n"
		}
		m, err := limitsModel(t, text)
		if err != nil {
			t.Fatal(err)
		}
		core := m.Core()
		if !disjoint(stated) {
			continue // of nested limits a µop counts for each
		}
		uops := make([]machine.PortSet, 1+r.IntN(6))
		for i := range uops {
			uops[i] = machine.PortSet(1 + r.IntN(15))
		}
		fits := true
		for _, l := range core.DispatchLimits {
			n := 0
			for _, u := range uops {
				if u&^l.Ports == 0 {
					n++
				}
			}
			fits = fits && n <= l.Uops
		}
		if want := place(uops, stated, make([]int, len(stated))); fits != want {
			t.Fatalf("%sports %v: fit %v, want %v", text, uops, fits, want)
		}
	}
}

func disjoint(ls []machine.DispatchLimit) bool {
	var seen machine.PortSet
	for _, l := range ls {
		if seen&l.Ports != 0 {
			return false
		}
		seen |= l.Ports
	}
	return true
}

// place tries every way to give µops places.
func place(uops []machine.PortSet, ls []machine.DispatchLimit, taken []int) bool {
	if len(uops) == 0 {
		return true
	}
	free := uops[0]
	for _, l := range ls {
		free &^= l.Ports
	}
	if free != 0 { // a port without a limit
		return place(uops[1:], ls, taken)
	}
	for i, l := range ls {
		if uops[0]&l.Ports != 0 && taken[i] < l.Uops {
			taken[i]++
			ok := place(uops[1:], ls, taken)
			taken[i]--
			if ok {
				return true
			}
		}
	}
	return false
}
