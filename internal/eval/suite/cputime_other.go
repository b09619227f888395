//go:build !linux

package suite

import "time"

var begin = time.Now()

// cpuTime is the time that has passed, where a thread's own is not known.
func cpuTime() time.Duration { return time.Since(begin) }
