package hunt

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"incore/internal/isa"
)

// Options configures a search.
type Options struct {
	Pool       *Pool
	A, B       Judge
	NameA      string
	NameB      string
	Seed       uint64
	Starts     int     // number of random blocks to start from
	Insts      int     // greatest number of instructions of a block
	Threshold  float64 // two predictions disagree if their difference divided by their mean is at least this
	Progress   func(done, of, found int)
	Done       []Step           // the steps of an earlier run with the same seed
	Keep       func(Step) error // stores each step
	background map[string]verdict
}

// StepSchema is the layout of a step, a line of its own.
const StepSchema = "incore.hunt-step/1"

// Step is the result for one random block.
type Step struct {
	Schema    string     `json:"schema"`
	Start     int        `json:"start"`
	Discovery *Discovery `json:"discovery,omitempty"` // nil: the predictors agree, one has no prediction, or the kind was found before
}

// Discovery is a kind of block on which the predictors disagree.
type Discovery struct {
	Block    Block     `json:"block"`
	Kind     string    `json:"kind"`    // description in words
	General  float64   `json:"general"` // average number of forms that match an instruction
	Share    float64   `json:"share"`   // share of blocks of this kind on which the predictors disagree
	Mean     float64   `json:"mean"`    // mean disagreement
	Ratio    float64   `json:"ratio"`   // geometric mean of the ratios A ÷ B of the predictions
	Examples []Example `json:"examples"`
}

// Example is a block of the kind.
type Example struct {
	Text string  `json:"text"` // statements separated by ';'
	A    float64 `json:"a"`
	B    float64 `json:"b"`
}

// The test of a kind: the number of its blocks to try, and the least share on which the predictors must disagree.
const (
	samples = 8
	most    = 0.75
)

type verdict struct {
	a, b float64
	ok   bool
}

func (v verdict) apart() float64 {
	if !v.ok || v.a+v.b == 0 {
		return 0
	}
	return 2 * math.Abs(v.a-v.b) / (v.a + v.b)
}

// Run tries random blocks, one after the other, and generalizes those on which the predictors disagree.
func Run(ctx context.Context, o Options) ([]Discovery, error) {
	o.background = map[string]verdict{}
	var found []Discovery
	done := map[int]bool{}
	for _, s := range o.Done {
		done[s.Start] = true
		if s.Discovery != nil {
			found = append(found, *s.Discovery)
		}
	}
	for i := range o.Starts {
		if ctx.Err() != nil {
			return found, ctx.Err()
		}
		if done[i] {
			continue
		}
		d := o.start(ctx, newRNG(o.Seed, uint64(i)), found)
		if ctx.Err() != nil {
			return found, ctx.Err()
		}
		if d != nil {
			found = append(found, *d)
		}
		if err := o.Keep(Step{StepSchema, i, d}); err != nil {
			return found, err
		}
		if o.Progress != nil {
			o.Progress(i+1, o.Starts, len(found))
		}
	}
	return found, nil
}

// newRNG returns a source of random numbers, seeded with a few numbers.
func newRNG(seed ...uint64) *rand.Rand {
	s := append(seed, 0)
	return rand.New(rand.NewPCG(s[0], s[1]))
}

// start tries one random block.
func (o *Options) start(ctx context.Context, rng *rand.Rand, found []Discovery) *Discovery {
	b := o.Pool.Random(rng, 1+rng.IntN(o.Insts))
	example := o.Pool.Sample(rng, b)
	if o.judge(ctx, example).apart() < o.Threshold {
		return nil
	}
	b = o.shrink(ctx, rng, b)
	forms := make([]isa.FormID, len(b.Insns))
	for i, x := range b.Insns {
		forms[i] = x.Form
	}
	for i := range found {
		if o.Pool.Fits(&found[i].Block, forms) {
			return nil
		}
	}
	d := o.generalise(ctx, rng, b)
	return d
}

// judge predicts a block with both predictors.
func (o *Options) judge(ctx context.Context, insts []isa.Inst) verdict {
	var code []byte
	for i := range insts {
		var err error
		if code, err = o.Pool.target.ISA.Encode(code, &insts[i], 0); err != nil {
			return verdict{}
		}
	}
	if v, ok := o.background[string(code)]; ok {
		return v
	}
	v := verdict{}
	var err error
	if v.a, err = o.A(ctx, insts, code); err == nil {
		v.b, err = o.B(ctx, insts, code)
	}
	v.ok = err == nil
	o.background[string(code)] = v
	return v
}

