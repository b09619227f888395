package host

import (
	"encoding/binary"
	"errors"
	"fmt"
	"syscall"
)

// A Program is a complete executable that runs pieces of code one after another, without a tracer: what is left of measuring
// under an emulator. Faults and illegal instructions end the piece that made them. It tells no time.
type Program struct {
	ELF []byte
	// Bodies are where each piece lies: from its first instruction to behind its last, without what closes the loop around it.
	Bodies []Span
	pieces int
}

// Span is a range of addresses.
type Span struct{ Start, Size uint64 }

// Outcome is what became of a piece of code.
type Outcome struct {
	Signal   syscall.Signal // that ended it; 0: none
	PC, Addr uint64         // where it was, and the address that the signal is about
	Left     uint64         // of its trips: 0 if it ran to its end
	Done     bool           // its turn came
}

// The words of an outcome.
const (
	outSignal = 8 * iota
	outPC
	outAddr
	outLeft
	outDone
	outcomeBytes
)

// Offsets in the control page of such a program.
const (
	ctlAfter   = 64  // where to go on after a signal
	ctlOutcome = 72  // the present piece's outcome
	ctlAction  = 128 // struct sigaction
	ctlStack   = 256 // stack_t
)

const (
	signalStack = 0x10000 // size of the stack that signals are handled on
	startStack  = 1024    // bytes of the stack that the program writes out first: they hold the auxiliary vector
)

// Padding is an environment variable that makes the stack at least as large.
var Padding = fmt.Sprintf("PADDING=%*d", startStack, 0)

// Numbers of system calls that AArch64 and RISC-V have in common (asm-generic/unistd.h).
const (
	sysWrite       = 64
	sysExit        = 93
	sysSigaltstack = 132
	sysSigaction   = 134
)

// contextPC is the offset of the program counter in struct ucontext: behind flags, link, stack, a signal mask of 128 bytes, and on
// AArch64 the fault address, 31 registers and the stack pointer.
const (
	armContextPC   = 176 + 8 + 31*8 + 8
	riscvContextPC = 176
)

// Batch makes a program of pieces of code for an architecture, as Go calls it: each is laid out Short.Copies times and
// run Short.Trips times in a loop that its register Counter counts. memory are the addresses that they may access; the
// words at filled.Start are set to the piece's Fill before each.
func Batch(arch string, codes []*Code, filled uint64, memory ...Span) (*Program, error) {
	var m *machine
	var d driver
	pc := int64(armContextPC)
	switch arch {
	case "arm64":
		m, d = &arm64, &armDriver{buffer{base: arm64.code}}
	case "riscv64":
		m, d, pc = &riscv64, &riscvDriver{buffer{base: riscv64.code}}, riscvContextPC
	default:
		return nil, fmt.Errorf("no programs for %s", arch)
	}
	p := &Program{pieces: len(codes)}
	l := &layout{driver: d, m: m, data: filled}
	l.t0, l.t1, l.t2 = d.free()
	over := d.address(l.t0)
	d.jumpTo(l.t0)
	handler := d.here()
	l.handler(pc)
	over(d.here())
	d.writeStack(startStack)
	stack := m.results() + uint64(len(codes)*outcomeBytes)
	l.catch(handler, stack)
	for i, c := range codes {
		if c.Counter < 0 {
			return nil, errors.New("the loop needs a register")
		}
		p.Bodies = append(p.Bodies, l.piece(c, m.results()+uint64(i*outcomeBytes)))
	}
	d.call(sysWrite, 1, m.results(), uint64(len(codes)*outcomeBytes))
	d.call(sysExit, 0)
	p.ELF = m.file(d.contents(), append([]Span{{m.control, stack + signalStack - m.control}}, memory...))
	return p, nil
}

// handler emits what handles signals: it notes which, where and about what address, and goes on with the next piece.
// The kernel calls it with the signal's number, siginfo and context in the driver's registers.
func (l *layout) handler(pc int64) {
	const siginfoAddr = 16
	at := l.t2 + 1
	l.constant(at, l.m.control+ctlOutcome)
	l.load(at, at, 0)
	l.store(l.t0, at, outSignal)
	l.load(l.t0, l.t2, pc)
	l.store(l.t0, at, outPC)
	l.load(l.t0, l.t1, siginfoAddr)
	l.store(l.t0, at, outAddr)
	l.constant(at, l.m.control+ctlAfter)
	l.load(at, at, 0)
	l.jumpTo(at)
}

