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
	pageSize      = 4096
	sysMemfd      = 319
	sysMmap       = 9
	sysMprotect   = 10
	ptraceSysemu  = 31
	ptraceSiginfo = 0x4202
	dataFD        = 3 // descriptor of the data page in the child
	imageFD       = 4 // descriptor of the program image in the child
	// scratchPage is where the data page is mapped for the driver's own use (refilling it).
	scratchPage = controlBase + 0x100000
)

// elf builds the smallest ELF executable that the kernel will start: one page with a trap.
// Everything else is mapped into the process by the tracer before it runs.
func elf() []byte {
	const base = codeBase - 0x100000
	b := make([]byte, 0x80)
	copy(b, "\x7fELF\x02\x01\x01")
	le := binary.LittleEndian
	le.PutUint16(b[16:], 2)    // ET_EXEC
	le.PutUint16(b[18:], 0x3e) // x86-64
	le.PutUint32(b[20:], 1)
	le.PutUint64(b[24:], base+0x78) // entry
	le.PutUint64(b[32:], 0x40)      // program headers
	le.PutUint16(b[52:], 64)
	le.PutUint16(b[54:], 56)
	le.PutUint16(b[56:], 1)
	le.PutUint32(b[0x40:], 1) // PT_LOAD
	le.PutUint32(b[0x44:], 5) // R+X
	le.PutUint64(b[0x50:], base)
	le.PutUint64(b[0x58:], base)
	le.PutUint64(b[0x60:], 0x80)
	le.PutUint64(b[0x68:], 0x80)
	le.PutUint64(b[0x70:], pageSize)
	copy(b[0x78:], "\x0f\x05\xcc") // syscall; int3
	return b
}

