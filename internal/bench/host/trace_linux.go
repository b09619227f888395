//go:build linux && (amd64 || arm64 || riscv64)

package host

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"
	"unsafe"
)

const (
	ptraceSiginfo = 0x4202
	ptraceGetRegs = 0x4204
	ptraceSetRegs = 0x4205
	generalRegs   = 1 // NT_PRSTATUS
	dataFD        = 3 // descriptor of the data page in the child
	imageFD       = 4 // descriptor of the program image in the child
	startFD       = 5 // descriptor of the child's executable
)

// pageSize is the size of the kernel's pages: 4, 16 or 64 KiB.
var pageSize = os.Getpagesize()

// memfd makes an anonymous file with the given contents.
func memfd(name string, data []byte) (*os.File, error) {
	n, err := syscall.BytePtrFromString(name)
	if err != nil {
		return nil, err
	}
	const closeOnExec = 1
	fd, _, errno := syscall.Syscall(sysMemfd, uintptr(unsafe.Pointer(n)), closeOnExec, 0)
	if errno != 0 {
		return nil, fmt.Errorf("memfd_create: %w", errno)
	}
	f := os.NewFile(fd, name)
	if _, err := f.WriteAt(data, 0); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// tracee is the measured process under the tracer's control. All its calls are made on one locked thread.
type tracee struct {
	pid    int
	gadget uint64 // address of a system call and a trap
	// again prepares registers, read at a fault, to restart the program, for system calls that destroy the code's
	// other registers; nil: the program continues where it was.
	again func(*syscall.PtraceRegs)
}

// pin keeps a process on one of the given CPUs (nil: one of those that it may run on), because time stamps of
// different CPUs need not agree. try chooses the CPU.
func pin(pid, try int, cpus []int) {
	if len(cpus) == 0 {
		cpus = allowed(pid)
	}
	if len(cpus) == 0 {
		return // then the process may migrate; windows with a migration are dropped
	}
	cpu := cpus[try%len(cpus)]
	var mask cpuMask
	mask[cpu/8] = 1 << (cpu % 8)
	syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, uintptr(pid), uintptr(len(mask)), uintptr(unsafe.Pointer(&mask)))
}

// cpuMask is a set of up to 1,024 CPUs.
type cpuMask [128]byte

// allowed returns the CPUs that a process may run on (pid 0: this process); nil if they are not known.
func allowed(pid int) (cpus []int) {
	var mask cpuMask
	n, _, errno := syscall.RawSyscall(syscall.SYS_SCHED_GETAFFINITY, uintptr(pid), uintptr(len(mask)), uintptr(unsafe.Pointer(&mask)))
	for i := range int(n) * 8 {
		if errno == 0 && mask[i/8]>>(i%8)&1 != 0 {
			cpus = append(cpus, i)
		}
	}
	return cpus
}

// execute starts the process, runs all its windows and returns their time stamps and the pages that it touched.
// try counts executions of the same code.
func execute(ctx context.Context, c *Code, opt Options, try int) (ws []window, pages []uint64, final [32]uint64, err error) {
	prepare()
	return run(ctx, c, opt, try)
}

func run(ctx context.Context, c *Code, opt Options, try int) (ws []window, pages []uint64, final [32]uint64, err error) {
	image, entry, gadget := here.program(c, here.scratch())
	whole := func(n int) int { return (n + pageSize - 1) &^ (pageSize - 1) }
	imageLen, rest := whole(len(image)), whole(controlBytes+opt.Windows*stamps*8)
	file := make([]byte, imageLen+rest)
	copy(file, image)
	copy(file[imageLen:], here.page(c, &opt))
	img, err := memfd("image", file)
	if err != nil {
		return nil, nil, final, err
	}
	defer img.Close()
	words := make([]byte, 0, c.dataPages()*pageSize)
	for len(words) < cap(words) {
		words = binary.LittleEndian.AppendUint64(words, c.Fill)
	}
	data, err := memfd("data", words)
	if err != nil {
		return nil, nil, final, err
	}
	defer data.Close()
	exe, err := memfd("measured", here.executable())
	if err != nil {
		return nil, nil, final, err
	}
	defer exe.Close()

	done := make(chan struct{})
	go func() { // ptrace requires that every call is made by the thread that started the process
		defer close(done)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		x := process{code: c, options: opt, try: try, exe: exe, img: img, data: data, imageLen: uint64(imageLen), rest: uint64(rest), entry: entry, gadget: gadget}
		ws, pages, err = x.traced(ctx)
	}()
	<-done
	if c.InPlace != nil && err == nil {
		final, err = finalRegs(img, int64(imageLen))
	}
	return ws, pages, final, err
}

