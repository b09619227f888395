package main

import (
	"archive/zip"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"incore/internal/report"
	"incore/tools/built"
)

// TestReproducible: the same contents make the same wheel, with the program executable and every file in the record.
func TestReproducible(t *testing.T) {
	p, err := sources("../../python")
	if err != nil {
		t.Fatal(err)
	}
	var made [2][]byte
	for i := range made {
		w := &wheel{platform: platforms[0], version: report.Version, package_: p, program: []byte("program")}
		name := filepath.Join(t.TempDir(), w.name())
		if err := w.write(name); err != nil {
			t.Fatal(err)
		}
		if made[i], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(made[0], made[1]) {
		t.Error("two wheels of the same contents differ")
	}
	z, err := zip.NewReader(bytes.NewReader(made[0]), int64(len(made[0])))
	if err != nil {
		t.Fatal(err)
	}
	record := string(read(t, z.File[len(z.File)-1]))
	for _, f := range z.File {
		if !strings.Contains(record, f.Name+",") {
			t.Errorf("%s is not in the record", f.Name)
		}
		if f.Mode()&0o100 != 0 != strings.Contains(f.Name, "/scripts/") {
			t.Errorf("%s has mode %v", f.Name, f.Mode())
		}
	}
}

// commit returns the commit of the sources, "" outside of a repository.
func commit(t *testing.T) string {
	t.Helper()
	s, err := built.Of("../..")
	if err != nil {
		t.Fatal(err)
	}
	return s.Commit
}

func read(t *testing.T, f *zip.File) []byte {
	t.Helper()
	r, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(r); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestTags: each platform has a wheel of its own.
func TestTags(t *testing.T) {
	seen := map[string]string{}
	for _, p := range platforms {
		for _, tag := range strings.Split(tagsOf[p], ".") {
			if tag == "" || seen[tag] != "" {
				t.Errorf("%s and %s have the tag %q", p, seen[tag], tag)
			}
			seen[tag] = p
		}
	}
	if len(platforms) != len(tagsOf) {
		t.Errorf("%d platforms, tags of %d", len(platforms), len(tagsOf))
	}
}

// TestVersion: the package states the version of the program.
func TestVersion(t *testing.T) {
	text, err := os.ReadFile("../../python/incore/__init__.py")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), `__version__ = "`+report.Version+`"`) {
		t.Errorf("__init__.py does not state version %s", report.Version)
	}
}

// TestInstalled: in a new environment with nothing but the wheel, package and program work.
func TestInstalled(t *testing.T) {
	if testing.Short() || runtime.GOOS != "linux" {
		t.Skip("builds the program")
	}
	dir := t.TempDir()
	if out, err := exec.Command("python3", "-m", "venv", filepath.Join(dir, "venv")).CombinedOutput(); err != nil {
		t.Skipf("no environments here: %s", out)
	}
	if err := all("../..", dir, runtime.GOOS+"/"+runtime.GOARCH); err != nil {
		t.Fatal(err)
	}
	wheels, _ := filepath.Glob(filepath.Join(dir, "*.whl"))
	bin := func(name string) string { return filepath.Join(dir, "venv/bin", name) }
	for _, c := range [][]string{
		append([]string{bin("pip"), "install", "--quiet", "--no-index", "--no-deps"}, wheels...),
		{bin("incore"), "--version"},
		{bin("python"), "-c", "import incore, json, subprocess; v = json.loads(subprocess.check_output([incore.program(), 'version', '--format', 'json'])); assert v.get('commit') == '" + commit(t) + "' or not '" + commit(t) + "', v"},
		{bin("python"), "-c", "import incore; assert incore.analyze('1: imul %rax, %rbx; dec %rcx; jnz 1b', 'zen4').cycles == 3"},
	} {
		cmd := exec.Command(c[0], c[1:]...)
		cmd.Dir, cmd.Env = dir, []string{"HOME=" + dir, "PATH=/nowhere"}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %v\n%s", c, err, out)
		}
	}
}
