package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"incore/internal/base/source"
	"incore/internal/report"
	"incore/internal/roofline"
	"incore/internal/roofline/explore"
)

// exploreFlags are the options of incore roofline explore.
type exploreFlags struct {
	rooflineFlags
	plan, store, shard, sysroot          string
	targets, memories, binaries, whatIfs []string
	vectors                              []int
	jobs                                 int
	limit                                time.Duration
	refine                               refineFlags
}

func newRooflineExplore(e *env) *cobra.Command {
	var f exploreFlags
	cmd := &cobra.Command{
		Use:   "explore [PLAN] --from MACHINE --to MACHINE... --profile FILE [--binary NAME=COMMAND]... [--vectors BITS,...] [--memory GB/s|MACHINE]... [--what-if QUESTION]...",
		Short: "project to variants of a machine: vector lengths, main memories, binaries, cores",
		Long: `Projects to each combination of what is given: target machines, binaries (of several compilers), vector lengths, main
memories, changes of the core. A binary is profiled at each vector length (under QEMU) and on the caches of each target;
the peak is scaled with the length. Or profiles are given: BITS=FILE is one of a binary that ran with vectors of so many
bits. A memory is a bandwidth, or the name or file of a machine whose main memory the target gets; "own" stands for the
target's own. A plan is the same as YAML: from, to, profile, perf, binaries, vectors, memories, what_if, function.

Profiles are kept in --store, so that what was interrupted goes on; --shard i/n makes only a part of them.`,
		Example: `  incore roofline explore --from neoverse-n1 --to neoverse-n1 --profile n1.json --perf 1.87 --target-profile 128=sve128.json --target-profile 256=sve256.json --memory own --memory a64fx
  incore roofline explore --from here.machine --to neoverse-n1,thunderx2 --profile here.json --binary 'gcc=./hydro.sve 20 10' --vectors 128,256,512,1024,2048 --memory own,a64fx --format html -o explore.html
  incore roofline explore plan.yaml --shard 1/4`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				f.plan = args[0]
			}
			return f.run(e)
		},
	}
	f.register(cmd)
	fl := cmd.Flags()
	fl.StringArrayVar(&f.targets, "target-profile", nil, "profile of a binary for the target, `[BITS=]FILE` (several times)")
	fl.StringSliceVar(&f.memories, "memory", nil, "main memory of the target: a bandwidth in `GB/s`, a machine that has it, or own (several times)")
	fl.StringArrayVar(&f.binaries, "binary", nil, "a binary for the targets, `NAME=COMMAND` with its arguments (several times)")
	fl.IntSliceVar(&f.vectors, "vectors", nil, "vector lengths in `BITS`")
	fl.StringArrayVar(&f.whatIfs, "what-if", nil, "a core that differs, a `QUESTION` as incore analyze --what-if has it (several times; the core as it is comes first)")
	fl.StringSliceVar(&f.refine.list, "refine", []string{"all"}, "refinements beyond the paper, a `LIST`: by-loop, in-core, latency, ecm; all; none")
	fl.StringVar(&f.store, "store", "", "where profiles are kept, a `DIRECTORY`; default: in the user's cache")
	fl.StringVar(&f.shard, "shard", "", "make only part `i/n` of the profiles")
	fl.StringVar(&f.sysroot, "sysroot", "", "where the libraries of binaries for another machine are, a `DIRECTORY`")
	fl.DurationVar(&f.limit, "time-limit", 0, "end a program after this `TIME`: its profile is partial; default: none")
	count(fl, &f.jobs, 0, option{"jobs", "j", 0, 1024, "profiles made at the same time; 0: as many as there are cores"})
	return cmd
}

