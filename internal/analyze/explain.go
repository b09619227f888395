package analyze

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"incore/internal/analysis/throughput"
	"incore/internal/analysis/uops"
	"incore/internal/base/source"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
	"incore/internal/report"
	"incore/internal/report/describe"
)

// Explain describes one instruction, given as text, and its costs on the machines of the options.
func Explain(text string, o Options) (*report.Explanation, error) {
	targets, err := asked(&o)
	if err != nil {
		return nil, err
	}
	a, syntax, insts, err := resolveOne(text, &o, commonISA(targets))
	if x := formNamed(text, &o, commonISA(targets)); err != nil && x != nil {
		a, syntax, insts, text, err = x.isa, x.syntax, x.insts, x.text, nil
	}
	if err != nil {
		return nil, err
	}
	if len(targets) == 0 {
		t, err := defaultTarget(a)
		if err != nil {
			return nil, err
		}
		targets = []Target{t}
	}
	out := &report.Explanation{Schema: report.ExplainSchema, Instruction: text, ISA: a.Name, Syntax: syntax}
	for i := range insts {
		k := &isa.Kernel{ISA: a, Syntax: syntax, Lines: []isa.Line{{Inst: insts[i], Text: text, No: 1}}}
		x := explored(k)
		for _, t := range targets {
			x.Costs = append(x.Costs, cost(k, t.Model, t.Named))
		}
		out.Instructions = append(out.Instructions, x)
	}
	return out, nil
}

// resolveOne parses an instruction in each instruction set and syntax that the options allow, and returns the first that accepts it.
func resolveOne(text string, o *Options, isaName string) (*isa.ISA, string, []isa.Inst, error) {
	if o.ISA != "" {
		a := catalog.ISA(o.ISA)
		if a == nil {
			return nil, "", nil, UsageError{fmt.Errorf("unknown instruction set %q; known are %s", o.ISA, strings.Join(catalog.ISANames(), ", "))}
		}
		isaName = a.Name
	}
	var best error
	for _, a := range catalog.ISAs() {
		if isaName != "" && a.Name != isaName || a.Parse == nil {
			continue
		}
		for _, syntax := range a.Syntaxes {
			if o.Syntax != "" && o.Syntax != syntax {
				continue
			}
			err := a.OneStatement(text)
			if err != nil {
				return nil, "", nil, source.Diagnostic{Msg: err.Error(), Hint: "one instruction at a time"}
			}
			insts, err := a.Parse(nil, text, syntax)
			if err == nil && len(insts) > 0 {
				return a, syntax, insts, nil
			}
			var syn *isa.SyntaxError
			if best == nil || errors.As(best, &syn) && syn.Unknown {
				best = err
			}
		}
	}
	if best == nil {
		best = fmt.Errorf("no instruction set takes %q", text)
	}
	return nil, "", nil, suggested(text, isaName, best)
}

// suggested adds to an error what a user may have meant: mnemonics and forms that begin as the text, forms of a mnemonic without operands, another instruction set
// that has it, or what the parser found nearest.
func suggested(text, isaName string, err error) source.Diagnostic {
	text = strings.TrimSpace(text)
	msg, nearest, _ := strings.Cut(strings.TrimSuffix(err.Error(), ")"), " (nearest: ")
	d := source.Diagnostic{Msg: msg}
	unknown := strings.HasPrefix(msg, "unknown")
	if text == "" {
		return d
	}
	forms := formsLike(text, isaName)
	_, operands, _ := strings.Cut(text, " ")
	switch {
	case !unknown && operands == "" && len(forms) > 0:
		d.Msg, d.Hint = fmt.Sprintf("'%s' needs operands", text), "give them, or a form: "+strings.Join(forms, ", ")
	case unknown && len(completions(text, isaName, isWord)) == 0 && len(completions(text, "", isWord)) > 0:
		d.Hint, d.Settings = "it is one of "+isaOf(text, isWord), []string{"arch", "isa"}
	case unknown && len(completions(text, isaName, strings.HasPrefix)) > 0:
		d.Hint = "mnemonics that begin so: " + strings.Join(completions(text, isaName, strings.HasPrefix), ", ")
	case unknown && operands == "" && len(forms) > 0:
		d.Msg, d.Hint = fmt.Sprintf("no form is named '%s'", text), "forms that begin so: "+strings.Join(forms, ", ")
	case unknown && len(completions(text, "", strings.HasPrefix)) > 0:
		d.Hint, d.Settings = "mnemonics of "+isaOf(text, strings.HasPrefix)+" that begin so: "+strings.Join(completions(text, "", strings.HasPrefix), ", "), []string{"arch", "isa"}
	case nearest != "":
		d.Hint = "nearest known: " + nearest
	case unknown && len(completions(text, isaName, strings.Contains)) > 0:
		d.Hint = "mnemonics with it: " + strings.Join(completions(text, isaName, strings.Contains), ", ")
	}
	return d
}

