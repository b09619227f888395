package machine

import (
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"incore/internal/isa"
)

// layer holds the rows of one file of a model: its own file or a base.
type layer struct {
	*table
	parser   *rowParser   // has the ports and groups that the file's rows may name
	borrowed bool         // a model above declares its costs as another core's
	complete bool         // the rows name every form that was measured
	widen    [][]widening // the replacements by the models above, lowest model first

	once   sync.Once
	parsed []atomic.Pointer[row] // by row number, on first use
}

// row parses row i.
func (l *layer) row(i int) (*row, error) {
	l.once.Do(func() { l.parsed = make([]atomic.Pointer[row], len(l.index().rows)) })
	if r := l.parsed[i].Load(); r != nil {
		return r, nil
	}
	t := &l.index().rows[i]
	r, err := l.parser.parse((&logical{raw: l.text[t.start:t.end]}).join(), t.source)
	if err != nil {
		return nil, err
	}
	r.file, r.line, r.borrowed = l.file, int(t.line), l.borrowed
	for _, w := range l.widen {
		widenUops(r.uops, w)
	}
	l.parsed[i].CompareAndSwap(nil, &r) // a row has one address, even if two goroutines parse it
	return l.parsed[i].Load(), nil
}

// each calls f with every valid row, in order.
func (r *rows) each(f func(*row)) {
	for _, l := range r.layers {
		for i := range l.index().rows {
			if r, err := l.row(i); err == nil {
				f(r)
			}
		}
	}
}

// compiled joins the rows of a model with the form table of an ISA: for each form, on first use, the rows that apply to it.
type compiled struct {
	isa    *isa.ISA
	layers []*layer // lowest base first
	form   []atomic.Pointer[chain]

	// byMnemonic serves instructions without data (unknown.go); made on first use.
	byMnemonic func() map[string][]isa.FormID

	cores func() *Cores // all that the model covers; made on first use
}

// chain holds the rows that apply to a form, latest first. A form has several chains if its scheduling class depends on more than the form (RISC-V
// vectors).
type chain struct {
	class int
	nodes []node
	other *chain
}

type node struct {
	row  *row
	cond *cond // resolved; nil = always
}

// compile joins the model with an ISA's tables, on first use. It skips rows with mistakes (forms that do not exist); Validate reports them.
func (m *Model) compile(a *isa.ISA) *compiled {
	c := m.rows.compiled.Load()
	if c == nil || c.isa != a { // two goroutines may both compile, with equal results
		c = newCompiled(m.rows.layers, a)
		c.cores = sync.OnceValue(func() *Cores { return m.Cores(a, "") })
		m.rows.compiled.Store(c)
	}
	return c
}

func newCompiled(layers []*layer, a *isa.ISA) *compiled {
	c := &compiled{isa: a, layers: layers, byMnemonic: sync.OnceValue(func() map[string][]isa.FormID { return mnemonics(a) })}
	if len(layers) > 0 {
		c.form = make([]atomic.Pointer[chain], a.Forms.Len())
	}
	return c
}

// applying returns the rows that apply to a form in a scheduling class, latest first.
func (c *compiled) applying(f isa.FormID, class int) []node {
	if len(c.layers) == 0 {
		return nil
	}
	known := c.form[f].Load()
	for p := known; p != nil; p = p.other {
		if p.class == class {
			return p.nodes
		}
	}
	p := &chain{class, c.collect(f, class), known}
	c.form[f].CompareAndSwap(known, p) // if another goroutine was faster, the next call makes the chain again
	return p.nodes
}

// collect reads the rows that apply to a form, down to a row that replaces all earlier ones. The files below that row are not even indexed.
func (c *compiled) collect(f isa.FormID, class int) (out []node) {
	for _, l := range slices.Backward(c.layers) {
		for _, at := range l.index().naming(c.isa, f, class) {
			n, err := c.node(l, at)
			if err != nil {
				continue
			}
			out = append(out, n)
			if n.cond == nil && n.row.hasUops && n.row.hasLat {
				return out
			}
		}
	}
	return out
}

// node joins the row at an offset of a layer's text with the tables of the ISA.
func (c *compiled) node(l *layer, at int32) (n node, err error) {
	if n.row, err = l.row(l.index().row(at)); err != nil {
		return n, err
	}
	if n.row.cond != nil {
		if n.cond, err = n.row.cond.resolve(c.isa); err != nil {
			return n, err
		}
	}
	s := l.index().selector(at)
	if s.class { // the class includes the vector type
		return n, nil
	}
	vt, err := s.condition()
	switch {
	case vt != nil && n.cond != nil:
		n.cond = &cond{op: condAnd, kids: []*cond{vt, n.cond}}
	case vt != nil:
		n.cond = vt
	}
	return n, err
}

