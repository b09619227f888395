package aarch64

import (
	"strconv"
	"strings"

	"incore/internal/isa"
)

// alias writes an instruction under another name than its form's; ok is false if
// the operands don't have the alias's shape.
type alias func(a *arch, dst []byte, in *isa.Inst) (out []byte, ok bool)

// aliasWriter writes mnemonic and operands: registers, "#n" and other text.
type aliasWriter struct {
	a   *arch
	dst []byte
	n   int
}

func (a *arch) write(dst []byte, mnem string) *aliasWriter {
	return &aliasWriter{a: a, dst: append(dst, mnem...)}
}

func (w *aliasWriter) sep() {
	if w.n == 0 {
		w.dst = append(w.dst, ' ')
	} else {
		w.dst = append(w.dst, ", "...)
	}
	w.n++
}

func (w *aliasWriter) reg(rs ...isa.Reg) *aliasWriter {
	for _, r := range rs {
		w.sep()
		w.dst = w.a.appendReg(w.dst, r)
	}
	return w
}

func (w *aliasWriter) imm(vs ...int64) *aliasWriter {
	for _, v := range vs {
		w.sep()
		w.dst = appendImm(w.dst, v)
	}
	return w
}

func (w *aliasWriter) text(s string) *aliasWriter {
	w.sep()
	w.dst = append(w.dst, s...)
	return w
}

func (w *aliasWriter) shifter(v int64) *aliasWriter {
	w.dst = appendShifter(w.dst, v)
	return w
}

func (w *aliasWriter) done() ([]byte, bool) { return w.dst, true }

// aliasTable fills the aliases by form.
func (a *arch) aliasTable() {
	a.aliases = make([]alias, a.t.Forms.Len())
	for name, f := range aliasOf {
		for n := range strings.FieldsSeq(name) {
			if id := a.t.Forms.Named(n); id != isa.NoForm {
				a.aliases[id] = f
			}
		}
	}
}

// aliasOf lists the aliases by the names of their forms.
var aliasOf map[string]alias

