// Package dyndeps observes the dependences through memory of a running program: which store wrote what
// a load reads, how often, how many iterations and how many instructions before. It is the reference
// that static analysis is held against, as depsim is in CesASMe, section 4.4.
//
// The program runs under QEMU's user-mode emulator with a plugin (csrc/depsim.c) that keeps a shadow
// memory: for each byte its last writer. The plugin is compiled once, by the system's C compiler,
// into the user's cache.
package dyndeps

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

//go:embed csrc/depsim.c
var source string

// emulator is how programs of an instruction set are run.
type emulator struct {
	command string // of QEMU, in the Debian package qemu-user
	sysroot string // of Debian's cross libraries
}

// emulators by name of the instruction set.
var emulators = map[string]emulator{
	"x86-64":  {"qemu-x86_64", "/usr/x86_64-linux-gnu"},
	"aarch64": {"qemu-aarch64", "/usr/aarch64-linux-gnu"},
	"riscv64": {"qemu-riscv64", "/usr/riscv64-linux-gnu"},
}

// lastPlugin is the last version of QEMU with plugin interface 1; 9.0 has another, without the inline
// counters of global variables that the plugin counts instructions with.
const lastPlugin = 8

// find returns the path of the emulator, which must be able to run plugins.
func (em emulator) find(given string) (string, error) {
	name := em.command
	if given != "" {
		name = given
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("%s is needed to observe the program, and was not found (Debian package: qemu-user)", name)
	}
	help, _ := exec.Command(path, "-h").CombinedOutput()
	if !strings.Contains(string(help), "-plugin") {
		return "", fmt.Errorf("%s runs no plugins, as builds that are linked statically do not (Debian 12's package qemu-user does)", path)
	}
	version, _ := exec.Command(path, "--version").Output()
	if m := regexp.MustCompile(`version (\d+)\.`).FindSubmatch(version); m != nil {
		if n, _ := strconv.Atoi(string(m[1])); n > lastPlugin {
			return "", fmt.Errorf("%s is of version %d; versions 6 to %d have the plugin interface that is known here", path, n, lastPlugin)
		}
	}
	return path, nil
}

// plugin returns the compiled plugin, which it compiles if the user's cache doesn't hold it.
func plugin() (string, error) {
	cc := os.Getenv("CC")
	if cc == "" {
		cc = "cc"
	}
	flags := []string{"-O3", "-fno-plt", "-fPIC", "-shared", "-fvisibility=hidden", "-pthread"}
	sum := sha256.Sum256([]byte(source + strings.Join(flags, " ")))
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("a directory for the compiled plugin is needed: %w", err)
	}
	dir = filepath.Join(dir, "incore")
	so := filepath.Join(dir, "depsim-"+hex.EncodeToString(sum[:8])+".so")
	if _, err := os.Stat(so); err == nil {
		return so, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("making a directory for the compiled plugin: %w", err)
	}
	tmp := fmt.Sprintf("%s.%d", so, os.Getpid())
	defer os.Remove(tmp)
	words := strings.Fields(cc)
	cmd := exec.Command(words[0], append(words[1:], append(flags, "-xc", "-", "-o", tmp)...)...)
	cmd.Stdin = strings.NewReader(source)
	out, err := cmd.CombinedOutput()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "", fmt.Errorf("a C compiler is needed to build QEMU's plugin, once, and %q was not found (Debian packages: gcc, libc6-dev)", words[0])
	case err != nil:
		return "", fmt.Errorf("building QEMU's plugin with %s (Debian packages: gcc, libc6-dev): %w\n%s", cc, err, out)
	}
	return so, os.Rename(tmp, so)
}
