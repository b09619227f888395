package plan

import (
	"slices"
	"strings"
	"testing"

	"incore/internal/isa"
)

// userForms are the forms that user code can run one after another, by what a target excludes, without those of
// instruction sets that are no extension of it (32-bit RISC-V and what shares its encodings).
func userForms(x *Target) (out []isa.FormID) {
	for f := isa.FormID(1); int(f) < x.ISA.Forms.Len(); f++ {
		const not = isa.Branch | isa.Call | isa.Return | isa.IndirectBranch | isa.Trap | isa.Pseudo
		foreign := slices.ContainsFunc(x.Needs(f), func(n string) bool {
			return n == "rv32" || strings.HasSuffix(n, "inx") || strings.HasSuffix(n, "inxmin") || strings.HasPrefix(n, "xcv")
		})
		if !foreign && !x.excluded(x.ISA.Forms.Name(f)) && x.ISA.Forms.Flags(f)&not == 0 {
			out = append(out, f)
		}
	}
	return out
}

// TestShares counts the forms that are planned for.
func TestShares(t *testing.T) {
	for _, c := range []struct {
		x                   *Target
		throughput, latency float64 // least shares
	}{{ARM64(), 0.97, 0.99}, {RISCV64(), 0.97, 0.99}} {
		forms := userForms(c.x)
		planned, pairs, chained, wanted, chains := 0, 0, 0, 0, 0
		why := map[string][]string{}
		for _, f := range forms {
			name := c.x.ISA.Forms.Name(f)
			_, in, err := c.x.first(f)
			if err == nil {
				_, err = c.x.Throughput(f, 1)
			}
			if err != nil {
				s := strings.ReplaceAll(err.Error(), name, "it")
				why[s] = append(why[s], name)
				continue
			}
			planned++
			if n := len(c.x.pairs(&in)); n > 0 {
				pairs++
				wanted += n
				l, _ := c.x.Latencies(f)
				if chains += len(l); len(l) > 0 {
					chained++
				} else {
					why["no chain"] = append(why["no chain"], name)
				}
			}
		}
		t.Logf("%s: %d of %d user-mode forms planned (%.1f %%); of %d with a result that depends on an operand %d have a latency (%.1f %%), %d chains for %d pairs (%.1f %%)", c.x.ISA.Name,
			planned, len(forms), percent(planned, len(forms)), pairs, chained, percent(chained, pairs), chains, wanted, percent(chains, wanted))
		for _, s := range sortedBySize(why) {
			t.Logf("  %d: %s: %s", len(why[s]), s, strings.Join(why[s][:min(5, len(why[s]))], " "))
		}
		if percent(planned, len(forms)) < 100*c.throughput || percent(chained, pairs) < 100*c.latency {
			t.Errorf("%s: too few forms are planned", c.x.ISA.Name)
		}
	}
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(1, of)) }

func sortedBySize(m map[string][]string) (out []string) {
	for s := range m {
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b string) int {
		if d := len(m[b]) - len(m[a]); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return out
}

// TestIndependence checks by their effects that instances in throughput plans don't wait for each other.
func TestIndependence(t *testing.T) {
	for _, x := range []*Target{ARM64(), RISCV64()} {
		n, bad := 0, 0
		for i, f := range userForms(x) {
			p, err := x.Throughput(f, 1)
			if err != nil || i%3 != 0 {
				continue
			}
			n++
			if at, reg := dependent(x, p, 3); at >= 0 {
				if bad++; bad < 20 {
					t.Errorf("%s: instance %d (%s) waits for one shortly before it, in %s", x.ISA.Forms.Name(f), at, x.Text(&p.Insts[at]), x.ISA.Regs.Name(reg))
				}
			}
		}
		t.Logf("%s: %d plans, %d with dependences", x.ISA.Name, n, bad)
	}
}
