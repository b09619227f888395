package cli

import (
	"bytes"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"incore/internal/analyze"
	"incore/internal/object"
	"incore/internal/report"
	"incore/internal/source"
)

// binaryFlags choose code of executables and object files, and say how to compile sources.
type binaryFlags struct {
	loop, path int
	cc         string
}

func (f *binaryFlags) register(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.IntVar(&f.loop, "loop", 0, "of an executable: loop number `N` of the function, from 1 in the order of addresses ('incore loops' shows it)")
	fl.IntVar(&f.path, "path", 0, "of an executable: the `N`th likeliest way through the loop, from 1")
	fl.StringVar(&f.cc, "cc", "", "of a source file: the compiler and its options ('gcc -O3 -march=native')")
}

// document analyses a file of any kind: assembly text, a program in a language that a compiler is known for, machine code.
func (f *analyzeFlags) document(e *env, name string, o analyze.Options) (*report.Document, error) {
	if isSource(name) || f.cc != "" {
		return f.compiled(e, name, o)
	}
	if name == "-" || !isObjectFile(name) {
		if f.loop != 0 || f.path != 0 {
			return nil, errors.New("--loop and --path are for executables and object files; assembly text has --label and --lines")
		}
		src, err := source.Read(name, e.stdin)
		if err != nil {
			return nil, inputError{err}
		}
		return inputResult(analyze.Run(src, o))
	}
	if o.Select.Label != "" || len(o.Select.Lines) > 0 || o.Select.Whole {
		return nil, errors.New("--label, --lines and --whole are for assembly text; executables have --function and --loop")
	}
	obj, err := openCode(e, name, "", 0)
	if err != nil {
		return nil, inputError{err}
	}
	return inputResult(analyze.RunBinary(obj, o, analyze.CodeSelect{Function: o.Select.Function, Loop: f.loop, Path: f.path}))
}

func inputResult(d *report.Document, err error) (*report.Document, error) {
	if err != nil {
		return nil, inputError{err}
	}
	return d, nil
}

// isObjectFile reports whether a file is in a format of object files.
func isObjectFile(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 512)
	n, _ := io.ReadFull(f, head)
	return object.IsObject(head[:n]) && bytes.IndexByte(head[:n], 0) >= 0
}
