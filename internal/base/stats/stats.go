// Package stats holds statistics that several packages need.
package stats

import (
	"math"
	"slices"
	"sort"
)

// Quantile returns the value below which a share q of the values lies, interpolated between the two nearest values; NaN for no values. It sorts the
// values.
func Quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	slices.Sort(values)
	x := q * float64(len(values)-1)
	i := int(x)
	if i+1 >= len(values) {
		return values[len(values)-1]
	}
	return values[i] + (x-float64(i))*(values[i+1]-values[i])
}

// Median returns the middle value, or the mean of the two middle values. It sorts the values.
func Median(values []float64) float64 { return Quantile(values, 0.5) }

// Tau returns Kendall's tau-b of two rankings: (concordant − discordant pairs), corrected for ties on each side. It takes O(n log n): Knight, "A
// computer method for calculating Kendall's tau with ungrouped data", JASA 1966.
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
