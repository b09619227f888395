//go:build !amd64 && !arm64 && !riscv64

package host

func ticks() uint64 { return 0 }

func counterCSR() uint32 { return timeCSR }
