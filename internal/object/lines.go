package object

import (
	"debug/dwarf"
	"errors"
	"io"
	"path/filepath"
	"sort"
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
}

// SourceLine returns the source file and line of an address, "" and 0 if not known.
func (f *File) SourceLine(addr uint64) (file string, line int) {
	u := f.owner(addr).unitAt(addr)
	if u == nil {
		return "", 0
	}
	i := sort.Search(len(u.rows), func(i int) bool { return u.rows[i].addr > addr }) - 1
	if i < 0 || u.rows[i].end {
		return "", 0
	}
	return u.rows[i].file, u.rows[i].line
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
		if e.Tag != dwarf.TagCompileUnit {
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
	t.entries(cu, u)
	return u
}

// entries walks the entries of a unit for its functions.
func (t *lineTable) entries(cu *dwarf.Entry, u *unit) {
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
		if e.Children {
			depth++
		}
	}
}
