// Package qemu runs programs of other instruction sets under QEMU's user-mode emulator. The system's C compiler compiles the
// plugins once into the user's cache.
package qemu

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"incore/internal/base/platform"
	"incore/internal/base/regex"
)

// Find returns the path of the emulator of an instruction set; all are in the Debian package qemu-user.
func Find(isa string) (string, error) {
	p := platform.Of(isa)
	if p == nil {
		return "", fmt.Errorf("no emulator for %s", isa)
	}
	path, err := exec.LookPath(p.Emulator)
	if err != nil {
		return "", fmt.Errorf("%s is needed, and was not found (Debian package: qemu-user)", p.Emulator)
	}
	return path, nil
}

// lastPlugin is the last version of QEMU with plugin interface 1; 9.0 has another.
const lastPlugin = 8

var versionRE = regex.Lazy(`version (\d+)\.`)

// Version returns the version that an emulator reports, "" if it reports none.
func Version(path string) string {
	out, _ := exec.Command(path, "--version").Output()
	line, _, _ := strings.Cut(string(out), "\n")
	return line
}

// RunsPlugins returns the reason why an emulator cannot run plugins; nil if it can.
func RunsPlugins(path string) error {
	help, _ := exec.Command(path, "-h").CombinedOutput()
	if !strings.Contains(string(help), "-plugin") {
		return fmt.Errorf("%s runs no plugins, as builds that are linked statically do not (Debian 12's package qemu-user does)", path)
	}
	if m := versionRE().FindStringSubmatch(Version(path)); m != nil {
		if n, _ := strconv.Atoi(m[1]); n > lastPlugin {
			return fmt.Errorf("%s is of version %d; versions 6 to %d have the plugin interface that is known here", path, n, lastPlugin)
		}
	}
	return nil
}

// Plugin returns the path of a plugin compiled from C source, which it compiles if the user's cache does not hold it.
func Plugin(name, source string) (string, error) {
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
	so := filepath.Join(dir, name+"-"+hex.EncodeToString(sum[:8])+".so")
	if _, err := os.Stat(so); err == nil {
		return so, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("making a directory for the compiled plugin: %w", err)
	}
	tmp := fmt.Sprintf("%s.%d", so, os.Getpid())
	defer os.Remove(tmp)
	words := strings.Fields(cc)
	if len(words) == 0 {
		return "", errors.New("CC is empty; a C compiler is needed to build QEMU's plugin")
	}
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
