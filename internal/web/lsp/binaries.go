package lsp

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"incore/internal/analyze"
	"incore/internal/base/source"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
	"incore/internal/object"
	"incore/internal/report"
)

// sourceLanguages are the languages, by the editors' names, in whose files code lenses stand over the loops of an object file.
var sourceLanguages = map[string]bool{"c": true, "cpp": true, "c++": true, "objective-c": true, "objective-cpp": true, "cuda": true, "cuda-cpp": true, "rust": true,
	"fortran": true, "fortran-modern": true, "FortranFreeForm": true, "FortranFixedForm": true, "d": true, "zig": true, "go": true, "nim": true, "swift": true}

// binaries holds the loops of object files that were read.
type binaries struct {
	mu    sync.Mutex
	loops map[binaryKey]*binary
}

type binaryKey struct{ path, machine string }

// binary is an object file. It is read by one goroutine at a time.
type binary struct {
	time   time.Time
	size   int64
	making chan struct{} // holds one element while it is read
	read   bool
	file   *object.File
	list   *report.Loops
	err    error
}

// simulated is the number of loops of an object file, the likely hottest, that are simulated; bounds predict the others. maxBinary is the size beyond which none is read.
const (
	simulated = 200
	maxBinary = 512 << 20
)

// of returns the loops of an object file, read again if it has changed. What is given up because ctx has ended is not kept.
func (b *binaries) of(ctx context.Context, path string, o analyze.Options) (*binary, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file", path)
	case info.Size() > maxBinary:
		return nil, fmt.Errorf("%s: %d bytes are too many for an editor", path, info.Size())
	}
	at := binaryKey{path, fmt.Sprint(o.Archs, o.ISA)}
	b.mu.Lock()
	x := b.loops[at]
	if x == nil || !x.time.Equal(info.ModTime()) || x.size != info.Size() {
		x = &binary{time: info.ModTime(), size: info.Size(), making: make(chan struct{}, 1)}
		if b.loops == nil {
			b.loops = map[binaryKey]*binary{}
		}
		b.loops[at] = x
	}
	b.mu.Unlock()
	select {
	case x.making <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-x.making }()
	if !x.read {
		o.Context = ctx
		file, list, err := listed(path, o)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		x.read, x.file, x.list, x.err = true, file, list, err
	}
	return x, x.err
}

// listed reads an object file and lists its loops.
func listed(path string, o analyze.Options) (*object.File, *report.Loops, error) {
	f, err := object.Open(path, catalog.ISAs()...)
	if err != nil {
		return nil, nil, err
	}
	o.Archs = suited(o.Archs, f.ISA.Name)
	o.ISA = f.ISA.Name
	o.Listing = &source.Listing{Read: source.ReadFrom(filepath.Dir(path), ".")}
	list, err := analyze.Loops(f, analyze.LoopOptions{Options: o, Simulate: simulated})
	return f, list, err
}

// suited leaves machines of another instruction set out.
func suited(names []string, isaName string) (out []string) {
	for _, name := range names {
		o := analyze.Options{Archs: []string{name}}
		if _, a, err := analyze.Targets(&o, catalog.ISA(isaName)); err == nil && a.Name == isaName {
			return []string{name}
		}
	}
	return nil
}

// objects returns the object files that may hold the code of a source file: those of the settings, the one of its compilation, and one of its name beside it.
func (s *snapshot) objects() (out []string) {
	for _, o := range s.settings.Objects {
		if !filepath.IsAbs(o) {
			o = filepath.Join(s.server.root(s.path), o)
		}
		out = append(out, o)
	}
	if c := s.server.databases.find(s.path); c != nil && c.object() != "" {
		out = append(out, c.object())
	}
	beside := strings.TrimSuffix(s.path, filepath.Ext(s.path)) + ".o"
	if len(out) == 0 || !slices.Contains(out, beside) {
		out = append(out, beside)
	}
	return out
}

// root returns the workspace folder that contains a file, else the file's folder.
func (s *server) root(path string) string {
	best := ""
	for _, f := range append(slices.Clone(s.client.WorkspaceFolders), documentID{s.client.RootURI}) {
		p := pathOf(f.URI)
		if within := strings.TrimSuffix(p, string(filepath.Separator)) + string(filepath.Separator); f.URI != "" && strings.HasPrefix(path, within) && len(p) > len(best) {
			best = p
		}
	}
	return cmp.Or(best, filepath.Dir(path))
}

// found is a loop of an object file over a line (from 1) of a source file.
type found struct {
	line   int
	binary *binary
	loop   *report.LoopInfo
}

