package main

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"incore/internal/analyze/predict"
	"incore/internal/isa"
	"incore/internal/machine"
)

// part is a piece of the measured code: a loop, or straight code.
type part struct {
	kernel   *isa.Kernel
	straight bool
	times    float64 // executions per unit of the measurement
}

// kernel is a published figure with the code that was measured.
type kernel struct {
	Fact
	parts []part
	hex   string // the code for a corpus: a loop, or all executed instructions of a function without its branches
	text  string // the same as assembly
}

// Fact is a published figure, without code, and its prediction.
type Fact struct {
	Set, Core, Arch, Kernel string
	File, Commit, Licence   string // of the figure's source
	Published, Conversion   string // the figure as published, and how cycles follow from it
	Cycles                  float64
	Predicted               float64
	Limit                   string // of the part that takes most of the time
	Unknown                 int    // instructions without known cost
}

// HeldOut reports whether the kernel is of the half that models are not to be fitted to, by a hash of its name. All cores have the same half. What the half is worth,
// docs/accuracy.md says: its means were seen while models were changed.
func (f *Fact) HeldOut() bool {
	h := fnv.New32a()
	h.Write([]byte(f.Set + "/" + f.Kernel))
	return h.Sum32()>>8&1 == 1
}

// predictAll predicts all kernels.
func predictAll(list []*kernel) error {
	for _, k := range list {
		m, err := machine.Get(k.Arch)
		if err != nil {
			return err
		}
		k.predict(m)
	}
	return nil
}

// predict sums up the times of the parts.
func (k *kernel) predict(m *machine.Model) {
	most := 0.0
	for _, p := range k.parts {
		if len(p.kernel.Lines) == 0 || p.times == 0 {
			continue
		}
		x := predict.Predictor{Model: m, Conditions: predict.Conditions{Unrolled: p.straight, Aligned: true}}
		g, e := x.Estimate(p.kernel)
		k.Predicted += p.times * e.Cycles
		k.Unknown += g.Bound.Unknown()
		if t := p.times * e.Cycles; t > most {
			most, k.Limit = t, e.Limit
		}
	}
}

// writeCorpora writes a corpus per set and core.
func writeCorpora(dir string, list []*kernel) error {
	files := map[string]*strings.Builder{}
	for _, k := range list {
		column, code := "hex", k.hex
		if code == "" {
			column, code = "att", k.text
		}
		if code == "" {
			continue
		}
		name := k.Set + "-" + k.Core + ".tsv"
		if files[name] == nil {
			files[name] = &strings.Builder{}
			fmt.Fprintf(files[name], "cycles\t%s\tnote\n", column)
		}
		fmt.Fprintf(files[name], "%g\t%s\t%s (%s, %s)\n", k.Cycles, code, k.Kernel, k.File, k.Licence)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text.String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// factsOf returns the facts of kernels, sorted.
func factsOf(list []*kernel) []Fact {
	rows := make([]Fact, len(list))
	for i, k := range list {
		rows[i] = k.Fact
	}
	sort.SliceStable(rows, func(i, j int) bool {
		a, b := &rows[i], &rows[j]
		if a.Set != b.Set {
			return a.Set < b.Set
		}
		if a.Core != b.Core {
			return a.Core < b.Core
		}
		return a.Kernel < b.Kernel
	})
	return rows
}
