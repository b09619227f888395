package main

import (
	"math/bits"
	"sort"
	"strings"

	"incore/internal/isa"
)

// fixedEnc is the encoding of one form of an ISA whose instructions are words of
// fixed bits and operand fields (AArch64, RISC-V).
type fixedEnc struct {
	form        uint16
	size        uint8
	mask, value uint32
	space       uint16
	fields      []uint16 // groups of isa.Field, flat
}

// fixedEncodings writes the columns that isa.FixedEnc reads: per form the fixed
// bits and operand fields, and a decision tree from an instruction word to the
// forms it may be.
func (b *builder) fixedEncodings() {
	var spaces intern[string]
	spaces.of("") // the main decoder namespace is number 0
	var encs []fixedEnc
	ops := b.operandPositions()
	for _, name := range sortedKeys(b.src.enc.Forms) {
		id, ok := b.formID[name]
		if !ok {
			continue
		}
		f := b.src.enc.Forms[name]
		num := func(k string) uint32 { v, _ := f[k].(float64); return uint32(v) }
		dec, _ := f["dec"].(string)
		e := fixedEnc{form: id, size: uint8(num("size")), mask: num("mask"), value: num("value"), space: spaces.of(dec)}
		fields, _ := f["fields"].(map[string]any)
		e.fields = b.fields(name, fields, ops[name])
		encs = append(encs, e)
	}
	sort.SliceStable(encs, func(i, j int) bool { return encs[i].form < encs[j].form })
	b.encColumns(encs)
	b.w.Strings("enc.space", spaces.list)
	t := encTree{encs: encs, leaves: intern[string]{}}
	all := make([]uint16, len(encs))
	for i := range all {
		all[i] = uint16(i)
	}
	// most specific first: an alias-like form (fixed rd = x0) before the general one
	sort.SliceStable(all, func(i, j int) bool {
		return bits.OnesCount32(encs[all[i]].mask) > bits.OnesCount32(encs[all[j]].mask)
	})
	t.node(all, 0)
	b.w.U32("enc.tree", t.tree)
	b.w.Lists("enc.leaf", t.lists)
}

// operandPositions maps form → operand name → first MC operand. Names of
// sub-operands ("Rn+offset:am_indexed") count too.
func (b *builder) operandPositions() map[string]map[string]int {
	out := map[string]map[string]int{}
	for _, f := range b.src.forms.Forms {
		pos, mc := map[string]int{}, 0
		for _, o := range append(append([]string(nil), f.O...), f.I...) {
			n, c, _ := strings.Cut(o, ":")
			if c == "variable_ops" {
				continue
			}
			for i, s := range strings.Split(n, "+") {
				pos[s] = mc + i
			}
			mc += max(1, len(b.src.forms.Operands[c].Sub))
		}
		out[f.N] = pos
	}
	return out
}

// fields flattens a form's operand fields into groups (MC operand, lowest bit of
// the instruction, lowest bit of the operand, width), ordered by operand.
func (b *builder) fields(form string, fields map[string]any, pos map[string]int) []uint16 {
	type run [isa.FieldLen]uint16
	var runs []run
	for name, v := range fields {
		op, ok := pos[name]
		if !ok {
			op = isa.FieldNoOp
		}
		list, _ := v.([]any)
		for _, r := range list {
			p, _ := r.([]any)
			if len(p) != 3 {
				b.fail("encoding of %s: field %s: %v", form, name, r)
				return nil
			}
			n := func(i int) uint16 { x, _ := p[i].(float64); return uint16(x) }
			runs = append(runs, run{uint16(op), n(0), n(1), n(2)})
		}
	}
	sort.Slice(runs, func(i, j int) bool {
		return runs[i][0] < runs[j][0] || runs[i][0] == runs[j][0] && runs[i][1] < runs[j][1]
	})
	var out []uint16
	for _, r := range runs {
		out = append(out, r[:]...)
	}
	return out
}

func (b *builder) encColumns(encs []fixedEnc) {
	of := make([]uint16, len(b.formID)+1)
	var form, space []uint16
	var size []byte
	var mask, value []uint32
	var fields [][]uint16
	for i, e := range encs {
		of[e.form] = uint16(i + 1)
		form, space, size = append(form, e.form), append(space, e.space), append(size, e.size)
		mask, value, fields = append(mask, e.mask), append(value, e.value), append(fields, e.fields)
	}
	b.w.U16("enc.of", of)
	b.w.U16("enc.form", form)
	b.w.U16("enc.ns", space)
	b.w.Raw("enc.size", size)
	b.w.U32("enc.mask", mask)
	b.w.U32("enc.value", value)
	b.w.Lists("enc.fields", fields)
}

// encTree builds the decision tree: isa.FixedEnc documents its layout.
type encTree struct {
	encs   []fixedEnc
	tree   []uint32
	leaves intern[string]
	lists  [][]uint16
}

const (
	maxLeaf  = 3 // candidates that are tested one after the other rather than split
	maxSplit = 7 // bits tested by one node
)

// node appends the subtree of a set of encodings, none of whose bits in known
// tells them apart any more, and returns its place.
func (t *encTree) node(set []uint16, known uint32) uint32 {
	at := uint32(len(t.tree))
	lo, width := 0, 0
	if len(set) > maxLeaf {
		lo, width = t.split(set, known)
	}
	if width == 0 {
		n := t.leaves.of(key(set))
		if int(n) == len(t.lists) {
			t.lists = append(t.lists, set)
		}
		t.tree = append(t.tree, isa.TreeLeaf|uint32(n))
		return at
	}
	t.tree = append(t.tree, uint32(lo)<<8|uint32(width))
	t.tree = append(t.tree, make([]uint32, 1<<width)...)
	field := uint32(1)<<width - 1
	for v := range uint32(1) << width {
		var sub []uint16
		for _, i := range set {
			e := &t.encs[i]
			if m := e.mask >> lo & field; e.value>>lo&m == v&m {
				sub = append(sub, i)
			}
		}
		if len(sub) > 0 {
			t.tree[at+1+v] = t.node(sub, known|field<<lo)
		}
	}
	return at
}

// split chooses the run of bits that leaves the fewest encodings per child on average.
func (t *encTree) split(set []uint16, known uint32) (lo, width int) {
	best := float64(len(set)) * 0.9 // worth a node only if it divides
	for w := 1; w <= maxSplit; w++ {
		for l := 0; l+w <= 32; l++ {
			field := uint32(1)<<w - 1
			if known>>l&field != 0 {
				continue
			}
			total := 0.0 // encodings over all children: those that leave k bits free occur 2^k times
			for _, i := range set {
				total += float64(int(1) << (w - bits.OnesCount32(t.encs[i].mask>>l&field)))
			}
			// average size of a child, and a price for the table's size
			table := float64(int(1) << w)
			if c := total/table + 0.5*table/float64(len(set)); c < best {
				best, lo, width = c, l, w
			}
		}
	}
	return lo, width
}
