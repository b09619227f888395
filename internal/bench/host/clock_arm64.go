package host

// cntvct reads the virtual counter.
func cntvct() uint64

// tscHz is the rate of the counter that time stamps are read from.
var tscHz = rate(cntvct)

// counterCSR is for RISC-V.
func counterCSR() uint32 { return timeCSR }