// shrink removes instructions as long as the predictors disagree on the rest.
func (o *Options) shrink(ctx context.Context, rng *rand.Rand, b *Block) *Block {
	for i := 0; i < len(b.Insns) && len(b.Insns) > 1; {
		less := *b
		less.Insns = slices.Delete(slices.Clone(b.Insns), i, i+1)
		less.regs, less.disps = slices.Delete(slices.Clone(b.regs), i, i+1), slices.Delete(slices.Clone(b.disps), i, i+1)
		if o.judge(ctx, o.Pool.Sample(rng, &less)).apart() >= o.Threshold {
			b = &less
		} else {
			i++
		}
	}
	return b
}

// generalise widens a set of blocks in every way that keeps the disagreement on most of its blocks.
func (o *Options) generalise(ctx context.Context, rng *rand.Rand, b *Block) *Discovery {
	best := o.try(ctx, rng, b)
	if best == nil {
		return nil
	}
	widen := func(change func(*Block)) bool {
		wider := *b
		wider.Insns = slices.Clone(b.Insns)
		change(&wider)
		if d := o.try(ctx, rng, &wider); d != nil {
			b, best = &wider, d
			return true
		}
		return false
	}
	widen(func(b *Block) { b.Sharing = false })
	widen(func(b *Block) { b.Memory = false })
	for i := range b.Insns {
		for b.Insns[i].Width < Any && widen(func(b *Block) { b.Insns[i].Width++ }) {
		}
	}
	return best
}

// try predicts some blocks of a set; it returns nil if the predictors disagree on too few of them.
func (o *Options) try(ctx context.Context, rng *rand.Rand, b *Block) *Discovery {
	d := &Discovery{Block: *b, Kind: o.Pool.Describe(b), General: o.Pool.Size(b)}
	apart, known, logs := 0, 0, 0.0
	for range samples {
		insts := o.Pool.Sample(rng, b)
		v := o.judge(ctx, insts)
		if ctx.Err() != nil {
			return nil
		}
		if !v.ok {
			continue
		}
		known++
		d.Mean += v.apart()
		if v.apart() < o.Threshold {
			continue
		}
		apart++
		logs += math.Log(v.a / v.b)
		var text []string
		for i := range insts {
			text = append(text, o.Pool.target.Text(&insts[i]))
		}
		d.Examples = append(d.Examples, Example{strings.Join(text, "; "), v.a, v.b})
	}
	if known < samples/2 || float64(apart) < most*float64(known) {
		return nil
	}
	d.Mean /= float64(known)
	d.Share, d.Ratio = float64(apart)/float64(known), math.Exp(logs/float64(apart))
	slices.SortFunc(d.Examples, func(a, b Example) int { return cmp.Compare(math.Abs(math.Log(b.A/b.B)), math.Abs(math.Log(a.A/a.B))) })
	d.Examples = slices.CompactFunc(d.Examples, func(a, b Example) bool { return a.Text == b.Text })
	d.Examples = d.Examples[:min(3, len(d.Examples))]
	return d
}

// Rank sorts discoveries: the more general kinds with the greater disagreement first.
func Rank(list []Discovery) {
	slices.SortStableFunc(list, func(a, b Discovery) int {
		return cmp.Compare(b.Mean*math.Log1p(b.General), a.Mean*math.Log1p(a.General))
	})
}

// ReadSteps reads the steps that an earlier run stored, and returns the number of bytes of their complete lines.
func ReadSteps(r io.Reader) (steps []Step, whole int64, err error) {
	b := bufio.NewReader(r)
	for {
		line, err := b.ReadBytes('\n')
		if err == io.EOF {
			return steps, whole, nil
		} else if err != nil {
			return nil, 0, err
		}
		var s Step
		if err := json.Unmarshal(line, &s); err != nil {
			return nil, 0, err
		}
		steps, whole = append(steps, s), whole+int64(len(line))
	}
}
