package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"incore/internal/analysis/engine"
	"incore/internal/analyze"
	"incore/internal/bench/block"
	"incore/internal/bench/host"
	"incore/internal/isa"
	"incore/internal/machine"
	"incore/internal/object"
	"incore/internal/report"
)

// readCode finds a loop in an object file, an executable or a source file, which is compiled.
func (f *measureFlags) readCode(e *env, name string) (*measured, error) {
	o := analyze.Options{Syntax: strings.ToLower(f.syntax), Kernel: f.kernel}
	o.Select.Label, o.Select.Whole = f.label, f.whole
	var obj *object.File
	var err error
	if isSource(name) || f.cc != "" {
		obj, err = f.compile(name, o)
	} else if obj, err = openCode(e, name, "", 0); err != nil {
		err = inputError{err}
	}
	if err != nil {
		return nil, err
	}
	found, err := analyze.Code(obj, &o, analyze.CodeSelect{Function: f.function, Loop: f.loop, Path: f.path})
	if err != nil {
		return nil, inputError{err}
	}
	k := found[0]
	if want := here().ISA; k.ISA != want {
		return nil, inputError{fmt.Errorf("%s is %s code; only %s can be measured here", name, k.ISA.Name, want.Name)}
	}
	m, err := textBlock(k)
	if err != nil {
		return nil, inputError{fmt.Errorf("%s: %w; 'incore loops' shows the file's loops, --path other ways through one", k.Name, err)}
	}
	m.others = len(found) - 1
	if !f.unrolled && !f.copies {
		m.place, m.notPlaced = here().Place(k, obj.Bytes)
	}
	return m, nil
}

// measure measures the code: a loop of a file in place where that can be, else copies of it.
func (m *measured) measure(ctx context.Context, s *block.Setup) (err error) {
	if m.place != nil {
		f, ended, err := m.place.Loop(ctx, *s)
		var why *host.Reason
		if err == nil {
			m.figure, m.ended = f, ended
			s.Values = maps.Clone(s.Values)
			if s.Values == nil {
				s.Values = map[int]uint64{}
			}
			s.Values[m.ended.Number()] = m.ended.Values[1]
			return nil
		}
		if ctx.Err() != nil || errors.As(err, &why) && why.Kind == "unstable" {
			return err
		}
		m.notPlaced = err
	}
	if m.figure, err = block.Measure(ctx, m.code, m.n, *s); err == nil {
		s.Unrolled = m.figure.Unrolled
	}
	return err
}

// compile compiles a source file with the options asked for.
func (f *measureFlags) compile(name string, o analyze.Options) (*object.File, error) {
	a := analyzeFlags{binaryFlags: f.binaryFlags}
	if f.cflags != "" {
		l := languageOf(name)
		if l == nil {
			return nil, fmt.Errorf("--cflags: the language of %s is not known by its name's ending", name)
		}
		if a.cc == "" {
			a.cc = strings.Join(l.compiler, " ")
		}
		a.cc += " " + f.cflags
	}
	return a.compiled(name, o)
}

// fromFile reports whether the code is of an object file.
func (m *measured) fromFile() bool { return m.assembled != nil && m.kernel.Placed() }

// prediction is what a model of this machine says of the code.
type prediction struct {
	arch string
	engine.Estimate
	static  float64  // the greatest of the static bounds
	bound   string   // which that is, in words
	hangs   []string // on data: what it would take if loads met stores
	pages   bool     // an access crosses a page, or may, if it isn't known where it goes
	lines   bool     // likewise a line, of which the model does not know what that costs
	pattern int      // after how many iterations loads read what the same stores wrote again, as is known of what memory holds; 0: always
	sources []origin // where the costs are from, the commonest first
}

// origin is a source of costs and the instructions that rest on it.
type origin struct {
	source string
	lines  []string
}

// predict adds what the model of this machine says of the code as it was measured: in the same layout, entered with the same registers, over as many pages.
func (m *measured) predict(s *block.Setup) {
	name, _, ok := machine.Host()
	if !ok {
		return
	}
	model, err := machine.Get(name)
	if err != nil || model.ISA != m.kernel.ISA.Name {
		return
	}
	k := *m.kernel
	if m.ended == nil {
		k.Lines, k.Loop = k.Lines[:m.n], false
	}
	if m.ended == nil && m.assembled != nil {
		k.Lines = nil
		for _, i := range m.assembled.Lines {
			k.Lines = append(k.Lines, m.kernel.Lines[i])
		}
	}
	o := analyze.Options{Memory: analyze.MemoryOptions{Equal: s.Regs == block.Same && len(s.Values) == 0}}
	if !o.Memory.Equal {
		values := s.Registers()
		for name, i := range here().Numbers() {
			o.Memory.Alias = append(o.Memory.Alias, fmt.Sprintf("%s=%d", name, int64(values[i])))
		}
		o.Memory.Word = s.Word(m.ended != nil)
	}
	a := analyze.Kernel(&k, model, &o)
	p := &prediction{arch: name, Estimate: engine.Auto.Estimate(a.Graph, m.layout(a.Bound, s))}
	p.describe(a, &k, &o)
	for i := range k.Lines {
		p.cost(model.Cost(k.ISA, &k.Lines[i].Inst), k.Lines[i].Text)
	}
	slices.SortStableFunc(p.sources, func(a, b origin) int { return len(b.lines) - len(a.lines) })
	m.prediction = p
}

