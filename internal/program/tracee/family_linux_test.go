package tracee

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

const threads = `#include <pthread.h>
static void *nothing(void *x) { return x; }
int main(void)
{
	for (;;) {
		pthread_t t;
		if (pthread_create(&t, 0, nothing, 0) == 0)
			pthread_detach(t);
	}
}
`

// TestFamily kills a program that begins threads all the time at any moment of a thread's beginning. Its end is told each time.
func TestFamily(t *testing.T) {
	cc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc here (Debian's package gcc)")
	}
	exe := filepath.Join(t.TempDir(), "threads")
	cmd := exec.Command(cc, "-x", "c", "-pthread", "-o", exe, "-")
	cmd.Stdin = strings.NewReader(threads)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for k := range 60 {
		ended := make(chan error, 1)
		go func() { ended <- killed(exe, time.Duration(rand.IntN(3000))*time.Microsecond) }()
		select {
		case err := <-ended:
			if err != nil {
				t.Fatal(err)
			}
		case <-time.After(30 * time.Second):
			t.Fatalf("run %d: the end of the program was not told", k)
		}
	}
}

// killed traces a program until it is killed, after a time.
func killed(exe string, after time.Duration) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	p, err := os.StartProcess(exe, []string{exe}, &os.ProcAttr{Sys: &syscall.SysProcAttr{Ptrace: true}})
	if err != nil {
		return err
	}
	f := Family{Pid: p.Pid}
	var status unix.WaitStatus
	if err := f.Wait(&status); err != nil {
		return err
	}
	if err := unix.PtraceSetOptions(p.Pid, unix.PTRACE_O_TRACECLONE); err != nil {
		return err
	}
	time.AfterFunc(after, func() { _ = p.Kill() })
	for {
		_ = unix.PtraceCont(p.Pid, 0)
		if err := f.Wait(&status); err != nil || !status.Stopped() {
			return err
		}
		if pid, ok := f.Born(); ok && status.TrapCause() == unix.PTRACE_EVENT_CLONE {
			_ = unix.PtraceDetach(pid)
		}
	}
}
