package main

import (
	"fmt"
	"strings"

	"incore/internal/isa"
	"incore/internal/isa/x86"
)

// cost is a row without its forms.
type cost struct{ uops, latency, attrs, source string }

func (c cost) String() string {
	s := c.uops + " | " + c.latency
	if c.attrs != "" {
		s += " | " + c.attrs
	}
	return s
}

// rowsOf makes the rows of one record: the general one and those of its variants. cond is the
// condition under which the form is the record's instruction, "" always.
func (k *core) rowsOf(r *record, f *form, cond string) []cost {
	x := &reader{core: k, rec: r, form: f, table: x86.ISA().Forms}
	x.classify()
	if k.pipe != "" {
		if strings.HasPrefix(cond, "any(") { // high byte registers cost no more
			return nil
		}
		out := x.amdRows()
		for i := range out {
			out[i].restrict(cond)
		}
		return out
	}
	lat := x.across().latency()
	if r.table && lat == "=" {
		lat = x.tableLatency()
	}
	out := []cost{{uops: x.uops(r.Ports, r.Uops, r.divider()), latency: lat, attrs: x.attributes(r)}}
	if v, ok := r.Variants["same_reg"]; ok && r.eliminated() && v.Uops != nil && *v.Uops > 0 {
		// what the move costs where it is not eliminated, as with one register twice
		out = []cost{{uops: x.uops(v.Ports, v.Uops, 0), latency: fmt.Sprintf("%g", x.sameLatency()), attrs: x.attributes(&v)},
			{uops: "=", latency: "=", attrs: "move-elim when=!same(0,1)"}}
	}
	defer func() {
		for i := range out {
			out[i].restrict(cond)
			out[i].source = k.sourceOf(r)
		}
	}()
	if v, ok := x.indexed(r); ok {
		c := cost{uops: x.uops(v.Ports, v.Uops, r.divider()), latency: "=", attrs: x.attributes(&v)}
		if c.uops != out[0].uops || c.attrs != out[0].attrs {
			c.attrs = strings.TrimSpace(c.attrs + fmt.Sprintf(" when=!none(%d)", x.memOp+2))
			out = append(out, c)
		}
	}
	if v, ok := r.Variants["same_reg"]; ok && v.Uops != nil {
		if i, j, ok := x.sameRegs(); ok {
			when := fmt.Sprintf("when=same(%d,%d)", i, j)
			if *v.Uops == 0 && !x.isMove() {
				out = append(out, cost{uops: "-", latency: "=", attrs: "zero-idiom " + when})
			}
		}
	}
	return out
}

// sourceOf says what the rows of a record rest on.
func (k *core) sourceOf(r *record) string {
	switch {
	case k.server != "":
		return "uops.info " + k.figures() + " table, second unit of 512 bits as on " + k.server
	case k.kinds:
		if r.Div > 0 {
			return "uops.info " + k.figures() + "; ports by kind of unit alone, the divider's time from latencies"
		}
		return "uops.info " + k.figures() + "; ports by kind of unit alone"
	case !r.table:
		return "uops.info " + k.figures()
	case len(r.Latencies) > 0:
		return "uops.info " + k.figures() + " table, latency per operand as " + r.donor
	}
	return "uops.info " + k.figures() + " table"
}

// restrict adds a condition to a row.
func (c *cost) restrict(cond string) {
	switch {
	case cond == "":
	case strings.Contains(c.attrs, "when="):
		c.attrs += "&" + cond
	default:
		c.attrs = strings.TrimSpace(c.attrs + " when=" + cond)
	}
}

// condition tells the records apart that are one form to the assembler: by prefix, by
// condition code, by the parts of a LEA's address.
func condition(r *record, f *form) string {
	name, _, _ := strings.Cut(r.String, " ")
	switch {
	case f.inst.Prefix&isa.PfxLock != 0:
		return "prefix(lock)"
	case f.inst.Prefix&isa.PfxRep != 0:
		return "prefix(rep)"
	case f.inst.Prefix&isa.PfxRepne != 0:
		return "prefix(repne)"
	case strings.HasPrefix(name, "LEA_"):
		return leaCondition(strings.Split(name, "_")[1:])
	}
	if strings.Contains(r.String, "(M8, R8h") { // a locked operation costs what it does with any register
		return "any(GR8_ABCD_H)&!prefix(lock)"
	}
	if strings.Contains(r.String, "R8h") {
		return "any(GR8_ABCD_H)"
	}
	t := x86.ISA().Forms
	for i := 0; i < int(f.inst.NOps); i++ {
		if c := t.OperandClass(f.inst.Form, i); c != nil && c.Name == "ccode" {
			return fmt.Sprintf("imm(%d)=%d", i, f.inst.Ops[i].Imm)
		}
	}
	return ""
}

// leaCondition is the address that a kind of LEA has, on the MC operands base 1, scale 2, index 3, displacement 4.
func leaCondition(parts []string) string {
	base, index, disp := "none(1)", "none(3)", "imm(4)=0"
	scaled := ""
	for _, p := range parts {
		switch p {
		case "B":
			base = "!none(1)&!reg(1)=RIP"
		case "R":
			return "reg(1)=RIP"
		case "I":
			index, scaled = "!none(3)", "&imm(2)=1"
		case "IS":
			index, scaled = "!none(3)", "&!imm(2)=1"
		case "D8", "D32":
			disp = "!imm(4)=0"
		}
	}
	if base == "none(1)" && index != "none(3)" { // an index alone always has a displacement of 32 bits, be it 0
		return base + "&" + index + scaled
	}
	return base + "&" + index + scaled + "&" + disp
}

func (x *reader) attributes(r *record) string {
	var out []string
	if x.reads && x.ld > 0 {
		out = append(out, fmt.Sprintf("ld=%g", x.ld))
	}
	if r.Uops != nil {
		out = append(out, fmt.Sprintf("uops=%g", *r.Uops))
	}
	if r.Slots != nil {
		out = append(out, fmt.Sprintf("slots=%g", *r.Slots))
	}
	if r.Slots != nil && r.MITE > 0 && r.MS == 0 && r.MITE != *r.Slots { // un-laminated behind the decoders
		out = append(out, fmt.Sprintf("decode=%g", r.MITE))
	}
	if x.core.renames && x.locked() {
		out = append(out, "load-in-memory", "store-in-memory")
	} else if x.core.renames && x.core.kinds && x.vector() { // of the records only general-purpose registers come back at once
		if x.reads {
			out = append(out, "load-in-memory")
		}
		if x.writes {
			out = append(out, "store-in-memory")
		}
	} else if x.loadInMemory() {
		out = append(out, "load-in-memory")
	}
	if r.Complex && r.MITE == 1 && r.MS == 0 {
		out = append(out, "complex")
	}
	if x.core.microcoded(r) {
		out = append(out, "microcode")
	}
	if n := x.core.group(r); n > 0 {
		out = append(out, fmt.Sprintf("group=%d", n))
	}
	return strings.Join(out, " ")
}
