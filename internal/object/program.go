package object

import (
	"debug/elf"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
)

// LookProgram returns the path of a program that can be run, found as a shell finds it. Its error says why there is none, and what to do instead.
func LookProgram(name string) (string, error) {
	path, err := exec.LookPath(name)
	if err == nil {
		return path, nil
	}
	info, statErr := os.Stat(name)
	switch {
	case statErr != nil && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, exec.ErrNotFound)):
		return "", fmt.Errorf("program %s: there is no such file", name)
	case statErr != nil:
		return "", fmt.Errorf("program %s: %w", name, err)
	case info.IsDir():
		return "", fmt.Errorf("program %s: it is a directory", name)
	}
	if e, err := elf.Open(name); err == nil {
		kind := e.Type
		e.Close()
		if kind == elf.ET_REL {
			return "", fmt.Errorf("program %s: an executable is needed, not an object file", name)
		}
	}
	if errors.Is(err, exec.ErrNotFound) {
		return "", fmt.Errorf("program %s: there is none in $PATH, but one here: ./%[1]s", name)
	}
	return "", fmt.Errorf("program %s: it may not be run ('chmod +x' permits it)", name)
}
