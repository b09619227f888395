package memdep_test

import (
	"fmt"
	"strings"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/memdep"
	"incore/internal/analysis/uops"
	"incore/internal/base/long"
	"incore/internal/isa"
	"incore/internal/isa/x86"
	"incore/internal/machine"
)

// stores and loads are of 1, 2, 4, 8 and 16 bytes.
var (
	stores = []string{"movb %%al,%s", "movw %%ax,%s", "movl %%eax,%s", "movq %%rax,%s", "movups %%xmm0,%s"}
	loads  = []string{"movb %s,%%dl", "movw %s,%%dx", "movl %s,%%edx", "movq %s,%%rdx", "movups %s,%%xmm1"}
)

// TestOverlapOfAddresses: a store and a load that meet in the next iteration or the one after are the same dependence (bytes missing, begin, memory
// renaming) however their addresses are written: with a pointer that moves, with an index, with a scaled one, up or down.
func TestOverlapOfAddresses(t *testing.T) {
	forms := []struct {
		at    string // the address with a displacement
		moves string // by a step
		scale int64
	}{
		{"%d(%%rdi)", "addq $%d,%%rdi", 1}, {"%d(%%rdi,%%rcx)", "addq $%d,%%rcx", 1}, {"%d(%%rdi,%%rcx,4)", "addq $%d,%%rcx", 4}, {"%d(%%rdi,%%rcx)", "addq $%d,%%rdi", 1},
		{"%d(,%%rcx,2)", "addq $%d,%%rcx", 2},
	}
	found := 0
	for _, core := range long.Some([]string{"zen5", "skylake", "gracemont"}, 1) {
		m, err := machine.Get(core)
		if err != nil {
			t.Fatal(err)
		}
		for _, store := range stores {
			for _, load := range loads {
				for _, step := range []int64{8, -8, 16, 4, -4} {
					for offset := int64(-17); offset <= 33; offset++ {
						want := ""
						for i, f := range forms {
							text := fmt.Sprintf(load+"; "+store+"; "+f.moves, fmt.Sprintf(f.at, 0), fmt.Sprintf(f.at, offset), step/f.scale)
							is := dependences(t, m, text)
							if i == 0 {
								want = is
								found += strings.Count(is, "short")
							} else if is != want {
								t.Fatalf("%s: %s:\n%s\nwith a pointer that moves:\n%s", core, text, is, want)
							}
						}
					}
				}
			}
		}
	}
	if found < 1000 {
		t.Errorf("%d partial overlaps", found)
	}
}

// dependences lists the dependences of a loop through memory, as execution and expressions of addresses find them.
func dependences(t *testing.T, m *machine.Model, text string) string {
	t.Helper()
	a := x86.ISA()
	k := &isa.Kernel{ISA: a, Loop: true}
	for _, s := range strings.Split(text, "; ") {
		insts, err := a.Parse(nil, s, "att")
		if err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		for _, in := range insts {
			k.Lines = append(k.Lines, isa.Line{Inst: in, Text: s})
		}
	}
	b := uops.Bind(m, k)
	executed := memdep.Analyze(b, memdep.Options{}).Memory()
	return list(depgraph.Build(b, depgraph.Options{Memory: executed})) + "expressions:\n" + list(depgraph.Build(b, depgraph.Options{}))
}

func list(g *depgraph.Graph) string {
	var out strings.Builder
	for i := range g.Edges {
		if e := &g.Edges[i]; e.Kind == depgraph.Memory {
			fmt.Fprintf(&out, "%d iterations later", e.Dist)
			if e.Short {
				out.WriteString(", short")
			}
			fmt.Fprintf(&out, ", begins %t, renamed %t\n", e.Begins, e.Renamed)
		}
	}
	return out.String()
}
