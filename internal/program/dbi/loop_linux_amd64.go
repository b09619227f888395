package dbi

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"incore/internal/program/tracee"
)

// loop continues the program until it ends, and handles its stops.
func (t *tracer) loop() error {
	signal := 0
	for {
		resume := unix.PtraceCont
		if t.outside {
			resume = unix.PtraceSyscall
		}
		if err := resume(t.pid, signal); err != nil && err != unix.ESRCH {
			return fmt.Errorf("tracing the program: %w", err)
		}
		var status unix.WaitStatus
		if err := t.family.Wait(&status); err != nil {
			return fmt.Errorf("waiting for the program: %w", err)
		}
		if status.Exited() || status.Signaled() {
			t.rest()
			t.res.Exit = status.ExitStatus()
			if status.Signaled() && t.res.Ended == "" {
				t.res.Signal = tracee.SignalName(status.Signal())
			}
			return nil
		}
		t.res.Switches++
		next, err := t.stopped(&status)
		if errors.Is(err, unix.ESRCH) { // the program was killed meanwhile
			next, err = 0, nil
		}
		if err != nil || next < 0 { // it became another program
			return err
		}
		signal = next
	}
}

// born lets a new thread or child continue in the program's own code, uncounted.
func (t *tracer) born() {
	pid, ok := t.family.Born()
	t.unhide()
	if ok {
		t.release(pid)
	}
}

// release moves a new thread or child from the cache to the program's own code and ends its tracing.
func (t *tracer) release(pid int) {
	var regs unix.PtraceRegs
	if unix.PtraceGetRegs(pid, &regs) == nil {
		if b := t.place(regs.Rip); b != nil {
			regs.Rip = b.End
			_ = unix.PtraceSetRegs(pid, &regs)
		}
	}
	_ = unix.PtraceDetach(pid)
}

// stopped handles a stop of the main thread. It returns the signal to continue with, −1 if the program is no longer traced.
func (t *tracer) stopped(status *unix.WaitStatus) (signal int, err error) {
	switch event := status.TrapCause(); {
	case event == unix.PTRACE_EVENT_CLONE:
		t.note("it starts threads; the first alone is counted")
		t.born()
		return 0, nil
	case event == unix.PTRACE_EVENT_FORK, event == unix.PTRACE_EVENT_VFORK:
		t.note("it starts other processes, which are not counted")
		t.born()
		return 0, nil
	case event == unix.PTRACE_EVENT_EXEC:
		return -1, t.replaced()
	case status.StopSignal() == callStop:
		return t.atCall()
	case status.StopSignal() == unix.SIGTRAP:
		return t.trap()
	case status.StopSignal() == unix.SIGSEGV:
		if ok, err := t.overflow(); ok || err != nil {
			return 0, err
		}
	}
	return t.deliver(status.StopSignal()), nil
}

// deliver returns the signal to continue with, and notes that the program handles it.
func (t *tracer) deliver(s unix.Signal) int {
	if s == unix.SIGCHLD {
		t.child()
	}
	if t.handled(int(s)) {
		t.note("it handles signals; what its handlers do is not counted")
	}
	return int(s)
}

// replaced ends the tracing after the program replaced itself (exec).
func (t *tracer) replaced() error {
	return t.released("it becomes another program (exec), which is not counted")
}

// handled reports whether the program has a handler for a signal.
func (t *tracer) handled(signal int) bool {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", t.pid))
	for _, line := range strings.Split(string(text), "\n") {
		if mask, ok := strings.CutPrefix(line, "SigCgt:"); ok {
			var m uint64
			_, _ = fmt.Sscanf(strings.TrimSpace(mask), "%x", &m)
			return signal > 0 && m>>(signal-1)&1 != 0
		}
	}
	return false
}

// trap handles a trap in the cache: it translates the code at the target.
func (t *tracer) trap() (signal int, err error) {
	var regs unix.PtraceRegs
	if err := unix.PtraceGetRegs(t.pid, &regs); err != nil {
		return 0, fmt.Errorf("tracing the program: %w", err)
	}
	t.res.Thread = regs.Fs_base
	at := regs.Rip - 1
	x, ok := t.exits[at]
	switch {
	case ok && x.trap:
		return t.trapAt(&regs, x.target)
	case ok && x.alone:
		return t.alone(&regs, x.target)
	case ok && x.watch && takesGS(&regs):
		return t.leave(&regs, "it sets the segment register gs, which the translation uses; what follows is not counted")
	case ok && x.watch:
		if err := t.watched(&regs); err != nil {
			return 0, err
		}
	case ok && x.stale:
		b, err := t.renew(x.target)
		if err != nil {
			return t.lost(&regs, x.target, err)
		}
		t.enlist(x.target, b)
		regs.Rip = b.cache
	case ok:
		b, err := t.resolve(at)
		if err != nil {
			return t.lost(&regs, x.target, err)
		}
		regs.Rip = b.cache
	case len(t.regions) > 0 && at == t.regionOf(at).miss:
		target := binary.LittleEndian.Uint64(t.shared[slotTarget:])
		b, err := t.Block(target)
		if err != nil {
			return t.lost(&regs, target, err)
		}
		t.enlist(target, b)
		regs.Rip = t.regionOf(at).again
	default:
		return t.deliver(unix.SIGTRAP), nil
	}
	return 0, unix.PtraceSetRegs(t.pid, &regs)
}

