package suite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"incore/internal/base/regex"
	"incore/internal/eval"
)

// Compiler is a compiler that is installed on this machine.
type Compiler struct {
	Name     string // name of its command
	Family   string // "gcc", "clang" or "flang"
	Version  int    // major version
	Language string // its language: C, C++, Fortran
	prefix   []string
}

// commands lists the names of compilers to look for.
var commands = []struct{ language, family, name string }{
	{"C", "gcc", "gcc"}, {"C++", "gcc", "g++"}, {"Fortran", "gcc", "gfortran"}, {"Fortran", "flang", "flang"}, {"C", "icx", "icx"},
}

// Target is the target of compiled benchmarks.
type Target struct {
	ISA    string   // name of the instruction set, as in package isa
	Triple string   // triple of the cross compilers, "" for this machine
	Emu    []string // command of the emulator, nil if binaries run natively
}

// compilers finds the compilers for a target. Each version of clang counts, since their optimizers differ.
func (t *Target) compilers() (out []Compiler) {
	add := func(language, family, name string, prefix ...string) {
		if _, err := exec.LookPath(name); err != nil {
			return
		}
		text, err := exec.Command(name, "--version").Output()
		if err != nil {
			return
		}
		out = append(out, Compiler{name, family, version(string(text)), language, prefix})
	}
	for _, c := range commands {
		name := c.name
		if t.Triple != "" {
			name = t.Triple + "-" + name
		}
		if c.family != "icx" {
			add(c.language, c.family, name)
		}
	}
	var cross []string
	if t.Triple != "" {
		cross = []string{"--target=" + t.Triple}
	}
	versioned := false
	for v := 14; v <= eval.NewestVersion; v++ {
		for _, name := range []string{"flang-new-", "flang-"} { // the former until 19
			add("Fortran", "flang", fmt.Sprint(name, v), cross...)
		}
		before := len(out)
		add("C", "clang", fmt.Sprint("clang-", v), cross...)
		add("C++", "clang", fmt.Sprint("clang++-", v), cross...)
		versioned = versioned || len(out) > before
	}
	if !versioned {
		add("C", "clang", "clang", cross...)
		add("C++", "clang", "clang++", cross...)
	}
	return out
}

var versionNumber = regex.Lazy(`\b(\d+)\.\d+\.\d+`)

// version finds the major version in the output of a compiler's --version.
func version(text string) int {
	m := versionNumber().FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// The limits of a compiler's run, and of a benchmark's.
const (
	compileLimit = 30 * time.Second
	runLimit     = 10 * time.Second
	// endedTogether is how much later than a child this process may end when both are killed.
	endedTogether = time.Second
)

// toolError is the error of a failed command.
type toolError struct {
	what string // the reason in the count of dropped benchmarks
	text string // the first line of the command's error message
}

func (e *toolError) Error() string {
	if e.text == "" {
		return e.what
	}
	return e.what + ": " + e.text
}

// errFull is the error for a full disk, which ends the run.
var errFull = errors.New("no space left on device")

// command runs a program with a time limit and returns its output. doing names the activity in the error.
func command(ctx context.Context, limit time.Duration, doing string, args ...string) (string, error) {
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(limited, args[0], args[1:]...)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	cmd.WaitDelay = time.Second
	var errs strings.Builder
	cmd.Stderr = &limitedWriter{to: &errs, left: 64 << 10}
	var outs strings.Builder
	cmd.Stdout = &limitedWriter{to: &outs, left: 16 << 20}
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case limited.Err() != nil:
		return "", &toolError{doing + " takes too long", fmt.Sprintf("more than %v", limit)}
	case err == nil:
		return outs.String(), nil
	case strings.Contains(errs.String(), "No space left on device"):
		return "", errFull
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && !exit.Exited() {
		if w, ok := exit.Sys().(syscall.WaitStatus); ok && (w.Signal() == syscall.SIGKILL || w.Signal() == syscall.SIGTERM) {
			// When a job is killed all of its processes are, this one a moment later than the child: the child's failure must then not be stored.
			select {
			case <-ctx.Done():
				return "", ctx.Err()
			case <-time.After(endedTogether):
			}
		}
		return "", &toolError{doing + " crashes", err.Error()}
	}
	return "", &toolError{doing + " fails", reason(errs.String(), err)}
}

// limitedWriter drops output beyond a limit.
type limitedWriter struct {
	to   *strings.Builder
	left int
}

func (w *limitedWriter) Write(b []byte) (int, error) {
	n := min(len(b), w.left)
	w.to.Write(b[:n])
	w.left -= n
	return len(b), nil
}

// reason returns the line of a compiler's messages that states the error.
func reason(text string, err error) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for _, l := range lines {
		if strings.Contains(l, "error") || strings.Contains(l, "undefined") {
			return strings.TrimSpace(l)
		}
	}
	if lines[0] != "" {
		return lines[0]
	}
	return err.Error()
}