func isWord(mnemonic, word string) bool { return mnemonic == word }

// isaOf returns the instruction set whose mnemonics completions finds.
func isaOf(text string, fits func(mnemonic, word string) bool) string {
	for _, name := range catalog.ISANames() {
		if len(completions(text, name, fits)) > 0 {
			return name
		}
	}
	return ""
}

// formsLike returns the names of the forms with a mnemonic, else of those that share the longest beginning with a name in capital letters, the shortest first.
func formsLike(text, isaName string) (out []string) {
	const least = 4
	name := strings.ToLower(text)
	longest := least - 1
	if text == name {
		longest = 1 << 10 // a mnemonic
	}
	for _, a := range catalog.ISAs() {
		if isaName != "" && a.Name != isaName {
			continue
		}
		for f := isa.FormID(1); int(f) < a.Forms.Len(); f++ {
			form, n := a.Forms.Name(f), 0
			for n < min(len(form), len(text)) && form[n] == text[n] {
				n++
			}
			mnemonic, _ := a.Forms.AsmParts(f, 0)
			mnemonic, _, _ = strings.Cut(strings.ToLower(strings.ReplaceAll(mnemonic, "\t", " ")), " ")
			switch {
			case mnemonic == name || n == longest:
			case n > longest:
				longest, out = n, nil
			default:
				continue
			}
			out = append(out, form)
		}
	}
	slices.SortStableFunc(out, func(x, y string) int { return cmp.Compare(len(x), len(y)) })
	return out[:min(len(out), maxCompletions)]
}

// maxCompletions is the number of mnemonics that an unknown one is completed to.
const maxCompletions = 8

// completions returns the mnemonics of the first instruction set that has some that fit the first word of a text, the shortest first.
func completions(text, isaName string, fits func(mnemonic, word string) bool) (out []string) {
	const least = 2
	start, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(text)), " ")
	if len(start) < least {
		return nil
	}
	seen := map[string]bool{}
	for _, a := range catalog.ISAs() {
		if isaName != "" && a.Name != isaName {
			continue
		}
		for f := isa.FormID(1); int(f) < a.Forms.Len(); f++ {
			name, _ := a.Forms.AsmParts(f, 0)
			name, _, _ = strings.Cut(strings.ToLower(name), " ")
			if fits(name, start) && !strings.ContainsAny(name, "{$\t") && !seen[name] {
				seen[name] = true
				out = append(out, name)
			}
		}
		if len(out) > 0 {
			break
		}
	}
	slices.SortStableFunc(out, func(x, y string) int { return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y)) })
	return out[:min(len(out), maxCompletions)]
}

// instance is an instruction that represents its form.
type instance struct {
	isa    *isa.ISA
	syntax string
	insts  []isa.Inst
	text   string
}

// formNamed returns an instance of the form with a name, nil if no form has it. It prefers an instance whose text is parsed as that form
// to the first.
func formNamed(name string, o *Options, isaName string) (out *instance) {
	for _, a := range catalog.ISAs() {
		f := a.Forms.Named(strings.TrimSpace(name))
		if f == isa.NoForm || a.Print == nil || isaName != "" && a.Name != isaName || o.ISA != "" && catalog.ISA(o.ISA) != a {
			continue
		}
		syntax := o.syntaxOf(a)
		for in := range isa.Samples(a, f) {
			x := &instance{isa: a, syntax: syntax, insts: []isa.Inst{in}, text: string(a.Print(nil, &in, syntax))}
			if out == nil {
				out = x
			}
			if back, err := a.Parse(nil, x.text, syntax); err == nil && len(back) == 1 && back[0].Form == f {
				return x
			}
		}
	}
	return out
}

// explored describes an instruction independently of machines: its form, operands and encoding.
func explored(k *isa.Kernel) report.Explored {
	a, in := k.ISA, &k.Lines[0].Inst
	variant := 0
	if len(a.Syntaxes) > 1 && k.Syntax != a.Syntaxes[0] {
		variant = 1
	}
	x := report.Explored{Form: a.FormName(in), Pattern: strings.ReplaceAll(a.Forms.Asm(in.Form, variant), "\t", " "),
		Requires: append([]string{}, a.Forms.Predicates(in.Form)...), Reads: []string{}, Writes: []string{}, Memory: []string{}}
	var e isa.Effects
	a.Effects(in, &e)
	for i := range e.Reads {
		x.Reads = append(x.Reads, accessName(a, &e.Reads[i]))
	}
	for i := range e.Writes {
		x.Writes = append(x.Writes, accessName(a, &e.Writes[i]))
	}
	for i := range e.Mem {
		x.Memory = append(x.Memory, memoryName(&e.Mem[i]))
	}
	return x
}

