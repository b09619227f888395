// Package perf counts events of a process by the kernel's perf_event_open(2): cycles, instructions, cache lines by the level that served them. If the
// hardware has too few counters, the kernel multiplexes groups of events, and the counts are scaled to the whole time.
package perf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"syscall"
)

// Event is an event with its type and configuration in perf_event_attr.
type Event struct {
	Name   string
	Type   uint32
	Config uint64
}

// Types of events.
const (
	Hardware = 0
	Software = 1
	Cache    = 3
	Raw      = 4
)

// Generic events of all kernels.
var (
	Cycles       = Event{"cycles", Hardware, 0}
	Instructions = Event{"instructions", Hardware, 1}
	TaskClock    = Event{"task-clock", Software, 1} // time on a core in ns
	PageFaults   = Event{"page-faults", Software, 2}
)

// Count is an event's count.
type Count struct {
	Event string  `json:"event"`
	Count float64 `json:"count"`           // scaled to the whole time
	Share float64 `json:"share,omitempty"` // share of the time in which it was counted; 1: all, not scaled
}

// decode reads the kernel's data of a group: the number of its events, the enabled time, the running time, and the counts.
func decode(group []Event, b []byte) ([]Count, error) {
	word := func(i int) uint64 { return binary.NativeEndian.Uint64(b[8*i:]) }
	if len(b) < 8*(3+len(group)) || word(0) != uint64(len(group)) {
		return nil, fmt.Errorf("the kernel gives %d bytes for %d events", len(b), len(group))
	}
	enabled, running := word(1), word(2)
	out := make([]Count, len(group))
	for i, e := range group {
		out[i].Event = e.Name
		if running > 0 {
			out[i].Share = float64(running) / float64(enabled)
			out[i].Count = float64(word(3+i)) / out[i].Share
		}
	}
	return out, nil
}

// explain returns an error of one line that says why the kernel does not count. paranoid is the text of /proc/sys/kernel/perf_event_paranoid.
func explain(err error, e Event, paranoid string) error {
	why := "perf_event_open: " + err.Error()
	switch {
	case errors.Is(err, syscall.ENOENT), errors.Is(err, syscall.EOPNOTSUPP), errors.Is(err, syscall.ENODEV):
		why = "this machine has no counter for them (a virtual machine without a performance monitoring unit?)"
	case errors.Is(err, syscall.EACCES), errors.Is(err, syscall.EPERM):
		why = "the kernel allows it to nobody but root (kernel.perf_event_paranoid is " + strings.TrimSpace(paranoid) + "; 2 or less is needed)"
	case errors.Is(err, syscall.ENOSYS):
		why = "the kernel has no perf_event_open"
	}
	return fmt.Errorf("%s cannot be counted: %s", e.Name, why)
}
