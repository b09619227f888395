package memdep_test

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"incore/internal/analysis/memdep"
	"incore/internal/base/blob"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
)

// trial is a piece of code with what the evaluator says it does.
type trial struct {
	form   isa.FormID // the one that is tried
	regs   []uint64   // before
	memory []byte
	code   []byte
	insts  []isa.Line
	want   []uint64 // afterwards, where known
	known  []bool
	wantM  []byte
	knownM []bool
}

// trials makes code at random.
type trials struct {
	*target
	a    *isa.ISA
	x    *memdep.Executor
	rng  *rand.Rand
	regs []isa.Reg
	// always and, of the trial being made, others hold addresses in memory, and some hold small numbers.
	always            []isa.Reg
	pointers, indices []isa.Reg
	*trial
	effects isa.Effects
	flagged []isa.FormID // forms that set flags
	shown   int
}

func newTrials(t testing.TB, tg *target, seed uint64) *trials {
	a := catalog.ISA(tg.isa)
	g := &trials{target: tg, a: a, x: memdep.NewExecutor(a, tg.vector), rng: rand.New(rand.NewPCG(seed, 7))}
	spelled := func(name string) isa.Reg {
		r := a.Regs.Spelled(name)
		if r == isa.NoReg {
			t.Fatalf("no register %s", name)
		}
		return r
	}
	for _, name := range strings.Fields(tg.registers) {
		g.regs = append(g.regs, spelled(name))
	}
	for _, name := range strings.Fields(tg.always) {
		g.always = append(g.always, spelled(name))
	}
	return g
}

// number makes a number that is often an extreme one.
func (g *trials) number() uint64 {
	v := g.rng.Uint64()
	switch g.rng.IntN(6) {
	case 0:
		v = [...]uint64{0, 1, 2, 3, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 1 << 32, 1<<63 - 1, 1 << 63, ^uint64(0), 0xffffffff80000000}[v%18]
	case 1:
		v >>= g.rng.IntN(64)
	case 2:
		v = -(v >> g.rng.IntN(64))
	}
	return v
}

// begin starts a trial: registers and memory get their contents.
func (g *trials) begin() {
	g.trial = &trial{memory: make([]byte, memBytes)}
	g.x.Reset()
	for i := 0; i < memBytes; i += 8 {
		v := g.number()
		binary.LittleEndian.PutUint64(g.memory[i:], v)
		g.x.Store(memoryBase+uint64(i), v)
	}
	perm := g.rng.Perm(len(g.regs))
	n := len(g.regs) / 4
	g.pointers, g.indices = append(g.pointers[:0], g.always...), g.indices[:0]
	for i, k := range perm {
		switch r := g.regs[k]; {
		case slices.Contains(g.always, r) || !g.full(r):
		case i < n:
			g.pointers = append(g.pointers, r)
		case i < 2*n:
			g.indices = append(g.indices, r)
		}
	}
	for _, r := range g.regs {
		v := g.number()
		switch {
		case !g.full(r):
			v = 0
		case slices.Contains(g.pointers, r):
			v = memoryBase + memBytes/2 + uint64(g.rng.IntN(memBytes/4)-memBytes/8)&^15
		case slices.Contains(g.indices, r):
			v = uint64(g.rng.IntN(64) - 32)
			if g.rng.IntN(2) == 0 {
				v = uint64(uint32(v))
			}
		}
		g.trial.regs = append(g.trial.regs, v)
		if g.full(r) {
			g.x.Set(r, v)
		}
	}
}

// show reports what went wrong in a trial.
func (g *trials) show(t *testing.T, tr *trial, diffs []string) {
	if g.shown++; g.shown > 40 {
		return
	}
	text := ""
	for i := range tr.insts {
		text += fmt.Sprintf("\n\t%s (%s)", tr.insts[i].Text, g.a.FormName(&tr.insts[i].Inst))
	}
	t.Errorf("%s%s\n\t%s", hex.EncodeToString(tr.code), text, strings.Join(diffs[:min(len(diffs), 6)], "\n\t"))
}

func (g *trials) full(r isa.Reg) bool {
	_, _, width := g.a.Semantics.Part(r)
	return width == 64
}

// end notes what the evaluator says of registers and memory.
func (g *trials) end() *trial {
	t := g.trial
	for _, r := range g.regs {
		v, ok := uint64(0), true
		if g.full(r) {
			v, ok = g.x.Get(r)
		}
		t.want, t.known = append(t.want, v), append(t.known, ok)
	}
	for i := uint64(0); i < memBytes; i += 8 {
		v, known := g.x.Load(memoryBase + i)
		t.wantM = binary.LittleEndian.AppendUint64(t.wantM, v)
		for b := range 8 {
			t.knownM = append(t.knownM, known>>b&1 != 0)
		}
	}
	return t
}

