// Package osaca writes machine models as files for OSACA: YAML with an entry for every mnemonic and combination of operand kinds
// (Laukemann et al., PMBS'18 and '19; the format is public). Forms of incore that these do not distinguish share an entry; a comment
// at the head of the file states the lost distinctions.
package osaca

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"incore/internal/isa"
	"incore/internal/machine"
)

// dialect describes how OSACA reads the text of an instruction set: the mnemonics and operands that it distinguishes.
type dialect struct {
	isa     string                              // OSACA's name
	operand func(text string) ([]operand, bool) // kinds of one operand (a list of registers has several); false if OSACA cannot read it
	ignored func(text string) bool              // reports an operand that OSACA counts as part of the operand before it (shifts)
	// synonyms returns other spellings of a mnemonic for the same form, in rounds; a spelling belongs to the form of the earliest round that names it.
	synonyms      func(name string, round int) []string
	synonymRounds int
	most          int      // greatest number of operands that its parser reads
	plain         []string // mnemonics of plain loads and stores, the preferred first
	vector        string   // the kind of register of inPlace
	inPlace       []string // loads a vector and stores it to the same address
	split         bool     // OSACA computes a form with a memory operand as the register form plus a load, unless it has its own entry
}

var dialects = map[string]*dialect{
	"x86-64": {isa: "x86", operand: attOperand, ignored: func(string) bool { return false }, split: true, most: 4, synonyms: attSynonyms, synonymRounds: len(attSuffixes),
		plain: []string{"vmovaps", "movaps", "kmovq", "movq"}, vector: "xmm", inPlace: []string{"movaps (%rbx), %xmm1", "movaps %xmm1, (%rbx)"}},
	"aarch64": {isa: "aarch64", operand: a64Operand, ignored: isShift, most: 5, synonyms: a64Synonyms, synonymRounds: 1, plain: []string{"ldr", "str"},
		vector: "d", inPlace: []string{"ldr d1, [x2]", "str d1, [x2]"}},
}

// operand is the kind of one operand, as the lines of a YAML mapping.
type operand struct {
	class string
	attrs []string // "name: gpr", in order
}

func (o operand) String() string { return o.class + " " + strings.Join(o.attrs, " ") }

// entry is one entry of the file.
type entry struct {
	name     string
	operands []operand
	also     []string // other names
	sample   string   // an instruction of the entry
	cost     *machine.Cost
	shifted  bool // the sample has an operand that OSACA ignores; a sample without it is preferred
	breaks   bool // equal source operands make no dependence
}

func (f *entry) key() string {
	s := f.name
	for _, o := range f.operands {
		s += "|" + o.String()
	}
	return s
}

// exporter collects the entries of a model.
type exporter struct {
	set     *isa.ISA
	model   *machine.Model
	dialect *dialect
	forms   []entry
	index   map[string]int // key → forms
	merged  map[string]bool
	unknown int // forms without data
	silent  int // forms whose text OSACA cannot read
	late    int // entries whose operand pairs have different latencies
	split   int // entries left to "register form and load"
	widths  int // entries of a width that OSACA does not tell from the widest
}

// Export writes a model as a machine model file of OSACA. It fails for instruction sets that OSACA does not know.
func Export(w io.Writer, set *isa.ISA, m *machine.Model) error {
	d := dialects[set.Name]
	if d == nil {
		return fmt.Errorf("OSACA knows no instruction set %s; x86-64 and aarch64 models can be exported", set.Name)
	}
	x := &exporter{set: set, model: m, dialect: d, index: map[string]int{}, merged: map[string]bool{}}
	for f := isa.FormID(1); int(f) < set.Forms.Len(); f++ {
		if set.Forms.Flags(f)&isa.Pseudo == 0 && !strings.HasSuffix(set.Forms.Name(f), "_PREFIX") { // OSACA reads a prefix as part of the next instruction
			x.form(f)
		}
	}
	if len(x.forms) == 0 {
		return errors.New("the model has no form that OSACA could name")
	}
	b := bufio.NewWriter(w)
	x.write(b)
	return b.Flush()
}

