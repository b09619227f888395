package isa

import "testing"

func TestNoReturn(t *testing.T) {
	for symbol, want := range map[string]bool{
		"abort": true, "abort@PLT": true, "_abort": true, "__assert_fail": true, "exit@@GLIBC_2.2.5": true, "_exit": true,
		"_ZSt20__throw_length_errorPKc": true, "__cxa_throw": true, "_Unwind_Resume": true,
		"_ZN4core9panicking18panic_bounds_check17h8cb0b2d6ff4f9b1aE": true, "_RNvNtCs3_4core9panicking5panic": true,
		"runtime.panicIndex": true, "runtime.morestack_noctxt.abi0": true, "runtime.gopanic": true, "runtime.morestack(SB)": true,
		"": false, "err": false, "count": false, "__cxa_begin_catch": false, "runtime.panicCheck1": false,
		"runtime.memequal": false, "atexit": false, "runtime.goexits": false, "printf": false, "abort_transaction": false,
	} {
		if got := NoReturn(symbol); got != want {
			t.Errorf("%q: %v, want %v", symbol, got, want)
		}
	}
}
