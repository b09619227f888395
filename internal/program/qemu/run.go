package qemu

import (
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"incore/internal/base/platform"
	"incore/internal/program/tracee"
)

// This file runs a program with a plugin that reports events through a pipe.

// Program is a program with the conditions of its run.
type Program struct {
	ISA                   string
	Path                  string
	Args                  []string      // without its name
	CPU                   string        // that is emulated ("max,sve512=on"); "": the emulator's default
	Sysroot               string        // where its dynamic linker and libraries are; "": Debian's folder for cross compilers
	Limit                 time.Duration // after which it is ended; 0: none
	Stdin, Stdout, Stderr *os.File      // nil: none
}

// Watch is a plugin and the reader of its events.
type Watch struct {
	Name, Source string                      // of the plugin, in C
	Options      func(version string) string // further options of the plugin, each with a comma before it; nil: none
	Read         func(events io.Reader) error
	Last         []byte // the event after which Read ends: it follows those of the program
}

// Ended tells how a run ended.
type Ended struct {
	Emulator string // its command
	Version  string
	Partial  []string // why the program did not run to its end, or failed
	Signal   string   // that ended it, "" without one
}

// Run runs a program, with files in a directory that Dir has made.
func (p *Program) Run(ctx context.Context, dir string, w *Watch) (*Ended, error) {
	emulator, err := Find(p.ISA)
	if err == nil {
		err = RunsPlugins(emulator)
	}
	if err != nil {
		return nil, err
	}
	so, err := Plugin(w.Name, Interface+w.Source)
	if err != nil {
		return nil, err
	}
	code, interp, err := layout(p.Path)
	if err != nil {
		return nil, err
	}
	events := filepath.Join(dir, "events")
	if err := makeFIFO(events); err != nil {
		return nil, fmt.Errorf("making a pipe: %w", err)
	}
	e := &Ended{Emulator: filepath.Base(emulator), Version: Version(emulator)}
	plugin := fmt.Sprintf("%s,events=%s,code=%x", so, Comma(events), code)
	if w.Options != nil {
		plugin += w.Options(e.Version)
	}
	cmd := exec.Command(emulator, append(append(Arguments(plugin, p.CPU, p.root(interp)), p.Path), p.Args...)...)
	if p.Stdin != nil {
		cmd.Stdin = p.Stdin
	}
	if p.Stdout != nil {
		cmd.Stdout = p.Stdout
	}
	if p.Stderr != nil {
		cmd.Stderr = p.Stderr
	}
	EndWithUs(cmd)
	pipe, err := os.OpenFile(events, os.O_RDWR, 0) // both ways, so that neither side waits for the other to open it
	if err != nil {
		return nil, err
	}
	defer pipe.Close()
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", emulator, err)
	}
	read := make(chan error, 1)
	go func() { read <- w.Read(pipe) }()
	e.wait(ctx, cmd, p.Limit)
	for { // more than once, as a program that was killed may have left part of an event
		_ = pipe.SetWriteDeadline(time.Now().Add(lastEvery))
		_, _ = pipe.Write(w.Last)
		select {
		case err := <-read:
			return e, err
		case <-time.After(lastEvery):
		}
	}
}

// lastEvery is the time after which the last event is written again.
const lastEvery = 10 * time.Millisecond

// Arguments are those of the emulator, before the program.
func Arguments(plugin, cpu, root string) []string {
	args := []string{"-plugin", plugin}
	if cpu != "" {
		args = append(args, "-cpu", cpu)
	}
	if root != "" {
		args = append(args, "-L", root)
	}
	return args
}

// Comma doubles commas, as the emulator's options need it.
func Comma(s string) string { return strings.ReplaceAll(s, ",", ",,") }

// root returns where the libraries of the program are, if it needs a dynamic linker.
func (p *Program) root(interp bool) string {
	if x := platform.Of(p.ISA); p.Sysroot == "" && interp && x != nil {
		return x.Sysroot()
	}
	return p.Sysroot
}

// layout returns the lowest address of a program's code, and reports whether it needs a dynamic linker.
func layout(path string) (code uint64, interp bool, err error) {
	e, err := elf.Open(path)
	if err != nil {
		return 0, false, fmt.Errorf("%s: an ELF executable for Linux is needed: %w", path, err)
	}
	defer e.Close()
	code = ^uint64(0)
	for _, p := range e.Progs {
		interp = interp || p.Type == elf.PT_INTERP
		if p.Type == elf.PT_LOAD && p.Flags&elf.PF_X != 0 {
			code = min(code, p.Vaddr)
		}
	}
	if code == ^uint64(0) {
		return 0, false, errors.New(path + ": an executable is needed, not an object file")
	}
	return code, interp, nil
}

// wait waits for the emulator, and kills it when the context ends or the limit is over.
func (e *Ended) wait(ctx context.Context, cmd *exec.Cmd, most time.Duration) {
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	var limit <-chan time.Time
	if most > 0 {
		limit = time.After(most)
	}
	stop := ctx.Done()
	for {
		select {
		case <-ended:
			signal, status := tracee.Ending(cmd.ProcessState)
			if why := tracee.Reason(signal, status); why != "" && len(e.Partial) == 0 {
				e.Partial, e.Signal = append(e.Partial, why), signal
			}
			return
		case <-stop:
			e.Partial, stop = append(e.Partial, "the program was interrupted"), nil
			_ = cmd.Process.Kill()
		case <-limit:
			e.Partial = append(e.Partial, fmt.Sprintf("the program was ended after %v, the limit", most))
			_ = cmd.Process.Kill()
		}
	}
}
