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
	"incore/internal/catalog"
	"incore/internal/object"
	"incore/internal/report"
	"incore/internal/source"
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

type binary struct {
	time time.Time
	size int64
	once sync.Once
	file *object.File
	list *report.Loops
	err  error
}

// simulated is the number of loops of an object file, the likely hottest, that are simulated; bounds predict the others. maxBinary is the size beyond which none is read.
const (
	simulated = 200
	maxBinary = 512 << 20
)

// of returns the loops of an object file, read again if it has changed.
func (b *binaries) of(path string, o analyze.Options) *binary {
	info, err := os.Stat(path)
	if err != nil {
		return &binary{err: err}
	}
	if info.Size() > maxBinary {
		return &binary{err: fmt.Errorf("%s: %d bytes are too many for an editor", path, info.Size())}
	}
	at := binaryKey{path, fmt.Sprint(o.Archs, o.ISA)}
	b.mu.Lock()
	x := b.loops[at]
	if x == nil || !x.time.Equal(info.ModTime()) || x.size != info.Size() {
		x = &binary{time: info.ModTime(), size: info.Size()}
		if b.loops == nil {
			b.loops = map[binaryKey]*binary{}
		}
		b.loops[at] = x
	}
	b.mu.Unlock()
	x.once.Do(func() { x.read(path, o) })
	return x
}

func (x *binary) read(path string, o analyze.Options) {
	if x.file, x.err = object.Open(path, catalog.ISAs()...); x.err != nil {
		return
	}
	o.Archs = suited(o.Archs, x.file.ISA.Name)
	o.ISA = x.file.ISA.Name
	o.Listing = &source.Listing{Read: source.ReadFrom(filepath.Dir(path), ".")}
	x.list, x.err = analyze.Loops(x.file, analyze.LoopOptions{Options: o, Simulate: simulated})
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
		if p := pathOf(f.URI); f.URI != "" && strings.HasPrefix(path, p) && len(p) > len(best) {
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
	for _, name := range s.objects() {
		b := s.server.binaries.of(name, s.options())
		if b.err != nil || ctx.Err() != nil {
			continue
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
		title := fmt.Sprintf("%s cycles/iteration on %s, %s", figure(f.loop.Cycles), f.binary.list.Arch, f.loop.Limit)
		if f.loop.Unknown > 0 {
			title += fmt.Sprintf(" (%d instructions of unknown cost)", f.loop.Unknown)
		}
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
