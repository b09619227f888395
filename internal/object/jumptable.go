package object

import (
	"encoding/binary"
	"sync"

	"incore/internal/isa"
)

const (
	tableWindow  = 96   // instructions before an indirect jump that may set it up
	maxTableSize = 8192 // entries
)

// windows pools buffers for the instructions before an indirect jump.
var windows = sync.Pool{New: func() any { return new([tableWindow + 1]isa.Line) }}

// jumpTables returns the targets of each indirect jump through a table, by the jump's address.
func (g *Graph) jumpTables(fn *Function, steps []step) map[uint64][]uint64 {
	out := map[uint64][]uint64{}
	for i, s := range steps {
		if s.flow != isa.FlowIndirect {
			continue
		}
		if targets := g.tableTargets(fn, steps[max(0, i-tableWindow):i+1]); len(targets) > 0 {
			out[s.addr] = targets
			g.Tables++
		} else {
			g.Unknown++
		}
	}
	return out
}

func (g *Graph) tableTargets(fn *Function, window []step) (targets []uint64) {
	a := g.file.ISA
	if a.JumpTable == nil {
		return nil
	}
	code := windows.Get().(*[tableWindow + 1]isa.Line)
	defer windows.Put(code)
	for i, s := range window {
		code[i] = isa.Line{Addr: s.addr}
		_, _ = a.Decode(g.file.bytesAt(s.addr, max(int(s.size), 1)), s.addr, &code[i].Inst)
	}
	t, ok := a.JumpTable(code[:len(window)])
	if !ok {
		return nil
	}
	limit := t.Count
	if limit <= 0 || limit > maxTableSize {
		limit = maxTableSize
	}
	for i := 0; i < limit; i++ {
		b := g.file.bytesAt(t.Addr+uint64(i*t.Size), t.Size)
		if len(b) < t.Size {
			break
		}
		to := t.Base + entry(b, t.Signed)<<t.Shift
		if to < fn.Addr || to >= fn.End() {
			break
		}
		targets = append(targets, to)
	}
	return targets
}

// entry reads a number of 1, 2, 4 or 8 bytes.
func entry(b []byte, signed bool) uint64 {
	switch len(b) {
	case 1:
		if signed {
			return uint64(int64(int8(b[0])))
		}
		return uint64(b[0])
	case 2:
		v := binary.LittleEndian.Uint16(b)
		if signed {
			return uint64(int64(int16(v)))
		}
		return uint64(v)
	case 4:
		v := binary.LittleEndian.Uint32(b)
		if signed {
			return uint64(int64(int32(v)))
		}
		return uint64(v)
	case 8:
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}
