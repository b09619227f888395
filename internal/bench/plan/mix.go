package plan

import (
	"fmt"
	"slices"

	"incore/internal/isa"
)

// Subject is a component of a mix: instances of a form, each after the helpers that break the dependences
// between instances, or a single statement.
type Subject struct {
	Name    string // the form's name, or the statement
	Form    isa.FormID
	Helpers []isa.Inst // before each instance
	Tied    bool       // a source is also the result: instances depend on each other through it
	Memory  bool       // accesses memory
	text    string
	x       *instance
	taken   []isa.Reg // roots that instances use implicitly
	state   state
}

// Subject prepares a form for mixes.
func (t *Target) Subject(f isa.FormID) (*Subject, error) {
	x, in, err := t.first(f)
	if err != nil {
		return nil, err
	}
	s := &Subject{Name: t.ISA.Forms.Name(f), Form: f, x: x, state: t.setup(t.ISA.Forms.Name(f)), Tied: t.ISA.Forms.Ties(f).Len() > 0}
	only, both := t.implicit(&in)
	s.taken = append(only, both...)
	var e isa.Effects
	t.ISA.Effects(&in, &e)
	s.Memory = len(e.Mem) > 0
	if len(s.state.restore) > 0 {
		for _, text := range s.state.restore {
			h, err := t.parse(text, 0, 0, 0)
			if err != nil {
				return nil, err
			}
			s.Helpers = append(s.Helpers, h)
		}
		return s, nil
	}
	for _, r := range both {
		k := t.kindOf[r]
		if t.breaks(r) == "" {
			return nil, planError("nothing breaks what instances wait for each other in: " + t.ISA.Regs.Name(r))
		}
		c := t.named(t.constant[GPR][0])
		if k == Vec {
			c = t.named(t.constant[Vec][0])
		}
		h, err := t.parse(t.breaks(r), r, r, c)
		if err != nil {
			return nil, err
		}
		s.Helpers = append(s.Helpers, h)
		if k == Flags {
			break
		}
	}
	return s, nil
}

// Statement makes a subject of one instruction that does not depend on itself: a helper, or a NOP.
func (t *Target) Statement(text string) (*Subject, error) {
	in, err := t.parse(text, 0, 0, 0)
	if err != nil {
		return nil, err
	}
	s := &Subject{Name: text, Form: in.Form, text: text, state: t.setup("")}
	var e isa.Effects
	t.ISA.Effects(&in, &e)
	for _, list := range [][]isa.Access{e.Reads, e.Writes} {
		for _, a := range list {
			if t.kindOf[a.Reg] == GPR || t.kindOf[a.Reg] == Vec {
				s.taken = append(s.taken, t.root[a.Reg])
			}
		}
	}
	return s, nil
}

// Statement reports whether a subject is one statement.
func (s *Subject) Statement() bool { return s.x == nil }

// Text returns an instruction as assembly text.
func (t *Target) Text(in *isa.Inst) string {
	return string(t.ISA.Print(nil, in, t.ISA.Syntaxes[0]))
}

// Part is a subject with the number of its instances in one round of a mix.
type Part struct {
	Subject *Subject
	N       int
}

// mixInsts is the number of the subjects' instances that the rounds of a mix are repeated to.
const mixInsts = 60

// usualRate is a first guess of a mix's instructions per cycle; measurements correct it.
const usualRate = 3

// Mix plans subjects that run side by side, evenly interleaved, each with its own registers: no subject reads
// another's results. Plan.N is the number of rounds. parts is the number of subjects that the registers are divided
// among, at least len(mix): the figures of a subject alone and in mixes are comparable only with equal parts.
func (t *Target) Mix(mix []Part, parts int) (*Plan, error) {
	p := &Plan{Form: mix[0].Subject.Form, Fill: mix[0].Subject.state.fill, Values: map[int]uint64{}, Note: mix[0].Subject.state.note, Once: true}
	var taken []isa.Reg
	for i := len(mix) - 1; i >= 0; i-- { // the first subject's state takes precedence
		taken = append(taken, mix[i].Subject.taken...)
		for r, v := range mix[i].Subject.state.values {
			p.Values[r] = v
		}
	}
	round := 0
	makers := make([]*instance, len(mix))
	for i, m := range mix {
		round += m.N
		if m.Subject.x == nil {
			continue
		}
		own, err := t.without(taken).share(i, max(parts, len(mix)))
		if err != nil {
			return nil, err
		}
		x := *m.Subject.x
		x.t, makers[i] = own, &x
	}
	if round == 0 {
		return nil, planError("an empty mix")
	}
	rounds := max(1, (mixInsts+round/2)/round)
	done := make([]int, len(mix))
	for n := range rounds * round {
		// take the subject that is furthest behind its share
		next, behind := 0, 0.0
		for i, m := range mix {
			if lag := float64((n+1)*m.N)/float64(round) - float64(done[i]); lag > behind+1e-9 {
				next, behind = i, lag
			}
		}
		if err := t.instance(p, mix[next].Subject, makers[next], done[next]); err != nil {
			return nil, err
		}
		done[next]++
	}
	p.N = float64(rounds)
	p.Rough = float64(len(p.Insts)) / usualRate
	return p, nil
}

