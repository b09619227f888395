package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"incore/internal/base/long"
	"incore/internal/report"
)

// TestPackaging: what packagers take names the version, paths and Go that there are.
func TestPackaging(t *testing.T) {
	t.Chdir("../..")
	read := func(name string) string {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	for name, want := range map[string]string{
		"packaging/incore.rb":         `archive/v` + report.Version + `.tar.gz"`,
		"packaging/recipe.yaml":       `version: "` + report.Version + `"`,
		"flake.nix":                   `version = "` + report.Version + `";`,
		"ci/github/action.yml":        "ci/github@v" + report.Version,
		"editors/vscode/package.json": `"version": "` + report.Version + `"`,
		"docs/editors.md":             "incore-" + report.Version + ".vsix",
	} {
		if !strings.Contains(read(name), want) {
			t.Errorf("%s lacks %s", name, want)
		}
	}
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(read("go.mod"))[1]
	for _, name := range []string{"packaging/Dockerfile", "ci/gitlab/incore.yml"} {
		for _, m := range regexp.MustCompile(`golang:(\S+)`).FindAllStringSubmatch(read(name), -1) {
			if m[1] != version {
				t.Errorf("%s: golang:%s, but go.mod needs %s", name, m[1], version)
			}
		}
	}
	// Commands, files and variables that these texts name.
	paths := regexp.MustCompile(`\./(cmd|tools)/\w+|\b(LICENSE|NOTICE)\b`)
	variables := regexp.MustCompile(`-X (incore/\S+)\.(\w+)=`)
	licensed := 0
	for _, name := range []string{"packaging/Dockerfile", "packaging/incore.rb", "packaging/recipe.yaml", "flake.nix", ".pre-commit-hooks.yaml", "ci/gitlab/incore.yml", "ci/github/action.yml"} {
		text := read(name)
		for _, p := range paths.FindAllString(text, -1) {
			if _, err := os.Stat(p); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		for _, m := range variables.FindAllStringSubmatch(text, -1) {
			found := false
			files, _ := filepath.Glob(strings.TrimPrefix(m[1], "incore/") + "/*.go")
			for _, f := range files {
				found = found || regexp.MustCompile(`(?m)^(var|\t)\s*`+m[2]+`\b`).MatchString(read(f))
			}
			if !found {
				t.Errorf("%s: no variable %s in %s", name, m[2], m[1])
			}
		}
		if strings.Contains(text, "-licences") {
			licensed++
		}
	}
	if licensed != 2 {
		t.Errorf("%d of the two packages that are passed on as binaries have the modules' licences", licensed)
	}
}

// TestFormula: the formula for Homebrew installs and passes its own test.
func TestFormula(t *testing.T) {
	long.Only(t, "builds incore")
	ruby, err := exec.LookPath("ruby")
	if err != nil {
		t.Skip("no ruby")
	}
	t.Chdir("../..")
	if out, err := exec.Command(ruby, "tools/dist/testdata/formula.rb", "packaging/incore.rb", t.TempDir(), t.TempDir()).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestFlake: Nix evaluates the flake, and what it builds for each system exists.
func TestFlake(t *testing.T) {
	nix, err := exec.LookPath("nix-instantiate")
	if err != nil {
		t.Skip("no nix-instantiate")
	}
	t.Chdir("../..")
	cmd := exec.Command(nix, "--store", "dummy://", "--eval", "--strict", "--json", "tools/dist/testdata/flake.nix")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, err.(*exec.ExitError).Stderr)
	}
	var packages []struct {
		System, Version         string
		SubPackages, Ldflags    []string
		Env                     map[string]string
		NativeBuildInputs       []string
		Meta                    struct{ License, MainProgram string }
		PostInstall, VendorHash string
	}
	if err := json.Unmarshal(out, &packages); err != nil {
		t.Fatal(err)
	}
	if len(packages) != 4 {
		t.Errorf("%d packages", len(packages))
	}
	for _, p := range packages {
		if p.Version != report.Version || !slices.Contains(p.Ldflags, "-X incore/internal/cli.Commit=0123abcd") || p.Env["CGO_ENABLED"] != "0" || p.Meta.License != "Apache-2.0" || p.Meta.MainProgram != "incore" {
			t.Errorf("%+v", p)
		}
		for _, dir := range p.SubPackages {
			if files, _ := filepath.Glob(dir + "/*.go"); len(files) == 0 {
				t.Errorf("no package %s", dir)
			}
		}
	}
}

// TestCommands: the commands by which the container and the conda package are built work, the latter as rattler-build
// renders them.
func TestCommands(t *testing.T) {
	long.Only(t, "builds incore")
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh")
	}
	t.Chdir("../..")
	docker, err := os.ReadFile("packaging/Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	var scripts []string
	for _, m := range regexp.MustCompile(`(?m)^RUN (.*)`).FindAllStringSubmatch(string(docker), -1) {
		scripts = append(scripts, strings.ReplaceAll(strings.ReplaceAll(m[1], " /", " $PREFIX/"), "$PREFIX/cmd", "./cmd"))
	}
	if python := os.Getenv("INCORE_CONDA_PYTHON"); python != "" {
		out, err := exec.Command(python, "tools/dist/testdata/recipe.py", "packaging/recipe.yaml").Output()
		if err != nil {
			t.Fatalf("%v\n%s", err, err.(*exec.ExitError).Stderr)
		}
		rendered := strings.Split(strings.TrimSpace(string(out)), "\n")
		if len(rendered) != 3 || !strings.Contains(rendered[1], `%LIBRARY_BIN%`) || !strings.Contains(rendered[2], "go-nocgo_osx-arm64") {
			t.Fatalf("%s", out)
		}
		var recipe struct {
			Build struct{ Script struct{ Content []string } }
		}
		if err := json.Unmarshal([]byte(rendered[0]), &recipe); err != nil {
			t.Fatal(err)
		}
		for _, line := range recipe.Build.Script.Content {
			scripts = append(scripts, strings.ReplaceAll(line, " THIRD", " $PREFIX/THIRD"))
		}
	} else {
		t.Log("no Python with py-rattler-build (INCORE_CONDA_PYTHON names one): the recipe is not rendered")
	}
	prefix := t.TempDir()
	for _, script := range scripts {
		cmd := exec.Command("sh", "-c", script)
		cmd.Env = append(os.Environ(), "PREFIX="+prefix, "CGO_ENABLED=0", "COMMIT=0123abcd")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", script, err, out)
		}
	}
	if out, err := exec.Command(filepath.Join(prefix, "incore"), "version").Output(); err != nil || !strings.Contains(string(out), "0123abcd") {
		t.Errorf("%s, %v", out, err)
	}
	if text, err := os.ReadFile(filepath.Join(prefix, "THIRD-PARTY-LICENSES")); err != nil || !strings.Contains(string(text), "sourcegraph/jsonrpc2") {
		t.Errorf("licences: %.200s, %v", text, err)
	}
}

// TestVendorHash: flake.nix has the hash of the modules; that of an empty folder is known.
func TestVendorHash(t *testing.T) {
	if got, err := narHash(t.TempDir()); err != nil || got != "sha256-pQpattmS9VmO3ZIQUFn66az8GSmB4IvYhTTCFn6SUmo=" {
		t.Errorf("an empty folder: %s, %v", got, err)
	}
	t.Chdir("../..")
	hash, err := vendorHash()
	if err != nil {
		t.Skip(err)
	}
	flake, err := os.ReadFile("flake.nix")
	if err != nil || !strings.Contains(string(flake), `vendorHash = "`+hash+`";`) {
		t.Errorf("flake.nix needs vendorHash = %q (%v)", hash, err)
	}
}

// TestEditors: the documentation shows the settings of editors as the files have them.
func TestEditors(t *testing.T) {
	t.Chdir("../..")
	docs, err := os.ReadFile("docs/editors.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"editors/helix/languages.toml", "editors/emacs/incore.el", "editors/zed/settings.json"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(docs), "\n"+string(text)+"```\n") || !strings.Contains(string(docs), "`"+name+"`") {
			t.Errorf("docs/editors.md does not show %s as it is", name)
		}
	}
}
