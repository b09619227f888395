package main

import (
	"encoding/hex"
	"fmt"
	"html"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"incore/internal/analyze/predict"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/object"
)

// rvvCores are the pages of rvv-bench-results by folder: the core, its model, and the bytes of a vector register. Pages of cores with the vector extension before its
// ratification (other encodings) are not among them, nor those without a model.
var rvvCores = []struct {
	folder, core, model string
	vlenb               int
}{
	{"spacemit_x60", "spacemit-x60", "spacemit-x60", 32},
	{"spacemit_a100", "spacemit-a100", "spacemit-a100", 128},
	{"spacemit_x100", "spacemit-x100", "spacemit-x100", 32},
	{"andesim_ax45mpv", "ax45mpv (AndeSim)", "andes-45", 64},
	{"canmv_k230", "xuantie-c908", "xuantie-c908", 16},
	{"tt_x280", "sifive-x280", "sifive-x280", 64},
	{"xiangshanv3", "kunminghu (RTL)", "xiangshan-kunminghu", 16},
}

// rvvStreams are the benchmarks whose loops go through one or two arrays: the bytes in the cache per byte of input.
var rvvStreams = map[string]float64{"memcpy": 2, "memset": 1, "memreverse": 2, "strlen": 1, "utf8_count": 1, "byteswap": 1, "LUT4": 1, "LUT6": 1,
	"ascii_to_utf16": 3, "ascii_to_utf32": 5, "mergelines": 2}

// Sizes of inputs that are read, in bytes: above the first the call costs little, and up to the second all arrays together are in a first-level cache of 32 KiB.
const (
	rvvLeast = 1500
	rvvMost  = 24 << 10
)

var (
	rvvLabels = regexp.MustCompile(`labels: \[([^\]]*)\]`)
	rvvData   = regexp.MustCompile(`(?s)data: \[(.*?)\n\]`)
	rvvTitle  = regexp.MustCompile(`title: "([^"]*)"`)
	rvvLMUL   = regexp.MustCompile(`_m([1248])$`)
)

// rvvBench reads bytes per cycle, and the assembly of the functions.
func rvvBench(o *options, dir string) ([]*kernel, error) {
	results, err := openRepo(o.rvvResults)
	if err != nil {
		return nil, err
	}
	code, err := openRepo(o.rvvBench)
	if err != nil {
		return nil, err
	}
	if err := code.extract(dir, "bench", "nolibc.h"); err != nil {
		return nil, err
	}
	var list []*kernel
	for _, bench := range []string{"memcpy", "memset", "memreverse", "strlen", "utf8_count", "byteswap", "LUT4", "LUT6", "ascii_to_utf16", "ascii_to_utf32", "mergelines"} {
		obj := filepath.Join(dir, bench+".o")
		if err := compile(filepath.Join(dir, "bench"), "riscv64-linux-gnu-gcc", "-c", "-mno-relax", "-march=rv64gcv_zba_zbb_zbs", "-mabi=lp64d", "-DINC="+bench+".S", "-o", obj, "template.S"); err != nil {
			return nil, err
		}
		f, err := object.Open(obj, catalog.ISAs()...)
		if err != nil {
			return nil, err
		}
		for _, c := range rvvCores {
			path := c.folder + "/" + bench + ".html"
			page, err := results.read(path)
			if err != nil {
				continue // not measured
			}
			curves, aligned := readSeries(page), strings.Contains(page, ` aligned",`)
			for _, s := range curves {
				if aligned && !strings.HasSuffix(s.title, " aligned") {
					continue // the same functions with addresses at random
				}
				if s.title != curves[0].title && !aligned || strings.Contains(s.label, "_skip_") {
					continue // the same functions on other data, and those whose path depends on the data
				}
				slope, n, ok := s.slope(rvvLeast, rvvMost/rvvStreams[bench])
				lmul := rvvLMUL.FindStringSubmatch(s.label)
				if !ok || lmul == nil || strings.Contains(s.label, "_128_") {
					continue
				}
				name := rvvPrefix(bench) + "_" + s.label
				k, err := hotLoop(f, name, 0)
				if err != nil {
					fmt.Fprintf(os.Stderr, "published: %s: %v\n", path, err)
					continue
				}
				m, _ := strconv.Atoi(lmul[1])
				bytes := c.vlenb * m
				for _, times := range []struct {
					text string
					n    int
				}{{"_4x", 4}, {"_seg4", 4}} {
					if strings.Contains(s.label, times.text) {
						bytes *= times.n
					}
				}
				k.Set, k.Core, k.Arch, k.Kernel = "rvv-bench", c.core, c.model, name
				k.File, k.Commit, k.Licence = "camel-cdr/rvv-bench-results "+path, results.commit[:12], "MIT"
				k.Published = fmt.Sprintf("%.4g cycles per byte, slope over %d sizes of %d to %.0f bytes", slope, n, rvvLeast, rvvMost/rvvStreams[bench])
				k.Conversion = fmt.Sprintf("times %d bytes per pass of the loop", bytes)
				k.Cycles = slope * float64(bytes)
				if bench == "byteswap" {
					k.Published = strings.Replace(k.Published, "per byte", "per word", 1)
					k.Conversion = fmt.Sprintf("times %d words of 4 bytes per pass of the loop: the benchmark counts words", bytes/4)
					k.Cycles /= 4
				}
				list = append(list, k)
			}
		}
	}
	return list, nil
}

