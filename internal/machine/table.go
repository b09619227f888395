package machine

import (
	"cmp"
	"math/bits"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"incore/internal/isa"
)

// table holds the rows of one model file. A model has thousands of rows, but a kernel only a dozen forms. So the first lookup indexes the text by the
// forms that it names, and a row is parsed when an instruction needs it (layer.row). All models over an embedded file share its table.
type table struct {
	file string
	text string
	// index is made once; rows begin at a certain line.
	index func() *index
}

// newTable returns the table of a text whose first row (or source) is at first. source applies to the rows until the text states another one.
func newTable(file, text string, first logical, source string) *table {
	return &table{file, text, sync.OnceValue(func() *index { return newIndex(text, first, source) })}
}

// index finds rows by the forms that they name. It is immutable once made.
type index struct {
	text     string
	rows     []rowText
	heads    []int32   // bucket of a form's name → its last mention, 0 = none
	mentions []mention // positions at which forms are named; entry 0 stands for none
	classes  []int32   // positions of scheduling classes ("@ADD64rr"), in order
	patterns []pattern // patterns ("VFMADD*PDYr"), in order
	byClass  atomic.Pointer[classIndex]
}

// rowText is the position of a row in the file.
type rowText struct {
	start, end int32 // with its continuation lines
	line       int32
	source     string
}

// pattern is the position of a pattern, and the letters that it begins and ends with.
type pattern struct {
	at                   int32
	name, prefix, suffix string
}

// matches reports whether a form's name matches the pattern.
func (p *pattern) matches(form string) bool {
	if !strings.HasPrefix(form, p.prefix) || !strings.HasSuffix(form, p.suffix) {
		return false
	}
	ok, _ := path.Match(p.name, form)
	return ok
}

// mention is the position of a name in a row, and the previous mention in the same bucket.
type mention struct{ at, next int32 }

func newIndex(text string, first logical, source string) *index {
	const selectorSize, rowSize = 9, 128 // rough sizes in bytes; too little room costs a copy
	names := len(text) / selectorSize
	x := &index{text: text, heads: make([]int32, 1<<bits.Len(uint(names/4))), mentions: make([]mention, 1, 1+names), rows: make([]rowText, 0, 8+len(text)/rowSize)}
	lines(text, first, func(l logical) bool {
		if strings.HasPrefix(l.raw, sourceKey) {
			source = strings.TrimSpace(l.join()[len(sourceKey):])
			return true
		}
		end := l.at + len(l.raw)
		x.rows = append(x.rows, rowText{int32(l.at), int32(end), int32(l.line), source})
		for s := (selector{end: l.at}); s.next(text[:end]); {
			x.add(&s)
		}
		return true
	})
	return x
}

func (x *index) add(s *selector) {
	at := int32(s.at)
	switch {
	case s.class:
		x.classes = append(x.classes, at)
	case s.pattern:
		x.patterns = append(x.patterns, s.wildcards())
	default:
		head := &x.heads[x.bucket(s.hash)]
		x.mentions = append(x.mentions, mention{at, *head})
		*head = int32(len(x.mentions) - 1)
	}
}

// bucket returns the bucket of a hash by Fibonacci hashing: the upper bits of a product with 2^64/φ.
func (x *index) bucket(h nameHash) int {
	return int(uint64(h) * 0x9E3779B97F4A7C15 >> (64 - bits.Len(uint(len(x.heads)-1))))
}

// row returns the number of the row at an offset.
func (x *index) row(at int32) int {
	i, _ := slices.BinarySearchFunc(x.rows, at, func(r rowText, at int32) int { return cmp.Compare(r.end-1, at) })
	return i
}

// selector reads the selector at an offset.
func (x *index) selector(at int32) selector {
	s := selector{end: int(at)}
	s.next(x.text)
	return s
}

// naming returns the positions at which rows name a form, a pattern that matches it, or its scheduling class, last one first.
func (x *index) naming(a *isa.ISA, f isa.FormID, class int) []int32 {
	form, h := a.Forms.Name(f), nameHash(0)
	for i := range len(form) {
		h = h.with(form[i])
	}
	var out []int32
	for i := x.heads[x.bucket(h)]; i != 0; i = x.mentions[i].next {
		if s := x.selector(x.mentions[i].at); s.name == form {
			out = append(out, int32(s.at))
		}
	}
	for i := range x.patterns {
		if p := &x.patterns[i]; p.matches(form) {
			out = append(out, p.at)
		}
	}
	c := x.classIndex(a)
	for i := c.heads[class]; i != 0; i = c.list[i].next {
		out = append(out, c.list[i].at)
	}
	slices.SortFunc(out, func(a, b int32) int { return cmp.Compare(b, a) })
	return out
}

