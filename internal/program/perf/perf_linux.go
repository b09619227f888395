package perf

import (
	"os"

	"golang.org/x/sys/unix"
)

// Counters are the open counters of a process.
type Counters struct {
	groups [][]Event
	fds    [][]int // the leader first
}

// Format of readings, and exclusions.
const (
	formatEnabled = 1 << 0
	formatRunning = 1 << 1
	formatGroup   = 1 << 3
	excludeKernel = 1 << 5
	excludeHV     = 1 << 6
)

// Open starts counting groups of events of a process (0: the calling thread) in user mode; the events of one group are counted at the same time. The error
// says in one line why counting is not possible.
func Open(pid int, groups ...[]Event) (*Counters, error) {
	c := &Counters{groups: groups}
	for _, g := range groups {
		leader := -1
		c.fds = append(c.fds, nil)
		for _, e := range g {
			attr := unix.PerfEventAttr{Type: e.Type, Config: e.Config, Size: unix.PERF_ATTR_SIZE_VER0, Read_format: formatEnabled | formatRunning | formatGroup}
			if e.Type != Software {
				attr.Bits = excludeKernel | excludeHV
			}
			fd, err := unix.PerfEventOpen(&attr, pid, -1, leader, unix.PERF_FLAG_FD_CLOEXEC)
			if err != nil {
				c.Close()
				paranoid, _ := os.ReadFile("/proc/sys/kernel/perf_event_paranoid")
				return nil, explain(err, e, string(paranoid))
			}
			if leader < 0 {
				leader = fd
			}
			last := &c.fds[len(c.fds)-1]
			*last = append(*last, fd)
		}
	}
	return c, nil
}

// Read returns the counts until now, also after the process has ended.
func (c *Counters) Read() (out []Count, err error) {
	for i, fds := range c.fds {
		b := make([]byte, 8*(3+len(fds)))
		n, err := unix.Read(fds[0], b)
		if err != nil {
			return nil, os.NewSyscallError("reading counters", err)
		}
		counts, err := decode(c.groups[i], b[:n])
		if err != nil {
			return nil, err
		}
		out = append(out, counts...)
	}
	return out, nil
}

// Close ends the counting.
func (c *Counters) Close() {
	for _, fds := range c.fds {
		for _, fd := range fds {
			unix.Close(fd)
		}
	}
}
