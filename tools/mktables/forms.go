package main

import (
	"sort"
	"strings"

	"incore/internal/blob"
	"incore/internal/isa"
)

func (b *builder) formTable() {
	fs := append([]form(nil), b.src.forms.Forms...)
	sort.Slice(fs, func(i, j int) bool { return fs[i].N < fs[j].N })
	if len(fs) >= 1<<16-1 {
		b.fail("%d forms do not fit 16 bits", len(fs))
	}
	fs = append([]form{{MC: []int{0, 0}}}, fs...)
	b.formID, b.byOp = map[string]uint16{}, map[int]uint16{}

	// bit of ours for each of LLVM's flag bits of this target
	var bit []uint32
	for _, n := range b.src.forms.Flags {
		v := uint32(0)
		for i, o := range isa.FlagNames {
			if o == n {
				v = 1 << i
			}
		}
		bit = append(bit, v)
	}
	classes := sortedKeys(b.src.forms.Operands)
	classID := map[string]uint16{}
	for i, c := range classes {
		classID[c] = uint16(i)
	}
	preds := sortedKeys(b.src.forms.Preds)
	predID := map[string]uint16{}
	for i, p := range preds {
		predID[p] = uint16(i)
	}
	var opNames intern[string]
	var sigs, imps intern[string]
	var ties, pred lists
	var sigList, useList, defList [][]uint16
	var names []string
	var text asmText
	var flags []uint32
	var class, sig, imp []uint16
	var nops, ndefs, mem, size, enc, prefix []byte
	for i, f := range fs {
		if i > 0 {
			b.formID[f.N], b.byOp[f.Op] = uint16(i), uint16(i)
		}
		names = append(names, f.N)
		text.add(f.Asm, f.Alt)
		fl := uint32(0)
		for k, v := range bit {
			if f.F>>k&1 != 0 {
				fl |= v
			}
		}
		flags, class = append(flags, fl), append(class, f.SC)
		nops, ndefs = append(nops, byte(f.MC[0])), append(ndefs, byte(f.MC[1]))
		m := byte(255)
		if f.Mem != nil {
			m = byte(*f.Mem)
		}
		mem, size = append(mem, m), append(size, f.Sz)
		enc, prefix = append(enc, first(f.Enc)), append(prefix, first(f.XP))
		var s []uint16
		for _, o := range append(append([]string(nil), f.O...), f.I...) {
			n, c, _ := strings.Cut(o, ":")
			if c == "variable_ops" {
				continue // no MC operand of its own
			}
			id, ok := classID[c]
			if !ok {
				b.fail("form %s: unknown operand class %q", f.N, c)
			}
			s = append(s, opNames.of(n), id)
		}
		k := sigs.of(key(s))
		if int(k) == len(sigList) {
			sigList = append(sigList, s)
		}
		sig = append(sig, k)
		var u, d []uint16
		for _, r := range f.U {
			u = append(u, b.reg(r))
		}
		for _, r := range f.D {
			d = append(d, b.reg(r))
		}
		k = imps.of(key(u) + key(d))
		if int(k) == len(useList) {
			useList, defList = append(useList, u), append(defList, d)
		}
		imp = append(imp, k)
		var t []uint16
		for _, p := range f.Tie {
			t = append(t, uint16(p[0]), uint16(p[1]))
		}
		ties.add(t)
		var ps []uint16
		for _, p := range f.P {
			if id, ok := predID[p]; ok {
				ps = append(ps, id)
			}
		}
		pred.add(ps)
	}
	w := b.w
	w.Strings("form.name", names)
	text.write(w)
	w.U32("form.flags", flags)
	w.U16("form.class", class)
	w.Raw("form.nops", nops)
	w.Raw("form.ndefs", ndefs)
	w.Raw("form.mem", mem)
	w.Raw("form.size", size)
	w.Raw("form.enc", enc)
	w.Raw("form.prefix", prefix)
	w.U16("form.sig", sig)
	w.U16("form.imp", imp)
	w.Lists("sig", sigList)
	w.Lists("imp.use", useList)
	w.Lists("imp.def", defList)
	ties.write(w, "form.tie", "tie")
	pred.write(w, "form.pred", "predset")
	w.Strings("op.name", opNames.list)
	w.Strings("sched.class", b.classNames(fs))
	var defs []string
	for _, p := range preds {
		defs = append(defs, b.src.forms.Preds[p])
	}
	w.Strings("pred.name", preds)
	w.Strings("pred.def", defs)
	b.operandClasses(classes)
	b.rvv()
}

// asmText collects the asm strings of both variants, each cut into the mnemonic
// and the rest: few thousand of the one and a few hundred of the other make them all.
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

// lists is a column of lists of which many are equal.
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

// longClassName is the length from which on a scheduling class' name is left out:
// such a name is no more than the list of the class' forms and write resources.
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
