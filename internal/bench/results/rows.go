package results

import (
	"fmt"
	"math"
	"strings"

	"incore/internal/isa"
)

// Row formats a result as a row of a model, without the source; "" if nothing was measured.
func (r *Form) Row(forms *isa.FormTable) string {
	lat, attr := r.Latencies(forms), ""
	if !math.IsNaN(r.RThru) {
		attr = "rthru=" + Trim(r.RThru, 3)
	}
	if lat == "=" && attr == "" {
		return ""
	}
	if r.Same == MoveElim {
		attr += " move-elim"
	}
	name := forms.Name(r.Form)
	s := strings.TrimRight(fmt.Sprintf("%s | = | %s | %s", name, lat, strings.TrimSpace(attr)), " |")
	if lat == "=" {
		s = fmt.Sprintf("%s | = | = | %s", name, strings.TrimSpace(attr))
	}
	if r.Same == MoveElimDistinct {
		s += fmt.Sprintf("\n%s | = | = | move-elim when=!same(0,1)", name)
	}
	for _, z := range r.Immediates {
		s += fmt.Sprintf("\n%s | = | %s | rthru=%s when=imm(%d)=%d", name, z.Result.Latencies(forms), Trim(z.Result.RThru, 3), z.Op, z.Value)
	}
	if r.Same == ZeroIdiom || r.Same == DepBreak {
		s += fmt.Sprintf("\n%s | = | = | %s when=same(%d,%d)", name, r.Same, r.SameOps[0], r.SameOps[1])
	}
	return s
}

// Latencies formats the pairs for a row: for each result the slowest operand, and the others as exceptions; "=" if
// there are no pairs.
func (r *Form) Latencies(forms *isa.FormTable) string {
	if len(r.Pairs) == 0 {
		return "="
	}
	place := func(op int8) int {
		if op < 0 {
			return forms.NumDefs(r.Form) + int(^op)
		}
		return int(op)
	}
	results := 0
	for _, p := range r.Pairs {
		results = max(results, place(p.To.Op)+1)
	}
	slowest := make([]float64, results)
	for i := range slowest {
		slowest[i] = math.NaN()
	}
	for _, p := range r.Pairs {
		if i := place(p.To.Op); math.IsNaN(slowest[i]) || Half(p.Cycles) > slowest[i] {
			slowest[i] = Half(p.Cycles)
		}
	}
	var list, except []string
	for i, v := range slowest {
		if math.IsNaN(v) { // no chain reached this result: assume the latency of the slowest
			slowest[i] = 0
			for _, w := range slowest {
				if !math.IsNaN(w) {
					slowest[i] = max(slowest[i], w)
				}
			}
		}
		list = append(list, Trim(slowest[i], 1))
	}
	if allEqual(list) {
		list = list[:1]
	}
	defs := forms.NumDefs(r.Form)
	for _, p := range r.Pairs {
		if p.Self < p.Cycles && p.From.Op >= 0 && place(p.To.Op) == 0 && Half(p.Self) < Half(p.Cycles) {
			// All forms with equal figures share a tag: forwarding is a property of the unit, not of the
			// form.
			tag := fmt.Sprintf("#%d", int(20*Half(p.Cycles)+2*Half(p.Self)))
			if !strings.Contains(list[0], "#") {
				list[0] += tag
			}
			except = append(except, fmt.Sprintf("r%d-%s%s", int(p.From.Op)-defs, Trim(Half(p.Cycles)-Half(p.Self), 1), tag))
		}
		if c := Half(p.Cycles); c != slowest[place(p.To.Op)] {
			except = append(except, fmt.Sprintf("%s>%s:%s", operandName(p.From), operandName(p.To), Trim(c, 1)))
		}
	}
	return strings.Join(append([]string{strings.Join(list, ",")}, except...), " ")
}

func allEqual(l []string) bool {
	for _, s := range l {
		if s != l[0] {
			return false
		}
	}
	return true
}

// operandName returns the name of an operand in rows.
func operandName(a isa.Access) string {
	switch {
	case a.Role == isa.RoleAddr:
		return "a"
	case a.Op < 0:
		return fmt.Sprintf("i%d", ^a.Op)
	}
	return fmt.Sprint(a.Op)
}

// Half rounds to half cycles.
func Half(v float64) float64 { return math.Round(2*v) / 2 }

// Trim formats a number with at most the given number of decimals.
func Trim(v float64, decimals int) string {
	s := fmt.Sprintf("%.*f", decimals, v)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if s == "-0" {
		return "0"
	}
	return s
}
