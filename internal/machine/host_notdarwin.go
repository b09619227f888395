//go:build !darwin

package machine

// hostBrand returns "": the brand is known on macOS only.
func hostBrand() string { return "" }
