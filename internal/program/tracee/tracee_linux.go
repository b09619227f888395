package tracee

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// Mapping is a part of a process's memory.
type Mapping struct {
	Lo, Hi uint64
	Offset uint64 // of Lo in the file
	Path   string // of the file, "" if there is none; the kernel's own parts have names in brackets
	Code   bool   // it may be executed
	Write  bool   // it may be written
	Shared bool   // writes through another mapping of the file change it
}

// Maps lists what a process has mapped, in order of addresses.
func Maps(pid int) ([]Mapping, error) {
	f, err := os.Open(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return nil, fmt.Errorf("reading what the program has mapped: %w", err)
	}
	defer f.Close()
	return readMaps(f)
}

func readMaps(r io.Reader) (out []Mapping, err error) {
	s := bufio.NewScanner(r)
	for s.Scan() {
		var m Mapping
		var mode, device string
		var inode uint64
		if n, _ := fmt.Sscanf(s.Text(), "%x-%x %s %x %s %d", &m.Lo, &m.Hi, &mode, &m.Offset, &device, &inode); n < 6 {
			continue
		}
		if i := strings.IndexAny(s.Text(), "/["); i >= 0 {
			m.Path = s.Text()[i:]
		}
		m.Code, m.Write, m.Shared = strings.Contains(mode, "x"), strings.Contains(mode, "w"), strings.Contains(mode, "s")
		out = append(out, m)
	}
	return out, s.Err()
}

// Wait waits for a process or thread to stop or end, also where a signal interrupts it.
func Wait(pid int, status *unix.WaitStatus) (int, error) { return wait(pid, status, unix.WALL) }

func wait(pid int, status *unix.WaitStatus, options int) (int, error) {
	for {
		n, err := unix.Wait4(pid, status, options, nil)
		if err != unix.EINTR {
			return n, err
		}
	}
}
