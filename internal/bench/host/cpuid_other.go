//go:build !amd64

package host

// CPUID is for x86 only: elsewhere it returns zeros.
func CPUID(leaf, sub uint32) (r [4]uint32) { return r }

// EnabledState is for x86 only.
func EnabledState() uint64 { return 0 }

// RoomProbe is for x86 only.
const RoomProbe = ""
