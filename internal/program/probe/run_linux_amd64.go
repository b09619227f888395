package probe

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"incore/internal/object"
	"incore/internal/program/tracee"
)

// The memory that both processes map: data of the probe and of another that is tried on nothing, their code, and the record.
const (
	pageSize   = 4096
	dataAt     = 0
	trialAt    = pageSize
	codeAt     = 2 * pageSize
	codeSize   = 8 * pageSize
	recordAt   = codeAt + 2*codeSize
	recordSize = 32 << 20
	sharedSize = recordAt + recordSize
	trials     = 200
	reach      = 3 << 29 // bytes over which a distance of 32 bits is safe
)

// lookEvery is the least number of ticks between two clock readings: a few tenths of a millisecond.
const lookEvery = 1 << 20

// process is a running program.
type process struct {
	o       *Options
	file    *object.File
	res     *Result
	pid     int
	family  tracee.Family
	program *os.Process // killed by its handle, since its process ID may be reused after it has ended
	mem     *os.File
	shared  []byte
	base    uint64 // address of shared in the program
	bias    uint64
	gadget  uint64 // a system call instruction, while the program is prepared
	patched map[uint64][]byte
	stack   uint64 // stack of the first thread
	killed  atomic.Pointer[string]
}

// Run runs a program and times a region of it. The error is the reason for which the region cannot be timed.
func Run(ctx context.Context, f *object.File, o Options) (*Result, error) {
	if f.ISA.Name != "x86-64" {
		return nil, fmt.Errorf("%s is a program for %s; programs are timed on the machine they are for, x86-64 so far", f.Path, f.ISA.Name)
	}
	entry, err := find(f, o.Region.Entry)
	if err != nil {
		return nil, err
	}
	var exit *place
	if o.Region.Exit != 0 {
		if exit, err = find(f, o.Region.Exit); err != nil {
			return nil, err
		}
		if lo, hi := o.Region.Entry, o.Region.Exit; hi < entry.end() && hi >= lo || lo < exit.end() && lo >= hi {
			return nil, fmt.Errorf("%w: less than %d bytes lie between %#x and %#x", ErrPlace, jumpBytes, lo, hi)
		}
	}
	p := &process{o: &o, file: f, res: &Result{}, patched: map[uint64][]byte{}}
	done := make(chan error, 1)
	go func() { done <- p.run(ctx, entry, exit) }()
	err = <-done
	if p.shared != nil {
		p.result()
		_ = unix.Munmap(p.shared)
	}
	return p.res, err
}

