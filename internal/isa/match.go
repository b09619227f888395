package isa

import (
	"strings"

	"incore/internal/base/blob"
)

// Kind is an operand kind of the assembly matcher (LLVM's MCK_*): a token, a
// register class, or a predicate on immediates, memory operands and the like.
type Kind uint16

// Step is one step of the construction of MC operands from matched assembly operands.
type Step struct {
	Op  StepOp
	Arg uint16 // render method, immediate or register index, tied MC operand
	Src uint8  // asm operand: 0 is the mnemonic, 1 the first operand or token
}

// StepOp is the kind of a Step.
type StepOp uint8

// The operations of a Step.
const (
	StepRender StepOp = iota // call render method Arg on asm operand Src
	StepImm                  // append immediate Imms[Arg]
	StepReg                  // append register Arg
	StepTied                 // append a copy of MC operand Arg
)

// MatchTable maps (mnemonic, operand kinds) to forms, from LLVM's assembly matcher.
type MatchTable struct {
	mnem     blob.Strings // sorted
	kinds    blob.Strings
	preds    blob.Strings // kind → LLVM predicate ("isUImmScaled<12, 8>"), "" for tokens and registers
	tokens   blob.Strings // literal tokens, sorted
	tokKind  blob.U16
	regKind  blob.U16 // register → smallest kind
	super    string   // bit matrix: kind × kind, bit set = column includes row
	renders  blob.Strings
	features blob.Lists   // feature set → predicate indices
	featPred blob.Strings // predicate names
	imms     blob.I64
	conv     blob.Lists // conversion → steps as triples (op, arg, src)
	tied     blob.Lists // conversion → pairs of asm operands that must be equal
	tuples   blob.Lists // kind tuples
	variant  []matchRows
	aliasK   blob.Strings // mnemonic aliases "variant:mnemonic", sorted ("" variant = all)
	aliasV   blob.Strings // target, with "\x00predicate" appended where conditional
}

type matchRows struct {
	start            blob.U32 // mnemonic → first row
	form, conv, feat blob.U16
	tuple            blob.U16
}

// Row is one row of the match table.
type Row struct {
	Form    FormID
	Conv    uint16
	Feature uint16
	Kinds   blob.U16
}

func newMatchTable(b *blob.Blob) *MatchTable {
	t := &MatchTable{mnem: b.Strings("mt.mnem"), kinds: b.Strings("mt.kind"), preds: b.Strings("mt.pred"), tokens: b.Strings("mt.tok"),
		tokKind: b.U16("mt.tokkind"), regKind: b.U16("mt.regkind"), super: b.Raw("mt.super"), renders: b.Strings("mt.render"),
		features: b.Lists("mt.feat"), featPred: b.Strings("mt.featpred"), imms: b.I64("mt.imm"), conv: b.Lists("mt.conv"), tied: b.Lists("mt.tied"),
		tuples: b.Lists("mt.tuple"), aliasK: b.Strings("mt.aliask"), aliasV: b.Strings("mt.aliasv")}
	for v := '0'; ; v++ {
		p := "mt.row" + string(v)
		if len(b.Raw(p+".start")) == 0 {
			break
		}
		t.variant = append(t.variant, matchRows{b.U32(p + ".start"), b.U16(p + ".form"), b.U16(p + ".conv"), b.U16(p + ".feat"), b.U16(p + ".tuple")})
	}
	return t
}

// Mnemonic returns the index of a mnemonic (lower case), -1 if it does not exist.
func (t *MatchTable) Mnemonic(s string) int { return t.mnem.Search(s) }

// Mnemonics returns the number of mnemonics; MnemonicAt returns one.
func (t *MatchTable) Mnemonics() int          { return t.mnem.Len() }
func (t *MatchTable) MnemonicAt(i int) string { return t.mnem.At(i) }

// Variants returns the number of syntax variants.
func (t *MatchTable) Variants() int { return len(t.variant) }

// Rows returns the range of rows of a mnemonic in a syntax variant; rows come in LLVM's order of preference.
func (t *MatchTable) Rows(variant, mnemonic int) (first, end int) {
	if mnemonic < 0 {
		return 0, 0
	}
	s := t.variant[variant].start
	return int(s.At(mnemonic)), int(s.At(mnemonic + 1))
}

