package dbi_test

import (
	"strings"
	"testing"
)

const trapping = `#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>
#include <sys/syscall.h>
static volatile int traps, undefined;
static long base[2] = {7, 8};
static void on_trap(int s) { traps++; getppid(); }
static void skip(int s, siginfo_t *i, void *u)
{
	greg_t *at = &((ucontext_t *)u)->uc_mcontext.gregs[REG_RIP];
	undefined += *(unsigned short *)*at == 0x0b0f;
	*at += 2;
}
int main(int n, char **args)
{
	volatile long sum = 0;
	signal(SIGTRAP, on_trap);
	struct sigaction a = {.sa_sigaction = skip, .sa_flags = SA_SIGINFO};
	sigaction(SIGILL, &a, 0);
	if (n > 1 && !strcmp(args[1], "gs")) {
		long v;
		syscall(SYS_arch_prctl, 0x1001, base);
		__asm__ volatile("movq %gs:0, %0" : "=r"(v));
		return v == 7 ? 0 : 1;
	}
	for (int k = 0; k < 20; k++) {
		__asm__ volatile("int3");
		__asm__ volatile("ud2");
		for (int i = 0; i < 1000; i++)
			sum += i;
	}
	if (n > 1)
		__builtin_trap();
	return traps == 20 && undefined == 20 ? 0 : 1;
}
`

// TestTraps: a program that executes instructions that trap goes on where its handler returns to, which may have changed the address, and is counted there. A
// program that sets the base of gs goes on uncounted, and the result says so.
func TestTraps(t *testing.T) {
	exe := program(t, strings.ReplaceAll(trapping, "%gs", "%%gs"), "-w")
	for _, addresses := range []bool{false, true} {
		r, _, insts := run(t, addresses, nil, exe)
		if r.Exit != 0 || r.Signal != "" || !strings.Contains(strings.Join(r.Uncount, " "), "handles signals") {
			t.Errorf("addresses %v: status %d, signal %q, %q", addresses, r.Exit, r.Signal, r.Uncount)
		}
		most := uint64(0)
		for _, n := range insts {
			most = max(most, n)
		}
		if most < 20000 {
			t.Errorf("addresses %v: an instruction of the loop behind the traps is counted %d times", addresses, most)
		}
		if r, _, _ = run(t, addresses, nil, exe, "gs"); r.Exit != 0 || !strings.Contains(strings.Join(r.Uncount, " "), "register gs") {
			t.Errorf("gs: status %d, signal %q, %q", r.Exit, r.Signal, r.Uncount)
		}
	}
}
