package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"incore/internal/base/long"
	"incore/internal/cli"
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

// TestLicences: the licences are those of the modules of every platform, and each archive has the same.
func TestLicences(t *testing.T) {
	t.Chdir("../..")
	list := strings.Split(platforms, ",")
	text, err := licences(list)
	if err != nil {
		t.Fatal(err)
	}
	var most int
	for _, p := range list {
		lines, err := modules([]string{p})
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range lines {
			if f := strings.Split(l, "\t"); !strings.Contains(string(text), "\n"+f[0]+" "+f[1]+"\n") {
				t.Errorf("no licence of %s, which is in the program for %s", f[0], p)
			}
		}
		most = max(most, len(lines))
	}
	if n := strings.Count(string(text), strings.Repeat("=", 80)); n <= most {
		t.Errorf("%d licences, but a platform has %d modules, and there is Go's", n, most)
	}
}

// TestUnion: lists of components of two platforms become one, whatever their order.
func TestUnion(t *testing.T) {
	of := func(platform string, names ...string) map[string]any {
		var parts, refs []string
		for _, n := range names {
			parts = append(parts, fmt.Sprintf(`{"bom-ref":%q,"name":%q,"purl":"pkg:golang/%s?type=module\u0026goos=%s\u0026goarch=amd64"}`, n, n, n, platform))
			refs = append(refs, fmt.Sprintf("%q", n))
		}
		all := strings.Join(refs, ",")
		v, err := componentsOf(fmt.Appendf(nil, `{"version":1,"metadata":{"tools":[1],"properties":[{"name":"hash","value":%q}],"component":{"purl":"pkg:golang/incore?type=module&goos=%s&goarch=amd64"}},"components":[%s],"dependencies":[{"ref":"incore","dependsOn":[%s]}],"compositions":[{"aggregate":"unknown","dependencies":[%s]}]}`,
			platform, platform, strings.Join(parts, ","), all, all), time.Unix(0, 0).UTC())
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	sides := [][]string{{"linux", "a", "c"}, {"windows", "a", "b", "c"}, {"darwin", "c", "d"}}
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 0, 2}} {
		var all any
		for i, k := range order {
			if v := of(sides[k][0], sides[k][1:]...); i == 0 {
				all = v
			} else {
				all = union(all, v)
			}
		}
		got, _ := json.Marshal(all)
		want, _ := json.Marshal(of("", "a", "b", "c", "d"))
		if strings.Contains(string(got), "goos") {
			t.Errorf("%s names a platform", got)
		}
		want = []byte(strings.ReplaceAll(string(want), `\u0026goos=\u0026goarch=amd64`, ""))
		if !bytes.Equal(got, want) {
			t.Errorf("order %v: %s, want %s", order, got, want)
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
	dir := made(t, false, "linux/amd64,windows/amd64")
	again := made(t, false, "linux/amd64,windows/amd64")
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	if len(files) != 6 {
		t.Errorf("files %v", files)
	}
	list, _ := filepath.Glob(filepath.Join(dir, "*.cdx.json"))
	components, _ := os.ReadFile(list[0])
	lines, err := modules([]string{"linux/amd64", "windows/amd64"})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lines {
		if f := strings.Split(l, "\t"); !strings.Contains(string(components), fmt.Sprintf("pkg:golang/%s@%s", f[0], f[1])) {
			t.Errorf("%s is no component", f[0])
		}
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
