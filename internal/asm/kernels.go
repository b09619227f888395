package asm

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"incore/internal/base/source"
	"incore/internal/base/symname"
	"incore/internal/isa"
)

// Select chooses the code of a program to analyse; at most one field is set. The zero value selects
// marked regions, else the innermost loops, else the whole text if it is straight-line code.
type Select struct {
	Lines    source.Ranges
	Label    string
	Function string
	Whole    bool // without marks: all instructions, as one iteration of a loop
}

// Kernel is a piece of code chosen for analysis. Its instructions are resolved by Build.
type Kernel struct {
	Name     string
	Function string
	Why      string  // the way it was found, in words
	Found    Found   // the same as values
	Notes    []Note  // assumptions about its control flow
	Loop     bool    // a back edge closes it
	Depth    int     // depth in the loop nest, 0 if it is no loop found in the text
	Heat     float64 // grows with the likely share of the run time; see hot.go
	HeatWhy  string
	path     bool    // insts are a path through a loop, in execution order
	insts    []int32 // in execution order
	entry    []int32 // instructions that lead into it
}

// Found is the way in which a kernel was found.
type Found struct {
	By          Finding
	Name        string // the label, the function, the tools whose markers enclose it
	Rank, Count int    // with ByHeat: the kernel's rank among Count loops
}

// Finding is a kind of way to find a kernel.
type Finding uint8

// The ways to find a kernel.
const (
	AsWhole    Finding = iota // the whole text
	ByLines                   // the user chose lines
	ByLabel                   // the user chose a label
	ByFunction                // the user chose a function, which has no loop
	ByMarks                   // markers enclose it
	ByHeat                    // it is an innermost loop
)

// by sets the way in which a kernel was found.
func (k Kernel) by(f Finding, name string) Kernel {
	k.Found = Found{By: f, Name: name}
	return k
}

// Len is the number of instruction statements.
func (k *Kernel) Len() int { return len(k.insts) }

// LineNumbers returns the source lines, as ranges.
func (p *Program) LineNumbers(k *Kernel) source.Ranges {
	lines := make([]int, len(k.insts))
	for i, n := range k.insts {
		lines[i] = int(p.insts[n].line)
	}
	return source.RangesOf(lines)
}

// Kernels finds the code to analyse, the likely hottest first. The diagnostics
// report marks without a partner; the error says why no code was found.
func (p *Program) Kernels(sel Select) ([]Kernel, source.ErrorList, error) {
	switch {
	case len(sel.Lines) > 0:
		k, err := p.byLines(sel.Lines)
		return k, nil, err
	case sel.Label != "":
		k, err := p.byLabel(sel.Label)
		return k, nil, err
	case sel.Function != "":
		k, err := p.byFunction(sel.Function)
		return k, nil, err
	}
	if len(p.marks) > 0 {
		return p.marked()
	}
	if sel.Whole {
		return []Kernel{p.straight(0, len(p.insts), p.File.Name, "the whole text")}, nil, nil
	}
	ks := p.innermost(0, len(p.insts))
	if len(ks) > 0 {
		return ks, nil, nil
	}
	if !p.isSnippet() {
		return nil, nil, p.noLoop()
	}
	return []Kernel{p.straight(0, len(p.insts), "all", "the whole text, which has neither marks nor functions")}, nil, nil
}

func (p *Program) error(msg, hint string, settings ...string) error {
	return source.Diagnostic{Pos: source.Pos{File: p.File.Name}, Msg: msg, Hint: hint, Settings: settings}
}

// isSnippet reports whether the text is a piece of straight code, not a whole compiled file.
func (p *Program) isSnippet() bool {
	for i := range p.insts {
		if k := p.insts[i].flow; k == isa.FlowReturn || k == isa.FlowIndirect || !fallsThrough(k) && i+1 < len(p.insts) {
			return false
		}
	}
	return true
}

