package tracee

import (
	"bytes"
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestSample: a program that starts children is sampled in them too; its output, its status and a signal that ends it come through.
func TestSample(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh")
	}
	for script, want := range map[string]string{
		"(i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done) & wait; echo done":    "",
		"i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo done; exit 3":     "exit status is 3",
		"i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo done; kill -9 $$": "SIGKILL",
	} {
		var out bytes.Buffer
		cmd := exec.Command(sh, "-c", script)
		cmd.Stdout = &out
		seen := map[string]int{}
		ending, err := Sample(context.Background(), cmd, 2*time.Millisecond, func(path string, _ uint64) { seen[filepath.Base(path)]++ })
		if err != nil {
			t.Skip(err)
		}
		real, _ := filepath.EvalSymlinks(sh)
		if n := seen[filepath.Base(real)]; out.String() != "done\n" || n < 5 || (want == "") != (ending == "") || !strings.Contains(ending, want) {
			t.Errorf("%s: output %q, ended %q, samples %v", script, out.String(), ending, seen)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	begin := time.Now()
	if _, err := Sample(ctx, exec.Command("sleep", "100"), 2*time.Millisecond, func(string, uint64) {}); err == nil || time.Since(begin) > 20*time.Second {
		t.Errorf("after the context's end: %v in %v", err, time.Since(begin))
	}
}
