//go:build linux && amd64

package advice_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"incore/internal/analyze"
	"incore/internal/base/long"
	"incore/internal/base/source"
	"incore/internal/isa"
	"incore/internal/report"
)

// TestExecuted executes compiled loops and their changed versions on random registers and memory, for every piece of advice: both must compute the same.
// Operands of floating-point code are powers of two, so that another order of operations changes nothing.
func TestExecuted(t *testing.T) {
	run, seen := newRunner(t), map[string]int{}
	ran := map[string]int{}
	var skipped []string
	loops := 0
	for _, text := range compiled(t) {
		f, err := source.New("loops.s", []byte(text.asm))
		if err != nil {
			t.Fatal(err)
		}
		d, err := analyze.Run(f, analyze.Options{Archs: []string{"skx", "zen3", "nhm"}})
		if err != nil {
			t.Logf("%s: %v", text.name, err)
			continue
		}
		for k := range d.Kernels {
			loops++
			for i := range d.Kernels[k].Targets {
				tg := &d.Kernels[k].Targets[i]
				for n := range tg.Advice {
					a := &tg.Advice[n]
					x := &trial{run: run, target: tg, advice: a, name: fmt.Sprintf("%s, %s, %s: %s", text.name, d.Kernels[k].Name, tg.Arch, a.Text)}
					if key := x.key(); seen[key] > 0 {
						continue
					} else {
						seen[key]++
					}
					switch why, err := x.compare(); {
					case err != nil:
						t.Errorf("%s: %v\n%s", x.name, err, x.listing())
					case why != "":
						skipped = append(skipped, x.name+": "+why)
					default:
						ran[a.Kind]++
					}
				}
			}
		}
	}
	t.Logf("%d loops; executed: %v; not executed: %d\n%s", loops, ran, len(skipped), strings.Join(skipped[:min(len(skipped), 300)], "\n"))
	for _, kind := range []string{"accumulators", "reassociate", "unroll", "addressing", "wider-vectors", "keep-in-register", "false-dependency", "other-instruction", "reciprocal", "hoist", "sink-store"} {
		if ran[kind] == 0 {
			t.Errorf("no advice of kind %s was executed", kind)
		}
	}
}

// asmText is the assembly text of one source file and one compiler.
type asmText struct{ name, asm string }

// compiled returns the kernels of tools/advice, and C files compiled with several options where there is a compiler.
func compiled(t *testing.T) (out []asmText) {
	add := func(pattern string) {
		files, _ := filepath.Glob(pattern)
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, asmText{filepath.Base(f), string(b)})
		}
	}
	add("../../../tools/advice/kernels/*.s")
	add("testdata/*.s")
	flags := long.Some([]string{"-O2 -mavx2 -mfma -mbmi2", "-O2 -fno-tree-vectorize", "-O1", "-O3", "-Os", "-O3 -ffast-math -march=x86-64-v3"}, 2)
	sources := long.Spread(slices.Concat(files("../../../tools/advice/kernels/*.c"), files("../../../examples/*.c"), files("../../../tools/corpus/src/[b-qs-wyz]*.c")), 6)
	for _, cc := range []string{"gcc", "clang", "clang-19"} {
		if _, err := exec.LookPath(cc); err != nil {
			continue
		}
		for i, f := range sources {
			for k, flag := range flags {
				if len(flags) > 2 && (i+k)%len(flags) != 0 { // each source with one of the options
					continue
				}
				args := append(strings.Fields(flag), "-w", "-fno-asynchronous-unwind-tables", "-S", "-o", "-", f)
				if b, err := exec.CommandContext(context.Background(), cc, args...).Output(); err == nil {
					out = append(out, asmText{filepath.Base(f) + " " + cc + " " + flag, string(b)})
				}
			}
		}
	}
	return out
}

func files(pattern string) []string {
	l, _ := filepath.Glob(pattern)
	return l
}

// trial is one piece of advice and the loop that it changes.
type trial struct {
	run     *runner
	target  *report.Target
	advice  *report.Advice
	name    string
	before  []string // the loop without its closing branch
	after   []string
	front   []string
	behind  []string
	cond    string
	from    *state // of the original
	symbols map[string]uint64
	bases   [16]bool
	indices [16]bool
	effects []isa.Effects // of before
	element int           // bytes of the loop's floating-point numbers, 0 if it has none
	scalar  bool          // it works on single ones
}

func (x *trial) key() string {
	var b strings.Builder
	for _, l := range x.target.Instructions {
		b.WriteString(l.Text + "\n")
	}
	for _, l := range x.advice.Code {
		b.WriteString(l.Text + "\n")
	}
	return b.String()
}

func (x *trial) listing() string {
	return "  " + strings.Join(x.before, "\n  ") + "\nchanged:\n  " + strings.Join(append(slices.Clone(x.front), x.after...), "\n  ")
}

