package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"incore/internal/cli"
	"incore/internal/long"
)

// made makes a release in a new folder.
func made(t *testing.T, bare bool, list string) string {
	t.Helper()
	dir := t.TempDir()
	d := &dist{out: dir, bare: bare}
	if err := d.run(strings.Split(list, ",")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestManual: there is a page for each command, and man finds no fault in them where it is installed.
func TestManual(t *testing.T) {
	pages := manual(cli.Commands(), dist{}.when)
	names := map[string]bool{}
	for _, p := range pages {
		names[p.name] = true
		for _, want := range []string{".SH NAME", ".SH SYNOPSIS", ".SH DESCRIPTION"} {
			if !strings.Contains(string(p.data), want) {
				t.Errorf("%s lacks %s", p.name, want)
			}
		}
	}
	for _, want := range []string{"incore.1", "incore-analyze.1", "incore-roofline-profile.1", "incore-baseline-check.1", "incore-lsp.1"} {
		if !names[want] {
			t.Errorf("no %s", want)
		}
	}
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("no groff")
	}
	for _, p := range pages {
		cmd := exec.Command(groff, "-man", "-Kutf8", "-Tutf8", "-ww", "-z")
		cmd.Stdin = bytes.NewReader(p.data)
		if out, _ := cmd.CombinedOutput(); len(out) > 0 && !strings.Contains(string(out), "can't break line") {
			t.Errorf("%s: %s", p.name, out)
		}
	}
}

// TestReproducible: two runs give the same bytes; checksums are those of the files; the program runs and names its commit.
func TestReproducible(t *testing.T) {
	long.Only(t, "builds releases")
	t.Chdir("../..")
	here := runtime.GOOS + "/" + runtime.GOARCH
	a, b := made(t, true, here+",windows/amd64"), made(t, true, here+",windows/amd64")
	sums, err := os.ReadFile(filepath.Join(a, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(sums)) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		x, err := os.ReadFile(filepath.Join(a, name))
		y, err2 := os.ReadFile(filepath.Join(b, name))
		if err != nil || err2 != nil || !bytes.Equal(x, y) || fmt.Sprintf("%x", sha256.Sum256(x)) != sum {
			t.Errorf("%s: %v %v; the two runs differ, or the checksum does", name, err, err2)
		}
		if strings.HasSuffix(name, ".tar.gz") {
			runs(t, x)
		}
	}
}

// runs unpacks an archive and runs the program.
func runs(t *testing.T, data []byte) {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	dir, program := t.TempDir(), ""
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(h.Name) == "incore" {
			program = filepath.Join(dir, "incore")
			text, err := io.ReadAll(r)
			if err != nil || os.WriteFile(program, text, 0o777) != nil {
				t.Fatal(err)
			}
		}
	}
	out, err := exec.Command(program, "version").CombinedOutput()
	commit, gitErr := exec.Command("git", "rev-parse", "HEAD").Output()
	if err != nil || gitErr == nil && !strings.Contains(string(out), strings.TrimSpace(string(commit))) {
		t.Errorf("%v: %s", err, out)
	}
}

// TestPackages: lintian accepts the Debian package, dpkg installs it into an empty root and removes it, rpm reads the other, and two runs give the same bytes.
func TestPackages(t *testing.T) {
	long.Only(t, "makes packages")
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("made on linux/amd64")
	}
	if _, err := exec.LookPath("dpkg"); err != nil {
		t.Skip("no dpkg")
	}
	t.Chdir("../..")
	dir := made(t, false, "linux/amd64")
	again := made(t, false, "linux/amd64")
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(files) != 5 {
		t.Errorf("files %v", files)
	}
	for _, f := range files {
		x, _ := os.ReadFile(f)
		if y, _ := os.ReadFile(filepath.Join(again, filepath.Base(f))); !bytes.Equal(x, y) {
			t.Errorf("%s: two runs differ", filepath.Base(f))
		}
	}
	deb, _ := filepath.Glob(filepath.Join(dir, "*.deb"))
	root := t.TempDir()
	for _, sub := range []string{"var/lib/dpkg/info", "var/lib/dpkg/updates", "var/lib/dpkg/triggers"} {
		if err := os.MkdirAll(filepath.Join(root, sub), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"status", "available"} {
		if err := os.WriteFile(filepath.Join(root, "var/lib/dpkg", name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("dpkg", "--root="+root, "--force-not-root", "--log=/dev/null", "-i", deb[0]).CombinedOutput(); err != nil {
		t.Fatalf("dpkg: %v\n%s", err, out)
	}
	if out, err := exec.Command(filepath.Join(root, "usr/bin/incore"), "archs").CombinedOutput(); err != nil || !strings.Contains(string(out), "zen4") {
		t.Errorf("%v: %s", err, out)
	}
	for _, name := range []string{"usr/share/man/man1/incore-analyze.1.gz", "usr/share/doc/incore/copyright", "usr/share/bash-completion/completions/incore", "usr/share/zsh/vendor-completions/_incore"} {
		if _, err := os.Stat(filepath.Join(root, name)); err != nil {
			t.Error(err)
		}
	}
	if out, err := exec.Command("dpkg", "--root="+root, "--force-not-root", "--log=/dev/null", "-P", "incore").CombinedOutput(); err != nil {
		t.Errorf("dpkg -P: %v\n%s", err, out)
	}
	if _, err := os.Stat(filepath.Join(root, "usr/bin/incore")); err == nil {
		t.Error("the program is still there")
	}
	if lintian, err := exec.LookPath("lintian"); err == nil {
		if out, err := exec.Command(lintian, "--fail-on", "error,warning", deb[0]).CombinedOutput(); err != nil {
			t.Errorf("lintian: %v\n%s", err, out)
		}
	} else {
		t.Log("no lintian")
	}
	rpm, _ := filepath.Glob(filepath.Join(dir, "*.rpm"))
	if tool, err := exec.LookPath("rpm"); err == nil {
		out, err := exec.Command(tool, "-qp", "--queryformat", "%{NAME} %{VERSION} %{LICENSE}\n[%{FILENAMES}\n]", rpm[0]).CombinedOutput()
		if err != nil || !strings.Contains(string(out), "Apache-2.0") || !strings.Contains(string(out), "/usr/bin/incore") {
			t.Errorf("rpm: %v\n%s", err, out)
		}
	}
}
