package main

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"incore/internal/analyze/predict"
	"incore/internal/isa/catalog"
)

// appleCores are the folders of D. Johnson's measurements.
var appleCores = []struct{ folder, model string }{{"firestorm", "apple-m1"}, {"icestorm", "apple-icestorm"}}

// Parts of a page of measurements: its tests, and of a test the code and the results of two numbers of copies.
var (
	appleTest   = regexp.MustCompile(`(?s)<h2>Test \d+: (.*?)</h2>(.*?)(?:<h2>Test|\z)`)
	appleCode   = regexp.MustCompile(`(?s)<p>Code:</p><pre>(.*?)</pre>`)
	appleCount  = regexp.MustCompile(`Count: (\d+)`)
	appleChain  = regexp.MustCompile(`Chain cycles: (\d+)`)
	appleResult = regexp.MustCompile(`Result \([^)]*\): ([\d.]+)`)
)

// applecpu reads tests of single instructions: a chain for each latency, copies without a dependence for a throughput.
func applecpu(o *options, dir string) ([]*kernel, error) {
	r, err := openRepo(o.applecpu)
	if err != nil {
		return nil, err
	}
	if err := r.extract(dir, "measurements"); err != nil {
		return nil, err
	}
	reader := &predict.Reader{ISA: catalog.ISA("aarch64")}
	var list []*kernel
	for _, c := range appleCores {
		pages, err := filepath.Glob(filepath.Join(dir, "measurements", c.folder, "*.html"))
		if err != nil {
			return nil, err
		}
		for _, p := range pages {
			text, err := os.ReadFile(p)
			if err != nil {
				return nil, err
			}
			name := strings.TrimSuffix(filepath.Base(p), ".html")
			for _, t := range appleTests(string(text)) {
				k, err := reader.Text(strings.Join(t.code, "; "))
				if err != nil || k == nil {
					continue // an instruction of Apple's own, or of the system
				}
				own := *k
				own.Lines = slices.Clone(k.Lines)
				f := &kernel{parts: []part{{kernel: &own, straight: true, times: 1}}, text: strings.Join(t.code, "; ")}
				f.Set, f.Core, f.Arch, f.Kernel = "applecpu", c.model, c.model, name+" "+t.kind
				f.File, f.Commit, f.Licence = "dougallj/applecpu measurements/"+c.folder+"/"+name+".html", r.commit[:12], "none stated"
				f.Published, f.Conversion, f.Cycles = t.published, "times the instructions of the code, with the cycles of the chain", t.cycles
				list = append(list, f)
			}
		}
	}
	return list, nil
}

// appleMeasured is a test: its code, and the cycles of the whole code.
type appleMeasured struct {
	kind, published string
	code            []string
	cycles          float64
}

// appleTests returns the tests of a page that have a result. The page repeats each with other numbers of copies; the least counts.
func appleTests(page string) (list []appleMeasured) {
	for rest := page; ; {
		at := appleTest.FindStringSubmatchIndex(rest)
		if at == nil {
			return list
		}
		kind, body := html.UnescapeString(rest[at[2]:at[3]]), rest[at[4]:at[5]]
		rest = rest[at[5]:]
		code := appleCode.FindStringSubmatch(body)
		results := appleResult.FindAllStringSubmatch(body, -1)
		if code == nil || len(results) == 0 {
			continue
		}
		t := appleMeasured{kind: kind}
		for _, l := range strings.Split(html.UnescapeString(code[1]), "\n") {
			if l = strings.TrimSpace(l); l != "" {
				t.code = append(t.code, l)
			}
		}
		for i, m := range results {
			if x, err := strconv.ParseFloat(m[1], 64); err == nil && (i == 0 || x < t.cycles) {
				t.cycles = x
			}
		}
		t.published = fmt.Sprintf("%g cycles, median", t.cycles)
		if m := appleCount.FindStringSubmatch(body); m != nil {
			n, _ := strconv.ParseFloat(m[1], 64)
			t.published += " per instruction"
			t.cycles *= n
		}
		if m := appleChain.FindStringSubmatch(body); m != nil {
			n, _ := strconv.ParseFloat(m[1], 64)
			t.cycles += n
		}
		if t.cycles > 0 {
			list = append(list, t)
		}
	}
}
