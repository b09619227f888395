package memdep_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"incore/internal/analysis/memdep"
	"incore/internal/blob"
	"incore/internal/catalog"
	"incore/internal/isa"
)

// thorough makes tests run all forms and all levels of optimisation.
var thorough = os.Getenv("INCORE_THOROUGH") != ""

// The layout of the programs testdata/run_*.s: they read registers, code and memory from their standard input, run
// the code, and write registers and memory to their standard output, until the input ends.
const (
	runnerBase = 0x10000000
	codeBase   = runnerBase + regBytes
	memoryBase = runnerBase + 0x4000
	regBytes   = 256
	codeBytes  = 768
	memBytes   = 8192
)

// target is an instruction set and how to run its code here.
type target struct {
	isa       string
	registers string // in the order of the runner
	always    string // what always holds addresses
	nop       string // machine code
	gcc, qemu string
	qemuArgs  []string
	vector    int // bytes of vector registers
	native    string
	// absent are extensions that machines may lack, by the prefix of LLVM's predicate, encoding those by the encoding.
	absent   []string
	encoding byte
	// never is the first byte, behind the prefixes, of machine code that few machines have.
	never    byte
	prefixes string
	// aligned are the forms, by prefix of their names, whose accesses must be aligned.
	aligned []string
	// wrong are forms that qemu gets wrong where the lowest 32 bits of a register that they read are 0.
	wrong []string
	// unfit are forms, by prefix, that would end the program: they load segments or the trap flag, authenticate pointers, or
	// touch the stack elsewhere.
	unfit []string
	// system are forms, by prefix, that the kernel carries out, or that store more than the tables say.
	system []string
	// before are instructions that vector instructions need.
	before []string
	// pairs are the register classes of operands that are a register and an immediate.
	pairs []string
	// once: instructions that write a register twice (or load or store the base they update) are unpredictable.
	once bool
	// least is the number of forms that must have been compared.
	least int
}

var targets = []target{
	{isa: "x86-64", registers: "rax rcx rdx rbx rsp rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15", always: "rsp rsi rdi", nop: "90",
		unfit: []string{"POPF", "POPGS", "ENTER", "INSB", "INSW", "INSL", "OUTS"}, system: []string{"VMCALL", "VMMCALL", "SGDT", "SIDT", "SMSW"}, gcc: "x86_64-linux-gnu-gcc", qemu: "qemu-x86_64", qemuArgs: []string{"-cpu", "max"}, native: "amd64", least: 590,
		encoding: 'E', never: 0xd5, prefixes: "\x2e\x36\x3e\x26\x64\x65\x66\x67\xf0\xf2\xf3"}, // APX: EVEX on general registers, REX2
	{isa: "aarch64", registers: "x0 x1 x2 x3 x4 x5 x6 x7 x8 x9 x10 x11 x12 x13 x14 x15 x16 x17 x18 x19 x20 x21 x22 x23 x24 x25 x26 x27 x28 x29 x30 sp",
		always: "sp", nop: "1f2003d5", gcc: "aarch64-linux-gnu-gcc", qemu: "qemu-aarch64", vector: 32,
		qemuArgs: []string{"-cpu", "max,sve-default-vector-length=32"}, native: "arm64", least: 470, absent: []string{"HasCSSC", "HasRCPC3"},
		aligned: []string{"LDA", "LDLA", "STL", "LDX", "ST2G", "STZ2G", "STG", "STZG"}, unfit: []string{"LDRAA", "LDRAB"}, once: true, pairs: []string{"GPR32", "GPR64"}},
	{isa: "riscv64", registers: "x0 x1 x2 x3 x4 x5 x6 x7 x8 x9 x10 x11 x12 x13 x14 x15 x16 x17 x18 x19 x20 x21 x22 x23 x24 x25 x26 x27 x28 x29 x30 x31",
		always: "sp", nop: "13000000", gcc: "riscv64-linux-gnu-gcc", qemu: "qemu-riscv64", vector: 32,
		qemuArgs: []string{"-cpu", "rv64,v=true,vlen=256,zba=true,zbb=true,zbs=true,zbc=true"}, native: "riscv64", least: 125,
		absent: []string{"HasVendorXTHead", "HasStdExtZcb"},
		wrong:  []string{"CTZW"}, // before 8.0 (target/riscv: fix ctzw behavior)
		before: []string{"vsetvli t0, zero, e8, m1, ta, ma", "vsetvli t0, zero, e16, m2, ta, ma", "vsetvli t0, zero, e32, mf2, ta, ma", "vsetvli t0, zero, e64, m4, ta, ma"}},
}

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

