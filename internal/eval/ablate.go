package eval

import (
	"math/rand/v2"
	"slices"

	"incore/internal/base/parallel"
	"incore/internal/base/stats"
	"incore/internal/machine"
	"incore/internal/machine/accuracy"
)

// Ablation is the change of the simulator's errors on a corpus if a core's model loses an option.
type Ablation struct {
	Option, Corpus string
	Blocks         int // blocks that both models predict
	Changed        int // blocks whose prediction changes without the option
	// Mean is the increase of the mean relative error without the option (0.01: one percentage point); above 0 the option helps. Low and High bound its
	// 95 % bootstrap interval over the blocks of the corpus.
	Mean, Low, High float64
	Tau             float64 // the change of Kendall's rank correlation
}

// Significant reports whether the bootstrap interval excludes 0.
func (a *Ablation) Significant() bool { return a.Low > 0 || a.High < 0 }

// Options returns the names of a model's optional parameters and features, the options of machine.Core.
func Options(m *machine.Model) []string {
	var out []string
	for _, f := range m.Facts {
		o := machine.OptionNamed(f.Name)
		if o != nil && (!o.Feature || f.Value == "true") && !slices.Contains(out, f.Name) {
			out = append(out, f.Name)
		}
	}
	slices.Sort(out)
	return out
}

// Without returns a model without an option, which is one of Options.
func Without(m *machine.Model, option string) (*machine.Model, error) {
	if machine.OptionNamed(option).Feature {
		return m.With(machine.Fact{Name: option, Value: "false"})
	}
	return m.With(machine.Fact{Name: option})
}

// Ablate removes each of the options alone from the model of a corpus and predicts the corpus again. It skips options that the model cannot lose
// alone because other options refer to them.
func Ablate(row accuracy.Row, c *Stored, options []string) []Ablation {
	whole := c.errors(c.Model)
	out := make([]*Ablation, len(options))
	parallel.For(len(options), func(i int) {
		m, err := Without(c.Model, options[i])
		if err != nil {
			return
		}
		less := c.errors(m)
		a := compareErrors(whole, less)
		a.Option, a.Corpus = options[i], row.Corpus
		out[i] = &a
	})
	var all []Ablation
	for _, a := range out {
		if a != nil {
			all = append(all, *a)
		}
	}
	return all
}

// predicted holds the simulator's predictions for a corpus, the measured cycles and the errors.
type predicted struct{ cycles, measured, errors []float64 }

// errors predicts a corpus with a model.
func (c *Stored) errors(m *machine.Model) (p predicted) {
	for i := range c.Blocks {
		b := &c.Blocks[i]
		x := Predict(m, b, c.Conditions)
		p.cycles = append(p.cycles, x.Sim)
		p.measured = append(p.measured, b.Cycles)
		p.errors = append(p.errors, RelError(x.Sim, b.Cycles))
	}
	return p
}

// resamples is the number of resamples of a bootstrap interval.
const resamples = 2000

// compareErrors compares the errors of the predictions less with those of whole. Its random numbers are seeded, so that the intervals are reproducible.
func compareErrors(whole, less predicted) Ablation {
	a := Ablation{Blocks: len(whole.errors), Tau: stats.Tau(less.cycles, less.measured) - stats.Tau(whole.cycles, whole.measured)}
	var changes []float64 // the differences that are not 0
	for i := range whole.errors {
		if d := less.errors[i] - whole.errors[i]; d != 0 {
			changes = append(changes, d)
			a.Mean += d / float64(a.Blocks)
		}
		if whole.cycles[i] != less.cycles[i] {
			a.Changed++
		}
	}
	if len(changes) == 0 {
		return a
	}
	rng := rand.New(rand.NewPCG(1, 0))
	means := make([]float64, resamples)
	for k := range means {
		sum := 0.0
		for range a.Blocks {
			if i := rng.IntN(a.Blocks); i < len(changes) {
				sum += changes[i]
			}
		}
		means[k] = sum / float64(a.Blocks)
	}
	a.Low, a.High = stats.Quantile(means, 0.025), stats.Quantile(means, 0.975)
	return a
}
