package x86

import (
	"slices"
	"strings"

	"incore/internal/isa"
)

// Vector instructions that apply one operation to every element, by mnemonic without the prefix "v": floating-point operations without the
// suffix of the type, integer operations and moves.
var (
	wideFloats = strings.Fields("add sub mul div sqrt min max fmadd132 fmadd213 fmadd231 fmsub132 fmsub213 fmsub231 fnmadd132 fnmadd213 fnmadd231 fnmsub132 fnmsub213 fnmsub231")
	wideLogic  = strings.Fields("andps andpd andnps andnpd orps orpd xorps xorpd pand pandn por pxor")
	wideInts   = strings.Fields("paddb paddw paddd paddq psubb psubw psubd psubq pmullw pmulld pminsb pminsw pminsd pminub pminuw pminud pmaxsb pmaxsw pmaxsd pmaxub pmaxuw pmaxud " +
		"pabsb pabsw pabsd psllw pslld psllq psrlw psrld psrlq psraw psrad paddsb paddsw paddusb paddusw psubusb psubusw pavgb pavgw")
	wideMoves = map[string]string{"movaps": "movups", "movapd": "movupd", "movups": "movups", "movupd": "movupd", "movdqa": "movdqu", "movdqu": "movdqu", "lddqu": "movdqu"}
)

// wider returns the same operation on vectors of the given width; times is the ratio of the widths. It is 0 for copies and logic operations on
// xmm registers, which scalar code uses, too.
func (w *rewriter) wider(in *isa.Inst, bits int) (out isa.Inst, times int, ok bool) {
	if w.a.Forms.Flags(in.Form)&(isa.MaskMerge|isa.MaskZero|isa.EVEXb) != 0 {
		return isa.Inst{}, 0, false
	}
	m, operands := w.text(in)
	had := w.a.VectorBits(in)
	if had == 0 {
		return *in, 1, !strings.Contains(operands, "%xmm")
	}
	vex := strings.HasPrefix(m, "v")
	if m = strings.TrimPrefix(m, "v"); !vex && len(m) < 3 {
		return isa.Inst{}, 0, false
	}
	m, element, ok := widerName(m, operands)
	if !ok || element > 0 && bits <= element || element == 0 && bits <= had {
		return isa.Inst{}, 0, false
	}
	times = bits / had
	if element > 0 {
		times = bits / element
	}
	if neutral := slices.Contains(wideLogic, m) || strings.HasPrefix(m, "mov") && in.NOps == 2; neutral && had == 128 {
		times = 0
	}
	list := strings.Split(operands, ", ")
	if !vex && in.NOps >= 3 && in.Reg(1) == in.Reg(0) && in.Reg(0) != isa.NoReg { // VEX needs the tied source as an operand
		list = append(list, list[len(list)-1])
	}
	if m == "movdqu" && bits == 512 {
		m = "movdqu64"
	}
	if bits == 512 && (m == "pand" || m == "por" || m == "pxor" || m == "pandn") {
		m += "q"
	}
	text := widerRegs(strings.Join(list, ", "), bits)
	out, ok = w.parse("v" + m + " " + text)
	return out, times, ok
}

// widerName returns the mnemonic of the packed operation, without "v"; element is the width of a scalar instruction's element, 0 for packed instructions.
func widerName(m, operands string) (name string, element int, ok bool) {
	if m == "movss" || m == "movsd" {
		if !strings.Contains(operands, "(") {
			return "", 0, false // moves between registers merge
		}
		return map[string]string{"movss": "movups", "movsd": "movupd"}[m], map[string]int{"movss": 32, "movsd": 64}[m], true
	}
	if n := wideMoves[m]; n != "" {
		return n, 0, true
	}
	if slices.Contains(wideLogic, m) || slices.Contains(wideInts, m) {
		return m, 0, true
	}
	if len(m) < 4 || !slices.Contains(wideFloats, m[:len(m)-2]) {
		return "", 0, false
	}
	switch base := m[:len(m)-2]; m[len(m)-2:] {
	case "ss":
		return base + "ps", 32, true
	case "sd":
		return base + "pd", 64, true
	case "ps", "pd":
		return m, 0, true
	}
	return "", 0, false
}

// widerRegs replaces a statement's vector registers by registers of the given width.
func widerRegs(operands string, bits int) string {
	to := map[int]string{128: "%xmm", 256: "%ymm", 512: "%zmm"}[bits]
	return strings.NewReplacer("%xmm", to, "%ymm", to).Replace(operands)
}
