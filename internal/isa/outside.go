package isa

import (
	"regexp"
	"sync"
)

// Outside is why the time of some forms is not the core's alone to say: what they do ends in the kernel, behind the caches, or when a
// register says so. Whatever a model has of such a form is what it takes at least.
type Outside struct {
	Forms *regexp.Regexp // of the forms' names
	Why   string         // what such an instruction does, behind its name: "enters the kernel"
}

// OutsideForms is the capability ISA.Outside by a list: the first entry counts that matches.
func OutsideForms(forms *FormTable, list []Outside) func(in *Inst) string {
	byForm := sync.OnceValue(func() map[FormID]string {
		out := map[FormID]string{}
		for f := FormID(1); int(f) < forms.Len(); f++ {
			name := forms.Name(f)
			for i := range list {
				if list[i].Forms.MatchString(name) {
					out[f] = list[i].Why
					break
				}
			}
		}
		return out
	})
	return func(in *Inst) string { return byForm()[in.Form] }
}
