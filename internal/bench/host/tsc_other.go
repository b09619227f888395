//go:build !amd64

package host

func tscHz() float64 { return 0 }