// add appends an instruction of a form; false if none was found that can run. Instructions that
// others follow leave pointers pointers.
func (g *trials) add(f isa.FormID, last bool) bool {
	for range 3000 {
		l := isa.Line{Addr: codeBase + uint64(len(g.code))}
		code, ok := g.instance(f, l.Addr, &l.Inst)
		if !ok {
			continue
		}
		if g.a.Context != nil {
			context := make([]isa.Inst, 0, 16)
			for i := range g.insts {
				context = append(context, g.insts[i].Inst)
			}
			context = append(context, l.Inst)
			g.a.Context(context, false)
			l.Inst = context[len(context)-1]
		}
		if g.runs(&l, last) {
			l.Text = string(g.a.Print(nil, &l.Inst, g.a.Syntaxes[0]))
			g.code = append(g.code, code...)
			g.insts = append(g.insts, l)
			g.x.Execute()
			return true
		}
	}
	return false
}

// runs reports whether an instruction accesses the memory there is, and prepares it if so.
func (g *trials) runs(l *isa.Line, last bool) bool {
	g.a.Effects(&l.Inst, &g.effects)
	for i := range g.effects.Writes {
		w := &g.effects.Writes[i]
		full, _, _ := g.a.Semantics.Part(w.Reg)
		if !last && w.Role != isa.RoleUpdate && (slices.Contains(g.pointers, full) || slices.Contains(g.indices, full)) {
			return false
		}
		for k := range g.effects.Reads {
			if a := &g.effects.Reads[k]; g.once && w.Role == isa.RoleUpdate && a.Role == isa.RoleData && g.a.Regs.Overlap(w.Reg, a.Reg) {
				return false
			}
		}
		for k := range i {
			if g.once && g.a.Regs.Overlap(w.Reg, g.effects.Writes[k].Reg) {
				return false
			}
		}
	}
	if slices.Contains(g.wrong, g.a.FormName(&l.Inst)) {
		for i := range g.effects.Reads {
			if v, _ := g.x.Get(g.effects.Reads[i].Reg); uint32(v) == 0 {
				return false
			}
		}
	}
	aligned := hasPrefix(g.a.FormName(&l.Inst), g.aligned)
	for _, a := range g.x.Prepare(l) {
		if aligned && a.Addr%uint64(max(1, a.Size)) != 0 {
			return false
		}
		if !a.Known || a.Size == 0 || a.Addr < memoryBase || a.Addr > memoryBase+memBytes-uint64(a.Size) {
			return false
		}
	}
	return true
}

// instance makes an instruction of a form: operands that fit their classes by chance, of which the
// encoder takes what can be, and some bits changed that leave the form as it is.
func (g *trials) instance(f isa.FormID, addr uint64, in *isa.Inst) ([]byte, bool) {
	*in = isa.Inst{Form: f}
	for _, o := range g.a.Forms.Operands(f) {
		g.operand(in, &o)
	}
	ties := g.a.Forms.Ties(f)
	for i := 0; i < ties.Len(); i += 2 {
		in.Ops[ties.At(i)] = in.Ops[ties.At(i+1)]
	}
	code, err := g.a.Encode(nil, in, addr)
	if err != nil {
		return nil, false
	}
	for range g.rng.IntN(20) {
		bit := g.rng.IntN(8 * len(code))
		code[bit/8] ^= 1 << (bit % 8)
		var changed isa.Inst
		if n, err := g.a.Decode(code, addr, &changed); err != nil || n != len(code) || changed.Form != f {
			code[bit/8] ^= 1 << (bit % 8)
		}
	}
	n, err := g.a.Decode(code, addr, in)
	first := 0
	for first < len(code)-1 && strings.IndexByte(g.prefixes, code[first]) >= 0 {
		first++
	}
	return code, err == nil && n == len(code) && in.Form == f && (g.never == 0 || code[first] != g.never)
}

func (g *trials) operand(in *isa.Inst, o *isa.OpDecl) {
	some := func(l []isa.Reg) isa.Reg { return l[g.rng.IntN(len(l))] }
	if o.Class.Kind == "mem" && o.Class.Sub == 5 { // x86
		base, index := some(g.pointers), isa.NoReg
		if g.rng.IntN(2) == 0 {
			index = some(g.indices)
		}
		in.AddReg(base)
		in.AddImm(1 << g.rng.IntN(4))
		in.AddReg(index)
		in.AddImm(int64(int32(g.number())) >> g.rng.IntN(32))
		in.AddReg(isa.NoReg)
		return
	}
	if o.Class.Kind == "imm" && o.Class.Sub == 2 && len(g.pairs) > 0 && g.rng.IntN(2) == 0 { // a register and how it is shifted or extended
		members, _ := g.a.Regs.Class(g.pairs[g.rng.IntN(len(g.pairs))])
		in.AddReg(isa.Reg(members.At(g.rng.IntN(members.Len()))))
		in.AddImm(g.immediate())
		return
	}
	if at, ok := map[string]string{"dst": "rdi", "src": "rsi"}[o.Class.Name[:min(3, len(o.Class.Name))]]; ok && strings.Contains(o.Class.Name, "idx") { // x86 strings
		in.AddReg(g.a.Regs.Spelled(at))
		if o.Class.Sub == 2 {
			in.AddReg(isa.NoReg)
		}
		return
	}
	for range max(1, o.Class.Sub) {
		members, _ := g.a.Regs.Class(o.Class.RegClass)
		switch {
		case o.Class.Kind != "reg" || members.Len() == 0:
			in.AddImm(g.immediate())
		default:
			r := isa.Reg(members.At(g.rng.IntN(members.Len())))
			if p := some(g.pointers); g.rng.IntN(3) == 0 && contains(members, p) {
				r = p
			}
			in.AddReg(r)
		}
	}
}

