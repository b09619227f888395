package dbi

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"incore/internal/isa"
	"incore/internal/program/tracee"
)

// Sizes of the shared memory and of the cache.
const (
	bufferSize = 2 << 20
	buffers    = 2
	sharedSize = (controlSize+pageSize-1)/pageSize*pageSize + buffers*(bufferSize+pageSize)
	sharedHint = 0x100000000000 // preferred address of the shared memory in the program
	regionSize = 64 << 20
	reach      = 3 << 29 // 1.5 GiB
)

// region is a part of the cache.
type region struct {
	base           uint64
	used           int
	routine, again uint64
	miss           uint64
	forget, end    uint64 // the routine that empties the filter
}

// tracer runs one program.
type tracer struct {
	*Translator
	o       *Options
	res     *Result
	pid     int
	family  tracee.Family
	program *os.Process // killed by its handle, because another process may reuse its number after its end
	mem     *os.File
	shared  []byte
	base    uint64 // address of shared in the program
	regions []*region
	gadget  uint64 // a system call instruction in the cache
	pages   map[uint64][]byte
	mapped  []tracee.Mapping // the program's mappings, nil after a system call that changes them
	hidden  uint64           // CLONE_UNTRACED, if the program gave it to the system call that it is making
	outside bool             // the program executes its own code, from an instruction that traps until its handler returns
	entered bool             // meanwhile: it is in a system call
	calling uint64           // the number of this call
	fd      int              // the program's file descriptor of the shared memory

	current int // buffer that the program writes
	full    chan buffer
	free    chan int
}

// buffer is a part of a record that is handed to Options.Consume.
type buffer struct {
	index  int
	record []byte
	seen   Result // copy of the result when the record was full, because the program continues
}

func run(ctx context.Context, a *isa.ISA, o Options) (*Result, error) {
	if len(o.Args) == 0 {
		return nil, errors.New("no program is given")
	}
	t := &tracer{Translator: newTranslator(a, o.Addresses, o.Filter), o: &o, res: &Result{Known: o.Filter.Known()}, pages: map[uint64][]byte{}, full: make(chan buffer, buffers), free: make(chan int, buffers)}
	done := make(chan error, 1)
	consumed := make(chan bool)
	go func() {
		for b := range t.full {
			if o.Consume != nil {
				o.Consume(&b.seen, b.record)
			}
			t.free <- b.index
		}
		close(consumed)
	}()
	go func() { // only the thread that started the program may make ptrace requests
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		done <- t.run(ctx)
	}()
	err := <-done
	close(t.full)
	<-consumed
	if t.shared != nil {
		t.counts()
		_ = unix.Munmap(t.shared)
	}
	t.res.Blocks = t.Blocks
	return t.res, err
}

// hand passes a record to the consumer.
func (t *tracer) hand(index int, record []byte) {
	t.full <- buffer{index, record, Result{Blocks: t.Blocks, Thread: t.res.Thread, Modules: t.res.Modules, Known: t.res.Known}}
}

func (t *tracer) counts() {
	t.res.Counts = make([]uint64, len(t.Blocks))
	for i := range t.res.Counts {
		t.res.Counts[i] = binary.LittleEndian.Uint64(t.shared[slotCounts+8*i:])
	}
	if t.events > maxCrossed {
		t.note("it has more than %d loads and stores: of the others, accesses of two cache lines are not counted", maxCrossed)
	}
	t.res.Crossed = make([]uint64, min(t.events, maxCrossed))
	for i := range t.res.Crossed {
		t.res.Crossed[i] = binary.LittleEndian.Uint64(t.shared[slotCrossed+8*i:])
	}
}

func (t *tracer) run(ctx context.Context) error {
	path, err := exec.LookPath(t.o.Args[0])
	if err != nil {
		return fmt.Errorf("program %s: %w", t.o.Args[0], errors.Unwrap(err))
	}
	if path, err = filepath.Abs(path); err != nil {
		return err
	}
	fd, err := unix.MemfdCreate("incore-record", unix.MFD_CLOEXEC)
	if err != nil {
		return fmt.Errorf("making memory to share with the program: %w", err)
	}
	shared := os.NewFile(uintptr(fd), "record")
	defer shared.Close()
	if err := shared.Truncate(sharedSize); err != nil {
		return fmt.Errorf("making memory to share with the program: %w", err)
	}
	if t.shared, err = unix.Mmap(fd, 0, sharedSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED); err != nil {
		return fmt.Errorf("making memory to share with the program: %w", err)
	}
	t.fd = 3
	start := time.Now()
	defer tracee.FixedAddresses()()
	p, err := os.StartProcess(path, t.o.Args, &os.ProcAttr{Dir: t.o.Dir, Files: []*os.File{t.o.Stdin, t.o.Stdout, t.o.Stderr, shared}, Sys: &syscall.SysProcAttr{Ptrace: true}})
	if err != nil {
		return fmt.Errorf("starting %s: %w", path, err)
	}
	t.pid, t.program, t.family = p.Pid, p, tracee.Family{Pid: p.Pid}
	var status unix.WaitStatus
	if _, err := tracee.Wait(t.pid, &status); err != nil || !status.Stopped() {
		return fmt.Errorf("starting %s: it ends before its first instruction (%v)", path, err)
	}
	stop := t.limit(ctx)
	defer stop()
	err = t.attach()
	if err == nil {
		err = t.loop()
	}
	if err != nil {
		_ = t.program.Kill()
		_ = t.family.Wait(&status)
		stop()
		if t.res.Ended == "" && len(t.Blocks) > 0 { // else the program was killed during a stop
			t.res.Ended = "stopped: " + err.Error()
		}
		if t.res.Ended != "" { // the result until then is kept
			t.rest()
			err = nil
		}
	}
	t.res.Elapsed = time.Since(start)
	return err
}

