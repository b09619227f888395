// Command incore analyses loops for CPU cores; see its --help and docs/usage.md.
package main

import (
	"os"

	"incore/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args, os.Stdin, os.Stdout, os.Stderr))
}
