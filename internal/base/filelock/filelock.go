// Package filelock locks files between processes. The kernel releases a lock when the file is closed or the process ends; started programs do not
// inherit it.
package filelock

import "os"

// Held locks a file, and reports whether another process holds the lock. Where there are no locks, nobody does.
func Held(f *os.File) bool {
	free, err := Try(f)
	return !free && err == nil
}
