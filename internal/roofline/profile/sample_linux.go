package profile

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"incore/internal/object"
	"incore/internal/program/perf"
	"incore/internal/program/tracee"
)

// Sampling of the instruction pointer by the kernel's clock of the process, which needs no counters.
const (
	samplePeriod = 250 * time.Microsecond
	ringPages    = 256
	pollEvery    = 50 * time.Millisecond
)

// Types and bits of perf_event_open(2).
const (
	perfSample    = 9
	perfMmap      = 1
	excludeKernel = 1 << 5
	excludeHV     = 1 << 6
	mmapRecords   = 1 << 8
)

// sampled runs a program natively, samples its instruction pointer, and counts groups of events. It returns the time on a core with the
// samples. If the kernel does not permit sampling, the samples are empty and why is the reason.
func sampled(ctx context.Context, cmd *exec.Cmd, limit time.Duration, groups [][]perf.Event) (at *samples, why string, err error) {
	runtime.LockOSThread() // only the thread that started the program may make ptrace requests
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	if err := cmd.Start(); err != nil {
		return nil, "", err
	}
	pid := cmd.Process.Pid
	var status unix.WaitStatus
	if _, err := unix.Wait4(pid, &status, 0, nil); err != nil || !status.Stopped() {
		return nil, "", fmt.Errorf("starting the program: %w", err)
	}
	at = &samples{}
	ring, fd, openErr := openRing(pid)
	if openErr != nil {
		why = "the kernel lets nobody sample (perf_event_open: " + openErr.Error() + "; sysctl kernel.perf_event_paranoid=2)"
	} else {
		defer unix.Close(fd)
		defer func() { _ = unix.Munmap(ring) }()
		at.modules = mapped(pid)
	}
	var counters *perf.Counters
	if len(groups) > 0 {
		if counters, at.uncount = perf.Open(pid, groups...); counters != nil {
			defer counters.Close()
		}
	}
	if err := unix.PtraceDetach(pid); err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return nil, "", fmt.Errorf("starting the program: %w", err)
	}
	ended := make(chan bool)
	go func() { _ = cmd.Wait(); close(ended) }() // the exit status is known from the first run
	err = follow(ctx, cmd, limit, ended, func() { at.read(ring) })
	if s := cmd.ProcessState; s != nil {
		at.seconds = (s.UserTime() + s.SystemTime()).Seconds()
	}
	if counters != nil && err == nil {
		at.counts, at.uncount = counters.Read()
	}
	return at, why, err
}

// follow reads the ring until the program ends, and kills the program when the context ends or the limit is over.
func follow(ctx context.Context, cmd *exec.Cmd, limit time.Duration, ended chan bool, read func()) (err error) {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	var late <-chan time.Time
	if limit > 0 {
		late = time.After(limit)
	}
	for {
		select {
		case <-ended:
			read()
			return err
		case <-tick.C:
			read()
		case <-late:
			err = fmt.Errorf("it takes longer than %v", limit)
			_ = cmd.Process.Kill()
		case <-ctx.Done():
			if err == nil {
				err = ctx.Err()
				_ = cmd.Process.Kill()
			}
			<-ended
			return err
		}
	}
}

// openRing asks the kernel for samples of a process.
func openRing(pid int) (ring []byte, fd int, err error) {
	attr := unix.PerfEventAttr{Type: unix.PERF_TYPE_SOFTWARE, Config: unix.PERF_COUNT_SW_CPU_CLOCK, Sample: uint64(samplePeriod.Nanoseconds()),
		Sample_type: unix.PERF_SAMPLE_IP, Bits: excludeKernel | excludeHV | mmapRecords}
	attr.Size = unix.PERF_ATTR_SIZE_VER0
	if fd, err = unix.PerfEventOpen(&attr, pid, -1, -1, unix.PERF_FLAG_FD_CLOEXEC); err != nil {
		return nil, 0, err
	}
	if ring, err = unix.Mmap(fd, 0, (1+ringPages)*os.Getpagesize(), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED); err != nil {
		unix.Close(fd)
		return nil, 0, err
	}
	return ring, fd, nil
}

// read reads the records that the kernel wrote since the last call.
func (s *samples) read(ring []byte) {
	if ring == nil {
		return
	}
	const headAt, tailAt = 1024, 1032
	data := ring[os.Getpagesize():]
	head, tail := binary.LittleEndian.Uint64(ring[headAt:]), binary.LittleEndian.Uint64(ring[tailAt:])
	var record []byte
	for tail+8 <= head {
		at := func(i uint64) byte { return data[(tail+i)%uint64(len(data))] }
		kind, size := uint32(at(0))|uint32(at(1))<<8, uint64(at(6))|uint64(at(7))<<8
		if size < 8 || tail+size > head {
			break
		}
		record = record[:0]
		for i := uint64(8); i < size; i++ {
			record = append(record, at(i))
		}
		tail += size
		switch {
		case kind == perfSample && len(record) >= 8:
			s.at = append(s.at, binary.LittleEndian.Uint64(record))
		case kind == perfMmap && len(record) > 32:
			w := func(i int) uint64 { return binary.LittleEndian.Uint64(record[8*i:]) }
			name, _, _ := strings.Cut(string(record[32:]), "\x00")
			s.add(name, w(1), w(1)+w(2), w(3))
		}
	}
	binary.LittleEndian.PutUint64(ring[tailAt:], tail)
}

// mapped returns the files whose code a process has mapped.
func mapped(pid int) (out []module) {
	var s samples
	maps, _ := tracee.Maps(pid)
	for _, m := range maps {
		if m.Code {
			s.add(m.Path, m.Lo, m.Hi, m.Offset)
		}
	}
	return s.modules
}

// add records a file with mapped code.
func (s *samples) add(path string, lo, hi, offset uint64) {
	if bias, err := object.Bias(path, lo, offset); err == nil {
		s.modules = append(s.modules, module{path, lo, hi, bias})
	}
}
