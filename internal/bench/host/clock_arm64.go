package host

// cntvct reads the virtual counter.
func cntvct() uint64

// tscHz returns the frequency of the virtual counter in Hz.
var tscHz = rate(cntvct)

// counterCSR is for RISC-V only.
func counterCSR() uint32 { return timeCSR }
