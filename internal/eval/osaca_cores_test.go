package eval

import (
	"context"
	"os/exec"
	"strings"
	"testing"
)

// TestOSACACore asks the installed OSACA: every core that it knows is asked for by its own name, and one that it lacks by its nearest relative's.
func TestOSACACore(t *testing.T) {
	path, err := exec.LookPath("osaca")
	if err != nil {
		t.Skip("no osaca here (pip install osaca)")
	}
	for model, want := range map[string]string{"zen4": "ZEN4", "skylake-server": "SKX", "neoverse-n1": "N1", "zen5": "ZEN5 ZEN4", "raptorlake-p": "RPL SPR"} {
		core, err := OSACACore(context.Background(), path, model)
		if err != nil || !strings.Contains(want, core) {
			t.Errorf("%s: %q, %v; want %s", model, core, err, want)
		}
	}
	if _, err := OSACACore(context.Background(), path, "spacemit-x60"); err == nil || !strings.Contains(err.Error(), "knows no core like") {
		t.Errorf("a core that it cannot know: %v", err)
	}
}