func (p *process) run(ctx context.Context, entry, exit *place) error {
	runtime.LockOSThread() // all requests of ptrace come from the thread that started the program
	fd, err := unix.MemfdCreate("incore-probe", unix.MFD_CLOEXEC)
	if err != nil {
		return fmt.Errorf("making memory to share with the program: %w", err)
	}
	shared := os.NewFile(uintptr(fd), "probe")
	defer shared.Close()
	if err := shared.Truncate(sharedSize); err != nil {
		return fmt.Errorf("making memory to share with the program: %w", err)
	}
	if p.shared, err = unix.Mmap(fd, 0, sharedSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED); err != nil {
		return fmt.Errorf("making memory to share with the program: %w", err)
	}
	files := []*os.File{p.o.Stdin, p.o.Stdout, p.o.Stderr, shared}
	for i, f := range files[:3] {
		if f != nil {
			continue
		}
		null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		defer null.Close()
		files[i] = null
	}
	begun := time.Now()
	defer tracee.FixedAddresses()()
	started, err := os.StartProcess(p.o.Path, p.o.Args, &os.ProcAttr{Dir: p.o.Dir, Files: files, Sys: &syscall.SysProcAttr{Ptrace: true}})
	if err != nil {
		return fmt.Errorf("starting %s: %w", p.o.Path, err)
	}
	p.pid, p.program, p.family = started.Pid, started, tracee.Family{Pid: started.Pid}
	var status unix.WaitStatus
	if _, err := tracee.Wait(p.pid, &status); err != nil || !status.Stopped() {
		return fmt.Errorf("starting %s: it ends before its first instruction (%v)", p.o.Path, err)
	}
	if err := p.prepare(entry, exit); err != nil {
		_ = p.program.Kill()
		_ = p.family.Wait(&status)
		return err
	}
	stop := p.watch(ctx)
	err = p.loop()
	stop()
	p.res.Elapsed = time.Since(begun)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// watch stops the program when its last call has returned, the time limit is reached, or the context ends.
func (p *process) watch(ctx context.Context) (stop func()) {
	done, ended := make(chan bool), make(chan bool)
	go func() {
		defer close(ended)
		var limit <-chan time.Time
		if p.o.Limit > 0 {
			limit = time.After(p.o.Limit)
		}
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		for {
			why := ""
			select {
			case <-done:
				return
			case <-ctx.Done():
				why = "interrupted"
			case <-limit:
				why = EndedLimit
			case <-tick.C:
				if atomic.LoadUint64(p.word(dataAt, "over")) != 0 {
					why = EndedBehind
				}
			}
			if why != "" {
				p.killed.Store(&why)
				_ = p.program.Kill()
				return
			}
		}
	}()
	return func() { close(done); <-ended }
}

// word returns a word of the data at an offset of the shared memory.
func (p *process) word(at int, name string) *uint64 {
	return (*uint64)(unsafe.Pointer(&p.shared[at+8*slices.Index(slots, name)]))
}

// prepare maps the shared memory, measures the probe's own time, and installs the probe.
func (p *process) prepare(entry, exit *place) error {
	const options = unix.PTRACE_O_EXITKILL | unix.PTRACE_O_TRACEFORK | unix.PTRACE_O_TRACEVFORK | unix.PTRACE_O_TRACECLONE | unix.PTRACE_O_TRACEEXEC
	if err := unix.PtraceSetOptions(p.pid, options); err != nil {
		return fmt.Errorf("tracing the program: %w", err)
	}
	var err error
	if p.mem, err = os.OpenFile(fmt.Sprintf("/proc/%d/mem", p.pid), os.O_RDWR, 0); err != nil {
		return fmt.Errorf("tracing the program: %w", err)
	}
	var regs unix.PtraceRegs
	if err := unix.PtraceGetRegs(p.pid, &regs); err != nil {
		return fmt.Errorf("tracing the program: %w", err)
	}
	if regs.Cs != 0x33 {
		return errors.New("the program is not 64-bit code")
	}
	p.gadget, p.stack = regs.Rip, regs.Rsp
	var old [3]byte
	if _, err := p.mem.ReadAt(old[:], int64(regs.Rip)); err != nil {
		return fmt.Errorf("reading the program's code: %w", err)
	}
	if err := p.write(regs.Rip, []byte{0x0f, 0x05, 0xcc}); err != nil {
		return err
	}
	if err := p.share(entry.addr); err != nil {
		return err
	}
	if err := p.try(entry, exit != nil); err != nil {
		return err
	}
	if err := p.write(regs.Rip, old[:]); err != nil {
		return err
	}
	if err := unix.PtraceSetRegs(p.pid, &regs); err != nil {
		return fmt.Errorf("tracing the program: %w", err)
	}
	*p.word(dataAt, "first"), *p.word(dataAt, "last") = max(1, p.o.First), p.o.Last
	if p.o.Last == 0 {
		*p.word(dataAt, "last") = 1<<63 - 1
	}
	*p.word(dataAt, "next"), *p.word(dataAt, "limit") = p.base+recordAt, p.base+sharedSize
	*p.word(dataAt, "interval") = lookEvery
	return p.install(places{entry, exit, p.bias}, codeAt, dataAt)
}

// share maps the shared memory within reach of jumps from the region.
func (p *process) share(near uint64) error {
	maps, err := tracee.Maps(p.pid)
	if err != nil {
		return err
	}
	real, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", p.pid))
	if err != nil {
		return fmt.Errorf("reading what the program has mapped: %w", err)
	}
	i := slices.IndexFunc(maps, func(m tracee.Mapping) bool { return m.Path == real })
	if i < 0 {
		return errors.New("the program's file is not mapped")
	}
	if p.bias, err = object.Bias(p.file.Path, maps[i].Lo, maps[i].Offset); err != nil {
		return err
	}
	at := near + p.bias
	const step = 1 << 26
	for d := int64(step); d < reach; d += step {
		for _, a := range []int64{int64(at) - d, int64(at) + d} {
			if a = a &^ (pageSize - 1); a < 1<<20 || slices.ContainsFunc(maps, func(m tracee.Mapping) bool {
				return uint64(a) < m.Hi+pageSize && m.Lo < uint64(a)+sharedSize+pageSize
			}) {
				continue
			}
			p.base, err = p.call(unix.SYS_MMAP, uint64(a), sharedSize, unix.PROT_READ|unix.PROT_WRITE|unix.PROT_EXEC, unix.MAP_SHARED|unix.MAP_FIXED_NOREPLACE, 3, 0)
			if err != nil {
				return err
			}
			_, err = p.call(unix.SYS_CLOSE, 3)
			return err
		}
	}
	return fmt.Errorf("there is no room for a probe near the code at %#x", near)
}

// install writes a probe's code, and the jumps that lead to it.
func (p *process) install(where places, code, data int) error {
	text, symbols, err := probeCode(p.file.ISA, p.base+uint64(code), p.base+uint64(data), where)
	if err != nil {
		return err
	}
	if len(text) > codeSize/2 {
		return fmt.Errorf("the probe has %d bytes", len(text))
	}
	copy(p.shared[code:], text)
	bias := where.bias
	patches := where.entry.patches(symbols["entry"], bias)
	if where.exit != nil {
		for at, b := range where.exit.patches(symbols["exit"], bias) {
			patches[at] = b
		}
	}
	for at, b := range patches {
		old := make([]byte, len(b))
		if _, err := p.mem.ReadAt(old, int64(at+bias)); err != nil {
			return fmt.Errorf("reading the program's code: %w", err)
		}
		if want := p.file.Bytes(at, len(b)); bias == p.bias && code == codeAt && string(want) != string(old) {
			return fmt.Errorf("the code at %#x is not that of the file", at)
		}
		p.patched[at+bias] = old
		if err := p.write(at+bias, b); err != nil {
			return err
		}
	}
	return nil
}

// try times a probe on an empty region: a function that only returns, or a range without instructions.
func (p *process) try(entry *place, isRange bool) error {
	const nop = 0x90
	at := codeAt + codeSize + codeSize/2 // of the function, behind the probe's code
	from := p.base + uint64(at)
	a := p.file.ISA
	line := func(addr uint64) *place {
		x := &place{addr: addr}
		list, _ := a.Parse(nil, "nop", "att")
		for i := range jumpBytes {
			l := entry.lines[0]
			l.Addr, l.Inst = addr+uint64(i), list[0]
			l.Inst.Size = 1
			x.lines = append(x.lines, l)
		}
		return x
	}
	body := slices.Repeat([]byte{nop}, jumpBytes)
	first, last := line(from), (*place)(nil)
	if isRange {
		last = line(from + jumpBytes)
		body = append(body, slices.Repeat([]byte{nop}, jumpBytes)...)
	}
	body = append(body, 0xc3)
	call := len(body)
	body = append(body, 0xe8)
	body = binary.LittleEndian.AppendUint32(body, uint32(-int32(call+5)))
	body = append(body, 0xff, 0xcb, 0x75, 0xf7, 0xcc) // dec %ebx; jne call; int3
	copy(p.shared[at:], body)
	next := p.base + recordAt
	*p.word(trialAt, "first"), *p.word(trialAt, "last") = 1, 1<<63-1
	*p.word(trialAt, "next"), *p.word(trialAt, "limit") = next, next+16*trials
	*p.word(trialAt, "interval") = 1<<63 - 1
	if err := p.install(places{first, last, 0}, codeAt+codeSize, trialAt); err != nil {
		return err
	}
	var regs unix.PtraceRegs
	if err := unix.PtraceGetRegs(p.pid, &regs); err != nil {
		return fmt.Errorf("tracing the program: %w", err)
	}
	regs.Rip, regs.Rbx, regs.Orig_rax = from+uint64(call), trials, ^uint64(0)
	var status unix.WaitStatus
	err := unix.PtraceSetRegs(p.pid, &regs)
	if err == nil {
		err = unix.PtraceCont(p.pid, 0)
	}
	if err == nil {
		_, err = tracee.Wait(p.pid, &status)
	}
	if err == nil && (!status.Stopped() || status.StopSignal() != unix.SIGTRAP) {
		err = fmt.Errorf("it ends with %v", status)
	}
	if err != nil {
		return fmt.Errorf("trying the probe: %w", err)
	}
	clear(p.patched)
	p.res.Overhead = overheadOf(p.record(*p.word(trialAt, "next")))
	clear(p.shared[recordAt : recordAt+16*trials])
	return nil
}

// record returns the words of the record up to an address.
func (p *process) record(next uint64) (out []uint64) {
	end := min(max(next, p.base+recordAt), p.base+sharedSize) - p.base
	for at := recordAt; at+8 <= int(end); at += 8 {
		out = append(out, binary.LittleEndian.Uint64(p.shared[at:]))
	}
	return out
}

// result reads the probe's record.
func (p *process) result() {
	p.res.Entered, p.res.Left, p.res.Others = *p.word(dataAt, "calls"), *p.word(dataAt, "left"), *p.word(dataAt, "others")
	if *p.word(dataAt, "next") != 0 {
		p.res.Calls = reduce(p.record(*p.word(dataAt, "next")), p.res.Overhead)
	}
	if sp := cmp.Or(*p.word(dataAt, "timed"), *p.word(dataAt, "stack")); sp != 0 {
		p.res.Apart = sp > p.stack+near || sp+2*near < p.stack
	}
	if why := p.killed.Load(); why != nil {
		p.res.Ended = *why
	}
}

func (p *process) write(addr uint64, b []byte) error {
	if _, err := p.mem.WriteAt(b, int64(addr)); err != nil {
		return fmt.Errorf("writing into the program's memory: %w", err)
	}
	return nil
}

// call lets the stopped program make a system call.
func (p *process) call(number uint64, args ...uint64) (uint64, error) {
	return tracee.Call(p.pid, p.gadget, number, args...)
}

// loop lets the program run to its end.
func (p *process) loop() error {
	defer p.mem.Close()
	p.pin(p.pid, p.o.CPU)
	signal := 0
	for {
		if err := unix.PtraceCont(p.pid, signal); err != nil && err != unix.ESRCH {
			return fmt.Errorf("tracing the program: %w", err)
		}
		var status unix.WaitStatus
		if err := p.family.Wait(&status); err != nil {
			return fmt.Errorf("waiting for the program: %w", err)
		}
		if status.Exited() || status.Signaled() {
			p.res.Exit = status.ExitStatus()
			if status.Signaled() && p.killed.Load() == nil {
				p.res.Signal = unix.SignalName(status.Signal())
			}
			return nil
		}
		signal = 0
		switch event := status.TrapCause(); event {
		case unix.PTRACE_EVENT_CLONE:
			p.res.Threads = true
			p.pin(p.pid, -1)
			p.release(false)
		case unix.PTRACE_EVENT_FORK:
			p.res.Forks = true
			p.release(true)
		case unix.PTRACE_EVENT_VFORK:
			p.res.Forks = true
			p.release(false)
		case unix.PTRACE_EVENT_EXEC: // another program, without a probe
		default:
			if signal = int(status.StopSignal()); signal == int(unix.SIGTRAP) && event == 0 {
				continue
			}
		}
	}
}

// release detaches from the thread or process that the program has just started; in a forked copy of the program's memory it removes the probe.
func (p *process) release(copied bool) {
	pid, ok := p.family.Born()
	if !ok {
		return
	}
	p.pin(pid, -1)
	if mem, err := os.OpenFile(fmt.Sprintf("/proc/%d/mem", pid), os.O_RDWR, 0); copied && err == nil {
		for at, old := range p.patched {
			_, _ = mem.WriteAt(old, int64(at))
		}
		mem.Close()
	}
	_ = unix.PtraceDetach(pid)
}

// pin sets the CPU of a thread, −1: any CPU of this process.
func (p *process) pin(pid, cpu int) {
	if p.o.CPU < 0 {
		return
	}
	var set unix.CPUSet
	if cpu >= 0 {
		set.Set(cpu)
	} else if unix.SchedGetaffinity(os.Getpid(), &set) != nil {
		return
	}
	_ = unix.SchedSetaffinity(pid, &set)
}
