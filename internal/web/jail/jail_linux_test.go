package jail

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	Enter()
	os.Exit(m.Run())
}

// shell runs a script in the jail.
func shell(t *testing.T, script string) *Result {
	t.Helper()
	r, err := Run(context.Background(), []byte("input"), "sh", "-c", script)
	if errors.Is(err, ErrUnavailable) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestContained: a program in the jail works, and reaches nothing outside.
func TestContained(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ script, want string }{
		{"cat", "input"},
		{"pwd; echo a > f; cat f", "/tmp\na\n"},
		{"cat " + secret + " || echo none", "none\n"},
		{"cat /etc/passwd || echo none", "none\n"},
		{"ls /proc /home /root 2>/dev/null; echo end", "end\n"},
		{"echo x > /usr/incore-test || echo read-only", "read-only\n"},
		{"echo $HOME $INCORE_JAIL", "/tmp\n"},
		{"cat < /dev/tcp/127.0.0.1/22 || echo no", "no\n"},
	} {
		r := shell(t, c.script+" 2>/dev/null")
		if string(r.Output) != c.want || r.Failed != "" && c.script != "cat" {
			t.Errorf("%s: %q (%s %s), want %q", c.script, r.Output, r.Failed, r.Messages, c.want)
		}
	}
}

// TestPowerless: the program is not root, inside or outside, has no capability, and cannot change mounts; of those outside it sees and signals no process.
func TestPowerless(t *testing.T) {
	r := shell(t, "id -u; id -g; sleep 0.3")
	if string(r.Output) != "1000\n1000\n" {
		t.Errorf("user and group %q %s", r.Output, r.Messages)
	}
	for _, c := range []struct{ script, want string }{
		{"mount -o remount,rw,bind /usr && echo done || echo no", "no\n"},
		{"mount -t tmpfs none /tmp && echo done || echo no", "no\n"},
		{"unshare -Urm true && mount -o remount,rw,bind /usr && echo done || echo no", "no\n"},
		{"unshare -Urm sh -c 'mount -o remount,rw,bind /usr && touch /usr/incore-test && echo done' || echo no", "no\n"},
		{"chroot / true && echo done || echo no", "no\n"},
		{"mknod /tmp/m c 1 1 && echo done || echo no", "no\n"},
		{"kill -9 -1; echo alive", "alive\n"},
	} {
		if r := shell(t, c.script+" 2>/dev/null"); string(r.Output) != c.want {
			t.Errorf("%s: %q %s", c.script, r.Output, r.Messages)
		}
	}
	// What the kernel says of the process from outside.
	done := make(chan *Result, 1)
	go func() { done <- shell(t, "sleep 2") }()
	status := ""
	for range 100 {
		if status = statusOf("sleep\x002\x00"); status != "" {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	<-done
	for _, want := range []string{"CapInh:\t0000000000000000", "CapPrm:\t0000000000000000", "CapEff:\t0000000000000000", "CapBnd:\t0000000000000000", "CapAmb:\t0000000000000000", "NoNewPrivs:\t1"} {
		if !strings.Contains(status, want) {
			t.Errorf("no %q in\n%s", want, status)
		}
	}
	if strings.Contains(status, "Uid:\t0\t") || strings.Contains(status, "Gid:\t0\t") || strings.Contains(status, "Groups:\t0 ") {
		t.Errorf("the process is root outside:\n%s", status)
	}
}

// statusOf returns the status of a process with the given arguments, "" if there is none.
func statusOf(arguments string) string {
	list, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range list {
		if text, err := os.ReadFile(name); err == nil && string(text) == arguments {
			status, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "status"))
			return string(status)
		}
	}
	return ""
}

// TestTasks: the number of processes has an end, also if this test runs as root.
func TestTasks(t *testing.T) {
	r := shell(t, "n=0; while [ $n -lt 200 ]; do sleep 1 & n=$((n+1)); done; echo all")
	if strings.Contains(string(r.Output), "all") && !strings.Contains(r.Messages, "fork") {
		t.Errorf("200 processes: %q %s", r.Output, r.Messages)
	}
}

// TestNothingLeft: a run leaves nothing in the folder for temporary files, also if it is stopped.
func TestNothingLeft(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	if _, err := Run(ctx, nil, "sh", "-c", "echo x > /tmp/x; sleep 5"); errors.Is(err, ErrUnavailable) {
		t.Skip(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// TestBounded: output, disk and memory have an end.
func TestBounded(t *testing.T) {
	if r := shell(t, "yes"); r.Failed == "" || len(r.Output) > output {
		t.Errorf("endless output: %d bytes, %q", len(r.Output), r.Failed)
	}
	if r := shell(t, "yes > f; ls -l f | wc -l; exit 3"); r.Failed == "" {
		t.Errorf("a large file: %q %q", r.Failed, r.Output)
	}
	if r := shell(t, "dd bs=2G count=1 </dev/null"); r.Failed == "" {
		t.Error("endless memory")
	}
	if r := shell(t, "echo message >&2; exit 2"); !strings.Contains(r.Failed, "2") || r.Messages != "message\n" {
		t.Errorf("a failure: %+v", r)
	}
}
