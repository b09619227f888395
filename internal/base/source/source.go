// Package source holds input texts, positions in them, and diagnostics about them.
package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"unicode/utf16"
)

// File is an input text. Lines are numbered from 1.
type File struct {
	Name string // as the user gave it, "<stdin>" for standard input
	Text string // without a byte order mark; line ends as in the file, but \n where it has only \r
}

// MaxSize is the largest input accepted, in bytes.
const MaxSize = 1 << 30

// Read reads a file, or stdin if name is "-". It converts UTF-16 text (as PowerShell redirects it). An error
// names the file and the cause.
func Read(name string, stdin io.Reader) (*File, error) {
	if name == "-" {
		data, err := Stream("<stdin>", stdin)
		if err != nil {
			return nil, err
		}
		return New("<stdin>", data)
	}
	data, err := readBytes(name, "name an assembly file, or - for standard input")
	if err != nil {
		return nil, err
	}
	return New(name, data)
}

// Unreadable words the error of a file operation as that of an input: "FILE: no such file or directory".
func Unreadable(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return fmt.Errorf("%s: %w", p.Path, p.Err)
	}
	return fmt.Errorf("reading input: %w", err)
}

// ReadBytes reads a file of at most MaxSize bytes, text or binary. An error names the file and the cause.
func ReadBytes(name string) ([]byte, error) { return readBytes(name, "name a file") }

// readBytes is ReadBytes with the hint for a directory.
func readBytes(name, hint string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, Unreadable(err)
	case info.IsDir():
		return nil, Diagnostic{Pos: Pos{File: name}, Msg: "is a directory", Hint: hint}
	case info.Size() > MaxSize:
		return nil, tooLarge(name, strconv.FormatInt(info.Size(), 10))
	}
	if info.Mode().IsRegular() {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, Unreadable(err)
		}
		return data, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, Unreadable(err)
	}
	defer f.Close()
	if info.Mode()&fs.ModeDevice != 0 {
		return stream(name, f, maxDevice)
	}
	return Stream(name, f)
}

// Bounds of what has no size of its own.
const (
	maxDevice = 16 << 20 // bytes of a device: a terminal, or one that never ends
	maxZeros  = 1 << 20  // bytes at the beginning, all of them zero
)

// Stream reads a pipe, which may be endless: at most MaxSize bytes.
func Stream(name string, r io.Reader) ([]byte, error) { return stream(name, r, MaxSize) }

func stream(name string, r io.Reader, most int64) ([]byte, error) {
	head, err := io.ReadAll(io.LimitReader(r, maxZeros))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading %s: %w", name, err)
	case len(head) < maxZeros:
		return head, nil
	case bytes.Count(head, []byte{0}) == maxZeros:
		return nil, Diagnostic{Pos: Pos{File: name}, Msg: "begins with a MiB of zero bytes, which is neither text nor code", Hint: "name a file"}
	}
	data, err := io.ReadAll(io.MultiReader(bytes.NewReader(head), io.LimitReader(r, most+1-maxZeros)))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading %s: %w", name, err)
	case int64(len(data)) > most:
		return nil, tooLarge(name, "more than "+strconv.FormatInt(most, 10))
	}
	return data, nil
}

func tooLarge(name, bytes string) error {
	return Diagnostic{Pos: Pos{File: name}, Msg: bytes + " bytes are too much", Hint: "cut out the function or loop of interest"}
}

// New makes a file from a text in memory; it refuses machine code and other binary data.
func New(name string, data []byte) (*File, error) {
	text := decode(data)
	if !strings.Contains(text, "\n") { // as old Macs end lines
		text = Lines(text)
	}
	if what, hint := binaryKind(text); what != "" {
		d := Diagnostic{Pos: Pos{File: name}, Msg: what, Hint: hint}
		if hint == objects {
			d.Settings = []string{"objects"}
		}
		return nil, d
	}
	return &File{Name: name, Text: text}, nil
}

// decode returns the text of a file without its byte order mark.
func decode(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		return string(data[3:])
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return utf16Text(data[2:], 0)
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return utf16Text(data[2:], 1)
	}
	return string(data)
}

// utf16Text decodes UTF-16. low (0 or 1) is the index of the less significant byte of each unit.
func utf16Text(data []byte, low int) string {
	u := make([]uint16, len(data)/2)
	for i := range u {
		u[i] = uint16(data[2*i+low]) | uint16(data[2*i+1-low])<<8
	}
	return string(utf16.Decode(u))
}

