// Command wheel builds the Python package incore for all platforms, each wheel with the program for it:
//
//	go run ./tools/wheel -o DIR
//
// The same commit and the same Go make the same bytes.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"incore/internal/report"
	"incore/tools/built"
)

// tagsOf are the tags of the wheels by platform. The program is static, so that they state the oldest C libraries and systems for which PyPI has tags.
var tagsOf = map[string]string{
	"linux/amd64":   "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
	"linux/arm64":   "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
	"linux/riscv64": "manylinux_2_31_riscv64.musllinux_1_2_riscv64",
	"darwin/amd64":  "macosx_12_0_x86_64",
	"darwin/arm64":  "macosx_12_0_arm64",
	"windows/amd64": "win_amd64",
	"windows/arm64": "win_arm64",
}

// platforms are those of a release, and one more that only has a wheel.
var platforms = append(slices.Clone(built.Platforms), "windows/arm64")

func main() {
	out := flag.String("o", "dist", "write the wheels to this `FOLDER`")
	only := flag.String("platform", "", "only this platform, as GOOS/GOARCH; native: this one")
	root := flag.String("root", ".", "the `FOLDER` of incore's sources")
	flag.Parse()
	if *only == "native" {
		*only = runtime.GOOS + "/" + runtime.GOARCH
	}
	if err := all(*root, *out, *only); err != nil {
		fmt.Fprintln(os.Stderr, "wheel:", err)
		os.Exit(1)
	}
}

func all(root, out, only string) error {
	package_, err := sources(filepath.Join(root, "python"))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	s, err := built.Of(root)
	if err != nil {
		return err
	}
	made := 0
	for _, p := range platforms {
		if only != "" && only != p {
			continue
		}
		program, err := build(s, p)
		if err != nil {
			return err
		}
		w := &wheel{platform: p, version: report.Version, package_: package_, program: program}
		name := filepath.Join(out, w.name())
		if err := w.write(name); err != nil {
			return err
		}
		fmt.Println(name)
		made++
	}
	if made == 0 {
		return fmt.Errorf("no platform %q", only)
	}
	return nil
}

// build returns the program for a platform.
func build(s *built.Sources, platform string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "wheel")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "incore")
	if err := s.Program(platform, name); err != nil {
		return nil, err
	}
	return os.ReadFile(name)
}

// file is a file of a wheel.
type file struct {
	name string
	data []byte
	exec bool
}

// sources returns the files of the package, and its README for the metadata.
func sources(dir string) (*pythonPackage, error) {
	p := &pythonPackage{}
	names, err := filepath.Glob(filepath.Join(dir, "incore", "*"))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		base := filepath.Base(name)
		if !strings.HasSuffix(base, ".py") && base != "py.typed" {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		p.files = append(p.files, file{name: "incore/" + base, data: data})
	}
	if len(p.files) == 0 {
		return nil, fmt.Errorf("%s has no package", dir)
	}
	for name, into := range map[string]*[]byte{"README.md": &p.readme, "../LICENSE": &p.licence, "../NOTICE": &p.notice} {
		if *into, err = os.ReadFile(filepath.Join(dir, name)); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// pythonPackage is the part of a wheel that all platforms share.
type pythonPackage struct {
	files                   []file
	readme, licence, notice []byte
}