// found holds the rows that apply to one instruction.
type found struct {
	uops, lat *row      // the rows with the µops and with the latency; nil = none
	from      [2]*row   // the rows whose sources answer for the µops and for the latency: uops and lat, or later rows with "=="
	rthru     *row      // the row with the reciprocal throughput, not older than uops; nil = none
	counts    []*row    // rows that state slots of µops which earlier rows list, the latest first
	flags     InstFlags // zero-idiom, dep-break, move-elim, serialising
	cond      bool      // one of them was chosen by a condition on the operands
}

// lookup finds the rows of an instruction. Later rows override earlier ones field by field.
func (c *compiled) lookup(in *isa.Inst) (out found) {
	if in.Form == isa.NoForm {
		return out
	}
	if c.isa.AccessType != nil && in.VType.SEW != 0 {
		typed := *in
		typed.VType = c.isa.AccessType(in)
		in = &typed
	}
	class := c.isa.Forms.SchedClass(in.Form)
	if c.isa.SchedClass != nil {
		class = c.isa.SchedClass(in)
	}
	nodes := c.applying(in.Form, class)
	for i := range nodes {
		n := &nodes[i]
		if n.cond != nil && !n.cond.holds(in) {
			continue
		}
		r := n.row
		out.flags |= r.flags
		out.cond = out.cond || n.cond != nil
		if out.rthru == nil && out.uops == nil && !math.IsNaN(r.rthru) {
			out.rthru = r
		}
		for k, has := range [2]bool{r.hasUops, r.hasLat} {
			if (has || r.same[k]) && out.from[k] == nil {
				out.from[k] = r
			}
		}
		if out.uops == nil && r.counts() && !r.hasUops {
			out.counts = append(out.counts, r)
		}
		if r.hasUops && out.uops == nil {
			out.uops = r
		}
		if r.hasLat && out.lat == nil {
			out.lat = r
		}
		if out.uops != nil && out.lat != nil {
			break
		}
	}
	if out.uops != nil && len(out.counts) > 0 {
		out.uops = out.uops.counted(out.counts)
	}
	return out
}

// Validate checks all rows of the model and of its bases: they are well formed, and their forms, registers and classes exist in the tables of the
// ISA.
func (m *Model) Validate(a *isa.ISA) error {
	if a.Name != m.ISA {
		return fmt.Errorf("model %s is for %s, not for %s", m.Name, m.ISA, a.Name)
	}
	var errs []error
	for _, l := range m.rows.layers {
		errs = append(errs, l.validate(a)...)
	}
	return errors.Join(errs...)
}

// validate checks the rows of one file.
func (l *layer) validate(a *isa.ISA) (errs []error) {
	for i, t := range l.index().rows {
		fail := func(err error) {
			if err != nil {
				errs = append(errs, &Error{l.file, int(t.line), err.Error()})
			}
		}
		r, err := l.row(i)
		if err == nil && r.cond != nil {
			_, err = r.cond.resolve(a)
		}
		if err != nil {
			fail(err)
			continue
		}
		for s := (selector{end: int(t.start)}); s.next(l.text[:t.end]); {
			fail(s.check(a))
		}
	}
	return errs
}

// check returns an error if a selector names something that does not exist.
func (s *selector) check(a *isa.ISA) error {
	if _, err := s.condition(); err != nil {
		return err
	}
	switch {
	case s.class:
		_, err := s.schedClass(a)
		return err
	case s.pattern:
		return s.checkPattern(a.Forms)
	case a.Forms.Named(s.name) == isa.NoForm:
		return unknownForm(a, s.name)
	}
	return nil
}

// checkPattern returns an error if a pattern matches no form. It searches only the forms with the pattern's literal prefix, because the names are
// sorted.
func (s *selector) checkPattern(t *isa.FormTable) error {
	if _, err := path.Match(s.name, ""); err != nil {
		return fmt.Errorf("bad pattern '%s'", s.name)
	}
	p := s.wildcards()
	first := sort.Search(t.Len(), func(k int) bool { return t.Name(isa.FormID(k)) >= p.prefix })
	for f := max(1, first); f < t.Len() && strings.HasPrefix(t.Name(isa.FormID(f)), p.prefix); f++ {
		if p.matches(t.Name(isa.FormID(f))) {
			return nil
		}
	}
	return fmt.Errorf("no form matches '%s'", s.name)
}

func unknownForm(a *isa.ISA, name string) error {
	t := a.Forms
	k := sort.Search(t.Len(), func(k int) bool { return t.Name(isa.FormID(k)) >= name })
	var near []string
	for i := max(1, k-2); i < min(t.Len(), k+2); i++ {
		near = append(near, t.Name(isa.FormID(i)))
	}
	return fmt.Errorf("unknown form '%s' (in the alphabet near %s)", clip(name), strings.Join(near, ", "))
}
