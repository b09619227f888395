package eval

import (
	"math"

	"incore/internal/base/stats"
)

// Summary summarizes the errors of predictions. Errors are relative: |predicted − measured| / measured.
type Summary struct {
	N                   int
	Mean, Median        float64
	Lower, Upper        float64 // quartiles
	Within10, Within20  float64 // share of blocks with at most 10 and 20 % error
	Tau                 float64 // Kendall's rank correlation (tau-b)
	Over, Under, Biased float64 // share of blocks predicted more than 5 % too slow, and too fast; mean signed error
}

// RelError returns the relative error of a prediction.
func RelError(predicted, measured float64) float64 {
	return math.Abs(predicted-measured) / measured
}

// Summarise compares predictions with measurements of the same blocks.
func Summarise(predicted, measured []float64) Summary {
	s := Summary{N: len(predicted)}
	if s.N == 0 {
		return s
	}
	errs := make([]float64, s.N)
	for i, p := range predicted {
		errs[i] = RelError(p, measured[i])
		s.Mean += errs[i]
		s.Biased += (p - measured[i]) / measured[i]
		switch {
		case p > 1.05*measured[i]:
			s.Over++
		case p < 0.95*measured[i]:
			s.Under++
		}
		if errs[i] <= 0.1 {
			s.Within10++
		}
		if errs[i] <= 0.2 {
			s.Within20++
		}
	}
	n := float64(s.N)
	for _, x := range []*float64{&s.Mean, &s.Biased, &s.Over, &s.Under, &s.Within10, &s.Within20} {
		*x /= n
	}
	s.Lower, s.Median, s.Upper = stats.Quantile(errs, 0.25), stats.Median(errs), stats.Quantile(errs, 0.75)
	s.Tau = stats.Tau(predicted, measured)
	return s
}
