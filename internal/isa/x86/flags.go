package x86

import (
	"strings"

	"incore/internal/isa"
)

// flagSet is a set of the parts of EFLAGS that instructions write separately and that
// cores rename separately (Intel SDM vol. 1, 3.4.3 and appendix A).
type flagSet uint8

const (
	flagCF   flagSet = 1 << iota
	flagOF           // overflow
	flagSPAZ         // sign, parity, auxiliary carry, zero
	flagAll  = flagCF | flagOF | flagSPAZ
)

var flagRegs = [...]struct {
	set flagSet
	reg isa.Reg
}{{flagCF, CF}, {flagOF, OF}, {flagSPAZ, SPAZ}}

// conditionReads lists the flags that the condition codes 0 to 15 (o, no, b, ae, e, ne, be,
// a, s, ns, p, np, l, ge, le, g) depend on.
var conditionReads = [16]flagSet{flagOF, flagOF, flagCF, flagCF, flagSPAZ, flagSPAZ, flagCF | flagSPAZ, flagCF | flagSPAZ,
	flagSPAZ, flagSPAZ, flagSPAZ, flagSPAZ, flagOF | flagSPAZ, flagOF | flagSPAZ, flagOF | flagSPAZ, flagOF | flagSPAZ}

// apart is isa.ISA.Apart: ah, bh, ch, dh, and the carry flag (Intel Optimization Reference Manual, 3.5.2).
func apart(r isa.Reg) isa.Part {
	switch r {
	case AH, BH, CH, DH:
		return isa.HighByte
	case CF:
		return isa.CarryFlag
	}
	return isa.NoPart
}

type flagUse struct{ read, write flagSet }

// flagFamilies holds the instructions that read or write only part of the flags, by the
// beginning of their forms' names. A flag that the manual calls undefined
// counts as written, except if cores are known to keep it (bt: uops.info).
var flagFamilies = map[string]flagUse{
	"INC": {0, flagOF | flagSPAZ}, "DEC": {0, flagOF | flagSPAZ},
	"ADC": {flagCF, flagAll}, "SBB": {flagCF, flagAll},
	"ADCX": {flagCF, flagCF}, "ADOX": {flagOF, flagOF},
	"RCL": {flagCF, flagCF | flagOF}, "RCR": {flagCF, flagCF | flagOF},
	"ROL": {0, flagCF | flagOF}, "ROR": {0, flagCF | flagOF},
	"BT": {0, flagCF}, "BTC": {0, flagCF}, "BTR": {0, flagCF}, "BTS": {0, flagCF},
	"STC": {0, flagCF}, "CLC": {0, flagCF}, "CMC": {flagCF, flagCF}, "SALC": {flagCF, 0},
	"LAHF": {flagCF | flagSPAZ, 0}, "SAHF": {0, flagCF | flagSPAZ},
	"CLI": {}, "STI": {}, "CLAC": {}, "STAC": {}, "CLD": {}, "STD": {}, // other bits of the register
	"LAR": {0, flagSPAZ}, "LSL": {0, flagSPAZ}, "VERR": {0, flagSPAZ}, "VERW": {0, flagSPAZ}, "ARPL": {0, flagSPAZ},
	"LOOPE": {flagSPAZ, 0}, "LOOPNE": {flagSPAZ, 0},
	"CMOVB": {flagCF, 0}, "CMOVNB": {flagCF, 0}, "CMOVE": {flagSPAZ, 0}, "CMOVNE": {flagSPAZ, 0}, // x87
	"CMOVBE": {flagCF | flagSPAZ, 0}, "CMOVNBE": {flagCF | flagSPAZ, 0}, "CMOVP": {flagSPAZ, 0}, "CMOVNP": {flagSPAZ, 0},
}

// family is the part of a form's name before operand sizes and kinds.
func family(name string) string {
	for i := 0; i < len(name); i++ {
		if c := name[i]; c < 'A' || c > 'Z' {
			return name[:i]
		}
	}
	return name
}

// flagsOf computes which flags a form reads and writes, except the flags of its condition.
func (d *database) flagsOf(f isa.FormID, name string) flagUse {
	var u flagUse
	if listed(d.forms.ImplicitUses(f), EFLAGS) {
		u.read = flagAll
	}
	if listed(d.forms.ImplicitDefs(f), EFLAGS) {
		u.write = flagAll
	}
	if strings.HasSuffix(name, "_NF") || d.forms.Flags(f)&isa.EVEXnf != 0 && u.write == 0 {
		return u
	}
	switch fam := family(name); fam {
	case "CMPXCHG":
		if name == "CMPXCHG8B" || name == "CMPXCHG16B" {
			u.write = flagSPAZ
		}
	default:
		if special, ok := flagFamilies[fam]; ok {
			u = special
		}
	}
	// A count of zero leaves the flags as they are, so the old ones are read too.
	if u.write != 0 && (strings.Contains(name, "rCL") || strings.Contains(name, "mCL")) {
		u.read |= u.write
	}
	return u
}

// shiftCount returns which bits of its immediate a shift or rotate uses, 0 for other forms.
func shiftCount(name string) uint8 {
	switch family(name) {
	case "SHL", "SHR", "SAR", "ROL", "ROR", "RCL", "RCR", "SHLD", "SHRD":
	default:
		return 0
	}
	switch {
	case !strings.Contains(name, "i"):
		return 0
	case strings.Contains(name, "64"):
		return 63
	}
	return 31
}

func listed(l interface {
	Len() int
	At(int) uint16
}, r isa.Reg) bool {
	return indexOf(l, r) >= 0
}

func indexOf(l interface {
	Len() int
	At(int) uint16
}, r isa.Reg) int {
	for i := 0; i < l.Len(); i++ {
		if isa.Reg(l.At(i)) == r {
			return i
		}
	}
	return -1
}