func init() {
	aliasOf = map[string]alias{
		"ORRWrs ORRXrs": func(a *arch, dst []byte, in *isa.Inst) ([]byte, bool) {
			if !a.constant(in.Reg(1)) || in.Ops[3].Imm != 0 {
				return dst, false
			}
			return a.write(dst, "mov").reg(in.Reg(0), in.Reg(2)).done()
		},
		"ORNWrs ORNXrs": negated("mvn"), "SUBWrs SUBXrs": negated("neg"), "SUBSWrs SUBSXrs": compareOr("cmp", "negs"),
		"ADDSWrs ADDSXrs": compareOr("cmn", ""), "ANDSWrs ANDSXrs": compareOr("tst", ""),
		"SUBSWri SUBSXri": compare("cmp"), "ADDSWri ADDSXri": compare("cmn"), "ANDSWri ANDSXri": compare("tst"),
		"SUBSWrx SUBSXrx SUBSXrx64": compare("cmp"), "ADDSWrx ADDSXrx ADDSXrx64": compare("cmn"),
		"ADDWri ADDXri":     moveSP,
		"CSINCWr CSINCXr":   conditional("cset", "cinc"),
		"CSINVWr CSINVXr":   conditional("csetm", "cinv"),
		"CSNEGWr CSNEGXr":   conditional("", "cneg"),
		"UBFMWri UBFMXri":   unsignedField,
		"SBFMWri SBFMXri":   signedField,
		"BFMWri BFMXri":     fieldInsert,
		"EXTRWrri EXTRXrri": rotate,
		"MADDWrrr MADDXrrr": product("mul"),
		"MSUBWrrr MSUBXrrr": product("mneg"),
		"SMADDLrrr":         product("smull"),
		"SMSUBLrrr":         product("smnegl"),
		"UMADDLrrr":         product("umull"),
		"UMSUBLrrr":         product("umnegl"),
		"MOVZWi MOVZXi":     moveWide,
		"MOVNWi MOVNXi":     moveInverted,
		"ORRWri ORRXri":     moveLogical,
		"RET":               returnLR,
		"ISB CLREX":         defaultFifteen,
		"HINT":              hint,
		"SYSxt":             systemOp,
		"SBCWr SBCXr":       negatedCarry("ngc"),
		"SBCSWr SBCSXr":     negatedCarry("ngcs"),
		"ORRv8i8 ORRv16i8":  moveVector,
		"ORR_ZZZ":           moveZ,
		"NOTv8i8 NOTv16i8":  renamed("mvn"),
		"DUP_ZZI_B DUP_ZZI_H DUP_ZZI_S DUP_ZZI_D DUP_ZZI_Q":                                                                           moveLane,
		"SEL_ZPZZ_B SEL_ZPZZ_H SEL_ZPZZ_S SEL_ZPZZ_D":                                                                                 moveMerge,
		"ORR_PPzPP AND_PPzPP EOR_PPzPP SEL_PPPP":                                                                                      predicateLogic,
		"PTRUE_B PTRUE_H PTRUE_S PTRUE_D PTRUES_B PTRUES_H PTRUES_S PTRUES_D":                                                         patternDefault,
		"INSvi8gpr INSvi16gpr INSvi32gpr INSvi64gpr INSvi8lane INSvi16lane INSvi32lane INSvi64lane UMOVvi32 UMOVvi64":                 renamed("mov"),
		"DUP_ZI_B DUP_ZI_H DUP_ZI_S DUP_ZI_D CPY_ZPmI_B CPY_ZPmI_H CPY_ZPmI_S CPY_ZPmI_D CPY_ZPzI_B CPY_ZPzI_H CPY_ZPzI_S CPY_ZPzI_D": renamed("mov"),
		"DUP_ZR_B DUP_ZR_H DUP_ZR_S DUP_ZR_D CPY_ZPmR_B CPY_ZPmR_H CPY_ZPmR_S CPY_ZPmR_D CPY_ZPmV_B CPY_ZPmV_H CPY_ZPmV_S CPY_ZPmV_D": renamed("mov"),
		"FDUP_ZI_H FDUP_ZI_S FDUP_ZI_D FCPY_ZPmI_H FCPY_ZPmI_S FCPY_ZPmI_D":                                                           renamed("fmov"),
	}
	for _, op := range strings.Fields("ADD CLR EOR SET SMAX SMIN UMAX UMIN") {
		for _, order := range []string{"", "L"} {
			for _, size := range strings.Fields("B H W X") {
				aliasOf["LD"+op+order+size] = atomicStore
			}
		}
	}
}

// renamed replaces the mnemonic.
func renamed(mnem string) alias {
	return func(a *arch, dst []byte, in *isa.Inst) ([]byte, bool) {
		n := len(dst)
		dst = a.expand(dst, a.template(in.Form), in)
		rest := string(dst[n:])
		return append(append(dst[:n], mnem...), rest[strings.IndexByte(rest, ' '):]...), true
	}
}

func negated(mnem string) alias {
	return func(a *arch, dst []byte, in *isa.Inst) ([]byte, bool) {
		if !a.constant(in.Reg(1)) {
			return dst, false
		}
		return a.write(dst, mnem).reg(in.Reg(0), in.Reg(2)).shifter(in.Ops[3].Imm).done()
	}
}

func negatedCarry(mnem string) alias {
	return func(a *arch, dst []byte, in *isa.Inst) ([]byte, bool) {
		if !a.constant(in.Reg(1)) {
			return dst, false
		}
		return a.write(dst, mnem).reg(in.Reg(0), in.Reg(2)).done()
	}
}

// compare drops the zero destination.
func compare(mnem string) alias {
	return func(a *arch, dst []byte, in *isa.Inst) ([]byte, bool) {
		if !a.constant(in.Reg(0)) {
			return dst, false
		}
		n := len(dst)
		dst = a.expand(dst, a.template(in.Form), in)
		text := string(dst[n:])
		_, rest, _ := strings.Cut(text, ", ")
		return append(append(append(dst[:n], mnem...), ' '), rest...), true
	}
}

func compareOr(cmp, neg string) alias {
	c := compare(cmp)
	return func(a *arch, dst []byte, in *isa.Inst) ([]byte, bool) {
		if a.constant(in.Reg(0)) {
			return c(a, dst, in)
		}
		if neg == "" {
			return dst, false
		}
		return negated(neg)(a, dst, in)
	}
}

