package host

// rdtsc reads the timestamp counter.
func rdtsc() uint64

// tscHz returns the frequency of the time stamp counter in Hz.
var tscHz = rate(rdtsc)

// counterCSR is for RISC-V only.
func counterCSR() uint32 { return timeCSR }
