package main

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// A cause is the known reason for which the figures of some forms differ between uops.info's core and ours.
type cause struct {
	forms *regexp.Regexp
	in    string // the differing figure, latency or throughput; "": either
	why   string
	// shown is set if measurements of the instruction in other chains, with other operands or with other helper instructions prove that the two figures measure different
	// things, or that uops.info's figure is the cost of the helpers.
	shown bool
	above bool // only where uops.info's throughput is the slower one
}

// causes lists the causes by core; the first that matches counts.
var causes = map[string][]cause{"ADL-P": goldenCoveCauses, "ZEN4": zen4Causes}

// zen4Causes explain differences between uops.info's Zen 4 and an EPYC with the same core.
var zen4Causes = []cause{
	{forms: regexp.MustCompile(`^(SHL|SHR|SAR|ROL|ROR|SHLD|SHRD)(8|16|32|64)rr?CL$`), in: "latency", shown: true,
		why: "theirs has counts of 0 in the chain, for which the flags of before are waited for: 32 cycles here as well, 1 for other counts"},
	{forms: regexp.MustCompile(`^RCL(8|16|32|64)rCL$`), in: "latency",
		why: "from the count, not found here: 4 with each count, whether it changes along the chain or not"},
	{forms: regexp.MustCompile(`^I?DIV(16|32|64)r$`), in: "latency", shown: true, why: "operand values: 100 by 3; with the longest quotient 19 (signed 18), 13 and 11 cycles here"},
	{forms: regexp.MustCompile(`^(ADC|ADCX|ADOX|SBB)|^(ADD|AND|OR|SUB|XOR|CMP|TEST)(8i8|16i16|32i32|64i32)$|^(CBW|CWDE|CDQE|CMC|CWD|CDQ|CQO)$|^XCHG(16|32|64)ar$`), in: "throughput", shown: true, above: true,
		why: "theirs runs with helpers against the chain through accumulator or flags; bounds from helpers of two kinds are lower"},
	{forms: regexp.MustCompile(`^VP?(COMPRESS|EXPAND)[A-Z]+Zrr$`), in: "latency", why: "not found here: 5 alone, with a shuffle and with additions between; 6.8 behind three `vpord`"},
	{forms: regexp.MustCompile(`^VP?(COMPRESS|EXPAND)|^VCVT`), in: "throughput", shown: true, above: true,
		why: "two kinds of µops, assigned to units by chance: theirs has the slower assignment, which ours has, too, in other runs"},
	{forms: regexp.MustCompile(`^VP?(COMPRESS|EXPAND)|^VCVT`), in: "throughput", why: "two kinds of µops, assigned to units by chance: ours has the slower assignment"},
	{forms: regexp.MustCompile(`^MMX_PAVG`), in: "throughput", shown: true, why: "results are operands, of 2 cycles: 6 of the 8 registers go round here, 7 there"},
	{forms: regexp.MustCompile(`^V(PERM|ALIGN|PCLMUL|PCONFLICT)[A-Z0-9]*Z(rr|rri|ri)(k|kz)?$`), in: "latency", shown: true,
		why: "512 bits: ours is alone, with one shuffle or with additions between; with one to nine `vpord` between, 4.7 to 6.4 for `vpermd`, from one chain and one start to the next, where an addition has 3 in all"},
	{forms: regexp.MustCompile(`^(RDRAND|RDSEED)`), why: "not the core's: the generator's"},
	{forms: regexp.MustCompile(`^JMP_1$`), why: "theirs is the record of the long form; of the short one they have 1.05"},
	{forms: regexp.MustCompile(`^LFENCE$`), why: "not found here: 17 in each of five runs"},
	{forms: regexp.MustCompile(`^V(DIV|SQRT|RSQRT14)[PS][SD]Z.*k$`), in: "throughput",
		why: "not found here: neither operands (0, 1, 1.28, 2, infinite, not a number, denormal) nor masks of zeros change ours, which is as without a mask"},
	{forms: regexp.MustCompile(`^VSQRTSDZrb?_Int`), in: "throughput", why: "not found here, as the dividers with a mask"},
	{forms: regexp.MustCompile(`^VP(TERNLOG|ACK|UNPCK)|rr(i|ib|b)?k$`), in: "latency", shown: true,
		why: "operations of a cycle that merge with a third register take two on some units: 1.0 where that comes along the chain, 1.3 to 2.0 on average where it was ready before (`vpsllvd`, which has the multipliers' units alone, 1.0); which units a chain gets is chance"},
}

