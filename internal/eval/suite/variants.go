package suite

import (
	"fmt"
	"hash/fnv"
	"os"
	"slices"
	"strings"

	"incore/internal/base/regex"
)

// Variant is one way to compile a kernel to a benchmark.
type Variant struct {
	Kernel         *Kernel
	Compiler       *Compiler
	Level          string   // "-O2"
	Vectors        string   // the vector instructions in use: "scalar", "sse2" …
	Transformation string   // "none", "omp tile" …
	Type           string   // type of numbers: "double", "float"; "" if the kernel has no choice
	Arrays         string   // "pointers": compilers do not know which arrays are distinct; "": they know
	Flags          []string // all options of the compiler
}

// Key returns the variant's key within a directory.
func (v *Variant) Key() string {
	key := strings.Join([]string{v.Kernel.File, v.Compiler.Name, fmt.Sprint(v.Compiler.Version), v.Level, v.Vectors, v.Transformation, v.Type}, " ")
	if v.Arrays != "" {
		key += " " + v.Arrays
	}
	return key
}

// option is a value of one axis: its name and its compiler options.
type option struct {
	name  string
	flags []string
	needs func(c *Compiler) bool // nil: all compilers
	on    []string               // the kernel must have one of these marks of nest.h; nil: any kernel
}

// levels of optimisation.
var levels = []string{"-O1", "-O2", "-O3", "-Ofast"}

// common are the flags of all variants: the code calls only functions of its own file, is not position-independent, and can be counted.
var common = map[string][]string{
	"gcc":   {"-fno-math-errno", "-fno-jump-tables", "-fno-tree-loop-distribute-patterns", "-fno-pic", "-ffunction-sections", "-fno-asynchronous-unwind-tables", "-fno-stack-protector", "-fno-exceptions"},
	"flang": {"-fno-pic"},
	"clang": {"-fno-math-errno", "-fno-jump-tables", "-fno-builtin-memset", "-fno-builtin-memcpy", "-fno-builtin-memmove", "-fno-builtin-strlen", "-fno-pic", "-ffunction-sections", "-fno-asynchronous-unwind-tables", "-fno-exceptions", "-Wno-pass-failed"},
}

// vectors are the kinds of vector code per instruction set.
func (t *Target) vectors() []option {
	scalar := func(march ...string) []option {
		gcc := append(slices.Clone(march), "-fno-tree-vectorize")
		clang := append(slices.Clone(march), "-fno-vectorize", "-fno-slp-vectorize")
		return []option{{name: "scalar", flags: gcc, needs: isGCC}, {name: "scalar", flags: clang, needs: isClang}}
	}
	switch t.ISA {
	case "x86-64":
		out := append(scalar(), option{name: "sse2"})
		cpu := cpuFlags()
		if t.Triple != "" || cpu["avx2"] {
			out = append(out, option{name: "avx2", flags: []string{"-march=x86-64-v3"}})
		}
		if t.Triple != "" || cpu["avx512vl"] {
			out = append(out, option{name: "avx512", flags: []string{"-march=x86-64-v4", "-mprefer-vector-width=512"}})
		}
		if t.Triple == "" {
			out = append(out, option{name: "native", flags: []string{"-march=native"}})
		}
		return out
	case "aarch64":
		return append(scalar(), option{name: "neon"}, option{name: "sve", flags: []string{"-march=armv8.2-a+sve"}}, option{name: "sve2", flags: []string{"-march=armv9-a"}})
	}
	return append(scalar("-march=rv64gc"), option{name: "rvv", flags: []string{"-march=rv64gcv"}, needs: isClang}, option{name: "bitmanip", flags: []string{"-march=rv64gc_zba_zbb"}})
}

func isGCC(c *Compiler) bool     { return c.Family == "gcc" }
func isClang(c *Compiler) bool   { return c.Family == "clang" }
func notFlang(c *Compiler) bool  { return c.Family != "flang" }
func isCFamily(c *Compiler) bool { return c.Language != "Fortran" }

// cpuFlags returns the features of this CPU in the kernel's list.
func cpuFlags() map[string]bool {
	out := map[string]bool{}
	text, _ := os.ReadFile("/proc/cpuinfo")
	for _, l := range strings.Split(string(text), "\n") {
		if k, v, ok := strings.Cut(l, ":"); ok && strings.TrimSpace(k) == "flags" {
			for _, f := range strings.Fields(v) {
				out[f] = true
			}
			break
		}
	}
	return out
}

// mark defines a mark of nest.h as a pragma.
func mark(name, pragma string) string { return "-D" + name + "=_Pragma(\"" + pragma + "\")" }

// marked makes options that put pragmas in front of marked loops; for each number it makes one option, with the number in place of %d.
func marked(o option, pragma string, numbers ...int) (out []option) {
	for _, n := range numbers {
		out = append(out, option{fmt.Sprintf("%s %d", o.name, n), append(slices.Clone(o.flags), mark(o.on[0], fmt.Sprintf(pragma, n))), o.needs, o.on})
	}
	return out
}

