package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"incore/internal/analyze"
	"incore/internal/bench/block"
	"incore/internal/bench/host"
	"incore/internal/object"
)

// readCode finds a loop in an object file, an executable or a source file, which is compiled.
func (f *measureFlags) readCode(e *env, name string) (*measured, error) {
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
	if want := here().ISA; k.ISA != want {
		return nil, inputError{fmt.Errorf("%s is %s code; only %s can be measured here", name, k.ISA.Name, want.Name)}
	}
	m, err := textBlock(k)
	if err != nil {
		return nil, inputError{fmt.Errorf("%s: %w; 'incore loops' shows the file's loops, --path other ways through one", k.Name, err)}
	}
	m.others = len(found) - 1
	if !f.unrolled && !f.copies {
		m.place, m.notPlaced = here().Place(k, obj.Bytes)
	}
	return m, nil
}

// measure measures the code: a loop of a file in place if possible, otherwise copies of the code.
func (m *measured) measure(ctx context.Context, s *block.Setup) (err error) {
	if m.place != nil {
		f, ended, err := m.place.Loop(ctx, *s)
		var why *host.Reason
		if err == nil {
			m.figure, m.ended = f, ended
			s.Values = maps.Clone(s.Values)
			if s.Values == nil {
				s.Values = map[int]uint64{}
			}
			s.Values[m.ended.Number()] = m.ended.Values[1]
			return nil
		}
		if ctx.Err() != nil || errors.As(err, &why) && why.Kind == "unstable" {
			return err
		}
		m.notPlaced = err
	}
	if m.figure, err = block.Measure(ctx, m.code, m.n, *s); err == nil {
		s.Unrolled = m.figure.Unrolled
	}
	return err
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

// fromFile reports whether the code comes from an object file.
func (m *measured) fromFile() bool { return m.assembled != nil && m.kernel.Placed() }
