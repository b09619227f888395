package dbi

import (
	"encoding/binary"
	"sort"
	"strings"

	"golang.org/x/sys/unix"

	"incore/internal/program/tracee"
)

// overwritable reports whether code at an address may change without a system call: the memory can be written, belongs to no file, or is shared with another mapping.
func (t *tracer) overwritable(addr uint64) bool {
	m := t.mapping(addr)
	if m == nil || m.Path == "[vdso]" || m.Path == "[vsyscall]" {
		return false
	}
	file := strings.HasPrefix(m.Path, "/") && !strings.HasPrefix(m.Path, "/memfd:")
	return m.Write || m.Shared || !file
}

// mapping returns the mapping that contains an address, nil if there is none.
func (t *tracer) mapping(addr uint64) *tracee.Mapping {
	for range 2 {
		i := sort.Search(len(t.mapped), func(i int) bool { return t.mapped[i].Hi > addr })
		if i < len(t.mapped) && t.mapped[i].Lo <= addr {
			return &t.mapped[i]
		}
		t.mapped, _ = t.maps()
	}
	return nil
}

// discardPages forgets copies of the program's memory.
func (t *tracer) discardPages(lo, hi uint64) {
	if hi-lo > uint64(len(t.pages))*pageSize {
		clear(t.pages)
		return
	}
	for page := lo &^ (pageSize - 1); page < hi; page += pageSize {
		delete(t.pages, page)
	}
}

// flags of system calls.
const (
	mapFixed      = 0x10
	mremapFixed   = 2
	cloneUntraced = 0x00800000
)

// watched handles a trap before a system call: translations of memory that it changes are forgotten, and a thread or child cannot hide from the tracer.
func (t *tracer) watched(regs *unix.PtraceRegs) error {
	t.mapped = nil
	var err error
	switch regs.Rax & 0xffffffff {
	case callMmap:
		if regs.R10&mapFixed != 0 {
			err = t.forgetCode(regs.Rdi, regs.Rdi+regs.Rsi)
		}
	case callMprotect, callPkeyMprotect, callMunmap:
		err = t.forgetCode(regs.Rdi, regs.Rdi+regs.Rsi)
	case callMremap:
		err = t.forgetCode(regs.Rdi, regs.Rdi+regs.Rsi)
		if err == nil && regs.R10&mremapFixed != 0 {
			err = t.forgetCode(regs.R8, regs.R8+regs.Rdx)
		}
	case callClone:
		if t.hidden = regs.Rdi & cloneUntraced; t.hidden != 0 {
			regs.Rdi &^= cloneUntraced
		}
	case callClone3:
		t.hidden = t.flipUntraced(regs.Rdi, true)
	}
	return err
}

// flipUntraced clears the flag CLONE_UNTRACED of the arguments of clone3, or sets it again. It returns the flag as it was.
func (t *tracer) flipUntraced(args uint64, off bool) uint64 {
	var b [8]byte
	if _, err := t.mem.ReadAt(b[:], int64(args)); err != nil {
		return 0
	}
	flags := binary.LittleEndian.Uint64(b[:])
	was := flags & cloneUntraced
	if off == (was != 0) {
		binary.LittleEndian.PutUint64(b[:], flags^cloneUntraced)
		_, _ = t.mem.WriteAt(b[:], int64(args))
	}
	return was
}

// unhide gives the program's arguments of clone or clone3 back the flag that watched has taken.
func (t *tracer) unhide() {
	var regs unix.PtraceRegs
	if t.hidden == 0 || unix.PtraceGetRegs(t.pid, &regs) != nil {
		return
	}
	if t.hidden = 0; regs.Orig_rax == callClone3 {
		t.flipUntraced(regs.Rdi, false)
		return
	}
	regs.Rdi |= cloneUntraced
	_ = unix.PtraceSetRegs(t.pid, &regs)
}

// child notes that a process or thread that the program started was ended by a signal.
func (t *tracer) child() {
	info, err := tracee.SignalInfo(t.pid)
	if err != nil || info.Signal != int32(unix.SIGCHLD) {
		return
	}
	if info.Code == tracee.ChildKilled || info.Code == tracee.ChildDumped {
		t.note("a process that it starts is ended by %s", tracee.SignalName(unix.Signal(info.Status)))
	}
}