// Row returns row i of a variant.
func (t *MatchTable) Row(variant, i int) Row {
	v := &t.variant[variant]
	return Row{FormID(v.form.At(i)), v.conv.At(i), v.feat.At(i), t.tuples.At(int(v.tuple.At(i)))}
}

// NumKinds, KindName and KindPredicate describe operand kinds.
func (t *MatchTable) NumKinds() int               { return t.kinds.Len() }
func (t *MatchTable) KindName(k Kind) string      { return t.kinds.At(int(k)) }
func (t *MatchTable) KindPredicate(k Kind) string { return t.preds.At(int(k)) }

// NumRenders and RenderName describe render methods ("addImmScaledOperands<4>").
func (t *MatchTable) NumRenders() int            { return t.renders.Len() }
func (t *MatchTable) RenderName(r uint16) string { return t.renders.At(int(r)) }

// Token returns the kind of a literal token; ok is false if it is none.
func (t *MatchTable) Token(s string) (k Kind, ok bool) {
	if i := t.tokens.Search(s); i >= 0 {
		return Kind(t.tokKind.At(i)), true
	}
	return 0, false
}

// Includes reports whether every operand of kind sub is also of kind k.
func (t *MatchTable) Includes(k, sub Kind) bool {
	if k == sub {
		return true
	}
	bit := int(sub)*t.kinds.Len() + int(k)
	return t.super[bit>>3]>>(bit&7)&1 != 0
}

// RegIs reports whether a register belongs to a (register class) kind.
func (t *MatchTable) RegIs(r Reg, k Kind) bool {
	s := Kind(t.regKind.At(int(r)))
	return s != 0 && t.Includes(k, s)
}

// Features returns the predicates of a row's feature set.
func (t *MatchTable) Features(f uint16) []string {
	l := t.features.At(int(f))
	out := make([]string, l.Len())
	for i := range out {
		out[i] = t.featPred.At(int(l.At(i)))
	}
	return out
}

// NumFeatures returns the number of feature sets.
func (t *MatchTable) NumFeatures() int { return t.features.Len() }

// Steps calls do for every step of a conversion, in MC operand order, until it returns false.
func (t *MatchTable) Steps(conv uint16, do func(Step) bool) {
	l := t.conv.At(int(conv))
	for i := 0; i < l.Len(); i += 3 {
		if !do(Step{StepOp(l.At(i)), l.At(i + 1), uint8(l.At(i + 2))}) {
			return
		}
	}
}

// Imm returns the constant of a StepImm.
func (t *MatchTable) Imm(arg uint16) int64 { return t.imms.At(int(arg)) }

// TiedPairs returns the pairs of asm operands (1 = first) that must be the same register in a conversion.
func (t *MatchTable) TiedPairs(conv uint16) blob.U16 { return t.tied.At(int(conv)) }

// Aliases calls do for every mnemonic alias: its syntax ("" = all), its replacement and the predicates on which it depends.
func (t *MatchTable) Aliases(do func(syntax, from, to string, preds []string)) {
	for i := 0; i < t.aliasK.Len(); i++ {
		syntax, from, _ := strings.Cut(t.aliasK.At(i), ":")
		f := strings.Split(t.aliasV.At(i), "\x00")
		do(syntax, from, f[0], f[1:])
	}
}

// Alias returns the replacement of a mnemonic by LLVM's mnemonic aliases in a syntax ("att", "intel", "" for ISAs with one), "" if there is none.
// holds decides the predicates of conditional aliases.
func (t *MatchTable) Alias(mnemonic, syntax string, holds func(pred string) bool) string {
	for _, key := range [2]string{syntax + ":" + mnemonic, ":" + mnemonic} {
		i := t.aliasK.Search(key)
		if i < 0 {
			continue
		}
		for i > 0 && t.aliasK.At(i-1) == key {
			i--
		}
	next:
		for ; i < t.aliasK.Len() && t.aliasK.At(i) == key; i++ {
			f := strings.Split(t.aliasV.At(i), "\x00")
			for _, p := range f[1:] {
				if !holds(p) {
					continue next
				}
			}
			return f[0]
		}
	}
	return ""
}
