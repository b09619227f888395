package isa

import (
	"slices"
	"strings"
)

// noReturn lists the functions of language run-time libraries that never return to their caller, by their declarations. It excludes names that a
// program may give to functions of its own (err, die).
var noReturn = []string{
	// C: stdlib.h, unistd.h, setjmp.h, threads.h, pthread.h, assert.h, and what compilers call
	"abort", "exit", "_exit", "_Exit", "quick_exit", "longjmp", "_longjmp", "siglongjmp", "__longjmp_chk", "thrd_exit", "pthread_exit",
	"__assert", "__assert_fail", "__assert_perror_fail", "__assert_rtn", "__stack_chk_fail", "__stack_chk_fail_local", "__chk_fail", "__fortify_fail",
	// C++: the Itanium C++ ABI, std::terminate, std::rethrow_exception
	"__cxa_throw", "__cxa_rethrow", "__cxa_bad_cast", "__cxa_bad_typeid", "__cxa_throw_bad_array_new_length", "__cxa_throw_bad_array_length",
	"__cxa_pure_virtual", "__cxa_deleted_virtual", "__cxa_call_unexpected", "__cxa_call_terminate", "__clang_call_terminate", "_Unwind_Resume",
	"_ZSt9terminatev", "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE", "_CxxThrowException",
	// Fortran
	"_gfortran_runtime_error", "_gfortran_runtime_error_at", "_gfortran_os_error", "_gfortran_os_error_at", "_gfortran_stop_numeric",
	"_gfortran_stop_string", "_gfortran_error_stop_numeric", "_gfortran_error_stop_string", "_gfortran_abort", "_gfortran_exit_i4", "_gfortran_exit_i8",
	// Go
	"runtime.gopanic", "runtime.throw", "runtime.fatal", "runtime.goexit", "runtime.goexit1", "runtime.unreachableMethod", "os.Exit",
}

// noReturnParts are parts of the (mangled) names of such functions: std::__throw_length_error and similar ones; Rust's panics.
var noReturnParts = []string{"__throw_", "4core9panicking", "11begin_panic", "13unwrap_failed", "13expect_failed", "16slice_error_fail", "_index_len_fail",
	"22slice_index_order_fail", "16slice_index_fail", "18handle_alloc_error", "17capacity_overflow", "7raw_vec12handle_error", "panic_already_"}

// NoReturn reports whether code after a call of a function is not executed, judged by the symbol. runtime.morestack, which Go's functions call if the
// stack is too small, restarts the function.
func NoReturn(symbol string) bool {
	symbol, _, _ = strings.Cut(symbol, "@") // @PLT, @@GLIBC_2.2.5
	if strings.HasPrefix(symbol, "runtime.") {
		symbol = strings.TrimSuffix(strings.TrimSuffix(symbol, ".abi0"), "(SB)")
		return strings.HasPrefix(symbol, "runtime.morestack") || strings.HasPrefix(symbol, "runtime.goPanic") ||
			strings.HasPrefix(symbol, "runtime.panic") && !strings.HasPrefix(symbol, "runtime.panicCheck") || slices.Contains(noReturn, symbol)
	}
	if slices.Contains(noReturn, symbol) || strings.HasPrefix(symbol, "_") && slices.Contains(noReturn, symbol[1:]) { // Mach-O puts a "_" before it
		return true
	}
	return slices.ContainsFunc(noReturnParts, func(part string) bool { return strings.Contains(symbol, part) })
}
