// Package dyndeps observes the dependences through memory of a running program: for each load the stores that wrote
// the loaded bytes, the number of occurrences, and the distances in iterations and instructions. It is the reference
// for the static analysis, as depsim is in CesASMe, section 4.4.
//
// The program runs under QEMU's user-mode emulator with a plugin (csrc) that has a shadow
// memory: the last writer of each byte. The system's C compiler compiles the plugin once,
// into the user's cache.
package dyndeps

import (
	"embed"
	"fmt"
	"os/exec"
	"strings"

	"incore/internal/program/qemu"
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

// findEmulator returns the path of the given emulator or of the default one for an instruction set, after checking that it can run plugins.
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

// plugin returns the compiled plugin; it compiles the plugin if the user's cache doesn't contain it.
func plugin() (string, error) { return qemu.Plugin("depsim", source()) }
