package asm

import (
	"sort"
	"strings"

	"incore/internal/base/symname"
	"incore/internal/isa"
)

// declare adds the functions to Functions: those that directives declare, or in a text without such directives
// the labels that startsFunction accepts. findFunctions sets their ends.
func (p *Program) declare(declared map[string]bool) {
	typed := false
	for name, isFunc := range declared {
		_, here := p.byName[name]
		typed = typed || isFunc && here
	}
	jumped := p.jumped()
	for i, l := range p.labels {
		isFunc, known := declared[l.name]
		if isLocal(l.name) || int(l.inst) == len(p.insts) {
			continue
		}
		switch {
		case typed && !isFunc, !typed && !known && !p.startsFunction(i, jumped):
			continue
		}
		if n := len(p.Functions); n > 0 && p.Functions[n-1].First == int(l.inst) {
			if !isFunc { // an alias of the function that already starts here
				continue
			}
			p.Functions = p.Functions[:n-1]
		}
		p.Functions = append(p.Functions, Function{Name: symname.Demangle(l.name), Symbol: l.name, First: int(l.inst)})
	}
}

// jumped returns the targets of jumps: a label that is the target of a jump does not begin a function unless it is declared.
func (p *Program) jumped() map[int32]bool {
	m := map[int32]bool{}
	for i := range p.insts {
		if t := p.insts[i].target; t >= 0 {
			m[t] = true
		}
	}
	return m
}

// startsFunction reports whether an undeclared label begins a function: it is at the start of the
// text, or control does not fall into it and no jump targets it: where a local label is at its place, jumps target that one.
func (p *Program) startsFunction(l int, jumped map[int32]bool) bool {
	at := p.labels[l].inst
	return at == 0 || (!jumped[at] || p.localAt(l)) && !fallsThrough(p.insts[at-1].flow)
}

// localAt reports whether a local label follows label l at the same instruction.
func (p *Program) localAt(l int) bool {
	for k := l + 1; k < len(p.labels) && p.labels[k].inst == p.labels[l].inst; k++ {
		if isLocal(p.labels[k].name) {
			return true
		}
	}
	return false
}

// isLocal reports whether a label is local to a function, by the conventions of
// GNU and LLVM (.L, numbers), Apple (L…), Intel (..B1.2) and Microsoft ($LL4@f).
func isLocal(name string) bool {
	switch {
	case name == "" || name[0] >= '0' && name[0] <= '9':
		return true
	case strings.HasPrefix(name, ".L"), strings.HasPrefix(name, "..B"), strings.HasPrefix(name, "$L"), strings.HasPrefix(name, ".."):
		return true
	case name[0] == 'L' && len(name) > 2 && name[1] >= 'A' && name[1] <= 'Z' && strings.ContainsAny(name, "0123456789"): // LBB0_1, LFB0
		return true
	}
	return strings.HasPrefix(name, "ltmp") || strings.HasPrefix(name, "Ltmp")
}

// findFunctions sets the ends of the functions.
func (p *Program) findFunctions() {
	sort.SliceStable(p.Functions, func(i, j int) bool { return p.Functions[i].First < p.Functions[j].First })
	for i := range p.Functions {
		p.Functions[i].End = len(p.insts)
		if i > 0 {
			p.Functions[i-1].End = p.Functions[i].First
		}
	}
}

// function returns the function that contains instruction i, nil if no function does.
func (p *Program) function(i int) *Function {
	k := sort.Search(len(p.Functions), func(k int) bool { return p.Functions[k].First > i }) - 1
	if k < 0 {
		return nil
	}
	return &p.Functions[k]
}

// fallsThrough reports whether the next instruction in the text may be executed after an instruction.
func fallsThrough(k isa.FlowKind) bool {
	return k == isa.FlowNext || k == isa.FlowCond || k == isa.FlowCall
}
