//go:build unix && !solaris && !aix

package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestResume: a file that another run writes is refused, and free again behind it; of what is no regular file nothing is read.
func TestResume(t *testing.T) {
	name := filepath.Join(t.TempDir(), "here.results")
	e := &env{}
	keep := func(r io.Reader) (int64, error) {
		b, err := io.ReadAll(r)
		return int64(len(b)), err
	}
	header := func(w io.Writer) error {
		_, err := io.WriteString(w, "header\n")
		return err
	}
	first, err := e.resume(name, keep, header)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.resume(name, keep, header); err == nil || !strings.Contains(err.Error(), "another run") {
		t.Errorf("a second run on one file: %v", err)
	}
	first.Close()
	second, err := e.resume(name, keep, header)
	if err != nil {
		t.Fatalf("behind the first run: %v", err)
	}
	second.Close()
	if b, _ := os.ReadFile(name); string(b) != "header\n" {
		t.Errorf("the file holds %q", b)
	}
	endless := func(io.Reader) (int64, error) { return 0, errors.New("read") }
	if w, err := e.resume(os.DevNull, endless, header); err != nil {
		t.Errorf("%s: %v", os.DevNull, err)
	} else {
		w.Close()
	}
}