// describe says what explanations need of the analysis.
func (p *prediction) describe(a *analyze.Analysis, k *isa.Kernel, o *analyze.Options) {
	var limit string
	switch p.static, limit = a.Cycles(); limit {
	case engine.Latency:
		via, memory := a.Slowest()
		if p.bound = "the loop-carried chain through " + via; memory {
			p.bound += ", of which stores and loads are a part"
		}
	case engine.Ports:
		p.bound = "ports " + strings.Join(a.Bound.Model.PortNames(a.Throughput.Bottleneck), ", ")
	default:
		p.bound = limit
	}
	if p.Cache > p.static {
		p.static, p.bound = p.Cache, "the banks, lines and ports of the data cache"
	}
	holds := "the words of memory are equal here, unless the code stores others"
	if o.Memory.Word == 0 && !o.Memory.Equal {
		holds = "as one page is behind all addresses, loads find what was stored by others, which is not followed"
	}
	for _, d := range a.Possible(k, o) {
		if d.If == "" {
			p.hangs = append(p.hangs, fmt.Sprintf("%.2f cycles if '%s' reads what '%s' wrote, %s later (%s): %s", d.Cycles, k.Lines[d.To].Text, k.Lines[d.From].Text, counted(d.Distance, "iteration"), d.Why, holds))
		}
	}
	p.pattern = a.Graph.Period
	places := map[[2]int][]int64{}
	for _, at := range a.Graph.Places {
		places[[2]int{int(at.Inst), int(at.Mem)}] = at.At
	}
	known := a.Bound.Model.Has("line-crossing")
	for i := range a.Bound.Insts {
		for k, m := range a.Bound.Insts[i].Effects.Mem {
			size := int64(m.Bits) * int64(m.Elems) / 8
			at, located := places[[2]int{i, k}]
			if !located && (size > 8 || size > 0 && m.Disp%size != 0) {
				p.pages, p.lines = true, p.lines || !known
			}
			for _, x := range at {
				p.pages = p.pages || x/pageBytes != (x+size-1)/pageBytes
				p.lines = p.lines || !known && x/lineBytes != (x+size-1)/lineBytes
			}
		}
	}
}

// pageBytes is the size of a page of memory.
const pageBytes = 4096

// layout is how the code was laid out. Of a loop that is not the code's own the driver takes the cost off.
func (m *measured) layout(b *machine.Bound, s *block.Setup) engine.Layout {
	l := engine.Measured(b, engine.Harness{Unrolled: s.Unrolled && m.ended == nil, Net: true, Pages: s.Pages})
	for i, v := range s.Values { // the user's; others are aligned
		l.Aligned = l.Aligned && (v%lineBytes == 0 || m.ended != nil && i == m.ended.Number())
	}
	return l
}

// lineBytes is the size of a line of the data cache that the registers' values are multiples of.
const lineBytes = 64

// cost notes where an instruction's cost is from.
func (p *prediction) cost(c *machine.Cost, text string) {
	source := "nothing: its cost is not known"
	if c.Flags&machine.Unknown == 0 && len(c.Rows) > 0 {
		source = c.Rows[len(c.Rows)-1]
		if i := strings.IndexByte(source, '('); i >= 0 {
			source = strings.TrimSuffix(source[i+1:], ")")
		}
	}
	i := slices.IndexFunc(p.sources, func(o origin) bool { return o.source == source })
	if i < 0 {
		i = len(p.sources)
		p.sources = append(p.sources, origin{source: source})
	}
	p.sources[i].lines = append(p.sources[i].lines, text)
}

// difference is the prediction's against the measurement, in percent.
func (m *measured) difference() float64 {
	return 100 * (m.prediction.Cycles - m.figure.Cycles) / m.figure.Cycles
}

// agreeing is the difference in percent up to which prediction and measurement agree.
const agreeing = 5