// enlist adds a target to the table that indirect branches search.
func (t *tracer) enlist(target uint64, b *Block) {
	for i := hashOf(target); ; i = (i + 1) & tableMask {
		key := t.shared[slotKeys+8*i:]
		if k := binary.LittleEndian.Uint64(key); k == 0 || k == target {
			binary.LittleEndian.PutUint64(t.shared[slotValues+8*i:], b.cache)
			binary.LittleEndian.PutUint64(key, target)
			return
		}
	}
}

// lost handles a branch to an address that cannot be translated. An instruction that is not known is executed in place. If the address is not readable, the program
// continues there, so that it gets the fault.
func (t *tracer) lost(regs *unix.PtraceRegs, target uint64, err error) (int, error) {
	if len(t.readCode(target, 1)) > 0 {
		if !errors.Is(err, errNoCode) {
			return 0, err
		}
		t.note("%v; it is executed alone, and not counted", err)
		return t.alone(regs, target)
	}
	regs.Rip = target
	return 0, unix.PtraceSetRegs(t.pid, regs)
}

// alone executes one instruction in place. It returns the signal to continue with: a signal that came instead of the step, or a fault of the instruction.
// The program then traps here again when its handler returns.
func (t *tracer) alone(regs *unix.PtraceRegs, target uint64) (signal int, err error) {
	trap := regs.Rip - 1
	regs.Rip = target
	if err := unix.PtraceSetRegs(t.pid, regs); err != nil {
		return 0, fmt.Errorf("tracing the program: %w", err)
	}
	if err := unix.PtraceSingleStep(t.pid); err != nil {
		return 0, fmt.Errorf("tracing the program: %w", err)
	}
	var status unix.WaitStatus
	if _, err := tracee.Wait(t.pid, &status); err != nil {
		return 0, fmt.Errorf("waiting for the program: %w", err)
	}
	if !status.Stopped() {
		return 0, fmt.Errorf("the program ends at %#x, where it is executed step by step", target)
	}
	if err := unix.PtraceGetRegs(t.pid, regs); err != nil {
		return 0, fmt.Errorf("tracing the program: %w", err)
	}
	if s := status.StopSignal(); s != unix.SIGTRAP {
		signal = t.deliver(s)
	}
	if signal != 0 && regs.Rip == target {
		regs.Rip = trap
		return signal, unix.PtraceSetRegs(t.pid, regs)
	}
	b, err := t.Block(regs.Rip)
	if err != nil {
		return 0, err
	}
	regs.Rip = b.cache
	return signal, unix.PtraceSetRegs(t.pid, regs)
}

// overflow handles a fault at the end of a buffer: the record continues in the next buffer.
func (t *tracer) overflow() (ok bool, err error) {
	var regs unix.PtraceRegs
	if err := unix.PtraceGetRegs(t.pid, &regs); err != nil {
		return false, fmt.Errorf("tracing the program: %w", err)
	}
	t.res.Thread = regs.Fs_base
	number, words := rdx, EventWords+t.o.Filter.Known()
	if r := t.regionOf(regs.Rip); regs.Rip < r.forget || regs.Rip >= r.end {
		b := t.place(regs.Rip)
		switch {
		case b == nil || b.r1 == noGPR:
			return false, nil
		case b.events:
			_, number = b.spares()
		default:
			number, words = b.r1, 1+b.Words
		}
	}
	r1 := register(&regs, number)
	start := t.buffer(t.current)
	guard := start + bufferSize
	if *r1 < start || *r1 > guard || *r1+uint64(8*words) <= guard {
		return false, nil
	}
	offset := bufferOffset(t.current)
	tail := t.shared[offset+int(*r1-start) : offset+bufferSize]
	record := t.shared[offset : offset+int(*r1-start)]
	last := t.current
	t.current = <-t.free
	copy(t.shared[bufferOffset(t.current):], tail)
	t.hand(last, record)
	*r1 = t.buffer(t.current)
	return true, unix.PtraceSetRegs(t.pid, &regs)
}

// rest passes the contents of the last buffer to the consumer after the program has ended.
func (t *tracer) rest() {
	end := binary.LittleEndian.Uint64(t.shared[slotPointer:])
	start := t.buffer(t.current)
	if end > start && end <= start+bufferSize {
		offset := bufferOffset(t.current)
		t.hand(t.current, t.shared[offset:offset+int(end-start)])
	}
	if t.mem != nil {
		t.mem.Close()
	}
}

// register returns a general register by its hardware number.
func register(r *unix.PtraceRegs, n int) *uint64 {
	return [gprs]*uint64{&r.Rax, &r.Rcx, &r.Rdx, &r.Rbx, &r.Rsp, &r.Rbp, &r.Rsi, &r.Rdi, &r.R8, &r.R9, &r.R10, &r.R11, &r.R12, &r.R13, &r.R14, &r.R15}[n]
}
