package memdep_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"incore/internal/base/long"
	"incore/internal/isa"
)

// thorough reports whether tests run all forms and all levels of optimisation. It is asked for within tests: go test keeps
// results by the variables that these look up, not by those of the package's initialisation.
func thorough() bool { return os.Getenv("INCORE_THOROUGH") != "" }

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
	// unfit are forms, by prefix, that would end the program: they load segments or the trap flag, authenticate pointers, divide by
	// what they get (TestDivision), or touch the stack elsewhere.
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
		unfit: []string{"POPF", "POPGS", "ENTER", "INSB", "INSW", "INSL", "OUTS", "DIV", "IDIV"}, system: []string{"VMCALL", "VMMCALL", "SGDT", "SIDT", "SMSW"}, gcc: "x86_64-linux-gnu-gcc", qemu: "qemu-x86_64", qemuArgs: []string{"-cpu", "max"}, native: "amd64", least: 590,
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
		written := make(chan struct{})
		go func(all []*trial) {
			defer close(written)
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
		<-written
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
			each := 1
			least := tg.least
			if long.Tests() {
				each = 8
			}
			forms, single := g.singles(t, each, func(f isa.FormID, in *isa.Inst) bool { return evaluated(g.a, in, &g.effects) })
			if !long.Tests() {
				single, least = long.Spread(single, len(single)/6), least/8
			}
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
			forms = slices.DeleteFunc(forms, func(f isa.FormID) bool { return !done[f] || bad[f] })
			if len(forms) == 0 {
				return
			}
			ok, sequences := 0, g.sequences(forms, long.Count(400, 100), 10)
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
			if len(done) < least {
				t.Errorf("%d forms compared, at least %d were", len(done), least)
			}
		})
	}
}

// TestEffects runs forms that are not evaluated, too: what an instruction is said to write must be all that it writes. A tenth of
// the forms is taken, all if INCORE_THOROUGH is set. Instructions that cannot run here, or only in privileged
// mode or with operands that no chance finds, are passed over.
func TestEffects(t *testing.T) {
	long.Only(t, "runs a tenth of all forms")
	for i := range targets {
		tg := &targets[i]
		t.Run(tg.isa, func(t *testing.T) {
			r := newRunner(t, tg)
			g := newTrials(t, tg, 2)
			every := 10
			if thorough() {
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
