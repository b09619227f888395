package riscv

import (
	"strings"
	"sync"

	"incore/internal/isa"
)

// compressions lists what an assembler makes of instructions when C is there: the compressed
// form, the conditions (operand = operand, register or value) and its MC operands by number
// in the long form. Operands must fit as well; the first row that does wins.
// Source: RISC-V unprivileged ISA, chapter "C" (each compressed instruction's expansion).
const compressions = `
ADDI C_NOP 0=x0,1=x0,2=0
ADDI C_ADDI 0=1 0,1,2
ADDI C_ADDI16SP 0=x2,1=x2 0,1,2
ADDI C_ADDI4SPN 1=x2 0,1,2
ADDI C_LI 1=x0 0,2
ADDI C_MV 2=0 0,1
ADDIW C_ADDIW 0=1 0,1,2
ADDIW C_LI 1=x0 0,2
LUI C_LUI - 0,1
ANDI C_ANDI 0=1 0,1,2
SLLI C_SLLI 0=1 0,1,2
SRLI C_SRLI 0=1 0,1,2
SRAI C_SRAI 0=1 0,1,2
ADD C_MV 1=x0 0,2
ADD C_MV 2=x0 0,1
ADD C_ADD 0=1 0,1,2
ADD C_ADD 0=2 0,2,1
SUB C_SUB 0=1 0,1,2
SUBW C_SUBW 0=1 0,1,2
XOR C_XOR 0=1 0,1,2
XOR C_XOR 0=2 0,2,1
OR C_OR 0=1 0,1,2
OR C_OR 0=2 0,2,1
AND C_AND 0=1 0,1,2
AND C_AND 0=2 0,2,1
ADDW C_ADDW 0=1 0,1,2
ADDW C_ADDW 0=2 0,2,1
LW C_LWSP 1=x2 0,1,2
LD C_LDSP 1=x2 0,1,2
FLD C_FLDSP 1=x2 0,1,2
SW C_SWSP 1=x2 0,1,2
SD C_SDSP 1=x2 0,1,2
FSD C_FSDSP 1=x2 0,1,2
LW C_LW - 0,1,2
LD C_LD - 0,1,2
FLD C_FLD - 0,1,2
SW C_SW - 0,1,2
SD C_SD - 0,1,2
FSD C_FSD - 0,1,2
JAL C_J 0=x0 1
BEQ C_BEQZ 1=x0 0,2
BEQ C_BEQZ 0=x0 1,2
BNE C_BNEZ 1=x0 0,2
BNE C_BNEZ 0=x0 1,2
JALR C_JR 0=x0,2=0 1
JALR C_JALR 0=x1,2=0 1
EBREAK C_EBREAK
UNIMP C_UNIMP`

// compressor replaces instructions by their compressed forms.
type compressor struct {
	*coder
	rows map[isa.FormID][]compression
}

type compression struct {
	short isa.FormID
	when  []condition
	ops   []int
}

// condition is operand op equal to operand other (if other >= 0), or to a register or value.
type condition struct {
	op, other int
	want      isa.Operand
}

var compress = sync.OnceValue(func() *compressor {
	a := ISA()
	regs := newRegisters(a.Regs)
	c := &compressor{coder: newCoder(a, regs, defaultExt), rows: map[isa.FormID][]compression{}}
	for _, line := range strings.Split(strings.TrimSpace(compressions), "\n") {
		f := append(strings.Fields(line), "-", "")
		long, row := a.Forms.Named(f[0]), compression{short: a.Forms.Named(f[1])}
		for _, w := range strings.Split(f[2], ",") {
			if w == "-" {
				continue
			}
			cond := condition{op: int(w[0] - '0'), other: -1}
			switch v := w[2:]; {
			case v[0] == 'x':
				cond.want = reg(regs.x[v[1]-'0'])
			case cond.op == 2 && v == "0":
				cond.want = imm(0)
			default:
				cond.other = int(v[0] - '0')
			}
			row.when = append(row.when, cond)
		}
		for _, o := range strings.FieldsFunc(f[3], func(r rune) bool { return r == ',' || r == '-' }) {
			row.ops = append(row.ops, int(o[0]-'0'))
		}
		c.rows[long] = append(c.rows[long], row)
	}
	return c
})

// Compress replaces an instruction by the compressed one that an assembler for RV64GC
// writes instead, if there is one; it reports whether there was. Branches and jumps to
// symbols are taken to be near enough.
func Compress(in *isa.Inst) bool {
	c := compress()
	for _, row := range c.rows[in.Form] {
		if short, ok := c.try(row, in); ok {
			*in = short
			return true
		}
	}
	return false
}

func (c *compressor) try(row compression, in *isa.Inst) (isa.Inst, bool) {
	for _, w := range row.when {
		want := w.want
		if w.other >= 0 {
			want = in.Ops[w.other]
		}
		if in.Ops[w.op] != want {
			return isa.Inst{}, false
		}
	}
	short := isa.Inst{Form: row.short, VType: in.VType}
	for _, o := range row.ops {
		short.Add(in.Ops[o])
	}
	p := &c.plans[c.Of(row.short)]
	for i := range p.ops {
		if short.Ops[i].Kind == isa.OpExpr && p.ops[i].code == opDistance {
			continue
		}
		if _, err := p.ops[i].value(&short, i, 0, c.regs); err != nil {
			return isa.Inst{}, false
		}
	}
	return short, true
}
