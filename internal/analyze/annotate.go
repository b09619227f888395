package analyze

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"incore/internal/analysis/throughput"
	"incore/internal/analysis/uops"
	"incore/internal/isa"
	"incore/internal/object"
	"incore/internal/report"
	"incore/internal/report/describe"
)

// around is the number of source lines before and after those of a function that an annotation shows, gap the number of lines between two of its own that it shows,
// too; maxAnnotated is the number of instructions that it may have, maxAnnotatedLoops that of the loops.
const (
	around            = 2
	gap               = 20
	maxAnnotated      = 100_000
	maxAnnotatedLoops = 1000
)

// Annotate lists the instructions of a function with their source lines, their costs, and their samples in the profile of the options.
func Annotate(f *object.File, o LoopOptions) (*report.Annotation, error) {
	fn := f.Function(o.Function)
	if fn == nil {
		return nil, noFunction(f, o.Function)
	}
	why := ""
	if o.Profile != nil {
		if err := o.Profile.Suits(f); err != nil {
			return nil, err
		}
		if name, from := o.Profile.Machine(); name != "" && len(o.Archs)+len(o.Models) == 0 {
			o.Archs, why = []string{name}, from
		}
	}
	targets, a, err := Targets(&o.Options, f.ISA)
	if err != nil {
		return nil, err
	}
	t := targets[0]
	out := &report.Annotation{Schema: report.AnnotateSchema, File: f.Path, ISA: a.Name, Function: fn.Name, Arch: t.Model.Name, Title: t.Model.Title, Why: cmp.Or(why, t.Why), Loops: []report.AnnotatedLoop{}, Lines: []report.AnnotatedSource{}}
	x := &annotator{file: f, fn: fn, target: t, options: &o, out: out, of: map[string]int{}, lines: map[report.AnnotatedSource]float64{}}
	if err := x.code(); err != nil {
		return nil, err
	}
	if err := x.loops(); err != nil {
		return nil, err
	}
	x.samples()
	x.source()
	out.Diagnostics = append(out.Diagnostics, warnings(f)...)
	describe.Diagnostics(out.Diagnostics)
	return out, nil
}

// annotator makes an annotation.
type annotator struct {
	file    *object.File
	fn      *object.Function
	target  Target
	options *LoopOptions
	out     *report.Annotation
	of      map[string]int // address → index of the instruction
	lines   map[report.AnnotatedSource]float64
}

// code lists the instructions with their costs outside of loops.
func (x *annotator) code() error {
	k := &isa.Kernel{ISA: x.file.ISA, Syntax: x.options.syntaxOf(x.file.ISA)}
	err := x.file.Disassemble(x.fn.Addr, x.fn.End(), func(l *object.Line) error {
		if len(k.Lines) == maxAnnotated {
			return fmt.Errorf("%s has more than %d instructions", x.fn.Name, maxAnnotated)
		}
		in := isa.Line{Inst: l.Inst, Addr: l.Addr, Text: "(bad)", Err: l.Err}
		if l.Err == nil && k.ISA.Print != nil {
			in.Text = isa.Brief(string(k.ISA.Print(nil, &l.Inst, k.Syntax)))
		}
		in.File, in.No = x.file.SourceLine(l.Addr)
		k.Lines = append(k.Lines, in)
		return nil
	})
	if err != nil {
		return err
	}
	b := uops.Bind(x.target.Model, k)
	for i := range k.Lines {
		l, in := &k.Lines[i], &b.Insts[i]
		address := fmt.Sprintf("%#x", l.Addr)
		x.of[address] = i
		one := uops.Bind(x.target.Model, &isa.Kernel{ISA: k.ISA, Syntax: k.Syntax, Lines: k.Lines[i : i+1]})
		tp := throughput.Analyze(one, throughput.Optimal)
		x.out.Code = append(x.out.Code, report.AnnotatedInst{Address: address, Text: l.Text, File: l.File, Line: l.No, Loop: -1, Latency: report.Round(in.Latency), Throughput: report.Round(max(tp.Cycles, tp.Dispatch)), Uops: report.Round(in.Slots),
			Unknown: l.Err != nil || slices.Contains(flags(in.Flags), "unknown")})
	}
	return nil
}

// loops adds what the analysis of the innermost loops tells of their instructions.
func (x *annotator) loops() error {
	o := x.options.Options
	o.NoAdvice, o.Full = true, maxAnnotatedLoops
	doc, err := RunBinary(x.file, o, CodeSelect{Function: x.fn.Name})
	if err != nil {
		return err
	}
	if n := len(doc.Others); n > 0 {
		x.out.Diagnostics = append(x.out.Diagnostics, report.Diagnostic{Severity: "note", Message: fmt.Sprintf("%d further loops are not analysed: their instructions have the costs outside of loops", n)})
	}
	for i := range doc.Kernels {
		k := &doc.Kernels[i]
		if !k.Loop {
			continue
		}
		t := &k.Targets[0]
		for n := range t.Instructions {
			in := &t.Instructions[n]
			at, ok := x.of[in.Address]
			if !ok {
				continue
			}
			c := &x.out.Code[at]
			c.Loop, c.LCD, c.Latency, c.Throughput, c.Uops = len(x.out.Loops), in.LCD, in.Latency, in.Throughput, in.Uops
			c.Port = busiest(t, in)
		}
		x.out.Loops = append(x.out.Loops, report.AnnotatedLoop{Name: k.Name, Cycles: t.Prediction.Cycles, Text: t.Prediction.Text})
	}
	return nil
}

