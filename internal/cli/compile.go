package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"incore/internal/analyze"
	"incore/internal/base/source"
	"incore/internal/isa/catalog"
	"incore/internal/object"
)

// A language is compiled by a command that gets the source file and the name of the object file to write.
type language struct {
	suffixes []string
	compiler []string // the default compiler and its options
	object   []string // the options before the name of the object file
	debian   string   // the Debian package with the compiler
	always   []string // options that are added if the user's command has none of their kind
	debug    bool     // add -g if the user's command has no such option
}

var languages = []language{
	{[]string{".c"}, []string{"cc", "-O2", "-g"}, []string{"-c", "-o"}, "gcc", nil, true},
	{[]string{".cpp", ".cc", ".cxx", ".C"}, []string{"c++", "-O2", "-g"}, []string{"-c", "-o"}, "g++", nil, true},
	{[]string{".f90", ".f95", ".f03", ".f08", ".f", ".F90", ".F"}, []string{"gfortran", "-O2", "-g"}, []string{"-c", "-o"}, "gfortran", nil, true},
	// without link-dead-code rustc does not generate code for small functions of a library, which the using crates compile
	{[]string{".rs"}, []string{"rustc", "-O", "-g", "--crate-type=lib", "-Clink-dead-code"}, []string{"--emit=obj", "-o"}, "rustc", []string{"--crate-type=lib", "-Clink-dead-code"}, true},
	{[]string{".go"}, []string{"go", "build"}, []string{"-o"}, "golang", nil, false},
}

func languageOf(name string) *language {
	for i := range languages {
		if slices.Contains(languages[i].suffixes, filepath.Ext(name)) {
			return &languages[i]
		}
	}
	return nil
}

// isSource reports whether a file is source code in a language that incore can have compiled.
func isSource(name string) bool { return languageOf(name) != nil }

// compiled compiles a source file and reads the object file. It leaves no files.
func (f *analyzeFlags) compiled(name string, o analyze.Options) (*object.File, error) {
	l := languageOf(name)
	if l == nil {
		return nil, fmt.Errorf("--cc: the language of %s is not known by its name's ending", name)
	}
	if o.Select.Label != "" || len(o.Select.Lines) > 0 || o.Select.Whole {
		return nil, errors.New("--label, --lines and --whole are for assembly text; programs have --function and --loop")
	}
	if _, err := os.Stat(name); err != nil {
		return nil, inputError{source.Unreadable(err)}
	}
	dir, err := os.MkdirTemp("", "incore")
	if err != nil {
		return nil, inputError{err}
	}
	defer os.RemoveAll(dir)
	out := filepath.Join(dir, "code.o")
	cmd, err := l.compile(f.cc, name, out)
	if err != nil {
		return nil, inputError{err}
	}
	data, err := os.ReadFile(out)
	if err != nil {
		return nil, inputError{fmt.Errorf("the compiler wrote no object file: %w", err)}
	}
	obj, err := object.Read(data, catalog.ISAs()...)
	if err != nil {
		return nil, inputError{fmt.Errorf("%s, compiled: %w", name, err)}
	}
	obj.Path, obj.Compiler = name, strings.Join(cmd, " ")
	return obj, nil
}

// compile runs the compiler and returns its command line. The compiler's messages are part of the error.
func (l *language) compile(cc, name, out string) (compiler []string, err error) {
	args := l.compiler
	if cc != "" {
		args = source.Words(cc)
		for _, a := range l.always {
			if name, _, _ := strings.Cut(a, "="); !slices.ContainsFunc(args, func(have string) bool { return strings.HasPrefix(have, name) }) {
				args = append(args, a)
			}
		}
		if l.debug && !slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "-g") }) {
			args = append(args, "-g") // for source lines; the generated code is the same
		}
	}
	if len(args) == 0 {
		return nil, errors.New("--cc names no compiler")
	}
	compiler = slices.Clone(args)
	args = append(append(args[:len(args):len(args)], l.object...), out, name)
	ctx, stop := untilSignal(context.Background())
	defer stop()
	var messages bytes.Buffer
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = &messages, &messages
	if err := cmd.Run(); errors.Is(err, exec.ErrNotFound) {
		hint := "--cc names another"
		if cc == "" {
			hint = "Debian package: " + l.debian + "; " + hint
		}
		return nil, fmt.Errorf("compiling %s needs %s, which was not found (%s)", name, args[0], hint)
	} else if err != nil {
		text := strings.TrimSpace(messages.String())
		if text != "" {
			text = "\n" + text
		}
		return nil, fmt.Errorf("compiling %s with %s: %w%s", name, args[0], err, text)
	}
	return compiler, nil
}
