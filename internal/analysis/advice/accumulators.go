package advice

import (
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/latency"
	"incore/internal/isa"
)

// reduction is a loop-carried chain of one associative operation whose partial results no other instruction reads.
type reduction struct {
	kind  string
	reg   isa.Reg // the register that carries the result to the next iteration
	links []link  // in program order
	chain *latency.Chain
}

// link is an instruction of a reduction: in and out are the operands that read and write the partial result.
type link struct{ inst, in, out int }

// accumulators splits a reduction into n partial results, which its operations use in rotation; it unrolls the loop as far as that needs.
func accumulators(s *search) {
	if s.r.Reduces == nil || s.now.Chain < s.now.Cycles*(1-Threshold) && s.now.Chain < s.now.Cycles*0.8 {
		return
	}
	all := s.reductions()
	if len(all) == 0 {
		return
	}
	for i := range s.chains.Chains { // another chain of the same length would still limit the loop
		c := &s.chains.Chains[i]
		if c.Cycles >= s.now.Cycles*(1-Threshold) && !slices.ContainsFunc(all, func(r reduction) bool { return r.covers(c) }) && !s.onlySteps(c) {
			return
		}
	}
	slow := all[:0:0]
	for _, r := range all {
		if r.chain.Cycles >= s.now.Cycles/2 {
			slow = append(slow, r)
		}
	}
	if len(slow) == 0 {
		return
	}
	var drafts []*draft
	for _, n := range []int{2, 3, 4, 6, 8, 12, 16} {
		if d := s.spread(slow, n); d != nil {
			drafts = append(drafts, d)
		}
	}
	s.best(drafts, func(d *draft) Advice {
		a := Advice{Kind: Accumulators, What: slow[0].kind, Count: d.count, Assumes: []string{Reassociation}}
		if d.times > 1 {
			a.Assumes = append(a.Assumes, Multiple)
		}
		if !s.rounds(slow) {
			a.Assumes = slices.DeleteFunc(a.Assumes, func(x string) bool { return x == Reassociation })
		}
		for _, r := range slow {
			if name := s.registerName(r.reg); !slices.Contains(a.Operands, name) {
				a.Operands = append(a.Operands, name)
			}
			for _, l := range r.links {
				a.Insts = append(a.Insts, l.inst)
			}
		}
		return a
	})
}

// onlySteps reports whether a chain consists of steps that unrolling merges into one.
func (s *search) onlySteps(c *latency.Chain) bool {
	for i := range c.Steps {
		if st := s.stepAt(c.Steps[i].Inst); st == nil || !st.merges {
			return false
		}
	}
	return true
}

// rounds reports whether some reduction works on floating-point numbers, whose rounding depends on the order.
func (l *loop) rounds(all []reduction) bool {
	for _, r := range all {
		for _, x := range r.links {
			if l.k.ISA.Float == nil || l.k.ISA.Float(l.inst(x.inst)).Kind != isa.NoFloat {
				return true
			}
		}
	}
	return false
}

// covers reports whether a chain consists of instructions of this reduction.
func (r *reduction) covers(c *latency.Chain) bool {
	for i := range c.Steps {
		if !slices.ContainsFunc(r.links, func(l link) bool { return l.inst == c.Steps[i].Inst }) {
			return false
		}
	}
	return true
}

// reductions finds the chains that are reductions.
func (s *search) reductions() (out []reduction) {
	for i := range s.chains.Chains {
		if r, ok := s.reduction(&s.chains.Chains[i]); ok {
			out = append(out, r)
		}
	}
	return out
}

// reduction converts a chain to a reduction; ok is false if it is not one.
func (s *search) reduction(c *latency.Chain) (r reduction, ok bool) {
	r.chain = c
	if c.Distance != 1 {
		return r, false
	}
	for i := range c.Steps {
		st := &c.Steps[i]
		if st.Edge < 0 {
			return r, false
		}
		e := &s.g.Edges[st.Edge]
		in := &s.g.Bound.Insts[e.To]
		if int(e.In) >= len(in.Effects.Reads) || int(st.Out) >= len(in.Effects.Writes) {
			return r, false // through memory
		}
		op, to := int(in.Effects.Reads[e.In].Op), int(in.Effects.Writes[st.Out].Op)
		if op < 0 || to < 0 {
			return r, false
		}
		kind := s.r.Reduces(s.inst(int(e.To)), op)
		if kind == "" || r.kind != "" && kind != r.kind {
			return r, false
		}
		r.kind = kind
		r.links = append(r.links, link{int(e.To), op, to})
		if e.Dist > 0 {
			r.reg = e.Reg
		}
	}
	slices.SortFunc(r.links, func(a, b link) int { return a.inst - b.inst })
	return r, s.closed(&r)
}

// closed reports whether only a reduction's own instructions read its partial results, and only as the operands link.in, and nothing reads the flags that its
// operations set: overflow and carry are those of the whole result.
func (s *search) closed(r *reduction) bool {
	for _, l := range r.links {
		for _, n := range s.out[l.inst] {
			e := &s.g.Edges[n]
			in := &s.g.Bound.Insts[e.To]
			if int(e.Out) < len(s.g.Bound.Insts[l.inst].Effects.Writes) && int(s.g.Bound.Insts[l.inst].Effects.Writes[e.Out].Op) != l.out {
				if e.Kind == depgraph.Flag {
					return false
				}
				continue
			}
			if !slices.ContainsFunc(r.links, func(x link) bool {
				return x.inst == int(e.To) && int(e.In) < len(in.Effects.Reads) && int(in.Effects.Reads[e.In].Op) == x.in
			}) {
				return false
			}
		}
	}
	return true
}

// spread distributes each reduction over n partial results; it returns nil if there are too few registers or the loop cannot be unrolled.
func (s *search) spread(all []reduction, n int) *draft {
	d := s.draft()
	most := 0
	for _, r := range all {
		most = max(most, len(r.links))
	}
	if times := (n + most - 1) / most; times > 1 {
		if n%most != 0 {
			return nil
		}
		var ok bool
		if d, ok = s.unrolled(times); !ok || len(d.lines) > maxUnrolled {
			return nil
		}
	}
	d.count = n
	free := map[*isa.RegFile][]int{}
	for _, r := range all {
		if !s.rename(d, &r, n, free) {
			return nil
		}
	}
	return d
}

// maxUnrolled is the greatest number of instructions of a loop that is unrolled.
const maxUnrolled = 512

// rename assigns n registers in rotation to the partial results of a reduction.
func (s *search) rename(d *draft, r *reduction, n int, free map[*isa.RegFile][]int) bool {
	f, _, own := s.file(r.reg)
	if f == nil {
		return false
	}
	if _, seen := free[f]; !seen {
		free[f] = s.free(f)
	}
	if len(free[f]) < n-1 {
		return false
	}
	regs := append([]int{own}, free[f][:n-1]...)
	free[f] = free[f][n-1:]
	at := 0
	for i := range d.lines {
		line := &d.lines[i]
		k := slices.IndexFunc(r.links, func(l link) bool { return l.inst == line.from })
		if k < 0 {
			continue
		}
		in := line.Inst
		for _, op := range []int{r.links[k].in, r.links[k].out} {
			_, class, _ := s.file(in.Reg(op))
			if class == "" {
				return false
			}
			in.Ops[op].Reg = s.member(class, regs[at%n])
		}
		if !s.tied(&in) { // the other source is overwritten
			return false
		}
		if at++; regs[(at-1)%n] != own || line.Inst.Ops != in.Ops {
			line.set(in)
		}
	}
	return true
}
