// Command published compares predictions with cycles of loops that others published, on cores that nobody here has.
//
// Usage:
//
//	go run ./tools/published [-pqax REPO] [-rvv-results REPO -rvv-bench REPO] [-cryptogams REPO] [-osaca REPO] [-gemm REPO] [-applecpu REPO]
//	    [-core CORE] [-set SET] [-kernels] [-held-out] [-quiet] [-tsv FILE] [-corpus DIR] [-doc docs/results/accuracy.md]
//
// Each REPO is a checkout or a bare git directory of a repository on GitHub:
//
//	-pqax         slothy-optimizer/pqax: permutations of Keccak on six of Arm's cores, with their assembly
//	-rvv-results  camel-cdr/rvv-bench-results: bytes per cycle of vector kernels on RISC-V cores, by size of the input
//	-rvv-bench    camel-cdr/rvv-bench: the assembly of these kernels
//	-cryptogams   dot-asm/cryptogams: cycles per byte in the heads of the programs that generate the assembly
//	-osaca        RRZE-HPC/OSACA-Artifact-Appendix: streams and stencils on ThunderX2, Cascade Lake and Zen, with their assembly
//	-gemm         ARM-software/ComputeLibrary: multiply-adds per cycle of kernels of matrix products, with their assembly
//	-applecpu     dougallj/applecpu: latencies and throughputs of single instructions on both cores of Apple's M1, 16,000 tests with their code
//
// The command extracts the sources into a temporary directory, assembles them with the cross compilers aarch64-linux-gnu-gcc and riscv64-linux-gnu-gcc-12 or
// clang, finds the hot loop and compares its prediction with the published figure. It prints a table of core, set and error for the kernels of each half: half
// of the kernels, drawn by a hash of their names, is held out, and -quiet leaves its column out while models are changed. -kernels lists the kernels of the other half, with -held-out all of them.
//
// -tsv writes the facts (core, kernel, source, commit, licence, figure and its conversion to cycles) with the predictions, no code. -corpus writes a corpus for
// "incore predict" per core and set, with the code: it stays outside of this repository. -doc writes the table of a file that -tsv wrote into a page.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

type options struct {
	pqax, rvvResults, rvvBench, cryptogams string
	applecpu, osaca, gemm                  string
	core, set, tsv, corpus, doc            string
	kernels, heldOut, quiet                bool
}

func main() {
	var o options
	flag.StringVar(&o.pqax, "pqax", "", "slothy-optimizer/pqax")
	flag.StringVar(&o.rvvResults, "rvv-results", "", "camel-cdr/rvv-bench-results")
	flag.StringVar(&o.rvvBench, "rvv-bench", "", "camel-cdr/rvv-bench")
	flag.StringVar(&o.cryptogams, "cryptogams", "", "dot-asm/cryptogams")
	flag.StringVar(&o.applecpu, "applecpu", "", "dougallj/applecpu")
	flag.StringVar(&o.osaca, "osaca", "", "RRZE-HPC/OSACA-Artifact-Appendix")
	flag.StringVar(&o.gemm, "gemm", "", "ARM-software/ComputeLibrary")
	flag.StringVar(&o.core, "core", "", "predict for this core only")
	flag.StringVar(&o.set, "set", "", "predict this set only")
	flag.StringVar(&o.tsv, "tsv", "", "file of facts and predictions to write; with -doc alone: to read")
	flag.StringVar(&o.corpus, "corpus", "", "directory for corpora with the code")
	flag.StringVar(&o.doc, "doc", "", "page whose table is written")
	flag.BoolVar(&o.kernels, "kernels", false, "list the kernels that are not held out")
	flag.BoolVar(&o.heldOut, "held-out", false, "with -kernels: list those that are held out, too")
	flag.BoolVar(&o.quiet, "quiet", false, "print the table without the kernels that are held out")
	flag.Parse()
	if err := run(&o); err != nil {
		fmt.Fprintln(os.Stderr, "published:", err)
		os.Exit(1)
	}
}

func run(o *options) error {
	if o.rvvResults != "" && o.rvvBench == "" || o.rvvResults == "" && o.rvvBench != "" {
		return errors.New("-rvv-results and -rvv-bench need each other")
	}
	dir, err := os.MkdirTemp("", "published")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	var cases []*kernel
	for _, set := range []struct {
		given bool
		read  func(*options, string) ([]*kernel, error)
	}{{o.pqax != "", pqax}, {o.rvvResults != "", rvvBench}, {o.cryptogams != "", cryptogams}, {o.applecpu != "", applecpu}, {o.osaca != "", osacaArtifact}, {o.gemm != "", gemm}} {
		if !set.given {
			continue
		}
		sub, err := os.MkdirTemp(dir, "set")
		if err != nil {
			return err
		}
		list, err := set.read(o, sub)
		if err != nil {
			return err
		}
		cases = append(cases, list...)
	}
	cases = o.chosen(cases)
	if len(cases) == 0 {
		if o.doc != "" && o.tsv != "" {
			return document(o.doc, o.tsv)
		}
		return errors.New("no kernels: name a repository")
	}
	if err := predictAll(cases); err != nil {
		return err
	}
	if o.corpus != "" {
		if err := writeCorpora(o.corpus, cases); err != nil {
			return err
		}
	}
	rows := factsOf(cases)
	if o.tsv != "" {
		if err := writeFacts(o.tsv, rows); err != nil {
			return err
		}
	}
	if o.kernels {
		list(os.Stdout, rows, o.heldOut)
	}
	if o.quiet {
		rows = slices.DeleteFunc(slices.Clone(rows), func(f Fact) bool { return f.HeldOut() })
	}
	fmt.Print(table(rows))
	if o.doc != "" && o.tsv != "" {
		return document(o.doc, filepath.Clean(o.tsv))
	}
	return nil
}

// chosen returns the kernels of the core and set that the options name.
func (o *options) chosen(all []*kernel) (list []*kernel) {
	for _, k := range all {
		if (o.core == "" || k.Core == o.core) && (o.set == "" || k.Set == o.set) {
			list = append(list, k)
		}
	}
	return list
}
