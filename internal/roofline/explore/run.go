package explore

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"incore/internal/base/output"
	"incore/internal/isa/catalog"
	"incore/internal/object"
	"incore/internal/program/cachesim"
	"incore/internal/roofline"
	"incore/internal/roofline/profile"
)

// format is a part of the names of stored profiles, so that profiles of versions that counted differently are not used.
const format = 2

// Options of Profiles.
type Options struct {
	Dir       string // directory of the profiles
	Workers   int    // number of workers; 0: the number of cores
	Shard, Of int    // only part Shard of Of, from 1; 0: all
	Limit     time.Duration
	Function  string
	Sysroot   string
	Progress  func(done, of int, what string)
}

// ErrElsewhere is the error of a job of another shard whose profile does not exist yet.
var ErrElsewhere = errors.New("its profile is another shard's, and not there yet")

// Done is a job's profile, or the reason why there is none.
type Done struct {
	Profile *roofline.Profile
	Err     error
	Cached  bool
}

// Profiles makes the profiles of jobs, in their order. It does not repeat profiles that are in the directory.
func Profiles(ctx context.Context, jobs []Job, o Options) ([]Done, error) {
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return nil, err
	}
	if o.Workers == 0 {
		o.Workers = runtime.NumCPU()
	}
	done := make([]Done, len(jobs))
	next := make(chan int)
	var wait sync.WaitGroup
	var lock sync.Mutex
	finished := 0
	for range max(1, min(o.Workers, len(jobs))) {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for i := range next {
				done[i] = o.one(ctx, &jobs[i])
				lock.Lock()
				finished++
				if o.Progress != nil {
					o.Progress(finished, len(jobs), jobs[i].Name())
				}
				lock.Unlock()
			}
		}()
	}
	for i := range jobs {
		next <- i
	}
	close(next)
	wait.Wait()
	return done, ctx.Err()
}

// one makes or finds the profile of a job.
func (o *Options) one(ctx context.Context, j *Job) Done {
	po, err := o.options(j)
	if err != nil {
		return Done{Err: err}
	}
	sum, err := o.sum(j, po)
	if err != nil {
		return Done{Err: err}
	}
	name := filepath.Join(o.Dir, sum+".json")
	if text, err := os.ReadFile(name); err == nil {
		if p, err := roofline.ReadProfile(name, text); err == nil {
			return Done{Profile: p, Cached: true}
		}
	}
	if o.Of > 0 && int(sum[0])%o.Of+1 != o.Shard {
		return Done{Err: ErrElsewhere}
	}
	if ctx.Err() != nil {
		return Done{Err: ctx.Err()}
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return Done{Err: err}
	}
	defer null.Close()
	po.Stdin, po.Stdout, po.Stderr = null, null, null
	p, err := profile.Run(ctx, *po)
	if err != nil {
		return Done{Err: err}
	}
	p.File = name
	if ctx.Err() == nil { // an interrupted profile is partial and is made again
		err = output.Write(name, func(w io.Writer) error { return json.NewEncoder(w).Encode(p) })
	}
	return Done{Profile: p, Err: err}
}

// options returns the options of a job's profile.
func (o *Options) options(j *Job) (*profile.Options, error) {
	po := &profile.Options{Args: j.Command, Function: o.Function, Limit: o.Limit, Sysroot: o.Sysroot, Repeat: 0}
	path, err := exec.LookPath(j.Command[0])
	if err != nil {
		return nil, fmt.Errorf("binary %s: %w", j.Binary, err)
	}
	f, err := object.Open(path, catalog.ISAs()...)
	if err != nil {
		return nil, fmt.Errorf("binary %s: %s: %w", j.Binary, path, err)
	}
	if j.Bits > 0 {
		if po.CPU, err = CPU(f.ISA.Name, j.Bits); err != nil {
			return nil, fmt.Errorf("binary %s: %w", j.Binary, err)
		}
	}
	levels, err := j.Target.Caches()
	if err != nil { // as the paper does: the caches of this machine
		if po.Caches, err = cachesim.Host(); err != nil {
			return nil, err
		}
		po.CachesFrom = "this machine, as those of " + j.Target.Name + " are not known"
		return po, nil
	}
	for _, l := range levels {
		po.Caches = append(po.Caches, cachesim.Level{Name: l.Name, Size: int(l.Size), Ways: l.Ways, Line: l.Line, Spill: l.Victim})
	}
	po.CachesFrom = j.Target.Name
	return po, nil
}

// sum returns a hash of everything that a job's profile depends on.
func (o *Options) sum(j *Job, po *profile.Options) (string, error) {
	h := sha256.New()
	path, err := exec.LookPath(j.Command[0])
	if err != nil {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	fmt.Fprintf(h, "%d %q %q %v %q %q", format, j.Command[1:], po.CPU, po.Caches, po.Function, po.Sysroot)
	return fmt.Sprintf("%x", h.Sum(nil)[:12]), nil
}

// Elsewhere counts the unfinished jobs of other shards.
func Elsewhere(done []Done) (n int) {
	for i := range done {
		if errors.Is(done[i].Err, ErrElsewhere) {
			n++
		}
	}
	return n
}

// Vectors sorts the lengths of a plan and removes duplicates.
func Vectors(list []int) []int {
	out := slices.Clone(list)
	slices.Sort(out)
	return slices.Compact(out)
}
