package source

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestRanges(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"1,2,8-18,20:24", "1-2,8-18,20-24"},
		{"5", "5"},
		{" 3 - 4 , 9", "3-4,9"},
		{"8-18,3,4,17-30", "3-4,8-30"},
	} {
		r, err := ParseRanges(c.in)
		if err != nil || r.String() != c.want {
			t.Errorf("ParseRanges(%q) = %q, %v; want %q", c.in, r, err, c.want)
		}
	}
	for _, bad := range []string{"", "a", "0", "-3", "4-2", "1,,2", "3-", "1-2-3"} {
		if r, err := ParseRanges(bad); err == nil {
			t.Errorf("ParseRanges(%q) = %q, want an error", bad, r)
		}
	}
	r, _ := ParseRanges("2,5-7")
	for line, want := range map[int]bool{1: false, 2: true, 3: false, 5: true, 6: true, 7: true, 8: false} {
		if r.Contains(line) != want {
			t.Errorf("%q contains %d: %v", r, line, !want)
		}
	}
}

func TestNew(t *testing.T) {
	for _, c := range []struct{ name, data, text, err string }{
		{"bom", "\xef\xbb\xbfnop\n", "nop\n", ""},
		{"utf16le", "\xff\xfen\x00o\x00p\x00", "nop", ""},
		{"utf16be", "\xfe\xff\x00n\x00o\x00p", "nop", ""},
		{"elf", "\x7fELF\x02\x01\x01\x00", "", "ELF"},
		{"nul", "abc\x00def", "", "binary"},
		{"nul in a comment", "\t.byte\t0               # ^\x00 as clang has it\n", "\t.byte\t0               # ^\x00 as clang has it\n", ""},
		{"archive", "!<arch>\nfoo", "", "static library"},
		{"text that starts like PE", "MZ: nop\n", "MZ: nop\n", ""},
	} {
		f, err := New("f.s", []byte(c.data))
		switch {
		case c.err == "" && (err != nil || f.Text != c.text):
			t.Errorf("%s: got %v, %v", c.name, f, err)
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err) || !strings.HasPrefix(err.Error(), "f.s: ")):
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.err)
		}
	}
}

func TestRead(t *testing.T) {
	dir := t.TempDir()
	if _, err := ReadBytes(dir); err == nil || !strings.Contains(err.Error(), "is a directory") || strings.Contains(err.Error(), "assembly") { // it may be a machine file
		t.Errorf("a directory as a file: %v", err)
	}
	if _, err := Read(dir, nil); err == nil || !strings.Contains(err.Error(), "is a directory (name an assembly file") {
		t.Errorf("directory: %v", err)
	}
	if _, err := Read(filepath.Join(dir, "missing.s"), nil); !os.IsNotExist(unwrapAll(err)) {
		t.Errorf("missing file: %v", err)
	}
	f, err := Read("-", strings.NewReader("ret\n"))
	if err != nil || f.Name != "<stdin>" || f.Text != "ret\n" {
		t.Errorf("stdin: %v %v", f, err)
	}
}

func unwrapAll(err error) error {
	for {
		u, ok := err.(interface{ Unwrap() error })
		if !ok {
			return err
		}
		err = u.Unwrap()
	}
}

func TestErrorList(t *testing.T) {
	l := ErrorList{
		{Pos: Pos{"a.s", 3, 0}, Msg: "first", Hint: "do so"},
		{Pos: Pos{"a.s", 9, 2}, Msg: "second"},
	}
	if got, want := l.Error(), "a.s:3: first (do so)\na.s:9:2: second"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if ErrorList(nil).Err() != nil {
		t.Error("an empty list is an error")
	}
}

// endless is a device that never ends.
type endless struct{ b byte }

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e.b
	}
	return len(p), nil
}

// TestEndless: what never ends is refused before it fills the memory.
func TestEndless(t *testing.T) {
	if _, err := Read("-", endless{}); err == nil || !strings.Contains(err.Error(), "<stdin>: begins with a MiB of zero bytes") {
		t.Errorf("%v", err)
	}
	if _, err := stream("d", endless{'x'}, maxDevice); err == nil || !strings.Contains(err.Error(), "more than 16777216 bytes") {
		t.Errorf("%v", err)
	}
	if runtime.GOOS == "linux" {
		for _, name := range []string{"/dev/zero", "/dev/full", "/dev/urandom"} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := ReadBytes(name)
			if runtime.ReadMemStats(&after); err == nil || after.TotalAlloc-before.TotalAlloc > 8*maxDevice {
				t.Errorf("%s: %v, %d bytes", name, err, after.TotalAlloc-before.TotalAlloc)
			}
		}
	}
	for _, n := range []int{0, 1, maxZeros - 1, maxZeros, maxZeros + 1} {
		if b, err := Stream("p", strings.NewReader(strings.Repeat("x", n))); err != nil || len(b) != n {
			t.Errorf("%d bytes: %d, %v", n, len(b), err)
		}
	}
}

// TestLines: a lone carriage return ends a line, in files as in an editor's text.
func TestLines(t *testing.T) {
	for in, want := range map[string]string{"": "", "a\nb": "a\nb", "a\r\nb\r\n": "a\r\nb\r\n", "a\rb\r": "a\nb\n", "\r\r\n": "\n\r\n"} {
		if got := Lines(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	for in, want := range map[string]string{"nop\rret\r": "nop\nret\n", "nop # a\rb\nret\n": "nop # a\rb\nret\n"} { // mixed: as assemblers read it
		if f, err := New("f.s", []byte(in)); err != nil || f.Text != want {
			t.Errorf("%q: %v, %v", in, f, err)
		}
	}
}
