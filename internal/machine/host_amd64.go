package machine

// cpuidRegs runs CPUID; see host_amd64.s.
func cpuidRegs(leaf uint32) (a, b, c, d uint32)

// cpuid returns the vendor and the display family, model and stepping (Intel SDM, AMD APM: CPUID leaf 1).
func cpuid() (vendor string, family, model, stepping int) {
	_, b, c, d := cpuidRegs(0)
	v := make([]byte, 0, 12)
	for _, r := range [3]uint32{b, d, c} {
		v = append(v, byte(r), byte(r>>8), byte(r>>16), byte(r>>24))
	}
	a, _, _, _ := cpuidRegs(1)
	family, model, stepping = int(a>>8&15), int(a>>4&15), int(a&15)
	if family == 6 || family == 15 {
		model |= int(a>>16&15) << 4
	}
	if family == 15 {
		family += int(a >> 20 & 255)
	}
	return string(v), family, model, stepping
}
