package main

import (
	"slices"
	"sort"
	"strings"

	"incore/internal/base/blob"
	"incore/internal/isa"
)

// formTable writes the columns of the forms, by name; number 0 is no form.
func (b *builder) formTable() {
	fs := append([]form(nil), b.src.forms.Forms...)
	sort.Slice(fs, func(i, j int) bool { return fs[i].N < fs[j].N })
	if len(fs) >= 1<<16-1 {
		b.fail("%d forms do not fit 16 bits", len(fs))
	}
	fs = append([]form{{MC: []int{0, 0}}}, fs...)
	b.formID, b.byOp = map[string]uint16{}, map[int]uint16{}
	for i, f := range fs[1:] {
		b.formID[f.N], b.byOp[f.Op] = uint16(i+1), uint16(i+1)
	}
	classes, preds := sortedKeys(b.src.forms.Operands), predicates(b.src.forms.Preds, fs)
	c := formColumns{b: b, bit: flagBits(b.src.forms.Flags), operand: numbers(classes), predicate: numbers(preds)}
	for i := range fs {
		c.add(&fs[i])
	}
	c.write(b.w)
	b.w.Strings("sched.class", b.classNames(fs))
	var defs []string
	for _, p := range preds {
		defs = append(defs, b.src.forms.Preds[p])
	}
	b.w.Strings("pred.name", preds)
	b.w.Strings("pred.def", defs)
	b.operandClasses(classes)
	b.rvv()
}

