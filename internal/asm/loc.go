package asm

import (
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"incore/internal/base/source"
)

// loc is a line of the source program, stated by .loc, that is valid from an instruction on.
type loc struct {
	inst int32
	line int32
	file string // its number in .file
}

// loc handles ".loc FILE LINE …".
func (r *reader) loc(args string) {
	f := strings.Fields(args)
	if len(f) < 2 {
		return
	}
	line, err := strconv.Atoi(f[1])
	if err != nil || line < 0 || line > 1<<30 {
		return
	}
	p := r.p
	at := int32(len(p.insts))
	if n := len(p.locs); n > 0 && p.locs[n-1].inst == at {
		p.locs = p.locs[:n-1]
	}
	p.locs = append(p.locs, loc{inst: at, line: int32(line), file: f[0]})
}

// sourceFile is a file of the source program.
type sourceFile struct {
	name string // without its folder, as reports show it
	path string // with its folder, as far as it is known
}

// file handles ".file NUMBER [DIRECTORY] NAME [md5 …]". Relative names are below the folder of file 0, in which the compiler ran.
func (r *reader) file(args string) {
	number, rest, ok := strings.Cut(strings.TrimSpace(args), " ")
	if _, err := strconv.Atoi(number); err != nil || !ok {
		return
	}
	name, folder := "", ""
	for {
		begin := strings.IndexByte(rest, '"')
		if begin < 0 {
			break
		}
		length := strings.IndexByte(rest[begin+1:], '"')
		if length < 0 {
			break
		}
		folder = name
		name, rest = rest[begin+1:begin+1+length], rest[begin+length+2:]
	}
	if name == "" {
		return
	}
	if r.p.files == nil {
		r.p.files = map[string]sourceFile{}
	}
	if number == "0" {
		r.p.compiledIn = folder
	}
	path := name
	for _, d := range []string{folder, r.p.compiledIn} {
		if !filepath.IsAbs(path) {
			path = filepath.Join(d, path)
		}
	}
	r.p.files[number] = sourceFile{filepath.Base(name), path}
}

// locOf returns the source line of an instruction; line is 0 if it is unknown.
func (p *Program) locOf(i int32) loc {
	n := sort.Search(len(p.locs), func(n int) bool { return p.locs[n].inst > i })
	if n == 0 || p.files[p.locs[n-1].file].name == "" {
		return loc{}
	}
	if f := p.function(int(i)); f != nil && int(p.locs[n-1].inst) < f.First {
		return loc{}
	}
	return p.locs[n-1]
}

// Origins returns the source lines of a kernel's statements by .loc, in the kernel's order; unknown lines are 0.
// It returns nil for a text without .loc.
func (p *Program) Origins(k *Kernel) []source.Pos {
	if len(p.locs) == 0 {
		return nil
	}
	out := make([]source.Pos, len(k.insts))
	for n, i := range k.insts {
		if l := p.locOf(i); l.line > 0 {
			out[n] = source.Pos{File: p.files[l.file].path, Line: int(l.line)}
		}
	}
	return out
}

// isDebugLabel reports whether a compiler wrote a label for debugging information.
func isDebugLabel(name string) bool {
	for _, prefix := range []string{".LVL", ".LBB", ".LBE", ".LBI", ".LFB", ".LFE", ".LM", ".Ltmp"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok && isNumber(rest) {
			return true
		}
	}
	return false
}
