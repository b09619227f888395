//go:build !amd64

package machine

// cpuid returns nothing: the instruction exists on x86 only.
func cpuid() (vendor string, family, model, stepping int) { return "", 0, 0, 0 }
