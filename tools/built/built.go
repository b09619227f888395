// Package built builds the program incore for the platforms of a release, in one way for archives, packages and wheels.
package built

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// Platforms are those of a release, GOOS/GOARCH.
var Platforms = []string{"linux/amd64", "linux/arm64", "linux/riscv64", "darwin/amd64", "darwin/arm64", "windows/amd64"}

// Sources are the sources of incore in a folder. The program states their commit.
type Sources struct {
	Root   string
	Commit string    // "": outside of a repository
	When   time.Time // of the commit, or SOURCE_DATE_EPOCH; zero: neither is known
}

// Of finds the commit of the sources in a folder.
func Of(root string) (*Sources, error) {
	s := &Sources{Root: root}
	s.Commit, _ = s.git("rev-parse", "HEAD")
	seconds := os.Getenv("SOURCE_DATE_EPOCH")
	if seconds == "" && s.Commit != "" {
		var err error
		if seconds, err = s.git("log", "-1", "--format=%ct"); err != nil {
			return nil, fmt.Errorf("the time of the commit: %w", err)
		}
	}
	if seconds == "" {
		return s, nil
	}
	n, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("the time of the commit: %w", err)
	}
	s.When = time.Unix(n, 0).UTC()
	return s, nil
}

func (s *Sources) git(args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = s.Root
	b, err := cmd.Output()
	return strings.TrimSpace(string(b)), err
}

// flags are what the linker writes into the program.
func (s *Sources) flags() string {
	flags := "-s -w -buildid="
	if s.Commit != "" {
		flags += " -X incore/internal/cli.Commit=" + s.Commit
		if !s.When.IsZero() {
			flags += " -X incore/internal/cli.CommitTime=" + s.When.Format(time.RFC3339)
		}
	}
	return flags
}

// Program builds the program for a platform, GOOS/GOARCH, and writes it to a file. The same commit and the same Go make the same bytes.
func (s *Sources) Program(platform, name string) error {
	system, arch, ok := strings.Cut(platform, "/")
	if !ok {
		return fmt.Errorf("platform %q: GOOS/GOARCH is needed", platform)
	}
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags="+s.flags(), "-o", name, "./cmd/incore")
	cmd.Dir = s.Root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+arch)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build for %s: %w\n%s", platform, err, out)
	}
	return nil
}
