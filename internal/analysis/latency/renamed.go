package latency

import (
	"incore/internal/analysis/depgraph"
	"incore/internal/machine"
)

// This file treats memory renaming. A renamed load gets the register that was stored. So its result waits for the stored data, and neither for the
// load's address nor for the store's.

// dataNodes adds a node for each stored output that memory renaming passes on. This data node depends on the stored data alone, while the output's
// own node also depends on the store's address. n is the number of outputs; the result is the number of nodes.
func (f *finder) dataNodes(n int) int {
	f.data, f.stored = resize(f.data, n), f.stored[:0]
	clear(f.data)
	if !f.g.Renames {
		return n
	}
	for k := range f.g.Edges {
		e := &f.g.Edges[k]
		if v := f.off[e.From] + int32(e.Out); e.Renamed && f.data[v] == 0 {
			f.data[v] = int32(n + len(f.stored))
			f.stored, f.inst = append(f.stored, v), append(f.inst, e.From)
		}
	}
	return n + len(f.stored)
}

// output returns the node of the output that a node stands for.
func (f *finder) output(node int32) int32 {
	if first := int32(len(f.data)); node >= first {
		return f.stored[node-first]
	}
	return node
}

// arc adds the arcs of edge k to the output with node v, which the edge's value reaches after some cycles: to the node itself and to its data node.
func (f *finder) arc(k, v int32, cycles float64) {
	e, data := &f.g.Edges[k], f.data[v]
	from, out := f.off[e.From]+int32(e.Out), int(v-f.off[e.To])
	if e.Renamed {
		from = f.data[from]
	}
	loads, renamed := true, false
	if e.Kind == depgraph.Address && f.g.Renames {
		loads, renamed = f.addresses(e)
	}
	if data > 0 && loads {
		f.join(from, data, k, cycles)
	}
	in := &f.g.Bound.Insts[e.To]
	stores := out >= len(in.Effects.Writes)
	switch {
	case loads || !renamed:
		f.join(from, v, k, cycles)
	case stores: // the address of the store remains
		f.join(from, v, k, 0)
	case !loaded(in, out):
		f.join(from, v, k, cycles)
	}
}

// join adds an arc of edge k.
func (f *finder) join(from, to, k int32, cycles float64) {
	e := &f.g.Edges[k]
	f.found = append(f.found, arc{from, to, k, e.Dist, e.Latency + cycles})
	f.start[from+1]++
}

// addresses reports whether the register of an address edge is part of the address of a load that waits for it, and of one that is renamed.
func (f *finder) addresses(e *depgraph.Edge) (loads, renamed bool) {
	in := &f.g.Bound.Insts[e.To].Effects
	reg := in.Reads[e.In].Reg
	for k := range in.Mem {
		if m := &in.Mem[k]; m.Load && (m.Base == reg || m.Index == reg) {
			r := f.g.RenamedLoad(int(e.To), k)
			loads, renamed = loads || !r, renamed || r
		}
	}
	return loads, renamed
}

// loaded reports whether an output depends on loaded data.
func loaded(in *machine.Inst, out int) bool {
	for k := range in.Effects.Mem {
		if _, ok := in.Pair(len(in.Effects.Reads)+k, out); ok {
			return true
		}
	}
	return false
}
