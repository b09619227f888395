//go:build !linux

package suite

import "time"

var begin = time.Now()

// cpuTime returns the elapsed time, on systems without the CPU time of a thread.
func cpuTime() time.Duration { return time.Since(begin) }