// prepare splits the loop; why is the reason why it cannot be executed as straight code.
func (x *trial) prepare() (why string) {
	if len(x.advice.Code) == 0 {
		return "no code"
	}
	for i := range x.target.Instructions {
		x.before = append(x.before, x.target.Instructions[i].Text)
	}
	for _, l := range x.advice.Code {
		x.after = append(x.after, l.Text)
	}
	for _, l := range x.advice.Front {
		x.front = append(x.front, l.Text)
	}
	for _, l := range x.advice.Behind {
		x.behind = append(x.behind, l.Text)
	}
	last := x.before[len(x.before)-1]
	if !strings.HasPrefix(last, "j") || strings.HasPrefix(last, "jmp") || x.after[len(x.after)-1] != strings.Join(strings.Fields(last), " ") {
		return "no closing branch"
	}
	x.cond = strings.Fields(last)[0][1:]
	x.before, x.after = x.before[:len(x.before)-1], x.after[:len(x.after)-1]
	x.symbols = map[string]uint64{}
	for _, s := range slices.Concat(x.before, x.after, x.front, x.behind) {
		insts, err := x.run.set.Parse(nil, s, "att")
		if err != nil || len(insts) == 0 {
			return "cannot be read: " + s
		}
		for i := range insts {
			if x.run.set.Flow(&insts[i]).Kind != isa.FlowNext {
				return "branches inside"
			}
			x.symbolsOf(&insts[i])
		}
	}
	x.registers()
	return ""
}

// symbolsOf gives each symbol a region of its own.
func (x *trial) symbolsOf(in *isa.Inst) {
	for i := range in.Ops[:in.NOps] {
		if o := &in.Ops[i]; o.Kind == isa.OpExpr && x.symbols[o.Expr.Sym] == 0 {
			x.symbols[o.Expr.Sym] = region(16 + len(x.symbols)%16)
		}
	}
}

// registers finds the registers that are bases and indices of addresses.
func (x *trial) registers() {
	x.bases = x.run.bases(x.before...)
	for _, s := range x.before {
		insts, _ := x.run.set.Parse(nil, s, "att")
		var e isa.Effects
		x.run.set.Effects(&insts[0], &e)
		x.effects = append(x.effects, e)
		if o, _ := operationOf(s); o.float && (o.scalar || !strings.HasPrefix(strings.TrimPrefix(s, "v"), "mov")) {
			x.element, x.scalar = o.bytes, x.scalar || o.scalar
		}
		for _, m := range e.Mem {
			if n := number(x.run.set, m.Index); n >= 0 && !x.bases[n] {
				x.indices[n] = true
			}
		}
	}
}

// compare executes both loops, with several kinds of values; why is the reason why they cannot be executed.
func (x *trial) compare() (why string, err error) {
	if why = x.prepare(); why != "" {
		return why, nil
	}
	if x.run.vectors < 32 && strings.Contains(strings.Join(x.after, " "), "%zmm") {
		return "this machine has no vectors of 512 bits", nil
	}
	rnd := rand.New(rand.NewPCG(29, uint64(len(x.name))))
	ran := false
	for _, f := range []fill{small, doubles, floats, anything} {
		if !x.suits(f) {
			continue
		}
		why = ""
		from := random(rnd, f, x.bases, x.indices)
		if why, err = x.both(from); err != nil {
			return "", fmt.Errorf("values %d: %w", f, err)
		}
		ran = ran || why == ""
	}
	if ran {
		return "", nil
	}
	return cmp.Or(why, "no values suit its conditions"), nil
}

// suits reports whether values meet the conditions of the advice: numbers in any order give the same sums, and operands are not zero.
func (x *trial) suits(f fill) bool {
	for _, s := range x.advice.Assumes {
		switch {
		case s == "reassociation" || s == "rounding":
			if f != map[int]fill{4: floats, 8: doubles}[x.element] {
				return false
			}
		case s == "not-zero" && f == anything, s == "fits-32":
			return false
		}
	}
	return true
}

// both executes both loops from one state.
func (x *trial) both(from *state) (why string, err error) {
	times := max(1, int(x.advice.Iterations+0.5))
	rounds := max(1, 12/times) * 2
	h := harness{x: x, from: from.clone()}
	x.from = from
	pre, why := h.start()
	if why != "" {
		return why, nil
	}
	old, err := x.code(nil, x.before, times*rounds)
	if err != nil {
		return err.Error(), nil
	}
	a, err := x.run.run(from, old, x.cond)
	if err != nil {
		return "original: " + err.Error(), nil
	}
	changed, err := x.code(nil, slices.Concat(pre, x.front), 1)
	if err != nil {
		return "", err
	}
	if changed, err = x.code(changed, x.after, rounds); err != nil {
		return "", err
	}
	if changed, err = x.code(changed, x.behind, 1); err != nil {
		return "", err
	}
	b, err := x.run.run(h.from, changed, x.cond)
	if err != nil {
		return "", fmt.Errorf("changed code: %w", err)
	}
	return h.finish(from, a, b)
}

// code appends n copies of statements.
func (x *trial) code(code []byte, statements []string, n int) ([]byte, error) {
	one, err := x.run.assemble(nil, x.symbols, statements...)
	if err != nil {
		return nil, err
	}
	for range n {
		code = append(code, one...)
	}
	return code, nil
}