// transformations lists the transformations by loop-nest optimizers.
func transformations() []option {
	clang := isClang
	from20 := func(c *Compiler) bool { return isClang(c) && c.Version >= 20 }
	gcc := func(c *Compiler) bool { return isGCC(c) && isCFamily(c) }
	omp51, omp60 := []string{"-fopenmp", "-fopenmp-version=51"}, []string{"-fopenmp", "-fopenmp-version=60"}
	nest := []string{"NEST2", "NEST3"}
	both := func(name string, flags []string, two, three string, needs func(*Compiler) bool) option {
		return option{name, append(slices.Clone(flags), mark("NEST2", two), mark("NEST3", three)), needs, nest}
	}
	polly := func(name string, flags ...string) option {
		all := []string{"-mllvm", "-polly"}
		for _, f := range flags {
			all = append(all, "-mllvm", f)
		}
		return option{name, all, clang, nil}
	}
	out := []option{{name: "none"},
		both("omp tile 4", omp51, "omp tile sizes(4,4)", "omp tile sizes(4,4,4)", clang),
		both("omp tile 8", omp51, "omp tile sizes(4,8)", "omp tile sizes(4,4,8)", clang),
		both("omp tile 16", omp51, "omp tile sizes(2,16)", "omp tile sizes(2,2,16)", clang),
		both("omp interchange", omp60, "omp interchange", "omp interchange", from20),
		both("omp permute", omp60, "omp interchange permutation(2,1)", "omp interchange permutation(3,1,2)", from20),
		{"omp reverse", append(slices.Clone(omp60), mark("INNER", "omp reverse")), from20, []string{"INNER"}},
		{"distribute", []string{mark("INNER", "clang loop distribute(enable)")}, clang, []string{"INNER"}},
		polly("polly"), polly("polly tile 8", "-polly-default-tile-size=8"), polly("polly no tiling", "-polly-tiling=false"),
		polly("polly stripmine", "-polly-vectorizer=stripmine"), polly("polly register tiling", "-polly-register-tiling"),
		{name: "graphite", flags: []string{"-floop-nest-optimize", "-fgraphite-identity"}, needs: isGCC},
		{name: "loop nest passes", flags: []string{"-floop-interchange", "-floop-unroll-and-jam", "-ftree-loop-distribution", "-ftree-loop-im"}, needs: isGCC},
		{name: "unroll loops", flags: []string{"-funroll-loops"}, needs: notFlang},
		{name: "unroll all loops", flags: []string{"-funroll-all-loops"}, needs: isGCC},
		{name: "ivdep", flags: []string{mark("INNER", "GCC ivdep")}, needs: gcc, on: []string{"INNER"}},
	}
	inner, outer := []string{"INNER"}, []string{"OUTER"}
	out = append(out, marked(option{"omp unroll", omp51, clang, inner}, "omp unroll partial(%d)", 2, 4, 8)...)
	out = append(out, marked(option{"unroll", nil, gcc, inner}, "GCC unroll %d", 2, 4, 8)...)
	out = append(out, marked(option{"unroll", nil, clang, inner}, "clang loop unroll_count(%d)", 2, 4, 8)...)
	out = append(out, marked(option{"unroll and jam", nil, clang, outer}, "unroll_and_jam(%d)", 2, 4)...)
	out = append(out, marked(option{"interleave", nil, clang, inner}, "clang loop interleave_count(%d)", 1, 2, 4)...)
	out = append(out, marked(option{"vectorize width", nil, clang, inner}, "clang loop vectorize_width(%d)", 2, 4, 8)...)
	return out
}

// usesType finds the type of numbers that nest.h defines.
var usesType = regex.Lazy(`\bT\b`)

// types returns the possible types of a kernel's numbers.
func types(k *Kernel) []option {
	if !strings.Contains(k.Text, "nest.h") || !usesType().MatchString(k.Text) {
		return []option{{}}
	}
	return []option{{name: "double", flags: []string{"-DT=double"}}, {name: "float", flags: []string{"-DT=float"}}}
}

// arrays returns the ways in which a kernel can access its arrays.
func arrays(k *Kernel) []option {
	if !strings.Contains(k.Text, "POINTER(") {
		return []option{{}}
	}
	return []option{{}, {name: "pointers", flags: []string{"-DPOINTERS"}}}
}

// Variants lists all variants of kernels in a pseudo-random order, given by a seed.
func (t *Target) Variants(kernels []Kernel, compilers []Compiler, seed uint64) []Variant {
	var out []Variant
	vectors, all := t.vectors(), transformations()
	for i := range kernels {
		k := &kernels[i]
		for j := range compilers {
			c := &compilers[j]
			if c.Language != k.Language() {
				continue
			}
			for _, level := range levels {
				for _, v := range vectors {
					for _, x := range all {
						if !v.fits(k, c) || !x.fits(k, c) {
							continue
						}
						for _, y := range types(k) {
							for _, z := range arrays(k) {
								flags := slices.Concat([]string{level}, c.prefix, common[c.Family], v.flags, x.flags, y.flags, z.flags)
								out = append(out, Variant{k, c, level, v.name, x.name, y.name, z.name, flags})
							}
						}
					}
				}
			}
		}
	}
	shuffle(out, seed)
	return out
}

// fits reports whether an option applies to a kernel and a compiler.
func (o *option) fits(k *Kernel, c *Compiler) bool {
	if o.needs != nil && !o.needs(c) {
		return false
	}
	return o.on == nil || slices.ContainsFunc(o.on, func(m string) bool { return strings.Contains(k.Text, m) })
}

// shuffle sorts variants by a hash of their keys and a seed, so that each prefix of the list is a random sample.
func shuffle(list []Variant, seed uint64) {
	type keyed struct {
		hash uint64
		v    Variant
	}
	all := make([]keyed, len(list))
	for i, v := range list {
		h := fnv.New64a()
		fmt.Fprint(h, seed, " ", v.Key())
		all[i] = keyed{mix(h.Sum64()), v}
	}
	slices.SortFunc(all, func(a, b keyed) int {
		if a.hash < b.hash {
			return -1
		}
		return 1
	})
	for i := range all {
		list[i] = all[i].v
	}
}

// mix spreads a hash over all bits (the finaliser of splitmix64, Steele et al., OOPSLA 2014).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
