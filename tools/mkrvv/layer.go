package main

import (
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"
	"sort"
	"strings"

	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

// layer collects the figures of the table by form.
type layer struct {
	a     *isa.ISA
	m     *machine.Model
	opt   options
	forms map[isa.FormID]*figures
	// other gives the latencies that the base has from placeholder; nil: they stay.
	other, placeholder *machine.Model
	strange            map[string]bool // instructions that the ISA's tables do not have
	placeholders       []string
	used               int
}

// figures are the cycles of a form, without and with a mask.
type figures struct {
	plain, masked map[isa.VType]*figure
}

type figure struct {
	cycles float64
	inst   isa.Inst
}

func newLayer(base string, opt options) (*layer, error) {
	m, err := machine.Get(base)
	if err != nil {
		return nil, err
	}
	l := &layer{a: catalog.ISA(m.ISA), m: m, opt: opt, forms: map[isa.FormID]*figures{}, strange: map[string]bool{}}
	if opt.latencies == "" {
		return l, nil
	}
	if l.other, err = machine.Get(opt.latencies); err != nil {
		return nil, err
	}
	l.placeholder, err = machine.Get(opt.placeholder)
	return l, err
}

// add adds a cell of the table.
func (l *layer) add(c *cell) {
	insts, err := l.a.Parse(nil, c.text, l.a.Syntaxes[0])
	if err != nil || len(insts) != 1 || insts[0].Form == isa.NoForm {
		l.strange[c.text] = true
		return
	}
	if l.opt.only != nil && !l.opt.only.MatchString(l.a.Forms.Name(insts[0].Form)) {
		return
	}
	in := insts[0]
	in.VType = c.vtype
	f := l.forms[in.Form]
	if f == nil {
		f = &figures{map[isa.VType]*figure{}, map[isa.VType]*figure{}}
		l.forms[in.Form] = f
	}
	by := f.plain
	if strings.HasSuffix(c.text, ",v0.t") {
		by = f.masked
	}
	by[c.vtype] = &figure{c.cycles, in}
	l.used++
}

// row is a row of the layer without its selectors.
type row struct{ uops, latency, attrs string }

// write writes the rows and what is unknown.
func (l *layer) write(w io.Writer) {
	rows := map[row][]string{}
	for form, f := range l.forms {
		name := l.a.Forms.Name(form)
		plain, masked := "", "when=last(VMV0)"
		if len(f.plain) > 0 && len(f.masked) > 0 {
			plain = "when=!last(VMV0)"
		} else {
			masked = ""
		}
		l.rows(rows, name, f.plain, plain)
		l.rows(rows, name, f.masked, masked)
	}
	fmt.Fprintf(w, "source: %s; %s\n", l.opt.source, l.borrowed())
	var keys []row
	for r := range rows {
		sort.Strings(rows[r])
		keys = append(keys, r)
	}
	sort.Slice(keys, func(i, j int) bool { return rows[keys[i]][0]+keys[i].attrs < rows[keys[j]][0]+keys[j].attrs })
	for _, r := range keys {
		wrap(w, rows[r], r)
	}
	l.placeholders = l.same()
	if len(l.placeholders) > 0 {
		fmt.Fprintf(w, "\nsource: unknown: LLVM has the same figures for one register and for eight\n")
		wrap(w, l.placeholders, row{"-", "?", "slots=1 stand-in no-ports"})
	}
}

// borrowed names the sources of what the table does not have.
func (l *layer) borrowed() string {
	if l.other == nil {
		return "ports, and latencies: LLVM's"
	}
	return fmt.Sprintf("ports: LLVM's; latencies: llvm %s in place of those of %s", strings.TrimPrefix(l.opt.latencies, "llvm/"), strings.TrimPrefix(l.opt.placeholder, "llvm/"))
}

// wrap writes a row over several lines.
func wrap(w io.Writer, names []string, r row) {
	const longest = 150
	line := ""
	for _, n := range names {
		if line != "" && len(line)+len(n) > longest {
			fmt.Fprintln(w, line)
			line = " "
		}
		if line != "" {
			line += " "
		}
		line += n
	}
	fmt.Fprintln(w, strings.TrimRight(fmt.Sprintf("%s | %s | %s | %s", line, r.uops, r.latency, r.attrs), " |"))
}

// rows makes the rows of a form: one for an LMUL if the element widths do not differ, else one for each.
func (l *layer) rows(rows map[row][]string, name string, by map[isa.VType]*figure, when string) {
	groups := map[uint8][]isa.VType{}
	for v := range by {
		groups[v.LMUL] = append(groups[v.LMUL], v)
	}
	for lmul, types := range groups {
		slices.SortFunc(types, func(a, b isa.VType) int { return int(a.SEW) - int(b.SEW) })
		low, high, sum := math.Inf(1), 0.0, 0.0
		for _, v := range types {
			low, high, sum = min(low, by[v].cycles), max(high, by[v].cycles), sum+by[v].cycles
		}
		multiple := "/" + lmulName(lmul)
		if high-low <= 0.02+0.04*low && l.alike(by, types) {
			f := *by[types[len(types)-1]]
			f.cycles = sum / float64(len(types))
			l.row(rows, name+multiple, &f, when)
			continue
		}
		for _, v := range types {
			l.row(rows, fmt.Sprintf("%s%s,e%d", name, multiple, v.SEW), by[v], when)
		}
	}
}

// alike reports whether the rows of some types have the same latency.
func (l *layer) alike(by map[isa.VType]*figure, types []isa.VType) bool {
	if l.other == nil {
		return true
	}
	latency := func(v isa.VType) string {
		_, _, text := l.ports(l.m.Cost(l.a, &by[v].inst), &by[v].inst)
		return text
	}
	for _, v := range types[1:] {
		if latency(v) != latency(types[0]) {
			return false
		}
	}
	return true
}

func lmulName(l uint8) string {
	if l < 4 {
		return fmt.Sprintf("m%d", 1<<l)
	}
	return fmt.Sprintf("mf%d", 1<<(8-l))
}

// row adds a selector to the row of its figure.
func (l *layer) row(rows map[row][]string, selector string, f *figure, when string) {
	c := l.m.Cost(l.a, &f.inst)
	ports, kind, latency := l.ports(c, &f.inst)
	busy := whole(f.cycles * ports.n)
	if latency == "=" && (l.opt.scale && c.Each > 1 && c.SourceLatency == c.Each || l.opt.held != nil && l.opt.held.MatchString(c.Form)) {
		latency = trim(math.Ceil(f.cycles - 0.2))
	}
	r := row{uops: fmt.Sprintf("%s:%s%s", ports.name, trim(busy), kind), latency: latency, attrs: when}
	if slots := f.cycles * float64(l.m.Params.DispatchWidth); c.Slots > max(1, slots) || latency == "?" {
		r.attrs = strings.TrimSpace("slots=1 " + when)
	}
	if busy < 0.92*f.cycles*ports.n { // the table's own figure
		r.attrs = strings.TrimSpace("rthru=" + trim(math.Round(f.cycles*100)/100) + " " + r.attrs)
	}
	rows[r] = append(rows[r], selector)
}

// whole returns the whole cycles that a figure stands for. The loop that measures adds up to a seventh of a cycle, which is no cost of the
// instruction, and a port is taken for whole cycles: a figure a little above a whole number is that number, others are rounded where that is a
// small part of them.
func whole(v float64) float64 {
	const overhead, small = 0.2, 0.1
	if n := math.Floor(v); n >= 1 && v-n <= overhead {
		return n
	}
	if n := math.Round(v); math.Abs(v-n) <= small*v {
		return n
	}
	return v
}

// trim rounds cycles to two digits behind the point below ten, one below a hundred.
func trim(v float64) string {
	digits := 2
	if v >= 10 {
		digits = 1
	}
	return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.*f", digits, v), "0"), ".")
}

type portSet struct {
	name string
	n    float64
}

// ports returns the ports that an instruction keeps busy, the kind of µop, and the field for the latency: "=", or "?" if the base does not know
// the instruction.
func (l *layer) ports(c *machine.Cost, in *isa.Inst) (portSet, string, string) {
	latency := "="
	if c.Flags&machine.Unknown != 0 {
		latency = "?"
	} else if l.other != nil && (l.opt.keep == nil || !l.opt.keep.MatchString(c.Form)) && slowest(c) == slowest(l.placeholder.Cost(l.a, in)) {
		if o := l.other.Cost(l.a, in); o.Flags&machine.Unknown == 0 && !math.IsNaN(o.SourceLatency) {
			latency = trim(o.SourceLatency)
		}
	}
	memory := len(c.Effects.Mem) > 0
	var best *machine.Uop
	for i := range c.Uops {
		u := &c.Uops[i]
		if latency == "?" || u.Resource || memory == (u.Kind == machine.UopExec) {
			continue
		}
		if best == nil || u.Cycles > best.Cycles {
			best = u
		}
	}
	kind := ""
	if memory {
		kind = "/sta"
		if c.Effects.Mem[0].Load {
			kind = "/load"
		}
	}
	if best != nil && !(memory && l.opt.one) {
		return portSet{l.m.SetName(best.Ports), float64(bits.OnesCount64(uint64(best.Ports)))}, kind, latency
	}
	name := l.opt.vector
	if memory {
		name = l.opt.memory
	}
	set, _ := l.m.PortSet(name)
	return portSet{name, max(1, float64(bits.OnesCount64(uint64(set))))}, kind, latency
}

// slowest returns the latency of an instruction's slowest result, 0 if it is not known.
func slowest(c *machine.Cost) float64 {
	if math.IsNaN(c.SourceLatency) {
		return 0
	}
	return c.SourceLatency
}

// same lists the forms that the table does not have and of which the base has placeholders.
func (l *layer) same() (out []string) {
	forms, _ := l.m.Placeholders(l.a)
	for _, f := range forms {
		if l.forms[f] == nil && l.opt.only == nil {
			out = append(out, l.a.Forms.Name(f))
		}
	}
	return out
}