// fewPages is as many pages as the first level of a TLB for data holds today at most: 72 on Zen 4 and 96 on Zen 5 (AMD's
// software optimization guides), 96 on Golden Cove (Intel's optimization manual).
const fewPages = 96

// explain says why prediction and measurement differ, as far as can be told: what is certain first.
func (m *measured) explain() (out []string) {
	p, f := m.prediction, m.figure
	d := m.difference()
	if d <= agreeing && d >= -agreeing {
		return nil
	}
	doubt := f.Uncertainty + 0.02*f.Cycles
	switch {
	case f.Cycles+doubt < p.static:
		out = append(out, fmt.Sprintf("the measurement is below a bound of the model, %s (%.2f cycles): some cost in it is wrong for this machine", p.bound, p.static))
	case p.Cycles < f.Cycles:
		out = append(out, "the measurement is above the prediction: something limits this code that the model lacks, or a cost in the model is too low")
	default:
		out = append(out, fmt.Sprintf("the prediction is above the static bounds (%.2f) and above the measurement: the simulated core has a limit that this one does not have", p.static))
	}
	if n := len(f.Pages); n > 0 && p.Cycles < f.Cycles {
		if n > f.Physical {
			out = append(out, fmt.Sprintf("not modelled: the %d pages lie on %d physical ones, so that accesses may meet that have different addresses", n, f.Physical))
		}
		if n > fewPages {
			out = append(out, fmt.Sprintf("not modelled: misses of the TLB, whose first level holds fewer than %d pages", n))
		}
		if p.pages {
			out = append(out, "not modelled: pages that accesses cross")
		}
		if p.lines {
			out = append(out, "not modelled: lines that accesses cross, as the model has no figure for that")
		}
		for _, h := range p.hangs {
			out = append(out, "not predicted, as it hangs on data: "+h)
		}
	}
	if p.pattern > 1 {
		out = append(out, fmt.Sprintf("as all words of memory are equal here, it is known which store each load reads: it comes again every %d iterations, and was predicted so", p.pattern))
	}
	if a := m.assembled; a != nil && m.ended == nil && a.Branches > 0 && p.Cycles < f.Cycles {
		out = append(out, fmt.Sprintf("not modelled: whether branches inside (%d) are taken, and predicted", a.Branches))
	}
	for _, s := range p.sources {
		if strings.Contains(s.source, "measured") {
			continue
		}
		list := s.lines
		if len(list) > 6 {
			list = append(slices.Clone(list[:6]), fmt.Sprintf("and %d more", len(s.lines)-6))
		}
		out = append(out, fmt.Sprintf("rest on %s: %s", s.source, strings.Join(list, "; ")))
	}
	return out
}

func (m *measured) text(w io.Writer, unrolled bool) error {
	f := m.figure
	form := "in a loop"
	if unrolled {
		form = "unrolled"
	}
	if m.fromFile() {
		fmt.Fprintf(w, "%s: %s\n", m.kernel.Name, m.kernel.Why)
		if m.others > 0 {
			fmt.Fprintf(w, "not measured: %s; --function and --loop choose one\n", counted(m.others, "further loop"))
		}
	}
	if m.ended != nil {
		m.placed(w)
	} else {
		fmt.Fprintf(w, "%.2f ± %.2f cycles per iteration, %s, %s (%d copies), at %.2f GHz\n", f.Cycles, f.Uncertainty, counted(m.n, "instruction"), form, f.Copies, f.GHz)
	}
	if m.notPlaced != nil {
		fmt.Fprintf(w, "not in place, but copies of the body with another closing branch: %v\n", m.notPlaced)
	}
	m.memory(w)
	if a := m.assembled; a != nil && m.ended == nil {
		if len(a.Symbols) > 0 {
			fmt.Fprintf(w, "symbols placed in memory of their own: %s\n", strings.Join(a.Symbols, " "))
		}
		if a.Relative > 0 {
			fmt.Fprintf(w, "%d addresses relative to the instruction pointer were made absolute\n", a.Relative)
		}
		if a.Branches+a.Jumps > 0 {
			fmt.Fprintf(w, "one path through the loop: %d branches inside lead to the next instruction whichever way they go, %d jumps are left out\n", a.Branches, a.Jumps)
		}
	}
	p := m.prediction
	if p == nil {
		return nil
	}
	_, err := fmt.Fprintf(w, "prediction (%s, %s): %.2f cycles, bound by %s; %+.1f %% against the measurement\n", p.arch, p.Engine, p.Cycles, p.Limit, m.difference())
	for _, s := range m.explain() {
		if err == nil {
			_, err = fmt.Fprintf(w, "  %s\n", s)
		}
	}
	return err
}

