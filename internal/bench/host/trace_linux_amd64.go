package host

import "syscall"

const (
	sysMemfd = 319
	resume   = 31 // PTRACE_SYSEMU: go on until a signal or a system call, which is not executed
)

// here is the machine under us.
var here = &machine{elf: 0x3e, code: codeBase, control: controlBase, start: []byte{0x0f, 0x05, 0xcc}, program: program, page: control}

func prepare() {}

// enter sets registers to start the program.
func enter(r *syscall.PtraceRegs, entry uint64, c *Code) {
	r.Rip, r.Orig_rax = entry, ^uint64(0)
	r.Fs_base, r.Gs_base = c.Seg[0], c.Seg[1]
}

// call sets registers to make a system call at a gadget.
func call(r *syscall.PtraceRegs, gadget, number uint64, a [6]uint64) {
	r.Rip, r.Rax, r.Orig_rax = gadget, number, ^uint64(0)
	r.Rdi, r.Rsi, r.Rdx, r.R10, r.R8, r.R9 = a[0], a[1], a[2], a[3], a[4], a[5]
}

// result is what a system call returned.
func result(r *syscall.PtraceRegs) int64 { return int64(r.Rax) }

// losesState is for RISC-V.
func losesState(*Code) bool { return false }

// resumed prepares registers, read at a fault, to go on with.
func resumed(r *syscall.PtraceRegs) { r.Orig_rax = ^uint64(0) }

// atSystemCall tells a stop at a system call from a trap: int3 has the kernel's code 0x80, steps and breakpoints have 1 and 2.
func atSystemCall(r *syscall.PtraceRegs, code int32) bool {
	return r.Orig_rax != ^uint64(0) && code != 0x80 && code != 1 && code != 2
}