// read reads the plan and applies the flags to it.
func (f *exploreFlags) read() (*explore.Plan, error) {
	p := &explore.Plan{}
	if f.plan != "" {
		text, err := source.ReadBytes(f.plan)
		if err != nil {
			return nil, inputError{err}
		}
		if p, err = explore.ReadPlan(f.plan, text); err != nil {
			return nil, inputError{err}
		}
	}
	set := func(to *string, v string) {
		if v != "" {
			*to = v
		}
	}
	set(&p.From, f.from)
	set(&p.Profile, f.profile)
	if f.to != "" {
		p.To = strings.Split(f.to, ",")
	}
	if f.perf != 0 {
		p.Perf = f.perf
	}
	p.Vectors = explore.Vectors(append(p.Vectors, f.vectors...))
	p.Memories = append(p.Memories, f.memories...)
	p.WhatIf = append(p.WhatIf, f.whatIfs...)
	for _, b := range f.binaries {
		name, command, ok := strings.Cut(b, "=")
		if !ok {
			command = b
			name = filepath.Base(strings.Fields(b + " ?")[0])
		}
		if p.Binaries == nil {
			p.Binaries = map[string]string{}
		}
		p.Binaries[name] = command
	}
	if err := needed([2]string{"from", p.From}, [2]string{"to", strings.Join(p.To, ",")}, [2]string{"profile", p.Profile}); err != nil {
		return nil, err
	}
	return p, p.Check()
}

func (f *exploreFlags) run(e *env) error {
	if err := f.check(); err != nil {
		return err
	}
	p, err := f.read()
	if err != nil {
		return err
	}
	f.from, f.to, f.profile, f.perf = p.From, p.To[0], p.Profile, p.Perf
	from, _, a, err := f.rooflineFlags.read(e)
	if err != nil {
		return err
	}
	var to []*roofline.Machine
	for _, name := range p.To {
		m, err := readMachine(e, strings.TrimSpace(name))
		if err != nil {
			return err
		}
		to = append(to, m)
	}
	bases, err := f.bases(e, p, a, to)
	if err != nil {
		return err
	}
	designs, err := f.product(e, p, bases)
	if err != nil {
		return err
	}
	known := map[string]*refineFlags{}
	list := roofline.Explore(roofline.Side{Machine: from, Profile: a}, to[0], designs, p.Perf, func(r *roofline.Projection, m *roofline.Machine, d *roofline.Design) error {
		if known[d.WhatIf] == nil {
			known[d.WhatIf] = &refineFlags{list: f.refine.list}
			if d.WhatIf != "" {
				known[d.WhatIf].whatIf = []string{d.WhatIf}
			}
		}
		return known[d.WhatIf].refine(r, roofline.Side{Machine: from, Profile: a}, roofline.Side{Machine: m, Profile: d.Profile}, p.Perf)
	})
	return f.write(e, list)
}

func (f *exploreFlags) write(e *env, list []roofline.Explored) error {
	return f.render(e, func(w io.Writer, _ report.TextOptions) error {
		switch f.format {
		case "json":
			return report.JSON(w, list)
		case "csv":
			return roofline.ExploredCSV(w, list)
		case "svg":
			return roofline.ExploredSVG(w, list)
		case "html":
			p := plotPage{"incore: exploration", counted(len(list), "design"), list,
				func(w io.Writer) error { return roofline.ExploredSVG(w, list) }, func(w io.Writer) error { return roofline.ExploredText(w, list) }, func(w io.Writer) error { return roofline.ExploredCSV(w, list) }}
			return p.write(w)
		}
		return roofline.ExploredText(w, list)
	})
}

// bases returns the designs by target, binary and vector length, with their profiles.
func (f *exploreFlags) bases(e *env, p *explore.Plan, a *roofline.Profile, to []*roofline.Machine) (out []roofline.Design, err error) {
	for _, m := range to {
		target := m.Name
		if len(to) == 1 {
			target = ""
		}
		for _, t := range f.targets {
			d := roofline.Design{Target: target, To: m}
			if text, file, ok := strings.Cut(t, "="); ok {
				v, err := strconv.ParseFloat(text, 64)
				if err != nil || !(v >= 8 && v <= 1<<20) {
					return nil, fmt.Errorf("--target-profile %s: a vector length in bits is needed before '='", t)
				}
				d.VectorBits, t = v, file
			}
			if d.Profile, err = readWork(e, t); err != nil {
				return nil, err
			}
			out = append(out, d)
		}
		if len(f.targets) == 0 && len(p.Binaries) == 0 {
			if len(p.Vectors) > 0 {
				return nil, errors.New("--vectors needs binaries that are profiled at each length (--binary NAME=COMMAND), or give profiles (--target-profile BITS=FILE)")
			}
			out = append(out, roofline.Design{Target: target, To: m, Profile: a})
		}
	}
	made, err := f.profiled(e, p, to)
	return append(out, made...), err
}

