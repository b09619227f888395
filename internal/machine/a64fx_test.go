package machine_test

import (
	"strings"
	"testing"

	"incore/internal/analysis/throughput"
)

// TestA64FXStores holds that a store of any register in any addressing mode takes both address units of an A64FX and a store of a pair takes each twice, and
// that a vector load takes one.
func TestA64FXStores(t *testing.T) {
	var one, pair, loads []string
	for _, mode := range []string{"[x20]", "[x20, #16]", "[x20, x21]"} {
		for _, reg := range strings.Split("b h s d q w x", " ") {
			one = append(one, "str "+reg+"0, "+mode)
		}
	}
	for _, reg := range strings.Split("s d q w x", " ") {
		pair = append(pair, "stp "+reg+"0, "+reg+"1, [x20, #32]")
	}
	for _, size := range strings.Split("b h w d", " ") {
		for _, mode := range []string{"[x20]", "[x20, #1, mul vl]", "[x20, x21" + map[string]string{"b": "", "h": ", lsl 1", "w": ", lsl 2", "d": ", lsl 3"}[size] + "]"} {
			element := map[string]string{"w": "s"}[size]
			if element == "" {
				element = size
			}
			one = append(one, "st1"+size+" z0."+element+", p0, "+mode)
			loads = append(loads, "ld1"+size+" z0."+element+", p0/z, "+mode)
		}
	}
	one = append(one, "str z0, [x20]", "str p0, [x20]", "st1w z0.d, p0, [x20]", "st1b z0.s, p0, [x20, #2, mul vl]")
	m := model(t, "a64fx")
	for texts, want := range map[*[]string][2]float64{&one: {1, 1}, &pair: {2, 2}, &loads: {0.5, 0.5}} {
		for _, text := range *texts {
			got := [2]float64{}
			for i, p := range throughput.Analyze(bind(m, kernel(t, m.ISA, text)), throughput.Uniform).Ports {
				switch m.Ports[i].Name {
				case "IPEAGA":
					got[0] = p
				case "IPEAGB":
					got[1] = p
				}
			}
			if got != want {
				t.Errorf("%s: %v cycles of the address units, want %v", text, got, want)
			}
		}
	}
}
