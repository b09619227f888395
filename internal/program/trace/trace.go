package trace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"incore/internal/analysis/sim"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
	"incore/internal/object"
	"incore/internal/program/cachesim"
)

// Options are the options of Run.
type Options struct {
	Args                  []string // the program and its arguments
	Function              string   // traces while this function or its callees run; "": always
	Loop                  string   // a loop, as incore loops names it (function+0x1c)
	Ranges                []Range  // or code at these addresses of the program's file, with its callees
	Limit                 time.Duration
	Sample                int                                        // Recorder.Sample
	Models                func(a *isa.ISA) ([]*machine.Model, error) // the cores, for an instruction set
	Caches                []cachesim.Level                           // nil: all data are in the first-level cache
	CachesFrom            string
	CacheLatency          []int // by level, the second first, cycles more than the first level's
	Sensitivity           bool
	QEMU                  bool
	CPU                   string // QEMU's -cpu
	Sysroot               string
	Stdin, Stdout, Stderr *os.File
	Progress              func(Progress) // called at intervals; nil: not called
}

// Range is a range of addresses.
type Range struct{ Lo, Hi uint64 }

// Progress is the progress of a run.
type Progress struct {
	Insts     int64 // recorded
	Segments  int   // to simulate
	Simulated int64 // instructions
	Ended     bool  // the program has ended
}

// source runs a program and passes its blocks to a recorder.
type source interface {
	run(ctx context.Context, t *tracer) error
	method() string
}

// tracer is the state of a run.
type tracer struct {
	o       *Options
	file    *object.File
	rec     *Recorder
	places  *places
	region  region
	partial []string
	signal  string // ended the program, "" without one
	started time.Time
	told    time.Time

	mu        sync.Mutex
	simulated int64
	segments  int
}

// ErrProgram is the error if no program was given, or if the file is not a program.
var ErrProgram = errors.New("an ELF executable for Linux is needed")

// Open opens the executable of a program.
func Open(args []string) (*object.File, error) {
	if len(args) == 0 {
		return nil, errors.New("no program is given")
	}
	path, err := object.LookProgram(args[0])
	if err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if path, err = filepath.Abs(path); err != nil {
		return nil, err
	}
	f, err := object.Open(path, catalog.ISAs()...)
	if err != nil {
		return nil, fmt.Errorf("program %s: %w; %w", args[0], err, ErrProgram)
	}
	if f.Bare() {
		return nil, fmt.Errorf("program %s: %w", args[0], ErrProgram)
	}
	return f, nil
}

// nativeISA is the instruction set whose programs run natively.
const nativeISA = "x86-64"

// Run traces a program and simulates its execution on each core.
func Run(ctx context.Context, o Options) ([]*Result, error) {
	f, err := Open(o.Args)
	if err != nil {
		return nil, err
	}
	t := &tracer{o: &o, file: f, rec: NewRecorder(), places: newPlaces(f.ISA), started: time.Now()}
	if t.region, err = newRegion(f, &o); err != nil {
		return nil, err
	}
	if len(o.Caches) > 0 {
		if t.rec.Caches, err = cachesim.New(o.Caches); err != nil {
			return nil, err
		}
	}
	cores, err := o.cores(f.ISA)
	if err != nil {
		return nil, err
	}
	t.rec.Leave = slices.ContainsFunc(cores, (*Core).leave)
	if k := slices.IndexFunc(cores, (*Core).rewrites); k >= 0 {
		t.rec.Rewrite(&cores[k].Model.Core().StoreCommit)
	}
	var src source = &emulated{}
	if f.ISA.Name == nativeISA && !o.QEMU {
		src = &native{}
	}
	p := t.simulate(cores[0])
	err = src.run(ctx, t)
	if err == nil {
		t.rec.End()
	}
	done, failed := p.wait()
	if err = cmp.Or(err, failed); err != nil {
		return nil, err
	}
	t.tell(true)
	var out []*Result
	for i, c := range cores {
		if i > 0 {
			if done, err = t.again(c, done); err != nil {
				return nil, err
			}
		}
		r := t.result(c, done)
		r.Method = src.method()
		if o.Sensitivity && r.Instructions > 0 {
			if r.Sensitivity, err = t.sensitivity(c, done); err != nil {
				return nil, err
			}
		}
		out = append(out, r)
	}
	return out, nil
}

