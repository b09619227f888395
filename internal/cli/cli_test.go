package cli

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"incore/internal/base/long"
)

// TestMain lets the scripts call incore, and incore by the name of osaca.
func TestMain(m *testing.M) {
	run := func() { os.Exit(Main(os.Args, os.Stdin, os.Stdout, os.Stderr)) }
	testscript.Main(m, map[string]func(){"incore": run, "osaca": run})
}

func TestScripts(t *testing.T) {
	home, _ := os.UserHomeDir()
	tools := []string{"RUSTUP_HOME=" + cmp.Or(os.Getenv("RUSTUP_HOME"), filepath.Join(home, ".rustup")), "CARGO_HOME=" + cmp.Or(os.Getenv("CARGO_HOME"), filepath.Join(home, ".cargo"))} // where rustup's rustc has its parts
	testscript.Run(t, testscript.Params{Dir: "testdata/script", RequireExplicitExec: true, UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(e *testscript.Env) error { e.Vars = append(e.Vars, tools...); return nil },
		Condition: func(name string) (bool, error) {
			switch name {
			case "long": // begins lines that run with long tests only
				return long.Tests(), nil
			case "rustc":
				c := exec.Command("rustc", "--version")
				c.Env = append(os.Environ(), tools...)
				return c.Run() == nil, nil
			}
			return false, fmt.Errorf("unknown condition %q", name)
		}})
}
