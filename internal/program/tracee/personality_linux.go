package tracee

import "golang.org/x/sys/unix"

// FixedAddresses makes the programs that this thread starts lie at the same addresses in every run, as some caches and predictors depend on these. The thread must be
// locked; restore undoes it.
func FixedAddresses() (restore func()) {
	const noRandom, query = 0x40000, 0xffffffff
	was, _, errno := unix.Syscall(unix.SYS_PERSONALITY, query, 0, 0)
	if errno != 0 {
		return func() {}
	}
	_, _, _ = unix.Syscall(unix.SYS_PERSONALITY, was|noRandom, 0, 0)
	return func() { _, _, _ = unix.Syscall(unix.SYS_PERSONALITY, was, 0, 0) }
}
