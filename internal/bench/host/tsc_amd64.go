package host

// rdtsc reads the timestamp counter.
func rdtsc() uint64

// tscHz is the rate of the counter that time stamps are read from.
var tscHz = rate(rdtsc)

// counterCSR is for RISC-V.
func counterCSR() uint32 { return timeCSR }
