// Command mkrvv makes the layer of a RISC-V model that a published table of vector throughputs gives.
//
// Usage:
//
//	go run ./tools/mkrvv -model ascalon-d8 -source TEXT [-vector V] [-memory LS] index.html
//
// The input is a page of camel-cdr's rvv-bench-results (MIT): cycles of each vector instruction by element width and LMUL, of which the table for
// the longest vectors and agnostic policies is read. The layer, internal/machine/models/rvv/MODEL.model, stands between internal/machine/models/MODEL.model
// and that model's base, which has to become "rvv/MODEL", and is never edited. Its rows keep the ports busy that the base names for the instruction, else
// those of -vector or -memory, for as long as the table says; latencies stay the base's, but -latencies replaces those of the
// model that -placeholder names, except for the forms of -keep. With -scale a latency that is the base's throughput, because
// the instruction occupies its unit until the end, becomes the table's, and so does that of the forms of -held, divisions for example, of which the base
// has another or a placeholder. What the table does not have and the base gives the same cost for
// one register as for eight is marked as unknown: such a cost is a placeholder.
//
//	go run ./tools/mkrvv -check MODEL index.html
//
// prints how many of the page's figures a model claims to know, and the share of these within a tenth.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

const modelDir = "internal/machine/models"

func main() {
	opt := options{}
	flag.StringVar(&opt.model, "model", "", "the model that the layer is for")
	flag.StringVar(&opt.source, "source", "", "where the table is from")
	flag.StringVar(&opt.vector, "vector", "", "ports of operations that the base does not have")
	flag.StringVar(&opt.memory, "memory", "", "ports of memory operations that the base does not have")
	flag.StringVar(&opt.latencies, "latencies", "", "model whose latencies replace those that the base has from -placeholder")
	flag.StringVar(&opt.placeholder, "placeholder", "", "model whose latencies -latencies replaces")
	flag.BoolVar(&opt.scale, "scale", false, "a latency that is the base's throughput becomes the table's")
	flag.BoolVar(&opt.one, "one", false, "all memory operations use the ports of -memory, whatever the base says")
	against := flag.String("check", "", "only compare this model with the page")
	held := flag.String("held", "", "forms whose result comes when their unit is free")
	keep := flag.String("keep", "", "forms whose latencies -latencies does not replace")
	only := flag.String("only", "", "only forms that match")
	flag.Parse()
	if *against != "" && flag.NArg() == 1 {
		if err := checkFile(*against, flag.Arg(0)); err != nil {
			fmt.Fprintln(os.Stderr, "mkrvv:", err)
			os.Exit(1)
		}
		return
	}
	if (opt.latencies == "") != (opt.placeholder == "") || opt.model == "" || opt.source == "" || flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if *only != "" {
		opt.only = regexp.MustCompile(*only)
	}
	if *held != "" {
		opt.held = regexp.MustCompile(*held)
	}
	if *keep != "" {
		opt.keep = regexp.MustCompile(*keep)
	}
	if err := run(opt, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "mkrvv:", err)
		os.Exit(1)
	}
}

type options struct {
	model, source, vector, memory string
	latencies, placeholder        string
	scale                         bool           // latencies that are the base's throughput become the table's
	one                           bool           // all memory operations use the ports of memory
	held                          *regexp.Regexp // forms whose latency becomes the table's
	keep                          *regexp.Regexp // forms that keep their latencies
	only                          *regexp.Regexp // the forms that the layer is for; nil: all
}

var baseRE = regexp.MustCompile(`(?m)^base: (.*)$`)

func run(opt options, file string) error {
	page, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	cells, err := readTable(string(page))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	out := filepath.Join(modelDir, "rvv", opt.model+".model")
	at := out
	if _, err := os.Stat(out); err != nil {
		at = filepath.Join(modelDir, opt.model+".model")
	}
	text, err := os.ReadFile(at)
	if err != nil {
		return err
	}
	base := baseRE.FindSubmatch(text)
	if base == nil {
		return fmt.Errorf("%s has no base", at)
	}
	l, err := newLayer(string(base[1]), opt)
	if err != nil {
		return err
	}
	for i := range cells {
		l.add(&cells[i])
	}
	l.immediates()
	var b strings.Builder
	fmt.Fprintf(&b, "# Made by tools/mkrvv from %s; do not edit, correct it in a model over it.\n", opt.source)
	fmt.Fprintf(&b, "name: rvv/%s\ntitle: Vector throughputs published for %s\nisa: riscv64\nbase: %s\n\n", opt.model, opt.model, base[1])
	l.write(&b)
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(out, []byte(b.String()), 0o644); err != nil {
		return err
	}
	fmt.Printf("%s: %d of %d cells, of %d forms; %d instructions are not known; %d forms are placeholders\n", out, l.used, len(cells), len(l.forms), len(l.strange), len(l.placeholders))
	return nil
}