// rvvPrefix returns the beginning of the names of a benchmark's functions.
func rvvPrefix(bench string) string {
	if bench == "byteswap" {
		return "byteswap32"
	}
	return bench
}

// hotLoop makes the kernel of the innermost loop of a function with a number of instructions, 0 for the longest.
func hotLoop(f *object.File, name string, insts int) (*kernel, error) {
	fn := f.Function(name)
	if fn == nil {
		return nil, fmt.Errorf("no function %s", name)
	}
	var best *object.Loop
	for _, l := range f.Loops(fn) {
		if l.Innermost && (insts == 0 || l.Insts == insts) && (best == nil || l.Insts > best.Insts) {
			best = l
		}
	}
	if best == nil {
		return enteredInside(f, fn)
	}
	body, err := best.Kernel(object.KernelOptions{})
	if err != nil {
		return nil, err
	}
	k := &kernel{parts: []part{{kernel: body, times: 1}}}
	lo, hi := best.Range()
	k.hex = hex.EncodeToString(f.Bytes(lo, int(hi-lo)))
	return k, nil
}

// enteredInside makes the kernel of the longest loop of a function that has none with one entry: from the target of a branch back to the branch.
func enteredInside(f *object.File, fn *object.Function) (*kernel, error) {
	var lo, hi uint64
	err := f.Disassemble(fn.Addr, fn.End(), func(l *object.Line) error {
		flow := f.ISA.Flow(&l.Inst)
		if to := uint64(flow.Target.Imm); flow.Kind == isa.FlowCond && flow.Target.Kind == isa.OpImm && to >= fn.Addr && to < l.Addr && l.Addr-to > hi-lo {
			lo, hi = to, l.Addr+uint64(len(l.Bytes))
		}
		return nil
	})
	if err != nil || hi == 0 {
		return nil, fmt.Errorf("%s has no loop", fn.Name)
	}
	code := f.Bytes(lo, int(hi-lo))
	body, err := (&predict.Reader{ISA: f.ISA}).Code(code, lo)
	if err != nil {
		return nil, err
	}
	return &kernel{parts: []part{{kernel: body, times: 1}}, hex: hex.EncodeToString(code)}, nil
}

// series is a curve of a page.
type series struct {
	title, label string
	size, rate   []float64 // bytes, bytes per cycle
}

// readSeries reads the curves of a page.
func readSeries(page string) (list []series) {
	for _, chart := range strings.Split(page, "\ntitle:")[1:] {
		chart = "title:" + chart
		labels, data, title := rvvLabels.FindStringSubmatch(chart), rvvData.FindStringSubmatch(chart), rvvTitle.FindStringSubmatch(chart)
		if labels == nil || data == nil || title == nil {
			continue
		}
		names := strings.Split(strings.TrimSuffix(labels[1], ","), ",")
		var rows [][]float64
		for _, text := range strings.Split(data[1], "[")[1:] {
			var row []float64
			for _, v := range strings.Split(strings.TrimRight(strings.TrimSpace(text), "],\n"), ",") {
				x, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
				if err != nil {
					x = math.NaN() // a size without a figure
				}
				row = append(row, x)
			}
			rows = append(rows, row)
		}
		if len(rows) != len(names) {
			continue
		}
		for i := 1; i < len(rows); i++ {
			list = append(list, series{title: html.UnescapeString(title[1]), label: strings.Trim(strings.TrimSpace(names[i]), `"`), size: rows[0], rate: rows[i]})
		}
	}
	return list
}

// slope returns the cycles per byte between two sizes, by least squares, so that the cost of the call does not count; n is the number of sizes.
func (s *series) slope(least, most float64) (slope float64, n int, ok bool) {
	var x, y, xx, xy float64
	for i := range s.rate {
		if i >= len(s.size) || s.size[i] < least || s.size[i] > most || !(s.rate[i] > 0) {
			continue
		}
		cycles := s.size[i] / s.rate[i]
		x, y, xx, xy = x+s.size[i], y+cycles, xx+s.size[i]*s.size[i], xy+s.size[i]*cycles
		n++
	}
	if n < 4 {
		return 0, n, false
	}
	slope = (float64(n)*xy - x*y) / (float64(n)*xx - x*x)
	return slope, n, slope > 0
}
