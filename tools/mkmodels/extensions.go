package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
)

// cpuSource holds LLVM's descriptions of processors.
type cpuSource struct {
	LLVM string `json:"llvm"`
	CPUs map[string]struct {
		Features []string `json:"features"`
	} `json:"cpus"`
	Aliases  map[string]string   `json:"aliases"`
	Features map[string][]string `json:"featureDefs"`
}

// predicateSource holds the predicates of forms.
type predicateSource struct {
	Predicates map[string]string `json:"predicates"`
	Forms      []struct {
		P []string `json:"p"`
	} `json:"forms"`
}

// extensions writes for each extension that instructions need the processors that have it.
func extensions(dir string) error {
	var b strings.Builder
	b.WriteString("# Which processors have what instructions need, by LLVM's names of both. Made by tools/mkmodels (-extensions) from LLVM's descriptions of processors; not edited by hand.\n" +
		"# A line per predicate that some processors of the instruction set fulfil and others don't, with the extension's usual name; \"cpus\" are all that there are.\n")
	for _, target := range []string{"X86", "AArch64", "RISCV"} {
		var c cpuSource
		var p predicateSource
		if err := readJSON(filepath.Join(dir, "cpus-"+target+".json"), &c); err != nil {
			return err
		}
		if err := readJSON(filepath.Join(dir, "forms-"+target+".json"), &p); err != nil {
			return err
		}
		for alias, of := range c.Aliases {
			c.CPUs[alias] = c.CPUs[of]
		}
		var cpus []string
		for name := range c.CPUs {
			if !strings.HasPrefix(name, "generic") && !strings.HasPrefix(name, "x86-64") { // not a processor
				cpus = append(cpus, name)
			}
		}
		sort.Strings(cpus)
		fmt.Fprintf(&b, "isa %s # LLVM %s\ncpus %s\n", isaNames[target], c.LLVM, strings.Join(cpus, " "))
		for _, name := range p.names() {
			cond := p.condition(name, c.Features)
			if cond == nil {
				continue
			}
			var have []string
			for _, cpu := range cpus {
				if cond(c.CPUs[cpu].Features) {
					have = append(have, cpu)
				}
			}
			if len(have) > 0 && len(have) < len(cpus) {
				fmt.Fprintf(&b, "%s %s %s\n", name, shown(name), strings.Join(have, " "))
			}
		}
	}
	return os.WriteFile("internal/machine/models/llvm/extensions.txt", []byte(b.String()), 0o644)
}

// shown returns the usual name of the extension that a predicate requires.
func shown(predicate string) string {
	s := strings.TrimPrefix(predicate, "Has")
	if n, ok := strings.CutPrefix(featureNames[s], "avx512"); ok {
		return "AVX-512" + strings.ToUpper(n)
	}
	if strings.HasPrefix(s, "VInstructions") {
		return "V"
	}
	s = strings.TrimPrefix(strings.TrimPrefix(s, "StdExt"), "Vendor")
	if at := alternativeRE.FindStringIndex(s); at != nil {
		s = s[:at[0]]
	}
	return s
}

// alternativeRE matches the text before the names of sufficient alternatives.
var alternativeRE = regexp.MustCompile(`([oO]r|and)[A-Z]|p1_or_|_IMMO`)

// names lists the predicates of forms that require an extension, by their names in tools/mktables.
func (p *predicateSource) names() (out []string) {
	for i := range p.Forms {
		for _, n := range p.Forms[i].P {
			if rest, ok := strings.CutPrefix(n, "Use"); ok && (strings.HasPrefix(rest, "SSE") || rest == "SSSE3" || rest == "AVX") {
				n = "Has" + rest
			}
			if strings.HasPrefix(n, "Has") {
				out = append(out, n)
			}
		}
	}
	sort.Strings(out)
	return slices.Compact(out)
}

// condition converts a predicate to a test of a processor's features; nil if it cannot be converted.
func (p *predicateSource) condition(name string, known map[string][]string) func([]string) bool {
	keys := map[string]string{} // as conditions spell a feature → its name
	for k := range known {
		keys[plain(k)] = k
	}
	def, ok := p.Predicates[name]
	if !ok { // X86: the feature has the predicate's name
		def = strings.TrimPrefix(name, "Has")
		if f := featureNames[def]; f != "" {
			def = f
		}
		def = "(all_of Feature" + def + ")"
	}
	words := strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ", ",", " ").Replace(def))
	var parse func() func([]string) bool
	fail := false
	parse = func() func([]string) bool {
		if len(words) == 0 {
			fail = true
			return nil
		}
		w := words[0]
		words = words[1:]
		if w != "(" {
			f := strings.TrimPrefix(w, "Feature")
			if n := featureNames[f]; n != "" {
				f = n
			}
			key, ok := keys[plain(f)]
			if !ok && w != "FeatureAll" {
				fail = true
			}
			return func(has []string) bool { return w != "FeatureAll" && slices.Contains(has, key) }
		}
		if len(words) == 0 {
			fail = true
			return nil
		}
		op := words[0]
		words = words[1:]
		var of []func([]string) bool
		for len(words) > 0 && words[0] != ")" {
			of = append(of, parse())
		}
		if len(words) == 0 {
			fail = true
			return nil
		}
		words = words[1:]
		return func(has []string) bool {
			switch op {
			case "not":
				return !of[0](has)
			case "any_of":
				return slices.ContainsFunc(of, func(c func([]string) bool) bool { return c(has) })
			}
			return !slices.ContainsFunc(of, func(c func([]string) bool) bool { return !c(has) })
		}
	}
	c := parse()
	if fail || len(words) > 0 {
		return nil
	}
	return c
}

// plain returns a feature's name in a form that is the same for all its spellings.
func plain(s string) string {
	s = strings.ToLower(strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(s, "StdExt"), "Vendor"), "experimental-"))
	return strings.NewReplacer("-", "", ".", "", "_", "").Replace(s)
}

// featureNames maps names in conditions, or predicates of X86, to the features' own names, where they differ.
var featureNames = map[string]string{"AVX512": "avx512f", "VLX": "avx512vl", "BWI": "avx512bw", "DQI": "avx512dq", "CDI": "avx512cd", "VBMI": "avx512vbmi", "VBMI2": "avx512vbmi2", "IFMA": "avx512ifma",
	"VNNI": "avx512vnni", "BITALG": "avx512bitalg", "VPOPCNTDQ": "avx512vpopcntdq", "FP16": "avx512fp16", "BF16": "avx512bf16", "VP2INTERSECT": "avx512vp2intersect", "LAHFSAHF": "sahf", "AMXTILE": "amx-tile",
	"AMXINT8": "amx-int8", "AMXBF16": "amx-bf16", "AMXFP16": "amx-fp16", "PrefetchW": "prfchw", "MatMulInt8": "i8mm", "MatMulFP32": "f32mm", "MatMulFP64": "f64mm", "JS": "jsconv", "AltFPCmp": "altnzcv",
	"FRInt3264": "fptoint"}
