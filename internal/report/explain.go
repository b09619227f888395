package report

import (
	"fmt"
	"io"
	"strings"
)

// ExplainSchema names the layout of explanations.
const ExplainSchema = "incore.explain/1"

// Explanation describes an instruction and its costs on machines.
type Explanation struct {
	Schema       string     `json:"schema"`
	Instruction  string     `json:"text"`
	ISA          string     `json:"isa"`
	Syntax       string     `json:"syntax,omitempty"`
	Instructions []Explored `json:"instructions"` // several for a pseudo-instruction
}

// Layout implements Result.
func (*Explanation) Layout() string { return ExplainSchema }

// Explored is one instruction.
type Explored struct {
	Form     string   `json:"form"`
	Pattern  string   `json:"pattern"` // LLVM's asm string
	Requires []string `json:"requires"`
	Reads    []string `json:"reads"`
	Writes   []string `json:"writes"`
	Memory   []string `json:"memory"`
	Costs    []Cost   `json:"costs"`
}

// Cost is the cost of an instruction on a machine.
type Cost struct {
	Arch       string    `json:"arch"`
	Title      string    `json:"title"`
	Slots      float64   `json:"slots"` // of the dispatch width
	Uops       []Uop     `json:"uops"`
	Latency    float64   `json:"latency"`
	LatencyLow float64   `json:"latency_low"`
	LatencyHi  float64   `json:"latency_high"`
	Throughput float64   `json:"throughput"`     // reciprocal: cycles per instruction if nothing but ports and dispatch limit
	Open       string    `json:"open,omitempty"` // why its figures are no upper bounds, a phrase that follows its name: "takes as long as rcx says"
	Ports      Ports     `json:"ports"`
	Pairs      []Latency `json:"latencies"`
	Source     string    `json:"source"`
	Flags      []string  `json:"flags"`
	Notes      []string  `json:"notes"`
}

// Unknown reports whether there are no data: the figures are those of similar instructions, the latency between LatencyLow and LatencyHi.
func (c *Cost) Unknown() bool { return has(c.Flags, "unknown") }

// Uop is a group of equal µops.
type Uop struct {
	Ports    string  `json:"ports"` // names joined by '+', or the model's name of the set
	Cycles   float64 `json:"cycles"`
	Kind     string  `json:"kind"`
	Resource bool    `json:"resource,omitempty"`
}

// Latency is the latency from an operand to a result.
type Latency struct {
	From   string  `json:"from"`
	To     string  `json:"to"`
	Cycles float64 `json:"cycles"`
	// Producer limits this latency to operands from certain instructions: "its kind", "some others"; "": all others.
	Producer string `json:"producer,omitempty"`
}

// Text writes an explanation as text.
func (x *Explanation) Text(w io.Writer, o TextOptions) error {
	p := &painter{TextOptions: o}
	for i := range x.Instructions {
		if i > 0 {
			p.line("")
		}
		p.explored(x, &x.Instructions[i])
	}
	_, err := io.WriteString(w, p.String())
	return err
}

func (p *painter) explored(x *Explanation, in *Explored) {
	syntax := ""
	if x.Syntax != "" {
		syntax = ", " + x.Syntax + " syntax"
	}
	p.line("%s  %s (%s%s)", p.paint(bold, x.Instruction), in.Form, x.ISA, syntax)
	p.field("pattern", in.Pattern)
	p.list("needs", in.Requires)
	p.list("reads", in.Reads)
	p.list("writes", in.Writes)
	p.list("memory", in.Memory)
	p.line("")
	rows := [][]string{{"machine", "latency", "rec.tp", "µops", "ports", "source"}}
	for i := range in.Costs {
		c := &in.Costs[i]
		lat, tp, slots := cycles(c.Latency), atLeast(c.Open != "")+cycles(c.Throughput), figure(c.Slots)
		if c.Unknown() {
			lat, tp = cycles(c.LatencyLow)+"…"+cycles(c.LatencyHi), "?"
		}
		rows = append(rows, []string{c.Arch, lat, tp, slots, UopText(c.Uops), c.Source})
	}
	p.columns(rows)
	for i := range in.Costs {
		p.cost(&in.Costs[i])
	}
}

func (p *painter) list(name string, items []string) {
	if len(items) > 0 {
		p.field(name, strings.Join(items, ", "))
	}
}

// UopText writes µops as "2×p01 + p23", resources as "DIV 4".
func UopText(uops []Uop) string {
	var parts []string
	for i := 0; i < len(uops); {
		n := 1
		for i+n < len(uops) && uops[i+n] == uops[i] {
			n++
		}
		s := uops[i].Ports
		if n > 1 {
			s = fmt.Sprintf("%d×%s", n, s)
		}
		if uops[i].Cycles != 1 {
			s += " for " + figure(uops[i].Cycles)
		}
		parts = append(parts, s)
		i += n
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, " + ")
}

// cost writes the parts of a cost that do not fit into the table: latencies that differ by operand, flags, notes.
func (p *painter) cost(c *Cost) {
	if len(c.Pairs) == 0 && len(c.Flags) == 0 && len(c.Notes) == 0 {
		return
	}
	p.line("")
	p.line("%s", p.paint(bold, c.Arch)+"  "+c.Title)
	if len(c.Flags) > 0 {
		p.line("  %s", strings.Join(c.Flags, ", "))
	}
	if len(c.Pairs) > 0 {
		rows := [][]string{{"  from", "cycles", "to"}}
		for _, l := range c.Pairs {
			from := l.From
			if l.Producer != "" {
				from += ", made by " + l.Producer
			}
			rows = append(rows, []string{"  " + from, cycles(l.Cycles), l.To})
		}
		p.columns(rows)
	}
	for _, n := range c.Notes {
		p.line("  - %s", p.wrap(n, "    "))
	}
}