// noLoop returns the error that the text has no loop to analyse, with a hint.
func (p *Program) noLoop() error {
	indirect, elsewhere := 0, 0
	for i := range p.insts {
		switch in := &p.insts[i]; {
		case in.flow == isa.FlowIndirect && p.tables[int32(i)] == nil:
			indirect++
		case in.flow == isa.FlowCond && in.target < 0:
			elsewhere++
		}
	}
	msg := fmt.Sprintf("no kernel: no marks, and no loop in %d instructions", len(p.insts))
	if n := len(p.Functions); n > 0 {
		msg += fmt.Sprintf(" of %d function%s", n, plural(n))
	}
	if indirect > 0 {
		msg += fmt.Sprintf(" (%d indirect jumps, whose targets are not known)", indirect)
	}
	if elsewhere > 0 {
		msg += fmt.Sprintf("; %d conditional jump%s to places that it does not have", elsewhere, map[bool]string{true: " leads", false: "s lead"}[elsewhere == 1])
		return p.error(msg, "give it with its labels or addresses, the object file, or a part of it alone", "lines", "label", "function")
	}
	return p.error(msg, "mark code with OSACA-BEGIN and OSACA-END comments, or give it alone", "lines", "label", "function")
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// marked returns the marked regions as kernels.
func (p *Program) marked() ([]Kernel, source.ErrorList, error) {
	regions, errs := pair(p.marks)
	for i := range errs {
		errs[i].Severity = source.Warning
	}
	var out []Kernel
	for _, r := range merge(regions, p.moves()) {
		if len(r.insts) == 0 {
			errs = append(errs, source.Diagnostic{Pos: r.pos, Severity: source.Warning, Msg: "no instructions between these " + r.tool + " markers"})
			continue
		}
		name := r.name
		if name == "" {
			name = p.nameOf(int(r.insts[0]))
		}
		out = append(out, p.chosen(r.insts, name, r.tool+" markers").by(ByMarks, r.tool))
	}
	if len(out) == 0 {
		l := errs
		for i := range l {
			l[i].Severity = source.Error
		}
		return nil, nil, l.Err()
	}
	return out, errs, nil
}

// nameOf returns a name for the code that starts at instruction i: its label or its line.
func (p *Program) nameOf(i int) string {
	name := fmt.Sprintf("line %d", p.insts[i].line)
	if l := p.labelAt(i); l != "" {
		name = l
	}
	switch f := p.function(i); {
	case f == nil:
		return name
	case f.Symbol == name:
		return f.Name
	default:
		return f.Name + ":" + name
	}
}

// labelAt returns the last label directly before instruction i, preferably a local label; "" without a label.
func (p *Program) labelAt(i int) string {
	at := sort.Search(len(p.labels), func(k int) bool { return int(p.labels[k].inst) >= i })
	name, jump := "", false
	for ; at < len(p.labels) && int(p.labels[at].inst) == i; at++ {
		l := &p.labels[at]
		if name == "" || isLocal(l.name) && (l.jump || !jump) { // debugging information has labels that are no jump targets
			name, jump = l.name, l.jump
		}
	}
	return name
}

// straight makes a kernel of instructions first to end-1 in the text's order.
func (p *Program) straight(first, end int, name, why string) Kernel {
	insts := make([]int32, 0, end-first)
	for i := first; i < end; i++ {
		insts = append(insts, int32(i))
	}
	return p.chosen(insts, name, why)
}

// chosen makes a kernel of the given instructions. It assumes that they execute in this
// order and that all branches except the last are not taken.
func (p *Program) chosen(insts []int32, name, why string) Kernel {
	k := Kernel{Name: name, Why: why, insts: insts}
	if f := p.function(int(insts[0])); f != nil {
		k.Function = f.Name
	}
	k.entry = p.before(insts[0])
	k.Loop = p.closes(insts)
	if !k.Loop {
		k.Notes = append(k.Notes, Note{Kind: NotLoop})
		k.Notes = append(k.Notes, p.loopsWithin(insts)...)
	}
	var within, calls []int
	for i, n := range insts {
		switch p.insts[n].flow {
		case isa.FlowNext, isa.FlowTrap:
		case isa.FlowCall:
			calls = append(calls, int(p.insts[n].line))
		default:
			if i+1 < len(insts) {
				within = append(within, int(p.insts[n].line))
			}
		}
	}
	if len(within) > 0 {
		k.Notes = append(k.Notes, Note{Kind: BranchesNotTaken, Lines: source.RangesOf(within)})
	}
	if len(calls) > 0 {
		k.Notes = append(k.Notes, Note{Kind: CallNotFollowed, Lines: source.RangesOf(calls)})
	}
	return k
}

// loopsWithin returns notes on the innermost loops within straight-line code, whose instructions count once.
func (p *Program) loopsWithin(insts []int32) (notes []Note) {
	for i := range p.loops {
		l := &p.loops[i]
		if !l.Innermost {
			continue
		}
		first, last := p.blocks[l.Blocks[0]].first, p.blocks[l.Blocks[len(l.Blocks)-1]].end-1
		if first < insts[0] || last > insts[len(insts)-1] || len(notes) == 3 {
			continue
		}
		lines := source.Ranges{{First: int(p.insts[first].line), Last: int(p.insts[last].line)}}
		notes = append(notes, Note{Kind: LoopWithin, Lines: lines, Label: p.labelAt(int(first))})
	}
	return notes
}

// closes reports whether the last of some instructions jumps back to the first (or, in an excerpt
// of a larger text, to a label outside of it). Code that marks the region may lie between
// the label and the first instruction.
func (p *Program) closes(insts []int32) bool {
	last := p.insts[insts[len(insts)-1]]
	if last.flow != isa.FlowCond && last.flow != isa.FlowJump {
		return false
	}
	if last.target < 0 {
		return last.flow == isa.FlowCond && len(p.Functions) == 0
	}
	if slices.Contains(insts, last.target) {
		return true
	}
	return last.target < insts[0] && insts[0]-last.target <= 2 && iacaValue(p.instText(int(insts[0])-1)) != 0
}

// before returns the instructions that lead to instruction i, in order: back to the start of the function
// or to an instruction that control does not fall into, at most maxEntry.
func (p *Program) before(i int32) []int32 {
	first := i
	for first > 0 && i-first < maxEntry && fallsThrough(p.insts[first-1].flow) {
		if f := p.function(int(first)); f != nil && f.First == int(first) {
			break
		}
		first--
	}
	out := make([]int32, 0, i-first)
	for ; first < i; first++ {
		out = append(out, first)
	}
	return out
}

// maxEntry is the largest number of instructions before a kernel that are kept.
const maxEntry = 100

// byLines makes a kernel of the instructions on some lines.
func (p *Program) byLines(lines source.Ranges) ([]Kernel, error) {
	var insts []int32
	for i := range p.insts {
		if lines.Contains(int(p.insts[i].line)) {
			insts = append(insts, int32(i))
		}
	}
	if len(insts) == 0 {
		last := p.insts[len(p.insts)-1].line
		return nil, p.error(fmt.Sprintf("no instructions on lines %s", lines), fmt.Sprintf("the instructions are on lines %d to %d", p.insts[0].line, last))
	}
	return []Kernel{p.chosen(insts, p.nameOf(int(insts[0])), "lines "+lines.String()).by(ByLines, lines.String())}, nil
}

// byLabel makes a kernel of the loop that starts at a label, or of the code after the label.
func (p *Program) byLabel(name string) ([]Kernel, error) {
	at := int32(-1)
	if l, ok := p.byName[strings.TrimSuffix(name, ":")]; ok {
		at = p.labels[l].inst
	} else if l, ok := p.numeric[name]; ok {
		at = p.labels[l[0]].inst
	}
	if at < 0 || int(at) >= len(p.insts) {
		return nil, p.error(fmt.Sprintf("no label %q with instructions behind it", name), "labels are "+p.some(p.labelNames(), name))
	}
	b := int32(p.blockOf(int(at)))
	for i := len(p.loops) - 1; i >= 0; i-- {
		if l := &p.loops[i]; l.Innermost && (l.Header == b || l.Blocks[0] == b) {
			k := p.loopKernel(l)
			k.Why = "loop at label " + name
			return []Kernel{k.by(ByLabel, name)}, nil
		}
	}
	end := int(at)
	for i := range p.insts[at:] {
		if p.insts[int(at)+i].target == at {
			end = int(at) + i + 1
		}
	}
	for end == int(at) || end < len(p.insts) && p.insts[end-1].target != at && fallsThrough(p.insts[end-1].flow) && p.labelAt(end) == "" {
		end++
	}
	return []Kernel{p.straight(int(at), end, p.nameOf(int(at)), "code at label "+name).by(ByLabel, name)}, nil
}

// byFunction finds the loops of a function; a function without one is a kernel itself. A loop's own name ("f:.L4", as
// predict prints it) chooses the loop.
func (p *Program) byFunction(name string) ([]Kernel, error) {
	if at := strings.LastIndexByte(name, ':'); at > 0 && p.called(name) == nil {
		if f := p.called(name[:at]); f != nil {
			loops := p.innermost(f.First, f.End)
			if i := slices.IndexFunc(loops, func(k Kernel) bool { return symname.Same(k.Name, name) }); i >= 0 {
				return loops[i : i+1], nil
			}
		}
	}
	f := p.called(name)
	switch {
	case f == nil && len(p.Functions) == 0:
		return nil, p.error(fmt.Sprintf("no function %q: no functions are declared in this text", name), "give a part of it alone", "lines", "label")
	case f == nil:
		names := make([]string, len(p.Functions))
		for i := range names {
			names[i] = p.Functions[i].Name
		}
		return nil, p.error(fmt.Sprintf("no function %q", name), "functions are "+p.some(names, name))
	case f.First == f.End:
		return nil, p.error(fmt.Sprintf("function %q has no instructions", name), "")
	}
	if ks := p.innermost(f.First, f.End); len(ks) > 0 {
		return ks, nil
	}
	return []Kernel{p.straight(f.First, f.End, f.Name, "function "+name+", which has no loop").by(ByFunction, name)}, nil
}

// called returns the function that a name stands for: its label, with or without the underscore of Mach-O, its demangled name, or this shortened as symname.Rank
// says; of several the first whose name is shortened least. It returns nil if there is none.
func (p *Program) called(name string) (loose *Function) {
	best := math.MaxInt
	for i := range p.Functions {
		f := &p.Functions[i]
		r := symname.Rank(f.Name, name)
		if r == 0 || f.Symbol == name || f.Symbol == "_"+name {
			return f
		}
		if r > 0 && r < best {
			loose, best = f, r
		}
	}
	return loose
}

func (p *Program) labelNames() []string {
	out := make([]string, len(p.labels))
	for i, l := range p.labels {
		out[i] = l.name
	}
	return out
}

// some lists a few names; names that contain want are first.
func (p *Program) some(names []string, want string) string {
	names = slices.Clone(names)
	want = strings.Trim(strings.ToLower(want), ".:_")
	slices.SortStableFunc(names, func(a, b string) int {
		ca, cb := strings.Contains(strings.ToLower(a), want), strings.Contains(strings.ToLower(b), want)
		switch {
		case ca == cb:
			return 0
		case ca:
			return -1
		}
		return 1
	})
	names = slices.Compact(names)
	if len(names) == 0 {
		return "none"
	}
	rest := ""
	if n := len(names); n > 8 {
		names, rest = names[:8], fmt.Sprintf(" and %d more", n-8)
	}
	return strings.Join(symname.Fit(names, symname.Short), ", ") + rest
}

// Build resolves a kernel's instructions, with their sizes.
func (p *Program) Build(k *Kernel) *isa.Kernel {
	out := &isa.Kernel{ISA: p.Language.ISA, Name: k.Name, Syntax: p.Language.Syntax, Loop: k.Loop, Path: k.path, Why: k.Why}
	out.Lines = make([]isa.Line, 0, len(k.insts)+2)
	of := make([]int32, 0, cap(out.Lines)) // the statement of each line
	for _, i := range k.insts {
		out.Lines = p.Lines(out.Lines, int(i))
		for len(of) < len(out.Lines) {
			of = append(of, i)
		}
	}
	j := joiner{Program: p, room: maxBetween, steps: maxSteps}
	if len(k.entry) > 0 {
		j.first = k.entry[0]
	}
	for _, i := range k.entry {
		at := len(out.Entry)
		if out.Entry = p.Lines(out.Entry, int(i)); len(out.Entry) > at {
			j.join(&out.Entry[at], i, nil)
		}
	}
	if len(out.Lines) > 0 {
		j.join(&out.Lines[0], k.insts[0], k.insts)
		if p.aligned != nil {
			out.Align = max(1, p.aligned[k.insts[0]])
		}
		last := &p.insts[k.insts[len(k.insts)-1]]
		out.Latch = k.Loop && last.flow == isa.FlowCond && last.target == k.insts[0]
	}
	out.SetContext(func() isa.VType { return p.configured(k.insts[0]) })
	p.size(out, of)
	return out
}

// KernelLabel is a label within a kernel, before statement number Statement.
type KernelLabel struct {
	Name      string
	Line      int
	Statement int
	Source    bool // a line of the source program, not a label of the text
}

// LabelsIn returns the labels before a kernel's instructions, in the kernel's order.
func (p *Program) LabelsIn(k *Kernel) []KernelLabel {
	var out []KernelLabel
	was := loc{}
	for n, i := range k.insts {
		if now := p.locOf(i); now.line > 0 && (now.line != was.line || now.file != was.file) {
			out = append(out, KernelLabel{Name: fmt.Sprintf("%s:%d", p.files[now.file].name, now.line), Statement: n, Source: true})
			was = now
		}
		at := sort.Search(len(p.labels), func(l int) bool { return p.labels[l].inst >= i })
		for ; at < len(p.labels) && p.labels[at].inst == i; at++ {
			if l := &p.labels[at]; len(p.locs) > 0 && !l.jump && isDebugLabel(l.name) {
				continue
			}
			out = append(out, KernelLabel{Name: p.labels[at].name, Line: int(p.labels[at].line), Statement: n})
		}
	}
	return out
}

// UnresolvedIn counts a kernel's statements that are no known instructions.
func (p *Program) UnresolvedIn(k *Kernel) (n int) {
	for _, i := range k.insts {
		if p.insts[i].unresolved {
			n++
		}
	}
	return n
}
