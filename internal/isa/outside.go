package isa

import (
	"regexp"
	"slices"
	"sync"
	"sync/atomic"
)

// Outside is why the time of some forms is not the core's alone to say: what they do ends in the kernel, behind the caches, or when a
// register says so. Whatever a model has of such a form is what it takes at least.
type Outside struct {
	Forms *regexp.Regexp // of the forms' names
	Why   string         // what such an instruction does, behind its name: "enters the kernel"
}

// OutsideForms is the capability ISA.Outside by a list: the first entry counts that matches. A form's name is looked at when the first
// instruction of that form comes: to match those of all forms takes 20 ms.
func OutsideForms(forms *FormTable, list []Outside) func(in *Inst) string {
	entries := sync.OnceValue(func() []atomic.Uint32 { return make([]atomic.Uint32, forms.Len()) }) // by form: 0 not looked at, 1 none, else the entry + 2
	return func(in *Inst) string {
		entry := &entries()[in.Form]
		if entry.Load() == 0 {
			name := forms.Name(in.Form)
			entry.Store(uint32(slices.IndexFunc(list, func(o Outside) bool { return o.Forms.MatchString(name) }) + 2))
		}
		if k := entry.Load(); k > 1 {
			return list[k-2].Why
		}
		return ""
	}
}