// counted is a number of things.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// placed says how a loop was measured in place.
func (m *measured) placed(w io.Writer) {
	f, e := m.figure, m.ended
	fmt.Fprintf(w, "%.2f ± %.2f cycles per iteration, %s, in place with its own closing branch, at offset %#x of a page, at %.2f GHz\n", f.Cycles, f.Uncertainty, counted(m.place.N, "instruction"), m.place.Offset, f.GHz)
	fmt.Fprintf(w, "%s starts with %#x to end it after %d iterations, with %#x after %d%s\n", e.Register(here()), e.Values[0], e.Short, e.Values[1], e.Long, anew(f))
	if n := m.place.Relative; n > 0 {
		fmt.Fprintf(w, "%d addresses relative to the instruction pointer lead to other pages than in the file, at the same offset\n", n)
	}
}

// anew says how often runs begin again.
func anew(f *block.Figure) string {
	if f.Rounds < 2 {
		return ""
	}
	return fmt.Sprintf(", %d times anew so as to stay in the cache", f.Rounds)
}

// memory says what memory the code touched.
func (m *measured) memory(w io.Writer) {
	pages := m.figure.Pages
	if len(pages) == 0 {
		fmt.Fprintln(w, "memory: none touched")
		return
	}
	behind := "all onto one physical one"
	switch n := m.figure.Physical; {
	case len(pages) <= n && n > 1:
		behind = "each onto a physical one"
	case n > 1:
		behind = fmt.Sprintf("onto %d physical ones", n)
	}
	noun := "pages"
	if len(pages) == 1 {
		noun = "page"
	}
	fmt.Fprintf(w, "memory: %d %s mapped, %s", len(pages), noun, behind)
	for i, p := range pages {
		if i == 4 {
			fmt.Fprint(w, " …")
			break
		}
		fmt.Fprintf(w, " %#x", p)
	}
	fmt.Fprintln(w)
}

// measureSchema names the fields of what json writes; docs/json.md describes them.
const measureSchema = "incore.measure/1"

func (m *measured) json(w io.Writer, unrolled bool) error {
	type source struct {
		Source       string   `json:"source"`
		Instructions []string `json:"instructions"`
	}
	type inPlace struct {
		Offset     uint64    `json:"page_offset"`
		Register   string    `json:"register"`
		Values     [2]uint64 `json:"values"`
		Iterations [2]int    `json:"iterations"`
	}
	type jsonPrediction struct {
		Arch       string   `json:"arch"`
		Engine     string   `json:"engine"`
		Cycles     float64  `json:"cycles"`
		Static     float64  `json:"static_bound"`
		Bound      string   `json:"bound"`
		Difference float64  `json:"difference_percent"`
		Explained  []string `json:"explanation,omitempty"`
		Sources    []source `json:"sources"`
	}
	out := struct {
		Schema       string          `json:"schema"`
		Kernel       string          `json:"kernel,omitempty"`
		Cycles       float64         `json:"cycles"`
		Uncertainty  float64         `json:"uncertainty"`
		GHz          float64         `json:"ghz"`
		Instructions int             `json:"instructions"`
		Copies       int             `json:"copies"`
		Unrolled     bool            `json:"unrolled,omitempty"`
		Pages        []uint64        `json:"pages"`
		Physical     int             `json:"physical_pages"`
		Symbols      []string        `json:"symbols,omitempty"`
		Branches     int             `json:"branches_inside,omitempty"`
		InPlace      *inPlace        `json:"in_place,omitempty"`
		NotInPlace   string          `json:"not_in_place,omitempty"`
		Prediction   *jsonPrediction `json:"prediction,omitempty"`
	}{Schema: measureSchema, Kernel: m.kernel.Name, Cycles: m.figure.Cycles, Uncertainty: m.figure.Uncertainty, GHz: m.figure.GHz, Instructions: m.n, Copies: m.figure.Copies,
		Unrolled: unrolled, Pages: append([]uint64{}, m.figure.Pages...), Physical: m.figure.Physical}
	if a := m.assembled; a != nil {
		out.Symbols, out.Branches = a.Symbols, a.Branches
	}
	if e := m.ended; e != nil {
		out.InPlace = &inPlace{m.place.Offset, e.Register(here()), e.Values, [2]int{e.Short, e.Long}}
		out.Instructions = m.place.N
	}
	if m.notPlaced != nil {
		out.NotInPlace = m.notPlaced.Error()
	}
	if p := m.prediction; p != nil {
		out.Prediction = &jsonPrediction{p.arch, p.Engine, p.Cycles, p.static, p.Limit, m.difference(), m.explain(), nil}
		for _, s := range p.sources {
			out.Prediction.Sources = append(out.Prediction.Sources, source{s.source, s.lines})
		}
	}
	return report.JSON(w, out)
}