// classIndex finds the rows that name a scheduling class.
type classIndex struct {
	isa   *isa.ISA
	heads []int32 // class → its last mention, 0 = none
	list  []mention
}

// classIndex looks up the forms that stand for classes. It skips forms that do not exist; Validate reports them.
func (x *index) classIndex(a *isa.ISA) *classIndex {
	if c := x.byClass.Load(); c != nil && c.isa == a { // two goroutines may both make it, with equal results
		return c
	}
	c := &classIndex{isa: a, heads: make([]int32, a.Forms.NumClasses()), list: make([]mention, 1, 1+len(x.classes))}
	for _, at := range x.classes {
		s := x.selector(at)
		if class, err := s.schedClass(a); err == nil && class >= 0 {
			c.list = append(c.list, mention{at, c.heads[class]})
			c.heads[class] = int32(len(c.list) - 1)
		}
	}
	x.byClass.Store(c)
	return c
}

// selector is one of the names before the first bar of a row: "ADD64rr", "@ADD64rr", "VFMADD*PDYr", "VADD_VV/m2,e32".
type selector struct {
	at, end        int    // offsets in the text
	name           string // without '@' and vector type
	vtype          string // "m2,e32", if typed
	hash           nameHash
	class, pattern bool
	typed          bool
}

// nameHash is a hash of a form's name, letter by letter.
type nameHash uint64

func (h nameHash) with(c byte) nameHash {
	return nameHash(bits.RotateLeft64(uint64(h), 7)) ^ nameHash(c)
}

// Kinds of characters in selectors.
const (
	charName    = iota
	charPattern // makes the name a pattern
	charEnd     // ends the name: blanks, ends of lines, '|', and '/' before a vector type
)

var charKinds = func() (kinds [256]uint8) {
	for c := range ' ' + 1 {
		kinds[c] = charEnd
	}
	kinds['/'], kinds['|'] = charEnd, charEnd
	kinds['*'], kinds['?'], kinds['['] = charPattern, charPattern, charPattern
	return kinds
}()

// next reads the next selector; it returns false at the first bar of the row that text ends with. Selectors are separated by blanks, ends of lines
// and comment lines.
func (s *selector) next(text string) bool {
	i := s.end
	for ; i < len(text) && text[i] <= ' '; i++ {
		for text[i] == '\n' && i+1 < len(text) && isBlank(firstLine(text[i+1:])) {
			i += len(firstLine(text[i+1:]))
		}
	}
	if i == len(text) || text[i] == '|' {
		return false
	}
	*s = selector{at: i, class: text[i] == '@'}
	if s.class {
		i++
	}
	start, hash, kinds := i, nameHash(0), uint8(0)
	for ; i < len(text); i++ {
		kind := charKinds[text[i]]
		if kind == charEnd {
			break
		}
		kinds |= kind
		hash = hash.with(text[i])
	}
	s.name, s.hash, s.pattern = text[start:i], hash, kinds == charPattern
	if s.typed = i < len(text) && text[i] == '/'; s.typed {
		start = i + 1
		for i < len(text) && text[i] > ' ' && text[i] != '|' {
			i++
		}
		s.vtype = text[start:i]
	}
	s.end = i
	return true
}

// wildcards returns a selector that is a pattern as one.
func (s *selector) wildcards() pattern {
	first, last := strings.IndexAny(s.name, "*?["), strings.LastIndexAny(s.name, `*?[]\`)
	return pattern{int32(s.at), s.name, s.name[:first], s.name[last+1:]}
}

// schedClass returns the class of a selector "@FORM" or "@FORM/m2,e32", -1 if the ISA does not distinguish vector types.
func (s *selector) schedClass(a *isa.ISA) (int, error) {
	f := a.Forms.Named(s.name)
	if f == isa.NoForm {
		return -1, unknownForm(a, s.name)
	}
	vt, err := s.condition()
	if err != nil || vt == nil {
		return a.Forms.SchedClass(f), err
	}
	if a.SchedClass == nil {
		return -1, nil
	}
	return a.SchedClass(&isa.Inst{Form: f, VType: isa.VType{LMUL: uint8(max(0, vt.a)), SEW: uint8(max(8, vt.b))}}), nil
}

// condition returns the condition that a selector's vector type sets, nil = none.
func (s *selector) condition() (*cond, error) {
	if !s.typed {
		return nil, nil
	}
	c := &cond{op: condVType}
	return c, c.vtype(strings.Split(s.vtype, ","))
}
