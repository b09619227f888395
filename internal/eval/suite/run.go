package suite

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"incore/internal/base/parallel"
	"incore/internal/bench/host"
	"incore/internal/machine"
)

// RunOptions selects the measurements and predictions.
type RunOptions struct {
	Dir        string
	Shard, Of  int // 1 … Of
	Predictors []Predictor
	Coverage   bool           // observe dependences through memory, too
	NoMeasure  bool           // only predict the benchmarks that are already measured
	Again      bool           // repeat the predictions of another build of incore, for example after a change of a model
	Model      *machine.Model // the model of this machine, nil if there is none
	Progress   func(what string, done, of int)
	Warn       func(string)
}

// Summary counts the results of a run.
type Summary struct {
	Dir       string         `json:"dir"`
	Measured  int            `json:"measured"`
	Dropped   int            `json:"dropped"`
	Predicted int            `json:"predicted"`         // predictions made
	Reasons   map[string]int `json:"reasons,omitempty"` // for dropped benchmarks
}

// runner is the state of a running Run.
type runner struct {
	RunOptions
	out     *file
	rows    *Dir // the existing results
	dropped map[string]bool
	sum     Summary
	build   string // names this build of incore
}

// Run measures and predicts the benchmarks of a directory. It does not repeat the work of an earlier run.
func Run(ctx context.Context, o RunOptions) (*Summary, error) {
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return new(Summary), err
	}
	sum := Summary{Dir: o.Dir}
	o.Dir = dir
	rows, err := readSuite(dir)
	if err != nil {
		return new(Summary), err
	}
	if o.Warn == nil {
		o.Warn = func(string) {}
	}
	r := &runner{RunOptions: o, rows: rows, dropped: map[string]bool{}, build: thisBuild(), sum: sum}
	if err := r.resume(); err != nil {
		return new(Summary), err
	}
	defer r.out.Close()
	list := r.shard()
	for _, step := range []func(context.Context, []*Benchmark) error{r.measure, r.predict, r.predictAlone, r.cover} {
		if err := step(ctx, list); err != nil {
			if errors.Is(err, errFull) {
				err = fmt.Errorf("%s: %w; the same command goes on from there", o.Dir, err)
			}
			return &r.sum, err
		}
	}
	return &r.sum, nil
}

// thisBuild names the running executable; "" if it cannot be read.
func thisBuild() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil)[:4])
}

// TargetOf returns the instruction set of a directory's benchmarks.
func TargetOf(dir string) (string, error) {
	d, err := readSuite(dir)
	if err != nil {
		return "", err
	}
	return d.Suite.Target, nil
}

// readSuite reads the benchmarks that Make made, without results.
func readSuite(dir string) (*Dir, error) { return Read(dir, "\x00none") }

// resume opens this shard's results. Results of another machine are in files of their own.
func (r *runner) resume() error {
	here := thisMachine()
	h := fnv.New32a()
	fmt.Fprint(h, here)
	name := fmt.Sprintf("%s%08x-%d-of-%d.jsonl", resultsPrefix, h.Sum32(), r.Shard, r.Of)
	out, rows, err := open(filepath.Join(r.Dir, name))
	if err != nil {
		return err
	}
	r.out = out
	if len(rows) == 0 {
		head := &Header{Format: format, Target: r.rows.Suite.Target, Machine: here, Seed: r.rows.Suite.Seed}
		if r.Model != nil {
			head.Model = r.Model.Name
		}
		if err := out.add(Row{Header: head}); err != nil {
			return err
		}
	}
	// what other shards of this machine have done counts, too
	all, err := Read(r.Dir, here)
	if err != nil {
		return err
	}
	r.rows = all
	if others := machines(r.Dir); slices.ContainsFunc(others, func(m string) bool { return m != here }) {
		r.Warn(fmt.Sprintf("%s has results of another machine, too; they are kept apart, and 'incore eval report --machine' chooses: %s", r.Dir, strings.Join(others, "; ")))
	}
	for _, d := range all.Dropped {
		if d.ID != "" && d.Reason != noisy { // another time may be quieter
			r.dropped[d.ID] = true
		}
	}
	return nil
}

// shard returns the benchmarks of this shard, which a hash of their names selects.
func (r *runner) shard() (out []*Benchmark) {
	for _, b := range r.rows.Benchmarks {
		if hash(b.ID)%uint64(r.Of) == uint64(r.Shard-1) {
			out = append(out, b)
		}
	}
	return out
}

func hash(text string) uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, text)
	return mix(h.Sum64())
}

