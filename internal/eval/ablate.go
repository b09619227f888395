package eval

import (
	"math/rand/v2"
	"slices"

	"incore/internal/accuracy"
	"incore/internal/machine"
	"incore/internal/parallel"
	"incore/internal/stats"
)

// Ablation is what the simulator's errors on a corpus become when a core's model loses an option.
type Ablation struct {
	Option, Corpus string
	Blocks         int // that both models predict
	Changed        int // whose prediction is another without the option
	// Mean is how much the mean relative error grows without the option (0.01: by a point); what is above 0 speaks for the option. From Low to High
	// reaches the 95 % bootstrap interval of it, over the blocks of the corpus.
	Mean, Low, High float64
	Tau             float64 // how much Kendall's rank correlation changes
}

// Significant reports whether the interval leaves out 0.
func (a *Ablation) Significant() bool { return a.Low > 0 || a.High < 0 }

// Options are the names of the parameters and features of a model that engines can do without: those of machine.Core.
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

// Without is a model without an option, as Options lists them.
func Without(m *machine.Model, option string) (*machine.Model, error) {
	if machine.OptionNamed(option).Feature {
		return m.With(machine.Fact{Name: option, Value: "false"})
	}
	return m.With(machine.Fact{Name: option})
}

// Ablate takes each of some options from the model of a corpus, by itself, and predicts the corpus again. Options that the model cannot lose
// alone, as others refer to them, are left out.
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

// predicted is what the simulator says of a corpus.
type predicted struct{ cycles, measured, errors []float64 }

// errors predicts a corpus by a model.
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

// resamples is how many resamples a bootstrap interval is of.
const resamples = 2000

// compareErrors says how much greater the errors of the second predictions are than those of the first. The intervals are the same each time.
func compareErrors(whole, less predicted) Ablation {
	a := Ablation{Blocks: len(whole.errors), Tau: stats.Tau(less.cycles, less.measured) - stats.Tau(whole.cycles, whole.measured)}
	var changes []float64 // of the others the difference is 0
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