// finalRegs reads the registers at the end of a loop in place.
func finalRegs(img *os.File, at int64) (r [32]uint64, err error) {
	raw := make([]byte, 8*len(r))
	_, err = img.ReadAt(raw, at+ctlFinal)
	for i := range r {
		r[i] = binary.LittleEndian.Uint64(raw[8*i:])
	}
	return r, err
}

// process is a process that measures code.
type process struct {
	code           *Code
	options        Options
	try            int      // number of earlier executions
	exe, img, data *os.File // its executable; the code and control page; the data
	imageLen, rest uint64   // bytes of the code in img, and of the control page and the results after it
	entry, gadget  uint64   // addresses of the measuring loop, and of the system call through which pages are mapped
}

// traced starts the process under ptrace and returns the windows that it measured, and the pages that it touched.
func (p *process) traced(ctx context.Context) ([]window, []uint64, error) {
	c, opt := p.code, p.options
	cmd := exec.Command(fmt.Sprintf("/proc/self/fd/%d", startFD))
	cmd.Env = []string{}
	cmd.ExtraFiles = []*os.File{p.data, p.img, p.exe}
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); errors.Is(err, syscall.ENOSYS) || errors.Is(err, syscall.EPERM) {
		return nil, nil, reason("unsupported", "the system does not let processes be traced (%v), as in user-mode emulators and some containers", err)
	} else if err != nil {
		return nil, nil, fmt.Errorf("start the measured process: %w", err)
	}
	t := &tracee{pid: cmd.Process.Pid, gadget: here.stub()}
	defer func() {
		_ = cmd.Process.Kill()
		var s syscall.WaitStatus
		syscall.Wait4(t.pid, &s, 0, nil)
		cmd.Process.Release()
	}()
	if s, err := t.wait(); err != nil || !s.Stopped() {
		return nil, nil, fmt.Errorf("measured process did not start (%v, %v)", s, err)
	}
	pin(t.pid, p.try, c.CPUs)
	for _, m := range []struct{ addr, size, prot, fd, off uint64 }{
		{here.code, p.imageLen, 5, imageFD, 0},
		{here.control, p.rest, 3, imageFD, p.imageLen},
		{here.scratch(), uint64(c.dataPages() * pageSize), 3, dataFD, 0},
	} {
		if err := t.mmap(m.addr, m.size, m.prot, m.fd, m.off); err != nil {
			return nil, nil, err
		}
	}
	t.gadget = p.gadget
	if losesState(c) {
		t.again = func(r *syscall.PtraceRegs) { enter(r, p.entry, c) }
	}
	if c.Tiles {
		if err := t.permitTiles(); err != nil {
			return nil, nil, err
		}
	}
	var regs syscall.PtraceRegs
	if err := t.registers(ptraceGetRegs, &regs); err != nil {
		return nil, nil, err
	}
	enter(&regs, p.entry, c)
	if err := t.registers(ptraceSetRegs, &regs); err != nil {
		return nil, nil, err
	}
	kill := func() { _ = cmd.Process.Kill() } // by the process's own handle: its number may be reused once it has ended
	stop := time.AfterFunc(opt.Timeout, kill)
	defer stop.Stop()
	defer context.AfterFunc(ctx, kill)()
	pages, err := t.run(opt.MaxPages, uint64(c.dataPages()))
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if err != nil {
		return nil, pages, err
	}
	raw := make([]byte, controlBytes+opt.Windows*stamps*8)
	if _, err := p.img.ReadAt(raw, int64(p.imageLen)); err != nil {
		return nil, nil, err
	}
	filled := binary.LittleEndian.Uint64(raw[ctlResult:]) - here.results()
	ws := make([]window, min(filled/(stamps*8), uint64(opt.Windows)))
	raw = raw[controlBytes:]
	for i := range ws {
		for k := range ws[i].t {
			ws[i].t[k] = binary.LittleEndian.Uint64(raw[(i*stamps+k)*8:])
		}
	}
	return ws, pages, nil
}

