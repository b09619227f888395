package object

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"incore/internal/isa/catalog"
)

// TestSeparate: source lines and names come from a debug file at each place where gdb looks, if it is the right one; else one warning says why not.
func TestSeparate(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	run := func(name string, args ...string) {
		t.Helper()
		c := exec.Command(name, args...)
		if c.Dir = dir; c.Path == name {
			t.Skipf("no %s", name)
		}
		if out, err := c.CombinedOutput(); err != nil {
			t.Skipf("%v: %s", err, out)
		}
	}
	if err := os.WriteFile(in("a.c"), []byte("static int f(int n)\n{\n int s = 0;\n for (int i = 0; i < n; i++)\n  s = s * 3 ^ i;\n return s;\n}\nint main(int n, char **v) { return f(n); }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run("gcc", "-g", "-O1", "-fno-inline", "-Wl,--build-id=0xabcdef12", "-o", "whole", "a.c")
	run("gcc", "-g", "-O1", "-fno-inline", "-Wl,--build-id=0xabcdef34", "-DX", "-o", "another", "a.c")
	run("objcopy", "--only-keep-debug", "whole", "right")
	run("objcopy", "--only-keep-debug", "another", "other")
	run("objcopy", "--only-keep-debug", "--compress-debug-sections=zlib", "whole", "zipped")
	run("cp", "right", "a.debug")
	run("objcopy", "--strip-all", "--add-gnu-debuglink=a.debug", "whole", "linked")
	run("objcopy", "--strip-all", "whole", "bare")
	run("objcopy", "--strip-all", "-R", ".note.gnu.build-id", "--add-gnu-debuglink=a.debug", "whole", "named")
	run("rm", "a.debug")
	run("cp", "linked", "self.debug")
	id := "ab/cdef12.debug"
	for _, c := range []struct {
		binary, from, to string
		found            bool
		warning          string
	}{
		{"whole", "", "", true, ""},
		{"bare", "", "", false, ""},
		{"bare", "right", "root/.build-id/" + id, true, ""},
		{"bare", "zipped", "root/.build-id/" + id, true, ""},
		{"bare", "other", "root/.build-id/" + id, false, "is not of this build"},
		{"bare", "a.c", "root/.build-id/" + id, false, "is not of this build"},
		{"bare", "linked", "root/.build-id/" + id, false, "can be read"},
		{"bare", "right", "cache/abcdef12/debuginfo", true, ""},
		{"bare", "zipped", "cache/abcdef12/debuginfo", true, ""},
		{"linked", "right", "cache/abcdef12/debuginfo", true, ""},
		{"bare", "other", "cache/abcdef12/debuginfo", false, "is not of this build"},
		{"linked", "", "", false,
			"a.debug, which has it, is not here ('debuginfod-find debuginfo " + in("linked") + "' may fetch it)"},
		{"linked", "right", "root/.build-id/" + id, true, ""},
		{"linked", "right", "a.debug", true, ""},
		{"linked", "right", ".debug/a.debug", true, ""},
		{"linked", "right", "root" + dir + "/a.debug", true, ""},
		{"linked", "other", "a.debug", false, "a.debug has another checksum"},
		{"linked", "a.c", ".debug/a.debug", false, "a.debug has another checksum"},
		{"named", "right", "a.debug", true, ""},
		{"named", "zipped", "a.debug", false, "another checksum"},
		{"named", "", "", false, "is not here"},
	} {
		if c.to != "" {
			run("mkdir", "-p", filepath.Dir(c.to))
			run("cp", c.from, c.to)
		}
		data, err := os.ReadFile(in(c.binary))
		if err != nil {
			t.Fatal(err)
		}
		f, err := Read(data, catalog.ISAs()...)
		if err != nil {
			t.Fatal(err)
		}
		f.followDebug(in(c.binary), in("root"), in("cache"))
		fn := f.Function("f")
		line := 0
		if fn != nil {
			if l := f.Loops(fn); len(l) == 1 {
				_, line = f.SourceLine(l[0].Addr())
			}
		}
		if warnings := strings.Join(f.Warnings(), "\n"); (line >= 4 && line <= 5) != c.found || !strings.Contains(warnings, c.warning) || (warnings == "") != (c.warning == "") || strings.Contains(warnings, "\n") {
			t.Errorf("%s with %s as %s: line %d, warnings %q", c.binary, c.from, c.to, line, warnings)
		}
		if c.to != "" {
			run("rm", c.to)
		}
	}
}

// TestDebuginfodCache: the folder is that of debuginfod's client.
func TestDebuginfodCache(t *testing.T) {
	for _, c := range []struct{ own, xdg, home, want string }{
		{"/own", "/xdg", "/home/a", "/own"}, {"", "/xdg", "/home/a", "/xdg/debuginfod_client"}, {"", "", "/home/a",
			"/home/a/.cache/debuginfod_client"}, {"", "", "", ""},
	} {
		t.Setenv("DEBUGINFOD_CACHE_PATH", c.own)
		t.Setenv("XDG_CACHE_HOME", c.xdg)
		t.Setenv("HOME", c.home)
		if got := filepath.ToSlash(debuginfodCache()); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
