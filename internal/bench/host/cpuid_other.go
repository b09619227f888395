//go:build !amd64

package host

// CPUID is for x86: elsewhere all leaves are zero.
func CPUID(leaf, sub uint32) (r [4]uint32) { return r }

// EnabledState is for x86.
func EnabledState() uint64 { return 0 }

// RoomProbe is for x86.
const RoomProbe = ""
