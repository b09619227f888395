package host

import "syscall"

const (
	sysMemfd = 279
	resume   = syscall.PTRACE_SYSCALL // go on until a signal or a system call; the process is ended there
)

// here is the machine under us.
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

// result is what a system call returned.
func result(r *syscall.PtraceRegs) int64 { return int64(r.Regs[0]) }

// losesState is for RISC-V. (Of SVE, system calls lose predicates and the upper parts of vectors, too, but with these
// the code runs to its end, and the next run sets them anew.)
func losesState(*Code) bool { return false }

// resumed prepares registers, read at a fault, to go on with.
func resumed(*syscall.PtraceRegs) {}

// atSystemCall tells a stop at a system call, whose code is the signal's number, from a trap.
func atSystemCall(_ *syscall.PtraceRegs, code int32) bool { return code == int32(syscall.SIGTRAP) }

// privileged is for x86: what the kernel alone may execute is illegal here.
func privileged([]byte) bool { return false }
