// Package feature knows the features of CPUs: those of this machine, and those that an instruction form needs. Names
// are Linux's where it has one (x86: /proc/cpuinfo; Arm: hwcaps); RISC-V extensions are named as in the architecture
// string.
package feature

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"incore/internal/bench/host"
	"incore/internal/isa"
)

// Set is the features of a CPU, by name; nil: not known.
type Set map[string]bool

// Has reports whether a CPU meets a form's need: a feature, or one of several, a|b.
func (s Set) Has(need string) bool {
	return slices.ContainsFunc(strings.Split(need, "|"), func(x string) bool { return s[x] })
}

// Here returns the features that this machine has and its operating system lets programs use; nil if none are known
// for its architecture.
var Here = sync.OnceValue(func() Set {
	switch host.Arch {
	case "amd64":
		return x86Here()
	case "arm64":
		return Arm64(host.Hwcap())
	case "riscv64":
		return riscv(host.ISAString())
	}
	return nil
})

// Table holds the known features of an instruction set. A nil table stands for machines that have all
// features.
type Table struct {
	Names []string // of the features
	arch  string   // named as in GOARCH
	needs func(isa.FormID) []string
}

// Needs lists the features that a form needs; alternatives are written a|b.
func (t *Table) Needs(f isa.FormID) []string {
	if t == nil {
		return nil
	}
	return t.needs(f)
}

// Lacking names a feature that a form needs and this machine lacks; "" if it lacks none, or if the machine's features
// or architecture do not apply.
func (t *Table) Lacking(f isa.FormID) string {
	if t == nil || t.arch != host.Arch {
		return ""
	}
	if has := Here(); has != nil {
		for _, x := range t.needs(f) {
			if !has.Has(x) {
				return x
			}
		}
	}
	return ""
}

// predicates translates LLVM's conditions into the features that a form needs, named as operating systems name them.
// Alternatives are written a|b. name returns "" for features that no system reports.
func predicates(forms *isa.FormTable, name func(llvm string) string) func(isa.FormID) []string {
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

// nestedRE matches an alternative with two features; the second is the more specific one: (all_of FeatureSVE2,
// FeatureFP8FMA).
var nestedRE = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\(all_of Feature\w+, (Feature\w+)\)`) })

// features parses an LLVM condition: (any_of FeatureAll, (all_of FeatureSVE2)), (any_of FeatureStdExtA, FeatureStdExtZaamo).
func features(def string, name func(string) string) []string {
	def = nestedRE().ReplaceAllString(def, "$1")
	inner, every := strings.CutPrefix(def, "(any_of FeatureAll, ") // FeatureAll, which enables everything, does not count
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
	if len(names) > 1 { // the benchmark's instances do not run in a streaming mode
		if plain := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return strings.HasPrefix(n, "sm") && n != "sm4" }); len(plain) > 0 {
			names = plain
		}
	}
	return []string{strings.Join(names, "|")}
}

// needed lists the features that any form needs.
func needed(forms *isa.FormTable, needs func(isa.FormID) []string) (out []string) {
	for f := isa.FormID(1); int(f) < forms.Len(); f++ {
		for _, n := range needs(f) {
			out = append(out, strings.Split(n, "|")...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
