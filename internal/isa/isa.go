// Package isa describes instruction sets: registers, instruction forms, and the effects of instructions on registers and memory. The data comes from
// LLVM's TableGen descriptions, in tables that are read in place; each ISA (isa/x86, isa/aarch64, isa/riscv) adds the parts that LLVM implements in
// C++.
package isa

import (
	"fmt"
	"strings"
	"unicode"

	"incore/internal/base/blob"
)

// ISA is an instruction set: tables and a few functions. A nil function means that the ISA lacks the capability.
type ISA struct {
	Name     string   // "x86-64", "aarch64", "riscv64"
	Aliases  []string // other names and target-triple prefixes ("amd64", "arm64")
	Syntaxes []string // assembly syntaxes, the default first: "att", "intel"; one entry "" elsewhere
	// LineComments are the sequences that start a comment anywhere in a line. HashLine: '#' starts a comment only at a line's start (A64, where it
	// marks immediates).
	LineComments []string
	HashLine     bool
	Separators   string // characters that separate statements on a line (";")
	// Modes are the directives that change the syntax for Parse: to a syntax other than Syntaxes (".option pic"), back to one of Syntaxes, to a
	// processor mode outside this instruction set (OtherMode), or back from it to the earlier syntax ("").
	Modes map[string]string

	Forms *FormTable
	Regs  *RegTable
	Match *MatchTable

	// Vector returns the register of a name that operands use only with an arrangement (v1 of "v1.2d"); nil = there are none.
	Vector func(name string) Reg

	// Scalable are the beginnings of the names of the register classes whose length is the core's (SVE, RVV).
	Scalable []string

	// Parse resolves one assembly statement (no label, no comment) and appends its instruction, or the instructions of a pseudo-instruction, to dst.
	// On failure the error, a *SyntaxError, describes the mistake in the statement.
	Parse func(dst []Inst, stmt, syntax string) ([]Inst, error)
	// Prefix reports whether a statement consists only of prefixes of the next statement's instruction ("lock;"). nil: the ISA has none.
	Prefix func(stmt string) bool
	// Print appends the instruction's text in GNU syntax.
	Print func(dst []byte, in *Inst, syntax string) []byte
	// Decode reads one instruction at code[0]; addr is its address (for branch targets, which become absolute immediates). It returns the number of
	// bytes; with an error, the number of bytes after which an instruction may begin again (0: not known).
	Decode func(code []byte, addr uint64, in *Inst) (int, error)
	// Canonical returns the form to which the text of a decoded instruction resolves, if several encodings have the same text and operands (x86: mov
	// %rax, %rbx as 89 and 8b); nil if there are none.
	Canonical func(f FormID) FormID
	// Shrinks says that assemblers choose shorter forms of instructions than Encode does (compressed ones), so that a text does not tell the size of its code.
	Shrinks bool
	// Encode appends the machine code of an instruction located at addr.
	Encode func(dst []byte, in *Inst, addr uint64) ([]byte, error)
	// Refine completes Effects (see there).
	Refine func(in *Inst, e *Effects)
	// Flow returns the kind of control flow of an instruction.
	Flow func(in *Inst) Flow
	// JumpTable recognises the table of the indirect jump that ends code, from the instructions before it, which are in address order even if jumps
	// lie between them.
	JumpTable func(code []Line) (t JumpTable, ok bool)
	// Context fills in facts that depend on earlier instructions (RISC-V vtype). With loop, the code is a loop body: the state at its end is in force
	// at its start.
	Context func(code []Inst, loop bool)
	// Configure returns the vector configuration (RISC-V vtype) after an instruction from the one before it, and whether the instruction's effects or
	// costs depend on it; nil: the instruction set has none.
	Configure func(in *Inst, before VType) (after VType, uses bool)
	// Reserved says why the specification reserves an instruction with these operands and this configuration, so that
	// no core need execute it ("" if it does not); nil: the instruction set knows none.
	Reserved func(in *Inst) string
	// SchedClass returns the scheduling class of an instruction where it depends on more than
	// the form (RISC-V vectors: LMUL and SEW in Inst.VType); nil means Forms.SchedClass.
	SchedClass func(in *Inst) int
	// AccessType returns the vector type whose elements are as wide as those that a load or store moves and that has as many registers for each of its
	// fields: the cost of vle32.v under e16 and m1 is that under e32 and m2. Of other instructions it is the type in force; nil: it always is.
	AccessType func(in *Inst) VType
	// ZeroIdiom and DepBreaking report whether an instruction's result does not depend on its register operands. They judge by the instruction alone;
	// the model states whether a core makes use of it.
	ZeroIdiom   func(in *Inst) bool
	DepBreaking func(in *Inst) bool
	// Exchanges reports whether an instruction does nothing but exchange two whole registers, so that each result depends on the other register alone.
	Exchanges func(in *Inst) bool
	// LoadsHalves reports whether an instruction loads the low half of a register and the next one its high half, so that together they overwrite it.
	LoadsHalves func(low, high *Inst) bool
	// RegMove reports whether an instruction copies a register unchanged to another of the same kind, which a core may do at rename.
	RegMove func(in *Inst) (dst, src Reg, ok bool)
	// AddImm reports whether an instruction computes dst = src + imm in full address width, copies included (imm 0). Memory analyses use it to follow
	// base registers.
	AddImm func(in *Inst) (dst, src Reg, imm int64, ok bool)
	// Float describes the floating-point work of an instruction; nil if it is not known.
	Float func(in *Inst) Float
	// OneElement reports whether an instruction whose operands are vector registers works on one element of them (addsd, movd); nil if there are none such.
	OneElement func(in *Inst) bool
	// Semantics describes the integer arithmetic of the instructions; nil if it is not known.
	Semantics *Semantics
	// FusesWith returns the kind of a pair of adjacent instructions that some cores fuse (x86: "cmp+jcc" …; A64: "cmp+b.cond", "adrp+add" …); the
	// model lists the kinds that its core fuses.
	FusesWith func(first, second *Inst) (kind string)
	// FusesFirst returns the kind of pair that an instruction can begin if a suitable second one follows; "" for none.
	FusesFirst func(first *Inst) (kind string)
	// CopyPrefix tells whether, and how, an instruction only prepares the destination of the next one (A64: movprfx).
	CopyPrefix func(first, second *Inst) CopyPrefix
	// JoinsMove reports whether an instruction is an operation that cores fuse with a preceding register move into its first operand; dst is the
	// move's destination. Its second operand, if any, is another register or a constant.
	JoinsMove func(in *Inst, dst Reg) bool
	// LengthChanging reports whether a prefix changes the length of the instruction's immediate (x86: 16-bit immediates).
	LengthChanging func(in *Inst) bool
	// OpcodeOffset returns the number of bytes before the opcode (prefixes).
	OpcodeOffset func(in *Inst) int
	// VectorBits returns the size in bits of the widest vector register of an instruction, 0 if it has none; nil if vector registers have no fixed
	// size.
	VectorBits func(in *Inst) int
	// RegFile returns the physical register file of a register, if cores rename it; nil: not known.
	RegFile func(r Reg) (k RegFileKind, ok bool)
	// OnRegisterStack reports whether a form works on a stack of registers (x87). nil: there is none.
	OnRegisterStack func(f FormID) bool
	// EncodedConstants returns the number of 32-bit words of constants (immediates, displacements; not branch targets) in the encoding; shorter
	// constants count as one.
	EncodedConstants func(in *Inst) int
	// Apart returns the part of a register, or of the flags, that some cores rename separately and that r is. nil: there are no such parts.
	Apart func(r Reg) Part
	// StackPointer reports whether a register is the one that push and pop use.
	StackPointer func(r Reg) bool
	// Offsets reports whether an instruction adds a constant to a register operand, or can do so at no cost: the source of a move, the base of an
	// address. nil: not known.
	Offsets func(in *Inst, op int) bool
	// FramePointer reports whether a register is the one that unoptimised code uses to address its variables.
	FramePointer func(r Reg) bool
	// Displaced reports whether an encoded address with this base register always has a displacement, possibly 0 (x86: rbp, r13). nil: there are
	// none.
	Displaced func(base Reg) bool
	// AlignsToBytes: the directive .align takes a number of bytes; false: a power of two.
	AlignsToBytes bool
	// ShiftsIndex: some cores shift or extend an index register by an operation before the access.
	ShiftsIndex bool
	// Rewrites are the equivalent forms of instructions.
	Rewrites Rewrites
	// Outside returns the reason why an instruction's time does not depend on the core alone ("enters the kernel"); "" for most.
	Outside func(in *Inst) string
	// Constant reports whether a register never carries a dependence (XZR, X0, RIP).
	Constant func(r Reg) bool
}

