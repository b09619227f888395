// Package suite judges predictors as CesASMe does (Bastian et al., 2024, section 2): kernels become benchmarks by compilers and loop-nest
// optimisers, each is run as it was built, its blocks are counted and it is measured whole, and predictions of blocks, paths or all of it are
// held against that.
//
// kernels.go lists the sources, toolchain.go the compilers, variants.go what they are asked to do; make.go builds the benchmarks. record.go runs
// a benchmark's copy that records, measure.go times it, lift.go finds blocks and paths. A predictor is a file predict_*.go. run.go does all of it
// and store.go keeps it.
package suite

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

//go:embed src
var sources embed.FS

// Kernel is a source file with init, kernel and check.
type Kernel struct {
	Name   string
	Family string // "affine", "other", or "user" for a file given
	File   string // in the directory of sources
	Text   string
	given  string // the path of a user's file
}

// languages are the kinds of source files by the end of their names.
var languages = map[string]string{".c": "C", ".cpp": "C++", ".cc": "C++", ".f90": "Fortran"}

// Language is what the kernel is written in.
func (k *Kernel) Language() string { return languages[filepath.Ext(k.File)] }

// HeldOut reports whether the kernel is of the half that nobody looks at while models are made: by a hash of its name.
func HeldOut(kernel string) bool {
	h := sha256.Sum256([]byte(kernel))
	return h[0]&1 == 1
}

// Kernels returns the kernels that come with incore, in the order of their names.
func Kernels() (out []Kernel) {
	for _, family := range []string{"affine", "other"} {
		list, err := fs.ReadDir(sources, path.Join("src", family))
		if err != nil {
			panic(err)
		}
		for _, e := range list {
			text, err := sources.ReadFile(path.Join("src", family, e.Name()))
			if err != nil {
				panic(err)
			}
			out = append(out, Kernel{Name: nameOf(e.Name()), Family: family, File: path.Join(family, e.Name()), Text: string(text)})
		}
	}
	slices.SortFunc(out, func(a, b Kernel) int { return strings.Compare(a.Name, b.Name) })
	return out
}

func nameOf(file string) string {
	return strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
}

// Given reads a user's source file.
func Given(file string) (Kernel, error) {
	if languages[filepath.Ext(file)] == "" {
		return Kernel{}, fmt.Errorf("%s: a source file of C, C++ or Fortran is needed (.c, .cpp, .cc, .f90)", file)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return Kernel{}, fmt.Errorf("reading a source: %w", err)
	}
	k := Kernel{Name: nameOf(file), Family: "user", Text: string(text), given: file}
	if !regexp.MustCompile(`(?i)\bkernel\b`).MatchString(k.Text) {
		return k, fmt.Errorf("%s: it has no function kernel; 'void init(void)', 'void kernel(void)' and 'double check(void)' are needed", file)
	}
	sum := sha256.Sum256(text)
	k.File = path.Join("user", hex.EncodeToString(sum[:4])+"-"+filepath.Base(file))
	return k, nil
}

// unpack writes the sources of kernels and the harness into a directory.
func unpack(dir string, kernels []Kernel) error {
	write := func(name, text string) error {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		return os.WriteFile(file, []byte(text), 0o666)
	}
	for _, name := range []string{"nest.h", "harness.c"} {
		text, err := sources.ReadFile("src/" + name)
		if err != nil {
			panic(err)
		}
		if err := write(name, string(text)); err != nil {
			return err
		}
	}
	for i := range kernels {
		if err := write(kernels[i].File, kernels[i].Text); err != nil {
			return err
		}
	}
	return nil
}