// busiest names the port that an instruction uses and that is the busiest of the loop's.
func busiest(t *report.Target, in *report.Instruction) string {
	best := -1
	for i := range in.Ports {
		if in.Ports[i].Cycles > 0 && (best < 0 || t.Throughput.Ports.Of(in.Ports[i].Name) > t.Throughput.Ports.Of(in.Ports[best].Name)) {
			best = i
		}
	}
	if best < 0 {
		return ""
	}
	return in.Ports[best].Name
}

// samples adds the samples of the profile.
func (x *annotator) samples() {
	p := x.options.Profile
	if p == nil {
		return
	}
	x.out.Diagnostics = append(x.out.Diagnostics, p.notes()...)
	if others := p.others(x.file); others != nil {
		x.out.Diagnostics = append(x.out.Diagnostics, report.Diagnostic{Kind: report.ProfileOfOthers, Severity: "warning", File: x.file.Path, Values: report.Values{Profile: p.Kind, Machines: others}})
		return
	}
	x.out.Profile = p.Kind
	total := 0.0
	counts := make([]float64, len(x.out.Code))
	for addr, n := range p.addresses(x.file) {
		if addr < x.fn.Addr || addr >= x.fn.End() {
			continue
		}
		if i, ok := x.of[fmt.Sprintf("%#x", addr)]; ok {
			counts[i] += n
			total += n
		}
	}
	if total == 0 {
		x.out.Diagnostics = append(x.out.Diagnostics, report.Diagnostic{Severity: "warning", Message: "no sample of the profile is at an instruction of " + x.fn.Name})
		return
	}
	x.out.Share = report.Round(total / p.total)
	for i := range counts {
		c := &x.out.Code[i]
		c.Share = report.Round(counts[i] / total)
		if c.Loop >= 0 {
			x.out.Loops[c.Loop].Share += counts[i] / p.total
		}
		x.lines[report.AnnotatedSource{File: c.File, Line: c.Line}] += counts[i] / total
	}
	for i := range x.out.Loops {
		x.out.Loops[i].Share = report.Round(x.out.Loops[i].Share)
	}
}

// source adds the lines of the source: those of the function's code, in its own file also lines around and between them.
func (x *annotator) source() {
	used := map[string]map[int]bool{} // file → lines with code
	var files []string
	for i := range x.out.Code {
		c := &x.out.Code[i]
		if c.Line <= 0 {
			continue
		}
		if used[c.File] == nil {
			used[c.File] = map[int]bool{}
			files = append(files, c.File)
		}
		used[c.File][c.Line] = true
	}
	for n, file := range files {
		show := map[int]bool{}
		last := math.MinInt / 2
		for _, line := range slices.Sorted(maps.Keys(used[file])) {
			from, to := line, line
			if n == 0 {
				from, to = line-around, line+around
				if line-last <= gap {
					from = last
				}
			}
			for l := max(1, from); l <= to; l++ {
				show[l] = true
			}
			last = line
		}
		for _, line := range slices.Sorted(maps.Keys(show)) {
			if text := x.options.Listing.Text(file, line); text != "" || used[file][line] {
				share := x.lines[report.AnnotatedSource{File: file, Line: line}]
				x.out.Lines = append(x.out.Lines, report.AnnotatedSource{File: file, Line: line, Text: strings.TrimRight(text, " \t"), Share: report.Round(share)})
			}
		}
	}
}

// addresses returns the samples of a file by the file's own addresses; places that are known by their source line only are left out.
func (p *Profile) addresses(f *object.File) map[uint64]float64 {
	of := p.objectOf(f)
	named := map[string]*object.Function{}
	function := func(name string) *object.Function {
		fn, ok := named[name]
		if !ok && name != "" {
			fn = f.Function(name)
			named[name] = fn
		}
		return fn
	}
	moved := p.displacement(function, of)
	out := map[uint64]float64{}
	for at, n := range p.places {
		switch {
		case at.line != 0 || of != "" && at.object != "" && at.object != of:
		case at.offset:
			if addr, ok := f.AddrOf(at.addr); ok && of != "" {
				out[addr] += n
			}
		case at.relative:
			if fn := function(at.function); fn != nil {
				out[fn.Addr+at.addr] += n
			}
		default:
			out[at.addr-moved] += n
		}
	}
	return out
}
