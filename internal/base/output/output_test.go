package output

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func content(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func say(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

// alone checks that nothing lies in a directory but the files named.
func alone(t *testing.T, dir string, names ...string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range list {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(names, " ") {
		t.Errorf("the directory holds %q, want %q", got, names)
	}
}

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "out")
	if err := Write(name, say("first")); err != nil || content(t, name) != "first" {
		t.Fatal(err)
	}
	if err := os.Chmod(name, 0o640); err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	err := Write(name, func(w io.Writer) error {
		_ = say(strings.Repeat("x", 1<<20))(w)
		if content(t, name) != "first" {
			t.Error("the older file changed before the new one was whole")
		}
		return stop
	})
	if !errors.Is(err, stop) || content(t, name) != "first" {
		t.Errorf("%v; the older file is lost", err)
	}
	alone(t, dir, "out")
	if err := Write(name, say("second")); err != nil || content(t, name) != "second" {
		t.Errorf("%v, %q", err, content(t, name))
	}
	if info, err := os.Stat(name); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o640) {
		t.Errorf("permissions are %v, %v, were 0640", info.Mode(), err)
	}
	if err := Write(dir, say("x")); err == nil {
		t.Error("a directory was written")
	}
}

func TestLinks(t *testing.T) {
	dir := t.TempDir()
	name, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := os.Symlink("file", link); err != nil {
		t.Skip(err)
	}
	if err := Write(link, say("new")); err != nil || content(t, name) != "new" { // the link points at nothing yet
		t.Error(err)
	}
	if err := Write(link, say("newer")); err != nil || content(t, name) != "newer" {
		t.Error(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Error("the link is a file now")
	}
}

func TestInput(t *testing.T) {
	dir := t.TempDir()
	name, other := filepath.Join(dir, "in"), filepath.Join(dir, "other")
	if err := os.WriteFile(name, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(name, other); err != nil {
		t.Skip(err)
	}
	in, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(other, say("x"), in); !errors.Is(err, ErrInput) || content(t, name) != "text" {
		t.Errorf("%v: %q", err, content(t, name))
	}
	if err := Check(other, in); !errors.Is(err, ErrInput) {
		t.Errorf("%v", err)
	}
	if err := Check(filepath.Join(dir, "new"), in); err != nil {
		t.Error(err)
	}
}

func TestKeep(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "out")
	if err := Write(name, say("old")); err != nil {
		t.Fatal(err)
	}
	f, err := Create(name)
	if err != nil {
		t.Fatal(err)
	}
	_ = say("half")(f)
	kept, err := f.Keep()
	f.Abort()
	if err != nil || content(t, kept) != "half" || content(t, name) != "old" {
		t.Errorf("%s: %v", kept, err)
	}
	alone(t, dir, "out", "out.partial")
}

func TestDevice(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip(err)
	}
	if err := Write("/dev/null", say("x")); err != nil {
		t.Error(err)
	}
	if err := Write("/dev/full", say("x")); err == nil {
		t.Error("a full device took a byte")
	}
}
