// Package tracee has what tracing a program under Linux takes: what it has mapped, its stops, and system calls in its place.
package tracee
