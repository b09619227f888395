// Package dyndeps observes the dependences through memory of a running program: which store wrote what
// a load reads, how often, how many iterations and how many instructions before. It is the reference
// that static analysis is held against, as depsim is in CesASMe, section 4.4.
//
// The program runs under QEMU's user-mode emulator with a plugin (csrc) that keeps a shadow
// memory: for each byte its last writer. The plugin is compiled once, by the system's C compiler,
// into the user's cache.
package dyndeps

import (
	"embed"
	"fmt"
	"os/exec"
	"strings"

	"incore/internal/qemu"
)

//go:embed csrc
var csrc embed.FS

// parts of the plugin, in the order in which they are compiled as one.
var parts = []string{"map.c", "shadow.c", "depsim.c"}

// source is the plugin's, as one text.
func source() string {
	var b strings.Builder
	b.WriteString(qemu.Interface)
	for _, name := range parts {
		text, err := csrc.ReadFile("csrc/" + name)
		if err != nil {
			panic(err) // embedded: cannot be
		}
		if name == "depsim.c" {
			b.WriteString(qemu.SVE)
		}
		fmt.Fprintf(&b, "#line 1 %q\n%s", name, text)
	}
	return b.String()
}

// sysroots are where Debian's cross libraries lie, by name of the instruction set.
var sysroots = map[string]string{"x86-64": "/usr/x86_64-linux-gnu", "aarch64": "/usr/aarch64-linux-gnu", "riscv64": "/usr/riscv64-linux-gnu"}

// findEmulator returns the path of an instruction set's emulator, or of the one given, which must be able to run plugins.
func findEmulator(isa, given string) (path string, err error) {
	if given == "" {
		path, err = qemu.Find(isa)
	} else if path, err = exec.LookPath(given); err != nil {
		err = fmt.Errorf("%s is needed to observe the program, and was not found (Debian package: qemu-user)", given)
	}
	if err != nil {
		return "", err
	}
	return path, qemu.RunsPlugins(path)
}

// plugin returns the compiled plugin, which it compiles if the user's cache doesn't hold it.
func plugin() (string, error) { return qemu.Plugin("depsim", source()) }
