package machine

import (
	"errors"
	"fmt"
	"math"
	"path"
	"sort"
	"strings"
	"sync"

	"incore/internal/isa"
)

// compiled is the rows of a model joined with the form table of its ISA.
//
// Each scheduling class and each form that rows name on its own has a chain of
// the rows that apply to it, latest first; a lookup walks both chains in row order.
type compiled struct {
	isa   *isa.ISA
	rows  []row
	nodes []node
	class []int32 // scheduling class → first node, -1
	form  []int32 // form → first node, -1

	// For instructions without data (unknown.go), made on first use.
	byMnemonic func() map[string][]isa.FormID
}

// node is a link of a chain: row numbers fall along it.
type node struct {
	row, next int32
	cond      *cond // resolved; nil = always
}

// compile joins the model with an ISA's tables, on first use. Mistakes (forms that do not exist) are
// reported by Validate; rows that have them are left out here.
func (m *Model) compile(a *isa.ISA) *compiled {
	c := m.rows.compiled.Load()
	if c == nil || c.isa != a { // two at once do it twice, with the same result
		c, _ = compileRows(m.rows.list, a)
		m.rows.compiled.Store(c)
	}
	return c
}

func compileRows(list []row, a *isa.ISA) (*compiled, error) {
	c := &compiled{isa: a, rows: list, nodes: make([]node, 0, 4*len(list)),
		class: fill(a.Forms.NumClasses()), form: fill(a.Forms.Len())}
	c.byMnemonic = sync.OnceValue(func() map[string][]isa.FormID { return mnemonics(a) })
	var errs []error
	for i := range list {
		r := &list[i]
		cd := r.cond
		var err error
		if cd != nil {
			if cd, err = cd.resolve(a); err != nil {
				errs = append(errs, &Error{r.file, r.line, err.Error()})
				continue
			}
		}
		for text := r.forms; text != ""; {
			var sel string
			sel, text, _ = strings.Cut(text, " ")
			if sel == "" {
				continue
			}
			if err := c.add(int32(i), sel, cd); err != nil {
				errs = append(errs, &Error{r.file, r.line, err.Error()})
			}
		}
	}
	return c, errors.Join(errs...)
}

func fill(n int) []int32 {
	s := make([]int32, n)
	for i := range s {
		s[i] = -1
	}
	return s
}

// add puts a row into the chains that a selector names: "@ADD64rr" (all forms of that form's
// scheduling class), "ADD64rr", "VFMADD*PDYr"; RISC-V vectors with "/m2,e32".
func (c *compiled) add(i int32, sel string, cd *cond) error {
	name, vtype, hasV := strings.Cut(sel, "/")
	var vt *cond
	if hasV {
		vt = &cond{op: condVType}
		if err := vt.vtype(strings.Split(vtype, ",")); err != nil {
			return err
		}
	}
	if n, ok := strings.CutPrefix(name, "@"); ok {
		f := c.isa.Forms.Named(n)
		if f == isa.NoForm {
			return c.unknown(n)
		}
		class := c.isa.Forms.SchedClass(f)
		if vt != nil {
			if c.isa.SchedClass == nil {
				return nil // the ISA doesn't tell vector types apart (yet)
			}
			in := isa.Inst{Form: f, VType: isa.VType{LMUL: uint8(max(0, vt.a)), SEW: uint8(max(8, vt.b))}}
			class = c.isa.SchedClass(&in)
		}
		c.push(&c.class[class], i, cd)
		return nil
	}
	if vt != nil {
		if cd != nil {
			vt = &cond{op: condAnd, kids: []*cond{vt, cd}}
		}
		cd = vt
	}
	if strings.ContainsAny(name, "*?[") {
		return c.glob(i, name, cd)
	}
	f := c.isa.Forms.Named(name)
	if f == isa.NoForm {
		return c.unknown(name)
	}
	c.push(&c.form[f], i, cd)
	return nil
}

func (c *compiled) push(head *int32, i int32, cd *cond) {
	c.nodes = append(c.nodes, node{i, *head, cd})
	*head = int32(len(c.nodes) - 1)
}

// glob applies a row to the forms that match a pattern. Form names are sorted, so only
// those with the pattern's literal beginning are looked at.
func (c *compiled) glob(i int32, pattern string, cd *cond) error {
	t := c.isa.Forms
	if _, err := path.Match(pattern, ""); err != nil {
		return fmt.Errorf("bad pattern '%s'", pattern)
	}
	prefix, suffix := pattern[:strings.IndexAny(pattern, "*?[")], pattern[strings.LastIndexAny(pattern, `*?[]\`)+1:]
	first := sort.Search(t.Len(), func(k int) bool { return t.Name(isa.FormID(k)) >= prefix })
	found := false
	for f := max(1, first); f < t.Len() && strings.HasPrefix(t.Name(isa.FormID(f)), prefix); f++ {
		name := t.Name(isa.FormID(f))
		if !strings.HasSuffix(name, suffix) { // most end otherwise, which is quicker to see
			continue
		}
		if ok, _ := path.Match(pattern, name); ok {
			found = true
			c.push(&c.form[f], i, cd)
		}
	}
	if !found {
		return fmt.Errorf("no form matches '%s'", pattern)
	}
	return nil
}

func (c *compiled) unknown(name string) error {
	t := c.isa.Forms
	k := sort.Search(t.Len(), func(k int) bool { return t.Name(isa.FormID(k)) >= name })
	var near []string
	for i := max(1, k-2); i < min(t.Len(), k+2); i++ {
		near = append(near, t.Name(isa.FormID(i)))
	}
	return fmt.Errorf("unknown form '%s' (in the alphabet near %s)", clip(name), strings.Join(near, ", "))
}

// found is what the rows say of one instruction.
type found struct {
	uops, lat *row      // the row that gives the µops and the one that gives the latency; nil = none
	rthru     *row      // the row that states the reciprocal throughput, not older than uops; nil = none
	flags     InstFlags // zero-idiom, dep-break, move-elim, serialising
	cond      bool      // a condition on the operands chose one of them
}

// lookup finds the rows of an instruction. Later rows override earlier ones field by field.
func (c *compiled) lookup(in *isa.Inst) (out found) {
	if in.Form == isa.NoForm {
		return out
	}
	class := c.isa.Forms.SchedClass(in.Form)
	if c.isa.SchedClass != nil {
		class = c.isa.SchedClass(in)
	}
	a, b := c.form[in.Form], c.class[class]
	for a >= 0 || b >= 0 {
		at := &a
		if a < 0 || b >= 0 && c.nodes[b].row > c.nodes[a].row {
			at = &b
		}
		n := &c.nodes[*at]
		*at = n.next
		if n.cond != nil && !n.cond.holds(in) {
			continue
		}
		r := &c.rows[n.row]
		out.flags |= r.flags
		out.cond = out.cond || n.cond != nil
		if out.rthru == nil && out.uops == nil && !math.IsNaN(r.rthru) {
			out.rthru = r
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
	return out
}

// Validate checks the model's rows against the tables of its ISA: forms, registers and classes exist.
func (m *Model) Validate(a *isa.ISA) error {
	if a.Name != m.ISA {
		return fmt.Errorf("model %s is for %s, not for %s", m.Name, m.ISA, a.Name)
	}
	_, err := compileRows(m.rows.list, a)
	return err
}
