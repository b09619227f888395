package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// repo is a checkout or a bare git directory.
type repo struct {
	dir    string // of git
	commit string
}

func openRepo(dir string) (*repo, error) {
	if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
		dir = filepath.Join(dir, ".git")
	}
	r := &repo{dir: dir}
	out, err := r.git("rev-parse", "HEAD")
	if err != nil {
		return nil, err
	}
	r.commit = strings.TrimSpace(string(out))
	return r, nil
}

func (r *repo) git(args ...string) ([]byte, error) {
	c := exec.Command("git", append([]string{"--git-dir=" + r.dir}, args...)...)
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("git %s in %s: %w", args[0], r.dir, err)
	}
	return out, nil
}

// read returns a file.
func (r *repo) read(path string) (string, error) {
	out, err := r.git("show", "HEAD:"+path)
	return string(out), err
}

// extract writes files and folders into a directory.
func (r *repo) extract(dir string, paths ...string) error {
	tar := filepath.Join(dir, "archive.tar")
	if _, err := r.git(append([]string{"archive", "-o", tar, "HEAD"}, paths...)...); err != nil {
		return err
	}
	if out, err := exec.Command("tar", "-xf", tar, "-C", dir).CombinedOutput(); err != nil {
		return fmt.Errorf("tar: %w: %s", err, out)
	}
	return os.Remove(tar)
}

// compile runs a compiler or assembler in a directory; the error has the first line of its messages.
func compile(dir string, args ...string) error {
	c := exec.Command(args[0], args[1:]...)
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err != nil {
		first, _, _ := strings.Cut(string(out), "\n")
		return fmt.Errorf("%s: %w: %s", args[0], err, first)
	}
	return nil
}
