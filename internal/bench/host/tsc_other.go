//go:build !amd64 && !arm64 && !riscv64

package host

// tscHz returns 0: no counter is supported here.
func tscHz() float64 { return 0 }

func counterCSR() uint32 { return timeCSR }