// profiled profiles the binaries.
func (f *exploreFlags) profiled(e *env, p *explore.Plan, to []*roofline.Machine) (out []roofline.Design, err error) {
	vectors := p.Vectors
	if len(vectors) == 0 {
		vectors = []int{0}
	}
	var jobs []explore.Job
	for _, m := range to {
		for _, name := range slices.Sorted(maps.Keys(p.Binaries)) {
			for _, bits := range vectors {
				jobs = append(jobs, explore.Job{Binary: name, Command: strings.Fields(p.Binaries[name]), Bits: bits, Target: m})
				d := roofline.Design{To: m, VectorBits: float64(bits)}
				if len(to) > 1 {
					d.Target = m.Name
				}
				if len(p.Binaries) > 1 {
					d.Binary = name
				}
				out = append(out, d)
			}
		}
	}
	if len(jobs) == 0 {
		return nil, nil
	}
	o := explore.Options{Dir: f.store, Workers: f.jobs, Limit: f.limit, Function: p.Function, Sysroot: f.sysroot}
	if o.Dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return nil, fmt.Errorf("%w: name a directory for profiles (--store)", err)
		}
		o.Dir = filepath.Join(cache, "incore", "roofline")
	}
	if f.shard != "" {
		if o.Shard, o.Of, err = parseShard(f.shard); err != nil {
			return nil, err
		}
	}
	if w, ok := e.stderr.(*os.File); ok && term.IsTerminal(int(w.Fd())) {
		o.Progress = func(done, of int, what string) { fmt.Fprintf(w, "\r\x1b[K%d of %d profiles: %s", done, of, what) }
		defer fmt.Fprintln(w)
	}
	ctx, stop := untilSignal(context.Background())
	defer stop()
	done, err := explore.Profiles(ctx, jobs, o)
	if err != nil {
		return nil, inputError{fmt.Errorf("%w: what was profiled is kept in %s", err, o.Dir)}
	}
	return f.sorted(e, jobs, done, out)
}

// sorted assigns profiles to designs. It returns an error if there is no profile, and otherwise warns of the missing ones.
func (f *exploreFlags) sorted(e *env, jobs []explore.Job, done []explore.Done, designs []roofline.Design) (out []roofline.Design, err error) {
	var first error
	for i := range done {
		if done[i].Err == nil {
			designs[i].Profile = done[i].Profile
			out = append(out, designs[i])
			continue
		}
		if !errors.Is(done[i].Err, explore.ErrElsewhere) {
			e.complain("warning", "", "%s: %v", jobs[i].Name(), done[i].Err)
		}
		if first == nil {
			first = done[i].Err
		}
	}
	if n := explore.Elsewhere(done); n > 0 {
		e.complain("note", "", "%d of %d profiles are other shards' and not there yet", n, len(done))
	}
	if len(out) == 0 && first != nil {
		return nil, inputError{first}
	}
	return out, nil
}

// product combines designs with memories and cores.
func (f *exploreFlags) product(e *env, p *explore.Plan, bases []roofline.Design) (out []roofline.Design, err error) {
	memories, cores := p.Memories, p.WhatIf
	if len(memories) == 0 {
		memories = []string{"own"}
	}
	if len(cores) > 0 && !slices.Contains(cores, "") {
		cores = append([]string{""}, cores...)
	}
	if len(cores) == 0 {
		cores = []string{""}
	}
	for _, core := range cores {
		if core != "" {
			if _, err := (&refineFlags{whatIf: []string{core}}).question(); err != nil {
				return nil, err
			}
		}
		for _, m := range memories {
			bandwidth := 0.0
			if m != "own" {
				if bandwidth, err = roofline.ParseMemory(m, func(name string) (*roofline.Machine, error) { return readMachine(e, name) }); err != nil {
					return nil, inputError{fmt.Errorf("--memory %s: %w", m, err)}
				}
			}
			for _, d := range bases {
				if d.WhatIf = core; m != "own" {
					d.Memory, d.Bandwidth = m, bandwidth
				}
				out = append(out, d)
			}
		}
	}
	return out, nil
}
