package plan

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"incore/internal/isa"
)

// TestMemoryPlans checks by the instructions' effects that chases wait for themselves, and that there are tests of every kind.
func TestMemoryPlans(t *testing.T) {
	for _, x := range []*Target{X86(), ARM64(), RISCV64()} {
		kinds, beside := map[string]int{}, 0
		tests := x.MemoryTests(nil)
		for i := range tests {
			m := &tests[i]
			kinds[m.Unit]++
			var load, store string
			if n, _ := fmt.Sscanf(m.Name, BesideName, &load, &store); n == 2 {
				if beside++; !alternates(x, m.Plan) {
					t.Errorf("%s: not a load and a store in turn, to different bytes", m.Name)
				}
			}
			if strings.HasSuffix(m.Name, " at one address") {
				continue
			}
			if at, r := dependent(x, m.Plan, 2); m.Unit == UnitEach && at >= 0 {
				t.Errorf("%s: access %d waits for one before it, in %s: %s", m.Name, at, x.ISA.Regs.Name(r), x.Text(&m.Plan.Insts[at]))
			}
		}
		t.Log(x.ISA.Name, kinds)
		want := []string{UnitLatency, UnitForward + SameBytes, UnitForward + FewerBytes, UnitForward + MoreBytes, UnitEach}
		if x == ARM64() {
			want = append(want, UnitUpdate)
		}
		if x != RISCV64() {
			want = append(want, UnitForward+ToVector, UnitForward+ToInteger)
		}
		if beside < 2 {
			t.Errorf("%s: %d tests of loads beside stores", x.ISA.Name, beside)
		}
		for _, u := range want {
			if kinds[u] < 10 {
				t.Errorf("%s: %d tests of %s", x.ISA.Name, kinds[u], u)
			}
		}
	}
}

// alternates reports whether a plan loads and stores in turn, and stores no byte that it loads.
func alternates(x *Target, p *Plan) bool {
	loaded, stored := map[int64]bool{}, map[int64]bool{}
	for i := range p.Insts {
		var e isa.Effects
		x.ISA.Effects(&p.Insts[i], &e)
		if len(e.Mem) != 1 || e.Mem[0].Load != (i%2 == 0) || e.Mem[0].Store != (i%2 == 1) {
			return false
		}
		for b := range int64(e.Mem[0].Bits/8) * max(1, int64(e.Mem[0].Elems)) {
			if e.Mem[0].Load {
				loaded[e.Mem[0].Disp+b] = true
			} else {
				stored[e.Mem[0].Disp+b] = true
			}
		}
	}
	for b := range loaded {
		if stored[b] {
			return false
		}
	}
	return len(loaded) > 0
}

// TestConditions: the forms with a condition are measured with those that need several flags, too.
func TestConditions(t *testing.T) {
	x := X86()
	for name, want := range map[string]int{"CMOV64rr": 6, "SETCCr": 6, "ADD64rr": 0, "CMOV64rm": 0, "PSHUFDri": 0} {
		f := x.ISA.Forms.Named(name)
		op, values := x.Conditions(f)
		if len(values) != want || (op >= 0) != (want > 0) {
			t.Errorf("%s: operand %d, conditions %v", name, op, values)
			continue
		}
		for _, v := range values {
			in, err := x.WithImmediate(v).Instance(f)
			if err != nil || in.Ops[op].Imm != v {
				t.Errorf("%s with condition %d: %v, %v", name, v, in.Ops[op], err)
			}
		}
	}
}

