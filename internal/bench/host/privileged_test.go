//go:build linux && amd64

package host

import (
	"encoding/hex"
	"testing"
)

func TestPrivileged(t *testing.T) {
	for code, want := range map[string]bool{
		"0f01d0": false, // xgetbv: faults where ecx names no register
		"0f01d1": true,  // xsetbv
		"0f01fa": false, // monitorx
		"0f01fb": false, // mwaitx
		"0f01f9": false, // rdtscp
		"0f01f8": true,  // swapgs
		"0f01d5": false, // xend
		"0f0110": true,  // lgdt (%rax)
		"0f0138": true,  // invlpg (%rax)
		"0f01f0": true,  // lmsw %ax
		"0f30":   false, // wrmsr, cut off
		"0f3090": true,
		"f49090": true,  // hlt
		"4801c8": false, // add
	} {
		b, err := hex.DecodeString(code)
		if err != nil {
			t.Fatal(err)
		}
		if got := privileged(b); got != want {
			t.Errorf("%s: %v, want %v", code, got, want)
		}
	}
}
