package source

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"
)

// Limits of a Listing.
const (
	maxListed   = 8 << 20  // bytes of a file
	maxListings = 64 << 20 // of all
	maxLine     = 200      // characters of a line
)

// Listing returns lines of source files by the file names and line numbers of debug information. Its zero value has no
// files.
type Listing struct {
	// Read reads a file; nil: there are no files. After an error the lines of the file are unknown.
	Read  func(path string) (text []byte, changed time.Time, err error)
	files map[string]listed
	bytes int // read so far
}

type listed struct {
	lines   []string
	changed time.Time
}

// Line returns a line of a file without surrounding white space; "" if it is not known or l is nil. Long lines are cut.
func (l *Listing) Line(path string, n int) string {
	if l == nil {
		return ""
	}
	f := l.file(path)
	if n < 1 || n > len(f.lines) {
		return ""
	}
	s := strings.ToValidUTF8(strings.TrimSpace(f.lines[n-1]), "\uFFFD")
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' ' // a tab; terminal control characters are removed
		}
		return r
	}, s)
	if utf8.RuneCountInString(s) > maxLine {
		s = string([]rune(s)[:maxLine-1]) + "…"
	}
	return s
}

// Text returns a line like Line, but with the white space before it, tabs as four blanks.
func (l *Listing) Text(path string, n int) string {
	s := l.Line(path, n)
	if s == "" {
		return ""
	}
	const most = 80
	raw := l.file(path).lines[n-1]
	before := raw[:len(raw)-len(strings.TrimLeft(raw, " \t"))]
	return strings.Repeat(" ", min(most, len(before)+3*strings.Count(before, "\t"))) + s
}

// file returns a file, which it reads on the first request.
func (l *Listing) file(path string) listed {
	f, ok := l.files[path]
	if ok || l.Read == nil || path == "" {
		return f
	}
	if l.files == nil {
		l.files = map[string]listed{}
	}
	if text, changed, err := l.Read(path); err == nil && len(text) <= maxListed && l.bytes+len(text) <= maxListings && !bytes.ContainsRune(text, 0) {
		l.bytes += len(text)
		f = listed{strings.Split(string(text), "\n"), changed}
	}
	l.files[path] = f
	return f
}

// Newer reports whether a file was changed after t, so that its lines may differ from those from which code of that time
// was compiled.
func (l *Listing) Newer(path string, t time.Time) bool {
	f := l.files[path]
	return len(f.lines) > 0 && !t.IsZero() && f.changed.After(t)
}

// ReadFrom returns a Read function for a Listing. It searches for a file by its path (a relative one in each of the folders), then by its name alone in
// the folders, because sources that were compiled elsewhere are often next to the binary. It opens only regular files of bounded size.
func ReadFrom(folders ...string) func(path string) ([]byte, time.Time, error) {
	return func(path string) ([]byte, time.Time, error) {
		var candidates []string
		if filepath.IsAbs(path) {
			candidates = []string{path}
			path = filepath.Base(path)
		}
		for _, d := range folders {
			candidates = append(candidates, filepath.Join(d, path))
		}
		for _, c := range candidates {
			if s, err := os.Stat(c); err == nil && s.Mode().IsRegular() && s.Size() <= maxListed {
				text, err := os.ReadFile(c)
				return text, s.ModTime(), err
			}
		}
		return nil, time.Time{}, os.ErrNotExist
	}
}

// Given returns a Read function for a Listing from texts by name.
func Given(texts map[string]string) func(path string) ([]byte, time.Time, error) {
	return func(path string) ([]byte, time.Time, error) {
		if t, ok := texts[filepath.Base(path)]; ok {
			return []byte(t), time.Time{}, nil
		}
		return nil, time.Time{}, os.ErrNotExist
	}
}
