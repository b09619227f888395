// Package emulate runs plans under QEMU's user-mode emulator. It checks whether their code is as planned, and runs. It
// measures no time.
package emulate

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"incore/internal/base/platform"
	"incore/internal/base/regex"
	"incore/internal/bench/feature"
	"incore/internal/bench/host"
	"incore/internal/bench/plan"
	"incore/internal/isa"
	"incore/internal/program/qemu"
)

//go:embed csrc/count.c
var countSource string

// Emulator runs plans under QEMU's user-mode emulator. It checks whether their code is as planned, and runs. It measures no time.
type Emulator struct {
	Target *plan.Target
	path   string
	cpu    string // QEMU's name of the processor model with the most features
	plugin string // that counts instructions, "" if there is none
	// Uncounted is the reason why instructions are not counted; "" if they are.
	Uncounted string
	Version   string
	vectors   bool        // it has scalable vector registers
	features  feature.Set // features that the emulated processor reports; nil: not known
}

// emulated holds the names for emulating an instruction set.
type emulated struct {
	cpus       []string
	properties []string
	has        func(hwcap, hwcap2 uint64) feature.Set // features by the auxiliary vector, nil if that doesn't say them
}

// emulatedMachines are the emulated machines of the instruction sets, by name. The first processor that the emulator
// knows is used. If it lacks features that can be emulated (RISC-V before QEMU 8.2), properties enable those that the
// installed version knows; some have different names in different versions.
var emulatedMachines = map[string]emulated{
	"aarch64": {[]string{"max"}, nil, feature.Arm64},
	"riscv64": {[]string{"max", "rv64"}, []string{"v", "zfh", "Zfh", "zba", "zbb", "zbc", "zbs", "zbkb", "zbkc", "zbkx", "zknd", "zkne", "zknh", "zkr", "zksed", "zksh", "zicond", "x-zicond", "xventanacondops", "zmmul",
		"zca", "x-zca", "zcb", "x-zcb", "zfa", "x-zfa", "zacas", "x-zacas", "zvfh", "x-zvfh", "zvbb", "x-zvbb", "zvbc", "x-zvbc", "zvkg", "x-zvkg", "zvkned", "x-zvkned", "zvknhb", "x-zvknhb", "zvksed", "x-zvksed", "zvksh", "x-zvksh",
		"xtheadba", "xtheadbb", "xtheadbs", "xtheadcondmov", "xtheadfmemidx", "xtheadmac", "xtheadmemidx", "xtheadmempair"}, nil},
}

