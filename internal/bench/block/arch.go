package block

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"incore/internal/bench/feature"
	"incore/internal/bench/host"
	"incore/internal/isa"
	"incore/internal/isa/aarch64"
	"incore/internal/isa/riscv"
	"incore/internal/isa/x86"
)

// Arch holds the properties of an instruction set that running machine code needs in addition to its tables.
type Arch struct {
	ISA *isa.ISA
	// counter is the number of the register in which the driver's loop counts by default; -1 if it needs none.
	counter int
	VType   isa.VType // of RISC-V's vectors, that code runs under
	goarch  string    // named as in GOARCH
	names   []string  // of the general-purpose registers in assembly, by number in encodings
	regs    []isa.Reg // general-purpose registers by number
	stack   int       // the stack pointer's number
	// loopWrites are the parts of the flags that the driver's loop writes, unless it counts in loopCounter.
	loopWrites  map[isa.Reg]bool
	loopCounter isa.Reg
	root        []isa.Reg                       // register → the general-purpose register that contains it, NoReg if there is none
	masks       func(*isa.ISA, *isa.Inst) masks // an instruction's; nil where no instruction has any
}

// AMD64 describes x86-64.
var AMD64 = sync.OnceValue(func() *Arch {
	return (&Arch{ISA: x86.ISA(), goarch: "amd64", counter: -1, stack: 4, loopWrites: map[isa.Reg]bool{x86.OF: true, x86.SPAZ: true}, loopCounter: x86.RCX, masks: x86Masks,
		names: strings.Fields("rax rcx rdx rbx rsp rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15")}).prepare()
})

// ARM64 describes AArch64.
var ARM64 = sync.OnceValue(func() *Arch {
	return (&Arch{ISA: aarch64.ISA(), goarch: "arm64", counter: 28, stack: 31, names: append(numbered("x", 31), "sp")}).prepare()
})

// RISCV64 describes 64-bit RISC-V. Vectors have single registers (LMUL 1) of 32-bit elements.
var RISCV64 = sync.OnceValue(func() *Arch {
	return (&Arch{ISA: riscv.ISA(), goarch: "riscv64", counter: 31, stack: 2, names: numbered("x", 32), VType: isa.VType{SEW: 32}}).prepare()
})

// numbered returns the names of n registers, by number.
func numbered(prefix string, n int) (out []string) {
	for i := range n {
		out = append(out, prefix+strconv.Itoa(i))
	}
	return out
}

// prepare fills the tables that depend on the register table.
func (a *Arch) prepare() *Arch {
	rt := a.ISA.Regs
	a.root = make([]isa.Reg, rt.Len())
	for _, n := range a.names {
		r := rt.Spelled(n)
		a.regs = append(a.regs, r)
		a.root[r] = r
		subs := rt.Subs(r)
		for i := range subs.Len() {
			a.root[subs.At(i)] = r
		}
	}
	return a
}

// archs lists the instruction sets of machines that can be measured.
var archs = []func() *Arch{AMD64, ARM64, RISCV64}

// Native returns the instruction set of this machine, or an error if nothing can be measured on it.
func Native() (*Arch, error) {
	for _, a := range archs {
		if a := a(); a.goarch == host.Arch {
			return a, nil
		}
	}
	return nil, fmt.Errorf("nothing can be measured on %s: measuring is for amd64, arm64 and riscv64", host.Arch)
}

// of returns the properties of an instruction set, nil for other sets.
func of(set *isa.ISA) *Arch {
	for _, a := range archs {
		if a := a(); a.ISA.Name == set.Name {
			return a
		}
	}
	return nil
}

// Number returns the encoding number of a full-width general-purpose register, -1 for other registers.
func (a *Arch) Number(r isa.Reg) int {
	if r == isa.NoReg {
		return -1
	}
	return slices.Index(a.regs, r)
}

// Numbers returns the encoding numbers of the general-purpose registers by their assembly names, without those that are
// always zero.
func (a *Arch) Numbers() map[string]int {
	out := map[string]int{}
	for i, n := range a.names {
		if !a.constant(a.regs[i]) {
			out[n] = i
		}
	}
	return out
}

// constant reports whether a register always holds the same value.
func (a *Arch) constant(r isa.Reg) bool { return a.ISA.Constant != nil && a.ISA.Constant(r) }

// Code returns machine code with the initial state of a setup and a vector configuration. It sets Counter if the driver
// needs a register.
func (a *Arch) Code(code []byte, s Setup, v isa.VType) *host.Code {
	c := initial(code, s)
	a.configure(c, a.counter, v)
	return c
}

// configure completes code for the driver: the register that the driver may use, the vector configuration, and whether
// its loop must preserve the flags.
func (a *Arch) configure(c *host.Code, counter int, v isa.VType) {
	c.Counter, c.Vectors, c.VType = counter, scalable(), vtypeBits(v)
	carries, free := a.carriesFlags(c.Bytes)
	c.KeepFlags = carries && free
}

// scalable reports whether this machine has scalable vector registers.
func scalable() bool {
	has := feature.Here()
	return has["sve"] || has["v"]
}

// vtypeBits returns a vector configuration in RISC-V's encoding; tail and masked-off elements are agnostic.
func vtypeBits(v isa.VType) uint32 {
	sew := map[uint8]uint32{8: 0, 16: 1, 32: 2, 64: 3}[v.SEW]
	return 0xc0 | sew<<3 | uint32(v.LMUL)
}

// carriesFlags reports whether machine code reads flags that its previous execution left and that the driver's loop
// would write; and whether the code leaves the register unused in which a loop can count without writing flags.
func (a *Arch) carriesFlags(code []byte) (carries, counter bool) {
	if a.loopWrites == nil {
		return false, true
	}
	written, early := map[isa.Reg]bool{}, map[isa.Reg]bool{} // flags that the code writes; flags that it reads before it writes them
	counter = true
	var e isa.Effects
	for at := 0; at < len(code); {
		var in isa.Inst
		n, err := a.ISA.Decode(code[at:], uint64(at), &in)
		if err != nil {
			return false, false
		}
		at += n
		a.ISA.Effects(&in, &e)
		for _, r := range e.Reads {
			counter = counter && a.root[r.Reg] != a.loopCounter
			if a.loopWrites[r.Reg] && !written[r.Reg] {
				early[r.Reg] = true
			}
		}
		for _, w := range e.Writes {
			counter = counter && a.root[w.Reg] != a.loopCounter
			written[w.Reg] = true
		}
	}
	for r := range early {
		carries = carries || written[r]
	}
	return carries, counter
}

// unused returns the number of a general-purpose register that machine code does not use, -1 if it uses all.
func (a *Arch) unused(code []byte) int {
	used := map[isa.Reg]bool{}
	var e isa.Effects
	for at := 0; at < len(code); {
		var in isa.Inst
		n, err := a.ISA.Decode(code[at:], uint64(at), &in)
		if err != nil {
			return -1
		}
		at += n
		for i := range int(in.NOps) {
			used[a.root[in.Reg(i)]] = true
			subs := a.ISA.Regs.Subs(in.Reg(i))
			for k := range subs.Len() {
				used[a.root[subs.At(k)]] = true
			}
		}
		a.ISA.Effects(&in, &e)
		for _, list := range [][]isa.Access{e.Reads, e.Writes} {
			for _, x := range list {
				used[a.root[x.Reg]] = true
			}
		}
	}
	for n := len(a.regs) - 1; n >= 0; n-- {
		if r := a.regs[n]; n != a.stack && !used[r] && !a.constant(r) {
			return n
		}
	}
	return -1
}