// loopsHere finds the innermost loops whose code is of this source file, in the first object file that has any.
func (s *snapshot) loopsHere(ctx context.Context) (out []found) {
	if s.path == "" || !sourceLanguages[s.language] {
		return nil
	}
	known := s.checkMachines(ctx)
	for i, name := range s.objects() {
		b, err := s.server.binaries.of(ctx, name, s.options())
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			if i < len(s.settings.Objects) {
				s.server.once(ctx, fmt.Errorf("setting incore.objects: %s: %w", s.settings.Objects[i], bare(err)))
			}
			continue
		}
		if known && suited(s.settings.machines(), b.list.ISA) == nil {
			s.server.once(ctx, fmt.Errorf("setting incore.arch: %s is no machine of %s, the instruction set of %s: %s is taken", s.settings.Arch, b.list.ISA, name, b.list.Arch))
		}
		for i := range b.list.Loops {
			x := &b.list.Loops[i]
			if line := s.lineOf(x); line > 0 && x.Innermost {
				out = append(out, found{line, b, x})
			}
		}
		if len(out) > 0 {
			break
		}
	}
	slices.SortStableFunc(out, func(a, b found) int { return cmp.Compare(a.line, b.line) })
	return out
}

// checkMachines tells of machines of the settings that are not known. It reports whether there are any, and all are known.
func (s *snapshot) checkMachines(ctx context.Context) bool {
	names, known := s.settings.machines(), true
	for _, name := range names {
		if _, err := machine.Get(name); err != nil {
			known = false
			s.server.once(ctx, fmt.Errorf("setting incore.arch: %w", err))
		}
	}
	return known && len(names) > 0
}

// bare returns the cause of an error of the file system, without the file's name.
func bare(err error) error {
	var e *os.PathError
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}

// lineOf returns the first line of this file among a loop's source lines, 0 if there is none.
func (s *snapshot) lineOf(x *report.LoopInfo) (line int) {
	for _, l := range x.SourceLines {
		if sameFile(l.File, s.path) && (line == 0 || l.Line < line) {
			line = l.Line
		}
	}
	return line
}

// sameFile compares a path in debug information, which may be relative, with a file's path.
func sameFile(debug, path string) bool {
	debug = filepath.ToSlash(filepath.Clean(debug))
	path = filepath.ToSlash(path)
	for strings.HasPrefix(debug, "../") {
		debug = debug[3:]
	}
	return path == debug || strings.HasSuffix(path, "/"+strings.TrimPrefix(debug, "/"))
}

// sourceLenses are code lenses over the loops of a source file.
func (s *snapshot) sourceLenses(ctx context.Context) (any, error) {
	out := []codeLens{}
	for _, f := range s.loopsHere(ctx) {
		if f.line > len(s.text.starts) {
			continue // the file has become shorter since
		}
		title := fmt.Sprintf("%s cycles/iteration on %s, %s", report.Brief(f.loop.Cycles, f.loop.AtLeast, f.loop.Unknown), f.binary.list.Arch, f.loop.Limit)
		title += doubt(f.loop.AtLeast, f.loop.Unknown)
		if v := f.loop.Vector.String(); v != "-" {
			title += "; " + v
		}
		if info, err := os.Stat(s.path); err == nil && info.ModTime().After(f.binary.time) {
			title += "; built before the last change"
		}
		out = append(out, codeLens{Range: s.text.whole(f.line - 1), Command: &command{Title: title, Command: commandReport, Arguments: []any{s.uri, f.line - 1}}})
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return out, nil
}

// sourceReport returns the reports of the loops over a source line.
func (s *snapshot) sourceReport(ctx context.Context, line int) (string, error) {
	var b bytes.Buffer
	for _, f := range s.loopsHere(ctx) {
		if f.line != line+1 {
			continue
		}
		o := s.options()
		o.Context, o.ISA, o.Archs = ctx, f.binary.file.ISA.Name, []string{f.binary.list.Arch}
		o.Listing = &source.Listing{Read: source.ReadFrom(filepath.Dir(f.binary.file.Path), ".")}
		doc, err := analyze.RunBinary(f.binary.file, o, analyze.CodeSelect{Function: f.loop.Function, Loop: f.loop.Number})
		if err != nil {
			return "", err
		}
		if err := report.Text(&b, doc, report.TextOptions{Width: 120, All: true, Advice: true}); err != nil {
			return "", err
		}
	}
	if b.Len() == 0 {
		return "", errors.New("no loop of an object file is at this line any more")
	}
	return b.String(), nil
}
