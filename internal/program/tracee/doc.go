// Package tracee has helpers for ptrace under Linux: the memory map of a traced program, its stops, and injected system calls.
package tracee
