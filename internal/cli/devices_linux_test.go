package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"incore/internal/base/long"
)

// TestDevices: a device that never ends, or is full, in place of a file that is read or written is an error that
// names it; nothing waits, or takes all memory.
func TestDevices(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "kernel.s"),
		[]byte("f:\n\taddq $1, %rax\n\tcmpq %rsi, %rax\n\tjne f\n\tret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "blocks"), []byte(strings.Repeat("addq $1, %rax; imulq %rax, %rbx\n",
		3000)), 0o600); err != nil {
		t.Fatal(err)
	}
	calls := []string{
		"baseline check --baseline /dev/zero", "analyze --model /dev/zero kernel.s",
		"loops --perf /dev/zero /bin/true", "model build /dev/zero", "analyze --arch zen4 kernel.s -o /dev/full",
		"predict --arch zen4 blocks -o /dev/full", "loops /bin/true -o /dev/full",
		"baseline write --arch zen4 kernel.s --baseline /dev/full",
		"compare --arch zen4 kernel.s kernel.s -o /dev/full", "archs --format json -o /dev/full",
		"model export --format osaca --arch zen4 -o /dev/full",
	}
	if long.Tests() { // 1 GiB is read
		calls = append(calls, "baseline write kernel.s --baseline /dev/zero",
			"baseline accept --baseline /dev/zero --loop f --reason r", "analyze /dev/zero", "loops /dev/zero",
			"predict /dev/zero", "model import /dev/zero",
			"mca /dev/zero", "compare /dev/zero kernel.s",
			"roofline project --from zen3 --to zen4 --profile /dev/zero", "roofline explore /dev/zero")
	}
	for _, call := range calls {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		args := append(strings.Fields(call), "--memory-limit=6G")
		c := exec.CommandContext(ctx, "incore", args...)
		c.Dir = dir
		said, err := c.CombinedOutput()
		device := "/dev/zero"
		if strings.Contains(call, "/dev/full") {
			device = "/dev/full"
		}
		if code := c.ProcessState.ExitCode(); code != 1 || !strings.HasPrefix(string(said), "incore: ") ||
			!strings.Contains(string(said), device) || strings.Contains(string(said), "bufio") {
			t.Errorf("%s: %v: %s", call, err, fmt.Sprintf("%.400s", said))
		}
		cancel()
	}
}
