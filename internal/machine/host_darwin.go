package machine

import "syscall"

// hostBrand returns the processor's brand from macOS ("Apple M2 Pro").
func hostBrand() string {
	s, err := syscall.Sysctl("machdep.cpu.brand_string")
	if err != nil {
		return ""
	}
	return s
}
