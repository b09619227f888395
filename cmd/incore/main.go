// Command incore analyses loops for CPU cores; see its --help and docs/usage.md.
package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"

	"incore/internal/cli"
)

func main() {
	if os.Getenv("GOGC") == "" {
		roomyHeap()
	}
	os.Exit(cli.Main(os.Args, os.Stdin, os.Stdout, os.Stderr))
}

// roomyHeap lets the heap grow to about 16 MB before garbage is collected, and to twice what is live where that is more.
// By default the first collection comes at 4 MB, which most runs just reach: it would be an eighth of their time.
func roomyHeap() {
	debug.SetGCPercent(400) // of 4 MB
	type cycle struct{ _ *byte }
	var next func(*cycle)
	next = func(*cycle) { // behind each collection
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		debug.SetGCPercent(int(min(400, max(100, 100*16<<20/max(1, live[0].Value.Uint64())))))
		runtime.SetFinalizer(&cycle{}, next)
	}
	runtime.SetFinalizer(&cycle{}, next)
}
