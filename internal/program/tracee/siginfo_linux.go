package tracee

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Reasons of SIGCHLD for the end of a child by a signal (Info.Code).
const (
	ChildKilled = 2
	ChildDumped = 3
)

// Info is why a traced process stops for a signal (siginfo_t of Linux on 64-bit hosts, with the fields of SIGCHLD).
type Info struct {
	Signal, Errno, Code int32
	_                   int32
	Pid, User, Status   int32 // SIGCHLD: the child, its user, its exit status or signal
	_                   [100]byte
}

// SignalInfo returns why a process has stopped.
func SignalInfo(pid int) (info Info, err error) {
	_, _, errno := unix.Syscall6(unix.SYS_PTRACE, unix.PTRACE_GETSIGINFO, uintptr(pid), 0, uintptr(unsafe.Pointer(&info)), 0, 0)
	if errno != 0 {
		return info, fmt.Errorf("asking for a signal's cause: %w", errno)
	}
	return info, nil
}
