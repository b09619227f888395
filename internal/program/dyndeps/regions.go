package dyndeps

import (
	"bufio"
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"incore/internal/isa"
	"incore/internal/object"
)

// region is a part of a file that is mapped into the program's memory.
type region struct {
	lo, hi, off uint64
	path        string
}

// readRegions reads the plugin's copy of the list of mappings, which is empty for a program that loads no
// libraries.
func readRegions(maps io.Reader, guestBase uint64) (out []region) {
	for s := bufio.NewScanner(maps); s.Scan(); {
		var r region
		var perm, dev string
		var inode uint64
		if n, _ := fmt.Sscanf(s.Text(), "%x-%x %s %x %s %d", &r.lo, &r.hi, &perm, &r.off, &dev, &inode); n != 6 || inode == 0 {
			continue
		}
		if i := strings.IndexByte(s.Text(), '/'); i >= 0 && r.lo >= guestBase {
			r.path, r.lo, r.hi = s.Text()[i:], r.lo-guestBase, r.hi-guestBase
			out = append(out, r)
		}
	}
	return out
}

// namer maps addresses of a run to names.
type namer struct {
	t    *Trace
	isas []*isa.ISA
	libs map[string]*library
}

// library is an object file that the program loaded.
type library struct {
	file *object.File // nil if it cannot be read
	segs []elf.ProgHeader
}

func newNamer(t *Trace) *namer {
	return &namer{t: t, isas: []*isa.ISA{t.Program.File.ISA}, libs: map[string]*library{}}
}

// find returns the object that contains an address, and the address in its file; nil if it is not known.
func (n *namer) find(addr uint64) (f *object.File, at uint64, name string) {
	if p := n.t.Program; addr >= p.lo && addr < p.hi {
		return p.File, addr, ""
	}
	for _, r := range n.t.regions {
		if addr < r.lo || addr >= r.hi {
			continue
		}
		l := n.library(r.path)
		name = filepath.Base(r.path)
		off := addr - r.lo + r.off
		for _, s := range l.segs {
			if s.Type == elf.PT_LOAD && off >= s.Off && off < s.Off+s.Filesz {
				return l.file, off - s.Off + s.Vaddr, name
			}
		}
		return nil, off, name
	}
	return nil, addr, ""
}

func (n *namer) library(path string) *library {
	if l := n.libs[path]; l != nil {
		return l
	}
	l := &library{}
	n.libs[path] = l
	if e, err := elf.Open(path); err == nil {
		for _, s := range e.Progs {
			l.segs = append(l.segs, s.ProgHeader)
		}
		e.Close()
	}
	l.file, _ = object.Open(path, n.isas...) // names are missing if the file cannot be read
	return l
}

// Place is an instruction of a run.
type Place struct {
	Address string `json:"address"`          // in its file, "0x401140"
	Object  string `json:"object,omitempty"` // library; "" for the program itself
	Symbol  string `json:"symbol,omitempty"`
	Offset  uint64 `json:"offset"` // from the symbol
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Text    string `json:"instruction,omitempty"`
}

// place returns the place of the instruction at an address.
func (n *namer) place(addr uint64) Place {
	f, at, lib := n.find(addr)
	p := Place{Address: fmt.Sprintf("%#x", at), Object: lib}
	if f == nil {
		return p
	}
	if fn := f.At(at); fn != nil {
		p.Symbol, p.Offset = fn.Name, at-fn.Addr
	}
	p.File, p.Line = f.SourceLine(at)
	p.Text = instruction(f, at)
	return p
}

// maxInst is the length of the longest instruction, in bytes.
const maxInst = 15

var errFound = errors.New("found")

// instruction returns the text of the instruction at an address of a file, "" if there is none.
func instruction(f *object.File, at uint64) (text string) {
	_ = f.Disassemble(at, at+maxInst, func(l *object.Line) error {
		if l.Err == nil && f.ISA.Print != nil {
			text = strings.ReplaceAll(string(f.ISA.Print(nil, &l.Inst, f.ISA.Syntaxes[0])), "\t", " ")
		}
		return errFound
	})
	return text
}

func (p *Place) String() string {
	s := p.Symbol
	switch {
	case s == "":
		s = p.Address
	case p.Offset > 0:
		s += fmt.Sprintf("+%#x", p.Offset)
	}
	if p.Object != "" {
		s = p.Object + ":" + s
	}
	return s
}
