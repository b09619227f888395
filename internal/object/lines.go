package object

import (
	"debug/dwarf"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"
)

// lineTable looks up source lines; compilation units are read on first use.
type lineTable struct {
	mu    sync.Mutex
	ready bool
	data  *dwarf.Data
	units []unitRange
	read  map[dwarf.Offset]*unit
}

type unitRange struct {
	lo, hi uint64
	entry  *dwarf.Entry
}

// unit holds the information of a compilation unit on addresses.
type unit struct {
	rows      []row
	functions map[uint64]dwarf.Offset // start address of a function → its entry
}

type row struct {
	addr uint64
	file string
	line int
	end  bool
	// of is the place in the user's own files from which code of a library was inlined, and its line; "" if there is none.
	of     string
	ofLine int
}

// SourceLine returns the source file and line of an address, "" and 0 if not known. For inlined code of a library, which a user neither wrote nor can change, it is the
// place in the user's own files from which it was called.
func (f *File) SourceLine(addr uint64) (file string, line int) {
	switch r := f.row(addr); {
	case r == nil:
		return "", 0
	case r.of != "":
		return r.of, r.ofLine
	default:
		return r.file, r.line
	}
}

// CodeLine returns the source file and line of an address as the table of lines has them, "" and 0 if not known.
func (f *File) CodeLine(addr uint64) (file string, line int) {
	if r := f.row(addr); r != nil {
		return r.file, r.line
	}
	return "", 0
}

// row returns the row of the table of lines for an address, nil if there is none.
func (f *File) row(addr uint64) *row {
	u := f.owner(addr).unitAt(addr)
	if u == nil {
		return nil
	}
	i := sort.Search(len(u.rows), func(i int) bool { return u.rows[i].addr > addr }) - 1
	if i < 0 || u.rows[i].end {
		return nil
	}
	return &u.rows[i]
}

// unitAt returns the tables of the compilation unit that contains an address, nil if no unit does.
func (f *File) unitAt(addr uint64) (u *unit) {
	t := &f.lines
	t.mu.Lock()
	defer t.mu.Unlock()
	defer func() {
		if recover() != nil { // damaged debug information counts as missing
			u, t.units = nil, nil
		}
	}()
	if !t.ready {
		t.ready = true
		t.open(f)
	}
	i := sort.Search(len(t.units), func(i int) bool { return t.units[i].lo > addr }) - 1
	if i < 0 || addr >= t.units[i].hi {
		return nil
	}
	e := t.units[i].entry
	if u := t.read[e.Offset]; u != nil {
		return u
	}
	u = t.load(e)
	t.read[e.Offset] = u
	return u
}

// open lists the ranges of the compilation units.
func (t *lineTable) open(f *File) {
	t.read = map[dwarf.Offset]*unit{}
	if f.dwarfOf == nil {
		return
	}
	d, err := f.dwarfOf()
	if err != nil {
		return
	}
	t.data = d
	const padding = 1 << 10 // largest number of zero entries after the last unit; for an unterminated number the reader returns zero entries without end
	for r, zeros := d.Reader(), 0; zeros < padding; {
		e, err := r.Next()
		if e == nil || err != nil {
			break
		}
		if e.Tag == 0 {
			zeros++
		}
		r.SkipChildren()
		if e.Tag != dwarf.TagCompileUnit && e.Tag != dwarf.TagSkeletonUnit { // with -gsplit-dwarf the table of lines stays here
			continue
		}
		ranges, err := d.Ranges(e)
		if err != nil {
			continue
		}
		for _, x := range ranges {
			if x[0] < x[1] {
				t.units = append(t.units, unitRange{x[0], x[1], e})
			}
		}
	}
	sort.Slice(t.units, func(i, j int) bool { return t.units[i].lo < t.units[j].lo })
}

// load reads the line table and the functions of a unit.
func (t *lineTable) load(cu *dwarf.Entry) *unit {
	u := &unit{functions: map[uint64]dwarf.Offset{}}
	lr, err := t.data.LineReader(cu)
	if err == nil && lr != nil {
		var e dwarf.LineEntry
		for {
			if err := lr.Next(&e); err != nil {
				if !errors.Is(err, io.EOF) {
					u.rows = append(u.rows, row{addr: e.Address, end: true})
				}
				break
			}
			r := row{addr: e.Address, line: e.Line, end: e.EndSequence}
			if e.File != nil {
				r.file = filepath.Clean(e.File.Name)
			}
			u.rows = append(u.rows, r)
		}
	}
	sort.SliceStable(u.rows, func(i, j int) bool {
		a, b := u.rows[i], u.rows[j]
		return a.addr < b.addr || a.addr == b.addr && a.end && !b.end
	})
	var files []*dwarf.LineFile
	if lr != nil {
		files = lr.Files()
	}
	t.entries(cu, u, files)
	return u
}

// entries walks the entries of a unit for its functions, and for the calls that were inlined.
func (t *lineTable) entries(cu *dwarf.Entry, u *unit, files []*dwarf.LineFile) {
	if !cu.Children {
		return
	}
	r := t.data.Reader()
	r.Seek(cu.Offset)
	if _, err := r.Next(); err != nil {
		return
	}
	for depth := 1; depth > 0; {
		e, err := r.Next()
		if e == nil || err != nil {
			return
		}
		if e.Tag == 0 {
			depth--
			continue
		}
		if low, ok := e.Val(dwarf.AttrLowpc).(uint64); ok && e.Tag == dwarf.TagSubprogram {
			u.functions[low] = e.Offset
		}
		if e.Tag == dwarf.TagInlinedSubroutine {
			t.inlined(u, e, files)
		}
		if e.Children {
			depth++
		}
	}
}

// inlined gives the rows of an inlined function that are a library's the place of its call, if that is in the user's files. Calls within it come later and are nearer to
// the code.
func (t *lineTable) inlined(u *unit, e *dwarf.Entry, files []*dwarf.LineFile) {
	at, _ := e.Val(dwarf.AttrCallFile).(int64)
	line, _ := e.Val(dwarf.AttrCallLine).(int64)
	if at < 0 || int(at) >= len(files) || files[at] == nil || line <= 0 || ofLibrary(files[at].Name) {
		return
	}
	ranges, err := t.data.Ranges(e)
	if err != nil {
		return
	}
	name := filepath.Clean(files[at].Name)
	for _, x := range ranges {
		for i := sort.Search(len(u.rows), func(i int) bool { return u.rows[i].addr >= x[0] }); i < len(u.rows) && u.rows[i].addr < x[1]; i++ {
			if r := &u.rows[i]; !r.end && ofLibrary(r.file) {
				r.of, r.ofLine = name, int(line)
			}
		}
	}
}

// libraries are parts of the paths of files that come with compilers and systems.
var libraries = []string{"/usr/include/", "/usr/lib/", "/usr/local/include/", "/include/c++/", "/lib/gcc/", "/lib/clang/", "/rustc/", "/rustlib/", "/Xcode", "/VC/Tools/MSVC/"}

// ofLibrary reports whether a source file is not the user's.
func ofLibrary(name string) bool {
	return slices.ContainsFunc(libraries, func(part string) bool { return strings.Contains(name, part) })
}
