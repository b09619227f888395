package dbi

import (
	"fmt"

	"golang.org/x/sys/unix"

	"incore/internal/program/tracee"
)

// This file lets the program itself execute an instruction that traps (int3, ud2), in its own code: a handler then sees the address that it would see without the
// tracer, and may change it. Until the handler returns, system calls stop the program, so that its return is noticed, and the tracing goes on there.

// callStop is the signal of a stop at a system call (PTRACE_O_TRACESYSGOOD).
const callStop = unix.SIGTRAP | 0x80

const (
	callRtSigreturn = 15
	archSetGS       = 0x1001
)

// trapAt continues at an instruction that traps in the program's own code.
func (t *tracer) trapAt(regs *unix.PtraceRegs, target uint64) (int, error) {
	t.outside, t.entered = true, false
	regs.Rip = target
	return 0, unix.PtraceSetRegs(t.pid, regs)
}

// atCall handles a stop before or after a system call of a handler. After that by which a handler returns, the program is in the cache, or it is brought there.
func (t *tracer) atCall() (int, error) {
	var regs unix.PtraceRegs
	if err := unix.PtraceGetRegs(t.pid, &regs); err != nil {
		return 0, fmt.Errorf("tracing the program: %w", err)
	}
	if t.entered = !t.entered; t.entered {
		t.calling = regs.Orig_rax
		return 0, nil
	}
	if t.calling != callRtSigreturn {
		return 0, nil
	}
	t.outside = false
	if t.place(regs.Rip) != nil {
		return 0, nil
	}
	b, err := t.Block(regs.Rip)
	if err != nil {
		return t.lost(&regs, regs.Rip, err)
	}
	t.enlist(regs.Rip, b)
	regs.Rip = b.cache
	return 0, unix.PtraceSetRegs(t.pid, &regs)
}

// takesGS reports whether the program is about to set the base of the segment register gs, which the translation uses.
func takesGS(regs *unix.PtraceRegs) bool {
	return regs.Rax&0xffffffff == callArchPrctl && regs.Rdi == archSetGS
}

// leave lets the program go on in its own code, untraced, from the system call at which the cache traps.
func (t *tracer) leave(regs *unix.PtraceRegs, why string) (int, error) {
	b := t.place(regs.Rip)
	if b == nil {
		return 0, fmt.Errorf("the cache has no block at %#x", regs.Rip)
	}
	regs.Rip = b.Insts[len(b.Insts)-1].Addr
	if err := unix.PtraceSetRegs(t.pid, regs); err != nil {
		return 0, fmt.Errorf("tracing the program: %w", err)
	}
	return -1, t.released(why)
}

// released ends the tracing and waits for the program's end.
func (t *tracer) released(why string) error {
	t.rest()
	t.note("%s", why)
	if err := unix.PtraceDetach(t.pid); err != nil {
		return fmt.Errorf("tracing the program: %w", err)
	}
	var status unix.WaitStatus
	if _, err := tracee.Wait(t.pid, &status); err != nil {
		return fmt.Errorf("waiting for the program: %w", err)
	}
	t.res.Exit = status.ExitStatus()
	if status.Signaled() && t.res.Ended == "" {
		t.res.Signal = tracee.SignalName(status.Signal())
	}
	return nil
}
