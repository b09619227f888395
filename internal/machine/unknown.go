package machine

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"sort"
	"strings"

	"incore/internal/isa"
)

// interval is the range of costs of similar forms, used as the figures of an instruction without data.
type interval struct {
	uops      []Uop // of the form with the median latency
	lat, slot float64
	low, high struct{ lat, slots float64 }
	source    string
}

// Similar forms are, in order of preference: forms with data and the same mnemonic; forms among the neighbours in the alphabet with the longest
// common prefix (at least three letters) and the same kind of memory access; the 5th to 95th percentile of a sample of all forms with the same kind
// of memory access; the 5th to 95th percentile of all forms.
const (
	minCommon  = 3
	neighbours = 24
)

// unknown fills in an instruction without data: the interval of similar forms, with the median as its value, never zero.
func (w *binder) unknown(out *Inst) {
	in := &out.Line.Inst
	var s *interval
	mnemonic := mnemonicOf(out.Line.Text)
	if in.Form != isa.NoForm {
		mnemonic = formMnemonic(w.a.Forms.Asm(in.Form, 0))
	}
	key := mnemonic + "\x00"
	if in.Form != isa.NoForm {
		key += w.a.Forms.Name(in.Form)
	}
	if v, ok := w.m.rows.similar.Load(key); ok {
		s = v.(*interval)
	} else {
		s = w.m.similarTo(w.a, w.c, in.Form, mnemonic)
		w.m.rows.similar.Store(key, s)
	}
	out.Flags |= Unknown
	out.Uops, out.Slots, out.Latency = s.uops, s.slot, s.lat
	out.LowLatency, out.HighLatency = s.low.lat, s.high.lat
	out.LowSlots, out.HighSlots = s.low.slots, s.high.slots
	out.Source = s.source
	p := pairer{in: in, isa: w.a, out: out, lat: &latency{defs: []defLat{{cycles: s.lat}}, load: math.NaN()}}
	if in.Form != isa.NoForm {
		p.defs, p.ops = w.a.Forms.NumDefs(in.Form), w.a.Forms.NumOps(in.Form)
	}
	p.prepare(w.m, &row{uops: s.uops})
	p.fill(w.m)
}

// formMnemonic returns the mnemonic of an LLVM asm string ("addq\t$src2, $src1").
func formMnemonic(asm string) string {
	if i := strings.IndexAny(asm, "\t {"); i >= 0 {
		return asm[:i]
	}
	return asm
}

func (m *Model) similarTo(a *isa.ISA, c *compiled, f isa.FormID, mnemonic string) *interval {
	var l []costed
	for _, id := range c.byMnemonic()[mnemonic] {
		l = m.appendCost(l, c, id)
	}
	if s := newInterval(l, "similar: forms of "+mnemonic); s != nil {
		return s
	}
	if f != isa.NoForm {
		if s := m.neighbours(a, c, f); s != nil {
			return s
		}
	}
	key, what, wanted := "\x00", "any form of the model", func(isa.FormID) bool { return true }
	if f != isa.NoForm {
		does := access(a, f)
		key, what, wanted = "\x00"+does, "forms that "+does, func(id isa.FormID) bool { return access(a, id) == does }
	}
	if v, ok := m.rows.similar.Load(key); ok {
		return v.(*interval)
	}
	s := m.anyForm(a, c, what, wanted)
	m.rows.similar.Store(key, s)
	return s
}

// access returns the kind of memory access of a form: forms of different kinds run on different ports.
func access(a *isa.ISA, f isa.FormID) string {
	switch a.Forms.Flags(f) & (isa.MayLoad | isa.MayStore) {
	case isa.MayLoad:
		return "load"
	case isa.MayStore:
		return "store"
	case isa.MayLoad | isa.MayStore:
		return "load and store"
	}
	return "neither load nor store"
}

// mnemonics lists the forms of an instruction set by mnemonic.
func mnemonics(a *isa.ISA) map[string][]isa.FormID {
	out := map[string][]isa.FormID{}
	for id := isa.FormID(1); int(id) < a.Forms.Len(); id++ {
		if s := formMnemonic(a.Forms.Asm(id, 0)); s != "" {
			out[s] = append(out[s], id)
		}
	}
	return out
}