// limit kills the program when the context ends or the time is over.
func (t *tracer) limit(ctx context.Context) (stop func()) {
	done, ended := make(chan bool), make(chan bool)
	var after <-chan time.Time
	if t.o.Limit > 0 {
		after = time.After(t.o.Limit)
	}
	go func() {
		defer close(ended)
		select {
		case <-done:
			return
		case <-ctx.Done():
			t.res.Ended = "interrupted"
		case <-after:
			t.res.Ended = fmt.Sprintf("ended after %v, the limit", t.o.Limit)
		}
		_ = t.program.Kill()
	}()
	return sync.OnceFunc(func() { close(done); <-ended })
}

// attach prepares the stopped program: the shared memory, the cache, and its first block.
func (t *tracer) attach() error {
	const options = unix.PTRACE_O_EXITKILL | unix.PTRACE_O_TRACEFORK | unix.PTRACE_O_TRACEVFORK | unix.PTRACE_O_TRACECLONE | unix.PTRACE_O_TRACEEXEC | unix.PTRACE_O_TRACESYSGOOD
	if err := unix.PtraceSetOptions(t.pid, options); err != nil {
		return fmt.Errorf("tracing the program: %w", err)
	}
	var err error
	if t.mem, err = os.OpenFile(fmt.Sprintf("/proc/%d/mem", t.pid), os.O_RDWR, 0); err != nil {
		return fmt.Errorf("tracing the program: %w", err)
	}
	var regs unix.PtraceRegs
	if err := unix.PtraceGetRegs(t.pid, &regs); err != nil {
		return fmt.Errorf("tracing the program: %w", err)
	}
	if regs.Cs != 0x33 {
		return errors.New("the program is not 64-bit code")
	}
	t.read, t.write, t.room, t.keepRoom, t.enter = t.readCode, t.writeCode, t.find, t.keep, func(near uint64) uint64 { return t.regionOf(near).routine }
	t.mutable, t.discard = t.overwritable, t.discardPages
	t.forgetAt = func(near uint64) uint64 { return t.regionOf(near).forget }
	var old [3]byte
	if _, err := t.mem.ReadAt(old[:], int64(regs.Rip)); err != nil {
		return fmt.Errorf("reading the program's code: %w", err)
	}
	if _, err := t.mem.WriteAt([]byte{0x0f, 0x05, 0xcc}, int64(regs.Rip)); err != nil {
		return fmt.Errorf("writing the program's code: %w", err)
	}
	t.gadget = regs.Rip
	if t.base, err = t.call(unix.SYS_MMAP, sharedHint, sharedSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED, uint64(t.fd), 0); err != nil {
		return err
	}
	if _, err := t.call(unix.SYS_CLOSE, uint64(t.fd)); err != nil {
		return err
	}
	for i := range buffers {
		if _, err := t.call(unix.SYS_MPROTECT, t.buffer(i)+bufferSize, pageSize, unix.PROT_NONE); err != nil {
			return err
		}
	}
	first, err := t.map_(regs.Rip)
	if err != nil {
		return err
	}
	if _, err := t.mem.WriteAt(old[:], int64(regs.Rip)); err != nil {
		return fmt.Errorf("writing the program's code: %w", err)
	}
	t.gadget = first.base
	t.pages = map[uint64][]byte{}
	for i := 1; i < buffers; i++ {
		t.free <- i
	}
	binary.LittleEndian.PutUint64(t.shared[slotPointer:], t.buffer(0))
	b, err := t.Block(regs.Rip)
	if err != nil {
		return err
	}
	regs.Rip, regs.Gs_base = b.cache, t.base
	return unix.PtraceSetRegs(t.pid, &regs)
}

// buffer returns the address of a buffer in the program.
func (t *tracer) buffer(i int) uint64 { return t.base + uint64(bufferOffset(i)) }

