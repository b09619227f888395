package suite

import (
	"bytes"
	"context"
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"errors"
	"fmt"
	"incore/internal/base/symname"
	"math"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"incore/internal/object"
	"incore/internal/program/probe"
	"incore/internal/program/trace"
)

// Program is a user's executable with a region that is a benchmark: a function, or the code from one address to another. A probe in the running program measures the region
// (package probe). Since the region cannot be repeated alone, the whole program runs several times.
type Program struct {
	Path   string   `json:"path"`
	Args   []string `json:"args,omitempty"`
	Dir    string   `json:"dir"`             // working directory
	Stdin  string   `json:"stdin,omitempty"` // input file; none: /dev/null
	Region string   `json:"region"`          // the region as the user named it
	Entry  uint64   `json:"entry"`           // its first address in the file
	Exit   uint64   `json:"exit,omitempty"`  // its end in the file; 0: the return of the function at Entry
	First  uint64   `json:"first"`           // the first execution that counts, from 1
	Last   uint64   `json:"last"`
}

// ProgramOptions selects the program and the region from which Add makes a benchmark.
type ProgramOptions struct {
	Dir         string // directory of benchmarks
	Path        string
	Args        []string
	Stdin       string
	Function    string // its name or address
	Lo, Hi      uint64 // or a range: from the instruction at Lo up to the instruction at Hi, exclusive
	First, Last uint64 // executions, from 1; 0: those from the first on that together take at most defaultCycles
	Target      Target
}

// Added is the benchmark that Add made.
type Added struct {
	Dir     string  `json:"dir"`
	ID      string  `json:"id"`
	First   uint64  `json:"first"` // execution of the region that counts, from 1
	Last    uint64  `json:"last"`
	Entered uint64  `json:"executions"`     // observed executions of the region
	More    bool    `json:"more,omitempty"` // the program continued after the observation
	clock   bool    // the core's clock rate was known for some execution
	Cycles  float64 `json:"cycles,omitempty"` // 0: the clock rate was never known
}

const (
	defaultCycles = 4e6 // default length of a region in cycles; recording it takes some seconds
	programLimit  = time.Minute
	recordLimit   = 10 * time.Minute
	mostVisits    = 24 << 20 // greatest number of words of a program's record
	userFamily    = "user"
	lostShare     = 0.005           // greatest share of instructions outside the blocks of the files
	leastPerProbe = 2.0             // least ratio of a call's time to the probe's own time
	programRuns   = 3               // least number of runs of a pass
	leastPass     = time.Second / 2 // least time of the runs of a pass
	passTime      = 3 * time.Second // time of a pass in which runs are repeated until each call has run undisturbed
	slowRun       = 5 * time.Second // a program that takes longer is run fewer times
)

// Add makes a benchmark from a region of a program. The error is the reason for which the program or region is unusable.
func Add(ctx context.Context, o ProgramOptions) (*Added, error) {
	p, f, err := o.program()
	if err != nil {
		return nil, err
	}
	out := &Added{Dir: o.Dir}
	took, err := p.look(ctx, f, out)
	if err != nil {
		return nil, err
	}
	if p.First == 0 {
		p.First, p.Last = 1, 1
		for sum := took[0]; int(p.Last) < len(took) && sum+took[p.Last] <= defaultCycles; p.Last++ {
			sum += took[p.Last]
		}
	}
	out.First, out.Last = p.First, p.Last
	for _, c := range took[:min(int(p.Last-p.First)+1, len(took))] {
		out.Cycles += c
	}
	if !out.clock {
		out.Cycles = 0
	}
	b, err := o.benchmark(p, f)
	if err != nil {
		return nil, err
	}
	out.ID = b.ID
	return out, o.keep(b, p)
}

// look runs the program, several times if it is fast, and returns the cycles of each execution of the region in the fastest run. If the core's clock rate
// was never known for an execution, it converts its time stamps with the rate of the other executions, or returns time stamps if there are none.
func (p *Program) look(ctx context.Context, f *object.File, out *Added) (took []float64, err error) {
	var ticks []float64
	var cyclesOf, ticksOf float64 // of executions whose cycles are known
	for n := range programRuns {
		r, err := p.run(ctx, f, probe.Options{First: max(1, p.First), Last: p.Last, CPU: -1, Limit: programLimit})
		if err != nil {
			return nil, p.explain(err)
		}
		if err := p.complain(r); err != nil {
			return nil, err
		}
		if n == 0 {
			out.Entered, out.More = r.Entered, r.Ended != ""
		}
		for i, c := range r.Calls {
			if i == len(took) {
				took, ticks = append(took, math.Inf(1)), append(ticks, c.Ticks)
			}
			ticks[i] = min(ticks[i], c.Ticks)
			if c.Cycles > 0 {
				took[i] = min(took[i], c.Cycles)
				cyclesOf, ticksOf = cyclesOf+c.Cycles, ticksOf+c.Ticks
			}
		}
		if r.Elapsed > time.Second {
			break
		}
	}
	rate := 1.0
	if out.clock = ticksOf > 0; out.clock {
		rate = cyclesOf / ticksOf
	}
	for i := range took {
		if math.IsInf(took[i], 1) {
			took[i] = ticks[i] * rate
		}
	}
	return took, nil
}

