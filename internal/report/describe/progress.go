package describe

import (
	"fmt"
	"time"
)

// Remaining words how long the rest of a task takes at the pace so far; "" at the beginning, where the pace is not
// known.
func Remaining(since time.Duration, done, rest int) string {
	const first = 5
	if done < first || rest <= 0 {
		return ""
	}
	return fmt.Sprintf(", about %v left", (since / time.Duration(done) * time.Duration(rest)).Round(time.Second))
}
