package tracee

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Sample runs a program and looks every so often where each of its running threads is, those of its children too: it stops the thread for a moment. do gets the file that is
// mapped there, "" if there is none, and the offset in it. It returns how the program ended, "" if with status 0; the error is about sampling.
func Sample(ctx context.Context, cmd *exec.Cmd, every time.Duration, do func(path string, offset uint64)) (ending string, err error) {
	runtime.LockOSThread() // a tracer is a thread
	defer runtime.UnlockOSThread()
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Ptrace = true
	if err := cmd.Start(); err != nil {
		return "", err
	}
	s := &sampler{main: cmd.Process.Pid, threads: map[int]bool{}, maps: map[int][]Mapping{}, do: do}
	if err := s.seize(); err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return "", fmt.Errorf("tracing the program: %w", err)
	}
	for tick := time.Now(); !s.over; {
		if ctx.Err() != nil {
			_ = syscall.Kill(s.main, syscall.SIGKILL)
		}
		if time.Since(tick) >= every {
			tick = time.Now()
			s.interrupt()
		}
		if !s.event() {
			time.Sleep(every / 16)
		}
	}
	_ = cmd.Wait() // its end is known; this waits for its output
	if s.status.Signaled() {
		return Reason(SignalName(s.status.Signal()), 0), ctx.Err()
	}
	return Reason("", s.status.ExitStatus()), ctx.Err()
}

// sampler holds the threads that are traced.
type sampler struct {
	main    int
	threads map[int]bool
	maps    map[int][]Mapping // by process
	over    bool
	status  unix.WaitStatus // with which the program ended
	do      func(path string, offset uint64)
}

// seize turns the trace that began with the program into one whose threads can be interrupted.
func (s *sampler) seize() error {
	var status unix.WaitStatus
	if _, err := Wait(s.main, &status); err != nil {
		return err
	}
	if err := syscall.Kill(s.main, syscall.SIGSTOP); err != nil {
		return err
	}
	if err := unix.PtraceDetach(s.main); err != nil {
		return err
	}
	if err := unix.PtraceSeize(s.main); err != nil {
		return err
	}
	s.threads[s.main] = true
	if err := unix.PtraceInterrupt(s.main); err != nil {
		return err
	}
	if _, err := Wait(s.main, &status); err != nil {
		return err
	}
	const exitKill = 0x100000
	if err := unix.PtraceSetOptions(s.main, unix.PTRACE_O_TRACECLONE|unix.PTRACE_O_TRACEFORK|unix.PTRACE_O_TRACEVFORK|unix.PTRACE_O_TRACEEXEC|exitKill); err != nil {
		return err
	}
	if err := unix.PtraceCont(s.main, 0); err != nil {
		return err
	}
	return syscall.Kill(s.main, syscall.SIGCONT)
}

// interrupt stops the threads that run.
func (s *sampler) interrupt() {
	for tid := range s.threads {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", tid))
		if i := strings.LastIndexByte(string(stat), ')'); err == nil && i > 0 && i+2 < len(stat) && stat[i+2] == 'R' {
			_ = unix.PtraceInterrupt(tid)
		}
	}
}

// event takes an event of a thread, if there is one.
func (s *sampler) event() bool {
	var status unix.WaitStatus
	tid, err := wait(-1, &status, unix.WALL|unix.WNOHANG)
	if err != nil {
		s.over = true // no thread is left
		return true
	}
	if tid <= 0 {
		return false
	}
	if status.Exited() || status.Signaled() {
		delete(s.threads, tid)
		delete(s.maps, tid)
		if tid == s.main {
			s.status = status
		}
		s.over = len(s.threads) == 0
		return true
	}
	s.threads[tid] = true
	signal := 0
	const eventStop = 128
	switch cause := int(status) >> 16; {
	case cause == eventStop && status.StopSignal() == syscall.SIGTRAP:
		s.sample(tid)
	case cause == unix.PTRACE_EVENT_EXEC:
		delete(s.maps, tid)
	case cause == 0:
		signal = int(status.StopSignal())
	}
	_ = unix.PtraceCont(tid, signal)
	return true
}

// sample notes where a stopped thread is. The kernel tells the program counter of a stopped thread at the end of the line in its file syscall, on all machines alike.
func (s *sampler) sample(tid int) {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/syscall", tid))
	f := strings.Fields(string(line))
	if err != nil || len(f) < 3 {
		return
	}
	pc, err := strconv.ParseUint(strings.TrimPrefix(f[len(f)-1], "0x"), 16, 64)
	if err != nil {
		return
	}
	process := processOf(tid)
	for _, fresh := range []bool{false, true} {
		maps, ok := s.maps[process]
		if fresh || !ok {
			if maps, err = Maps(process); err != nil {
				return
			}
			s.maps[process] = maps
		}
		for i := range maps {
			if m := &maps[i]; m.Lo <= pc && pc < m.Hi {
				s.do(m.Path, pc-m.Lo+m.Offset)
				return
			}
		}
	}
	s.do("", pc)
}

// processOf returns the process of a thread.
func processOf(tid int) int {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", tid))
	for line := range strings.Lines(string(text)) {
		if id, ok := strings.CutPrefix(line, "Tgid:"); ok {
			if n, err := strconv.Atoi(strings.TrimSpace(id)); err == nil {
				return n
			}
		}
	}
	return tid
}
