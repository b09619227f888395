package main

import (
	"fmt"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"incore/internal/asm"
	"incore/internal/base/source"
	"incore/internal/isa/catalog"
)

// osacaCores are the machines of the artifact: the part of its file names, the model, and the clock in GHz at which all was measured.
var osacaCores = []struct {
	text, isa, model string
	clock            float64
}{{"tx2", "aarch64", "thunderx2", 2.2}, {"csx", "x86-64", "cascadelake", 2.5}, {"zen", "x86-64", "zen1", 2.3}}

// osacaLoops are the loops of the artifact, by core, kernel and compiler: the elements of a pass. Two of its list are left out or otherwise: the sum of gcc with
// reassociation takes less than its chain of additions on all three cores, so that other code was measured, and the sum of arrays on Zen has 16 elements, not 32.
var osacaLoops = map[string]map[string]float64{
	"tx2": {"copy.clang": 64, "copy.gcc": 16, "add.clang": 64, "add.gcc": 16, "update.clang": 8, "update.gcc": 16, "sum_reduction.clang": 64, "sum_reduction.gcc.O3": 16,
		"daxpy.clang": 64, "daxpy.gcc": 16, "triad.clang": 64, "triad.gcc": 16, "striad.clang": 64, "striad.gcc": 16, "gs.clang": 1, "gs.gcc": 4, "j2d.clang": 32, "j2d.gcc": 8},
	"csx": {"copy.icc": 8, "copy.gcc": 32, "add.icc": 16, "add.gcc": 32, "update.icc": 16, "update.gcc": 32, "sum_reduction.icc": 32, "sum_reduction.gcc.O3": 16,
		"daxpy.icc": 8, "daxpy.gcc": 32, "triad.icc": 8, "triad.gcc": 32, "striad.icc": 16, "striad.gcc": 32, "gs.icc": 4, "gs.gcc": 8,
		"j2d.icc": 32, "j2d.icc.AVX": 16, "j2d.icc.SSE": 8, "j2d.gcc": 16, "j2d.gcc.SSE": 8},
	"zen": {"copy.gcc": 16, "add.gcc": 16, "update.gcc": 16, "sum_reduction.gcc.O3": 16, "daxpy.gcc": 16, "triad.gcc": 16, "striad.gcc": 16, "gs.gcc": 8, "j2d.gcc": 8},
}

// Lines of the measurements: cycles per cache line of eight elements in the fourth column, or millions of updates per second.
var (
	osacaLine = regexp.MustCompile(`(?m)^\s*[\d.]+ \|\s*[\d.]+ \|\s*[\d.]+ \|\s*([\d.]+) \|`)
	osacaRate = regexp.MustCompile(`Performance:\s+([\d.]+)`)
)

// osacaArtifact reads the marked loops of the artifact and the cycles in the first-level cache: the least of all sizes.
func osacaArtifact(o *options, _ string) ([]*kernel, error) {
	r, err := openRepo(o.osaca)
	if err != nil {
		return nil, err
	}
	var list []*kernel
	for _, c := range osacaCores {
		for name, elements := range osacaLoops[c.text] {
			bench, compiler, _ := strings.Cut(name, ".")
			folder := "thesis_analysis_reports/" + bench + "/"
			output, err := r.read(folder + "out." + c.text + "." + compiler)
			if err != nil {
				return nil, err
			}
			file := folder + bench + ".s." + c.text + "." + compiler + ".s"
			text, err := r.read(file)
			if err != nil {
				return nil, err
			}
			k, err := marked(file, text, c.isa)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			cycles, published := osacaFigure(output, c.clock)
			if cycles == 0 {
				return nil, fmt.Errorf("%s: no figure for %s", bench, c.text)
			}
			k.Set, k.Core, k.Arch, k.Kernel = "osaca", c.model, c.model, name
			k.File, k.Commit, k.Licence = "RRZE-HPC/OSACA-Artifact-Appendix "+file, r.commit[:12], "none stated"
			k.Published, k.Conversion, k.Cycles = published, fmt.Sprintf("times %g elements per pass of the loop", elements), cycles*elements
			list = append(list, k)
		}
	}
	return list, nil
}

// osacaFigure returns the cycles per element and the published figure.
func osacaFigure(output string, clock float64) (cycles float64, published string) {
	if m := osacaRate.FindAllStringSubmatch(output, -1); m != nil {
		rates := numbers(m)
		rate := rates[len(rates)/2]
		return clock * 1e3 / rate, fmt.Sprintf("%.4g million updates per second at %g GHz, median of %d", rate, clock, len(rates))
	}
	if m := osacaLine.FindAllStringSubmatch(output, -1); m != nil {
		lines := numbers(m)
		return lines[0] / 8, fmt.Sprintf("%g cycles per cache line, the least of %d", lines[0], len(lines))
	}
	return 0, ""
}

// numbers returns the numbers that were found, in order.
func numbers(found [][]string) []float64 {
	var list []float64
	for _, m := range found {
		if x, err := strconv.ParseFloat(m[1], 64); err == nil && x > 0 {
			list = append(list, x)
		}
	}
	sort.Float64s(list)
	return list
}

// marked makes the kernel of the marked loop of an assembly text.
func marked(name, text, arch string) (*kernel, error) {
	f, err := source.New(name, []byte(text))
	if err != nil {
		return nil, err
	}
	p, err := asm.Parse(f, asm.Options{ISA: catalog.ISA(arch), ISAs: catalog.ISAs()})
	if err != nil {
		return nil, err
	}
	found, _, err := p.Kernels(asm.Select{})
	if err != nil {
		return nil, err
	}
	if n := p.UnresolvedIn(&found[0]); n > 0 {
		return nil, fmt.Errorf("%d unknown instructions", n)
	}
	return &kernel{parts: []part{{kernel: p.Build(&found[0]), times: 1}}}, nil
}
