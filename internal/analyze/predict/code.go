package predict

import (
	"errors"
	"fmt"
	"strings"

	"incore/internal/isa"
	"incore/internal/object"
)

// Reader makes kernels from the blocks of a corpus. It reuses its memory: a kernel is valid until the next call.
type Reader struct {
	ISA    *isa.ISA
	Syntax string // assembly syntax; "": the reader tries each syntax of the instruction set
	Addr   uint64 // address of blocks of text; 0: not known
	insts  []isa.Inst
	lines  []isa.Line
	code   []byte
	kernel isa.Kernel
	last   string // the syntax of the last block
}

// Limits of a block.
const (
	maxInsts = 10000 // instructions
	maxText  = 1 << 20
)

// errNothing is the error for an empty block.
var errNothing = errors.New("no instructions")

// Hex makes a kernel from machine code in hexadecimal. HEX@OFFSET gives the offset of the code in a page of 4096 bytes, also in hexadecimal. A loop with its own
// branch and without an offset begins at a page boundary, as measurements of loops lay it out.
func (r *Reader) Hex(text string) (*isa.Kernel, error) {
	r.code = r.code[:0]
	text, addr, placed, err := object.Placed(strings.TrimPrefix(text, "0x"))
	if err != nil {
		return nil, err
	}
	if len(text)%2 != 0 {
		return nil, fmt.Errorf("an odd number of hexadecimal digits")
	}
	for i := 0; i < len(text); i += 2 {
		hi, lo := digit(text[i]), digit(text[i+1])
		if hi|lo > 15 {
			return nil, fmt.Errorf("character %q at place %d is no hexadecimal digit", text[i:i+2], i+1)
		}
		r.code = append(r.code, hi<<4|lo)
	}
	k, err := r.Code(r.code, addr)
	if err != nil || !k.Loop || placed {
		return k, err
	}
	if k, err = r.Code(r.code, object.PlacedBase); err == nil {
		k.Latch = false // it was not measured in place, with the registers that its own branch needs
	}
	return k, err
}

// digit returns the value of a hexadecimal digit, 255 for other characters.
func digit(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c|0x20 && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10
	}
	return 255
}

// Code makes a kernel from machine code at an address.
func (r *Reader) Code(code []byte, addr uint64) (*isa.Kernel, error) {
	r.insts, r.lines = r.insts[:0], r.lines[:0]
	for at := 0; at < len(code); {
		if len(r.insts) == maxInsts {
			return nil, fmt.Errorf("more than %d instructions", maxInsts)
		}
		r.insts = append(r.insts, isa.Inst{})
		in := &r.insts[len(r.insts)-1]
		n, err := r.ISA.Decode(code[at:], addr+uint64(at), in)
		if err != nil {
			return nil, fmt.Errorf("byte %d: %w", at, err)
		}
		if r.ISA.Canonical != nil {
			in.Form = r.ISA.Canonical(in.Form)
		}
		r.lines = append(r.lines, isa.Line{Addr: addr + uint64(at)})
		at += n
	}
	return r.finish(r.Syntax)
}

// Text makes a kernel from assembly statements separated by ';'. An unknown statement becomes an
// instruction without form; it is an error if all statements are unknown.
func (r *Reader) Text(text string) (*isa.Kernel, error) {
	if len(text) > maxText {
		return nil, fmt.Errorf("%d bytes are too much", len(text))
	}
	if r.Syntax != "" {
		_, err := r.parse(text, r.Syntax)
		return r.parsed(r.Syntax, err)
	}
	if r.last == "" {
		r.last = r.ISA.Syntaxes[0]
	}
	bad, err := r.parse(text, r.last)
	if bad == 0 || len(r.ISA.Syntaxes) == 1 {
		return r.parsed(r.last, err)
	}
	best, fewest, first := r.last, bad, err
	for _, s := range r.ISA.Syntaxes {
		if bad, _ := r.parse(text, s); bad < fewest {
			best, fewest = s, bad
		}
	}
	r.last = best
	if _, err = r.parse(text, best); err != nil && fewest == bad {
		err = first
	}
	return r.parsed(best, err)
}

// parse resolves the statements in one syntax. It returns the number of unknown statements and the error of the first.
func (r *Reader) parse(text, syntax string) (bad int, first error) {
	r.insts, r.lines = r.insts[:0], r.lines[:0]
	addr := r.Addr
	for more := true; more; {
		var stmt string
		stmt, text, more = strings.Cut(text, ";")
		if stmt = unlabelled(strings.TrimSpace(stmt)); stmt == "" {
			continue
		}
		at := len(r.insts)
		insts, err := r.ISA.Parse(r.insts, stmt, syntax)
		if err != nil || len(insts) == at {
			if bad++; first == nil {
				first = err
			}
			r.insts = append(r.insts[:at], isa.Inst{})
			r.lines = append(r.lines, isa.Line{Text: stmt, Err: err})
			continue
		}
		r.insts = insts
		for k := range insts[at:] {
			in := &insts[at+k]
			r.lines = append(r.lines, isa.Line{Text: stmt, Part: k, Addr: addr})
			addr += r.size(in, addr)
		}
	}
	return bad, first
}

// size computes the length of an instruction's machine code, which the model of the front end needs.
func (r *Reader) size(in *isa.Inst, addr uint64) uint64 {
	if r.ISA.Encode != nil {
		if code, err := r.ISA.Encode(r.code[:0], in, addr); err == nil {
			r.code = code[:0]
			in.Size = uint8(len(code))
		}
	}
	return uint64(in.Size)
}

// unlabelled drops labels before a statement.
func unlabelled(s string) string {
	for {
		i := strings.IndexByte(s, ':')
		if i <= 0 || strings.ContainsAny(s[:i], " \t%$#,([{\"") {
			return s
		}
		s = strings.TrimSpace(s[i+1:])
	}
}

// parsed makes the kernel of parsed assembly: err is the error of the first unknown statement.
func (r *Reader) parsed(syntax string, err error) (*isa.Kernel, error) {
	known := false
	for i := range r.insts {
		known = known || r.insts[i].Form != isa.NoForm
	}
	if !known && len(r.insts) > 0 {
		if err == nil {
			err = errNothing
		}
		return nil, err
	}
	return r.finish(syntax)
}

// finish makes the kernel. A branch at its end closes a loop, whatever its target is, since the corpus does not contain the target.
func (r *Reader) finish(syntax string) (*isa.Kernel, error) {
	n := len(r.insts)
	if n == 0 {
		return nil, errNothing
	}
	f := r.ISA.Flow(&r.insts[n-1])
	loop := f.Kind == isa.FlowCond || f.Kind == isa.FlowJump
	if r.ISA.Context != nil {
		r.ISA.Context(r.insts, loop)
	}
	for i := range r.lines {
		r.lines[i].Inst = r.insts[i]
	}
	if syntax == "" {
		syntax = r.ISA.Syntaxes[0]
	}
	latch := f.Kind == isa.FlowCond && f.Target.Kind == isa.OpImm && r.lines[0].Addr != 0 && uint64(f.Target.Imm) == r.lines[0].Addr
	r.kernel = isa.Kernel{ISA: r.ISA, Syntax: syntax, Lines: r.lines, Loop: loop, Latch: latch}
	return &r.kernel, nil
}
