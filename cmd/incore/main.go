// Command incore analyses loops for CPU cores; see its --help and docs/usage.md.
package main

import (
	"os"
	"runtime/debug"

	"incore/internal/cli"
	"incore/internal/web/jail"
)

func main() {
	jail.Enter()
	// The first collection of garbage comes at 16 MB in place of 4, which most runs just reach: it would be an eighth of their time.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	ignoreFileLimit()
	os.Exit(cli.Main(os.Args, os.Stdin, os.Stdout, os.Stderr))
}
