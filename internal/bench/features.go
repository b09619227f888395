package bench

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"incore/internal/bench/host"
	"incore/internal/isa"
)

// predicates makes needs of LLVM's conditions: the features that a form needs, by the names that operating systems have
// for them. One of several alternatives is written a|b. name returns "" for what no system tells.
func (t *Target) predicates(name func(llvm string) string) func(isa.FormID) []string {
	forms := t.ISA.Forms
	var known sync.Map // predicate → []string
	return func(f isa.FormID) (out []string) {
		for _, p := range forms.Predicates(f) {
			v, ok := known.Load(p)
			if !ok {
				v = features(forms.PredicateDef(p), name)
				known.Store(p, v)
			}
			out = append(out, v.([]string)...)
		}
		return out
	}
}

var featureRE = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(not )?Feature(\w+)`) })

// nestedRE matches an alternative of two features, of which the second tells more: (all_of FeatureSVE2, FeatureFP8FMA).
var nestedRE = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\(all_of Feature\w+, (Feature\w+)\)`) })

// features reads a condition of LLVM's: (any_of FeatureAll, (all_of FeatureSVE2)), (any_of FeatureStdExtA, FeatureStdExtZaamo).
func features(def string, name func(string) string) []string {
	def = nestedRE().ReplaceAllString(def, "$1")
	inner, every := strings.CutPrefix(def, "(any_of FeatureAll, ") // what enables everything does not count
	if !every {
		inner = def
	}
	var names []string
	for _, m := range featureRE().FindAllStringSubmatch(inner, -1) {
		n := m[2]
		if m[1] != "" {
			n = "not" + n
		}
		names = append(names, name(n))
	}
	if !strings.HasPrefix(inner, "(any_of") {
		return slices.DeleteFunc(names, func(n string) bool { return n == "" })
	}
	if slices.Contains(names, "") {
		return nil
	}
	if len(names) > 1 { // instances do not run in a streaming mode
		if plain := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return strings.HasPrefix(n, "sm") && n != "sm4" }); len(plain) > 0 {
			names = plain
		}
	}
	return []string{strings.Join(names, "|")}
}

// predicateNames lists the features that any form needs.
func (t *Target) predicateNames(name func(string) string) (out []string) {
	need := t.predicates(name)
	for f := isa.FormID(1); int(f) < t.ISA.Forms.Len(); f++ {
		for _, n := range need(f) {
			out = append(out, strings.Split(n, "|")...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// machineFeatures returns what tells the features of the machine under us, if it is of an architecture (as Go calls
// it); else they are not known.
func machineFeatures(arch string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		if arch != host.Arch {
			return nil
		}
		switch arch {
		case "arm64":
			return armFeatures(host.Hwcap())
		case "riscv64":
			return riscvFeatures(host.ISAString())
		}
		return nil
	})
}

// riscvImplied are the extensions that others contain.
var riscvImplied = map[string][]string{"g": {"i", "m", "a", "f", "d"}, "v": {"zve64d"}, "zve64d": {"zve64f", "d"}, "zve64f": {"zve64x", "zve32f"}, "zve64x": {"zve32x"}, "zve32f": {"zve32x", "f"},
	"b": {"zba", "zbb", "zbs"}, "m": {"zmmul"}, "a": {"zaamo", "zalrsc"}, "c": {"zca", "zcd"}, "d": {"f"}, "zfh": {"zfhmin"}, "zvfh": {"zvfhmin"}, "zvbb": {"zvkb"}, "zvknhb": {"zvknha"},
	"zk": {"zkn", "zkr", "zkt"}, "zkn": {"zbkb", "zbkc", "zbkx", "zkne", "zknd", "zknh"}, "zks": {"zbkb", "zbkc", "zbkx", "zksed", "zksh"},
	"zvkn": {"zvkned", "zvknhb", "zvkb"}, "zvks": {"zvksed", "zvksh", "zvkb"}}

// riscvFeatures are the extensions of an architecture string (rv64imafdcv_zba_zbb) and what they contain; nil if there is none.
func riscvFeatures(march string) map[string]bool {
	single, rest, _ := strings.Cut(strings.ToLower(march), "_")
	single, ok := strings.CutPrefix(single, "rv64")
	if !ok {
		return nil
	}
	has := map[string]bool{}
	var add func(x string)
	add = func(x string) {
		if x == "" || has[x] {
			return
		}
		has[x] = true
		for _, y := range riscvImplied[x] {
			add(y)
		}
	}
	for i := range single {
		add(single[i : i+1])
	}
	for _, x := range strings.Split(rest, "_") {
		add(x)
	}
	return has
}
