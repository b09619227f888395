package jail

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