func accessName(a *isa.ISA, acc *isa.Access) string {
	s := strings.ToLower(a.Regs.Name(acc.Reg))
	switch acc.Role {
	case isa.RoleAddr:
		s += " (address)"
	case isa.RoleUpdate:
		s += " (address update)"
	case isa.RoleMask:
		s += " (mask)"
	case isa.RoleControl:
		s += " (control)"
	}
	if acc.Merge {
		s += " (in part)"
	}
	if acc.SameValue {
		s += " (value does not matter)"
	}
	return s
}

func memoryName(m *isa.MemRef) string {
	var s []string
	if m.Load {
		s = append(s, "load")
	}
	if m.Store {
		s = append(s, "store")
	}
	name := strings.Join(s, " and ")
	if m.Bits > 0 {
		name += fmt.Sprintf(" of %d bits", m.Bits)
	}
	if m.Elems > 1 {
		name += fmt.Sprintf(" × %d elements", m.Elems)
	}
	return name
}

// uopKinds names the kinds of µops.
var uopKinds = map[machine.UopKind]string{machine.UopExec: "exec", machine.UopLoad: "load", machine.UopStoreAddr: "store-address", machine.UopStoreData: "store-data", machine.UopBranch: "branch", machine.UopResult: "result", machine.UopRead: "read"}

// cost describes the costs of an instruction on a machine; named is the name that the user gave for the machine.
func cost(k *isa.Kernel, m *machine.Model, named string) report.Cost {
	b := uops.Bind(m, k)
	in := &b.Insts[0]
	tp := throughput.Analyze(b, throughput.Optimal)
	c := report.Cost{Arch: m.Name, Title: m.Title, Slots: report.Round(in.Slots), Uops: []report.Uop{}, Latency: report.Round(in.Latency), LatencyLow: report.Round(in.LowLatency), LatencyHi: report.Round(in.HighLatency),
		Throughput: report.Round(max(tp.Cycles, tp.Dispatch)), Source: in.Source, Flags: flags(in.Flags), Pairs: []report.Latency{}, Notes: append([]string{}, describe.Statements(modelBasis(b))...)}
	if e, ok := m.Cores(k.ISA, named).Lacks(k.Lines[0].Inst.Form); ok {
		c.Notes = append(c.Notes, describe.Lacking(e.Core, e.Name))
	}
	if l, why := b.Reserved(); l != nil {
		c.Notes = append(c.Notes, (&report.Target{Reserved: report.ReservedText(l.Text, why)}).Refused())
	}
	if c.Open = in.Unbounded(); c.Open != "" {
		c.Notes = append(c.Notes, describe.Least(c.Open))
	}
	w := &writer{a: &Analysis{Bound: b, Throughput: tp}, k: k}
	c.Ports = used(w.ports(tp.Ports))
	for _, u := range in.Uops {
		c.Uops = append(c.Uops, report.Uop{Ports: m.SetName(u.Ports), Cycles: report.Round(u.Cycles), Kind: uopKinds[u.Kind], Resource: u.Resource})
	}
	c.Pairs = pairs(k.ISA, in)
	return c
}

// pairs lists the latencies from each operand to each result, including latencies that apply only to operands from certain instructions.
func pairs(a *isa.ISA, in *machine.Inst) []report.Latency {
	out := []report.Latency{}
	name := func(acc []isa.Access, i int, mem string) string {
		if i < len(acc) {
			return accessName(a, &acc[i])
		}
		return mem
	}
	for i := range in.Inputs() {
		for o := range in.Outputs() {
			c, ok := in.Pair(i, o)
			if !ok || i >= len(in.Effects.Reads) && !in.Effects.Mem[i-len(in.Effects.Reads)].Load || o >= len(in.Effects.Writes) && !in.Effects.Mem[o-len(in.Effects.Writes)].Store {
				continue
			}
			l := report.Latency{From: name(in.Effects.Reads, i, "loaded value"), To: name(in.Effects.Writes, o, "stored value"), Cycles: report.Round(c)}
			out = append(out, l)
			own, other := in.Forwards(i)
			for n, later := range append(own, other...) {
				if l.Cycles, l.Producer = report.Round(c-later), "its kind"; n >= len(own) {
					l.Producer = "some others"
				}
				out = append(out, l)
			}
		}
	}
	return out
}
