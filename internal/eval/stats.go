package eval

import (
	"math"
	"sort"
)

// Summary is how far predictions are from measurements. Errors are relative: |predicted − measured| / measured.
type Summary struct {
	N                   int
	Mean, Median        float64
	Lower, Upper        float64 // quartiles
	Within10, Within20  float64 // share of blocks with at most 10 and 20 % error
	Tau                 float64 // Kendall's rank correlation (tau-b)
	Over, Under, Biased float64 // share predicted more than 5 % too slow, too fast; mean signed error
}

// RelError is the relative error of a prediction.
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
	sort.Float64s(errs)
	s.Lower, s.Median, s.Upper = quantile(errs, 0.25), quantile(errs, 0.5), quantile(errs, 0.75)
	s.Tau = Tau(predicted, measured)
	return s
}

// quantile interpolates in sorted values.
func quantile(v []float64, q float64) float64 {
	x := q * float64(len(v)-1)
	i := int(x)
	if i+1 >= len(v) {
		return v[len(v)-1]
	}
	return v[i] + (x-float64(i))*(v[i+1]-v[i])
}

// Tau is Kendall's tau-b of two rankings: (concordant − discordant pairs), ties taken out on each side.
// O(n log n): Knight, "A computer method for calculating Kendall's tau with ungrouped data", JASA 1966.
func Tau(x, y []float64) float64 {
	n := len(x)
	if n < 2 {
		return math.NaN()
	}
	at := make([]int, n)
	for i := range at {
		at[i] = i
	}
	sort.Slice(at, func(a, b int) bool {
		i, k := at[a], at[b]
		return x[i] < x[k] || x[i] == x[k] && y[i] < y[k]
	})
	pairs := func(k int) float64 { return float64(k) * float64(k-1) / 2 }
	tieX, tieBoth := 0.0, 0.0
	for i, runX, runBoth := 1, 1, 1; i <= n; i++ {
		sameX := i < n && x[at[i]] == x[at[i-1]]
		if sameX && y[at[i]] == y[at[i-1]] {
			runBoth++
		} else {
			tieBoth, runBoth = tieBoth+pairs(runBoth), 1
		}
		if sameX {
			runX++
		} else {
			tieX, runX = tieX+pairs(runX), 1
		}
	}
	ys := make([]float64, n)
	for i, k := range at {
		ys[i] = y[k]
	}
	swaps := mergeSort(ys, make([]float64, n))
	tieY := 0.0
	for i, run := 1, 1; i <= n; i++ {
		if i < n && ys[i] == ys[i-1] {
			run++
		} else {
			tieY, run = tieY+pairs(run), 1
		}
	}
	all := pairs(n)
	return (all - tieX - tieY + tieBoth - 2*swaps) / math.Sqrt((all-tieX)*(all-tieY))
}

// mergeSort sorts v and returns how many pairs were out of order.
func mergeSort(v, tmp []float64) (swaps float64) {
	n := len(v)
	if n < 2 {
		return 0
	}
	swaps = mergeSort(v[:n/2], tmp[:n/2]) + mergeSort(v[n/2:], tmp[n/2:])
	copy(tmp, v)
	a, b := tmp[:n/2], tmp[n/2:n]
	for i := range v {
		if len(b) == 0 || len(a) > 0 && a[0] <= b[0] {
			v[i], a = a[0], a[1:]
		} else {
			v[i], b = b[0], b[1:]
			swaps += float64(len(a))
		}
	}
	return swaps
}
