package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"incore/internal/cli"
)

// documents are the files beside the program: licences, manual pages, completions. They are the same for all platforms.
func (d *dist) documents(list []string) ([]file, error) {
	var out []file
	for _, name := range []string{"README.md", "LICENSE", "NOTICE", "CHANGELOG.md"} {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("%w: dist is run in the root of the sources", err)
		}
		out = append(out, file{name, data, 0o644})
	}
	others, err := licences(slices.Concat(strings.Split(platforms, ","), list))
	if err != nil {
		return nil, err
	}
	out = append(out, file{"THIRD-PARTY-LICENSES", others, 0o644})
	for _, p := range manual(cli.Commands(), d.when) {
		out = append(out, file{"man/" + p.name, p.data, 0o644})
	}
	root := cli.Commands()
	for name, write := range map[string]func(io.Writer) error{
		"incore.bash": func(w io.Writer) error { return root.GenBashCompletionV2(w, true) },
		"_incore":     root.GenZshCompletion,
		"incore.fish": func(w io.Writer) error { return root.GenFishCompletion(w, true) },
	} {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			return nil, fmt.Errorf("completion %s: %w", name, err)
		}
		out = append(out, file{"completions/" + name, b.Bytes(), 0o644})
	}
	slices.SortFunc(out, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return out, nil
}

// modules returns the modules that the program contains on some of a list of platforms, each with its version and folder, separated by tabs.
func modules(list []string) (lines []string, err error) {
	for _, p := range list {
		system, arch, _ := strings.Cut(p, "/")
		cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}", "./cmd/incore")
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+arch)
		text, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s: %w", p, err)
		}
		lines = append(lines, strings.Split(string(text), "\n")...)
	}
	slices.Sort(lines)
	return slices.DeleteFunc(slices.Compact(lines), func(l string) bool { return strings.TrimSpace(l) == "" }), nil
}

// licences returns the licences of the modules that the program contains on some of a list of platforms, and of Go.
func licences(list []string) ([]byte, error) {
	lines, err := modules(list)
	if err != nil {
		return nil, err
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	lines = append(lines, "Go\t\t"+strings.TrimSpace(string(root)))
	var out bytes.Buffer
	fmt.Fprintln(&out, "incore contains these modules; their licences follow. NOTICE names the data and scripts of others.")
	for _, l := range lines {
		f := strings.Split(l, "\t")
		data, err := licence(f[2])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f[0], err)
		}
		fmt.Fprintf(&out, "\n%s\n\n%s %s\n\n%s", strings.Repeat("=", 80), f[0], f[1], data)
	}
	return out.Bytes(), nil
}

// licence reads the licence in a module's folder. Distributions of Go may keep it elsewhere.
func licence(dir string) ([]byte, error) {
	for _, name := range []string{"LICENSE", "LICENSE.txt", "LICENSE.md", "LICENCE", "COPYING", "../../share/doc/golang/LICENSE", "../LICENSE"} {
		if data, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
			return data, nil
		}
	}
	return nil, fmt.Errorf("no licence in %s", dir)
}
