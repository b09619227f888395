package host

import (
	"slices"
	"syscall"
)

const (
	sysMemfd = 319
	resume   = 31 // PTRACE_SYSEMU: continue until a signal or a system call, which is not executed
)

// here describes this machine.
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

// result returns the result of a system call.
func result(r *syscall.PtraceRegs) int64 { return int64(r.Rax) }

// losesState is for RISC-V only.
func losesState(*Code) bool { return false }

// resumed prepares registers, read at a fault, to continue.
func resumed(r *syscall.PtraceRegs) { r.Orig_rax = ^uint64(0) }

// atSystemCall distinguishes a stop at a system call from a trap: int3 has the kernel's code 0x80, steps and breakpoints have
// 1 and 2.
func atSystemCall(r *syscall.PtraceRegs, code int32) bool {
	return r.Orig_rax != ^uint64(0) && code != 0x80 && code != 1 && code != 2
}

// privileged reports whether code begins with an instruction that only the kernel may execute: its fault looks
// like that of a bad address (Intel SDM vol. 3, 5.9).
func privileged(code []byte) bool {
	for len(code) > 0 && (code[0] == 0x66 || code[0] == 0xf2 || code[0] == 0xf3 || code[0]&0xf0 == 0x40) { // prefixes
		code = code[1:]
	}
	if len(code) < 3 {
		return false
	}
	if code[0] != 0x0f {
		return slices.Contains([]byte{0xf4, 0xfa, 0xfb, 0x6c, 0x6d, 0x6e, 0x6f, 0xe4, 0xe5, 0xe6, 0xe7, 0xec, 0xed, 0xee, 0xef}, code[0]) // hlt, cli, sti; ins, outs; in, out
	}
	field := code[2] >> 3 & 7
	switch op := code[1]; {
	case op == 0x00:
		return field == 2 || field == 3 // lldt, ltr
	case op == 0x01:
		if code[2] < 0xc0 || field == 6 { // lgdt, lidt, invlpg; lmsw
			return field == 2 || field == 3 || field >= 6
		}
		return slices.Contains([]byte{0xd1, 0xd8, 0xda, 0xdb, 0xdc, 0xdd, 0xde, 0xdf, 0xf8, 0xfe, 0xff}, code[2]) // xsetbv, vmrun and its kin, swapgs, invlpgb, tlbsync
	case op >= 0x20 && op <= 0x23: // control and debug registers
		return true
	}
	return slices.Contains([]byte{0x06, 0x08, 0x09, 0x30, 0x32, 0x33}, code[1]) // clts, invd, wbinvd, wrmsr, rdmsr, rdpmc
}
