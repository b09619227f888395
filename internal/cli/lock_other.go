//go:build !unix || solaris || aix

package cli

import "os"

// lock is for systems that can keep two runs from writing one file.
func lock(*os.File) bool { return true }
