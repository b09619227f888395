package object

import (
	"bytes"
	"fmt"
	"slices"

	"incore/internal/isa"
)

// bare is the Format of bare machine code.
const bare = "machine code"

// Bare reports whether the file is bare machine code without a format.
func (f *File) Bare() bool { return f.Format == bare }

// Linked reports whether the file is a program or a shared library, and not code that a program was linked from.
func (f *File) Linked() bool {
	return slices.Contains([]string{"ELF executable", "ELF shared object", "Mach-O", "PE"}, f.Format)
}

// Undecoded counts the places of the code where no instruction can be decoded, and all places: instructions and these. One in seven is none in random bytes on
// x86-64, one in forty in code with tables between.
func (f *File) Undecoded() (none, all int) {
	var in isa.Inst
	for i := range f.sections {
		s := &f.sections[i]
		if !s.exec {
			continue
		}
		for at := 0; at < len(s.data); all++ {
			n, err := f.ISA.Decode(s.data[at:], s.addr+uint64(at), &in)
			if err != nil {
				none++
			}
			at += max(1, n)
		}
	}
	return none, all
}

// Raw makes a file of bare machine code located at addr: a dump of a just-in-time
// compiler, a .bin file. Its only function is the whole code.
func Raw(code []byte, addr uint64, a *isa.ISA) (*File, error) {
	if a.Decode == nil {
		return nil, fmt.Errorf("no decoder for %s", a.Name)
	}
	if addr+uint64(len(code)) < addr {
		return nil, fmt.Errorf("%d bytes do not fit behind address %#x", len(code), addr)
	}
	return &File{Format: bare, ISA: a, imports: map[uint64]string{}, entry: addr,
		sections: []section{{".text", addr, code, true, 0}}, symbols: []symbol{{"code", addr, uint64(len(code)), false}}}, nil
}

// markers are the byte sequences around kernels that IACA and its followers look for
// (IACA 3.0 user's guide, iacaMarks.h; the A64 ones are OSACA's and llvm-mca's convention).
var markers = []struct{ begin, end []byte }{
	{[]byte{0xbb, 0x6f, 0, 0, 0, 0x64, 0x67, 0x90}, []byte{0xbb, 0xde, 0, 0, 0, 0x64, 0x67, 0x90}},                   // mov $111, %ebx; fs addr32 nop
	{[]byte{0x61, 0x0d, 0x80, 0xd2, 0x1f, 0x20, 0x03, 0xd5}, []byte{0xc1, 0x1b, 0x80, 0xd2, 0x1f, 0x20, 0x03, 0xd5}}, // mov x1, #111; nop
}

// Marked returns the code between IACA markers as kernels, in the order of their addresses.
// A marker without its counterpart is an error.
func (f *File) Marked() ([]*isa.Kernel, error) {
	var out []*isa.Kernel
	for i := range f.sections {
		s := &f.sections[i]
		if !s.exec {
			continue
		}
		for _, m := range markers {
			for pos := 0; ; {
				b := bytes.Index(s.data[pos:], m.begin)
				e := bytes.Index(s.data[pos:], m.end)
				if b < 0 && e < 0 {
					break
				}
				if b < 0 || e < b {
					return out, fmt.Errorf("markers at %#x don't pair", s.addr+uint64(pos+max(b, e)))
				}
				lo, hi := s.addr+uint64(pos+b+len(m.begin)), s.addr+uint64(pos+e)
				out = append(out, f.markedKernel(lo, hi, len(out)))
				pos += e + len(m.end)
			}
		}
	}
	return out, nil
}

// markedKernel makes a kernel of the code from lo to hi; a backward branch to its start closes a loop.
func (f *File) markedKernel(lo, hi uint64, n int) *isa.Kernel {
	k := &isa.Kernel{ISA: f.ISA, Name: fmt.Sprintf("marked %d", n+1), Why: fmt.Sprintf("IACA markers, %#x to %#x", lo, hi), Lines: f.decodeRange(lo, hi), Movable: f.movable(lo)}
	if len(f.ISA.Syntaxes) > 0 {
		k.Syntax = f.ISA.Syntaxes[0]
	}
	for i := range k.Lines {
		l := &k.Lines[i]
		if f.ISA.Canonical != nil {
			l.Inst.Form = f.ISA.Canonical(l.Inst.Form)
		}
		l.File, l.No = f.SourceLine(l.Addr)
		if flow := f.ISA.Flow(&l.Inst); flow.Target.Kind == isa.OpImm && flow.Kind != isa.FlowCall && uint64(flow.Target.Imm) >= lo && uint64(flow.Target.Imm) <= l.Addr {
			k.Loop = true
		}
	}
	return k
}