func moveSP(a *arch, dst []byte, in *isa.Inst) ([]byte, bool) {
	isSP := func(r isa.Reg) bool { return r == a.r.sp || r == a.r.wsp }
	if in.Ops[2].Kind != isa.OpImm || in.Ops[2].Imm != 0 || in.Ops[3].Imm != 0 || !isSP(in.Reg(0)) && !isSP(in.Reg(1)) {
		return dst, false
	}
	return a.write(dst, "mov").reg(in.Reg(0), in.Reg(1)).done()
}

func conditional(set, inc string) alias {
	return func(a *arch, dst []byte, in *isa.Inst) ([]byte, bool) {
		cc := in.Ops[3].Imm
		if in.Reg(1) != in.Reg(2) || cc >= 14 {
			return dst, false
		}
		if a.constant(in.Reg(1)) {
			if set == "" {
				return dst, false
			}
			return a.write(dst, set).reg(in.Reg(0)).text(condCodes[cc^1]).done()
		}
		return a.write(dst, inc).reg(in.Reg(0), in.Reg(1)).text(condCodes[cc^1]).done()
	}
}

// fieldOperands are the operands of UBFM and SBFM.
func (a *arch) fieldOperands(in *isa.Inst) (d, n isa.Reg, r, s, width int64) {
	width = 32
	if a.r.file[in.Reg(0)] == fileX {
		width = 64
	}
	return in.Reg(0), in.Reg(1), in.Ops[2].Imm, in.Ops[3].Imm, width
}

func unsignedField(a *arch, dst []byte, in *isa.Inst) ([]byte, bool) {
	d, n, r, s, w := a.fieldOperands(in)
	switch {
	case s == w-1:
		return a.write(dst, "lsr").reg(d, n).imm(r).done()
	case s+1 == r:
		return a.write(dst, "lsl").reg(d, n).imm(w - 1 - s).done()
	case r == 0 && w == 32 && (s == 7 || s == 15):
		return a.write(dst, "uxt"+string("bh"[s/8])).reg(d, n).done()
	case s < r:
		return a.write(dst, "ubfiz").reg(d, n).imm(w-r, s+1).done()
	}
	return a.write(dst, "ubfx").reg(d, n).imm(r, s-r+1).done()
}

func signedField(a *arch, dst []byte, in *isa.Inst) ([]byte, bool) {
	d, n, r, s, w := a.fieldOperands(in)
	switch {
	case s == w-1:
		return a.write(dst, "asr").reg(d, n).imm(r).done()
	case r == 0 && (s == 7 || s == 15 || s == 31):
		return a.write(dst, "sxt"+string("bh?w"[s/8])).reg(d, a.r.wOf(n)).done()
	case s < r:
		return a.write(dst, "sbfiz").reg(d, n).imm(w-r, s+1).done()
	}
	return a.write(dst, "sbfx").reg(d, n).imm(r, s-r+1).done()
}

func fieldInsert(a *arch, dst []byte, in *isa.Inst) ([]byte, bool) {
	n, r, s, w := in.Reg(2), in.Ops[3].Imm, in.Ops[4].Imm, int64(32)
	d := in.Reg(0)
	if a.r.file[d] == fileX {
		w = 64
	}
	switch {
	case s < r && a.constant(n):
		return a.write(dst, "bfc").reg(d).imm(w-r, s+1).done()
	case s < r:
		return a.write(dst, "bfi").reg(d, n).imm(w-r, s+1).done()
	}
	return a.write(dst, "bfxil").reg(d, n).imm(r, s-r+1).done()
}

func rotate(a *arch, dst []byte, in *isa.Inst) ([]byte, bool) {
	if in.Reg(1) != in.Reg(2) {
		return dst, false
	}
	return a.write(dst, "ror").reg(in.Reg(0), in.Reg(1)).imm(in.Ops[3].Imm).done()
}

func product(mnem string) alias {
	return func(a *arch, dst []byte, in *isa.Inst) ([]byte, bool) {
		if !a.constant(in.Reg(3)) {
			return dst, false
		}
		return a.write(dst, mnem).reg(in.Reg(0), in.Reg(1), in.Reg(2)).done()
	}
}

