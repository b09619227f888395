package emulate

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"incore/internal/base/long"
	"incore/internal/bench/plan"
	"incore/internal/isa"
)

// unemulated are forms that make QEMU 7.2 itself fail.
var unemulated = map[string]*regexp.Regexp{
	"riscv64": regexp.MustCompile(`^VF[NW]?CVT_RTZ_`), // an assertion in target/riscv/translate.c
}

// basic are features that every version of the emulator with plugins has: forms that need no others must run.
var basic = map[string]string{
	"aarch64": "fp asimd aes sha2 crc32 atomics asimdhp asimdrdm jscvt fcma lrcpc dcpop sha3 sm4 asimddp sve asimdfhm ilrcpc flagm sb paca sve2 sveaes svebitperm svesha3 svesm4 flagm2 frint svef32mm svef64mm i8mm bf16 rng mte",
	"riscv64": "m a f d c zmmul zaamo zalrsc zca zcd zba zbb zbc zbs zve32x zve32f zve64x zve64f zve64d v",
}

// beyond is a feature that a form needs and not every version of the emulator has; "" if there is none.
func beyond(x *plan.Target, f isa.FormID) (absent string) {
	for _, n := range x.Needs(f) {
		has := false
		for _, alternative := range strings.Split(n, "|") {
			has = has || strings.Contains(" "+basic[x.ISA.Name]+" ", " "+alternative+" ")
		}
		if !has {
			absent = n
		}
	}
	return absent
}

// foreignForm reports whether a form is of 32-bit RISC-V, or of what shares its encodings.
func foreignForm(x *plan.Target, f isa.FormID) bool {
	return slices.ContainsFunc(x.Needs(f), func(n string) bool {
		return n == "rv32" || strings.HasSuffix(n, "inx") || strings.HasSuffix(n, "inxmin") || strings.HasPrefix(n, "xcv")
	})
}

// emulators are those of the tests: to find out what a processor can be asked for takes dozens of starts of QEMU.
var emulators = map[string]func() (*Emulator, error){
	"aarch64": sync.OnceValues(func() (*Emulator, error) { return New(context.Background(), plan.ARM64()) }),
	"riscv64": sync.OnceValues(func() (*Emulator, error) { return New(context.Background(), plan.RISCV64()) }),
}

// emulator is a target's; without one the test is skipped.
func emulator(t *testing.T, x *plan.Target) *Emulator {
	t.Helper()
	e, err := emulators[x.ISA.Name]()
	if err != nil {
		t.Skip(err)
	}
	return e
}

// TestEmulate runs a sample of all plans under QEMU: every instruction must be executed as often as planned, and nothing may fault.
func TestEmulate(t *testing.T) {
	for _, x := range []*plan.Target{plan.ARM64(), plan.RISCV64()} {
		t.Run(x.ISA.Name, func(t *testing.T) {
			e := emulator(t, x)
			step := long.Step(37, 10)
			if e.Uncounted != "" {
				t.Logf("instructions are not counted: %s", e.Uncounted)
			}
			var sample []isa.FormID
			for i, f := range x.Select(nil, nil) {
				if i%step == 0 && !foreignForm(x, f) {
					sample = append(sample, f)
				}
			}
			all, ran, whole, plans := 0, 0, 0, 0
			err := e.Forms(context.Background(), sample, plan.Latency|plan.Throughput, func(r *Trial) error {
				name := x.ISA.Forms.Name(r.Form)
				all, plans, ran = all+1, plans+r.Plans, ran+r.Ran
				if r.Reason == "" {
					whole++
					if e.Uncounted == "" && r.Insts == 0 {
						t.Errorf("%s: no instruction was executed", name)
					}
					return nil
				}
				if (r.Kind != "illegal" || beyond(x, r.Form) == "") && (unemulated[x.ISA.Name] == nil || !unemulated[x.ISA.Name].MatchString(name)) {
					t.Errorf("%s: %s", name, r.Reason)
				}
				return nil
			}, nil)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s, processor %s: %d of %d plans of %d forms ran as planned, all of %d forms", e.Version, e.CPU(), ran, plans, all, whole)
			if ran < plans/2 {
				t.Error("fewer than half of the plans ran")
			}
		})
	}
}

// TestEmulatorNotices gives the emulator plans that cannot run: each must be found, and must not harm its neighbours.
func TestEmulatorNotices(t *testing.T) {
	x := plan.RISCV64()
	e := emulator(t, x)
	of := func(texts ...string) *plan.Plan {
		p, err := x.Statements(texts...)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	short := of("addi a0, a0, 1", "addi a1, a1, 1")
	short.Insts = short.Insts[:1]
	v, err := e.Run(context.Background(), []*plan.Plan{of("addi a0, a0, 1"), of("li a0, 16", "ld a0, 0(a0)"), of("csrr a0, mstatus"), of("ebreak"), of("li t6, 1"), short, of("add a0, a1, a2")})
	if err != nil {
		t.Fatal(err)
	}
	for i, kind := range []string{"", "fault", "illegal", "trap", "count", "count", ""} {
		if v[i].Kind != kind {
			t.Errorf("plan %d: %+v, want %q", i, v[i], kind)
		}
	}
}

// TestEmulateMemory runs the tests on memory under QEMU: those of forms that every version has must all run as planned.
func TestEmulateMemory(t *testing.T) {
	for _, x := range []*plan.Target{plan.ARM64(), plan.RISCV64()} {
		t.Run(x.ISA.Name, func(t *testing.T) {
			e := emulator(t, x)
			var tests []plan.MemoryTest
			for i, m := range x.MemoryTests(x.Memory) {
				if i%long.Step(4, 8) == 0 {
					tests = append(tests, m)
				}
			}
			ran := 0
			err := e.Memory(context.Background(), tests, func(r *Trial) error {
				if r.Reason == "" {
					ran++
				} else if r.Kind != "illegal" || beyond(x, r.Form) == "" {
					t.Errorf("%s: %s", r.Name, r.Reason)
				}
				return nil
			}, nil)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s: %d of %d tests ran as planned", e.Version, ran, len(tests))
			if ran < len(tests)/4 || ran < 5 {
				t.Error("too few tests ran")
			}
		})
	}
}
