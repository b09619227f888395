package isa

import (
	"regexp"
	"slices"
	"sync"
	"sync/atomic"
)

// Outside states why the time of some forms does not depend on the core alone: their work ends in the kernel or beyond the caches, or a register
// determines its length. A model's figures for these forms are lower bounds.
type Outside struct {
	Forms func() *regexp.Regexp // of the forms' names
	Why   string                // effect of the instruction, as the rest of a sentence: "enters the kernel"
}

// OutsideForms implements ISA.Outside by a list, of which the first matching entry counts. A form's name is matched at the first instruction of that
// form, because matching all forms takes 20 ms.
func OutsideForms(forms *FormTable, list []Outside) func(in *Inst) string {
	entries := sync.OnceValue(func() []atomic.Uint32 { return make([]atomic.Uint32, forms.Len()) }) // by form: 0 not looked at, 1 none, else the entry + 2
	return func(in *Inst) string {
		entry := &entries()[in.Form]
		if entry.Load() == 0 {
			name := forms.Name(in.Form)
			entry.Store(uint32(slices.IndexFunc(list, func(o Outside) bool { return o.Forms().MatchString(name) }) + 2))
		}
		if k := entry.Load(); k > 1 {
			return list[k-2].Why
		}
		return ""
	}
}
