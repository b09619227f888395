package machine

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// defaults is the model assumed for each ISA when the user names none, and the reason.
var defaults = map[string][2]string{
	"x86-64":  {"skylake-server", "the most widely measured server core with AVX-512"},
	"aarch64": {"neoverse-v2", "a current server core whose figures follow Arm's guide and measurements"},
	"riscv64": {"sifive-7", "the commonest application core with a complete model"},
}

// Default returns the model for an ISA when the user names none and the code is not for this machine, and the reason; "" if the ISA has no model.
func Default(isaName string) (name, why string) {
	d, ok := defaults[isaName]
	if !ok {
		return "", ""
	}
	return d[0], "the default for " + isaName + ": " + d[1]
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

// cpuModel is a range of display models of a family.
type cpuModel struct {
	vendor      string
	family      int
	first, last int
	name        string
}

// cpuModels maps CPUID's family and model to our models. Sources: Intel SDM volume 4 table 2-1; AMD revision guides. The first row that matches
// counts.
var cpuModels = []cpuModel{
	{"GenuineIntel", 6, 0x2A, 0x2A, "sandybridge"}, {"GenuineIntel", 6, 0x2D, 0x2D, "sandybridge"},
	{"GenuineIntel", 6, 0x3A, 0x3A, "ivybridge"}, {"GenuineIntel", 6, 0x3E, 0x3E, "ivybridge"},
	{"GenuineIntel", 6, 0x3C, 0x3C, "haswell"}, {"GenuineIntel", 6, 0x3F, 0x3F, "haswell"}, {"GenuineIntel", 6, 0x45, 0x46, "haswell"},
	{"GenuineIntel", 6, 0x3D, 0x3D, "broadwell"}, {"GenuineIntel", 6, 0x47, 0x47, "broadwell"}, {"GenuineIntel", 6, 0x4F, 0x4F, "broadwell"},
	{"GenuineIntel", 6, 0x56, 0x56, "broadwell"}, {"GenuineIntel", 6, 0x4E, 0x4E, "skylake"}, {"GenuineIntel", 6, 0x5E, 0x5E, "skylake"},
	{"GenuineIntel", 6, 0x8E, 0x8E, "skylake"}, {"GenuineIntel", 6, 0x9E, 0x9E, "skylake"}, {"GenuineIntel", 6, 0xA5, 0xA6, "skylake"},
	{"GenuineIntel", 6, 0x55, 0x55, "skylake-server"}, {"GenuineIntel", 6, 0x66, 0x66, "cannonlake"},
	{"GenuineIntel", 6, 0x7D, 0x7E, "icelake-client"}, {"GenuineIntel", 6, 0x6A, 0x6A, "icelake-server"}, {"GenuineIntel", 6, 0x6C, 0x6C, "icelake-server"},
	{"GenuineIntel", 6, 0x8C, 0x8D, "tigerlake"}, {"GenuineIntel", 6, 0xA7, 0xA7, "rocketlake"},
	{"GenuineIntel", 6, 0x97, 0x97, "alderlake-p"}, {"GenuineIntel", 6, 0x9A, 0x9A, "alderlake-p"}, {"GenuineIntel", 6, 0xBE, 0xBE, "gracemont"},
	{"GenuineIntel", 6, 0xB7, 0xB7, "raptorlake-p"}, {"GenuineIntel", 6, 0xBA, 0xBA, "raptorlake-p"}, {"GenuineIntel", 6, 0xBF, 0xBF, "raptorlake-p"},
	{"GenuineIntel", 6, 0xAA, 0xAC, "meteorlake-p"}, {"GenuineIntel", 6, 0xB5, 0xB5, "arrowlake-p"}, {"GenuineIntel", 6, 0xBD, 0xBD, "arrowlake-p"},
	{"GenuineIntel", 6, 0xC5, 0xC6, "arrowlake-p"}, {"GenuineIntel", 6, 0xCC, 0xCC, "arrowlake-p"}, {"GenuineIntel", 6, 0x8F, 0x8F, "sapphirerapids"},
	{"GenuineIntel", 6, 0xCF, 0xCF, "emeraldrapids"}, {"GenuineIntel", 6, 0xAD, 0xAE, "graniterapids"}, {"GenuineIntel", 6, 0xAF, 0xAF, "gracemont"},
	{"GenuineIntel", 6, 0xB6, 0xB6, "gracemont"}, {"GenuineIntel", 6, 0xDD, 0xDD, "gracemont"}, {"GenuineIntel", 6, 0x57, 0x57, "knl"}, {"GenuineIntel", 6, 0x85, 0x85, "knl"},
	{"GenuineIntel", 6, 0x1A, 0x1A, "nehalem"}, {"GenuineIntel", 6, 0x1E, 0x1F, "nehalem"}, {"GenuineIntel", 6, 0x25, 0x25, "nehalem"}, {"GenuineIntel", 6, 0x2C, 0x2C, "nehalem"},
	{"GenuineIntel", 6, 0x2E, 0x2F, "nehalem"}, {"GenuineIntel", 6, 0x0F, 0x0F, "core2"}, {"GenuineIntel", 6, 0x17, 0x17, "core2"},
	{"GenuineIntel", 6, 0x37, 0x37, "silvermont"}, {"GenuineIntel", 6, 0x4C, 0x4D, "silvermont"}, {"GenuineIntel", 6, 0x5C, 0x5C, "goldmont"},
	{"GenuineIntel", 6, 0x5F, 0x5F, "goldmont"}, {"GenuineIntel", 6, 0x7A, 0x7A, "goldmont-plus"}, {"GenuineIntel", 6, 0x86, 0x86, "tremont"},
	{"GenuineIntel", 6, 0x96, 0x96, "tremont"}, {"GenuineIntel", 6, 0x9C, 0x9C, "tremont"},
	{"AuthenticAMD", 0x15, 0x00, 0x01, "bdver1"}, {"AuthenticAMD", 0x15, 0x02, 0x1F, "bdver2"}, {"AuthenticAMD", 0x15, 0x30, 0x7F, "bdver3"},
	{"AuthenticAMD", 0x16, 0x00, 0xFF, "btver2"}, {"AuthenticAMD", 0x17, 0x00, 0x2F, "zen1"}, {"HygonGenuine", 0x18, 0x00, 0xFF, "zen1"},
	{"AuthenticAMD", 0x17, 0x30, 0xFF, "zen2"}, {"AuthenticAMD", 0x19, 0x00, 0x0F, "zen3"}, {"AuthenticAMD", 0x19, 0x20, 0x5F, "zen3"},
	{"AuthenticAMD", 0x19, 0x10, 0x1F, "zen4"}, {"AuthenticAMD", 0x19, 0x60, 0xAF, "zen4"}, {"AuthenticAMD", 0x1A, 0x00, 0xFF, "zen5"},
}

// hostX86 recognises the CPU by CPUID's vendor, family and model.
func hostX86() (name, why string, ok bool) {
	vendor, family, model, stepping := cpuid()
	if vendor == "" {
		return "", "CPUID is not available", false
	}
	seen := fmt.Sprintf("CPUID %s family %d model %d stepping %d", vendor, family, model, stepping)
	name = modelOf(vendor, family, model, stepping)
	if name == "" {
		return "", seen + " is not known", false
	}
	return name, "this machine (" + seen + ")", true
}

// modelOf returns the model of an x86 CPU, "" if it is not known.
func modelOf(vendor string, family, model, stepping int) string {
	for _, c := range cpuModels {
		if c.vendor == vendor && c.family == family && model >= c.first && model <= c.last {
			if c.name == "skylake-server" && stepping >= 5 { // one model number: stepping up to 4 Skylake, 5 to 7 Cascade Lake, from 10 Cooper Lake
				if stepping >= 10 {
					return "cooperlake"
				}
				return "cascadelake"
			}
			return c.name
		}
	}
	return ""
}

// armParts maps MIDR_EL1's implementer and part number to models. Source: technical reference manuals of Arm, Cavium, Fujitsu, Apple, Ampere,
// Qualcomm and HiSilicon, as collected in Linux' cputype.h.
var armParts = map[[2]int]string{
	{0x41, 0xD02}: "cortex-a53", {0x41, 0xD03}: "cortex-a53", {0x41, 0xD04}: "cortex-a53", {0x41, 0xD05}: "cortex-a55", {0x41, 0xD07}: "cortex-a57", {0x41, 0xD08}: "cortex-a72",
	{0x41, 0xD09}: "cortex-a73", {0x41, 0xD0A}: "cortex-a73", {0x41, 0xD0B}: "cortex-a76", {0x41, 0xD0C}: "neoverse-n1", {0x41, 0xD0D}: "cortex-a76",
	{0x41, 0xD40}: "neoverse-v1", {0x41, 0xD41}: "cortex-a78", {0x41, 0xD42}: "cortex-a78", {0x41, 0xD4B}: "cortex-a78", {0x41, 0xD44}: "cortex-x1", {0x41, 0xD4C}: "cortex-x1", {0x41, 0xD46}: "cortex-a510", {0x41, 0xD47}: "cortex-a710",
	{0x41, 0xD48}: "cortex-x2", {0x41, 0xD49}: "neoverse-n2", {0x41, 0xD4D}: "cortex-a715", {0x41, 0xD4E}: "cortex-x2", {0x41, 0xD4F}: "neoverse-v2",
	{0x41, 0xD80}: "cortex-a510", {0x41, 0xD81}: "cortex-a715", {0x41, 0xD82}: "cortex-x4", {0x41, 0xD83}: "neoverse-v3", {0x41, 0xD84}: "neoverse-v3",
	{0x41, 0xD85}: "neoverse-v3", {0x41, 0xD87}: "cortex-a715", {0x41, 0xD8E}: "neoverse-n3",
	{0x43, 0x0A1}: "thunderx", {0x43, 0x0A2}: "thunderx", {0x43, 0x0A3}: "thunderx", {0x43, 0x0AF}: "thunderx2", {0x42, 0x516}: "thunderx2", {0x43, 0x0B8}: "thunderx3",
	{0x46, 0x001}: "a64fx", {0x48, 0xD01}: "tsv110", {0x4E, 0x004}: "carmel", {0x51, 0x001}: "oryon-1", {0x51, 0xC00}: "falkor", {0x51, 0xC01}: "saphira",
	{0x51, 0x201}: "kryo", {0x51, 0x205}: "kryo", {0x51, 0x211}: "kryo", {0xC0, 0xAC3}: "ampere1", {0xC0, 0xAC4}: "ampere1", {0xC0, 0xAC5}: "ampere1b",
	{0x61, 0x022}: "apple-m1", {0x61, 0x023}: "apple-m1", {0x61, 0x024}: "apple-m1", {0x61, 0x025}: "apple-m1", {0x61, 0x028}: "apple-m1", {0x61, 0x029}: "apple-m1",
	{0x61, 0x032}: "apple-m2", {0x61, 0x033}: "apple-m2", {0x61, 0x034}: "apple-m2", {0x61, 0x035}: "apple-m2", {0x61, 0x038}: "apple-m2", {0x61, 0x039}: "apple-m2",
	{0x61, 0x042}: "apple-m3", {0x61, 0x043}: "apple-m3", {0x61, 0x044}: "apple-m3", {0x61, 0x045}: "apple-m3", {0x61, 0x048}: "apple-m3", {0x61, 0x049}: "apple-m3",
	{0x61, 0x052}: "apple-m4", {0x61, 0x053}: "apple-m4", {0x61, 0x054}: "apple-m4", {0x61, 0x055}: "apple-m4",
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
		if n := armParts[[2]int{int(midr >> 24 & 0xff), int(midr >> 4 & 0xfff)}]; n != "" {
			return n, "this machine (" + seen + ")", true
		}
		why = seen + " is not known"
	}
	if why == "" {
		why = "the system does not tell MIDR_EL1"
	}
	return "", why, false
}

// riscvCores maps the microarchitecture in /proc/cpuinfo to models.
var riscvCores = []struct{ part, name string }{
	{"sifive,u74", "sifive-7"}, {"sifive,bullet0", "sifive-7"}, {"sifive,p550", "sifive-p550"}, {"sifive,p670", "sifive-p670"}, {"sifive,p450", "sifive-p450"},
	{"sifive,u54", "rocket"}, {"spacemit,x60", "spacemit-x60"}, {"spacemit x60", "spacemit-x60"}, {"thead,c910", "xuantie-c910"}, {"thead,c920", "xuantie-c910"},
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
		for _, c := range riscvCores {
			if strings.Contains(val, c.part) {
				return c.name, "this machine (" + val + ")", true
			}
		}
		why = "core '" + val + "' is not known"
	}
	if why == "" {
		why = "/proc/cpuinfo does not name the core"
	}
	return "", why, false
}
