package tables

import (
	"fmt"
	"html"
	"math"
	"strings"

	"incore/internal/base/stats"
)

// boxes draws the distribution of each predictor's relative errors (figure 2 of CesASMe): quartiles and median as a box, the 5th and 95th percentile as
// whiskers.
func (r *Report) boxes(rows []row) string {
	const left, width, height, most = 170.0, 560.0, 26.0, 1.0 // errors up to 100 %
	x := func(v float64) float64 { return left + width*math.Min(v, most)/most }
	var b strings.Builder
	total := height*float64(len(r.Predictors)) + 30
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 %.0f" role="img" aria-label="relative errors by predictor">`, total)
	for _, v := range []float64{0, 0.2, 0.4, 0.6, 0.8, 1} {
		fmt.Fprintf(&b, `<line class="grid" x1="%.1f" y1="0" x2="%.1f" y2="%.0f"/><text x="%.1f" y="%.0f" text-anchor="middle">%.0f %%</text>`, x(v), x(v), total-20, x(v), total-6, 100*v)
	}
	for i, p := range r.Predictors {
		var errs []float64
		for k := range rows {
			if e, ok := rows[k].err(p.Name); ok {
				errs = append(errs, e)
			}
		}
		if len(errs) == 0 {
			continue
		}
		q := func(v float64) float64 { return x(stats.Quantile(errs, v)) }
		mid := height*float64(i) + height/2
		fmt.Fprintf(&b, `<text x="%.0f" y="%.1f" text-anchor="end">%s</text>`, left-8, mid+4, html.EscapeString(p.Name))
		fmt.Fprintf(&b, `<line class="whisker" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`, q(0.05), mid, q(0.95), mid)
		fmt.Fprintf(&b, `<rect class="box" x="%.1f" y="%.1f" width="%.1f" height="14"/>`, q(0.25), mid-7, math.Max(1, q(0.75)-q(0.25)))
		fmt.Fprintf(&b, `<line class="median" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`, q(0.5), mid-7, q(0.5), mid+7)
	}
	b.WriteString("</svg>")
	return b.String()
}

// pruned returns the benchmarks that memory dependences do not bound (figures 4 and 5).
func (r *Report) pruned() (out []row) {
	for _, x := range r.rows {
		if bound, known := x.latencyBound(); known && !bound {
			out = append(out, x)
		}
	}
	return out
}

// scatters plots a point for each benchmark, on logarithmic axes.
func (r *Report) scatters() string {
	var out strings.Builder
	const size = 260.0
	lo, hi := math.Inf(1), 0.0
	for i := range r.rows {
		lo, hi = math.Min(lo, r.rows[i].measured.Cycles), math.Max(hi, r.rows[i].measured.Cycles)
	}
	if hi <= lo {
		hi = lo * 2
	}
	thick := math.Max(1.5, math.Min(6, 120/math.Sqrt(float64(len(r.rows))+1))) // single points are to be seen, and many do not become a blot
	at := func(v float64) float64 {
		return math.Max(0, math.Min(size, size*(math.Log(v)-math.Log(lo))/(math.Log(hi)-math.Log(lo))))
	}
	for _, p := range r.Predictors {
		var points strings.Builder
		for i := range r.rows {
			x := &r.rows[i]
			if q := x.predictions[p.Name]; q != nil && q.Failure == "" && q.Cycles > 0 {
				fmt.Fprintf(&points, "M%.1f %.1fh0", at(x.measured.Cycles), size-at(q.Cycles))
			}
		}
		if points.Len() == 0 {
			continue
		}
		svg := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="-6 -6 272 290" role="img" aria-label="predicted against measured"><rect class="frame" width="%.0f" height="%.0f"/><path class="grid" d="M0 %.0fL%.0f 0"/><path class="points" stroke-width="%.1f" d="%s"/><text x="130" y="278" text-anchor="middle">measured: %.0f to %.0f cycles</text></svg>`,
			size, size, size, size, thick, points.String(), lo, hi)
		fmt.Fprintf(&out, "<figure>%s<figcaption>%s</figcaption></figure>", svg, html.EscapeString(p.Name))
	}
	return out.String()
}