// Lines returns a text with \n in place of each \r that no \n follows. No byte moves.
func Lines(text string) string {
	at := strings.IndexByte(text, '\r')
	if at < 0 {
		return text
	}
	b := []byte(text)
	for i := at; i < len(b); i++ {
		if b[i] == '\r' && (i+1 == len(b) || b[i+1] != '\n') {
			b[i] = '\n'
		}
	}
	return string(b)
}

// objects is the hint for object files that are given as text.
const objects = "only text is read here: compile with -S, or disassemble it by objdump -d"

// magic lists the first bytes of files that are often given instead of assembly text.
var magic = []struct{ prefix, what, hint string }{
	{"\x7fELF", "is an ELF object or executable, not assembly text", objects},
	{"\xcf\xfa\xed\xfe", "is a Mach-O object, not assembly text", objects},
	{"MZ", "is a PE executable, not assembly text", objects},
	{"!<arch>\n", "is a static library, not assembly text", objects},
	{"BC\xc0\xde", "is LLVM bitcode, not assembly text", "run llc on it, or compile with -S and without -emit-llvm or -flto"},
	{"\x1f\x8b", "is compressed (gzip), not assembly text", "unpack it by gunzip"},
}

// others lists the first bytes of files that contain no machine code, although a disassembler would decode some.
var others = []struct{ prefix, what, hint string }{
	{"!<thin>\n", "a thin library archive", "give the object files themselves ('ar t FILE' lists them)"},
	{"BC\xc0\xde", "LLVM bitcode", "run llc -filetype=obj on it, or compile without -emit-llvm or -flto"},
	{"\x1f\x8b", "compressed (gzip)", "gunzip it first"},
	{"\xfd7zXZ\x00", "compressed (xz)", "unxz it first"},
	{"\x28\xb5\x2f\xfd", "compressed (zstd)", "unzstd it first"},
	{"PK\x03\x04", "a zip archive", "unzip it first"},
	{"\x89PNG\r\n", "an image", "give an object file or executable"},
	{"\x00asm", "WebAssembly", "compile it to machine code first"},
	{"#!", "a script", "give an object file or executable"},
}

// NoCode returns an error that names the kind of data if the data contain no machine code; nil for other
// data.
func NoCode(name string, data []byte) error {
	for _, m := range others {
		if strings.HasPrefix(string(data[:min(len(data), 16)]), m.prefix) {
			return Diagnostic{Pos: Pos{File: name}, Msg: "is " + m.what + ", not machine code", Hint: m.hint}
		}
	}
	return nil
}

// binaryKind returns the kind of a binary file, "" for text.
func binaryKind(text string) (what, hint string) {
	for _, m := range magic {
		if strings.HasPrefix(text, m.prefix) && strings.IndexByte(text, 0) >= 0 || m.prefix == "!<arch>\n" && strings.HasPrefix(text, m.prefix) {
			return m.what, m.hint
		}
	}
	// Clang writes NUL characters into comments on data, so a few of them do not make a text binary.
	if head := text[:min(len(text), 1<<16)]; strings.Count(head, "\x00")*20 > len(head) {
		return "holds binary data, not assembly text", "give the compiler's assembly output (-S)"
	}
	return "", ""
}

// Pos is a position in an input. Line and column count from 1; 0 is not known.
type Pos struct {
	File      string
	Line, Col int
}

// String formats a position as compilers do, "file:line:col".
func (p Pos) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Col == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Severity is the severity of a Diagnostic.
type Severity uint8

// The severities. The zero value is an error.
const (
	Error Severity = iota
	Warning
	Note
)

func (s Severity) String() string { return [...]string{"error", "warning", "note"}[s] }

// Diagnostic is a message about a position in the input, with an optional hint.
type Diagnostic struct {
	Pos      Pos
	Severity Severity
	Msg      string
	Hint     string   // what the user can do, "" if nothing
	Settings []string // by which the user can do so (Names)
}

// Error formats the diagnostic in one line, "file:line:col: message (hint)".
func (d Diagnostic) Error() string {
	s := d.Msg
	if p := d.Pos.String(); p != "" {
		s = p + ": " + s
	}
	if d.Hint != "" {
		s += " (" + d.Hint + ")"
	}
	return s
}

// ErrorList is a list of diagnostics, as found.
type ErrorList []Diagnostic

// Err returns the list as an error, nil if it is empty.
func (l ErrorList) Err() error {
	if len(l) == 0 {
		return nil
	}
	return l
}

// Error returns the diagnostics, one per line.
func (l ErrorList) Error() string {
	var b strings.Builder
	for i, d := range l {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(d.Error())
	}
	return b.String()
}
