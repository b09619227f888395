package tracee

import (
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

// Call lets a stopped process make a system call with up to six arguments. At gadget it has the instructions syscall and int3. Its registers are as before afterwards.
// It has to be called by the thread that traces the process.
func Call(pid int, gadget, number uint64, args ...uint64) (uint64, error) {
	var regs unix.PtraceRegs
	if err := unix.PtraceGetRegs(pid, &regs); err != nil {
		return 0, fmt.Errorf("tracing the program: %w", err)
	}
	saved := regs
	var a [6]uint64
	copy(a[:], args)
	regs.Rip, regs.Rax, regs.Orig_rax = gadget, number, ^uint64(0)
	regs.Rdi, regs.Rsi, regs.Rdx, regs.R10, regs.R8, regs.R9 = a[0], a[1], a[2], a[3], a[4], a[5]
	var status unix.WaitStatus
	err := unix.PtraceSetRegs(pid, &regs)
	if err == nil {
		err = unix.PtraceCont(pid, 0)
	}
	if err == nil {
		_, err = Wait(pid, &status)
	}
	if err == nil {
		err = unix.PtraceGetRegs(pid, &regs)
	}
	if err != nil {
		return 0, fmt.Errorf("a system call in the program's place: %w", err)
	}
	if e := int64(regs.Rax); e < 0 && e > -4096 {
		return 0, fmt.Errorf("a system call in the program's place: %w", syscall.Errno(-e))
	}
	return regs.Rax, unix.PtraceSetRegs(pid, &saved)
}
