package host

import (
	"context"
	"sync"
	"syscall"
	"time"
)

const (
	sysMemfd = 279
	resume   = syscall.PTRACE_SYSCALL // continue until a signal or a system call; there the process is ended
)

// here describes this machine.
var here = &riscv64

// prepare finds out which counter programs may read: since Linux 6.6 usually not the cycle counter
// (kernel.perf_user_access).
var prepare = sync.OnceFunc(func() {
	counter.Store(cycleCSR)
	nop := &Code{Bytes: []byte{0x13, 0, 0, 0}, Counter: 31, Short: Run{1, 2}, Long: Run{1, 4}}
	ws, _, _, err := run(context.Background(), nop, Options{Windows: 1, MaxPages: 1, Timeout: time.Second}, 0)
	if err != nil || ws[0].t[stamps-1] == ws[0].t[0] {
		counter.Store(timeCSR)
		return
	}
	readable.Store(true)
})

// enter sets registers to start the program.
func enter(r *syscall.PtraceRegs, entry uint64, _ *Code) { r.Pc = entry }

// call sets registers to make a system call at a gadget.
func call(r *syscall.PtraceRegs, gadget, number uint64, a [6]uint64) {
	r.Pc = gadget
	r.A0, r.A1, r.A2, r.A3, r.A4, r.A5 = a[0], a[1], a[2], a[3], a[4], a[5]
	r.A7 = number
}

// result returns the result of a system call.
func result(r *syscall.PtraceRegs) int64 { return int64(r.A0) }

// losesState reports whether system calls, which map pages that the code touches, destroy the code's registers: the
// kernel preserves neither vectors nor a valid vector configuration (Linux, Documentation/arch/riscv/vector.rst).
func losesState(c *Code) bool { return c.Vectors }

// resumed prepares registers, read at a fault, to go on with.
func resumed(*syscall.PtraceRegs) {}

// atSystemCall distinguishes a stop at a system call, whose code is the signal's number, from a trap.
func atSystemCall(_ *syscall.PtraceRegs, code int32) bool { return code == int32(syscall.SIGTRAP) }

// privileged is for x86 only: elsewhere instructions that only the kernel may execute are illegal.
func privileged([]byte) bool { return false }