// instance appends one instance of a subject with its helpers.
func (t *Target) instance(p *Plan, s *Subject, x *instance, i int) error {
	if x == nil {
		return p.text(t, s.text, 0, 0, 0)
	}
	for _, h := range s.Helpers {
		if err := p.add(t, h, false); err != nil {
			return err
		}
	}
	in, err := x.build(choice{rot: i, disp: int64(i%16) * x.bytes()})
	if err != nil {
		return err
	}
	n := p.N
	err = p.add(t, in, true)
	p.N = n // N counts rounds here
	return err
}

// share returns the target with part i of n of the spare registers.
func (t *Target) share(i, n int) (*Target, error) {
	c := *t
	for k, all := range t.spare {
		lo, hi := i*len(all)/n, (i+1)*len(all)/n
		if lo == hi && len(all) > 0 {
			return nil, fmt.Errorf("%d subjects, but only %d registers of kind %s", n, len(all), kindNames[k])
		}
		c.spare[k] = slices.Clone(all[lo:hi])
	}
	return &c, nil
}

// Crosses reports whether a form moves data from one register file to another: it may occupy ports of both sides,
// however few dispatch slots it takes.
func (t *Target) Crosses(s *Subject) bool {
	if s.x == nil {
		return false
	}
	in, err := s.x.build(choice{})
	if err != nil {
		return false
	}
	var e isa.Effects
	t.ISA.Effects(&in, &e)
	integer := func(a isa.Access) bool { k := t.kindOf[a.Reg]; return k == GPR || k == Flags }
	among := func(list []isa.Access, want bool) bool {
		return slices.ContainsFunc(list, func(a isa.Access) bool { return a.Role != isa.RoleAddr && integer(a) == want })
	}
	return among(e.Reads, false) && among(e.Writes, true) || among(e.Reads, true) && among(e.Writes, false)
}

// Flags reports whether a subject's instances read flags that other instructions may have written, and whether
// they write flags.
func (t *Target) Flags(s *Subject) (reads, writes bool) {
	if s.x == nil {
		return false, false
	}
	in, err := s.x.build(choice{})
	if err != nil {
		return false, false
	}
	var e isa.Effects
	t.ISA.Effects(&in, &e)
	kept := func(a isa.Access) bool { return t.kindOf[a.Reg] == Flags }
	return slices.ContainsFunc(e.Reads, kept) && len(s.Helpers) == 0, slices.ContainsFunc(e.Writes, kept)
}

// Bytes returns the length of a subject's instructions; 0 if they cannot be encoded.
func (t *Target) Bytes(s *Subject) int {
	if s.x == nil {
		return 0
	}
	in, err := s.x.build(choice{})
	if err != nil {
		return 0
	}
	code, err := t.ISA.Encode(nil, &in, 0)
	if err != nil {
		return 0
	}
	return len(code)
}

// Intrusion ranks subjects by the side effects of their instances in a mix, 0 least. Wide vectors next to legacy
// vector encodings cost state transitions; subjects that depend on themselves or pass flags on can form a chain.
func (t *Target) Intrusion(s *Subject) int {
	if s.x == nil {
		return 1
	}
	rank := 0
	if s.Tied {
		rank += 4
	}
	if t.intrusive[t.extension(s.Form)] {
		rank += 2
	}
	switch bits := t.Widest(s.Form); {
	case bits > 128:
		rank += 3
	case bits < 32 && t.extension(s.Form) == "base": // the rest of the register may need a merge
		rank += 4
	}
	var e isa.Effects
	if in, err := s.x.build(choice{}); err == nil {
		t.ISA.Effects(&in, &e)
	}
	if slices.ContainsFunc(e.Writes, func(w isa.Access) bool { return w.Op < 0 }) {
		rank++
	}
	for _, w := range e.Writes { // writes a part of a register and keeps the rest
		if w.Op >= 0 && !s.Tied && slices.ContainsFunc(e.Reads, func(r isa.Access) bool { return t.root[r.Reg] == t.root[w.Reg] }) {
			rank += 4
		}
	}
	return rank
}

// Widest returns the bits of a form's widest register operand.
func (t *Target) Widest(f isa.FormID) int {
	widest := 0
	for _, o := range t.ISA.Forms.Operands(f) {
		if o.Class.Kind == "reg" {
			_, bits := t.ISA.Regs.Class(o.Class.RegClass)
			widest = max(widest, bits)
		}
	}
	return widest
}