// memfd makes an anonymous file with the given contents.
func memfd(name string, data []byte) (*os.File, error) {
	n, err := syscall.BytePtrFromString(name)
	if err != nil {
		return nil, err
	}
	fd, _, errno := syscall.Syscall(sysMemfd, uintptr(unsafe.Pointer(n)), 0, 0)
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

// tracee is the measured process while we control it. All calls come from one locked thread.
type tracee struct {
	pid    int
	gadget uint64 // address of "syscall; int3"
}

// pin keeps a process on one of the CPUs that it may run on, since time stamps of different ones need not agree; try chooses which.
func pin(pid, try int) {
	var mask [128]byte // of 1,024 CPUs
	n, _, errno := syscall.RawSyscall(syscall.SYS_SCHED_GETAFFINITY, uintptr(pid), uintptr(len(mask)), uintptr(unsafe.Pointer(&mask)))
	var cpus []int
	for i := range int(n) * 8 {
		if mask[i/8]>>(i%8)&1 != 0 {
			cpus = append(cpus, i)
		}
	}
	if errno != 0 || len(cpus) == 0 {
		return // then it may move; windows in which it does are dropped
	}
	cpu := cpus[try%len(cpus)]
	mask = [128]byte{}
	mask[cpu/8] = 1 << (cpu % 8)
	syscall.RawSyscall(syscall.SYS_SCHED_SETAFFINITY, uintptr(pid), uintptr(len(mask)), uintptr(unsafe.Pointer(&mask)))
}

// execute starts the process, lets it run all its windows and returns their time stamps and the pages it touched.
// try counts executions of the same code.
func execute(ctx context.Context, c *Code, opt Options, try int) (ws []window, pages []uint64, err error) {
	image, entry, gadget := program(c, scratchPage)
	results := (opt.Windows*stamps*8 + pageSize - 1) &^ (pageSize - 1)
	imageLen := (len(image) + pageSize - 1) &^ (pageSize - 1)
	file := make([]byte, imageLen+pageSize+results)
	copy(file, image)
	copy(file[imageLen:], control(c, opt.Windows))
	img, err := memfd("image", file)
	if err != nil {
		return nil, nil, err
	}
	defer img.Close()
	words := make([]byte, 0, c.dataPages()*pageSize)
	for len(words) < cap(words) {
		words = binary.LittleEndian.AppendUint64(words, c.Fill)
	}
	data, err := memfd("data", words)
	if err != nil {
		return nil, nil, err
	}
	defer data.Close()
	exe, err := memfd("measured", elf())
	if err != nil {
		return nil, nil, err
	}
	defer exe.Close()

	done := make(chan struct{})
	go func() { // ptrace wants every call from the thread that started the process
		defer close(done)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		ws, pages, err = traced(ctx, c, opt, try, exe, img, data, uint64(imageLen), uint64(results), entry, gadget)
	}()
	<-done
	return ws, pages, err
}

func traced(ctx context.Context, c *Code, opt Options, try int, exe, img, data *os.File, imageLen, results, entry, gadget uint64) ([]window, []uint64, error) {
	cmd := exec.Command(fmt.Sprintf("/proc/self/fd/%d", exe.Fd()))
	cmd.Env = []string{}
	cmd.ExtraFiles = []*os.File{data, img}
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return nil, nil, fmt.Errorf("start the measured process: %w", err)
	}
	t := &tracee{pid: cmd.Process.Pid, gadget: codeBase - 0x100000 + 0x78}
	defer func() {
		syscall.Kill(t.pid, syscall.SIGKILL)
		var s syscall.WaitStatus
		syscall.Wait4(t.pid, &s, 0, nil)
		cmd.Process.Release()
	}()
	if s, err := t.wait(); err != nil || !s.Stopped() {
		return nil, nil, fmt.Errorf("measured process did not start (%v, %v)", s, err)
	}
	pin(t.pid, try)
	for _, m := range []struct{ addr, size, prot, fd, off uint64 }{
		{codeBase, imageLen, 5, imageFD, 0},
		{controlBase, pageSize + results, 3, imageFD, imageLen},
		{scratchPage, uint64(c.dataPages()) * pageSize, 3, dataFD, 0},
	} {
		if err := t.mmap(m.addr, m.size, m.prot, m.fd, m.off); err != nil {
			return nil, nil, err
		}
	}
	t.gadget = gadget
	var regs syscall.PtraceRegs
	if err := syscall.PtraceGetRegs(t.pid, &regs); err != nil {
		return nil, nil, err
	}
	regs.Rip, regs.Orig_rax = entry, ^uint64(0)
	regs.Fs_base, regs.Gs_base = c.Seg[0], c.Seg[1]
	if err := syscall.PtraceSetRegs(t.pid, &regs); err != nil {
		return nil, nil, err
	}
	stop := time.AfterFunc(opt.Timeout, func() { syscall.Kill(t.pid, syscall.SIGKILL) })
	defer stop.Stop()
	defer context.AfterFunc(ctx, func() { syscall.Kill(t.pid, syscall.SIGKILL) })()
	pages, err := t.run(opt.MaxPages, uint64(c.dataPages()))
	if ctx.Err() != nil {
		return nil, nil, ctx.Err()
	}
	if err != nil {
		return nil, pages, err
	}
	raw := make([]byte, opt.Windows*stamps*8)
	if _, err := img.ReadAt(raw, int64(imageLen+pageSize)); err != nil {
		return nil, nil, err
	}
	ws := make([]window, opt.Windows)
	for i := range ws {
		for k := range ws[i].t {
			ws[i].t[k] = binary.LittleEndian.Uint64(raw[(i*stamps+k)*8:])
		}
	}
	return ws, pages, nil
}

// behind is the number of the physical page that a page of addresses gets. Pages of one array follow each other; those of registers' initial values differ
// in higher bits.
func behind(page, physical uint64) uint64 {
	n := page / pageSize
	return (n ^ n>>5 ^ n>>10) % physical
}