// span returns the costs of every step-th form that is wanted, between the 5th and 95th percentile; nil if none has a cost.
func (m *Model) span(a *isa.ISA, c *compiled, what string, step int, wanted func(isa.FormID) bool) *interval {
	var l []costed
	for id := 1; id < a.Forms.Len(); id += step {
		if wanted(isa.FormID(id)) {
			l = m.appendCost(l, c, isa.FormID(id))
		}
	}
	for _, figure := range []func(*costed) float64{func(c *costed) float64 { return c.lat }, func(c *costed) float64 { return c.slots }} {
		slices.SortStableFunc(l, func(x, y costed) int { return cmp.Compare(figure(&x), figure(&y)) })
		cut := len(l) / 20
		l = l[cut : len(l)-cut]
	}
	return newInterval(l, what)
}

// sampled is the approximate number of forms that anyForm looks at. All 19,500 forms of x86-64 would take half a second and have about the same
// percentiles.
const sampled = 1000

// anyForm returns the span of a sample of the wanted forms of a model; if none of these has figures, of all wanted forms, else of all forms.
func (m *Model) anyForm(a *isa.ISA, c *compiled, what string, wanted func(isa.FormID) bool) *interval {
	for _, step := range []int{1 + a.Forms.Len()/sampled, 1} {
		if s := m.span(a, c, what, step, wanted); s != nil {
			return s
		}
	}
	if s := m.span(a, c, "any form of the model", 1, func(isa.FormID) bool { return true }); s != nil {
		return s
	}
	s := &interval{lat: 1, slot: 1, source: "no data"}
	s.low.lat, s.low.slots, s.high.lat, s.high.slots = 1, 1, 100, 10
	return s
}

// neighbours searches forms near f in the alphabet with a common name prefix and the same kind of memory access (LDADD is no LDAR), longest prefix
// first.
func (m *Model) neighbours(a *isa.ISA, c *compiled, f isa.FormID) *interval {
	name, does := a.Forms.Name(f), access(a, f)
	for n := len(name) - 1; n >= minCommon; n-- {
		var l []costed
		for d := 1; d <= neighbours; d++ {
			for _, id := range [2]int{int(f) - d, int(f) + d} {
				if id > 0 && id < a.Forms.Len() && strings.HasPrefix(a.Forms.Name(isa.FormID(id)), name[:n]) && access(a, isa.FormID(id)) == does {
					l = m.appendCost(l, c, isa.FormID(id))
				}
			}
		}
		if s := newInterval(l, "similar: forms "+name[:n]+"*"); s != nil {
			return s
		}
	}
	return nil
}

type costed struct {
	lat, slots float64
	uops       []Uop
}

// work returns the cycles that the µops keep their ports busy, if each spreads evenly over its ports. It orders forms of equal latency, so that the
// median does not depend on their order in the table.
func (c *costed) work() (cycles float64) {
	for i := range c.uops {
		if n := bits.OnesCount64(uint64(c.uops[i].Ports)); n > 0 {
			cycles += c.uops[i].Cycles / float64(n)
		}
	}
	return cycles
}

// appendCost adds the default cost of a form, if it has one.
func (m *Model) appendCost(l []costed, c *compiled, id isa.FormID) []costed {
	if c.isa.Forms.Flags(id)&isa.Pseudo != 0 {
		return l
	}
	f := c.lookup(&isa.Inst{Form: id})
	if f.uops == nil || f.lat == nil {
		return l
	}
	slow := 0.0
	for _, d := range f.lat.lat.defs {
		slow = max(slow, d.cycles)
	}
	if math.IsNaN(slow) || slow >= 1000 { // also unknown, or LLVM's stand-in for "very long"
		return l
	}
	return append(l, costed{max(slow, 1), m.slots(f.uops), f.uops.uops})
}

// newInterval returns the range of the costs of similar forms; nil if there are none.
func newInterval(l []costed, source string) *interval {
	if len(l) == 0 {
		return nil
	}
	sort.SliceStable(l, func(i, j int) bool { return l[i].lat < l[j].lat || l[i].lat == l[j].lat && l[i].work() < l[j].work() })
	mid := l[len(l)/2]
	s := &interval{uops: mid.uops, lat: mid.lat, slot: mid.slots, source: source}
	s.low.lat, s.high.lat = l[0].lat, l[len(l)-1].lat
	s.low.slots, s.high.slots = l[0].slots, l[0].slots
	for _, c := range l {
		s.low.slots, s.high.slots = min(s.low.slots, c.slots), max(s.high.slots, c.slots)
	}
	return s
}