// catch registers the handler for the signals that code can raise, on a stack of its own.
func (l *layout) catch(handler, stack uint64) {
	const siginfo, onStack, noDefer, maskBytes = 4, 0x08000000, 0x40000000, 8
	for off, v := range map[int64]uint64{ctlAction: handler, ctlAction + 8: siginfo | onStack | noDefer, ctlStack: stack, ctlStack + 16: signalStack} {
		l.constant(l.t0, v)
		l.constant(l.t1, l.m.control)
		l.store(l.t0, l.t1, off)
	}
	l.call(sysSigaltstack, l.m.control+ctlStack, 0)
	for _, s := range []syscall.Signal{syscall.SIGILL, syscall.SIGTRAP, syscall.SIGBUS, syscall.SIGFPE, syscall.SIGSEGV} {
		l.call(sysSigaction, uint64(s), l.m.control+ctlAction, 0, maskBytes)
	}
}

// piece lays out one piece with what notes its outcome.
func (l *layout) piece(c *Code, outcome uint64) Span {
	after := l.address(l.t0)
	l.constant(l.t1, l.m.control)
	l.store(l.t0, l.t1, ctlAfter)
	l.constant(l.t0, outcome)
	l.store(l.t0, l.t1, ctlOutcome)
	own := *c
	own.Regs[c.Counter] = uint64(c.Short.Trips)
	l.c = &own
	l.state(&own, l.data)
	body := Span{l.here(), uint64(len(c.Bytes) * c.Short.Copies)}
	l.copies(Run{c.Short.Copies, max(2, c.Short.Trips)})
	l.constant(l.t1, outcome)
	l.store(c.Counter, l.t1, outLeft)
	after(l.here())
	l.constant(l.t1, outcome)
	l.constant(l.t0, 1)
	l.store(l.t0, l.t1, outDone)
	return body
}

// Outcomes reads what the program wrote: the words that say which features the CPU has (see Hwcap), and what became of each piece.
func (p *Program) Outcomes(out []byte) (hwcap, hwcap2 uint64, o []Outcome, err error) {
	if len(out) != startStack+p.pieces*outcomeBytes {
		return 0, 0, nil, fmt.Errorf("the program wrote %d bytes instead of %d", len(out), startStack+p.pieces*outcomeBytes)
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(out[i:]) }
	i := 8 // argc, then arguments and environment, each ended by a zero
	for range 2 {
		for ; i+8 < startStack && word(i) != 0; i += 8 {
		}
		i += 8
	}
	hwcap, hwcap2 = hwcaps(out[min(i, startStack):startStack])
	for at := startStack; at < len(out); at += outcomeBytes {
		o = append(o, Outcome{syscall.Signal(word(at + outSignal)), word(at + outPC), word(at + outAddr), word(at + outLeft), word(at+outDone) != 0})
	}
	return hwcap, hwcap2, o, nil
}

// file makes an executable that starts at its first instruction, with memory of zeros at other addresses.
func (m *machine) file(code []byte, zeros []Span) []byte {
	const align, header, entry = 0x10000, 64, 56
	b := make([]byte, align, align+len(code))
	m.header(b, m.code, 1+len(zeros))
	segment := func(i int, flags uint32, off uint64, s Span, inFile uint64) {
		h := b[header+i*entry:]
		le := binary.LittleEndian
		le.PutUint32(h, 1) // PT_LOAD
		le.PutUint32(h[4:], flags)
		for k, v := range []uint64{off, s.Start, s.Start, inFile, s.Size, align} {
			le.PutUint64(h[8+8*k:], v)
		}
	}
	segment(0, 5, align, Span{m.code, uint64(len(code))}, uint64(len(code)))
	for i, s := range zeros {
		segment(1+i, 6, s.Start%align, s, 0)
	}
	return append(b, code...)
}
