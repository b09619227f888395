package built

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// repository makes a folder with a commit of the given time.
func repository(t *testing.T, when string) string {
	t.Helper()
	dir := t.TempDir()
	for _, args := range [][]string{{"init", "-q"}, {"-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "first"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_COMMITTER_DATE="+when, "GIT_AUTHOR_DATE="+when)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("no git here: %v %s", err, out)
		}
	}
	return dir
}

// TestFlags: the program states the commit where there is one, and its time where that is known.
func TestFlags(t *testing.T) {
	inside, outside := repository(t, "2026-01-02T03:04:05Z"), t.TempDir()
	for _, c := range []struct{ root, epoch, commit, time, fails string }{
		{inside, "", "cli.Commit=", "CommitTime=2026-01-02T03:04:05Z", ""},
		{inside, "86400", "cli.Commit=", "CommitTime=1970-01-02T00:00:00Z", ""},
		{outside, "", "", "", ""},
		{outside, "86400", "", "", ""},
		{inside, "yesterday", "", "", "yesterday"},
	} {
		t.Setenv("SOURCE_DATE_EPOCH", c.epoch)
		t.Setenv("GIT_CEILING_DIRECTORIES", os.TempDir())
		s, err := Of(c.root)
		if c.fails != "" {
			if err == nil || !strings.Contains(err.Error(), c.fails) {
				t.Errorf("%+v: %v", c, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		f := s.flags()
		if !strings.HasPrefix(f, "-s -w -buildid=") || strings.Contains(f, "cli.Commit=") != (c.commit != "") || strings.Contains(f, "CommitTime") != (c.time != "") || !strings.Contains(f, c.time) {
			t.Errorf("%+v: %s", c, f)
		}
	}
}

// TestPlatforms: each platform is one of Go's.
func TestPlatforms(t *testing.T) {
	out, err := exec.Command("go", "tool", "dist", "list").Output()
	if err != nil {
		t.Skip(err)
	}
	known := strings.Fields(string(out))
	for _, p := range Platforms {
		found := false
		for _, k := range known {
			found = found || k == p
		}
		if !found {
			t.Errorf("%s is no platform of Go", p)
		}
	}
	if err := (&Sources{Root: "."}).Program("linux", "x"); err == nil {
		t.Error("a platform without an architecture is built")
	}
}