// runner is a built testdata/run_*.s.
type runner struct {
	*target
	command []string
	nop     []byte
}

func newRunner(t *testing.T, tg *target) *runner {
	t.Helper()
	r := &runner{target: tg}
	if r.nop, _ = hex.DecodeString(tg.nop); tg.native != runtime.GOARCH || runtime.GOOS != "linux" {
		if _, err := exec.LookPath(tg.qemu); err != nil {
			t.Skipf("%s is not installed (Debian package qemu-user)", tg.qemu)
		}
		r.command = append([]string{tg.qemu}, tg.qemuArgs...)
	}
	gcc := tg.gcc
	if _, err := exec.LookPath(gcc); err != nil {
		if gcc = "gcc"; tg.native != runtime.GOARCH {
			t.Skipf("%s is not installed (Debian package gcc-%s)", tg.gcc, strings.TrimSuffix(strings.ReplaceAll(tg.gcc, "_", "-"), "-gcc"))
		}
	}
	out := filepath.Join(t.TempDir(), "run")
	build := exec.Command(gcc, "-Wa,--defsym,VECTOR="+fmt.Sprint(tg.vector), "-nostdlib", "-static", fmt.Sprintf("-Wl,--section-start=.area=%#x", runnerBase), "-Wl,--build-id=none", "-o", out, "testdata/run_"+tg.isa+".s")
	if text, err := build.CombinedOutput(); err != nil {
		t.Skipf("%s: %v\n%s", strings.Join(build.Args, " "), err, text)
	}
	r.command = append(r.command, out)
	return r
}

// run executes trials and calls judge with registers and memory afterwards, nil after a crash.
func (r *runner) run(t *testing.T, all []*trial, judge func(tr *trial, regs, memory []byte)) {
	t.Helper()
	for len(all) > 0 {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
		cmd := exec.CommandContext(ctx, r.command[0], r.command[1:]...)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		go func(all []*trial) {
			defer in.Close()
			for _, tr := range all {
				if _, err := in.Write(r.input(tr)); err != nil {
					return
				}
			}
		}(all)
		done := 0
		for buf := make([]byte, regBytes+memBytes); done < len(all); done++ {
			if _, err := io.ReadFull(out, buf); err != nil {
				break
			}
			judge(all[done], buf[:regBytes], buf[regBytes:])
		}
		err = cmd.Wait()
		late := ctx.Err() != nil
		cancel()
		if done < len(all) {
			if late {
				t.Fatalf("%s: no end after five minutes", r.command[0])
			}
			all[done].memory = nil
			judge(all[done], nil, []byte(err.Error()))
			done++
		}
		all = all[done:]
	}
}

func (r *runner) input(tr *trial) []byte {
	var b bytes.Buffer
	for i := range regBytes / 8 {
		v := uint64(0)
		if i < len(tr.regs) {
			v = tr.regs[i]
		}
		_ = binary.Write(&b, binary.LittleEndian, v)
	}
	b.Write(tr.code)
	for b.Len()+len(r.nop) <= regBytes+codeBytes {
		b.Write(r.nop)
	}
	for b.Len() < regBytes+codeBytes { // a compressed instruction's worth
		b.Write([]byte{0x01, 0x00})
	}
	b.Write(tr.memory)
	return b.Bytes()
}

// differences lists where the machine's registers and memory are not what the evaluator says.
func (r *runner) differences(tr *trial, regs, memory []byte) (out []string) {
	for i, name := range strings.Fields(r.registers) {
		if got := binary.LittleEndian.Uint64(regs[8*i:]); tr.known[i] && got != tr.want[i] {
			out = append(out, fmt.Sprintf("%s: %#x, evaluated %#x, before %#x", name, got, tr.want[i], tr.regs[i]))
		}
	}
	for i := range memory {
		if tr.knownM[i] && memory[i] != tr.wantM[i] {
			out = append(out, fmt.Sprintf("memory+%#x: %#x, evaluated %#x", i, memory[i], tr.wantM[i]))
		}
	}
	return out
}