// form adds the entries of one form: one for each mnemonic and combination of operand kinds among its samples.
func (x *exporter) form(f isa.FormID) {
	seen, known := 0, false
	for in := range isa.Samples(x.set, f) {
		text := plainText(string(x.set.Print(nil, &in, x.set.Syntaxes[0])))
		e, ok := x.parse(text)
		if !ok {
			continue
		}
		key := e.key()
		if at, ok := x.index[key]; ok && x.forms[at].cost.Form == x.set.Forms.Name(f) && (e.shifted || !x.forms[at].shifted) {
			seen++
			continue
		}
		if !sameForm(x.set, &in, text) {
			continue
		}
		seen++
		e.cost = x.model.Cost(x.set, &in)
		if e.cost.Flags&machine.Unknown != 0 {
			continue
		}
		known = true
		e.breaks = x.breaks(in)
		if at, ok := x.index[key]; ok {
			if other := x.forms[at].cost; other.Latency != e.cost.Latency || other.Ports != e.cost.Ports {
				x.merged[key] = true
			}
			if x.forms[at].shifted && !e.shifted {
				x.forms[at] = *e
			}
			continue
		}
		x.index[key] = len(x.forms)
		x.forms = append(x.forms, *e)
	}
	switch {
	case seen == 0:
		x.silent++
	case !known:
		x.unknown++
	}
}

// sameForm reports whether the text of an instruction is read as the same form.
func sameForm(set *isa.ISA, in *isa.Inst, text string) bool {
	back, err := set.Parse(nil, text, set.Syntaxes[0])
	return err == nil && len(back) == 1 && back[0].Form == in.Form
}

// breaks reports whether the model has no dependence on the sources if all of them are the same register.
func (x *exporter) breaks(in isa.Inst) bool {
	if in.NOps < 2 || in.Reg(int(in.NOps)-1) == isa.NoReg {
		return false
	}
	source := in.Reg(int(in.NOps) - 1)
	for i := range in.Ops[:in.NOps] {
		if in.Ops[i].Kind != isa.OpReg {
			return false
		}
		in.Ops[i].Reg = source
	}
	if x.set.ZeroIdiom != nil && x.set.ZeroIdiom(&in) || x.set.DepBreaking != nil && x.set.DepBreaking(&in) {
		c := x.model.Cost(x.set, &in)
		return c.Flags&(machine.ZeroIdiom|machine.DepBreak) != 0
	}
	return false
}

// plainText returns an instruction's text without the encoding prefix, which compilers don't write.
func plainText(text string) string {
	if rest, ok := strings.CutPrefix(text, "{"); ok {
		_, text, _ = strings.Cut(rest, "} ")
	}
	return text
}

// parse makes an entry from an instruction's text.
func (x *exporter) parse(text string) (*entry, bool) {
	name, rest, _ := strings.Cut(strings.TrimSpace(strings.ReplaceAll(text, "\t", " ")), " ")
	if strings.Contains(rest, "{rn-sae}") || strings.Contains(rest, "{sae}") || strings.HasPrefix(name, "{") {
		return nil, false
	}
	e := &entry{name: name, sample: text}
	for _, o := range splitOperands(rest) {
		if x.dialect.ignored(o) {
			e.shifted = true
			continue
		}
		if strings.HasPrefix(o, "[") && strings.Count(o, ",") > 1 { // an index that is shifted or extended
			e.shifted = true
		}
		kinds, ok := x.dialect.operand(o)
		if !ok {
			return nil, false
		}
		e.operands = append(e.operands, kinds...)
	}
	return e, len(e.operands) <= x.dialect.most && !strings.Contains(name, "_")
}

// pressure formats a form's use of ports: the cycles for each set of ports, over which OSACA spreads them.
func (x *exporter) pressure(uops []machine.Uop) string {
	cycles := map[machine.PortSet]float64{}
	for _, u := range machine.Counted(uops) {
		if u.Ports != 0 {
			cycles[u.Ports] += u.Cycles
		}
	}
	var parts []string
	for _, s := range slices.Sorted(maps.Keys(cycles)) {
		parts = append(parts, fmt.Sprintf("[%s, [%s]]", number(cycles[s]), x.ports(s)))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func (x *exporter) ports(s machine.PortSet) string {
	names := x.model.PortNames(s)
	for i, n := range names {
		names[i] = "'" + n + "'"
	}
	return strings.Join(names, ", ")
}

func number(v float64) string {
	s := strings.TrimSuffix(fmt.Sprintf("%.4f", v), "0")
	for strings.HasSuffix(s, "0") {
		s = s[:len(s)-1]
	}
	if strings.HasSuffix(s, ".") {
		s += "0"
	}
	return s
}
