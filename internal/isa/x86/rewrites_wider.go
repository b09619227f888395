package x86

import (
	"slices"
	"strings"

	"incore/internal/isa"
)

// Instructions of vectors that do the same to every element, by mnemonic without "v" in front: these before the type of floating-point
// elements, and those of integers.
var (
	wideFloats = strings.Fields("add sub mul div sqrt min max fmadd132 fmadd213 fmadd231 fmsub132 fmsub213 fmsub231 fnmadd132 fnmadd213 fnmadd231 fnmsub132 fnmsub213 fnmsub231")
	wideLogic  = strings.Fields("andps andpd andnps andnpd orps orpd xorps xorpd pand pandn por pxor")
	wideInts   = strings.Fields("paddb paddw paddd paddq psubb psubw psubd psubq pmullw pmulld pminsb pminsw pminsd pminub pminuw pminud pmaxsb pmaxsw pmaxsd pmaxub pmaxuw pmaxud " +
		"pabsb pabsw pabsd psllw pslld psllq psrlw psrld psrlq psraw psrad paddsb paddsw paddusb paddusw psubusb psubusw pavgb pavgw")
	wideMoves = map[string]string{"movaps": "movups", "movapd": "movupd", "movups": "movups", "movupd": "movupd", "movdqa": "movdqu", "movdqu": "movdqu", "lddqu": "movdqu"}
)

// wider is the same operation on a vector of so many bits. What copies, zeroes or masks a whole register is a part of scalar code, too, and its times is 0.
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
	if !vex && in.NOps >= 3 && in.Reg(1) == in.Reg(0) && in.Reg(0) != isa.NoReg { // its first operand is its result
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

// widerName is the mnemonic for whole vectors, without "v", and the bits of an element that the instruction is for if it is for one.
func widerName(m, operands string) (name string, element int, ok bool) {
	if m == "movss" || m == "movsd" {
		if !strings.Contains(operands, "(") {
			return "", 0, false // between registers they merge
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

// widerRegs puts registers of so many bits in place of the vector registers of a statement.
func widerRegs(operands string, bits int) string {
	to := map[int]string{128: "%xmm", 256: "%ymm", 512: "%zmm"}[bits]
	return strings.NewReplacer("%xmm", to, "%ymm", to).Replace(operands)
}
