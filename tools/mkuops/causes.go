package main

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// A cause is why the figures of some forms differ between uops.info's Golden Cove, an Alder Lake, and an Emerald Rapids, as far as it was looked into.
type cause struct {
	forms *regexp.Regexp
	in    string // latency or throughput; "": either
	why   string
}

// causes: the first that fits counts.
var causes = []cause{
	{regexp.MustCompile(`^(RDRAND|RDSEED|RDTSC|RDPID)`), "", "not the core's: the generator's and the clock's"},
	{regexp.MustCompile(`^(SHLX|SHRX|SARX|BZHI|BEXTR|BT|BTC|BTR|BTS)(16|32|64)`), "latency", "theirs waits for an addition done at rename, behind which shifts take 2 cycles longer; ours does not"},
	{regexp.MustCompile(`^(ADC|ADD|AND|CMP|OR|SBB|SUB|TEST|XOR|IMUL)16(ri|i16|rri)$`), "", "length-changing prefix: the decoders' time, unless the µop cache holds the loop"},
	{regexp.MustCompile(`^(IMUL|MUL)16r$`), "throughput", "helper that breaks the chain through ax; theirs costs more"},
	{regexp.MustCompile(`^(ADC|ADD|AND|OR|SBB|SUB|XOR)(8i8|16i16|32i32|64i32)$`), "throughput", "theirs runs with moves that break the chain through the accumulator"},
	{regexp.MustCompile(`^(CMP|TEST)(8i8|16i16|32i32|64i32)$`), "", "length-changing prefix, or the accumulator"},
	{regexp.MustCompile(`^V(ADD|SUB|MUL|DIV|MAX|MIN|FN?M|RCP|RSQRT|SQRT|CVT|GETEXP|GETMANT|REDUCE|RNDSCALE|SCALEF|RANGE|FIXUP|CMP).*Z(rr|r[ikb]|rri|m?r)[a-z_A-Z]*$`), "throughput", "the server core has a second unit of 512 bits, on port 5"},
	{regexp.MustCompile(`k$`), "latency", "the mask as operand of a merging form: a cycle more than a register; uops.info's table has one figure for all operands"},
	{regexp.MustCompile(`Z(rr|rrb|rrk|rrbk|rrkz|rrbkz|rri|rrib)(_Int)?$`), "latency", "512 bits: the server core's second unit, whose additions take a cycle more; not looked into one by one"},
	{regexp.MustCompile(`^RC[LR]`), "", "microcoded; not looked into"},
	{regexp.MustCompile(`AESKEYGENASSIST`), "", "microcoded; not looked into"},
	{regexp.MustCompile(`^CMPXCHG`), "latency", "not looked into: ours is 5 for every pair of operands"},
	{regexp.MustCompile(`^I?DIV`), "latency", "operand values: 100 by 3"},
	{regexp.MustCompile(`^MOVZX(32|64)rr8$`), "latency", "eliminated between registers, not within one"},
	{regexp.MustCompile(`^RORX|^CDQ$|^CQO$`), "throughput", "two ports, of which rename's choice uses one or both by how the body lies"},
}

// group is the forms with one cause.
type group struct {
	why     string
	forms   int
	example string
	size    float64
}

// byCause writes the n largest groups of what differs, each with its cause.
func (c *comparison) byCause(w io.Writer, n int) error {
	groups := map[string]*group{}
	for i, line := range c.differ {
		f := strings.Split(line, "\t")
		why := "not explained"
		for _, x := range causes {
			if x.forms.MatchString(f[0]) && strings.Contains(f[6], x.in) {
				why = x.why
				break
			}
		}
		key := why
		if why == "not explained" { // each stem of names for itself
			key += stem.FindString(f[0])
		}
		g := groups[key]
		if g == nil {
			g = &group{why: why}
			groups[key] = g
		}
		if g.forms++; c.size[i] > g.size || g.example == "" {
			g.size = c.size[i]
			g.example = fmt.Sprintf("`%s` | %s, %s | %s, %s", f[0], f[2], f[4], f[3], f[5])
		}
	}
	var list []*group
	for _, g := range groups {
		list = append(list, g)
	}
	slices.SortFunc(list, func(a, b *group) int {
		return cmp.Or(cmp.Compare(b.forms, a.forms), strings.Compare(a.example, b.example))
	})
	fmt.Fprintf(w, "| forms | the one that differs most | measured: latency, throughput | uops.info | cause |\n|---|---|---|---|---|\n")
	for _, g := range list[:min(n, len(list))] {
		if _, err := fmt.Fprintf(w, "| %d | %s | %s |\n", g.forms, g.example, g.why); err != nil {
			return err
		}
	}
	return nil
}

var stem = regexp.MustCompile(`^[A-Z]+[0-9]?[A-Z]*`)