// run continues the process until its final trap and maps the pages that it touches.
func (t *tracee) run(maxPages int, physical uint64) (pages []uint64, err error) {
	for {
		if _, _, e := syscall.Syscall6(syscall.SYS_PTRACE, resume, uintptr(t.pid), 0, 0, 0, 0); e != 0 {
			if e == syscall.ESRCH {
				return pages, reason("timeout", "did not finish in time")
			}
			return pages, fmt.Errorf("ptrace: %w", e)
		}
		s, err := t.wait()
		if err != nil {
			return pages, err
		}
		if s.Signaled() {
			return pages, reason("timeout", "did not finish in time")
		}
		if !s.Stopped() {
			return pages, fmt.Errorf("measured process ended unexpectedly (status %#x)", uint32(s))
		}
		var regs syscall.PtraceRegs
		if err := t.registers(ptraceGetRegs, &regs); err != nil {
			return pages, err
		}
		code, addr := t.siginfo()
		switch sig := s.StopSignal(); sig {
		case syscall.SIGTRAP:
			switch {
			case atSystemCall(&regs, code):
				return pages, reason("syscall", "executes a system call")
			case t.isEnd():
				return pages, nil
			}
			return pages, reason("trap", "executes a trap instruction")
		case syscall.SIGSEGV:
			page := addr &^ uint64(pageSize-1)
			switch {
			case code == 0x80 && privileged(t.codeAt(regs.PC())):
				return pages, reason("illegal", "executes an instruction that needs privileges")
			case code == 0x80 || addr>>47 != 0:
				return pages, reason("fault", "accesses a non-canonical or unaligned address")
			case addr == regs.PC():
				return pages, reason("fault", "jumps out of the code, to %#x", addr)
			case page == 0, page >= here.code && page < here.scratch()+physical*uint64(pageSize):
				return pages, reason("fault", "accesses address %#x", addr)
			case code == 2:
				return pages, reason("fault", "writes to read-only memory at %#x", addr)
			case len(pages) >= maxPages:
				return pages, reason("pages", "touches more than %d pages", maxPages)
			}
			if err := t.mmap(page, uint64(pageSize), 3, dataFD, uint64(len(pages))%physical*uint64(pageSize)); err != nil {
				return pages, reason("fault", "accesses address %#x, which cannot be mapped", addr)
			}
			pages = append(pages, page)
			if t.again != nil {
				t.again(&regs)
				if err := t.registers(ptraceSetRegs, &regs); err != nil {
					return pages, err
				}
			}
		case syscall.SIGILL:
			return pages, reason("illegal", "executes an instruction that this CPU does not have or that needs privileges")
		case syscall.SIGFPE:
			return pages, reason("divide", "divides by zero or overflows a quotient")
		case syscall.SIGBUS:
			return pages, reason("fault", "makes an access that the bus refuses, at %#x", addr)
		case syscall.SIGCHLD, syscall.SIGWINCH, syscall.SIGURG, syscall.SIGCONT:
			// a signal that is not for the tracer
		default:
			return pages, reason("fault", "is stopped by signal %v", sig)
		}
	}
}

