package suite

import (
	"context"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"incore/internal/base/parallel"
)

// MakeOptions selects the benchmarks to make.
type MakeOptions struct {
	Dir     string
	Kernels *regexp.Regexp // names of the kernels; nil: all
	Sources []string       // further files; with Kernels nil, only these
	Limit   int            // number of distinct benchmarks in the directory
	// Tolerance is the largest relative difference of check's number from that of plain code; 0: by the precision of the kernel's numbers.
	Tolerance float64
	Seed      uint64
	Target    Target
	Progress  func(benchmarks, dropped, tried, of int)
	Warn      func(string) // receives one line for each faulty part of the input
}

// Made counts the results of Make.
type Made struct {
	Dir        string         `json:"dir"`
	Benchmarks int            `json:"benchmarks"` // in the directory
	New        int            `json:"new"`
	Dropped    map[string]int `json:"dropped,omitempty"` // variants of this call, by reason
}

// maker is the state of a running Make.
type maker struct {
	MakeOptions
	dir   string
	out   *file
	done  map[string]bool // keys of variants
	ids   map[string]bool
	ref   sync.Map // kernel and type → *reference
	total Made

	compilers []Compiler
}

// errEnough ends the loop over variants.
var errEnough = errors.New("enough")

// Make compiles kernels until there are enough distinct benchmarks with the correct result. It continues after the benchmarks of an earlier call.
func Make(ctx context.Context, o MakeOptions) (*Made, error) {
	kernels, err := o.kernels()
	if err != nil {
		return new(Made), err
	}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return new(Made), err
	}
	if err := os.MkdirAll(filepath.Join(dir, binaries), 0o777); err != nil {
		return new(Made), fmt.Errorf("making the directory: %w", err)
	}
	m := &maker{MakeOptions: o, dir: dir, done: map[string]bool{}, ids: map[string]bool{}, total: Made{Dir: o.Dir, Dropped: map[string]int{}}}
	var rows []Row
	if m.out, rows, err = open(filepath.Join(dir, suiteFile)); err != nil {
		return new(Made), err
	}
	defer m.out.Close()
	defer m.tidy()
	if err := m.resume(rows); err != nil {
		return new(Made), err
	}
	if err := unpack(filepath.Join(dir, sourceDir), kernels); err != nil {
		return new(Made), fmt.Errorf("writing the sources: %w", err)
	}
	compilers := o.Target.compilers()
	if len(compilers) == 0 {
		return new(Made), fmt.Errorf("no compiler is installed (Debian: %s)", packageOf(&o.Target))
	}
	m.compilers = compilers
	if err := m.harness(ctx, compilers); err != nil {
		return new(Made), err
	}
	err = m.variants(ctx, o.Target.Variants(kernels, compilers, o.Seed))
	if errors.Is(err, errEnough) {
		err = nil
	}
	if errors.Is(err, errFull) {
		err = fmt.Errorf("%s: %w; the same command goes on from there", o.Dir, err)
	}
	return &m.total, err
}

// tidy removes the files of unfinished variants.
func (m *maker) tidy() {
	for _, pattern := range []string{"making-*", "reference-*"} {
		names, _ := filepath.Glob(binaryFile(m.dir, pattern))
		for _, n := range names {
			os.Remove(n)
		}
	}
}

// packageOf returns the Debian package of a compiler for a target.
func packageOf(t *Target) string {
	if t.Triple == "" {
		return "gcc"
	}
	return "gcc-" + t.Triple
}

