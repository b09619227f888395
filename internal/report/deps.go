package report

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// DepsSchema names the version of the layout of Deps.
const DepsSchema = "incore.deps/1"

// Deps is the document of incore deps: the dependences of kernels.
type Deps struct {
	Schema      string       `json:"schema"`
	Version     string       `json:"version"`
	Input       Input        `json:"input"`
	Arch        string       `json:"arch"` // the machine whose latencies and reorder buffer are used
	Title       string       `json:"title"`
	Why         string       `json:"why,omitempty"` // why incore chose this machine, if the user named none
	Kernels     []DepsKernel `json:"kernels"`
	Diagnostics []Diagnostic `json:"diagnostics,omitempty"`
}

// Layout implements Result.
func (*Deps) Layout() string { return DepsSchema }

// DepsKernel is a piece of code, analysed as the body of a loop, and its dependences.
type DepsKernel struct {
	Name         string             `json:"name"`
	Function     string             `json:"function,omitempty"`
	Lines        string             `json:"lines"`             // as in Kernel
	Address      string             `json:"address,omitempty"` // as in Kernel
	Loop         bool               `json:"loop"`
	Depth        int                `json:"depth,omitempty"`
	Why          string             `json:"why"`
	Notes        []string           `json:"notes,omitempty"` // the words of Remarks
	Remarks      []Statement        `json:"remarks,omitempty"`
	Instructions []DepsInstruction  `json:"instructions"`
	Dependencies []KernelDependency `json:"dependencies"` // sorted by the dependent instruction
	Memory       MemorySearch       `json:"memory"`
	Diagnostics  []Diagnostic       `json:"diagnostics,omitempty"`
}

// DepsInstruction is one instruction.
type DepsInstruction struct {
	Index   int    `json:"index"`
	Line    int    `json:"line"`
	Address string `json:"address,omitempty"`
	Text    string `json:"text"`
	LCD     bool   `json:"lcd,omitempty"` // on the slowest loop-carried chain
	CP      bool   `json:"cp,omitempty"`  // on the critical path of one iteration
}

// The kinds of order that a dependence enforces (KernelDependency.Order).
const (
	RAW = "raw" // To reads the value that From wrote
	WAR = "war" // To overwrites the value that From read
	WAW = "waw" // To overwrites the value that From wrote
)

// KernelDependency is a dependence of instruction To on instruction From.
type KernelDependency struct {
	Kind     string    `json:"kind"` // "register", "flag", "memory"
	From     int       `json:"from"` // indices into Instructions
	To       int       `json:"to"`
	Distance int       `json:"distance"` // iterations from From to To, 0 within one; the least possible distance if not Must
	Via      string    `json:"via"`      // register name, "flags", "memory"
	Order    string    `json:"order"`
	Latency  *float64  `json:"latency,omitempty"` // latency of a certain read-after-write dependence, as in Dependency; absent for others
	Address  bool      `json:"address,omitempty"` // the register is part of a memory address
	Must     bool      `json:"must"`              // false: possible, but not certain
	Why      string    `json:"why,omitempty"`     // why it is not certain
	Evidence *Evidence `json:"evidence,omitempty"`
	LCD      bool      `json:"lcd,omitempty"`
	CP       bool      `json:"cp,omitempty"`
}

// MemorySearch describes the executions that looked for dependences through memory.
type MemorySearch struct {
	Iterations int    `json:"iterations"` // executed iterations; 0: the kernel has no pair of a store and a load
	Runs       int    `json:"runs"`       // executions, each with other random values
	Entry      int    `json:"entry"`      // instructions executed in front of the loop
	Seed       uint64 `json:"seed"`
}

// Text writes dependences as text; below each instruction it lists the dependences on which that instruction waits.
func (d *Deps) Text(w io.Writer, o TextOptions) error {
	p := &painter{TextOptions: o}
	n := o.shown(len(d.Kernels), d.Input.Chosen)
	p.kernels(n, func(i int) { p.deps(d, &d.Kernels[i]) })
	if rest := d.Kernels[n:]; len(rest) > 0 {
		p.line("")
		p.title("other loops", " (--kernel NAME or --all-kernels shows them)")
		rows := [][]string{{"kernel", "lines", "depth", "instr.", "dependences"}}
		for i := range rest {
			if k := &rest[i]; i < maxOthers || p.Verbose {
				rows = append(rows, []string{k.Name, cmp.Or(p.lines(k.Lines), k.Address), fmt.Sprint(k.Depth), fmt.Sprint(len(k.Instructions)), fmt.Sprint(len(k.Dependencies))})
			}
		}
		p.fit(rows, 0)
		p.columns(rows)
		if more := len(rest) + 1 - len(rows); more > 0 {
			p.line("… and %d more", more)
		}
	}
	p.diagnostics(d.Diagnostics)
	_, err := io.WriteString(w, p.String())
	return err
}

