package object

import (
	"bytes"
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// A static library is read as one file: its object files follow each other, as if a linker had linked all of them.

const (
	archiveMagic  = "!<arch>\n"
	archiveHeader = 60
	memberAlign   = 1 << 20
)

// member is an object file of a library.
type member struct {
	name   string
	lo, hi uint64 // its range of addresses
	file   *File
}

// Member returns the name of the library's object file that contains an address, "" if the file is no library.
func (f *File) Member(addr uint64) string {
	if m := f.memberAt(addr); m != nil {
		return m.name
	}
	return ""
}

// Member returns the name of the library's object file that contains the function, "" if its file is no library.
func (fn *Function) Member() string { return fn.file.Member(fn.Addr) }

func (f *File) memberAt(addr uint64) *member {
	i := sort.Search(len(f.members), func(i int) bool { return f.members[i].hi > addr })
	if i < len(f.members) && f.members[i].lo <= addr {
		return &f.members[i]
	}
	return nil
}

// owner returns the object file that contains an address: a library's member, else the file itself.
func (f *File) owner(addr uint64) *File {
	if m := f.memberAt(addr); m != nil {
		return m.file
	}
	return f
}

// archive reads a static library. Members that are no object files of the first member's instruction set are skipped with a warning.
func (l *loader) archive() error {
	list, err := members(l.data)
	if err != nil {
		return err
	}
	f := l.f
	f.Format = "static library"
	at, passed, left := uint64(relocBase), 0, l.most
	var why error
	for _, m := range list {
		x, err := read(m.data, loader{isas: l.isas, most: left, base: at})
		if err == nil && f.ISA != nil && x.ISA != f.ISA {
			err = fmt.Errorf("is for %s", x.ISA.Name)
		}
		if err != nil {
			passed++
			if why == nil || errors.Is(why, ErrFormat) {
				why = fmt.Errorf("%s: %w", m.name, err)
			}
			continue
		}
		f.ISA = x.ISA
		end := max(at, x.end()) // a member may have no sections
		f.members = append(f.members, member{m.name, at, end, x})
		f.join(x, m.name)
		for i := range x.sections {
			left -= min(left, uint64(len(x.sections[i].data)))
		}
		at = (end + memberAlign) &^ (memberAlign - 1)
	}
	switch {
	case len(f.members) == 0 && why != nil:
		return fmt.Errorf("library without object files to read; %w", why)
	case len(f.members) == 0:
		return errors.New("library without object files")
	case passed > 0:
		f.warn("members passed over: %d of %d; %v", passed, len(list), why)
	}
	f.joinData()
	return nil
}

// end returns the address after all sections and stubs of a file.
func (f *File) end() uint64 {
	end := uint64(relocBase)
	for i := range f.sections {
		end = max(end, f.sections[i].end())
	}
	for a := range f.imports {
		end = max(end, a+externSize)
	}
	return end
}

// join adds a member's code and names to the library. A function that one member calls in another is a symbol in the latter and an import in the former.
func (f *File) join(x *File, name string) {
	f.sections = append(f.sections, x.sections...)
	f.symbols = append(f.symbols, x.symbols...)
	f.bounds = append(f.bounds, x.bounds...)
	f.data = append(f.data, x.data...)
	for a, s := range x.imports {
		f.imports[a] = s
	}
	for a, to := range x.calls {
		f.calls[a] = to
	}
	for _, w := range x.warnings {
		f.warn("%s: %s", name, w)
	}
}

// archived is a stored member of an archive.
type archived struct {
	name string
	data []byte
}

// members lists the files in an archive in the formats of System V and BSD, without tables of symbols and names.
func members(data []byte) (out []archived, err error) {
	var names []byte // System V's table of long names
	for at := len(archiveMagic); at+archiveHeader <= len(data); {
		head := data[at : at+archiveHeader]
		size, err := strconv.ParseUint(strings.TrimSpace(string(head[48:58])), 10, 40)
		at += archiveHeader
		if err != nil || string(head[58:]) != "`\n" || size > uint64(len(data)-at) {
			return nil, errors.New("damaged library: a member's header is none, or points behind its end")
		}
		body := data[at : at+int(size)]
		at += int(size) + int(size&1)
		name := strings.TrimRight(string(head[:16]), " ")
		switch {
		case name == "//":
			names = body
			continue
		case name == "/" || name == "/SYM64/":
			continue
		case strings.HasPrefix(name, "#1/"):
			n, err := strconv.Atoi(name[3:])
			if err != nil || n < 0 || n > len(body) {
				return nil, errors.New("damaged library: a member's name is longer than the member")
			}
			name, body = string(bytes.TrimRight(body[:n], "\x00")), body[n:]
		case strings.HasPrefix(name, "/"):
			if n, err := strconv.Atoi(name[1:]); err == nil && n >= 0 && n < len(names) {
				long := names[n:]
				if i := bytes.IndexAny(long, "/\n"); i >= 0 {
					long = long[:i]
				}
				name = string(long)
			}
		}
		if name = strings.TrimSuffix(name, "/"); strings.HasPrefix(name, "__.SYMDEF") {
			continue
		}
		out = append(out, archived{name, body})
	}
	return out, nil
}