// TestMemoryNames checks what the tests of some plain forms are, with the first instruction of each.
func TestMemoryNames(t *testing.T) {
	for form, want := range map[string]string{
		"LDRXui": "load-to-use LDRXui (base): ldr x0, [x27]|load-to-use LDRXui 4288(base): ldr x0, [x27, #4288]|load-to-use LDRXui 64(base): ldr x0, [x27, #64]|" +
			"load-to-use LDRXui across a line: ldr x0, [x27]|load-to-use LDRXui across a page: ldr x0, [x27]|loads of LDRXui: ldr x0, [x27]|loads of LDRXui across a line: ldr x0, [x27]|" +
			"loads of LDRXui across a page: ldr x0, [x27]",
		"LDRXroW": "load-to-use LDRXroW (base,index,signed): ldr x0, [x27, w21, sxtw]|load-to-use LDRXroW (base,index,signed,8): ldr x0, [x27, w21, sxtw #3]|" +
			"load-to-use LDRXroW (base,index,unsigned): ldr x0, [x27, w21, uxtw]|load-to-use LDRXroW (base,index,unsigned) from the base: ldr x0, [x27, w26, uxtw]|" +
			"load-to-use LDRXroW (base,index,unsigned,8): ldr x0, [x27, w21, uxtw #3]|load-to-use LDRXroW across a line: ldr x0, [x27, w21, uxtw]|" +
			"load-to-use LDRXroW across a page: ldr x0, [x27, w21, uxtw]|loads of LDRXroW: ldr x0, [x16, w26, uxtw]|" +
			"loads of LDRXroW across a line: ldr x0, [x16, w26, uxtw]|loads of LDRXroW across a page: ldr x0, [x16, w26, uxtw]",
		"STRBBpost": "forward STRBBpost to 16 bits: strb w24, [x27], #0|forward STRBBpost to 32 bits: strb w24, [x27], #0|forward STRBBpost to 64 bits: strb w24, [x27], #0|" +
			"forward STRBBpost to 8 bits: strb w24, [x27], #0|forward STRBBpost to 8 bits, into a vector register: strb w24, [x27], #0|stores of STRBBpost: strb w24, [x16], #0|write-back of STRBBpost: strb w24, [x27], #0",
		"LDPXpost": "load-to-use LDPXpost (base): ldp x5, x10, [x27], #0|load-to-use LDPXpost (base), register 2: ldp x5, x10, [x27], #0|" +
			"load-to-use LDPXpost across a line: ldp x5, x10, [x27], #0|load-to-use LDPXpost across a page: ldp x5, x10, [x27], #0|loads of LDPXpost: ldp x5, x10, [x16], #0|" +
			"loads of LDPXpost across a line: ldp x5, x10, [x16], #0|loads of LDPXpost across a page: ldp x5, x10, [x16], #0|write-back of LDPXpost: ldp x5, x10, [x27], #0",
		"LB":       "load-to-use LB (base): lb a0, 0(s1)|load-to-use LB 64(base): lb a0, 64(s1)|loads of LB: lb a0, 0(s1)",
		"AMOCAS_W": "read-modify-writes of AMOCAS_W: amocas.w a0, s0, (s8)|read-modify-writes of AMOCAS_W at one address: amocas.w a0, s0, (s1)",
	} {
		var got []string
		for _, x := range []*Target{ARM64(), RISCV64()} {
			for _, m := range x.MemoryTests(regexp.MustCompile("^" + form + "$")) {
				got = append(got, m.Name+": "+x.Text(&m.Plan.Insts[0]))
			}
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("%s:\n got %s\nwant %s", form, s, want)
		}
	}
}

// TestRepetitions checks how many rounds plans of repeated moves ask for, and that they stay within a page.
func TestRepetitions(t *testing.T) {
	x := X86()
	found := map[string]bool{}
	for _, m := range x.repetitions() {
		found[m.Name] = true
		p := m.Plan
		last := len(p.Insts) - 1
		var name string
		var bytes, width int
		if _, err := fmt.Sscanf(strings.NewReplacer("rep ", "", ",", "").Replace(m.Name), "%s %d bytes", &name, &bytes); err != nil {
			t.Fatal(err)
		}
		width = map[byte]int{'b': 1, 'q': 8}[name[4]]
		if n := p.Insts[0].Ops[1].Imm; n*int64(width) != int64(bytes) {
			t.Errorf("%s: %d rounds", m.Name, n)
		}
		if p.N != 1 || !p.Own[last] || p.Insts[last].Prefix&isa.PfxRep == 0 {
			t.Errorf("%s: %s is measured", m.Name, x.ISA.Print(nil, &p.Insts[last], "att"))
		}
	}
	for _, want := range []string{"rep movsb, 1 bytes", "rep stosq, 0 bytes", "rep movsq, 2048 bytes"} {
		if !found[want] {
			t.Errorf("no %s", want)
		}
	}
	if len(found) != 42 || found["rep movsq, 1 bytes"] {
		t.Errorf("%d tests", len(found))
	}
}
