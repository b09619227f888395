package host

import (
	"encoding/binary"
	"os"
	"runtime"
	"strings"
)

// Arch is the architecture of this machine, named as in GOARCH.
const Arch = runtime.GOARCH

// Hwcap returns the two words in which the kernel reports the CPU's features (AT_HWCAP and AT_HWCAP2 of the
// auxiliary vector, getauxval(3)); zeros if it does not report them.
func Hwcap() (hwcap, hwcap2 uint64) {
	b, err := os.ReadFile("/proc/self/auxv")
	if err != nil {
		return 0, 0
	}
	return hwcaps(b)
}

// hwcaps finds the two words in an auxiliary vector, a list of pairs (number, value).
func hwcaps(auxv []byte) (hwcap, hwcap2 uint64) {
	const atHwcap, atHwcap2 = 16, 26
	for ; len(auxv) >= 16; auxv = auxv[16:] {
		switch v := binary.LittleEndian.Uint64(auxv[8:]); binary.LittleEndian.Uint64(auxv) {
		case atHwcap:
			hwcap = v
		case atHwcap2:
			hwcap2 = v
		}
	}
	return hwcap, hwcap2
}

// ISAString returns the kernel's RISC-V architecture string (rv64imafdcv_zba_zbb), "" if it reports none.
func ISAString() string {
	b, _ := os.ReadFile("/proc/cpuinfo")
	for _, l := range strings.Split(string(b), "\n") {
		if k, v, ok := strings.Cut(l, ":"); ok && strings.TrimSpace(k) == "isa" {
			return strings.TrimSpace(v)
		}
	}
	return ""
}
