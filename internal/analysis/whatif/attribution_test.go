package whatif

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestShapley checks the properties that define the value, and compares it with the mean over all orders.
func TestShapley(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		n := 1 + r.IntN(5)
		remains := make([]float64, 1<<n)
		for set := range remains {
			remains[set] = r.Float64() * 10
		}
		got := shapley(remains, n, func(int) string { return "" })
		want, orders := make([]float64, n), 0.0
		var all func(set int)
		sums := make([]float64, n)
		all = func(set int) {
			if set == len(remains)-1 {
				orders++
				for i := range want {
					want[i] += sums[i]
				}
				return
			}
			for i := range n {
				if set>>i&1 == 0 {
					was := sums[i]
					sums[i] = remains[set] - remains[set|1<<i]
					all(set | 1<<i)
					sums[i] = was
				}
			}
		}
		all(0)
		total := 0.0
		for i := range got {
			total += got[i].Cycles
			if math.Abs(got[i].Cycles-want[i]/orders) > 1e-9 {
				t.Fatalf("player %d of %d: %v, want %v", i, n, got[i].Cycles, want[i]/orders)
			}
		}
		if math.Abs(total-(remains[0]-remains[len(remains)-1])) > 1e-9 {
			t.Fatalf("the values add up to %v", total)
		}
	}
}

// TestInteracting: of two limits that cost the same cycles each gets half, though removing either alone saves nothing.
func TestInteracting(t *testing.T) {
	got := shapley([]float64{4, 4, 4, 1, 4, 4, 4, 1}, 3, func(i int) string { return []string{"ports", "dependences", "frontend"}[i] })
	if want := []Share{{"ports", 1.5}, {"dependences", 1.5}, {"frontend", 0}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestLine: a question about the load on a line, with cycles, factors and levels, and wrong ones.
func TestLine(t *testing.T) {
	for text, want := range map[string]string{
		"line=12:latency=40": "", "line=12:latency=2x": "", "L3=50,line=12:latency=L3": "", "line=3:latency=l1": "", "line=3:latency=L2,L2=14": "", "L2=14": "",
		"line=12:latency=L3": "not known", "line=0:latency=4": "which load", "line=x:latency=4": "which load", "line=12": "which load", "line=12:latency=": "which load", "line=12:latency=-4": "bad number", "L2=x": "bad number",
		"load(8(%rdi,%rax)):latency=30": "", "load([x0, #8]):latency=2x,rob=2x": "", "load():latency=3": "which load", "load(8(%rdi):latency=3": "", "load(x:latency=3": "which load", "load(a)": "which load",
	} {
		_, err := Parse(text)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
