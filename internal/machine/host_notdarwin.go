//go:build !darwin

package machine

// hostBrand is known on macOS only.
func hostBrand() string { return "" }