func bufferOffset(i int) int {
	return (controlSize+pageSize-1)/pageSize*pageSize + i*(bufferSize+pageSize)
}

// call makes the stopped program execute a system call.
func (t *tracer) call(number uint64, args ...uint64) (uint64, error) {
	return tracee.Call(t.pid, t.gadget, number, args...)
}

// readCode reads the program's code, page by page. The result must not be modified.
func (t *tracer) readCode(addr uint64, n int) (out []byte) {
	for len(out) < n {
		a := addr + uint64(len(out))
		page := a &^ (pageSize - 1)
		text, ok := t.pages[page]
		if !ok {
			text = make([]byte, pageSize)
			if m, err := t.mem.ReadAt(text, int64(page)); err != nil || m < pageSize {
				text = nil
			}
			t.pages[page] = text
		}
		if text == nil {
			delete(t.pages, page) // it may be mapped later
			return out
		}
		part := text[a-page:]
		if len(out) == 0 && len(part) >= n {
			return part[:n:n]
		}
		out = append(out, part[:min(len(part), n-len(out))]...)
	}
	return out
}

func (t *tracer) writeCode(addr uint64, b []byte) error {
	if _, err := t.mem.WriteAt(b, int64(addr)); err != nil {
		return fmt.Errorf("writing the copy of the program's code: %w", err)
	}
	return nil
}

// regionOf returns the region that contains an address.
func (t *tracer) regionOf(at uint64) *region {
	for _, r := range t.regions {
		if at >= r.base && at < r.base+regionSize {
			return r
		}
	}
	return t.regions[0]
}

// find finds room in the cache.
func (t *tracer) find(near uint64, n int) (uint64, error) {
	for _, r := range t.regions {
		if d := int64(near) - int64(r.base); d < reach && d > -reach && r.used+n <= regionSize {
			at := r.base + uint64(r.used)
			r.used += (n + 15) &^ 15
			return at, nil
		}
	}
	r, err := t.map_(near)
	if err != nil {
		return 0, err
	}
	at := r.base + uint64(r.used)
	r.used += (n + 15) &^ 15
	return at, nil
}

// keep releases the unused part of the room that find returned.
func (t *tracer) keep(from, end uint64) {
	r := t.regionOf(from)
	r.used = int(end-r.base+15) &^ 15
}

// map_ maps a region of the cache near to code.
func (t *tracer) map_(near uint64) (*region, error) {
	maps, err := t.maps()
	if err != nil {
		return nil, err
	}
	base := uint64(0)
	for _, d := range []int64{-1 << 30, 1 << 30, -1 << 29, 1 << 29, -5 << 28, 5 << 28, -1 << 28, 1 << 28, -1 << 27, 1 << 27} {
		a := uint64(int64(near)+d) &^ (regionSize - 1)
		if int64(near)+d < 1<<20 || int64(a) <= 0 {
			continue
		}
		if !slices.ContainsFunc(maps, func(m tracee.Mapping) bool { return a < m.Hi+pageSize && m.Lo < a+regionSize+pageSize }) {
			base = a
			break
		}
	}
	if base == 0 {
		return nil, fmt.Errorf("there is no room for a copy of the code at %#x near to it", near)
	}
	at, err := t.call(unix.SYS_MMAP, base, regionSize, unix.PROT_READ|unix.PROT_WRITE|unix.PROT_EXEC, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS|unix.MAP_NORESERVE|unix.MAP_FIXED_NOREPLACE, ^uint64(0), 0)
	if err != nil {
		return nil, err
	}
	r := &region{base: at}
	c := &code{base: at}
	c.bytes(0x0f, 0x05, 0xcc) // syscall; int3: for the tracer's system calls
	for len(c.b)%16 != 0 {
		c.bytes(0xcc)
	}
	r.routine = c.at()
	r.again, r.miss = c.routine()
	if t.filter != nil {
		r.forget = c.at()
		c.forgetting(t.filter)
		r.end = c.at()
	}
	r.used = (len(c.b) + 15) &^ 15
	t.regions = append(t.regions, r)
	return r, t.writeCode(at, c.b)
}

// maps lists the program's mappings, and records files with code.
func (t *tracer) maps() ([]tracee.Mapping, error) {
	maps, err := tracee.Maps(t.pid)
	for _, m := range maps {
		if x := (Module{m.Path, m.Lo, m.Hi, m.Offset}); m.Code && m.Path != "" && !slices.Contains(t.res.Modules, x) {
			t.res.Modules = append(t.res.Modules, x)
		}
	}
	return maps, err
}

// note adds a message about an uncounted part of the program, once.
func (t *tracer) note(format string, args ...any) {
	if s := fmt.Sprintf(format, args...); !slices.Contains(t.res.Uncount, s) {
		t.res.Uncount = append(t.res.Uncount, s)
	}
}
