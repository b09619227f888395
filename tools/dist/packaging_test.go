package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"incore/internal/report"
)

// TestPackaging: what packagers take names the version, paths and Go that there are. Nothing here builds these packages.
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