// program finds the region in the program's file.
func (o *ProgramOptions) program() (*Program, *object.File, error) {
	f, err := trace.Open([]string{o.Path})
	if err != nil {
		return nil, nil, err
	}
	here, err := os.Getwd()
	if err != nil {
		return nil, nil, err
	}
	p := &Program{Path: f.Path, Args: o.Args, Dir: here, First: o.First, Last: o.Last}
	if f.ISA.Name != o.Target.ISA || o.Target.Triple != "" {
		return nil, nil, fmt.Errorf("%s is a program for %s; a program is measured on the machine that it is for", o.Path, f.ISA.Name)
	}
	if o.Stdin != "" {
		if p.Stdin, err = filepath.Abs(o.Stdin); err != nil {
			return nil, nil, err
		}
		if _, err := os.Stat(p.Stdin); err != nil {
			return nil, nil, fmt.Errorf("the program's input: %w", err)
		}
	}
	if o.Function == "" {
		p.Entry, p.Exit, p.Region = o.Lo, o.Hi, fmt.Sprintf("%x-%x", o.Lo, o.Hi)
		for _, at := range []uint64{o.Lo, o.Hi} {
			if f.At(at) == nil {
				return nil, nil, fmt.Errorf("%#x is in no function of %s", at, o.Path)
			}
		}
		return p, f, nil
	}
	fn := f.Function(o.Function)
	if fn == nil {
		return nil, nil, o.missing(f)
	}
	p.Entry, p.Region = fn.Addr, symname.Demangle(fn.Name)
	return p, f, nil
}

// missing returns the error for an unknown function, with a hint.
func (o *ProgramOptions) missing(f *object.File) error {
	if strings.HasPrefix(o.Function, "0x") {
		return fmt.Errorf("%s is in no function of %s", o.Function, o.Path)
	}
	if like := f.Similar(o.Function, 3); len(like) > 0 {
		return fmt.Errorf("%s has no function %q; it has %s", o.Path, o.Function, strings.Join(like, ", "))
	}
	if e, err := elf.Open(f.Path); err == nil {
		defer e.Close()
		if list, err := e.Symbols(); err != nil || len(list) == 0 {
			return fmt.Errorf("%s has no symbols: --function 0x4010 names a function by an address, --range LO-HI any code; 'incore loops %s' lists addresses", o.Path, o.Path)
		}
	}
	return fmt.Errorf("%s has no function %q of its own; functions of libraries cannot be measured", o.Path, o.Function)
}

// run runs the program with a probe.
func (p *Program) run(ctx context.Context, f *object.File, o probe.Options) (*probe.Result, error) {
	o.Path, o.Args, o.Dir, o.Region = p.Path, append([]string{p.Path}, p.Args...), p.Dir, probe.Region{Entry: p.Entry, Exit: p.Exit}
	in, err := p.open()
	if err != nil {
		return nil, err
	}
	if in != nil {
		defer in.Close()
	}
	o.Stdin = in
	return probe.Run(ctx, f, o)
}

// open opens the program's input.
func (p *Program) open() (*os.File, error) {
	if p.Stdin == "" {
		return nil, nil
	}
	return os.Open(p.Stdin)
}

// explain adds a hint to an error.
func (p *Program) explain(err error) error {
	if errors.Is(err, probe.ErrPlace) {
		return fmt.Errorf("%s cannot be measured: %w; --range with other addresses may do", p.Region, err)
	}
	return err
}

