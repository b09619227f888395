package qemu

import (
	"os/exec"
	"syscall"
)

// EndWithUs lets a command that is going to be started end when this process does, also if that is killed.
func EndWithUs(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
