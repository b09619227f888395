package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"incore/internal/analyze"
	"incore/internal/base/source"
	"incore/internal/object"
	"incore/internal/report"
)

// binaryFlags are the options that select code of executables and object files, and those for compiling sources.
type binaryFlags struct {
	loop, path int
	cc         string
}

func (f *binaryFlags) register(cmd *cobra.Command) {
	fl := cmd.Flags()
	count(fl, &f.loop, 0, option{"loop", "", 1, noLimit, "of an executable: loop number `N` of the function, from 1 in the order of addresses ('incore loops' shows it)"})
	count(fl, &f.path, 0, option{"path", "", 1, noLimit, "of an executable: the `N`th likeliest way through the loop, from 1"})
	fl.StringVar(&f.cc, "cc", "", "of a source file: the compiler and its options ('gcc -O3 -march=native')")
}

// document analyses a file of any kind: assembly text, a program in a language that a compiler is known for, machine code.
func (f *analyzeFlags) document(e *env, name string, o analyze.Options) (d *report.Document, err error) {
	o.Listing = &source.Listing{Read: source.ReadFrom(filepath.Dir(name), ".")}
	if s, err := os.Stat(name); err == nil && !isSource(name) {
		o.Made = s.ModTime()
	}
	err = f.input(e, name, o, func(s *source.File) (err error) {
		d, err = analyze.Run(s, o)
		return err
	}, func(obj *object.File, sel analyze.CodeSelect) (err error) {
		d, err = analyze.RunBinary(obj, o, sel)
		return err
	})
	return d, err
}

// input reads a file of any kind and passes it to one of two functions; it marks their errors as errors of the input.
func (f *analyzeFlags) input(e *env, name string, o analyze.Options, text func(*source.File) error, code func(*object.File, analyze.CodeSelect) error) error {
	sel := analyze.CodeSelect{Function: o.Select.Function, Loop: f.loop, Path: f.path}
	if isSource(name) || f.cc != "" {
		obj, err := f.compiled(name, o)
		if err != nil {
			return err
		}
		return aboutInput(code(obj, sel))
	}
	if name == "-" || !isObjectFile(name) {
		if f.loop != 0 || f.path != 0 {
			return errors.New("--loop and --path are for executables and object files; assembly text has --label and --lines")
		}
		src, err := readText(e, name)
		if err != nil {
			return inputError{err}
		}
		return aboutInput(text(src))
	}
	if o.Select.Label != "" || len(o.Select.Lines) > 0 || o.Select.Whole {
		return errors.New("--label, --lines and --whole are for assembly text; executables have --function and --loop")
	}
	obj, err := openCode(e, name, "", 0)
	if err != nil {
		return inputError{err}
	}
	return aboutInput(code(obj, sel))
}

// readText reads assembly text.
func readText(e *env, name string) (*source.File, error) {
	src, err := source.Read(name, e.stdin)
	if err == nil {
		collectFor(len(src.Text))
	}
	return src, err
}

func aboutInput(err error) error {
	if err != nil {
		return inputError{err}
	}
	return nil
}

// isObjectFile reports whether a file is in a format of object files. It treats pipes as text.
func isObjectFile(name string) bool {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() { // a pipe can be read only once
		return false
	}
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 512)
	n, _ := io.ReadFull(f, head)
	return object.IsObject(head[:n]) && (bytes.IndexByte(head[:n], 0) >= 0 || head[0] == '!') // a library begins with text
}