// goldenCoveCauses explain differences between uops.info's Golden Cove, an Alder Lake, and an Emerald Rapids.
var goldenCoveCauses = []cause{
	{forms: regexp.MustCompile(`^(RDRAND|RDSEED|RDTSC|RDPID)`), why: "not the core's: the generator's and the clock's"},
	{forms: regexp.MustCompile(`^(SHLX|SHRX|SARX|BZHI|BEXTR|BT|BTC|BTR|BTS)(16|32|64)`), in: "latency", why: "theirs waits for an addition done at rename, behind which shifts take 2 cycles longer; ours does not"},
	{forms: regexp.MustCompile(`^(ADC|ADD|AND|CMP|OR|SBB|SUB|TEST|XOR|IMUL)16(ri|i16|rri)$`), why: "length-changing prefix: the decoders' time, unless the µop cache holds the loop"},
	{forms: regexp.MustCompile(`^(IMUL|MUL)16r$`), in: "throughput", why: "helper that breaks the chain through ax; theirs costs more"},
	{forms: regexp.MustCompile(`^(ADC|ADD|AND|OR|SBB|SUB|XOR)(8i8|16i16|32i32|64i32)$`), in: "throughput", why: "theirs runs with moves that break the chain through the accumulator"},
	{forms: regexp.MustCompile(`^(CMP|TEST)(8i8|16i16|32i32|64i32)$`), why: "length-changing prefix, or the accumulator"},
	{forms: regexp.MustCompile(`^V(ADD|SUB|MUL|DIV|MAX|MIN|FN?M|RCP|RSQRT|SQRT|CVT|GETEXP|GETMANT|REDUCE|RNDSCALE|SCALEF|RANGE|FIXUP|CMP).*Z(rr|r[ikb]|rri|m?r)[a-z_A-Z]*$`), in: "throughput", why: "the server core has a second unit of 512 bits, on port 5"},
	{forms: regexp.MustCompile(`k$`), in: "latency", why: "the mask as operand of a merging form: a cycle more than a register; uops.info's table has one figure for all operands"},
	{forms: regexp.MustCompile(`Z(rr|rrb|rrk|rrbk|rrkz|rrbkz|rri|rrib)(_Int)?$`), in: "latency", why: "512 bits: the server core's second unit, whose additions take a cycle more; not looked into one by one"},
	{forms: regexp.MustCompile(`^RC[LR]`), why: "microcoded; not looked into"},
	{forms: regexp.MustCompile(`AESKEYGENASSIST`), why: "microcoded; not looked into"},
	{forms: regexp.MustCompile(`^CMPXCHG`), in: "latency", why: "not looked into: ours is 5 for every pair of operands"},
	{forms: regexp.MustCompile(`^I?DIV`), in: "latency", why: "operand values: 100 by 3"},
	{forms: regexp.MustCompile(`^MOVZX(32|64)rr8$`), in: "latency", why: "eliminated between registers, not within one"},
	{forms: regexp.MustCompile(`^RORX|^CDQ$|^CQO$`), in: "throughput", why: "two ports, of which rename's choice uses one or both by how the body lies"},
}

// causeOf returns the known cause of a difference; its field why is empty if no cause is known.
func (c *comparison) causeOf(d *difference) cause {
	for _, x := range c.causes {
		if x.forms.MatchString(d.form) && (x.in == "" || x.in == d.in) && (!x.above || d.theirs.TP > d.ours.rthru) {
			return x
		}
	}
	return cause{}
}

// explained counts the forms for which each difference has a cause that is shown, or is one of definition.
func (c *comparison) explained() int {
	open := map[string]bool{}
	for i := range c.differ {
		d := &c.differ[i]
		open[d.form] = open[d.form] || !c.causeOf(d).shown
	}
	n := 0
	for _, o := range open {
		if !o {
			n++
		}
	}
	return n
}

// group is the differences with one cause.
type group struct {
	why   string
	forms int
	worst *difference
}

// byCause writes the n largest groups of differences, each with its cause.
func (c *comparison) byCause(w io.Writer, n int) error {
	groups := map[string]*group{}
	for i := range c.differ {
		d := &c.differ[i]
		why := c.causeOf(d).why
		key := why
		if why == "" { // differences without a known cause are grouped by the stem of their names
			why = "not explained"
			key = d.in + stem.FindString(d.form)
		}
		g := groups[key]
		if g == nil {
			g = &group{why: why, worst: d}
			groups[key] = g
		}
		if g.forms++; d.size > g.worst.size {
			g.worst = d
		}
	}
	var list []*group
	for _, g := range groups {
		list = append(list, g)
	}
	slices.SortFunc(list, func(a, b *group) int {
		return cmp.Or(cmp.Compare(b.forms, a.forms), strings.Compare(a.worst.form, b.worst.form))
	})
	fmt.Fprintf(w, "| forms | the one that differs most | in | measured | uops.info | cause |\n|---|---|---|---|---|---|\n")
	for _, g := range list[:min(n, len(list))] {
		ours, theirs := g.worst.figures()
		if _, err := fmt.Fprintf(w, "| %d | `%s` | %s | %s | %s | %s |\n", g.forms, g.worst.form, g.worst.in, ours, theirs, g.why); err != nil {
			return err
		}
	}
	return nil
}

var stem = regexp.MustCompile(`^[A-Z]+[0-9]?[A-Z]*`)