// New finds the emulator of a target's instruction set, and a compiler for the plugin that counts instructions.
func New(ctx context.Context, t *plan.Target) (*Emulator, error) {
	m, ok := emulatedMachines[t.ISA.Name]
	if !ok {
		return nil, fmt.Errorf("benchmarks of %s run on such machines only", t.ISA.Name)
	}
	path, err := qemu.Find(t.ISA.Name)
	if err != nil {
		return nil, err
	}
	e := &Emulator{Target: t, path: path, Version: qemu.Version(path)}
	if err := qemu.RunsPlugins(path); err != nil {
		e.Uncounted = err.Error()
	} else if e.plugin, err = qemu.Plugin("count", countSource); err != nil {
		e.Uncounted = err.Error()
	}
	p, err := t.Statements(t.Nop)
	if err != nil {
		return nil, err
	}
	runs := func() error {
		v, err := e.Run(ctx, []*plan.Plan{p})
		if err == nil && v[0].Reason != "" {
			err = errors.New(v[0].Reason)
		}
		return err
	}
	for _, e.cpu = range m.cpus {
		if err = runs(); err == nil {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s does not run the simplest benchmark: %w", path, err)
	}
	if e.cpu != "max" {
		e.enable(ctx, m.properties)
	}
	e.vectors = true
	e.vectors = runs() == nil
	return e, ctx.Err()
}

var noProperty = regex.Lazy(`Property '[^']*\.([^'.]+)' not found`)

// enable enables the processor properties that the emulator knows: the emulator rejects unknown properties by name,
// one per run, before it examines the program.
func (e *Emulator) enable(ctx context.Context, properties []string) {
	left := slices.Clone(properties)
	for range properties {
		cpu := e.cpu
		for _, x := range left {
			cpu += "," + x + "=true"
		}
		out, _ := exec.CommandContext(ctx, e.path, "-cpu", cpu, os.DevNull).CombinedOutput()
		m := noProperty().FindSubmatch(out)
		if m == nil {
			e.cpu = cpu
			return
		}
		left = slices.DeleteFunc(left, func(x string) bool { return x == string(m[1]) })
	}
}

// Verdict is the result of a plan under the emulator.
type Verdict struct {
	Reason string // the reason why the plan did not run as planned; "" if it did
	Kind   string // of the reason: illegal, fault, trap, lost, count
	Insts  uint64 // instructions of the plan that were executed, all trips together; 0 if they are not counted
}

// emulatedTrips is the number of executions of a plan in the emulator.
const emulatedTrips = 3

// A program that runs for longer than emulatedLimit plus emulatedLimitPlan for each plan counts as endless.
const (
	emulatedLimit     = 20 * time.Second
	emulatedLimitPlan = 100 * time.Millisecond
)

// Run runs plans, one after another in one program. If that program does not end, Run finds the endless plan by bisection.
func (e *Emulator) Run(ctx context.Context, plans []*plan.Plan) ([]Verdict, error) {
	v, err := e.together(ctx, plans)
	if err == nil || ctx.Err() != nil {
		return v, err
	}
	if lost := new(lostError); !errors.As(err, &lost) {
		return nil, err
	}
	if len(plans) == 1 {
		return []Verdict{{Reason: err.Error(), Kind: "lost"}}, nil
	}
	first, err := e.Run(ctx, plans[:len(plans)/2])
	if err != nil {
		return nil, err
	}
	second, err := e.Run(ctx, plans[len(plans)/2:])
	return append(first, second...), err
}

// lostError is the error if the emulator itself ends.
type lostError struct{ why string }

func (e *lostError) Error() string { return "the emulator ended: " + e.why }

// together runs plans in one program.
func (e *Emulator) together(ctx context.Context, plans []*plan.Plan) ([]Verdict, error) {
	m := emulatedMachines[e.Target.ISA.Name]
	codes := make([]*host.Code, len(plans))
	for i, p := range plans {
		c := e.Target.Code(p)
		c.Keep = false
		c.Vectors = e.vectors
		c.Short = host.Run{Copies: 1, Trips: emulatedTrips}
		codes[i] = c
	}
	program, err := host.Batch(platform.Of(e.Target.ISA.Name).Arch, codes, e.Target.Page(), e.Target.Reach()...)
	if err != nil {
		return nil, err
	}
	dir, remove, err := qemu.Dir("incore-emulate-")
	if err != nil {
		return nil, err
	}
	defer remove()
	exe, counts := filepath.Join(dir, "program"), filepath.Join(dir, "counts")
	if err := os.WriteFile(exe, program.ELF, 0o700); err != nil {
		return nil, err
	}
	args := []string{"-cpu", e.cpu}
	start := program.Bodies[0].Start
	last := program.Bodies[len(plans)-1]
	if e.plugin != "" {
		args = append(args, "-plugin", fmt.Sprintf("%s,start=%d,size=%d,out=%s", e.plugin, start, last.Start+last.Size-start, counts))
	}
	limit := emulatedLimit + time.Duration(len(plans))*emulatedLimitPlan
	timed, stop := context.WithTimeout(ctx, limit)
	defer stop()
	cmd := exec.CommandContext(timed, e.path, append(args, exe)...)
	qemu.EndWithUs(cmd)
	cmd.Env = []string{host.Padding}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if timed.Err() != nil {
			return nil, &lostError{fmt.Sprintf("it ran for more than %v", limit)}
		}
		return nil, &lostError{strings.TrimSpace(err.Error() + " " + strings.ReplaceAll(stderr.String(), "\n", " "))}
	}
	hwcap, hwcap2, outcomes, err := program.Outcomes(stdout.Bytes())
	if err != nil {
		return nil, &lostError{err.Error()}
	}
	if m.has != nil && e.features == nil {
		e.features = m.has(hwcap, hwcap2)
	}
	var executed []byte
	if e.plugin != "" {
		if executed, err = os.ReadFile(counts); err != nil {
			return nil, fmt.Errorf("reading the plugin's counts: %w", err)
		}
		if need := (last.Start + last.Size - start) / 2 * 8; uint64(len(executed)) < need {
			return nil, fmt.Errorf("the plugin counted in %d bytes instead of %d: is the disk full?", len(executed), need)
		}
	}
	out := make([]Verdict, len(plans))
	for i, p := range plans {
		out[i] = e.verdict(p, &outcomes[i], program.Bodies[i], start, executed)
	}
	return out, nil
}

