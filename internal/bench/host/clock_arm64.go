package host

// cntvct reads the virtual counter.
func cntvct() uint64

func ticks() uint64 { return cntvct() }

// counterCSR is for RISC-V.
func counterCSR() uint32 { return timeCSR }