// kernels returns the selected kernels.
func (o *MakeOptions) kernels() (out []Kernel, err error) {
	for _, s := range o.Sources {
		k, err := Given(s)
		if err != nil {
			return nil, err
		}
		out = append(out, k)
	}
	if len(out) > 0 && o.Kernels == nil {
		return out, nil
	}
	for _, k := range Kernels() {
		if o.Kernels == nil || o.Kernels.MatchString(k.Name) {
			out = append(out, k)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no kernel matches %s; 'incore eval kernels' lists them", o.Kernels)
	}
	return out, nil
}

// resume reads the results of an earlier call.
func (m *maker) resume(rows []Row) error {
	if len(rows) == 0 {
		return m.out.add(Row{Header: &Header{Format: format, Target: m.Target.ISA, Cross: m.Target.Triple, Seed: m.Seed}})
	}
	h := rows[0].Header
	if h == nil || h.Format != format {
		return fmt.Errorf("%s is of another version of incore", m.Dir)
	}
	if h.Target != m.Target.ISA || h.Cross != m.Target.Triple {
		return fmt.Errorf("%s holds benchmarks for %s; another directory is needed for %s", m.Dir, h.Target, m.Target.ISA)
	}
	for _, r := range rows[1:] {
		switch {
		case r.Benchmark != nil:
			m.done[r.Benchmark.Key], m.ids[r.Benchmark.ID] = true, true
			m.total.Benchmarks++
		case r.Dropped != nil:
			m.done[r.Dropped.Key] = true
		}
	}
	return nil
}

// harness compiles the code around kernels.
func (m *maker) harness(ctx context.Context, compilers []Compiler) error {
	cc := compilers[0]
	args := append([]string{cc.Name}, cc.prefix...)
	args = append(args, "-O2", "-w", "-fno-pic", "-c", m.source("harness.c"), "-o", m.object("harness"))
	if _, err := command(ctx, compileLimit, "compiling the harness", args...); err != nil {
		return err
	}
	return nil
}

func (m *maker) source(name string) string { return filepath.Join(m.dir, sourceDir, name) }
func (m *maker) object(name string) string { return filepath.Join(m.dir, binaries, name+".o") }

// outcome is the result of building a variant.
type outcome struct {
	row  Row
	temp string // the executable, to be kept or removed
}

// variants builds variants in order, several in parallel, and keeps the benchmarks with new machine code.
func (m *maker) variants(ctx context.Context, list []Variant) error {
	left := list[:0]
	for _, v := range list {
		if !m.done[v.Key()] {
			left = append(left, v)
		}
	}
	if m.total.Benchmarks >= m.Limit {
		return nil
	}
	return parallel.Ordered(ctx, runtime.GOMAXPROCS(0), len(left), func(ctx context.Context, worker, i int) (outcome, error) {
		temp := binaryFile(m.dir, fmt.Sprintf("making-%d-%d", os.Getpid(), i))
		row, err := m.build(ctx, &left[i], temp)
		if err != nil {
			os.Remove(temp)
			return outcome{}, err
		}
		return outcome{row, temp}, nil
	}, func(i int, o outcome) error {
		defer os.Remove(o.temp)
		if m.total.Benchmarks >= m.Limit {
			return errEnough
		}
		if err := m.keep(&left[i], o); err != nil {
			return err
		}
		if m.Progress != nil {
			m.Progress(m.total.Benchmarks, total(m.total.Dropped), i+1, len(left))
		}
		return nil
	})
}

func total(counts map[string]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

// keep records the outcome of a variant, in the order of the list.
func (m *maker) keep(v *Variant, o outcome) error {
	if b := o.row.Benchmark; b != nil {
		if m.ids[b.ID] {
			o.row = Row{Dropped: &Dropped{Key: b.Key, Kernel: b.Kernel, Reason: "equal binary", Detail: b.ID}}
		} else {
			if err := os.Rename(o.temp, binaryFile(m.dir, b.ID)); err != nil {
				return err
			}
			m.ids[b.ID] = true
			m.total.Benchmarks++
			m.total.New++
		}
	}
	if d := o.row.Dropped; d != nil {
		m.total.Dropped[d.Reason]++
		if v.Kernel.Family == "user" && m.total.Dropped[d.Reason] == 1 && d.Reason != "equal binary" && m.Warn != nil {
			m.Warn(fmt.Sprintf("%s: %s: %s", v.Kernel.Name, d.Reason, d.Detail))
		}
	}
	return m.out.add(o.row)
}

// theCompiler is the first word of the reason if a compiler fails.
const theCompiler = "the compiler"

// reference is the correct result of a kernel's check.
type reference struct {
	once  sync.Once
	value float64
	err   error
}

// reference compiles a kernel without optimisations that change results, and runs it.
func (m *maker) reference(ctx context.Context, v *Variant) (float64, error) {
	got, _ := m.ref.LoadOrStore(v.Kernel.File+" "+v.Type, &reference{})
	r := got.(*reference)
	r.once.Do(func() {
		for i, c := range m.able(v.Compiler.Language) {
			value, err := m.plain(ctx, v, c)
			if r.value = value; i == 0 || err == nil {
				r.err = err
			}
			var tool *toolError
			if !errors.As(err, &tool) || !strings.HasPrefix(tool.what, theCompiler) {
				return
			}
		}
	})
	return r.value, r.err
}

// able returns the compilers of a language, the fastest first, which is GCC.
func (m *maker) able(language string) (out []*Compiler) {
	for i := range m.compilers {
		if c := &m.compilers[i]; c.Language == language {
			out = append(out, c)
		}
	}
	return out
}

// linker returns the compiler that links: GCC if it is installed, since it starts in a third of clang's time. No link option depends on the compiler.
func (m *maker) linker(c *Compiler) *Compiler {
	if c.Family == "flang" { // it would add its own main program
		return &m.compilers[0]
	}
	return m.able(c.Language)[0]
}

// plain returns the result of a kernel's check, compiled without optimisations that change results.
func (m *maker) plain(ctx context.Context, v *Variant, c *Compiler) (float64, error) {
	plain := *v
	plain.Compiler = c
	plain.Flags = []string{"-O1"}
	if c.Family != "flang" {
		plain.Flags = append(plain.Flags, "-ffp-contract=off")
	}
	plain.Flags = append(append(plain.Flags, c.prefix...), common[c.Family]...)
	if v.Type != "" {
		plain.Flags = append(plain.Flags, "-DT="+v.Type)
	}
	temp := binaryFile(m.dir, fmt.Sprintf("reference-%d-%s%s", os.Getpid(), v.Kernel.Name, v.Type))
	defer os.Remove(temp)
	if _, err := m.compile(ctx, &plain, temp); err != nil {
		return 0, err
	}
	return m.check(ctx, temp)
}

// build makes an executable of a variant and compares its result with the reference. An error ends the whole run.
func (m *maker) build(ctx context.Context, v *Variant, temp string) (Row, error) {
	drop := func(reason, detail string) (Row, error) {
		return Row{Dropped: &Dropped{Key: v.Key(), Kernel: v.Kernel.Name, Reason: reason, Detail: detail}}, nil
	}
	failed := func(prefix string, err error) (Row, error) {
		var tool *toolError
		if errors.As(err, &tool) {
			return drop(prefix+tool.what, tool.text)
		}
		return Row{}, err
	}
	want, err := m.reference(ctx, v)
	if err != nil {
		return failed("reference: ", err)
	}
	id, err := m.compile(ctx, v, temp)
	if err != nil {
		return failed("", err)
	}
	value, err := m.check(ctx, temp)
	if err != nil {
		return failed("", err)
	}
	if t := m.tolerance(v); !agrees(value, want, t) {
		return drop("another result", fmt.Sprintf("check returns %.12g, not %.12g, with a tolerance of %g", value, want, t))
	}
	return Row{Benchmark: &Benchmark{ID: id, Key: v.Key(), Kernel: v.Kernel.Name, Family: v.Kernel.Family, HeldOut: HeldOut(v.Kernel.Name), Source: v.Kernel.File,
		Language: v.Kernel.Language(), Compiler: v.Compiler.Name, Version: v.Compiler.Version, Level: v.Level, Vectors: v.Vectors, Transformation: v.Transformation,
		Type: v.Type, Arrays: v.Arrays, Flags: v.Flags, Check: value}}, nil
}

// Relative tolerances for sums in another order.
const (
	doubleTolerance = 1e-7
	singleTolerance = 2e-3
)

// tolerance returns the relative tolerance for the result of a variant.
func (m *maker) tolerance(v *Variant) float64 {
	switch {
	case m.Tolerance > 0:
		return m.Tolerance
	case v.Type == "float", v.Type == "" && v.Kernel.single():
		return singleTolerance
	}
	return doubleTolerance
}

// agrees compares two results.
func agrees(value, want, tolerance float64) bool {
	return math.Abs(value-want) <= tolerance*math.Max(1, math.Abs(want))
}

// compile makes an executable and returns the name of its machine code.
func (m *maker) compile(ctx context.Context, v *Variant, temp string) (id string, err error) {
	object := temp + ".o"
	defer os.Remove(object)
	args := append([]string{v.Compiler.Name, "-w"}, v.Flags...)
	args = append(args, "-c", m.source(v.Kernel.File), "-o", object)
	if v.Compiler.Language == "Fortran" {
		args = append(args, "-J", os.TempDir(), "-fno-automatic")
	}
	if _, err := command(ctx, compileLimit, theCompiler, args...); err != nil {
		var tool *toolError
		if errors.As(err, &tool) && v.Kernel.given != "" { // the user knows his file by its own name
			tool.text = strings.ReplaceAll(tool.text, m.source(v.Kernel.File), v.Kernel.given)
		}
		return "", err
	}
	if id, err = codeID(object, v.Kernel.Name+v.Type); err != nil {
		return "", &toolError{"the compiler fails", err.Error()}
	}
	linker := m.linker(v.Compiler)
	link := append([]string{linker.Name}, linker.prefix...)
	link = append(link, "-no-pie", "-z", "noexecstack", m.object("harness"), object, "-o", temp, "-lm")
	if _, err := command(ctx, compileLimit, "the linker", link...); err != nil {
		return "", err
	}
	return id, nil
}

// check runs a benchmark and returns the result of its check.
func (m *maker) check(ctx context.Context, exe string) (float64, error) {
	args := append(append([]string{}, m.Target.Emu...), exe, "check")
	out, err := command(ctx, runLimit, "the kernel", args...)
	if err != nil {
		return 0, err
	}
	value, err := strconv.ParseFloat(strings.TrimSpace(out), 64)
	if err != nil || math.IsNaN(value) || math.IsInf(value, 0) {
		return 0, &toolError{"check returns no number", strings.TrimSpace(out)}
	}
	return value, nil
}

// codeID returns a key of the machine code of an object file's functions, except init and check, which are not measured.
func codeID(object, salt string) (string, error) {
	f, err := elf.Open(object)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	fmt.Fprint(h, salt)
	for _, s := range f.Sections {
		if s.Flags&elf.SHF_EXECINSTR == 0 || s.Name == ".text.init" || s.Name == ".text.check" {
			continue
		}
		code, err := s.Data()
		if err != nil {
			return "", err
		}
		fmt.Fprint(h, s.Name, len(code))
		h.Write(code)
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}
