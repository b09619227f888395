package tracee

import (
	"fmt"
	"os"
	"syscall"
)

var signalNames = map[syscall.Signal]string{syscall.SIGILL: "SIGILL (illegal instruction)", syscall.SIGSEGV: "SIGSEGV (segmentation fault)",
	syscall.SIGABRT: "SIGABRT", syscall.SIGINT: "SIGINT", syscall.SIGTERM: "SIGTERM", syscall.SIGHUP: "SIGHUP", syscall.SIGPIPE: "SIGPIPE",
	syscall.SIGKILL: "SIGKILL", syscall.SIGFPE: "SIGFPE (arithmetic error)", syscall.SIGBUS: "SIGBUS", syscall.SIGTRAP: "SIGTRAP",
	syscall.SIGQUIT: "SIGQUIT", syscall.SIGALRM: "SIGALRM"}

// SignalName returns a signal's name, with its meaning where the name does not tell it.
func SignalName(s syscall.Signal) string {
	if n, ok := signalNames[s]; ok {
		return n
	}
	return fmt.Sprintf("signal %d (%v)", int(s), s)
}

// Ending describes the end of a process: the name of the signal that ended it, "" without one, and its exit status.
func Ending(s *os.ProcessState) (signal string, status int) {
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return SignalName(w.Signal()), 0
	}
	return "", s.ExitCode()
}

// Reason returns the reason for which a result is partial after a program has ended so, "" if it succeeded.
func Reason(signal string, status int) string {
	switch {
	case signal != "":
		return "the program was ended by " + signal
	case status != 0:
		return fmt.Sprintf("the program's exit status is %d", status)
	}
	return ""
}
