// Command dist makes what a release consists of: stripped static binaries for six platforms as archives with manual pages, completions, licences and documentation, a
// Debian package and an rpm, a list of components (CycloneDX), and checksums.
//
//	go run ./tools/dist -o DIR
//	go run ./tools/dist -licences FILE	writes only the licences of the modules in the program, for packages that others make
//
// Everything is made of the sources and of the commit's time alone: two runs give the same bytes. Packages are made by nfpm, the list of components by cyclonedx-gomod;
// both are run by Go, which downloads them once.
package main

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"incore/internal/report"
	"incore/tools/built"
)

// The programs that Go runs.
const (
	nfpm      = "github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.45.2"
	cyclonedx = "github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.9.0"
)

var platforms = strings.Join(built.Platforms, ",")

func main() {
	log.SetFlags(0)
	log.SetPrefix("dist: ")
	out := flag.String("o", "", "the folder to write, which must not be there or be empty")
	list := flag.String("platforms", platforms, "the platforms, GOOS/GOARCH")
	bare := flag.Bool("bare", false, "leave out packages and the list of components, which need downloads")
	only := flag.String("licences", "", "write the licences of the modules in the program to this file, and nothing else")
	flag.Parse()
	if (*out == "") == (*only == "") || flag.NArg() > 0 {
		log.Fatal("usage: go run ./tools/dist -o DIR, or -licences FILE")
	}
	if *only != "" {
		text, err := licences(strings.Split(*list, ","))
		if err == nil {
			err = os.WriteFile(*only, text, 0o666)
		}
		if err != nil {
			log.Fatal(err)
		}
		return
	}
	d := &dist{out: *out, bare: *bare}
	if err := d.run(strings.Split(*list, ",")); err != nil {
		log.Fatal(err)
	}
}

// dist makes a release.
type dist struct {
	out, work string
	bare      bool
	sources   *built.Sources
	when      time.Time // of the commit
	programs  []string  // those that were built
}

func (d *dist) run(list []string) error {
	if files, err := os.ReadDir(d.out); err == nil && len(files) > 0 {
		return fmt.Errorf("%s is not empty", d.out)
	}
	if err := os.MkdirAll(d.out, 0o777); err != nil {
		return err
	}
	var err error
	if d.out, err = filepath.Abs(d.out); err != nil {
		return err
	}
	if d.work, err = os.MkdirTemp("", "incore-dist-"); err != nil {
		return err
	}
	defer os.RemoveAll(d.work)
	if err := d.time(); err != nil {
		return err
	}
	docs, err := d.documents(list)
	if err != nil {
		return err
	}
	for _, p := range list {
		if err := d.platform(p, docs); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
	}
	if !d.bare {
		if err := d.components(); err != nil {
			return err
		}
	}
	return d.checksums()
}

// time finds the commit and its time, which everything that is made states.
func (d *dist) time() (err error) {
	if d.sources, err = built.Of("."); err != nil {
		return err
	}
	if d.when = d.sources.When; d.when.IsZero() {
		return fmt.Errorf("there is no commit; SOURCE_DATE_EPOCH gives its time outside of a repository")
	}
	return nil
}

// platform builds the program for a platform and makes its archive and packages.
func (d *dist) platform(p string, docs []file) error {
	system, arch, ok := strings.Cut(p, "/")
	if !ok {
		return fmt.Errorf("GOOS/GOARCH is needed")
	}
	name := "incore"
	if system == "windows" {
		name += ".exe"
	}
	program := filepath.Join(d.work, system+"-"+arch, name)
	if err := d.sources.Program(p, program); err != nil {
		return err
	}
	data, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	d.programs = append(d.programs, program)
	base := fmt.Sprintf("incore-%s-%s-%s", report.Version, system, arch)
	files := append([]file{{name: name, data: data, mode: 0o755}}, docs...)
	if system == "windows" {
		err = d.zip(base, files)
	} else {
		err = d.tar(base, files)
	}
	if err != nil || system != "linux" || d.bare {
		return err
	}
	for _, format := range []string{"deb", "rpm"} {
		if err := d.pack(format, arch, program, docs); err != nil {
			return err
		}
	}
	return nil
}

// checksums writes SHA256SUMS.
func (d *dist) checksums() error {
	files, err := os.ReadDir(d.out)
	if err != nil {
		return err
	}
	var lines []string
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(d.out, f.Name()))
		if err != nil {
			return err
		}
		lines = append(lines, fmt.Sprintf("%x  %s\n", sha256.Sum256(data), f.Name()))
	}
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[66:], b[66:]) })
	return os.WriteFile(filepath.Join(d.out, "SHA256SUMS"), []byte(strings.Join(lines, "")), 0o666)
}
