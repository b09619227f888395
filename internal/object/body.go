package object

import (
	"slices"
	"sync"

	"incore/internal/isa"
)

// bodies pools buffers for the instructions of a body.
var bodies = sync.Pool{New: func() any { return new([]isa.Inst) }}

// Body makes a kernel of the most likely path through a loop, without the printed text and the code before
// the loop; paths is the number of paths. It is a faster Kernel for callers with many loops. The kernel's lines reuse the memory of lines.
func (l *Loop) Body(lines []isa.Line) (k *isa.Kernel, paths int) {
	path, paths := l.likeliest()
	f := l.Func.file
	k = &isa.Kernel{ISA: f.ISA, Name: l.Func.Name, Syntax: f.ISA.Syntaxes[0], Loop: true, Lines: lines[:0], Movable: f.movable(l.Addr())}
	for _, b := range path.Blocks {
		blk := &l.Graph.Blocks[b]
		code := f.bytesAt(blk.Addr, int(min(blk.End-blk.Addr, 1<<31)))
		for pos := 0; pos < len(code); {
			k.Lines = append(k.Lines, isa.Line{Addr: blk.Addr + uint64(pos)})
			x := &k.Lines[len(k.Lines)-1]
			n, err := f.ISA.Decode(code[pos:], x.Addr, &x.Inst)
			if err != nil {
				n, x.Err = max(1, n), err
				x.Inst = isa.Inst{}
			} else if f.ISA.Canonical != nil {
				x.Inst.Form = f.ISA.Canonical(x.Inst.Form)
			}
			x.File, x.No = f.SourceLine(x.Addr)
			pos += n
		}
	}
	if f.ISA.Context != nil {
		scratch := bodies.Get().(*[]isa.Inst)
		defer bodies.Put(scratch)
		code := (*scratch)[:0]
		for i := range k.Lines {
			code = append(code, k.Lines[i].Inst)
		}
		*scratch = code
		f.ISA.Context(code, true)
		for i := range code {
			k.Lines[i].Inst = code[i]
		}
		if slices.ContainsFunc(code, func(in isa.Inst) bool { return k.Unconfigured(&in) }) {
			k.SetContext(l.configured)
		}
	}
	return k, paths
}