// predicates selects the predicates with an assembler condition. Of the others (x86, whose assembler accepts everything) it selects those that name
// an extension.
func predicates(conditions map[string]string, fs []form) []string {
	names := sortedKeys(conditions)
	for i := range fs {
		for _, p := range fs[i].P {
			if p = extension(p); strings.HasPrefix(p, "Has") {
				names = append(names, p)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// extension returns the name of the feature that a form needs: a condition for LLVM's selection with SSE only ("UseSSE2")
// needs no more than SSE ("HasSSE2").
func extension(predicate string) string {
	if rest, ok := strings.CutPrefix(predicate, "Use"); ok && (strings.HasPrefix(rest, "SSE") || rest == "SSSE3" || rest == "AVX") {
		return "Has" + rest
	}
	return predicate
}

// flagBits returns our bit for each of LLVM's flag bits of a target; 0 if there is none.
func flagBits(names []string) []uint32 {
	var bits []uint32
	for _, n := range names {
		v := uint32(0)
		for i, o := range isa.FlagNames {
			if o == n {
				v = 1 << i
			}
		}
		bits = append(bits, v)
	}
	return bits
}

// numbers returns the indices of names in their list.
func numbers(names []string) map[string]uint16 {
	out := map[string]uint16{}
	for i, n := range names {
		out[n] = uint16(i)
	}
	return out
}

// formColumns are the columns of the form table, one entry per form.
type formColumns struct {
	b                  *builder
	bit                []uint32          // flagBits
	operand, predicate map[string]uint16 // numbers of operand classes and predicates

	names                               []string
	text                                asmText
	flags                               []uint32
	class                               []uint16
	nops, ndefs, mem, size, enc, prefix []byte
	opNames                             intern[string] // of the operands' names
	signatures, ties, predicates        lists
	implicit                            intern[string] // pairs of lists: registers used and defined
	implicitCol                         []uint16
	implicitUses, implicitDefs          [][]uint16
}

// none is the memory operand number of a form without one.
const none = 255

func (c *formColumns) add(f *form) {
	c.names, c.class = append(c.names, f.N), append(c.class, f.SC)
	c.text.add(f.Asm, f.Alt)
	flags := uint32(0)
	for k, v := range c.bit {
		if f.F>>k&1 != 0 {
			flags |= v
		}
	}
	c.flags = append(c.flags, flags)
	c.nops, c.ndefs = append(c.nops, byte(f.MC[0])), append(c.ndefs, byte(f.MC[1]))
	mem := byte(none)
	if f.Mem != nil {
		mem = byte(*f.Mem)
	}
	c.mem, c.size = append(c.mem, mem), append(c.size, f.Sz)
	c.enc, c.prefix = append(c.enc, first(f.Enc)), append(c.prefix, first(f.XP))
	c.signatures.add(c.signature(f))
	c.addImplicit(f)
	var ties, predicates []uint16
	for _, p := range f.Tie {
		ties = append(ties, uint16(p[0]), uint16(p[1]))
	}
	c.ties.add(ties)
	for _, p := range f.P {
		if id, ok := c.predicate[extension(p)]; ok {
			predicates = append(predicates, id)
		}
	}
	c.predicates.add(predicates)
}

// signature returns name and class of each operand of a form, outs first.
func (c *formColumns) signature(f *form) (out []uint16) {
	for _, o := range slices.Concat(f.O, f.I) {
		name, class, _ := strings.Cut(o, ":")
		if class == "variable_ops" {
			continue // not a separate MC operand
		}
		id, ok := c.operand[class]
		if !ok {
			c.b.fail("form %s: unknown operand class %q", f.N, class)
		}
		out = append(out, c.opNames.of(name), id)
	}
	return out
}

func (c *formColumns) addImplicit(f *form) {
	var uses, defs []uint16
	for _, r := range f.U {
		uses = append(uses, c.b.reg(r))
	}
	for _, r := range f.D {
		defs = append(defs, c.b.reg(r))
	}
	k := c.implicit.of(key(uses) + key(defs))
	if int(k) == len(c.implicitUses) {
		c.implicitUses, c.implicitDefs = append(c.implicitUses, uses), append(c.implicitDefs, defs)
	}
	c.implicitCol = append(c.implicitCol, k)
}

func (c *formColumns) write(w *blob.Writer) {
	w.Strings("form.name", c.names)
	c.text.write(w)
	w.U32("form.flags", c.flags)
	w.U16("form.class", c.class)
	w.Raw("form.nops", c.nops)
	w.Raw("form.ndefs", c.ndefs)
	w.Raw("form.mem", c.mem)
	w.Raw("form.size", c.size)
	w.Raw("form.enc", c.enc)
	w.Raw("form.prefix", c.prefix)
	w.U16("form.sig", c.signatures.col)
	w.U16("form.imp", c.implicitCol)
	w.Lists("sig", c.signatures.pool)
	w.Lists("imp.use", c.implicitUses)
	w.Lists("imp.def", c.implicitDefs)
	c.ties.write(w, "form.tie", "tie")
	c.predicates.write(w, "form.pred", "predset")
	w.Strings("op.name", c.opNames.list)
}

// asmText collects the asm strings of both variants, each split into the mnemonic and the rest: there are
// only a few thousand different mnemonics and a few hundred different rests.
type asmText struct {
	head, tail intern[string]
	col        [4][]uint16 // head and tail of variant 0, of variant 1
}

func (t *asmText) add(asm, alt string) {
	for v, s := range [2]string{asm, alt} {
		cut := strings.IndexByte(s, '\t')
		if cut < 0 {
			cut = len(s)
		}
		t.col[2*v] = append(t.col[2*v], t.head.of(s[:cut]))
		t.col[2*v+1] = append(t.col[2*v+1], t.tail.of(s[cut:]))
	}
}

func (t *asmText) write(w *blob.Writer) {
	w.Strings("asm.head", t.head.list)
	w.Strings("asm.tail", t.tail.list)
	for i, n := range [4]string{"asmhead", "asmtail", "althead", "alttail"} {
		w.U16("form."+n, t.col[i])
	}
}

// lists is a column of lists, many of which are equal.
type lists struct {
	id   intern[string]
	pool [][]uint16
	col  []uint16
}

func (t *lists) add(l []uint16) {
	k := t.id.of(key(l))
	if int(k) == len(t.pool) {
		t.pool = append(t.pool, l)
	}
	t.col = append(t.col, k)
}

func (t *lists) write(w *blob.Writer, column, pool string) {
	w.U16(column, t.col)
	w.Lists(pool, t.pool)
}

// longClassName is the length from which on a scheduling class's name is omitted: such a name only lists the
// class's forms and write resources.
const longClassName = 40

// classNames returns the names of the scheduling classes; a long one becomes
// "class of FORM" with the first form in it.
func (b *builder) classNames(fs []form) []string {
	one := make([]string, len(b.src.forms.Classes))
	for _, f := range fs[1:] {
		if one[f.SC] == "" {
			one[f.SC] = "class of " + f.N
		}
	}
	out := append([]string(nil), b.src.forms.Classes...)
	for i, n := range out {
		if len(n) > longClassName {
			out[i] = one[i] // "" for a class of pseudos only
		}
	}
	return out
}

func first(s string) byte {
	if s == "" {
		return 0
	}
	return s[0]
}

func (b *builder) operandClasses(names []string) {
	cols := map[string][]string{}
	var sub []byte
	var bits []uint16
	for _, n := range names {
		c := b.src.forms.Operands[n]
		for k, v := range map[string]string{"name": n, "kind": c.K, "rc": c.RC, "print": c.Print, "asm": c.M, "type": c.T} {
			cols[k] = append(cols[k], v)
		}
		sub, bits = append(sub, byte(max(1, len(c.Sub)))), append(bits, uint16(c.Size))
	}
	for _, k := range sortedKeys(cols) {
		b.w.Strings("oc."+k, cols[k])
	}
	b.w.Raw("oc.sub", sub)
	b.w.U16("oc.bits", bits)
}

// rvv writes, for RISC-V, the scheduling class of each vector form by LMUL and SEW.
func (b *builder) rvv() {
	if len(b.src.forms.RVV) == 0 {
		return
	}
	var forms []uint16
	var lists [][]uint16
	for _, n := range sortedKeys(b.src.forms.RVV) {
		id, ok := b.formID[n]
		if !ok {
			continue
		}
		forms = append(forms, id)
		var l []uint16
		for _, e := range b.src.forms.RVV[n] {
			l = append(l, uint16(e[0]), uint16(e[1]), uint16(e[2]))
		}
		lists = append(lists, l)
	}
	b.w.U16("rvv.form", forms)
	b.w.Lists("rvv.class", lists)
}
