package host

// rdtsc reads the timestamp counter.
func rdtsc() uint64

func ticks() uint64 { return rdtsc() }

// counterCSR is for RISC-V.
func counterCSR() uint32 { return timeCSR }