// RegFileKind is a file of physical registers.
type RegFileKind uint8

// The register files.
const (
	IntegerFile RegFileKind = iota
	VectorFile
	FlagFile
	NumRegFiles
)

// Part is a part of a register or of the flags that some cores rename separately.
type Part uint8

// The parts.
const (
	NoPart    Part = iota
	HighByte       // the second byte of a register
	CarryFlag      // separate from the other flags
)

// CopyPrefix is the way in which an instruction prepares the destination of the next one.
type CopyPrefix uint8

// The values of CopyPrefix.
const (
	NoCopy      CopyPrefix = iota
	PlainCopy              // copies a register
	ZeroingCopy            // copies the elements that a predicate selects, and zeroes the others
	MergingCopy            // copies the elements that a predicate selects
)

// FlowKind is the effect of an instruction on control flow.
type FlowKind uint8

// The kinds of control flow.
const (
	FlowNext FlowKind = iota // falls through
	FlowJump                 // unconditional
	FlowCond                 // conditional branch
	FlowCall
	FlowReturn
	FlowIndirect // jump through a register or memory
	FlowTrap     // does not return (ud2, brk, hlt)
)

// Flow is the control flow of one instruction.
type Flow struct {
	Kind   FlowKind
	Target Operand // OpExpr (label) or OpImm (absolute address); OpNone if unknown
}

