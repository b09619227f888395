package machine

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"

	"incore/internal/base/platform"
)

// Default returns the model for an ISA when the user names none and the code is not for this machine, and the reason; "" if the ISA has no model.
func Default(isaName string) (name, why string) {
	p := platform.Of(isaName)
	if p == nil {
		return "", ""
	}
	return p.Default, "the default for " + isaName + ": " + p.Why
}

// Host returns the model of the machine that incore runs on. why says how it was recognised, or, with ok false, what identification the machine gave.
func Host() (name, why string, ok bool) {
	switch runtime.GOARCH {
	case "amd64":
		return hostX86()
	case "arm64":
		return hostARM()
	case "riscv64":
		return hostRISCV()
	}
	return "", "no models for GOARCH " + runtime.GOARCH, false
}

// hostX86 recognises the CPU by CPUID's vendor, family and model.
func hostX86() (name, why string, ok bool) {
	vendor, family, model, stepping := cpuid()
	if vendor == "" {
		return "", "CPUID is not available", false
	}
	seen := fmt.Sprintf("CPUID %s family %d model %d stepping %d", vendor, family, model, stepping)
	name = modelOf("x86-64", identity{vendor, [3]int{family, model, stepping}})
	if name == "" {
		return "", seen + " is not known", false
	}
	return name, "this machine (" + seen + ")", true
}

// hostARM recognises the CPU by MIDR_EL1, of the biggest cores if a machine has several kinds; on darwin by the brand.
func hostARM() (name, why string, ok bool) {
	if b := hostBrand(); strings.HasPrefix(b, "Apple M") {
		if n, err := allNames().resolve("aarch64", "m"+strings.TrimFunc(b[len("Apple M"):min(len(b), len("Apple M")+1)], func(r rune) bool { return r < '0' || r > '9' })); err == nil {
			return n, "this machine (" + b + ")", true
		}
		return "", b + " is not known", false
	}
	for _, cpu := range []int{runtime.NumCPU() - 1, 0} { // big cores mostly have the highest numbers
		text, err := os.ReadFile(fmt.Sprintf("/sys/devices/system/cpu/cpu%d/regs/identification/midr_el1", cpu))
		if err != nil {
			continue
		}
		midr, err := strconv.ParseUint(strings.TrimPrefix(strings.TrimSpace(string(text)), "0x"), 16, 64)
		if err != nil {
			continue
		}
		seen := fmt.Sprintf("MIDR 0x%08x", midr)
		if n := modelOf("aarch64", identity{numbers: [3]int{int(midr >> 24 & 0xff), int(midr >> 4 & 0xfff)}}); n != "" {
			return n, "this machine (" + seen + ")", true
		}
		why = seen + " is not known"
	}
	if why == "" {
		why = "the system does not tell MIDR_EL1"
	}
	return "", why, false
}

// hostRISCV recognises the CPU by the microarchitecture's name in /proc/cpuinfo ("uarch : sifive,u74-mc").
func hostRISCV() (name, why string, ok bool) {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "", "the system has no /proc/cpuinfo", false
	}
	for _, l := range strings.Split(string(text), "\n") {
		key, val, _ := strings.Cut(l, ":")
		if k := strings.TrimSpace(key); k != "uarch" && k != "model name" {
			continue
		}
		val = strings.ToLower(strings.TrimSpace(val))
		if n := modelOf("riscv64", identity{text: strings.ReplaceAll(val, " ", ",")}); n != "" {
			return n, "this machine (" + val + ")", true
		}
		why = "core '" + val + "' is not known"
	}
	if why == "" {
		why = "/proc/cpuinfo does not name the core"
	}
	return "", why, false
}

// Recorded returns the model of the machine that a recording names as perf does: "GenuineIntel,6,85,7", or MIDR_EL1 of AArch64.
func Recorded(cpuid string) (name string, ok bool) {
	if f := strings.Split(cpuid, ","); len(f) >= 4 {
		var n [3]int
		for i := range n {
			v, err := strconv.Atoi(strings.TrimSpace(f[i+1]))
			if err != nil {
				return "", false
			}
			n[i] = v
		}
		name = modelOf("x86-64", identity{f[0], n})
	} else if midr, err := strconv.ParseUint(strings.TrimPrefix(cpuid, "0x"), 16, 64); err == nil && cpuid != "" {
		name = modelOf("aarch64", identity{numbers: [3]int{int(midr >> 24 & 0xff), int(midr >> 4 & 0xfff)}})
	}
	return name, name != ""
}