// cores prepares the cores on which segments are simulated.
func (o *Options) cores(a *isa.ISA) (out []*Core, err error) {
	models, err := o.Models(a)
	if err != nil {
		return nil, err
	}
	for _, m := range models {
		if _, err := sim.Available(m); err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		c := &Core{Model: m}
		c.Penalty, _ = sim.Penalty(m)
		for i, n := range o.CacheLatency {
			if i+1 < len(c.Late) {
				c.Late[i+1] = int32(n)
			}
		}
		out = append(out, c)
	}
	return out, nil
}

// again simulates the segments on another core.
func (t *tracer) again(core *Core, done []simulation) ([]simulation, error) {
	p := t.simulate(core)
	for i := range done {
		p.in <- done[i].Segment
	}
	return p.wait()
}

// simulation is a segment and its simulated cycles.
type simulation struct {
	*Segment
	account *sim.Account
}

// pool simulates segments on all cores while the program runs.
type pool struct {
	in   chan *Segment
	done []simulation
	err  error
	mu   sync.Mutex
	wg   sync.WaitGroup
}

// waiting is the largest number of segments that wait for their simulation; at this number the program is
// paused.
const waiting = 64

// simulate starts the simulation of the segments that the recorder draws.
func (t *tracer) simulate(core *Core) *pool {
	p := &pool{in: make(chan *Segment, waiting)}
	for range max(1, runtime.GOMAXPROCS(0)) {
		p.wg.Add(1)
		go func() {
			defer p.wg.Done()
			s, err := NewSimulator(core, t.file.ISA)
			for x := range p.in {
				var a *sim.Account
				if err == nil {
					blocks, groups := t.known()
					a, err = s.Run(x, blocks, groups)
				}
				p.mu.Lock()
				if err != nil {
					p.err = err
				} else {
					p.done = append(p.done, simulation{x, a})
				}
				p.mu.Unlock()
				t.mu.Lock()
				t.simulated += x.Insts
				t.mu.Unlock()
			}
		}()
	}
	t.rec.Sample = t.o.Sample
	t.rec.Sink = func(s *Segment) {
		t.mu.Lock()
		t.segments++
		t.mu.Unlock()
		p.in <- s
	}
	return p
}

// wait waits until all segments are simulated, and returns them in the order of the run.
func (p *pool) wait() ([]simulation, error) {
	close(p.in)
	p.wg.Wait()
	slices.SortFunc(p.done, func(a, b simulation) int { return cmp.Compare(a.number, b.number) }) // sums depend on the order
	return p.done, p.err
}

// known returns the blocks so far, and their number of groups.
func (t *tracer) known() ([]*Block, int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.rec.Blocks, len(t.places.list)
}

// add adds a block to the list.
func (t *tracer) add(b *Block) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.rec.Add(b)
}

// visit records an execution of a block in the traced part of the program. module finds the module that contains an
// address.
func (t *tracer) visit(id int, module func(addr uint64) *module, words []uint64) {
	if b := t.rec.Blocks[id]; b.groups == nil {
		t.mu.Lock()
		b.groups = t.places.of(b, module(b.Addr()))
		t.mu.Unlock()
	}
	t.rec.Visit(id, words)
}

// tell reports progress at intervals.
func (t *tracer) tell(ended bool) {
	if t.o.Progress == nil || !ended && time.Since(t.told) < 200*time.Millisecond {
		return
	}
	t.told = time.Now()
	t.mu.Lock()
	p := Progress{Insts: t.rec.insts, Segments: t.segments, Simulated: t.simulated, Ended: ended}
	t.mu.Unlock()
	t.o.Progress(p)
}

// scope describes the traced part of the program.
func (o *Options) scope() string {
	var out []string
	if o.Function != "" {
		out = append(out, "function "+o.Function+" with what it calls")
	}
	if o.Loop != "" {
		out = append(out, "loop "+o.Loop+" with what it calls")
	}
	for _, r := range o.Ranges {
		out = append(out, fmt.Sprintf("addresses %#x to %#x with what they call", r.Lo, r.Hi))
	}
	return strings.Join(out, ", ")
}
