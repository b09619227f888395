//go:build linux && amd64

package advice_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"incore/internal/base/long"
	"incore/internal/isa"
)

// TestInstead executes every form that has replacements, with several registers and constants, and each of its replacements, on random registers and memory.
// Both must leave the same registers and memory; flags only where the replacement claims so.
func TestInstead(t *testing.T) {
	run, rnd := newRunner(t), rand.New(rand.NewPCG(29, 11))
	tried, most := map[string]int{}, 3
	if long.Tests() {
		most = 40
	}
	for f := isa.FormID(1); int(f) < run.set.Forms.Len(); f++ {
		for in := range isa.Samples(run.set, f) {
			text := string(run.set.Print(nil, &in, "att"))
			if tried[run.set.FormName(&in)] >= most {
				break
			}
			for _, text := range registersOf(text) {
				insts, err := run.set.Parse(nil, text, "att")
				if err != nil || len(insts) != 1 || run.set.Flow(&insts[0]).Kind != isa.FlowNext {
					continue
				}
				for _, x := range run.set.Rewrites.Instead(&insts[0], unused(run.set, text)) {
					tried[run.set.FormName(&insts[0])]++
					run.equivalent(t, rnd, text, &x)
				}
			}
		}
	}
	if len(tried) < 40 {
		t.Errorf("only %d forms have replacements that were tried", len(tried))
	}
}

// registersOf returns a statement with other registers: all different, and all the same.
func registersOf(text string) []string {
	out := []string{text}
	same := text
	for _, n := range []string{"8", "9", "10", "11"} {
		for _, kind := range []string{"%xmm", "%ymm", "%r"} {
			same = strings.NewReplacer(kind+n+",", kind+"9,", kind+n+")", kind+"9)").Replace(same)
		}
	}
	for _, s := range []string{same, strings.NewReplacer("%eax", "%edx", "%ecx", "%edx", "%rcx", "%rdx", "%rax", "%rdx").Replace(text), strings.NewReplacer("%eax", "%r9d", "%ecx", "%r10d", "%rcx", "%r10", "%rax", "%r9").Replace(text),
		strings.NewReplacer("%xmm0", "%xmm3", "%xmm1", "%xmm5", "%ymm0", "%ymm3", "%ymm1", "%ymm5").Replace(text)} {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// unused returns registers that a statement does not name.
func unused(set *isa.ISA, text string) (out []isa.Reg) {
	for _, n := range []string{"r12", "r13", "zmm14", "zmm15"} {
		out = append(out, set.Regs.Spelled(n))
	}
	return out
}

// equivalent compares an instruction with its replacement.
func (r *runner) equivalent(t *testing.T, rnd *rand.Rand, text string, x *isa.Instead) {
	t.Helper()
	symbols := map[string]uint64{}
	code, err := r.assemble(nil, symbols, text)
	if err != nil {
		return
	}
	other, err := r.assemble(nil, symbols, x.Statements...)
	if err != nil {
		t.Errorf("%s: its replacement is no code: %v", text, err)
		return
	}
	f := small
	if x.Needs == "" {
		f = fill(rnd.IntN(int(fills)))
	}
	from := random(rnd, f, r.bases(text), [16]bool{})
	if x.Needs == "fits-32" {
		from.gpr[2] = 0
		if strings.HasPrefix(text, "idiv") && rnd.IntN(2) == 0 {
			from.gpr[0], from.gpr[2] = -from.gpr[0], ^uint64(0)
		}
		if from.gpr[3] == 0 {
			return
		}
	}
	a, err := r.run(from, code, "")
	if err != nil {
		return // not on this machine, or an address that is none
	}
	b, err := r.run(from, other, "")
	if err != nil {
		t.Errorf("%s → %s: %v", text, strings.Join(x.Statements, "; "), err)
		return
	}
	for i, n := range gprNames {
		if a.gpr[i] != b.gpr[i] && i != 12 && i != 13 {
			t.Errorf("%s → %s: %s is %#x, not %#x", text, strings.Join(x.Statements, "; "), n, b.gpr[i], a.gpr[i])
		}
	}
	for i := range 14 {
		if n := map[bool]int{true: 4, false: 64}[x.Needs == "upper-lanes"]; string(a.vec[i][:n]) != string(b.vec[i][:n]) {
			t.Errorf("%s → %s: vector %d is %x, not %x", text, strings.Join(x.Statements, "; "), i, b.vec[i], a.vec[i])
		}
	}
	if string(a.mem) != string(b.mem) {
		t.Errorf("%s → %s: other memory", text, strings.Join(x.Statements, "; "))
	}
}

// bases returns the registers that are bases of addresses in statements.
func (r *runner) bases(statements ...string) (out [16]bool) {
	out[4] = true
	for _, s := range statements {
		insts, _ := r.set.Parse(nil, s, "att")
		for i := range insts {
			var e isa.Effects
			r.set.Effects(&insts[i], &e)
			for _, m := range e.Mem {
				if n := number(r.set, m.Base); n >= 0 {
					out[n] = true
				}
			}
		}
	}
	return out
}

// number returns the hardware number of the general register that a register is part of, -1 for others.
func number(set *isa.ISA, reg isa.Reg) int {
	if reg == isa.NoReg {
		return -1
	}
	return slices.IndexFunc(gprNames, func(n string) bool { return set.Regs.Overlap(set.Regs.Spelled(n), reg) })
}
