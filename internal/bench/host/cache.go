package host

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// DataCache returns the size of the L1 data cache in bytes, as the kernel reports it
// (Documentation/ABI/testing/sysfs-devices-system-cpu). If the kernel does not report it, the result is 32
// KiB, the smallest size among current cores.
func DataCache() int {
	const least = 32 << 10
	dirs, _ := filepath.Glob("/sys/devices/system/cpu/cpu0/cache/index*")
	for _, d := range dirs {
		says := func(name string) string {
			b, _ := os.ReadFile(filepath.Join(d, name))
			return strings.TrimSpace(string(b))
		}
		if says("level") != "1" || says("type") != "Data" {
			continue
		}
		if kib, ok := strings.CutSuffix(says("size"), "K"); ok {
			if n, err := strconv.Atoi(kib); err == nil && n > 0 {
				return n << 10
			}
		}
	}
	return least
}
