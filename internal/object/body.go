package object

import "incore/internal/isa"

// Body makes the likeliest way through a loop a kernel, without the printed text and the code that leads
// to the loop; paths is the number of ways. It is Kernel for who looks at many loops.
func (l *Loop) Body() (k *isa.Kernel, paths int) {
	path, paths := l.likeliest()
	f := l.Func.file
	k = &isa.Kernel{ISA: f.ISA, Name: l.Func.Name, Syntax: f.ISA.Syntaxes[0], Loop: true}
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
		code := make([]isa.Inst, len(k.Lines))
		for i := range code {
			code[i] = k.Lines[i].Inst
		}
		f.ISA.Context(code, true)
		for i := range code {
			k.Lines[i].Inst = code[i]
		}
	}
	return k, paths
}
