package main

import (
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"incore/internal/isa/catalog"
	"incore/internal/machine"
	"incore/internal/object"
)

// gemmFolder has Compute Library's kernels of matrix products.
const gemmFolder = "src/core/NEON/kernels/arm_gemm/kernels"

// gemmCores are the cores of its rates.
var gemmCores = map[string]string{"A53": "cortex-a53", "A55r1": "cortex-a55", "A73": "cortex-a73", "A510": "cortex-a510", "V1": "neoverse-v1", "A64FX": "a64fx"}

var (
	gemmType    = regexp.MustCompile(`std::is_same<T, *(\w+)>::value`)
	gemmRate    = regexp.MustCompile(`case CPUModel::(\w+):\s*return \{ *([\d.]+) *, *[\d.]+ *, *[\d.]+ *\}`)
	gemmChoice  = regexp.MustCompile(`case CPUModel::(\w+):\s*kernel *= *\w+_(a5\w+|x1|a64fx);`)
	gemmAsm     = regexp.MustCompile(`(?s)__asm(?:__)? (?:__)?volatile(?:__)? *\((.*?)\n\s*:`)
	gemmString  = regexp.MustCompile(`"((?:[^"\\]|\\.)*)"`)
	gemmOperand = regexp.MustCompile(`%([xwqds]?)\[(\w+)\]`)
	gemmMacro   = regexp.MustCompile(`(ASM_PREFETCH\w*)\(`)
	gemmPinned  = regexp.MustCompile(`register \w+ +(\w+) +asm\("(\w+)"\)`)
)

// gemmMacros are the library's macros in assembly.
var gemmMacros = map[string]string{"ASM_PREFETCH": "prfm pldl1keep, ", "ASM_PREFETCHL2": "prfm pldl2keep, ", "ASM_PREFETCHW": "prfm pstl1keep, ", "ASM_PREFETCHWL2": "prfm pstl2keep, "}

// gemm reads multiply-adds per cycle by which the library chooses a kernel, and takes the loop of the kernel that makes most of them. It reads rates of three
// numbers, of which the first is the kernel's, and the others those of arranging operands and of storing results: single rates are of whole products.
func gemm(o *options, dir string) ([]*kernel, error) {
	r, err := openRepo(o.gemm)
	if err != nil {
		return nil, err
	}
	if err := r.extract(dir, gemmFolder); err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(dir, gemmFolder, "*.hpp"))
	if err != nil {
		return nil, err
	}
	var list []*kernel
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".hpp")
		if !strings.HasPrefix(name, "a64_") && !strings.HasPrefix(name, "sve_") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for _, m := range gemmRate.FindAllStringSubmatch(gemmRates(string(text)), -1) {
			model := gemmCores[m[1]]
			rate, err := strconv.ParseFloat(m[2], 64)
			if model == "" || err != nil || rate <= 0 {
				continue
			}
			variant := gemmVariant(dir, name, string(text), m[1])
			k, err := gemmKernel(dir, name, variant, model)
			if err != nil {
				fmt.Fprintf(os.Stderr, "published: %s/%s: %v\n", name, variant, err)
				continue
			}
			k.Set, k.Core, k.Arch, k.Kernel = "gemm", model, model, name
			k.File, k.Commit, k.Licence = "ARM-software/ComputeLibrary "+gemmFolder+"/"+name+".hpp", r.commit[:12], "MIT"
			k.Published = m[2] + " multiply-adds per cycle"
			k.Conversion = fmt.Sprintf("%g multiply-adds of a pass of the loop (%s.cpp) by the rate", k.Cycles, variant)
			k.Cycles /= rate
			list = append(list, k)
		}
	}
	return list, nil
}

// gemmVariant returns the name of the file with a kernel for a core: the one that its class chooses, or one made for the core, which it then chooses otherwise.
func gemmVariant(dir, name, class, core string) string {
	for _, m := range gemmChoice.FindAllStringSubmatch(class, -1) {
		if m[1] == core {
			return m[2]
		}
	}
	v := strings.ToLower(core)
	if _, err := os.Stat(filepath.Join(dir, gemmFolder, name, v+".cpp")); err == nil {
		return v
	}
	return "generic"
}

// gemmRates returns the part of a kernel's class with its rates: for the first type of results, where there are several.
func gemmRates(text string) string {
	_, text, _ = strings.Cut(text, "get_performance_parameters")
	text, _, _ = strings.Cut(text, "kern_type kernel")
	if types := gemmType.FindAllStringIndex(text, 2); len(types) == 2 {
		text = text[:types[1][0]]
	}
	return text
}

