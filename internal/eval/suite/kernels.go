// Package suite evaluates predictors on whole benchmarks, as CesASMe does (Bastian et al., 2024, section 2). Compilers and loop-nest optimizers
// make benchmarks from kernels. The package measures each benchmark as a whole, counts its executed blocks, and compares the measurement with predictions of
// its blocks, its paths or the whole run.
//
// kernels.go lists the sources, toolchain.go the compilers, variants.go the compiler options and transformations; make.go builds the benchmarks. record.go
// runs an instrumented copy of a benchmark, measure.go times it, lift.go finds blocks and paths. Each predictor is a file predict_*.go. run.go combines all
// steps and store.go stores the results.
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

	"incore/internal/base/regex"
)

//go:embed src
var sources embed.FS

// Kernel is a source file with init, kernel and check.
type Kernel struct {
	Name   string
	Family string // "affine", "other", or "user" for a user's file
	File   string // name in the directory of sources
	Text   string
	given  string // the path of a user's file
}

// languages maps the extensions of source files to languages.
var languages = map[string]string{".c": "C", ".cpp": "C++", ".cc": "C++", ".f90": "Fortran"}

// Language returns the programming language of the kernel.
func (k *Kernel) Language() string { return languages[filepath.Ext(k.File)] }

var (
	singleC       = regex.Lazy(`\bfloat\b`)
	singleFortran = regex.Lazy(`(?i)\breal\s*(::|,|\*\s*4|\(\s*(kind\s*=\s*)?(4|c_float|real32|sp)\s*\))`)
)

// single reports whether the kernel declares numbers of single precision, whose sums in another order differ more.
func (k *Kernel) single() bool {
	if k.Language() == "Fortran" {
		return singleFortran().MatchString(k.Text)
	}
	return singleC().MatchString(k.Text)
}

// HeldOut reports whether the kernel is in the held-out half, which is not used to develop models. A hash of its name decides.
func HeldOut(kernel string) bool {
	h := sha256.Sum256([]byte(kernel))
	return h[0]&1 == 1
}

// Kernels returns incore's own kernels, sorted by name.
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
		if kernels[i].given != "" { // it includes "nest.h"
			if err := write(path.Join(path.Dir(kernels[i].File), "nest.h"), "#include \"../nest.h\"\n"); err != nil {
				return err
			}
		}
		if err := write(kernels[i].File, kernels[i].Text); err != nil {
			return err
		}
	}
	return nil
}
