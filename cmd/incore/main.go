// Command incore analyses loops for CPU cores; see its --help and docs/usage.md.
package main

import (
	"os"
	"runtime"
	"runtime/debug"

	"incore/internal/cli"
)

func main() {
	delayCollection()
	os.Exit(cli.Main(os.Args, os.Stdin, os.Stdout, os.Stderr))
}

// delayCollection puts the first garbage collection off from 4 MB of heap to 16 MB: most runs end before, and that one
// collection would be an eighth of their time. Behind it all is as usual.
func delayCollection() {
	if os.Getenv("GOGC") != "" {
		return
	}
	usual := debug.SetGCPercent(400)
	first := new([]byte)
	runtime.SetFinalizer(first, func(*[]byte) { debug.SetGCPercent(usual) })
}