func contains(members blob.U16, r isa.Reg) bool {
	for i := range members.Len() {
		if isa.Reg(members.At(i)) == r {
			return true
		}
	}
	return false
}

func (g *trials) immediate() int64 {
	v := int64(g.number())
	switch g.rng.IntN(6) {
	case 0:
		return int64(g.rng.IntN(8))
	case 1:
		return int64(g.rng.IntN(256))
	case 2:
		return memoryBase + int64(g.rng.IntN(memBytes))&^7
	case 3:
		return v >> 40 << 12
	}
	return v >> g.rng.IntN(64)
}

// mayLack reports whether a form belongs to an extension that few machines have.
func (g *trials) mayLack(f isa.FormID) bool {
	if n := g.a.Forms.Name(f); g.encoding != 0 && (g.a.Forms.Encoding(f) == g.encoding || strings.HasPrefix(n, "PUSHP") || strings.HasPrefix(n, "POPP")) {
		return true
	}
	for _, p := range g.a.Forms.Predicates(f) {
		if hasPrefix(p, g.absent) {
			return true
		}
	}
	return false
}

func hasPrefix(s string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}

// singles makes trials of one instruction for all forms.
func (g *trials) singles(t *testing.T, count int, wanted func(isa.FormID, *isa.Inst) bool) (forms []isa.FormID, out []*trial) {
	var none, missed []string
	all := 0
	for f := isa.FormID(1); int(f) < g.a.Forms.Len(); f++ {
		g.begin()
		var in isa.Inst
		found := false
		for range 1000 {
			if _, found = g.instance(f, codeBase, &in); found {
				break
			}
		}
		if !found && g.a.Forms.Flags(f)&(isa.Pseudo|isa.CodeGenOnly|isa.AsmParserOnly) == 0 {
			missed = append(missed, g.a.Forms.Name(f))
		}
		if !found || hasPrefix(g.a.Forms.Name(f), g.unfit) || !wanted(f, &in) {
			continue
		}
		all++
		made, n := 0, count
		if g.mayLack(f) {
			n = 1
		}
		g.a.Effects(&in, &g.effects)
		flags := slices.ContainsFunc(g.effects.Reads, func(r isa.Access) bool { return r.Role == isa.RoleFlags })
		if slices.ContainsFunc(g.effects.Writes, func(w isa.Access) bool { return w.Role == isa.RoleFlags }) && !g.mayLack(f) {
			g.flagged = append(g.flagged, f)
		}
		if flags {
			n *= 4
		}
		for k := range n {
			g.begin()
			if flags && k%8 != 0 && len(g.flagged) > 0 {
				g.add(g.flagged[g.rng.IntN(len(g.flagged))], false)
			}
			if g.prologue(); g.add(f, true) {
				made++
				g.trial.form = f
				out = append(out, g.end())
			}
		}
		if made == 0 {
			none = append(none, g.a.Forms.Name(f))
			continue
		}
		forms = append(forms, f)
	}
	t.Logf("of %d forms no operands were found that can be encoded: %s", len(missed), strings.Join(missed, " "))
	t.Logf("%d forms, of which %d set flags; of %d no instruction was found that runs in a buffer: %s", all, len(g.flagged), len(none), strings.Join(none[:min(len(none), 20)], " "))
	return forms, out
}

// prologue may begin a trial with an instruction that others need.
func (g *trials) prologue() {
	if len(g.before) == 0 || g.rng.IntN(2) == 0 {
		return
	}
	text := g.before[g.rng.IntN(len(g.before))]
	insts, err := g.a.Parse(nil, text, g.a.Syntaxes[0])
	if err != nil {
		panic(text + ": " + err.Error())
	}
	l := isa.Line{Addr: codeBase, Text: text}
	code, err := g.a.Encode(nil, &insts[0], l.Addr)
	if err != nil {
		panic(text + ": " + err.Error())
	}
	if _, err := g.a.Decode(code, l.Addr, &l.Inst); err != nil {
		panic(text + ": " + err.Error())
	}
	context := []isa.Inst{l.Inst}
	g.a.Context(context, false)
	l.Inst = context[0]
	g.x.Prepare(&l)
	g.x.Execute()
	g.code, g.insts = append(g.code, code...), append(g.insts, l)
}

// sequences makes trials of several instructions.
func (g *trials) sequences(forms []isa.FormID, count, length int) (out []*trial) {
	for range count {
		g.begin()
		for len(g.insts) < length {
			g.add(forms[g.rng.IntN(len(forms))], len(g.insts) == length-1)
		}
		out = append(out, g.end())
	}
	return out
}
