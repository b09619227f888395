package cli

import (
	"fmt"
	"strings"

	"incore/internal/analyze"
	"incore/internal/bench/measure"
	"incore/internal/object"
)

// readCode finds a loop in an object file, an executable or a source file, which is compiled.
func (f *measureFlags) readCode(e *env, name string) (*measure.Block, error) {
	o := analyze.Options{Syntax: strings.ToLower(f.syntax), Kernel: f.kernel}
	o.Select.Label, o.Select.Whole = f.label, f.whole
	var obj *object.File
	var err error
	if isSource(name) || f.cc != "" {
		obj, err = f.compile(name, o)
	} else if obj, err = openCode(e, name, "", 0); err != nil {
		err = inputError{err}
	}
	if err != nil {
		return nil, err
	}
	found, err := analyze.Code(obj, &o, analyze.CodeSelect{Function: f.function, Loop: f.loop, Path: f.path})
	if err != nil {
		return nil, inputError{err}
	}
	k := found[0]
	if want := measure.Here().ISA; k.ISA != want {
		return nil, inputError{fmt.Errorf("%s is %s code; only %s can be measured here", name, k.ISA.Name, want.Name)}
	}
	m, err := measure.New(k)
	if err != nil {
		return nil, inputError{fmt.Errorf("%s: %w; 'incore loops' shows the file's loops, --path other ways through one", k.Name, err)}
	}
	m.Others = len(found) - 1
	if !f.unrolled && !f.copies {
		m.Place(obj.Bytes)
	}
	return m, nil
}

// compile compiles a source file with the user's options.
func (f *measureFlags) compile(name string, o analyze.Options) (*object.File, error) {
	a := analyzeFlags{binaryFlags: f.binaryFlags}
	if f.cflags != "" {
		l := languageOf(name)
		if l == nil {
			return nil, fmt.Errorf("--cflags: the language of %s is not known by its name's ending", name)
		}
		if a.cc == "" {
			a.cc = strings.Join(l.compiler, " ")
		}
		a.cc += " " + f.cflags
	}
	return a.compiled(name, o)
}
