// Package kernels makes kernels with costs from a short notation, for the tests of
// the analyses. It needs no parser and no machine model.
//
// One instruction per line, "name results <- operands : costs":
//
//	fadd d1 <- d2 d3 : lat=6 p=01
//	ldr  d1 <- [x1+8] : lat=4 load=4 p=34
//	str  [x1]+8 <- d1 : lat=4 p=34 p=5
//	add  x1 <- x1 #8 : lat=1 p=012
//	ldr  d1 <- [x1,x2*8] : lat=4 load=4
//
// Brackets are memory operands: stores as results, loads as operands. "+8" after
// them is a post-indexed base, "!" a pre-indexed base. "#8" marks the addition of a constant that memory
// analyses follow. p= lists the ports of a µop ("p=01:2" keeps one port busy for 2 cycles). Other
// costs: slots=, fwd= (operand 0 to result 0 takes fwd cycles), idiom, depbreak, unknown=LOW-HIGH,
// fused1, fused2, merge (results merge with the old value, which is an operand).
package kernels

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"incore/internal/isa"
	"incore/internal/machine"
)

// ISA returns an instruction set's tables without its parsers, by the name of its
// folder ("x86", "aarch64", "riscv"). It is for tests of the packages in analysis.
func ISA(folder string) *isa.ISA {
	data, err := os.ReadFile("../../isa/" + folder + "/tables.bin")
	if err != nil {
		panic(err)
	}
	a := &isa.ISA{Name: folder}
	a.Forms, a.Regs, a.Match = isa.Load(string(data))
	return a
}

// Parse makes a kernel with the ISA's registers on a machine with n ports. It panics on a
// syntax error, because the text is part of a test.
func Parse(a *isa.ISA, n int, text string) *machine.Bound {
	copied := *a
	k := &isa.Kernel{ISA: &copied, Loop: true}
	m := &machine.Model{Name: "test", ISA: a.Name}
	for p := range n {
		m.Ports = append(m.Ports, machine.Port{Name: strconv.Itoa(p)})
	}
	m.Params = machine.Params{DispatchWidth: 4, LoadLatency: 4, StoreForward: 5, LoadsPerCycle: 2, StoresPerCycle: 1}
	b := &machine.Bound{Kernel: k, Model: m}
	var sums []sum
	for _, line := range strings.Split(text, "\n") {
		if line, _, _ = strings.Cut(line, "//"); strings.TrimSpace(line) == "" {
			continue
		}
		p := &parser{regs: a.Regs, in: machine.Inst{Slots: 1, Latency: 1}}
		p.parse(line)
		k.Lines = append(k.Lines, isa.Line{Text: strings.TrimSpace(line), Inst: isa.Inst{Form: 1}, No: len(sums) + 1})
		// The operand holds the index, by which AddImm finds the sum.
		k.Lines[len(sums)].Inst.AddImm(int64(len(sums)))
		sums = append(sums, p.sum)
		b.Insts = append(b.Insts, p.finish())
	}
	for i := range b.Insts {
		b.Insts[i].Line = &k.Lines[i]
	}
	copied.AddImm = func(in *isa.Inst) (dst, src isa.Reg, imm int64, ok bool) {
		s := sums[in.Ops[0].Imm]
		return s.dst, s.src, s.imm, s.ok
	}
	return b
}

// sum is an addition of a constant.
type sum struct {
	dst, src isa.Reg
	imm      int64
	ok       bool
}

type parser struct {
	regs  *isa.RegTable
	in    machine.Inst
	sum   sum
	fwd   float64
	merge bool
}

func (p *parser) parse(line string) {
	code, costs, _ := strings.Cut(line, " : ")
	fields := strings.Fields(code)
	results, operands := fields[1:], []string(nil)
	for i, f := range fields {
		if f == "<-" {
			results, operands = fields[1:i], fields[i+1:]
		}
	}
	for _, c := range strings.Fields(costs) {
		p.cost(c)
	}
	for _, r := range results {
		if r[0] == '[' {
			p.memory(r, true)
		} else {
			w := isa.Access{Reg: p.reg(r), Role: role(r), Merge: p.merge, Op: int8(len(p.in.Effects.Writes))}
			p.in.Effects.Writes = append(p.in.Effects.Writes, w)
			if p.merge {
				p.in.Effects.Reads = append(p.in.Effects.Reads, w)
			}
		}
	}
	for _, o := range operands {
		switch o[0] {
		case '[':
			p.memory(o, false)
		case '#':
			imm, err := strconv.ParseInt(o[1:], 0, 64)
			p.check(err == nil, o)
			p.sum = sum{p.in.Effects.Writes[0].Reg, p.in.Effects.Reads[0].Reg, imm, true}
		default:
			p.in.Effects.Reads = append(p.in.Effects.Reads, isa.Access{Reg: p.reg(o), Role: role(o), Op: int8(16 + len(p.in.Effects.Reads))})
		}
	}
}

func (p *parser) check(ok bool, what string) {
	if !ok {
		panic("kernels: cannot understand " + strconv.Quote(what))
	}
}