func (a *arch) wideOperands(in *isa.Inst) (v uint64, width uint, ok bool) {
	width = 32
	if a.r.file[in.Reg(0)] == fileX {
		width = 64
	}
	if in.Ops[1].Kind != isa.OpImm || uint64(in.Ops[2].Imm) >= uint64(width) {
		return 0, 0, false
	}
	return uint64(in.Ops[1].Imm) << in.Ops[2].Imm, width, true
}

func moveWide(a *arch, dst []byte, in *isa.Inst) ([]byte, bool) {
	v, _, ok := a.wideOperands(in)
	if !ok || v == 0 && in.Ops[2].Imm != 0 {
		return dst, false
	}
	w := a.write(dst, "mov").reg(in.Reg(0))
	w.sep()
	return appendHex(w.dst, v), true
}

func moveInverted(a *arch, dst []byte, in *isa.Inst) ([]byte, bool) {
	v, width, ok := a.wideOperands(in)
	if !ok || !isMovInverted(^v, width, uint(in.Ops[2].Imm)) {
		return dst, false
	}
	n := int64(^v)
	if width == 32 {
		n = int64(int32(n))
	}
	return a.write(dst, "mov").reg(in.Reg(0)).imm(n).done()
}

func moveLogical(a *arch, dst []byte, in *isa.Inst) ([]byte, bool) {
	width := uint(32)
	if a.r.first[in.Reg(0)] == in.Reg(0) {
		width = 64
	}
	if !a.constant(in.Reg(1)) || in.Ops[2].Kind != isa.OpImm {
		return dst, false
	}
	v, ok := decodeLogical(uint32(in.Ops[2].Imm), width)
	if !ok || isMovWideAny(v, width) || isMovWideAny(^v, width) {
		return dst, false
	}
	w := a.write(dst, "mov").reg(in.Reg(0))
	w.sep()
	return appendHex(w.dst, v), true
}

func returnLR(a *arch, dst []byte, in *isa.Inst) ([]byte, bool) {
	if in.Reg(0) != isa.Reg(a.r.x.At(numLR)) {
		return dst, false
	}
	return append(dst, "ret"...), true
}

// defaultFifteen drops the operand 15 of ISB and CLREX.
func defaultFifteen(a *arch, dst []byte, in *isa.Inst) ([]byte, bool) {
	if in.Ops[0].Imm != 15 {
		return dst, false
	}
	if a.class[in.Form] == fcISB {
		return append(dst, "isb"...), true
	}
	return append(dst, "clrex"...), true
}

var hints = map[int64]string{0: "nop", 1: "yield", 2: "wfe", 3: "wfi", 4: "sev", 5: "sevl", 6: "dgh", 16: "esb", 17: "psb csync", 19: "gcsb dsync", 20: "csdb",
	22: "clrbhb", 32: "bti", 34: "bti c", 36: "bti j", 38: "bti jc"}

func hint(_ *arch, dst []byte, in *isa.Inst) ([]byte, bool) {
	s, ok := hints[in.Ops[0].Imm]
	return append(dst, s...), ok
}

// systemOp names cache and TLB operations; an unnamed SYS drops a zero register.
func systemOp(a *arch, dst []byte, in *isa.Inst) ([]byte, bool) {
	v := in.Ops[0].Imm<<11 | in.Ops[1].Imm<<7 | in.Ops[2].Imm<<3 | in.Ops[3].Imm
	r := in.Reg(4)
	for _, table := range []string{"ic", "dc", "at", "tlbi"} {
		op, ok := namedValue(table, v)
		if !ok || op.flags != "x" && r != a.r.xzr || op.flags == "x" && r == a.r.xzr {
			continue
		}
		w := a.write(dst, table).text(strings.ToLower(op.name))
		if op.flags == "x" {
			w.reg(r)
		}
		return w.done()
	}
	if r != a.r.xzr {
		return dst, false
	}
	w := a.write(dst, "sys").imm(in.Ops[0].Imm).text("c" + strconv.FormatInt(in.Ops[1].Imm, 10)).text("c" + strconv.FormatInt(in.Ops[2].Imm, 10))
	return w.imm(in.Ops[3].Imm).done()
}

