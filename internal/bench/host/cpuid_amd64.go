package host

// cpuid runs CPUID for a leaf and subleaf.
func cpuid(leaf, sub uint32) (a, b, c, d uint32)

// xgetbv reads XCR0; it faults where CPUID.1:ECX.OSXSAVE is 0.
func xgetbv() (lo, hi uint32)

// CPUID returns eax, ebx, ecx and edx of a CPUID leaf and subleaf; zeros for leaves that the CPU does not have.
func CPUID(leaf, sub uint32) (r [4]uint32) {
	if first, _, _, _ := cpuid(leaf&0x80000000, 0); leaf > first {
		return r
	}
	r[0], r[1], r[2], r[3] = cpuid(leaf, sub)
	return r
}

// EnabledState returns XCR0, the register state that the operating system saves and so lets programs use; 0 if the CPU has no
// XSAVE.
func EnabledState() uint64 {
	const osxsave = 1 << 27
	if _, _, c, _ := cpuid(1, 0); c&osxsave == 0 {
		return 0
	}
	lo, hi := xgetbv()
	return uint64(hi)<<32 | uint64(lo)
}
