//go:build !amd64 && !arm64 && !riscv64

package host

// tscHz is the rate of the counter that time stamps are read from: there is none.
func tscHz() float64 { return 0 }

func counterCSR() uint32 { return timeCSR }
