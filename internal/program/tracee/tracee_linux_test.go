package tracee

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// TestReadMaps: names may have blanks, and parts of no file have none.
func TestReadMaps(t *testing.T) {
	got, err := readMaps(strings.NewReader("00400000-00401000 r--p 00001000 fe:01 1234                       /a b/prog\n7f0000000000-7f0000001000 rwxp 00000000 00:00 0 \n7ffc0000-7ffd0000 r-xp 00000000 00:00 0                          [vdso]\nnonsense\n"))
	want := []Mapping{{Lo: 0x400000, Hi: 0x401000, Offset: 0x1000, Path: "/a b/prog"}, {Lo: 0x7f0000000000, Hi: 0x7f0000001000, Code: true, Write: true}, {Lo: 0x7ffc0000, Hi: 0x7ffd0000, Path: "[vdso]", Code: true}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestMaps finds this test's own code, and says of a process that is none why it has nothing.
func TestMaps(t *testing.T) {
	maps, err := Maps(os.Getpid())
	me, _ := os.Readlink("/proc/self/exe")
	if err != nil || !slices.ContainsFunc(maps, func(m Mapping) bool { return m.Path == me && m.Code }) {
		t.Errorf("%+v, %v", maps, err)
	}
	if _, err := Maps(1 << 30); err == nil || !strings.Contains(err.Error(), "has mapped") {
		t.Errorf("of no process: %v", err)
	}
}

// TestWait waits for a process that stops before its first instruction, and for its end.
func TestWait(t *testing.T) {
	path, err := exec.LookPath("true")
	if err != nil {
		t.Skip("no true here")
	}
	done := make(chan error, 1)
	go func() {
		p, err := os.StartProcess(path, []string{"true"}, &os.ProcAttr{Sys: &syscall.SysProcAttr{Ptrace: true}})
		if err != nil {
			done <- err
			return
		}
		var status unix.WaitStatus
		if n, err := Wait(p.Pid, &status); err != nil || n != p.Pid || !status.Stopped() {
			t.Errorf("%d, %v, %v", n, status, err)
		}
		_ = p.Kill()
		if n, err := Wait(p.Pid, &status); err != nil || n != p.Pid || !status.Signaled() {
			t.Errorf("after its end: %d, %v, %v", n, status, err)
		}
		done <- nil
	}()
	if err := <-done; err != nil {
		t.Skip(err)
	}
}