// isEnd reports whether a trap is the driver's last one, that is, whether the windows counter is zero.
func (t *tracee) isEnd() bool {
	var b [8]byte
	if _, err := syscall.PtracePeekData(t.pid, uintptr(here.control+ctlWindows), b[:]); err != nil {
		return false
	}
	return binary.LittleEndian.Uint64(b[:]) == 0
}

// siginfo returns the code and the fault address of the signal that stopped the process.
func (t *tracee) siginfo() (code int32, addr uint64) {
	var info [128]byte
	_, _, e := syscall.Syscall6(syscall.SYS_PTRACE, ptraceSiginfo, uintptr(t.pid), 0, uintptr(unsafe.Pointer(&info[0])), 0, 0)
	if e != 0 {
		return 0, 0
	}
	return int32(binary.LittleEndian.Uint32(info[8:])), binary.LittleEndian.Uint64(info[16:])
}

func (t *tracee) wait() (syscall.WaitStatus, error) {
	for {
		var s syscall.WaitStatus
		_, err := syscall.Wait4(t.pid, &s, syscall.WALL, nil)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		return s, err
	}
}

// mmap makes the stopped process map a file range at a fixed address.
func (t *tracee) mmap(addr, size, prot, fd, off uint64) error {
	const fixedNoReplace, shared, populate = 0x100000, 1, 0x8000
	v, err := t.system(syscall.SYS_MMAP, addr, size, prot, fixedNoReplace|shared|populate, fd, off)
	if err == nil && v < 0 {
		err = fmt.Errorf("mmap of %#x in the measured process: %w", addr, syscall.Errno(-v))
	}
	return err
}

// system makes the stopped process execute a system call at the gadget and returns its result; it restores the registers afterwards.
func (t *tracee) system(number uint64, args ...uint64) (int64, error) {
	var old syscall.PtraceRegs
	if err := t.registers(ptraceGetRegs, &old); err != nil {
		return 0, err
	}
	r := old
	var all [6]uint64
	copy(all[:], args)
	call(&r, t.gadget, number, all)
	if err := t.registers(ptraceSetRegs, &r); err != nil {
		return 0, err
	}
	if err := syscall.PtraceCont(t.pid, 0); err != nil {
		return 0, err
	}
	s, err := t.wait()
	if err != nil {
		return 0, err
	}
	if !s.Stopped() || s.StopSignal() != syscall.SIGTRAP {
		return 0, fmt.Errorf("a system call in the measured process: stopped by %v", s.StopSignal())
	}
	if err := t.registers(ptraceGetRegs, &r); err != nil {
		return 0, err
	}
	v := result(&r)
	resumed(&old)
	return v, t.registers(ptraceSetRegs, &old)
}

// permitTiles asks the kernel to let the process use the tiles of AMX (Linux, Documentation/arch/x86/xstate.rst).
func (t *tracee) permitTiles() error {
	const archPrctl, requestPermission, tileData = 158, 0x1023, 18
	v, err := t.system(archPrctl, requestPermission, tileData)
	if err == nil && v < 0 {
		return reason("permission", "the kernel does not let programs use tiles (arch_prctl: %v)", syscall.Errno(-v))
	}
	return err
}

// registers reads or writes the general-purpose registers of the stopped process.
func (t *tracee) registers(request uintptr, r *syscall.PtraceRegs) error {
	vec := syscall.Iovec{Base: (*byte)(unsafe.Pointer(r))}
	vec.SetLen(int(unsafe.Sizeof(*r)))
	if _, _, e := syscall.Syscall6(syscall.SYS_PTRACE, request, uintptr(t.pid), generalRegs, uintptr(unsafe.Pointer(&vec)), 0, 0); e != 0 {
		return fmt.Errorf("registers of the measured process: %w", e)
	}
	return nil
}

// codeAt reads some bytes of code.
func (t *tracee) codeAt(addr uint64) []byte {
	b := make([]byte, 8)
	n, err := syscall.PtracePeekText(t.pid, uintptr(addr), b)
	if err != nil {
		return nil
	}
	return b[:n]
}
