//go:build !linux

package perf

import "errors"

// Counters are the open counters of a process.
type Counters struct{}

var errNone = errors.New("events are counted under Linux only")

// Open returns the error that events are only counted under Linux.
func Open(int, ...[]Event) (*Counters, error) { return nil, errNone }

// Read returns an error.
func (*Counters) Read() ([]Count, error) { return nil, errNone }

// Close ends the counting.
func (*Counters) Close() {}