func role(r string) isa.Role {
	switch r {
	case "nzcv", "eflags":
		return isa.RoleFlags
	case "fpcr", "mxcsr":
		return isa.RoleControl
	}
	return isa.RoleData
}

func (p *parser) reg(s string) isa.Reg {
	r := p.regs.Spelled(s)
	if r == isa.NoReg {
		r = p.regs.Named(strings.ToUpper(s))
	}
	p.check(r != isa.NoReg, s)
	return r
}

// memory parses [base+disp,index*scale] and the suffix of a written-back base.
func (p *parser) memory(s string, store bool) {
	inner, after, ok := strings.Cut(s[1:], "]")
	p.check(ok, s)
	m := isa.MemRef{Scale: 1, Bits: 64, Elems: 1, Load: !store, Store: store}
	if w := strings.Index(after, "/"); w >= 0 {
		bytes, err := strconv.Atoi(after[w+1:])
		p.check(err == nil, s)
		m.Bits, after = uint16(8*bytes), after[:w]
	}
	base, index, indexed := strings.Cut(inner, ",")
	if at := strings.IndexAny(base, "+-"); at > 0 {
		d, err := strconv.ParseInt(base[at:], 0, 64)
		p.check(err == nil, s)
		m.Disp, base = d, base[:at]
	}
	m.Base = p.reg(base)
	e := &p.in.Effects
	e.Reads = append(e.Reads, isa.Access{Reg: m.Base, Role: isa.RoleAddr})
	if indexed {
		index, scale, _ := strings.Cut(index, "*")
		if n, err := strconv.Atoi(scale); err == nil {
			m.Scale = uint8(n)
		}
		m.Index = p.reg(index)
		e.Reads = append(e.Reads, isa.Access{Reg: m.Index, Role: isa.RoleAddr})
	}
	switch {
	case after == "!":
		m.Update = m.Disp
	case after != "":
		u, err := strconv.ParseInt(after, 0, 64)
		p.check(err == nil, s)
		m.Update, m.Post = u, true
	}
	if m.Update != 0 {
		e.Writes = append(e.Writes, isa.Access{Reg: m.Base, Role: isa.RoleUpdate})
	}
	e.Mem = append(e.Mem, m)
}

func (p *parser) cost(c string) {
	key, val, _ := strings.Cut(c, "=")
	num := func(s string) float64 {
		v, err := strconv.ParseFloat(s, 64)
		p.check(err == nil, c)
		return v
	}
	in := &p.in
	switch key {
	case "lat":
		in.Latency = num(val)
	case "load":
		in.Load = num(val)
	case "slots":
		in.Slots = num(val)
	case "fwd":
		p.fwd = num(val)
	case "merge":
		p.merge = true
	case "idiom":
		in.Flags |= machine.ZeroIdiom
	case "depbreak":
		in.Flags |= machine.DepBreak
	case "fused1":
		in.Flags |= machine.FusedFirst
	case "fused2":
		in.Flags |= machine.FusedSecond
	case "unknown":
		lo, hi, _ := strings.Cut(val, "-")
		in.Flags |= machine.Unknown
		in.LowLatency, in.HighLatency, in.LowSlots, in.HighSlots = num(lo), num(hi), 1, num(hi)
	case "p":
		ports, cycles, timed := strings.Cut(val, ":")
		u := machine.Uop{Cycles: 1}
		if timed {
			u.Cycles = num(cycles)
		}
		for _, d := range ports {
			n, err := strconv.ParseUint(string(d), 36, 8)
			p.check(err == nil, c)
			u.Ports |= 1 << n
		}
		in.Uops = append(in.Uops, u)
	default:
		panic(fmt.Sprintf("kernels: unknown cost %q", c))
	}
}

// finish fills in the latencies: every result depends on every operand, a written-back base
// depends only on itself (1 cycle), and a stored value can be forwarded immediately.
func (p *parser) finish() machine.Inst {
	in := p.in
	if in.Flags&machine.Unknown == 0 {
		in.LowLatency, in.HighLatency, in.LowSlots, in.HighSlots = in.Latency, in.Latency, in.Slots, in.Slots
	}
	in.InitLatencies()
	if in.Flags&(machine.ZeroIdiom|machine.DepBreak) != 0 {
		return in
	}
	e := &in.Effects
	for o := range in.Outputs() {
		for i := range in.Inputs() {
			addr := i < len(e.Reads) && e.Reads[i].Role == isa.RoleAddr
			switch {
			case i >= len(e.Reads) && !e.Mem[i-len(e.Reads)].Load:
			case o >= len(e.Writes) && !e.Mem[o-len(e.Writes)].Store:
			case o >= len(e.Writes):
				in.SetPair(i, o, 0)
			case e.Writes[o].Role == isa.RoleUpdate:
				if addr && e.Reads[i].Reg == e.Writes[o].Reg {
					in.SetPair(i, o, 1)
				}
			case addr:
				in.SetPair(i, o, in.Latency)
			case i == 0 && o == 0 && p.fwd > 0:
				in.SetPair(i, o, p.fwd)
			default:
				in.SetPair(i, o, in.Latency-in.Load)
			}
		}
	}
	return in
}
