package machine

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"incore/internal/isa"
)

//go:embed models/llvm/extensions.txt
var extensionsText string

// extensions lists the processors that fulfil each predicate, by LLVM's names of both.
type extensions struct {
	cpus map[string]bool
	have map[string][]string // predicate → its usual name, then processors; no entry if all processors have it or LLVM does not say
}

// allExtensions holds the extensions of each instruction set.
var allExtensions = sync.OnceValue(func() map[string]*extensions {
	out := map[string]*extensions{}
	var x *extensions
	for line := range strings.Lines(extensionsText) {
		line, _, _ = strings.Cut(line, "#")
		f := strings.Fields(line)
		switch {
		case len(f) < 2:
		case f[0] == "isa":
			x = &extensions{map[string]bool{}, map[string][]string{}}
			out[f[1]] = x
		case f[0] == "cpus":
			for _, c := range f[1:] {
				x.cpus[c] = true
			}
		default:
			x.have[f[0]] = f[1:]
		}
	}
	return out
})

// Extension is an ISA extension that an instruction needs and a core does not have.
type Extension struct {
	Name      string   // "AVX-512F", "SVE", "Zba"
	Core      string   // the core's name: LLVM's if the user gave it, else the model's
	Elsewhere []string // machines that have it: first other cores of the same model, then other models
}

// Cores are the cores that a model covers, as LLVM describes them.
type Cores struct {
	model *Model
	isa   *isa.ISA
	all   *extensions
	own   []string // their names in LLVM
	named bool     // the user asked for one core, which own holds
}

// Cores returns the cores of a model that the user named: one core if the name is LLVM's name of a core ("sifive-u74", "u74"), else all cores of the
// model.
func (m *Model) Cores(a *isa.ISA, named string) *Cores {
	c := &Cores{model: m, isa: a, all: allExtensions()[a.Name]}
	if c.all == nil || a.Name != m.ISA {
		return c
	}
	for _, al := range allNames().aliases {
		if al.model != m.Name || al.isa != m.ISA || !c.all.cpus[al.name] || slices.Contains(c.own, al.name) {
			continue
		}
		if named != m.Name && (strings.EqualFold(al.name, named) || named != "" && strings.HasSuffix(al.name, "-"+strings.ToLower(named))) {
			c.own, c.named = []string{al.name}, true
			return c
		}
		c.own = append(c.own, al.name)
	}
	return c
}

// Lacks returns an extension that a form needs and none of the cores has. ok is false if nothing is missing, or if LLVM does not describe the cores.
func (c *Cores) Lacks(f isa.FormID) (e Extension, ok bool) {
	if len(c.own) == 0 || f == isa.NoForm {
		return e, false
	}
	for _, p := range c.isa.Forms.Predicates(f) {
		have, known := c.all.have[p]
		if !known || slices.ContainsFunc(c.own, func(own string) bool { return slices.Contains(have[1:], own) }) {
			continue
		}
		e = Extension{Name: have[0], Core: c.model.Name}
		if c.named {
			e.Core = c.own[0]
		}
		e.Elsewhere = c.elsewhere(have[1:])
		return e, true
	}
	return Extension{}, false
}

// elsewhere returns the machines that are or cover any of the given LLVM processors: first the model's own cores by name, then other models.
func (c *Cores) elsewhere(have []string) (own []string) {
	var others []string
	for _, al := range allNames().aliases {
		switch {
		case al.isa != c.isa.Name || !slices.Contains(have, al.name):
		case al.model == c.model.Name:
			own = append(own, al.name)
		case !slices.Contains(others, al.model):
			others = append(others, al.model)
		}
	}
	slices.Sort(others)
	return append(own, others...)
}
