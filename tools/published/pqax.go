package main

import (
	"encoding/hex"
	"fmt"
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

const (
	pqaxAsm     = "asm/manual/keccak_f1600"
	pqaxFigures = "sphincsplus/keccak-benchmarks.md"
)

// pqaxLine is the line of a benchmark: percentiles of averages over 100 calls, the median between asterisks.
var pqaxLine = regexp.MustCompile(`\|\*\s*(\d+)\s*\*\|.*\(100-th AVGs of (\w+)\)`)

// pqax reads cycles of permutations (or of two to five at once), and the functions that were called. Functions in C are left out: the compiler is not named.
func pqax(o *options, dir string) ([]*kernel, error) {
	r, err := openRepo(o.pqax)
	if err != nil {
		return nil, err
	}
	figures, err := r.read(pqaxFigures)
	if err != nil {
		return nil, err
	}
	if err := r.extract(dir, pqaxAsm, "envs/native-linux-v84a"); err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(dir, pqaxAsm, "*.s"))
	if err != nil {
		return nil, err
	}
	files = append(files, filepath.Join(dir, pqaxAsm, "third_party", "keccakx2_bas.s"))
	code := map[string]*kernel{}
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".s")
		if name == "macros" {
			continue
		}
		if name == "keccakx2_bas" {
			name = "keccak_f1600_x2_bas"
		}
		k, err := keccak(f, name, dir)
		if err != nil {
			fmt.Fprintf(os.Stderr, "published: %s: %v\n", filepath.Base(f), err)
			continue
		}
		code[name] = k
	}
	var list []*kernel
	core := ""
	for _, l := range strings.Split(figures, "\n") {
		if name, ok := strings.CutPrefix(l, "# Cortex-"); ok {
			core = "cortex-" + strings.ToLower(strings.TrimSpace(name))
		} else if strings.HasPrefix(l, "#") {
			core = ""
		}
		m := pqaxLine.FindStringSubmatch(l)
		if m == nil || core == "" || code[m[2]] == nil {
			continue
		}
		k := *code[m[2]]
		k.Set, k.Core, k.Arch, k.Kernel = "keccak", core, core, strings.TrimPrefix(m[2], "keccak_f1600_")
		k.File, k.Commit, k.Licence = "slothy-optimizer/pqax "+pqaxFigures, r.commit[:12], "MIT"
		k.Published, k.Conversion = m[1]+" cycles per call, median of means over 100 calls", "as published: all passes of the loops and the code around them"
		k.Cycles, err = strconv.ParseFloat(m[1], 64)
		if err != nil {
			return nil, err
		}
		list = append(list, &k)
	}
	return list, nil
}

// keccak assembles a file and follows the execution of its function.
func keccak(file, name, dir string) (*kernel, error) {
	obj := filepath.Join(dir, name+".o")
	env := filepath.Join(dir, "envs/native-linux-v84a/inc")
	if err := compile(filepath.Dir(file), "aarch64-linux-gnu-gcc", "-c", "-x", "assembler-with-cpp", "-march=armv9-a+sha3", "-I"+env, "-I"+filepath.Join(dir, pqaxAsm), "-o", obj, filepath.Base(file)); err != nil {
		return nil, err
	}
	// Labels within the function would divide it.
	if err := compile(dir, "aarch64-linux-gnu-objcopy", "--discard-all", obj); err != nil {
		return nil, err
	}
	f, err := object.Open(obj, catalog.ISAs()...)
	if err != nil {
		return nil, err
	}
	return followed(f, name)
}

// followed makes the parts of a function without arguments that matter: its innermost loops by the number of their passes, and everything else as straight code.
func followed(f *object.File, name string) (*kernel, error) {
	fn := f.Function(name)
	if fn == nil {
		fn = f.Function("_" + name)
	}
	if fn == nil {
		return nil, fmt.Errorf("no function %s", name)
	}
	k := &kernel{}
	inner := map[uint64]int{}  // address of an instruction → its innermost loop
	header := map[uint64]int{} // address → the loop that begins there
	for _, l := range f.Loops(fn) {
		if !l.Innermost {
			continue
		}
		body, err := l.Kernel(object.KernelOptions{})
		if err != nil {
			return nil, err
		}
		for i := range body.Lines {
			inner[body.Lines[i].Addr] = len(k.parts)
		}
		header[l.Addr()] = len(k.parts)
		k.parts = append(k.parts, part{kernel: body})
	}
	var rest, all []byte
	err := walk(f, fn.Addr, func(l *object.Line) {
		if i, ok := header[l.Addr]; ok {
			k.parts[i].times++
		}
		if f.ISA.Flow(&l.Inst).Kind != isa.FlowNext {
			return
		}
		all = append(all, l.Bytes...)
		if _, ok := inner[l.Addr]; !ok {
			rest = append(rest, l.Bytes...)
		}
	})
	if err != nil {
		return nil, err
	}
	straight, err := (&predict.Reader{ISA: f.ISA}).Code(rest, 0)
	if err != nil {
		return nil, err
	}
	k.parts = append(k.parts, part{kernel: straight, straight: true, times: 1})
	k.hex = hex.EncodeToString(all)
	return k, nil
}
