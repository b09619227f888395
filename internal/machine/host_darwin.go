package machine

import "syscall"

// hostBrand is the processor's brand as macOS tells it ("Apple M2 Pro").
func hostBrand() string {
	s, err := syscall.Sysctl("machdep.cpu.brand_string")
	if err != nil {
		return ""
	}
	return s
}
