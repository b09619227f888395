package host

import "syscall"

const (
	sysMemfd = 279
	resume   = syscall.PTRACE_SYSCALL // continue until a signal or a system call; there the process is ended
)

// here describes this machine.
var here = &arm64

func prepare() {}

// enter sets registers to start the program.
func enter(r *syscall.PtraceRegs, entry uint64, _ *Code) { r.Pc = entry }

// call sets registers to make a system call at a gadget.
func call(r *syscall.PtraceRegs, gadget, number uint64, a [6]uint64) {
	r.Pc = gadget
	copy(r.Regs[:], a[:])
	r.Regs[8] = number
}

// result returns the result of a system call.
func result(r *syscall.PtraceRegs) int64 { return int64(r.Regs[0]) }

// losesState is for RISC-V only. (On AArch64, system calls destroy SVE predicates and the upper parts of vectors; the
// code then runs to its end, and the next run sets them again.)
func losesState(*Code) bool { return false }

// resumed prepares registers, read at a fault, to go on with.
func resumed(*syscall.PtraceRegs) {}

// atSystemCall distinguishes a stop at a system call, whose code is the signal's number, from a trap.
func atSystemCall(_ *syscall.PtraceRegs, code int32) bool { return code == int32(syscall.SIGTRAP) }

// privileged is for x86 only: elsewhere instructions that only the kernel may execute are illegal.
func privileged([]byte) bool { return false }
