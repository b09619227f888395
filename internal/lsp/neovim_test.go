package lsp

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"incore/internal/long"
)

// built builds incore.
func built(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "incore")
	cmd := exec.Command("go", "build", "-o", name, "incore/cmd/incore")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return name
}

// TestNeovim: Neovim 0.11 without a screen shows diagnostics, hints, hover and code lenses, with the settings of docs/editors.md.
func TestNeovim(t *testing.T) {
	long.Only(t, "starts an editor")
	nvim, err := exec.LookPath("nvim")
	if err != nil {
		t.Skip("no nvim")
	}
	if out, err := exec.Command(nvim, "--version").Output(); err != nil || strings.Contains(string(out), "v0.7") {
		t.Skipf("nvim is too old: 0.11 is needed (%.12s, %v)", out, err)
	}
	dir := t.TempDir()
	file, out := filepath.Join(dir, "dot.s"), filepath.Join(dir, "got.json")
	if err := os.WriteFile(file, []byte(dot), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(nvim, "--headless", "--clean", "-n", "-S", "testdata/neovim.lua")
	cmd.Env = append(os.Environ(), "INCORE_BINARY="+built(t), "INCORE_FILE="+file, "INCORE_OUT="+out, "XDG_STATE_HOME="+dir, "HOME="+dir)
	cmd.WaitDelay = time.Minute
	kill := time.AfterFunc(2*time.Minute, func() { _ = cmd.Process.Kill() })
	said, err := cmd.CombinedOutput()
	kill.Stop()
	data, readErr := os.ReadFile(out)
	if readErr != nil {
		t.Fatalf("%v; nvim: %v\n%s", readErr, err, said)
	}
	var got struct {
		Failed, Encoding, Diagnostic, Hover string
		Hints                               int
		Lens                                codeLens
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	if got.Failed != "" || got.Encoding != "utf-8" || got.Hints != 6 || !strings.Contains(got.Diagnostic, "accumulators") || !strings.Contains(got.Hover, "VADDSDrr") ||
		got.Lens.Command == nil || got.Lens.Range.Start.Line != 6 || !strings.Contains(got.Lens.Command.Title, "3.0 cycles/iteration on zen4") {
		t.Errorf("Neovim got %s", data)
	}
}
