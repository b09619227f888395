package plan

import (
	"math"
	"slices"
	"testing"

	"incore/internal/isa"
)

// TestThroughputPlans checks by the instructions' effects that instances don't wait for each other: what one
// reads, another instance wrote at least four instances before, or a helper since.
func TestThroughputPlans(t *testing.T) {
	x := X86()
	n, helped := 0, 0
	forms := x.Select(nil, nil)
	for i := 0; i < len(forms); i += 5 {
		p, err := x.Throughput(forms[i], 1)
		if err != nil {
			continue
		}
		n++
		if int(p.N) < len(p.Insts) {
			helped++
		}
		if far := reach(x, p); far > loadedBytes {
			t.Errorf("%s: loads reach over %d bytes", x.ISA.Forms.Name(forms[i]), far)
		}
		if at, reg := dependent(x, p, 4); at >= 0 {
			t.Errorf("%s: instance %d (%s) waits for one shortly before it, in %s", x.ISA.Forms.Name(forms[i]), at,
				x.ISA.Print(nil, &p.Insts[at], "att"), x.ISA.Regs.Name(reg))
		}
	}
	t.Logf("%d plans, %d of them with helpers", n, helped)
	if n < 1500 || helped == 0 {
		t.Errorf("only %d plans, %d with helpers", n, helped)
	}
}

// reach is how many bytes a plan's instances go through that load and do not store.
func reach(t *Target, p *Plan) int64 {
	lo, hi := int64(math.MaxInt64), int64(0)
	for i := range p.Insts {
		var e isa.Effects
		t.ISA.Effects(&p.Insts[i], &e)
		if !p.Own[i] || !onlyLoads(&p.Insts[i], t.ISA) || e.Mem[0].Elems > 1 {
			continue
		}
		lo, hi = min(lo, e.Mem[0].Disp), max(hi, e.Mem[0].Disp+int64(e.Mem[0].Bits)/8)
	}
	return max(0, hi-lo)
}

// dependent finds an instance that reads what one of the last few instances wrote.
func dependent(x *Target, p *Plan, few int) (int, isa.Reg) {
	type writer struct {
		own bool
		at  int // number of the instance
	}
	last := map[uint16]writer{}
	var e isa.Effects
	number := 0
	for round := range 2 {
		for i := range p.Insts {
			x.ISA.Effects(&p.Insts[i], &e)
			for _, r := range e.Reads {
				if !p.Own[i] || round == 0 || r.Role == isa.RoleControl || r.SameValue || r.Role == isa.RoleAddr && r.Op < 0 || x.kindOf[r.Reg] == Other {
					continue
				}
				u := x.ISA.Regs.Units(r.Reg)
				for k := range u.Len() {
					if w, ok := last[u.At(k)]; ok && w.own && number-w.at < few && !stringPointer(&e, r) {
						return i, r.Reg
					}
				}
			}
			for _, w := range e.Writes {
				u := x.ISA.Regs.Units(w.Reg)
				for k := range u.Len() {
					last[u.At(k)] = writer{p.Own[i], number}
				}
			}
			if p.Own[i] {
				number++
			}
		}
	}
	return -1, 0
}

// stringPointer tells registers that step along by themselves.
func stringPointer(e *isa.Effects, r isa.Access) bool {
	for _, w := range e.Writes {
		if w.Reg == r.Reg && w.Role == isa.RoleUpdate {
			return true
		}
	}
	return r.Role == isa.RoleAddr
}

// TestLonger checks that a longer chain is one: each instruction reads what the one before it wrote, and the first what the last wrote.
func TestLonger(t *testing.T) {
	x := X86()
	const more = 5
	n := 0
	forms := x.Select(nil, nil)
	for i := 0; i < len(forms); i += 37 {
		plans, _ := x.Latencies(forms[i])
		for _, p := range plans {
			q := x.Longer(p, more)
			if q == nil {
				continue
			}
			n++
			var e isa.Effects
			for k := range q.Insts {
				x.ISA.Effects(&q.Insts[k], &e)
				writes := slices.Clone(e.Writes)
				x.ISA.Effects(&q.Insts[(k+1)%len(q.Insts)], &e)
				if !slices.ContainsFunc(e.Reads, func(r isa.Access) bool {
					return slices.ContainsFunc(writes, func(w isa.Access) bool { return x.root[w.Reg] == x.root[r.Reg] && x.root[r.Reg] != isa.NoReg })
				}) && len(q.Insts) == len(q.Helpers)+1 {
					t.Errorf("%s: from %d to %d: %s does not wait for what stands before it", x.ISA.Forms.Name(forms[i]), p.From.Op, p.To.Op, x.ISA.Print(nil, &q.Insts[(k+1)%len(q.Insts)], "att"))
				}
			}
			if q.N != 1 || len(q.Helpers) < more {
				t.Errorf("%s: %g instances, %d helpers", x.ISA.Forms.Name(forms[i]), q.N, len(q.Helpers))
			}
		}
	}
	t.Logf("%d chains", n)
	if n < 500 {
		t.Errorf("only %d chains can be made longer", n)
	}
}

// TestPadded spreads instructions without operands among the instances of a plan.
func TestPadded(t *testing.T) {
	x := X86()
	p, err := x.Throughput(x.ISA.Forms.Named("ADC64rr"), 2)
	if err != nil {
		t.Fatal(err)
	}
	q := p.Padded(x, 10, 5, x.Nop)
	nop, err := x.Statement(x.Nop)
	if err != nil {
		t.Fatal(err)
	}
	nops := 0
	for i := range q.Insts {
		if q.Insts[i].Form == nop.Form {
			nops++
			if q.Own[i] {
				t.Error("padding counts as an instance")
			}
			if i > 0 && q.Insts[i-1].Form == nop.Form {
				t.Error("padding lies together")
			}
		}
	}
	own := func(p *Plan, n int) (out []isa.Inst) {
		for i := range p.Insts {
			if p.Own[i] && len(out) < n {
				out = append(out, p.Insts[i])
			}
		}
		return out
	}
	if q.N != 10 || nops != 5 || len(q.Insts) != 20 || !slices.Equal(own(q, 99), own(p, 10)) {
		t.Errorf("%g instances, %d of padding among %d", q.N, nops, len(q.Insts))
	}
}

// TestLongestQuotient checks that divisions of the longest quotient are none that overflow, by the statements that set them up.
func TestLongestQuotient(t *testing.T) {
	for name, want := range map[string]string{"DIV64r": "movl $2, %edx", "IDIV64r": "movl $1, %edx"} { // by 3: 2/3 of 2^64, 1/3
		found := false
		for _, c := range x86Cases(name) {
			if c.Note == "the longest quotient" {
				found = c.restore["xorl %edx, %edx"] == want && c.restore["movl $100, %eax"] == "movl $0, %eax" && c.values[13] == 3
			}
		}
		if !found {
			t.Errorf("%s: not the quotient that is wanted", name)
		}
	}
}
