package profile_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"incore/internal/base/long"
	"incore/internal/program/qemu"
	"incore/internal/roofline/profile"
)

// endings is a program that does 2000 operations and then what its argument names.
const endings = `#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
double x[1000];
__attribute__((noinline)) void work(void) { for (int i = 0; i < 1000; i++) x[i] = x[i] * 3 + 1; }
static void *thread(void *p) { work(); return p; }
static void handler(int s) { work(); }
int main(int n, char **a) {
	work();
	if (!strcmp(a[1], "fork")) { int status; if (fork() == 0) { work(); _exit(0); } wait(&status); }
	if (!strcmp(a[1], "thread")) { pthread_t t; pthread_create(&t, 0, thread, 0); pthread_join(t, 0); }
	if (!strcmp(a[1], "exec")) { execl("/bin/true", "true", (char *)0); }
	if (!strcmp(a[1], "abort")) abort();
	if (!strcmp(a[1], "segv")) *(volatile int *)8 = 1;
	if (!strcmp(a[1], "kill")) kill(getpid(), SIGKILL);
	if (!strcmp(a[1], "status")) exit(3);
	if (!strcmp(a[1], "handler")) { signal(SIGUSR1, handler); raise(SIGUSR1); }
	if (!strcmp(a[1], "endless")) for (;;) work();
	return 0;
}`

// TestEndings: a program that forks, has threads, is replaced, dies or never ends gives what was seen until then, and says that it is partial and why.
func TestEndings(t *testing.T) {
	native(t)
	exe := compile(t, endings, "gcc", "-pthread")
	emulator, err := qemu.Find("x86-64")
	emulated := err == nil && qemu.RunsPlugins(emulator) == nil && long.Tests()
	for _, c := range []struct {
		how          string
		want, inQEMU []string // parts of what makes the profile partial
		most         float64  // operations; 0: at least 2000
	}{
		{"", nil, nil, 2000},
		{"fork", []string{"process"}, []string{"process"}, 2000},
		{"thread", []string{"thread"}, []string{"threads; the operations of all are counted"}, 0},
		{"exec", []string{"another program"}, nil, 2000},
		{"abort", []string{"ended by SIGABRT"}, []string{"ended by SIGABRT"}, 2000},
		{"segv", []string{"ended by SIGSEGV"}, []string{"ended by SIGSEGV"}, 2000},
		{"kill", []string{"ended by SIGKILL"}, []string{"ended by SIGKILL"}, 2000},
		{"status", []string{"exit status is 3"}, []string{"exit status is 3"}, 2000},
		{"handler", []string{"signal"}, nil, 0},
		{"endless", []string{"ended after 2s, the limit"}, []string{"ended after 3s, the limit"}, 0},
	} {
		for _, method := range []bool{false, true} {
			if method && (!emulated || c.inQEMU == nil) {
				continue
			}
			t.Run(fmt.Sprint(c.how, method), func(t *testing.T) {
				o := profile.Options{Args: []string{exe, c.how}, QEMU: method, NoCaches: true}
				want := c.want
				if c.how == "endless" {
					o.Limit = 2 * time.Second
				}
				if method {
					if want = c.inQEMU; c.how == "endless" {
						o.Limit = 3 * time.Second
					}
				}
				p := run(t, o)
				if (p.Partial == "") != (len(want) == 0) {
					t.Errorf("partial: %q", p.Partial)
				}
				for _, s := range want {
					if !strings.Contains(p.Partial, s) {
						t.Errorf("partial: %q, want %q", p.Partial, s)
					}
				}
				if p.Flops < 2000 || c.most > 0 && p.Flops > c.most {
					t.Errorf("%v FLOP", p.Flops)
				}
			})
		}
	}
}

// TestFunctionEnds: a function is counted from its entry to its return and no longer. In a static program for AArch64 the C library reaches main by a jump.
func TestFunctionEnds(t *testing.T) {
	emulator, err := qemu.Find("aarch64")
	if err == nil {
		err = qemu.RunsPlugins(emulator)
	}
	if err != nil {
		t.Skip(err)
	}
	exe := compile(t, `int main(void) { __asm__ volatile("mov x9, #1000\n1: subs x9, x9, #1\nb.ne 1b" ::: "x9", "cc"); return 0; }`, "aarch64-linux-gnu-gcc")
	if p := run(t, profile.Options{Args: []string{exe}, Function: "main", NoCaches: true}); p.Instructions != 2003 { // the loop, and three around it
		t.Errorf("%v instructions in main", p.Instructions)
	}
}

// TestInterrupted: what was seen until a program is interrupted is kept.
func TestInterrupted(t *testing.T) {
	native(t)
	exe := compile(t, endings, "gcc", "-pthread")
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Second)
	defer stop()
	f := null(t)
	p, err := profile.Run(ctx, profile.Options{Args: []string{exe, "endless"}, NoCaches: true, Stdin: f, Stdout: f, Stderr: f, Repeat: 3})
	if err != nil || !strings.Contains(p.Partial, "interrupted") || p.Flops < 2000 {
		t.Errorf("%v, %+v", err, p)
	}
}