// OtherMode is the mode of code for another instruction set (ISA.Modes).
const OtherMode = "other"

// SyntaxError is a statement that could not be resolved to a form.
type SyntaxError struct {
	Stmt    string
	Col     int      // 1-based column within Stmt, 0 unknown
	Msg     string   // the mistake
	Nearest []string // nearest known mnemonics or forms, best first
	Unknown bool     // the mnemonic itself does not exist (else: its operands do not fit)
}

// longest is the largest length in bytes of a statement in messages and reports.
const longest = 400

// Brief returns a statement for messages and reports: with single blanks, without control characters, and cut off if it is too long for an
// instruction.
func Brief(stmt string) string {
	if len(stmt) > 4*longest { // with room for blanks that go
		stmt = stmt[:4*longest]
	}
	s := strings.ToValidUTF8(strings.Join(strings.Fields(stmt), " "), "�")
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) { // such as escapes that a terminal obeys
			return unicode.ReplacementChar
		}
		return r
	}, s)
	if len(s) > longest {
		s = strings.ToValidUTF8(s[:longest], "") + "…"
	}
	return s
}

func (e *SyntaxError) Error() string {
	s := e.Msg + " in '" + Brief(e.Stmt) + "'"
	if len(e.Nearest) > 0 {
		s += " (nearest: " + e.Nearest[0]
		for _, n := range e.Nearest[1:] {
			s += ", " + n
		}
		s += ")"
	}
	return s
}

// Load opens an ISA's embedded tables; damage is a programming error and panics.
func Load(data string) (*FormTable, *RegTable, *MatchTable) {
	b := blob.MustOpen(data)
	return newFormTable(b), newRegTable(b), newMatchTable(b)
}

// FormName returns the form name of an instruction, "?" if unknown.
func (a *ISA) FormName(in *Inst) string {
	if in.Form == NoForm {
		return "?"
	}
	return a.Forms.Name(in.Form)
}

// OneStatement returns an error if a separator splits a text: what follows ';' is another statement, or a comment for
// Parse with Intel's syntax. A prefix may stand as a statement of its own ("lock; incq (%rax)").
func (a *ISA) OneStatement(text string) error {
	before, after, more := strings.Cut(text, ";")
	if !more || strings.TrimSpace(after) == "" || a.Prefix != nil && a.Prefix(before) {
		return nil
	}
	return fmt.Errorf("not one statement without a comment: ';' separates '%s' from '%s'", Brief(strings.TrimSpace(before)), Brief(strings.TrimSpace(after)))
}
