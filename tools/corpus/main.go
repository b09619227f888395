// Command corpus compiles the sources under src with every compiler at hand and
// writes their assembly, one file per source and configuration, to
// OUT/{x86-att,x86-intel,aarch64,riscv}/SOURCE.COMPILER-CONFIG.s.
//
// Usage:
//
//	go run ./tools/corpus -out DIR [-src DIR] [-only REGEXP] [-share K/N]
//	go run ./tools/corpus -check DIR
//
// The corpus is what parsers and matchers are tested on; it is not committed.
// -check reads every file of a corpus as incore does and compares the form of every
// instruction with the one that llvm-mc -show-inst names; it fails below 99.95 %
// resolved or 99.9 % equal. -share builds the files whose names have the hash K modulo N.
//
// A compiler that is not installed is skipped with a message. A source that a
// configuration cannot compile (or that leaves no code) is counted and skipped.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"

	"incore/internal/base/parallel"
)

// job is the compilation of one source in one configuration.
type job struct {
	out  string
	args []string
}

func main() {
	out := flag.String("out", "", "folder to build into")
	src := flag.String("src", filepath.Join("tools", "corpus", "src"), "folder of the sources")
	only := flag.String("only", "", "build only files whose output path matches this regular expression")
	share := flag.String("share", "0/1", "K/N: build only files whose names have the hash K modulo N")
	checked := flag.String("check", "", "compare the corpus in this folder with llvm-mc")
	flag.Parse()
	if (*out == "") == (*checked == "") || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	var err error
	if *checked != "" {
		err = check(*checked)
	} else {
		err = run(*src, *out, *only, *share)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(1)
	}
}

func run(src, out, only, share string) error {
	re, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	var k, n uint32
	if _, err := fmt.Sscanf(share, "%d/%d", &k, &n); err != nil || k >= n {
		return fmt.Errorf("-share %s: K/N with K below N is needed", share)
	}
	files, err := filepath.Glob(filepath.Join(src, "*.*"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no sources in %s", src)
	}
	todo := slices.DeleteFunc(plan(files, out, re), func(j job) bool { return hash(filepath.Base(j.out))%n != k })
	for _, j := range todo {
		if err := os.MkdirAll(filepath.Dir(j.out), 0o755); err != nil {
			return err
		}
	}
	results := compile(todo)
	summary(out, results)
	return nil
}

func hash(name string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(name))
	return h.Sum32()
}

// plan lists the compilations for the installed compilers.
func plan(files []string, out string, only *regexp.Regexp) []job {
	var todo []job
	for _, c := range compilers {
		if _, err := exec.LookPath(c.cmd); err != nil {
			fmt.Printf("skipping %s: not installed\n", c.cmd)
			continue
		}
		for _, f := range files {
			if !strings.Contains(c.ext, filepath.Ext(f)+" ") {
				continue
			}
			for _, g := range c.configs {
				base := strings.TrimSuffix(filepath.Base(f), filepath.Ext(f))
				o := filepath.Join(out, g.dir, base+"."+c.name+"-"+g.name+".s")
				if only.MatchString(o) {
					todo = append(todo, job{o, command(c, g, f, o)})
				}
			}
		}
	}
	return todo
}

func command(c compiler, g config, src, out string) []string {
	args := append([]string{c.cmd}, strings.Fields(c.flags+" "+g.flags)...)
	if strings.HasSuffix(src, ".f90") {
		args = append(args, "-J"+modules(out))
	}
	return append(args, "-o", out, src)
}

// modules returns the folder of the module files of a Fortran source. Each compilation has its own: concurrent compilers would
// overwrite each other's module files.
func modules(out string) string { return strings.TrimSuffix(out, ".s") + ".modules" }

type result struct {
	job
	insts int // instruction lines, counted roughly
	err   string
}

func compile(todo []job) []result {
	results := make([]result, len(todo))
	parallel.For(len(todo), func(i int) { results[i] = compile1(todo[i]) })
	return results
}

func compile1(j job) result {
	if dir := modules(j.out); slices.Contains(j.args, "-J"+dir) {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return result{job: j, err: err.Error()}
		}
		defer os.RemoveAll(dir)
	}
	cmd := exec.Command(j.args[0], j.args[1:]...)
	msg, err := cmd.CombinedOutput()
	if err != nil {
		os.Remove(j.out)
		line, _, _ := strings.Cut(strings.TrimSpace(string(msg)), "\n")
		return result{job: j, err: strings.Join(j.args, " ") + ": " + line}
	}
	text, err := os.ReadFile(j.out)
	if err != nil {
		return result{job: j, err: err.Error()}
	}
	n := instructions(text)
	if n == 0 {
		os.Remove(j.out) // the source uses intrinsics of another ISA
	}
	return result{job: j, insts: n}
}

// instructions counts the indented lines that are neither directive nor comment.
func instructions(text []byte) int {
	n := 0
	for _, l := range bytes.Split(text, []byte("\n")) {
		if len(l) < 2 || (l[0] != '\t' && l[0] != ' ') {
			continue
		}
		if l = bytes.TrimSpace(l); len(l) > 0 && (l[0] >= 'a' && l[0] <= 'z' || l[0] == '{') {
			n++
		}
	}
	return n
}

func summary(out string, results []result) {
	files, insts := map[string]int{}, map[string]int{}
	failed := 0
	for _, r := range results {
		if r.err != "" {
			failed++
			fmt.Println("failed:", r.err)
			continue
		}
		if r.insts == 0 {
			continue
		}
		dir := filepath.Base(filepath.Dir(r.out))
		files[dir]++
		insts[dir] += r.insts
	}
	var dirs []string
	for d := range files {
		dirs = append(dirs, d)
	}
	sort.Strings(dirs)
	total := 0
	for _, d := range dirs {
		fmt.Printf("%-10s %5d files %8d instruction lines\n", d, files[d], insts[d])
		total += insts[d]
	}
	fmt.Printf("total %d instruction lines in %s, %d compilations failed\n", total, out, failed)
}