// complain returns the reason for which the probe's result is unusable as a benchmark, nil if it is usable.
func (p *Program) complain(r *probe.Result) error {
	name := filepath.Base(p.Path)
	switch {
	case r.Apart:
		return fmt.Errorf("%s is executed by another thread than %s's first, which alone is followed", p.Region, name)
	case r.Others > 0:
		return fmt.Errorf("several threads of %s execute %s at the same time", name, p.Region)
	case r.Left > 0:
		return fmt.Errorf("%s is left without its end (longjmp, an exception, another way out of a range) %d times of %d", p.Region, r.Left, r.Entered)
	case r.Entered == 0 && r.Signal != "":
		return fmt.Errorf("%s is ended by %s before it executes %s", name, r.Signal, p.Region)
	case r.Entered == 0 && r.Ended != "":
		return fmt.Errorf("%s does not execute %s within %v", name, p.Region, programLimit)
	case r.Entered == 0 && r.Forks:
		return fmt.Errorf("%s ends (exit status %d) and never executes %s itself; the processes that it starts are not followed", name, r.Exit, p.Region)
	case r.Entered == 0:
		return fmt.Errorf("%s ends (exit status %d) and never executes %s", name, r.Exit, p.Region)
	case p.Last > 0 && len(r.Calls) < int(p.Last-max(1, p.First))+1:
		return fmt.Errorf("%s executes %s %d times; --calls asks for the %dth", name, p.Region, r.Entered, p.Last)
	case len(r.Calls) == 0 && r.Signal != "":
		return fmt.Errorf("%s is ended by %s in %s", name, r.Signal, p.Region)
	case len(r.Calls) == 0:
		return fmt.Errorf("%s ends within %s", name, p.Region)
	}
	return nil
}

// benchmark describes the region; its executable is copied.
func (o *ProgramOptions) benchmark(p *Program, f *object.File) (*Benchmark, error) {
	text, err := os.ReadFile(p.Path)
	if err != nil {
		return nil, err
	}
	h := sha256.New()
	h.Write(text)
	fmt.Fprintf(h, "%q %q %x %x %d %d", p.Args, p.Stdin, p.Entry, p.Exit, p.First, p.Last)
	id := hex.EncodeToString(h.Sum(nil)[:8])
	b := &Benchmark{ID: id, Key: "program " + id, Kernel: filepath.Base(p.Path) + ":" + p.Region, Family: userFamily, Language: "?", Transformation: "none", Flags: []string{}, Program: p}
	b.Compiler, b.Version = compilerOf(p.Path)
	if file, line := f.SourceLine(p.Entry); line > 0 {
		if text, err := os.ReadFile(file); err == nil {
			sum := sha256.Sum256(text)
			b.Source = path.Join("user", hex.EncodeToString(sum[:4])+"-"+filepath.Base(file))
			b.Language = languages[filepath.Ext(file)]
			if err := writeFile(filepath.Join(o.Dir, sourceDir, b.Source), text, 0o666); err != nil {
				return nil, err
			}
		}
	}
	return b, writeFile(binaryFile(o.Dir, id), text, 0o777)
}

func writeFile(name string, text []byte, mode os.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return os.WriteFile(name, text, mode)
}

// compilerOf returns the compiler that an executable names.
func compilerOf(name string) (compiler string, major int) {
	e, err := elf.Open(name)
	if err != nil {
		return "?", 0
	}
	defer e.Close()
	s := e.Section(".comment")
	if s == nil {
		return "?", 0
	}
	text, err := s.Data()
	if err != nil {
		return "?", 0
	}
	for _, known := range []struct{ mark, name string }{{"clang version", "clang"}, {"rustc version", "rustc"}, {"GCC:", "gcc"}} {
		if i := strings.Index(string(text), known.mark); i >= 0 {
			return known.name, version(string(text[i:]))
		}
	}
	return "?", 0
}

// keep adds the benchmark to the directory's list.
func (o *ProgramOptions) keep(b *Benchmark, p *Program) error {
	out, rows, err := open(filepath.Join(o.Dir, suiteFile))
	if err != nil {
		return err
	}
	defer out.Close()
	m := &maker{MakeOptions: MakeOptions{Dir: o.Dir, Target: o.Target}, out: out, done: map[string]bool{}, ids: map[string]bool{}}
	if err := m.resume(rows); err != nil {
		return err
	}
	if m.ids[b.ID] {
		return nil
	}
	return out.add(Row{Benchmark: b})
}

// unchanged reports whether the program's file is still the one from which the benchmark was made.
func (p *Program) unchanged(copied string) *dropError {
	now, err := os.ReadFile(p.Path)
	if err != nil {
		return &dropError{"program not readable", err.Error()}
	}
	then, err := os.ReadFile(copied)
	if err != nil {
		return &dropError{"program not readable", err.Error()}
	}
	if !bytes.Equal(now, then) {
		return &dropError{"program changed", p.Path + " is not what it was when the benchmark was made"}
	}
	return nil
}
