package qemu

import (
	"os/exec"
	"syscall"
)

// EndWithUs makes a command that is not yet started end when this process ends, even if this process is
// killed.
func EndWithUs(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