// deps writes the dependences of a kernel.
func (p *painter) deps(d *Deps, k *DepsKernel) {
	place := Kernel{Lines: k.Lines, Address: k.Address}
	p.line("%s", p.paint(bold, p.wrap(k.summary(), "")))
	p.field("kernel", k.Name+place.place()+after(k.Why))
	for _, n := range k.Notes {
		p.field("", n)
	}
	p.field("input", d.Input.File+", "+d.Input.ISA+after(d.Input.Why))
	p.field("latency", "of "+d.Arch+": "+d.Title+after(d.Why))
	p.line("")
	label := func(in *DepsInstruction) string {
		return (&Instruction{Line: in.Line, Address: in.Address}).place()
	}
	width, via := 0, 0
	for i := range k.Instructions {
		width = max(width, utf8.RuneCountInString(label(&k.Instructions[i])))
	}
	for i := range k.Dependencies {
		via = max(via, utf8.RuneCountInString(k.Dependencies[i].through()))
	}
	at := 0
	for i := range k.Instructions {
		in := &k.Instructions[i]
		s := padLeft(label(in), width) + "  " + in.Text
		if p.Width > 0 {
			s = clip(s, p.Width)
		}
		p.line("%s", p.paint(bold, s))
		for ; at < len(k.Dependencies) && k.Dependencies[at].To == i; at++ {
			x := &k.Dependencies[at]
			s := strings.Repeat(" ", width+2) + x.arrow() + " " + padLeft(label(&k.Instructions[x.From]), width) + "  " + pad(x.through(), via) + "  " + x.words()
			if p.Width > 0 {
				s = clip(s, p.Width)
			}
			if x.LCD {
				s = p.paint(red, s)
			}
			p.line("%s", s)
		}
	}
	p.diagnostics(k.Diagnostics)
}

// summary counts dependences.
func (k *DepsKernel) summary() string {
	kinds := map[string]int{}
	carried, possible := 0, 0
	for i := range k.Dependencies {
		x := &k.Dependencies[i]
		if !x.Must {
			possible++
			continue
		}
		kinds[x.Kind]++
		if x.Distance > 0 {
			carried++
		}
	}
	n := len(k.Dependencies) - possible
	s := fmt.Sprintf("%d dependence%s: %d through registers, %d through flags, %d through memory; %d carried into a later iteration", n, plural(n),
		kinds["register"], kinds["flag"], kinds["memory"], carried)
	if possible > 0 {
		s += fmt.Sprintf("; %d more possible", possible)
	}
	return s
}

// arrow returns the mark of a line: a question mark for a possible dependence, otherwise an arrow.
func (x *KernelDependency) arrow() string {
	if !x.Must {
		return "?"
	}
	return "←"
}

// through names the register or memory that carries a dependence.
func (x *KernelDependency) through() string {
	if x.Address {
		return x.Via + " (address)"
	}
	return x.Via
}

// words describes the order, latency, distance and evidence of a dependence in words.
func (x *KernelDependency) words() string {
	var s []string
	switch x.Order {
	case WAR:
		s = append(s, "write after read")
	case WAW:
		s = append(s, "write after write")
	case RAW:
		if x.Latency != nil {
			s = append(s, padLeft(figure(*x.Latency), 3)+" cycle"+pluralOf(*x.Latency))
		}
	}
	if x.Distance > 0 {
		s = append(s, fmt.Sprintf("%d iteration%s later", x.Distance, plural(x.Distance)))
	}
	if x.Evidence != nil {
		s = append(s, x.Evidence.words())
	}
	if x.Why != "" {
		s = append(s, "possible: "+x.Why)
	}
	if x.LCD {
		s = append(s, "slowest chain")
	}
	return strings.Join(s, ", ")
}

func pluralOf(v float64) string {
	if v == 1 {
		return ""
	}
	return "s"
}

// DOT writes the dependence graphs of the kernels in the language of Graphviz.
func (d *Deps) DOT(w io.Writer) error { return dotOf(w, d.graphs()) }

// SVG draws the dependence graphs of the kernels.
func (d *Deps) SVG(w io.Writer) error { return svgOf(w, d.graphs()) }

func (d *Deps) graphs() (list []*graph) {
	for i := range d.Kernels {
		list = append(list, newDepsGraph(d, &d.Kernels[i]))
	}
	return list
}

// newDepsGraph makes the graph of a kernel with all its dependences, including those on earlier iterations.
func newDepsGraph(d *Deps, k *DepsKernel) *graph {
	g := &graph{title: k.Name + ", latencies of " + d.Title, subtitle: k.summary()}
	for i := range k.Instructions {
		in := &k.Instructions[i]
		at := Instruction{Line: in.Line, Address: in.Address}
		g.nodes = append(g.nodes, node{label: at.place() + ": " + mnemonic(in.Text), tip: in.Text, lcd: in.LCD, cp: in.CP})
	}
	s := newSlowest(g)
	for i := range k.Dependencies {
		x := &k.Dependencies[i]
		d := Dependency{From: x.From, To: x.To, Kind: x.Kind, Via: x.Via, Distance: x.Distance, LCD: x.LCD, CP: x.CP}
		if x.Latency != nil {
			d.Latency = *x.Latency
		}
		e, first := s.edge(&d)
		e.possible = (e.possible || first) && !x.Must
		if e.order = (e.order || first) && x.Order != RAW; e.order {
			e.label = x.Order
		} else if e.possible {
			e.label = "?"
		}
		if e.order || e.possible {
			e.tip = x.Kind + " through " + x.Via + ": " + x.words()
		}
	}
	g.sort()
	return g
}
