package host

import (
	"encoding/binary"
	"errors"
	"fmt"
	"syscall"
)

// A Program is a complete executable that runs pieces of code one after another, for measurements under an emulator, where
// no tracer is available. A fault or an illegal instruction ends the piece that raised it. A program measures no time.
type Program struct {
	ELF []byte
	// Bodies are the addresses of the pieces: from the first instruction to the end of the last, without the branch of the
	// loop around them.
	Bodies []Span
	pieces int
}

// Span is a range of addresses.
type Span struct{ Start, Size uint64 }

// Outcome is the result of one piece of code.
type Outcome struct {
	Signal   syscall.Signal // the signal that ended the piece; 0: none
	PC, Addr uint64         // the program counter at the signal, and the address that the signal reports
	Left     uint64         // loop trips not yet run; 0 if the piece ran to its end
	Done     bool           // whether the program reached the piece
}

// Indices of the words of an outcome.
const (
	outSignal = 8 * iota
	outPC
	outAddr
	outLeft
	outDone
	outcomeBytes
)

// Offsets in the control page of a batch program.
const (
	ctlAfter   = 64  // address to continue at after a signal
	ctlOutcome = 72  // outcome of the current piece
	ctlAction  = 128 // struct sigaction
	ctlStack   = 256 // stack_t
)

const (
	signalStack = 0x10000 // size of the signal handler's stack
	startStack  = 1024    // bytes of the initial stack that the program writes out first: they hold the auxiliary vector
)

// Padding is an environment variable that makes the initial stack at least startStack bytes large.
var Padding = fmt.Sprintf("PADDING=%*d", startStack, 0)

// Numbers of system calls that AArch64 and RISC-V have in common (asm-generic/unistd.h).
const (
	sysWrite       = 64
	sysExit        = 93
	sysSigaltstack = 132
	sysSigaction   = 134
)

// contextPC is the offset of the program counter in struct ucontext. Before it are flags, link, stack and a signal mask of 128
// bytes, on AArch64 also the fault address, 31 registers and the stack pointer.
const (
	armContextPC   = 176 + 8 + 31*8 + 8
	riscvContextPC = 176
)

// Batch makes a program of pieces of code for an architecture (named as in GOARCH). Each piece is laid out
// Short.Copies times and run Short.Trips times in a loop that counts in the register Counter. memory lists the
// addresses that the pieces may access. Before each piece, the words at filled.Start are set to the piece's Fill.
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

// handler emits the signal handler: it stores the signal, the program counter and the reported address, and
// continues with the next piece. The kernel passes the signal's number, siginfo and context in the driver's
// registers.
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

// catch registers the handler, with its own stack, for the signals that code can raise.
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

// piece lays out one piece and the code that stores its outcome.
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

// Outcomes reads the program's output: the words with the CPU's features (see Hwcap), and the outcome of each piece.
func (p *Program) Outcomes(out []byte) (hwcap, hwcap2 uint64, o []Outcome, err error) {
	if len(out) != startStack+p.pieces*outcomeBytes {
		return 0, 0, nil, fmt.Errorf("the program wrote %d bytes instead of %d", len(out), startStack+p.pieces*outcomeBytes)
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(out[i:]) }
	i := 8 // argc, then arguments and environment, each terminated by a zero
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

// file makes an executable that starts at its first instruction and has zero-filled memory at the given
// addresses.
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
