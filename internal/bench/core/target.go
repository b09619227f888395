package core

import (
	"fmt"
	"slices"
	"strings"

	"incore/internal/isa"
)

// Target is the vocabulary of an instruction set: the statements that the probes consist of. The probes are the same
// for all instruction sets; a probe without statements in a vocabulary finds nothing and reports this.
type Target struct {
	ISA    *isa.ISA
	Values map[int]uint64 // of general-purpose registers that statements rely on, by number
	vtype  isa.VType      // of RISC-V's vectors, in force throughout
	chains []chainPair    // pairs of long chains; the first pair that runs in parallel on this core is used

	nop        string     // long enough that the front end delivers exactly as many per cycle as the core dispatches
	portless   []string   // statements that need no port if the core eliminates copies and recognises zero idioms
	mixes      [][]string // statements for ports of different kinds, used alternately, for cores on which all of portless need a port
	structures []structure
	eliminated []pattern // copies and additions that may cost no time, in chains
	idioms     []pattern // instructions that may not wait for their operand
	latencies  []pattern // chains whose time is a parameter
	effects    []effect  // microbenchmarks of options

	pairSetup []string             // before a chain of pairs
	pair      func(k int) []string // a store and a load of word k, by different registers; the store stores the loaded register

	loadOperation string   // an operation on a loaded value
	pushPop       []string // one that pushes a register, and one that pops another
	moveFused     []string // moves of registers, each with an operation behind it that overwrites its result
	addStack      string   // an addition to the stack pointer that leaves it as it is
	couples       []couple // instructions that may fuse

	jump      string      // to the next instruction
	closing   []string    // a count and a branch that close a loop; its target is set when it is placed
	fillers   []string    // NOPs of every length, for loops in place
	registers []string    // for integers, without those of closing and Values
	simple    []statement // operations on integers: first the plainest, then others that go to fewer ports
	// Operations on vectors, loads of vectors, and moves and zero idioms of vectors, which may need no port; with the numbers of registers.
	vector, loadVector, portlessVector []statement

	nops      map[int]string // by length in bytes: powers of two down to the shortest instruction, and others
	stumbling string         // a 4-byte instruction with a length-changing prefix, which stalls legacy decoders
	slot4     string         // one of 4 bytes that takes a slot of its own and no port, if it is a zero idiom
	instCache int            // KiB: the largest L1 instruction cache that the probe can find
}

// chainPair is a pair of long-latency chains: a link of each, and a statement that makes both chains of the next repetition
// wait for both of this one.
type chainPair struct {
	first, second string
	join          []string
}

// couple is a pair of instructions that may fuse: the last one of first, and second. If second has a condition
// and its opposite, the one that is not taken costs the front end nothing more: the smaller result counts.
type couple struct{ first, second []string }

// pattern is a chain and the parameter that it measures.
type pattern struct {
	name    string
	chain   []string
	links   int      // number of measured links in one execution
	other   string   // for idioms: the other instruction of the chain
	plain   []string // for idioms: ordinary instructions on such registers, used alternately, which need a port
	bounded bool     // something else may limit the time (stores per cycle), so that the figure is only reported
	mean    bool     // the time may alternate (forwarding takes 6 or 7 cycles on Zen 4), so that the next half is the figure
}

// targets lists the vocabularies.
var targets = []func() *Target{X86, ARM64, RISCV64}

// For returns the vocabulary of an instruction set, nil if there is none.
func For(set *isa.ISA) *Target {
	for _, t := range targets {
		if t := t(); t.ISA.Name == set.Name {
			return t
		}
	}
	return nil
}

// Names lists the probes of all instruction sets.
func Names() (names []string) {
	for _, t := range targets {
		for _, p := range Probes(t()) {
			if !slices.Contains(names, p.Name) {
				names = append(names, p.Name)
			}
		}
	}
	return names
}

// tried lists the pairs of chains.
func (t *Target) tried() string {
	var s []string
	for _, c := range t.chains {
		s = append(s, c.first+" and "+c.second)
	}
	return strings.Join(s, "; ")
}

// pad returns NOPs of a number of bytes, the longest first.
func (t *Target) pad(bytes int) (p Program) {
	for bytes > 0 {
		longest := 0
		for n := range t.nops {
			if n <= bytes {
				longest = max(longest, n)
			}
		}
		if longest == 0 {
			return p
		}
		p = append(p, rep(t.nops[longest], bytes/longest))
		bytes %= longest
	}
	return p
}

// statements joins several statements to one line.
func statements(s ...string) string { return strings.Join(s, "; ") }

// conditional lists couples of operations with the jumps for each condition and its opposite, which are adjacent in the list.
func conditional(operations []string, jump func(condition string) string, conditions ...string) (out []couple) {
	for _, o := range operations {
		for i := 0; i+1 < len(conditions); i += 2 {
			out = append(out, couple{[]string{o}, []string{jump(conditions[i]), jump(conditions[i+1])}})
		}
	}
	return out
}

// parse makes the instruction of a statement.
func (t *Target) parse(statement string) (isa.Inst, error) {
	list, err := t.ISA.Parse(nil, statement, t.ISA.Syntaxes[0])
	if err != nil {
		return isa.Inst{}, fmt.Errorf("%s: %w", statement, err)
	}
	if len(list) != 1 {
		return isa.Inst{}, fmt.Errorf("%s: not one instruction", statement)
	}
	list[0].VType = t.vtype
	return list[0], nil
}