func moveVector(a *arch, dst []byte, in *isa.Inst) ([]byte, bool) {
	if in.Reg(1) != in.Reg(2) {
		return dst, false
	}
	arr := ".8b"
	if a.r.file[in.Reg(0)] == fileQ {
		arr = ".16b"
	}
	w := a.write(dst, "mov")
	for _, r := range []isa.Reg{in.Reg(0), in.Reg(1)} {
		w.sep()
		w.dst = append(a.appendNum(w.dst, "v", r, 0), arr...)
	}
	return w.done()
}

func moveZ(a *arch, dst []byte, in *isa.Inst) ([]byte, bool) {
	if in.Reg(1) != in.Reg(2) {
		return dst, false
	}
	w := a.write(dst, "mov")
	for _, r := range []isa.Reg{in.Reg(0), in.Reg(1)} {
		w.sep()
		w.dst = a.appendNum(w.dst, "z", r, 'd')
	}
	return w.done()
}

// atomicStore: atomic operations without a result are stores (ldadd w0, wzr, [x1] is stadd w0, [x1]).
func atomicStore(a *arch, dst []byte, in *isa.Inst) ([]byte, bool) {
	if !a.constant(in.Reg(0)) {
		return dst, false
	}
	mnem, _, _ := strings.Cut(a.t.Forms.Asm(in.Form, 0), "\t")
	w := a.write(dst, "st"+mnem[2:]).reg(in.Reg(1)).text("[")
	return append(a.appendReg(w.dst, in.Reg(2)), ']'), true
}

// moveLane: dup z0.s, z1.s[0] copies a scalar; other lanes move too.
func moveLane(a *arch, dst []byte, in *isa.Inst) ([]byte, bool) {
	if in.Ops[2].Imm != 0 {
		return renamed("mov")(a, dst, in)
	}
	name := a.t.Forms.Name(in.Form)
	c := name[len(name)-1] | 0x20
	w := a.write(dst, "mov")
	w.sep()
	w.dst = a.appendNum(w.dst, "z", in.Reg(0), int32(c))
	w.sep()
	w.dst = a.appendNum(w.dst, string(rune(c)), in.Reg(1), 0)
	return w.done()
}

// moveMerge: a selection that keeps the destination's other elements is a merging move.
func moveMerge(a *arch, dst []byte, in *isa.Inst) ([]byte, bool) {
	if in.Reg(3) != in.Reg(0) {
		return dst, false
	}
	name := a.t.Forms.Name(in.Form)
	c := int32(name[len(name)-1] | 0x20)
	w := a.write(dst, "mov")
	w.sep()
	w.dst = a.appendNum(w.dst, "z", in.Reg(0), c)
	w.sep()
	w.dst = append(a.appendNum(w.dst, "p", in.Reg(1), 0), "/m"...)
	w.sep()
	w.dst = a.appendNum(w.dst, "z", in.Reg(2), c)
	return w.done()
}

// predicateLogic: moves and complements of predicates.
func predicateLogic(a *arch, dst []byte, in *isa.Inst) ([]byte, bool) {
	d, g, n, m := in.Reg(0), in.Reg(1), in.Reg(2), in.Reg(3)
	mnem, qual := "mov", ""
	switch a.t.Forms.Name(in.Form)[:3] {
	case "ORR":
		if g != n || n != m {
			return dst, false
		}
	case "AND":
		if n != m {
			return dst, false
		}
		qual = "/z"
	case "EOR":
		if m != g {
			return dst, false
		}
		mnem, qual = "not", "/z"
	default:
		if m != d {
			return dst, false
		}
		qual = "/m"
	}
	w := a.write(dst, mnem)
	w.sep()
	w.dst = a.appendNum(w.dst, "p", d, 'b')
	if qual != "" {
		w.sep()
		w.dst = append(a.appendNum(w.dst, "p", g, 0), qual...)
	}
	w.sep()
	w.dst = a.appendNum(w.dst, "p", n, 'b')
	return w.done()
}

// patternDefault drops the pattern "all".
func patternDefault(a *arch, dst []byte, in *isa.Inst) ([]byte, bool) {
	if in.Ops[1].Imm != patternAll {
		return dst, false
	}
	return trimPattern(a.expand(dst, a.template(in.Form), in)), true
}

func trimPattern(dst []byte) []byte {
	return dst[:len(dst)-len(", all")]
}