// run lets the process go until its final trap, mapping the pages it asks for.
func (t *tracee) run(maxPages int, physical uint64) (pages []uint64, err error) {
	for {
		if _, _, e := syscall.Syscall6(syscall.SYS_PTRACE, ptraceSysemu, uintptr(t.pid), 0, 0, 0, 0); e != 0 {
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
		if err := syscall.PtraceGetRegs(t.pid, &regs); err != nil {
			return pages, err
		}
		code, addr := t.siginfo()
		switch sig := s.StopSignal(); sig {
		case syscall.SIGTRAP:
			switch {
			case regs.Orig_rax != ^uint64(0) && code != 0x80 && code != 1 && code != 2:
				return pages, reason("syscall", "executes a system call")
			case t.isEnd(regs.Rip):
				return pages, nil
			}
			return pages, reason("trap", "executes a trap instruction")
		case syscall.SIGSEGV:
			page := addr &^ (pageSize - 1)
			switch {
			case code == 0x80 || addr>>47 != 0:
				return pages, reason("fault", "accesses a non-canonical or unaligned address")
			case addr == regs.Rip:
				return pages, reason("fault", "jumps out of the code, to %#x", addr)
			case page == 0, page >= codeBase && page < scratchPage+physical*pageSize:
				return pages, reason("fault", "accesses address %#x", addr)
			case code == 2:
				return pages, reason("fault", "writes to read-only memory at %#x", addr)
			case len(pages) >= maxPages:
				return pages, reason("pages", "touches more than %d pages", maxPages)
			}
			if err := t.mmap(page, pageSize, 3, dataFD, behind(page, physical)*pageSize); err != nil {
				return pages, reason("fault", "accesses address %#x, which cannot be mapped", addr)
			}
			pages = append(pages, page)
		case syscall.SIGILL:
			return pages, reason("illegal", "executes an instruction that this CPU does not have or that needs privileges")
		case syscall.SIGFPE:
			return pages, reason("divide", "divides by zero or overflows a quotient")
		case syscall.SIGBUS:
			return pages, reason("fault", "makes an access that the bus refuses, at %#x", addr)
		case syscall.SIGCHLD, syscall.SIGWINCH, syscall.SIGURG, syscall.SIGCONT:
			// meant for someone else
		default:
			return pages, reason("fault", "is stopped by signal %v", sig)
		}
	}
}

// isEnd reports whether rip is just behind the driver's final int3, i.e. the windows counter is zero.
func (t *tracee) isEnd(rip uint64) bool {
	var b [8]byte
	if _, err := syscall.PtracePeekData(t.pid, uintptr(controlBase+ctlWindows), b[:]); err != nil {
		return false
	}
	return binary.LittleEndian.Uint64(b[:]) == 0
}

// siginfo returns code and fault address of the signal that stopped the process.
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

// mmap makes the stopped process map a file range at a fixed address, by running a
// system call in it at the gadget; its registers are put back afterwards.
func (t *tracee) mmap(addr, size, prot, fd, off uint64) error {
	const fixedNoReplace, shared, populate = 0x100000, 1, 0x8000
	var old syscall.PtraceRegs
	if err := syscall.PtraceGetRegs(t.pid, &old); err != nil {
		return err
	}
	r := old
	r.Rip, r.Rax, r.Orig_rax = t.gadget, sysMmap, ^uint64(0)
	r.Rdi, r.Rsi, r.Rdx, r.R10, r.R8, r.R9 = addr, size, prot, fixedNoReplace|shared|populate, fd, off
	if err := syscall.PtraceSetRegs(t.pid, &r); err != nil {
		return err
	}
	if err := syscall.PtraceCont(t.pid, 0); err != nil {
		return err
	}
	s, err := t.wait()
	if err != nil {
		return err
	}
	if !s.Stopped() || s.StopSignal() != syscall.SIGTRAP {
		return fmt.Errorf("mapping memory in the measured process: stopped by %v", s.StopSignal())
	}
	if err := syscall.PtraceGetRegs(t.pid, &r); err != nil {
		return err
	}
	if int64(r.Rax) < 0 {
		return fmt.Errorf("mmap of %#x in the measured process: %w", addr, syscall.Errno(-int64(r.Rax)))
	}
	old.Orig_rax = ^uint64(0)
	return syscall.PtraceSetRegs(t.pid, &old)
}