// evaluated reports whether there is something to be wrong about: a form is evaluated, or at least
// the registers it updates by constants are.
func evaluated(a *isa.ISA, in *isa.Inst, e *isa.Effects) bool {
	if a.Flow(in).Kind != isa.FlowNext {
		return false
	}
	if _, ok := a.Semantics.Lift(in, nil); ok {
		return true
	}
	a.Effects(in, e)
	return slices.ContainsFunc(e.Mem, func(m isa.MemRef) bool { return m.Update != 0 })
}

// TestExecution runs every form whose integer semantics are known on this machine or under qemu, on its own and
// in sequences, and compares all registers and memory with what memdep's execution says of them.
func TestExecution(t *testing.T) {
	for i := range targets {
		tg := &targets[i]
		t.Run(tg.isa, func(t *testing.T) {
			t.Parallel()
			r := newRunner(t, tg)
			g := newTrials(t, tg, 1)
			forms, single := g.singles(t, 8, func(f isa.FormID, in *isa.Inst) bool { return evaluated(g.a, in, &g.effects) })
			bad := map[isa.FormID]bool{}
			done := map[isa.FormID]bool{}
			show := func(tr *trial, diffs []string) { g.show(t, tr, diffs) }
			var absent []string
			r.run(t, single, func(tr *trial, regs, memory []byte) {
				f := tr.form
				if regs == nil {
					if bad[f] = true; !g.mayLack(f) {
						show(tr, []string{string(memory)})
					} else if n := g.a.Forms.Name(f); !slices.Contains(absent, n) {
						absent = append(absent, n)
					}
				} else if d := r.differences(tr, regs, memory); len(d) > 0 {
					bad[f] = true
					show(tr, d)
				} else {
					done[f] = true
				}
			})
			forms = slices.DeleteFunc(forms, func(f isa.FormID) bool { return bad[f] })
			if len(forms) == 0 {
				return
			}
			ok, sequences := 0, g.sequences(forms, 400, 10)
			r.run(t, sequences, func(tr *trial, regs, memory []byte) {
				if regs == nil {
					show(tr, []string{string(memory)})
				} else if d := r.differences(tr, regs, memory); len(d) > 0 {
					show(tr, d)
				} else {
					ok++
				}
			})
			t.Logf("%d forms agree, %d in %d runs of single instructions; %d of %d sequences", len(done), len(single), len(single), ok, len(sequences))
			if len(absent) > 0 {
				t.Logf("not there to run: %d: %s", len(absent), strings.Join(absent, " "))
			}
			if len(done) < tg.least {
				t.Errorf("%d forms compared, at least %d were", len(done), tg.least)
			}
		})
	}
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

// TestEffects runs forms that are not evaluated, too: what an instruction is said to write must be all that it writes. A tenth of
// the forms is taken, all if INCORE_THOROUGH is set. Instructions that cannot run here, or only in privileged
// mode or with operands that no chance finds, are passed over.
func TestEffects(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long")
	}
	for i := range targets {
		tg := &targets[i]
		t.Run(tg.isa, func(t *testing.T) {
			r := newRunner(t, tg)
			g := newTrials(t, tg, 2)
			every := 10
			if thorough {
				every = 1
			}
			_, single := g.singles(t, 2, func(f isa.FormID, in *isa.Inst) bool {
				return int(f)%every == 0 && g.a.Flow(in).Kind == isa.FlowNext && !hasPrefix(g.a.Forms.Name(f), g.system)
			})
			done, crashed := map[isa.FormID]bool{}, map[isa.FormID]bool{}
			r.run(t, single, func(tr *trial, regs, memory []byte) {
				if regs == nil {
					crashed[tr.form] = true
				} else if d := r.differences(tr, regs, memory); len(d) > 0 {
					g.show(t, tr, d)
				} else {
					done[tr.form] = true
				}
			})
			t.Logf("%d forms write what they are said to; %d were stopped by a signal", len(done), len(crashed))
			if len(done) < tg.least/10 {
				t.Errorf("only %d forms ran", len(done))
			}
		})
	}
}