func (r *runner) drop(b *Benchmark, d *dropError) error {
	r.dropped[b.ID] = true
	r.sum.Dropped++
	if r.sum.Reasons == nil {
		r.sum.Reasons = map[string]int{}
	}
	r.sum.Reasons[d.reason]++
	if b.Family == "user" {
		r.Warn(fmt.Sprintf("%s: %s", b.Kernel, d.Error()))
	}
	return r.out.add(Row{Dropped: &Dropped{ID: b.ID, Kernel: b.Kernel, Reason: d.reason, Detail: d.detail}})
}

func (r *runner) progress(what string, done, of int) {
	if r.Progress != nil {
		r.Progress(what, done, of)
	}
}

// measure counts and measures the benchmarks, one after another, since nothing else may run at the same time.
func (r *runner) measure(ctx context.Context, list []*Benchmark) error {
	if r.NoMeasure {
		return nil
	}
	if r.rows.Suite.Cross != "" {
		return r.count(ctx, list)
	}
	t := &timer{cpus: lastCPUs()}
	for _, passes := range r.rows.Passes {
		for _, m := range passes {
			t.learn(m.Width)
		}
	}
	for pass := range mostPasses {
		var left []*Benchmark
		for _, b := range list {
			if !r.dropped[b.ID] && (!r.rows.settled(b.ID) || pass < roomPasses && r.rows.crowded(b.ID)) {
				left = append(left, b)
			}
		}
		if len(left) == 0 {
			return nil
		}
		if pass == 0 { // earlier measurements may have told
			if err := t.know(ctx, r.Dir, left); err != nil {
				return err
			}
		}
		if err := r.pass(ctx, t, left, pass+1); err != nil {
			return err
		}
	}
	for _, b := range list { // no two passes agree
		if !r.dropped[b.ID] && !r.rows.settled(b.ID) {
			if err := r.drop(b, &dropError{noisy, fmt.Sprintf("no two of %d passes agree", len(r.rows.Passes[b.ID]))}); err != nil {
				return err
			}
		}
	}
	return nil
}