// gemmKernel assembles a kernel's text, with registers for the operands of the compiler. Its cycles are the number of multiply-adds.
func gemmKernel(dir, name, variant, model string) (*kernel, error) {
	cpp, err := os.ReadFile(filepath.Join(dir, gemmFolder, name, variant+".cpp"))
	if err != nil {
		return nil, err
	}
	body := gemmAsm.FindStringSubmatch(string(cpp))
	if body == nil {
		return nil, fmt.Errorf("no assembly")
	}
	var b strings.Builder
	b.WriteString(".text\n.global body\n.type body, %function\nbody:\n")
	for _, l := range strings.Split(body[1], "\n") {
		l = withoutComment(l)
		macro := gemmMacro.FindStringSubmatch(l)
		for _, m := range gemmString.FindAllStringSubmatch(l, -1) {
			s, err := strconv.Unquote(`"` + m[1] + `"`)
			if err != nil {
				return nil, err
			}
			if macro != nil {
				s = gemmMacros[macro[1]] + s + "\n"
			}
			b.WriteString(s)
			if strings.HasSuffix(s, ":") {
				b.WriteString("\n")
			}
		}
	}
	b.WriteString("\nret\n.size body, .-body\n")
	asm := filepath.Join(dir, name+"-"+variant+".s")
	if err := os.WriteFile(asm, []byte(gemmRegisters(b.String(), string(cpp))), 0o644); err != nil {
		return nil, err
	}
	obj := strings.TrimSuffix(asm, ".s") + ".o"
	if err := compile(dir, "aarch64-linux-gnu-gcc", "-c", "-march=armv8.6-a+sve2+f32mm+fp16+dotprod", "-o", obj, asm); err != nil {
		return nil, err
	}
	f, err := object.Open(obj, catalog.ISAs()...)
	if err != nil {
		return nil, err
	}
	m, err := machine.Get(model)
	if err != nil {
		return nil, err
	}
	return gemmLoop(f, 8*max(16, int(m.Params.VectorBytes)))
}

// withoutComment cuts a C++ comment, which is not within a string.
func withoutComment(l string) string {
	quoted := false
	for i := range len(l) {
		switch {
		case l[i] == '"' && (i == 0 || l[i-1] != '\\'):
			quoted = !quoted
		case !quoted && strings.HasPrefix(l[i:], "//"):
			return l[:i]
		}
	}
	return l
}

// gemmRegisters replaces the compiler's operands: variables by registers that the text does not name, what is pinned to a register by it, and constants.
func gemmRegisters(text, cpp string) string {
	pinned := map[string]string{}
	for _, m := range gemmPinned.FindAllStringSubmatch(cpp, -1) {
		pinned[m[1]] = m[2]
	}
	var free []string
	for i := 0; i < 31; i++ {
		if n := strconv.Itoa(i); !regexp.MustCompile(`\b[xw]` + n + `\b`).MatchString(text) {
			free = append(free, n)
		}
	}
	var names []string
	constants := map[string]bool{}
	for _, m := range gemmOperand.FindAllStringSubmatch(text, -1) {
		if m[1] == "" && strings.HasPrefix(m[2], "offset") {
			constants[m[2]] = true
		} else if pinned[m[2]] == "" {
			names = append(names, m[2])
		}
	}
	sort.Strings(names)
	given := map[string]string{}
	for _, n := range names {
		if given[n] != "" {
			continue
		}
		given[n] = "29" // what the text around the loops alone needs
		if len(free) > 0 {
			given[n], free = free[0], free[1:]
		}
	}
	return gemmOperand.ReplaceAllStringFunc(text, func(s string) string {
		m := gemmOperand.FindStringSubmatch(s)
		switch {
		case pinned[m[2]] != "" && strings.ContainsAny(m[1], "qds"):
			return m[1] + pinned[m[2]][1:]
		case pinned[m[2]] != "":
			return pinned[m[2]]
		case constants[m[2]]:
			return "#8"
		case m[1] == "w":
			return "w" + given[m[2]]
		}
		return "x" + given[m[2]]
	})
}

// gemmLoop makes the kernel of the loop with most multiply-adds; of several the shortest.
func gemmLoop(f *object.File, bits int) (*kernel, error) {
	fn := f.Function("body")
	if fn == nil {
		return nil, fmt.Errorf("no function")
	}
	var best *object.Loop
	most := 0.0
	for _, l := range f.Loops(fn) {
		if !l.Innermost {
			continue
		}
		body, err := l.Kernel(object.KernelOptions{})
		if err != nil {
			return nil, err
		}
		n := 0.0
		for i := range body.Lines {
			n += multiplyAdds(string(f.ISA.Print(nil, &body.Lines[i].Inst, f.ISA.Syntaxes[0])), bits)
		}
		if n > most || n == most && best != nil && l.Insts < best.Insts {
			best, most = l, n
		}
	}
	if best == nil || most == 0 {
		return nil, fmt.Errorf("no loop with multiply-adds")
	}
	body, err := best.Kernel(object.KernelOptions{})
	if err != nil {
		return nil, err
	}
	lo, hi := best.Range()
	k := &kernel{parts: []part{{kernel: body, times: 1}}, hex: hex.EncodeToString(f.Bytes(lo, int(hi-lo)))}
	k.Cycles = most
	return k, nil
}

// multiplyAdds counts the multiply-adds of an instruction; bits is the length of the core's scalable vectors.
func multiplyAdds(text string, bits int) float64 {
	mnemonic, ops := operands(text)
	if len(ops) == 0 {
		return 0
	}
	_, kind, _ := strings.Cut(ops[0], ".")
	lanes := map[string]float64{"4s": 4, "2s": 2, "8h": 8, "4h": 4, "2d": 2, "16b": 16, "8b": 8, "s": float64(bits / 32), "h": float64(bits / 16), "d": float64(bits / 64)}[kind]
	switch strings.TrimSuffix(mnemonic, "2") {
	case "fmla", "mla", "smlal", "umlal", "smull", "umull":
		return lanes
	case "sdot", "udot":
		return 4 * lanes
	case "bfdot":
		return 2 * lanes
	case "fmmla":
		return 2 * lanes
	case "bfmmla":
		return 4 * lanes
	case "smmla", "ummla":
		return 8 * lanes
	}
	return 0
}
