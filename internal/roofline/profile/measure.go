package profile

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"time"

	"incore/internal/program/perf"
	"incore/internal/roofline"
)

// Limits of measuring: a program is run again until its runs together took enough, at most most times, and not again after a run that took long.
const (
	enough = time.Second
	long   = 5 * time.Second
	most   = 50
)

// samples are the instruction pointers of a program, sampled by a clock that counts its own time.
type samples struct {
	at      []uint64 // instruction pointers
	modules []module
	seconds float64 // on a core, including the kernel's work for the program
	counts  []perf.Count
	uncount error // reason for missing counts
}

// times holds the measured times of a program.
type times struct {
	seconds float64 // on a core, the least of the runs
	runs    []*samples
	why     string // reason for missing samples; "" with samples
}

// measure runs the program without instrumentation several times. Its output is discarded; its input is the input of the first run if that is a file. The time is
// the time on a core, because waiting for other programs is not a property of this program.
func measure(ctx context.Context, o *Options) (*times, error) {
	t := &times{seconds: math.Inf(1)}
	var spent time.Duration
	for len(t.runs) < o.Repeat || spent < enough && len(t.runs) < most {
		cmd := exec.Command(o.Args[0], o.Args[1:]...)
		if err := again(cmd, o.Stdin); err != nil {
			return nil, err
		}
		start := time.Now()
		s, why, err := sampled(ctx, cmd, o.Limit, o.groups())
		if in, ok := cmd.Stdin.(*os.File); ok && in != nil {
			in.Close()
		}
		if err != nil {
			return nil, err
		}
		t.why = why
		t.runs = append(t.runs, s)
		t.seconds = math.Min(t.seconds, s.seconds)
		took := time.Since(start)
		if spent += took; took > long {
			break
		}
	}
	if t.seconds <= 0 || math.IsInf(t.seconds, 0) {
		return nil, errors.New("it takes too little time")
	}
	return t, nil
}

// Again measures the time of a profile's program again and keeps the lesser time, because other load on the machine makes times longer,
// never shorter. The profile must be of a whole program that runs natively.
func Again(ctx context.Context, p *roofline.Profile, o Options) error {
	o.Args = p.Program
	f, err := openProgram(o.Args)
	switch {
	case err != nil:
		return err
	case p.Static || p.Scope != "" || f.ISA.Name != nativeISA:
		return fmt.Errorf("profile %s is not of a whole program that runs natively: it has no time", p.File)
	}
	for _, c := range p.Files {
		if data, err := os.ReadFile(c.Path); err != nil || fmt.Sprintf("%x", sha256.Sum256(data)) != c.SHA256 {
			return fmt.Errorf("%s is not the file that was profiled any more: profile it again", c.Path)
		}
	}
	o.Repeat, o.Counters = max(1, o.Repeat), "off"
	t, err := measure(ctx, &o)
	if err != nil || p.Seconds > 0 && t.seconds >= p.Seconds {
		return err
	}
	p.Seconds = t.seconds
	a := newAtlas(f.ISA)
	for i := range p.Loops {
		p.Loops[i].Seconds, p.Loops[i].Samples = 0, 0
		a.loops[key(&p.Loops[i])] = i
	}
	a.time(t, p)
	return nil
}

// again sets a command's input to the input of the first run.
func again(cmd *exec.Cmd, stdin *os.File) error {
	if stdin == nil {
		return nil
	}
	i, err := stdin.Stat()
	switch {
	case err != nil:
	case i.Mode().IsRegular():
		in, err := os.Open(stdin.Name())
		if err != nil {
			return err
		}
		cmd.Stdin = in
	case i.Mode()&os.ModeNamedPipe != 0:
		return fmt.Errorf("its input, a pipe, cannot be read again")
	}
	return nil
}
