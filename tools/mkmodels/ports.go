package main

import (
	"fmt"
	"math/bits"
	"regexp"
	"slices"
	"sort"
	"strings"
)

// portMap gives the resources of an LLVM model clean names and breaks them into ports.
type portMap struct {
	s      *sched
	name   []string // resource → clean name
	ports  []string // all ports
	isRes  []bool   // port is a shared unit, not an issue port
	set    []uint64 // resource → ports
	groups []string // lines "group NAME: ports"
	text   map[uint64]string
	sets   []uint64 // sets of all resources, for LLVM's reciprocal throughput
}

var (
	resourceName = regexp.MustCompile(`(?i)div|sqrt|FSQR|^LSU|^(Load|Store)\d?$|^Invalid|^Count$|^VCQ$|^Multiplier$|^FPMultiplier$|^Mul$|^Flg$`)
	twoDigits    = regexp.MustCompile(`^([A-Za-z]*)(\d)(\d)$`)
	numberPad    = regexp.MustCompile(`(^|_)0(\d)`)
)

// renamed gives ports the names of the literature, if LLVM's differ.
var renamed = map[string]map[string]string{
	// PMBS'19 table II: loads and stores on P3 and P4, store data on P5.
	"ThunderX2T99Model": {"P3": "P5", "P4": "P3", "P5": "P4"},
	// Only FSQRT uses LLVM 19's resource PortInvalid, in addition to port 0, for the 7 cycles that it occupies the divider.
	"AlderlakePModel":     {"Invalid": "FPDIV"},
	"SapphireRapidsModel": {"Invalid": "FPDIV"},
	// Paths of results to the flags: according to LLVM they are not ports; Flg in its models of Arm's cores.
	"OlympusModel": {"F": "Flg"},
}

// cleanNames removes the common prefix of a model's names, and words without information.
func cleanNames(res []resource) []string {
	lcp := res[1].Name
	for _, r := range res[2:] {
		if anonymous(r) {
			continue
		}
		for !strings.HasPrefix(r.Name, lcp) {
			lcp = lcp[:len(lcp)-1]
		}
	}
	out := make([]string, len(res))
	seen := map[string]bool{}
	joined := false // numbers are joined by "_": 00_01_10
	for _, r := range res {
		joined = joined || strings.Contains(strings.TrimPrefix(r.Name, lcp), "00_")
	}
	for i, r := range res {
		if i == 0 {
			continue
		}
		n := strings.Trim(strings.TrimPrefix(r.Name, lcp), "_")
		for _, w := range []string{"Port", "Unit", "Pipe"} {
			if s := strings.TrimPrefix(n, w); s != "" {
				n = s
			}
		}
		if len(res) == 2 || n == "" {
			n = r.Name
		}
		if joined { // 00_01_10 → 0_1_10
			n = numberPad.ReplaceAllString(n, "$1$2")
		}
		n = strings.NewReplacer("FPDivider", "FPDIV", "Divider", "DIV").Replace(n)
		if seen[n] {
			n = r.Name
		}
		seen[n] = true
		out[i] = n
	}
	return out
}

// anonymous reports a group without a name in LLVM's file: it represents overlapping groups, and no instruction uses it.
func anonymous(r resource) bool { return strings.HasPrefix(r.Name, "anonymous_") }

func newPortMap(s *sched) (*portMap, error) {
	p := &portMap{s: s, name: cleanNames(s.Res), set: make([]uint64, len(s.Res)), text: map[uint64]string{}}
	taken := map[string]bool{}
	order := make([]int, 0, len(s.Res))
	swapped := false
	for i, n := range p.name {
		if r, ok := renamed[s.Model][n]; ok {
			swapped = swapped || slices.Contains(p.name, r)
			p.name[i] = r
		}
		taken[p.name[i]] = true
		if i > 0 {
			order = append(order, i)
		}
	}
	if swapped {
		sort.Slice(order, func(i, j int) bool { return p.name[order[i]] < p.name[order[j]] })
	}
	for _, i := range order { // units of their own
		if r := s.Res[i]; len(r.Members) == 0 && p.alias(i) == i {
			p.unit(i, r, taken)
		}
	}
	for i, r := range s.Res { // units that are an alias of another unit
		if i > 0 && len(r.Members) == 0 {
			p.set[i] = p.set[p.alias(i)]
		}
	}
	for i, r := range s.Res {
		for _, m := range r.Members {
			p.set[i] |= p.set[m]
		}
	}
	if len(p.ports) > 64 {
		return nil, fmt.Errorf("%d ports, at most 64 are possible", len(p.ports))
	}
	for k, n := range p.ports {
		p.text[1<<k] = n
	}
	for i := 1; i < len(s.Res); i++ {
		p.group(i)
	}
	return p, nil
}

// alias follows "super" links between single units: LLVM's name for one function of a pipe.
func (p *portMap) alias(i int) int {
	r := p.s.Res[i]
	if s := r.Super; s != 0 && r.Units == 1 && p.s.Res[s].Units == 1 && len(p.s.Res[s].Members) == 0 && len(r.Members) == 0 {
		return p.alias(s)
	}
	return i
}

func (p *portMap) unit(i int, r resource, taken map[string]bool) {
	names := []string{p.name[i]}
	if r.Units > 1 {
		names = nil
		if m := twoDigits.FindStringSubmatch(p.name[i]); m != nil && r.Units == 2 && !taken[m[1]+m[2]] && !taken[m[1]+m[3]] {
			names = []string{m[1] + m[2], m[1] + m[3]}
		} else {
			for k := range r.Units {
				n := fmt.Sprintf("%s%d", p.name[i], k)
				if taken[n] || strings.ContainsAny(p.name[i][len(p.name[i])-1:], "0123456789") {
					n = fmt.Sprintf("%s.%d", p.name[i], k)
				}
				names = append(names, n)
			}
		}
	}
	res := (resourceName.MatchString(p.name[i]) || r.Super != 0) && !pipesOf(p.s.Model).accesses(p.name[i]) && !strings.HasSuffix(p.name[i], "_IS")
	for _, n := range names {
		taken[n] = true
		p.set[i] |= 1 << len(p.ports)
		p.ports, p.isRes = append(p.ports, n), append(p.isRes, res)
	}
}

// group gives the port set of a resource a name, unless it has one.
func (p *portMap) group(i int) {
	s := p.set[i]
	if s == 0 || p.text[s] != "" || anonymous(p.s.Res[i]) {
		return
	}
	p.sets = append(p.sets, s)
	name := p.name[i]
	for _, n := range p.ports {
		if n == name {
			name = p.s.Res[i].Name
		}
	}
	p.text[s] = name
	var members []string
	for k, n := range p.ports {
		if s>>k&1 != 0 {
			members = append(members, n)
		}
	}
	p.groups = append(p.groups, fmt.Sprintf("group %s: %s", name, strings.Join(members, " ")))
}

// resource reports whether all ports of a set are shared units.
func (p *portMap) resource(set uint64) bool {
	for k := range p.ports {
		if set>>k&1 != 0 && !p.isRes[k] {
			return false
		}
	}
	return set != 0
}

// rthru returns the reciprocal throughput by the uses: that of the busiest of the model's port sets.
func (p *portMap) rthru(uses map[uint64]float64) float64 {
	best := 0.0
	check := func(s uint64) {
		sum := 0.0
		for u, c := range uses {
			if u&^s == 0 {
				sum += c
			}
		}
		best = max(best, sum/float64(bits.OnesCount64(s)))
	}
	for k := range p.ports {
		check(1 << k)
	}
	for _, s := range p.sets {
		check(s)
	}
	return best
}