// verdict compares the outcome of a plan with the expected one.
func (e *Emulator) verdict(p *plan.Plan, o *host.Outcome, body host.Span, start uint64, executed []byte) Verdict {
	t := e.Target
	sizes := make([]int, 0, len(p.Insts))
	for at := 0; at < len(p.Code); {
		var in isa.Inst
		n, err := t.ISA.Decode(p.Code[at:], 0, &in)
		if err != nil {
			return Verdict{Reason: "its machine code does not decode", Kind: "count"}
		}
		at += n
		sizes = append(sizes, n)
	}
	switch {
	case o.Signal != 0:
		at, text := body.Start, "code outside the plan"
		for i, n := range sizes {
			if o.PC == at && i < len(p.Insts) {
				text = t.Text(&p.Insts[i])
			}
			at += uint64(n)
		}
		kind := map[syscall.Signal]string{syscall.SIGILL: "illegal", syscall.SIGTRAP: "trap"}[o.Signal]
		switch kind {
		case "illegal":
			return Verdict{Reason: fmt.Sprintf("%s is no instruction of the emulated processor", text), Kind: kind}
		case "trap":
			return Verdict{Reason: text + " traps", Kind: kind}
		}
		return Verdict{Reason: fmt.Sprintf("%s ends in %v, address %#x", text, o.Signal, o.Addr), Kind: "fault"}
	case !o.Done:
		return Verdict{Reason: "its turn did not come", Kind: "lost"}
	case o.Left != 0:
		return Verdict{Reason: fmt.Sprintf("%d trips were left", int64(o.Left)), Kind: "count"}
	case len(sizes) != len(p.Insts):
		return Verdict{Reason: fmt.Sprintf("%d instructions instead of %d", len(sizes), len(p.Insts)), Kind: "count"}
	case executed == nil:
		return Verdict{}
	}
	v := Verdict{}
	at := body.Start - start
	for i, n := range sizes {
		count := binary.LittleEndian.Uint64(executed[at/2*8:])
		if v.Insts += count; count != emulatedTrips {
			return Verdict{Reason: fmt.Sprintf("%s was executed %d times instead of %d", t.Text(&p.Insts[i]), count, emulatedTrips), Kind: "count"}
		}
		for k := uint64(2); k < uint64(n); k += 2 {
			if binary.LittleEndian.Uint64(executed[(at+k)/2*8:]) != 0 {
				return Verdict{Reason: "the emulator sees other instructions in the same bytes", Kind: "count"}
			}
		}
		at += uint64(n)
	}
	return v
}

// Group is a set of plans with one result: those of a form, or of one experiment. Consecutive groups with the same
// name may also belong to one experiment.
type Group struct {
	Name  string
	Form  isa.FormID // the form whose features explain why plans may not run
	Plans []*plan.Plan
}

// Trial is the result of all plans of a group.
type Trial struct {
	Name   string
	Form   isa.FormID
	Plans  int
	Ran    int    // plans that ran as planned
	Insts  uint64 // instructions executed by those plans
	Reason string // of the first that did not, "" if all did
	Kind   string // kind of the reason
}

// emulatedPlans is the largest number of plans in one program, emulatedBytes the largest size of their code.
const (
	emulatedPlans = 400
	emulatedBytes = 1 << 20
)

// Forms runs the plans of forms, one group per form.
func (e *Emulator) Forms(ctx context.Context, forms []isa.FormID, what int, one func(*Trial) error, progress func(done, failed int)) error {
	return e.Groups(ctx, func(yield func(Group) bool) {
		for _, f := range forms {
			if p, err := e.Target.Plans(f, what); err == nil && !yield(Group{e.Target.ISA.Forms.Name(f), f, p}) {
				return
			}
		}
	}, one, progress)
}

// Memory runs the plans of memory tests, one group per test.
func (e *Emulator) Memory(ctx context.Context, tests []plan.MemoryTest, one func(*Trial) error, progress func(done, failed int)) error {
	return e.Groups(ctx, func(yield func(Group) bool) {
		for i := range tests {
			if !yield(Group{tests[i].Name, tests[i].Plan.Form, []*plan.Plan{tests[i].Plan}}) {
				return
			}
		}
	}, one, progress)
}

// Groups runs groups of plans and passes on each result as soon as it is known. progress gets the number of finished
// groups, and of groups with a plan that did not run.
func (e *Emulator) Groups(ctx context.Context, groups iter.Seq[Group], one func(*Trial) error, progress func(done, failed int)) error {
	var plans []*plan.Plan
	var trials []Trial
	done, failed, bytes := 0, 0, 0
	flush := func() error {
		if len(plans) == 0 {
			return nil
		}
		v, err := e.Run(ctx, plans)
		if err != nil {
			return err
		}
		for i := range trials {
			t := &trials[i]
			for _, w := range v[:t.Plans] {
				switch {
				case w.Reason == "":
					t.Ran++
					t.Insts += w.Insts
				case t.Reason == "":
					t.Reason, t.Kind = w.Reason, w.Kind
				}
			}
			v = v[t.Plans:]
			if done++; t.Reason != "" {
				failed++
			}
			if err := one(t); err != nil {
				return err
			}
		}
		if plans, trials, bytes = plans[:0], trials[:0], 0; progress != nil {
			progress(done, failed)
		}
		return nil
	}
	for g := range groups {
		plans, trials = append(plans, g.Plans...), append(trials, Trial{Name: g.Name, Form: g.Form, Plans: len(g.Plans)})
		for _, p := range g.Plans {
			bytes += len(p.Code)
		}
		if len(plans) >= emulatedPlans || bytes >= emulatedBytes {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// Missing lists the features that a form needs and the emulated processor does not report; nil if it reports no
// features.
func (e *Emulator) Missing(f isa.FormID) (out []string) {
	if e.features == nil {
		return nil
	}
	for _, x := range e.Target.Needs(f) {
		if !e.features.Has(x) {
			out = append(out, x)
		}
	}
	return out
}

// CPU returns QEMU's name of the emulated processor.
func (e *Emulator) CPU() string { return e.cpu }
