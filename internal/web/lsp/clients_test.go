package lsp

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"incore/internal/base/long"
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

// TestNeovim: Neovim 0.11 without a screen, with the settings of docs/editors.md, shows diagnostics, hints, hover, symbols,
// completion and code lenses, also over a C source, follows a user's changes, and shows the report of a lens.
func TestNeovim(t *testing.T) {
	long.Only(t, "starts an editor")
	nvim, err := exec.LookPath("nvim")
	if err != nil {
		t.Skip("no nvim")
	}
	if out, err := exec.Command(nvim, "--version").Output(); err != nil || strings.Contains(string(out), "v0.7") {
		t.Skipf("nvim is too old: 0.11 is needed (%.12s, %v)", out, err)
	}
	page, err := os.ReadFile("../../../docs/editors.md")
	if err != nil {
		t.Fatal(err)
	}
	_, settings, _ := strings.Cut(string(page), "```lua\n")
	settings, _, _ = strings.Cut(settings, "```")
	dir := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	file, out, source := put("dot.s", dot), filepath.Join(dir, "got.json"), ""
	if cc, err := exec.LookPath("gcc"); err == nil && runtime.GOARCH == "amd64" {
		source = put("sum.c", "double sum(const double *a, int n) {\n\tdouble s = 0;\n\tfor (int i = 0; i < n; i++)\n\t\ts += a[i];\n\treturn s;\n}\n")
		cmd := exec.Command(cc, "-O2", "-g", "-c", "sum.c")
		if cmd.Dir = dir; cmd.Run() != nil {
			source = ""
		}
	}
	cmd := exec.Command(nvim, "--headless", "--clean", "-n", "-S", "testdata/neovim.lua")
	cmd.Env = append(os.Environ(), "INCORE_SETTINGS="+put("settings.lua", settings), "INCORE_FILE="+file, "INCORE_SOURCE="+source, "INCORE_OUT="+out, "XDG_STATE_HOME="+dir, "HOME="+dir,
		"PATH="+filepath.Dir(built(t))+string(os.PathListSeparator)+os.Getenv("PATH"))
	cmd.WaitDelay = time.Minute
	kill := time.AfterFunc(2*time.Minute, func() { _ = cmd.Process.Kill() })
	said, err := cmd.CombinedOutput()
	kill.Stop()
	data, readErr := os.ReadFile(out)
	if readErr != nil {
		t.Fatalf("%v; nvim: %v\n%s", readErr, err, said)
	}
	var got struct {
		Failed, Encoding, Diagnostic, Hover, Changed, Report string
		Hints, Definition                                    int
		Symbols, Mnemonics                                   []string
		Source                                               []any
		Lens                                                 codeLens
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	if got.Failed != "" || got.Encoding != "utf-8" || got.Hints != 6 || !strings.Contains(got.Diagnostic, "accumulators") || !strings.Contains(got.Hover, "VADDSDrr") ||
		got.Lens.Command == nil || got.Lens.Range.Start.Line != 6 || !strings.Contains(got.Lens.Command.Title, "3.0 cycles/iteration on zen4") ||
		!slices.Equal(got.Symbols, []string{"dot:.L3"}) || got.Definition != 5 || !slices.Contains(got.Mnemonics, "vfmadd231pd") ||
		!strings.Contains(got.Changed, "through xmm1") || !strings.Contains(got.Report, "vdivsd") {
		t.Errorf("Neovim got %s", data)
	}
	if source != "" && (len(got.Source) != 2 || got.Source[0] != 2.0 && got.Source[0] != 3.0 || !strings.Contains(got.Source[1].(string), "cycles/iteration on zen4")) {
		t.Errorf("over the C source Neovim got %v", got.Source)
	}
}

// TestPytest: pytest-lsp, which checks each answer against the protocol, gets what is shown of a loop and follows changes,
// with what Neovim, Emacs and Visual Studio Code say that they can do.
func TestPytest(t *testing.T) {
	long.Only(t, "starts a client of Python")
	python := os.Getenv("INCORE_LSP_PYTHON")
	if python == "" {
		t.Skip("no Python with the package pytest-lsp (INCORE_LSP_PYTHON names one)")
	}
	file := filepath.Join(t.TempDir(), "dot.s")
	if err := os.WriteFile(file, []byte(dot), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error::pytest_lsp.LspSpecificationWarning", "testdata/test_lsp.py")
	cmd.Env = append(os.Environ(), "INCORE_BINARY="+built(t), "INCORE_FILE="+file, "PYTHONDONTWRITEBYTECODE=1")
	kill := time.AfterFunc(2*time.Minute, func() { _ = cmd.Process.Kill() })
	defer kill.Stop()
	cmd.WaitDelay = time.Minute
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
