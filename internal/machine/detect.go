package machine

import (
	"fmt"
	"strconv"
	"strings"
)

// identity is what a CPU says of itself: CPUID's vendor, family, model and stepping; MIDR_EL1's implementer and part; or the microarchitecture's name
// in a RISC-V system's /proc/cpuinfo, whose blanks are commas here.
type identity struct {
	text    string
	numbers [3]int
}

// detector is an entry of a model's "detect:", which names CPUs that the model describes:
//
//	GenuineIntel/6/0x45-0x46      CPUID's vendor, family, models
//	GenuineIntel/6/0x55/0-4       and steppings
//	0x41/0xD0C                    MIDR_EL1's implementer and part
//	sifive,u74                    the beginning or a part of a microarchitecture's name
//
// Sources of the numbers: Intel SDM volume 4 table 2-1; AMD's revision guides; the technical reference manuals of Arm, Cavium, Fujitsu, Apple, Ampere,
// Qualcomm and HiSilicon, as collected in Linux' cputype.h, and GCC's aarch64-cores.def.
type detector struct {
	text   string
	ranges [][2]int // of the identity's numbers; those that are missing may be any
}

// parseDetect reads an entry.
func parseDetect(entry string) (detector, error) {
	parts := strings.Split(entry, "/")
	d := detector{}
	if _, err := strconv.ParseInt(parts[0], 0, 32); err != nil {
		d.text, parts = parts[0], parts[1:]
	}
	for _, p := range parts {
		first, last, ok := strings.Cut(p, "-")
		if !ok {
			last = first
		}
		a, err := strconv.ParseUint(first, 0, 31)
		b, err2 := strconv.ParseUint(last, 0, 31)
		if err != nil || err2 != nil || a > b || len(d.ranges) == len(identity{}.numbers) {
			return d, fmt.Errorf("'%s' does not identify a CPU (VENDOR/FAMILY/MODEL[-MODEL][/STEPPING[-STEPPING]], IMPLEMENTER/PART, or a name)", clip(entry))
		}
		d.ranges = append(d.ranges, [2]int{int(a), int(b)})
	}
	return d, nil
}

// matches reports whether a detector names a CPU.
func (d *detector) matches(id identity) bool {
	if len(d.ranges) == 0 {
		return strings.Contains(id.text, d.text)
	}
	for i, r := range d.ranges {
		if id.numbers[i] < r[0] || id.numbers[i] > r[1] {
			return false
		}
	}
	return d.text == id.text
}

// modelOf returns the model of a CPU, "" if none names it.
func modelOf(isa string, id identity) string {
	for _, a := range allNames().detect {
		if a.isa != isa {
			continue
		}
		if d, err := parseDetect(a.name); err == nil && d.matches(id) { // TestDetect reports errors
			return a.model
		}
	}
	return ""
}
