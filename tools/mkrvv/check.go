package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"incore/internal/analysis/throughput"
	"incore/internal/analysis/uops"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

// tally counts the cells of a kind of instruction.
type tally struct {
	cells, known, near int // near: within a tenth
	raw                int // within a tenth without the loop's overhead
	far                map[string]int
}

// overhead is what the loop that measures seems to add to each figure: the median of what figures from four cycles on have above whole numbers, where that is little. That
// it belongs to the loop is inferred from its constancy.
func overhead(cells []cell) float64 {
	var above []float64
	for _, c := range cells {
		if f := c.cycles - math.Floor(c.cycles); c.cycles >= 4 && f <= 0.2 {
			above = append(above, f)
		}
	}
	if len(above) == 0 {
		return 0
	}
	slices.Sort(above)
	return above[len(above)/2]
}

// check holds a model against the cells of a table: the share of figures that it claims to know, and of these the share within a tenth, of arithmetic and of memory.
// A second share is that with the overhead of the loop that measured.
func check(w io.Writer, name string, cells []cell) error {
	m, err := machine.Get(name)
	if err != nil {
		return err
	}
	a := catalog.ISA(m.ISA)
	kinds, added := map[string]*tally{}, overhead(cells)
	for _, c := range cells {
		insts, err := a.Parse(nil, c.text, a.Syntaxes[0])
		if err != nil || len(insts) != 1 || insts[0].Form == isa.NoForm {
			continue
		}
		kind := "arithmetic"
		if a.Forms.Flags(insts[0].Form)&(isa.MayLoad|isa.MayStore) != 0 {
			kind = "memory"
		}
		t := kinds[kind]
		if t == nil {
			t = &tally{far: map[string]int{}}
			kinds[kind] = t
		}
		t.cells++
		k := &isa.Kernel{ISA: a, Lines: []isa.Line{{Inst: insts[0], Text: c.text}}}
		k.Lines[0].Inst.VType = c.vtype
		b := uops.Bind(m, k)
		if b.Insts[0].Flags&machine.Unknown != 0 {
			continue
		}
		t.known++
		r := throughput.Analyze(b, throughput.Optimal)
		cycles := max(r.Cycles, r.Dispatch)
		if math.Abs(cycles-c.cycles) <= c.cycles/10 {
			t.raw++
		}
		if math.Abs(cycles+added-c.cycles) <= c.cycles/10 {
			t.near++
		} else {
			mnemonic, _, _ := strings.Cut(c.text, " ")
			t.far[mnemonic]++
		}
	}
	for _, kind := range []string{"arithmetic", "memory"} {
		t := kinds[kind]
		if t == nil {
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%d cells\t%d known\t%.1f %% of these within 10 %%, with %.2f cycles for the loop %.1f %%\t%s\n", name, kind, t.cells, t.known, t.share(t.raw), added, t.share(t.near), t.worst())
	}
	return nil
}

// share returns the part of the known cells in per cent.
func (t *tally) share(n int) float64 { return 100 * float64(n) / float64(max(t.known, 1)) }

// worst lists the instructions with most cells that are further away.
func (t *tally) worst() string {
	var names []string
	for n := range t.far {
		names = append(names, n)
	}
	slices.SortFunc(names, func(a, b string) int { return t.far[b] - t.far[a] })
	var out []string
	for _, n := range names[:min(len(names), 12)] {
		out = append(out, fmt.Sprintf("%s %d", n, t.far[n]))
	}
	return strings.Join(out, ", ")
}

// checkFile checks a model against a page.
func checkFile(model, file string) error {
	page, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	cells, err := readTable(string(page))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return check(os.Stdout, model, cells)
}