// pass makes one pass over the benchmarks.
func (r *runner) pass(ctx context.Context, t *timer, list []*Benchmark, number int) error {
	for i, b := range list {
		r.progress(fmt.Sprintf("measuring, pass %d", number), i, len(list))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		m, err := r.one(ctx, t, b)
		var d *dropError
		switch {
		case errors.As(err, &d) && d.reason == noisy: // another pass may find the core quiet
			err = nil
		case errors.As(err, &d):
			err = r.drop(b, d)
		case err == nil:
			before := r.rows.settled(b.ID)
			if r.rows.passed(m); r.rows.settled(b.ID) && !before {
				r.sum.Measured++
			}
			err = r.out.add(Row{Measured: m})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// lastCPUs returns the CPUs for measurements, one per core of the same kind. The last CPU that this process may use comes first, since the system's own work runs mostly on the
// first ones.
func lastCPUs() (out []int) {
	for _, threads := range slices.Backward(host.Cores()) {
		out = append(out, slices.Max(threads))
	}
	return out
}

// lastCPU is the first of these, -1: any.
func lastCPU() int { return (&timer{cpus: lastCPUs()}).cpu() }

func (r *runner) one(ctx context.Context, t *timer, b *Benchmark) (*Measured, error) {
	if list := r.rows.Passes[b.ID]; len(list) > 0 { // counted before
		m := *list[0]
		f, err := r.time(ctx, t, b)
		m.Cycles, m.Windows, m.Width, m.Room, m.Hot = f.cycles, f.windows, f.width, f.room, nil
		return &m, err
	}
	run, err := record(ctx, r.Dir, b)
	if err != nil {
		return nil, err
	}
	m := &Measured{ID: b.ID, Instructions: run.instructions()}
	if err := r.filter(m, run); err != nil {
		return nil, err
	}
	f, err := r.time(ctx, t, b)
	if err != nil {
		return nil, err
	}
	m.Cycles, m.Windows, m.Width, m.Room = f.cycles, f.windows, f.width, f.room
	m.Hot = run.hot()
	m.Blocks = len(m.Hot)
	return m, nil
}

// filter counts the accesses of a run, and drops benchmarks with too many misses of the first-level cache (CesASMe, section 2.4). It does not drop a user's program, but
// warns.
func (r *runner) filter(m *Measured, run *run) error {
	if run.trace == nil {
		return nil
	}
	if m.Accesses, m.Misses = misses(run); m.Misses <= mostMisses {
		return nil
	}
	if b := run.benchmark; b.Program != nil {
		r.Warn(fmt.Sprintf("%s: %.0f %% of the accesses miss the first-level data cache; predictors assume that none do", b.Kernel, 100*m.Misses))
		return nil
	}
	return &dropError{"not in the L1 cache", fmt.Sprintf("%.0f %% of the accesses miss", 100*m.Misses)}
}

// opened is a predictor that is ready.
type opened struct {
	*Predictor
	ask Predict
}

// open prepares the predictors that must run alone, or the others.
func (r *runner) open(ctx context.Context, alone bool) (out []opened) {
	for i := range r.Predictors {
		p := &r.Predictors[i]
		if p.Alone != alone || (p.Native || p.Lifting == "path") && r.rows.Suite.Cross != "" {
			continue
		}
		ask, err := p.Open(ctx, &Env{Model: r.Model, CPU: lastCPU()})
		if err != nil {
			r.Warn(fmt.Sprintf("%s is left out: %v", p.Name, err))
			continue
		}
		out = append(out, opened{p, ask})
	}
	return out
}

// todo returns the measured benchmarks with missing predictions, and the predictors for each.
func (r *runner) todo(list []*Benchmark, ready []opened) (benchmarks []*Benchmark, ask [][]opened) {
	sampled := map[string]int{}
	for _, b := range drawn(list) {
		if !r.rows.settled(b.ID) && r.rows.Suite.Cross == "" || r.rows.Measured[b.ID] == nil {
			continue
		}
		var missing []opened
		for _, p := range ready {
			if sampled[p.Name] >= p.sample(len(list)) {
				continue
			}
			sampled[p.Name]++
			if old := r.rows.Predictions[b.ID][p.Name]; old == nil || r.Again && old.By != r.build {
				missing = append(missing, p)
			}
		}
		if len(missing) > 0 {
			benchmarks, ask = append(benchmarks, b), append(ask, missing)
		}
	}
	return benchmarks, ask
}

// drawn returns the benchmarks in the order of a hash of their names, so that each prefix is a random sample.
func drawn(list []*Benchmark) []*Benchmark {
	order := slices.Clone(list)
	slices.SortFunc(order, func(a, b *Benchmark) int { return cmp.Compare(hash("sample"+a.ID), hash("sample"+b.ID)) })
	return order
}

// workers is the number of benchmarks that are predicted in parallel.
func workers() int { return runtime.GOMAXPROCS(0) }

// predict runs the predictors that only compute, on all cores.
func (r *runner) predict(ctx context.Context, list []*Benchmark) error {
	return r.ask(ctx, list, r.open(ctx, false), workers(), "predicting")
}

// predictAlone runs the predictors that measure.
func (r *runner) predictAlone(ctx context.Context, list []*Benchmark) error {
	return r.ask(ctx, list, r.open(ctx, true), 1, "measuring blocks")
}

func (r *runner) ask(ctx context.Context, list []*Benchmark, ready []opened, workers int, what string) error {
	benchmarks, missing := r.todo(list, ready)
	return parallel.Ordered(ctx, workers, len(benchmarks), func(ctx context.Context, _, i int) ([]Row, error) {
		return r.subject(ctx, benchmarks[i], missing[i])
	}, func(i int, rows []Row) error {
		r.sum.Predicted += len(rows)
		r.progress(what, i+1, len(benchmarks))
		return r.out.add(rows...)
	})
}

// subject predicts one benchmark with predictors.
func (r *runner) subject(ctx context.Context, b *Benchmark, ask []opened) (rows []Row, err error) {
	run, err := r.observe(ctx, b)
	var lost *dropError
	if errors.As(err, &lost) { // it was measured before; the rest goes on
		r.Warn(fmt.Sprintf("%s %s is not predicted: %s", b.Kernel, b.ID, lost.Error()))
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	s := &Subject{run: run}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for _, p := range ask {
		start := cpuTime()
		out, err := p.ask(ctx, s)
		var fail *FailError
		if errors.As(err, &fail) {
			failed := &Prediction{Failure: fail.Why}
			if out != nil {
				failed.Core, failed.Seconds = out.Core, out.Seconds
			}
			out = failed
		} else if err != nil {
			return nil, err
		}
		out.Seconds += (cpuTime() - start).Seconds()
		out.ID, out.Predictor, out.By, out.At = b.ID, p.Name, r.build, time.Now().Unix()
		rows = append(rows, Row{Prediction: out})
	}
	return rows, nil
}
