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

// interval is what similar forms cost: the figures of an instruction without data.
type interval struct {
	uops      []Uop // of the form with the median latency
	lat, slot float64
	low, high struct{ lat, slots float64 }
	source    string
}

// Similar forms are, in this order of preference: forms with data here of the same mnemonic; of the
// longest common beginning (at least three letters) of the form's name among its neighbours
// in the alphabet that access memory as it does; between the 5th and 95th percentile a sample of all forms that access memory as it does,
// else of all forms of the model.
const (
	minCommon  = 3
	neighbours = 24
)

// unknown fills in an instruction without data: an interval from similar forms, the
// median as its value, never zero.
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
	p := pairer{in: in, out: out, lat: &latency{defs: []defLat{{cycles: s.lat}}, load: math.NaN()}}
	if in.Form != isa.NoForm {
		p.defs, p.ops = w.a.Forms.NumDefs(in.Form), w.a.Forms.NumOps(in.Form)
	}
	p.prepare(w.m, &row{uops: s.uops})
	p.fill(w.m)
}

// formMnemonic is the mnemonic of an asm string of LLVM ("addq\t$src2, $src1").
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

// access says what forms do with memory: those that do something else run on other ports.
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

// span is the costs of those forms of a model that are wanted, of every step-th one, between the 5th and 95th percentile; nil if it has none.
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

// sampled is about how many forms anyForm looks at: what all 19,500 of x86-64 cost takes half a second to look up, and has about the same percentiles.
const sampled = 1000

// anyForm spans the costs of a sample of those forms of a model that are wanted; of all of them, if it has no figures for any of these, else of all forms.
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

// neighbours looks for forms whose names begin like f's and that access memory as it does (LDADD is no LDAR), the longest beginning first.
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

// work is what the µops keep of their ports, if each spreads evenly over its own: it tells forms of one latency apart, so that the median does not
// hang on their order.
func (c *costed) work() (cycles float64) {
	for i := range c.uops {
		if n := bits.OnesCount64(uint64(c.uops[i].Ports)); n > 0 {
			cycles += c.uops[i].Cycles / float64(n)
		}
	}
	return cycles
}

// appendCost adds the cost that a form has by default, if it has one.
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
	if math.IsNaN(slow) || slow >= 1000 { // unknown there too, or LLVM's stand-in for "very long"
		return l
	}
	return append(l, costed{max(slow, 1), m.slots(f.uops), f.uops.uops})
}

// newInterval spans the costs of similar forms; nil if there are none.
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
