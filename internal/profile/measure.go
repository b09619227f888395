package profile

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"time"
)

// enough is how long a program has to run for one run to be measured.
const enough = 5 * time.Second

// measure runs the program as it is and returns the least time of a few runs, in seconds. Its output goes nowhere; its input is that of the first run where
// that is a file.
func measure(ctx context.Context, o *Options) (float64, error) {
	least := math.Inf(1)
	for range o.Repeat {
		cmd := exec.CommandContext(ctx, o.Args[0], o.Args[1:]...)
		if o.Stdin != nil {
			if i, err := o.Stdin.Stat(); err == nil && i.Mode().IsRegular() {
				in, err := os.Open(o.Stdin.Name())
				if err != nil {
					return 0, err
				}
				defer in.Close()
				cmd.Stdin = in
			} else if err == nil && i.Mode()&os.ModeNamedPipe != 0 {
				return 0, fmt.Errorf("its input, a pipe, cannot be read again")
			}
		}
		start := time.Now()
		if err := cmd.Start(); err != nil {
			return 0, err
		}
		var end <-chan time.Time
		if o.Limit > 0 {
			end = time.After(o.Limit)
		}
		done := make(chan bool)
		go func() {
			select {
			case <-end:
				_ = cmd.Process.Kill()
			case <-done:
			}
		}()
		_ = cmd.Wait() // the first run has told how it ends
		close(done)
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		t := time.Since(start)
		if o.Limit > 0 && t > o.Limit {
			return 0, fmt.Errorf("it takes longer than %v", o.Limit)
		}
		if least = math.Min(least, t.Seconds()); t > enough {
			break
		}
	}
	return least, nil
}
