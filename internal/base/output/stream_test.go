//go:build linux

package output

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// TestStreams writes to what a shell opens for a program: pipes under /dev/fd, a link to one, and a file that is appended to.
func TestStreams(t *testing.T) {
	hello := func(w io.Writer) error { _, err := io.WriteString(w, "hello"); return err }
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	pipe := fmt.Sprintf("/dev/fd/%d", w.Fd())
	if err := os.Symlink(pipe, link); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{pipe, fmt.Sprintf("/proc/self/fd/%d", w.Fd()), link} {
		if err := Write(name, hello); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		b := make([]byte, 5)
		if _, err := io.ReadFull(r, b); err != nil || string(b) != "hello" {
			t.Errorf("%s: %q, %v", name, b, err)
		}
	}
	log := filepath.Join(t.TempDir(), "log")
	f, err := os.OpenFile(log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString("before ")
	if err := Write(fmt.Sprintf("/dev/fd/%d", f.Fd()), hello); err != nil {
		t.Error(err)
	}
	if b, _ := os.ReadFile(log); string(b) != "before hello" {
		t.Errorf("the file has %q", b)
	}
}
