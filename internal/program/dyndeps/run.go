package dyndeps

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"incore/internal/base/platform"
	"incore/internal/program/qemu"
	"incore/internal/program/tracee"
)

// Windows lists the lifetimes, in instructions, for which occurrences are counted separately: those of CesASMe's table 3.
var Windows = []uint64{512, 1024}

// DefaultMemory is the size of the shadow memory, in bytes. It costs twice the memory that the program writes.
const DefaultMemory = 1 << 30

// pageCost is the size of the shadow of one page of 4 KiB, in bytes.
const pageCost = 8<<10 + 16

// Options configures Observe. The zero value is the default.
type Options struct {
	Args           []string      // arguments of the program
	Emulator       string        // command of QEMU; "": the default for the instruction set
	CPU            string        // QEMU's -cpu ("max,sve512=on,sve-default-vector-length=-1"); "": its default
	Sysroot        string        // root of the program's dynamic linker and libraries; "": the one of Debian's cross compilers
	Lifetime       uint64        // observe only dependences with fewer instructions than this between store and load; 0: all
	Pick           []Range       // observe only loads in these ranges; empty: all
	Memory         uint64        // limit of the shadow memory in bytes; 0: DefaultMemory
	Limit          time.Duration // time limit of the program, after which it is stopped as if the context had ended; 0: none
	Stdin          io.Reader
	Stdout, Stderr io.Writer      // of the program
	Progress       func(Progress) // called a few times a second

	noRegisters bool // behave as with a QEMU whose plugins cannot read registers
}

// Progress is the progress of a run.
type Progress struct {
	Elapsed      time.Duration
	Instructions uint64
	Dependences  uint64
}

const (
	tick  = 250 * time.Millisecond
	grace = time.Second // time for an interrupted program to end
)

// Observe runs the program and returns the observed dependences. If the context ends before the program, Observe stops the program
// and returns the observations so far, marked Interrupted. An error is the reason for the lack of any observation.
func (p *Program) Observe(ctx context.Context, o Options) (*Trace, error) {
	if o.Memory == 0 {
		o.Memory = DefaultMemory
	}
	emulator, err := findEmulator(p.File.ISA.Name, o.Emulator)
	if err != nil {
		return nil, err
	}
	so, err := plugin()
	if err != nil {
		return nil, err
	}
	dir, remove, err := qemu.Dir("incore-deps-")
	if err != nil {
		return nil, err
	}
	defer remove()
	mapFile, out := filepath.Join(dir, "map"), filepath.Join(dir, "out")
	f, err := os.Create(mapFile)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(p.writeMap(f, &o), f.Close()); err != nil {
		return nil, fmt.Errorf("preparing the run: %w", err)
	}
	plugin := so + ",map=" + qemu.Comma(mapFile) + ",out=" + qemu.Comma(out)
	if o.noRegisters {
		plugin += ",registers=no"
	}
	path, err := filepath.Abs(p.File.Path)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(emulator, append(append(qemu.Arguments(plugin, o.CPU, p.sysroot(&o)), path), o.Args...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = o.Stdin, o.Stdout, o.Stderr
	qemu.EndWithUs(cmd)
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", emulator, err)
	}
	limited := ctx
	if o.Limit > 0 {
		var stop context.CancelFunc
		limited, stop = context.WithTimeout(ctx, o.Limit)
		defer stop()
	}
	interrupted := o.wait(limited, cmd, out, start)
	t, err := p.readTrace(out)
	if err != nil {
		return nil, fmt.Errorf("%s: nothing was seen of the program: %s (%w)", filepath.Base(emulator), ending(cmd.ProcessState), err)
	}
	t.Emulator, t.Interrupted, t.Lifetime, t.cpu = filepath.Base(emulator), interrupted, o.Lifetime, o.CPU
	if interrupted && ctx.Err() == nil {
		t.Limit = o.Limit
	}
	t.end(cmd.ProcessState)
	return t, nil
}

// sysroot returns the folder with the libraries of a program for another machine.
func (p *Program) sysroot(o *Options) string {
	if o.Sysroot != "" || !p.interp {
		return o.Sysroot
	}
	root := platform.Of(p.File.ISA.Name).Sysroot()
	if _, err := os.Stat(root); err == nil {
		return root
	}
	return ""
}

// wait waits for the program, and stops it when the context ends.
func (o *Options) wait(ctx context.Context, cmd *exec.Cmd, out string, start time.Time) (interrupted bool) {
	done := make(chan struct{})
	go func() {
		_ = cmd.Wait() // the state tells
		close(done)
	}()
	t := time.NewTicker(tick)
	defer t.Stop()
	stop := ctx.Done()
	var kill <-chan time.Time
	for {
		select {
		case <-done:
			return interrupted
		case <-stop:
			interrupted, stop, kill = true, nil, time.After(grace)
			_ = cmd.Process.Signal(syscall.SIGINT)
		case <-kill:
			_ = cmd.Process.Kill()
		case <-t.C:
			if o.Progress != nil {
				o.Progress(soFar(out, time.Since(start)))
			}
		}
	}
}

// soFar reads the progress from the plugin's file while the program runs.
func soFar(name string, elapsed time.Duration) Progress {
	f, err := os.Open(name)
	if err != nil {
		return Progress{}
	}
	defer f.Close()
	h, _ := readHeader(f)
	return Progress{elapsed, h.Insns, h.Pairs}
}

// ending describes the end of a process, "" if it succeeded.
func ending(s *os.ProcessState) string {
	switch signal, status := tracee.Ending(s); {
	case signal != "":
		return "ended by " + signal
	case status != 0:
		return fmt.Sprintf("exit status %d", status)
	}
	return ""
}
