package main

import (
	"regexp"
	"slices"
)

// pipes gives the function of a model's resources by their clean names; the first rule that matches a name counts.
type pipes struct {
	models *regexp.Regexp
	load   *regexp.Regexp // loads, and store addresses if there is no rule for them
	sta    *regexp.Regexp
	std    *regexp.Regexp
	branch *regexp.Regexp
}

func rule(models, load, sta, std, branch string) pipes {
	re := func(s string) *regexp.Regexp {
		if s == "" {
			return nil
		}
		return regexp.MustCompile("^(" + s + ")$")
	}
	return pipes{re(models), re(load), re(sta), re(std), re(branch)}
}

var pipeRules = []pipes{
	rule("SandyBridgeModel", "23", "", "4", ""),
	rule("(Haswell|Broadwell|Skylake.*)Model", "23", "237", "4", ""),
	rule("IceLakeModel", "23", "78", "49", ""),
	rule("(AlderlakeP|SapphireRapids)Model", "2_3_11|2_3|2_3_7", "7_8", "4_9", ""),
	rule("Znver[12]Model", "AGU", "", "", ""),
	rule("Znver[34]Model", "AGU012|FP45", "", "", "BRU01"),
	rule("BdVer2Model", "AGLU01", "", "", "Branch"),
	rule("BtVer2Model", "LAGU", "SAGU", "STC", ""),
	rule("SLMModel", "MEC_RSV", "", "", ""),
	rule("A64FXModel", "GI56|IPEAG[AB]|GI[56]", "", "", "GI7|IPBR"),
	rule("Ampere1B?Model", "L", "S", "", ""),
	rule("CortexA320Model", "LdSt", "", "", "B"),
	rule("CortexA510Model", "Ld|Ld1|LdSt", "", "", "B"),
	rule("CortexA53Model", "LdSt", "", "", "B"),
	rule("CortexA55Model", "Ld", "St", "", "B"),
	rule("CortexA57Model", "L", "S", "", "B"),
	rule("CycloneModel", "LS", "", "", "B|BR"),
	rule("ExynosM.Model", "L|L0|L1", "S|S0|S1", "FST", "B"),
	rule("FalkorModel", "LD", "ST", "SD|VSD", "B"),
	rule("KryoModel", "LS|LSA|LSB", "", "", ""),
	rule("NeoverseV3Model", "L|LS0|L12", "SA", "D", "B"),
	rule("Neoverse.*Model", "L|L01|L2", "", "D", "B"),
	rule("OlympusModel", "L", "SA", "D", "B"),
	rule("OryonModel", "LD", "ST", "", ""), // a store is one µop, on the pipes of loads
	rule("TSV110Model", "Ld|Ld0St|Ld1", "", "", ""),
	rule("ThunderX[23].*Model", "LS|LS01", "", "SD", ""),
	rule("ThunderXT8XModel", "LdSt", "", "", "Br"),
	rule("RocketModel", "Mem", "", "", "B"),
	rule("SpacemitX60Model", "LS|VLS", "", "", ""),
	rule("SiFiveP500Model", "Load", "Store", "", ""),
	rule("SiFiveP800Model", "LDST|LD|VLD", "VST", "", "Branch"),
	rule("Andes45Model", "LSU|VLSU", "", "", ""),
	rule("TTAscalonD8Model", "LS", "", "", ""),
	rule("SiFive7Model", "VL", "VS", "", ""),
	rule("SiFiveP400Model", "Load", "Store", "", ""),
	rule("SiFiveP600Model", "LDST|VLD", "VST", "", "Branch"),
	rule("Syntacore.*Model", "LSU", "", "", "CFU"),
	rule("XiangShan.*Model", "LD", "ST", "", "MISC"),
}

func pipesOf(model string) *pipes {
	for i := range pipeRules {
		if pipeRules[i].models.MatchString(model) {
			return &pipeRules[i]
		}
	}
	return &pipes{}
}

// accesses reports whether a resource is a pipe that loads or stores. It is then an issue port, even if other cores have a shared unit of that name.
func (p *pipes) accesses(name string) bool {
	return slices.ContainsFunc([]*regexp.Regexp{p.load, p.sta, p.std}, func(re *regexp.Regexp) bool { return re != nil && re.MatchString(name) })
}

// kind returns the suffix of a µop on a resource; loads states that the instruction loads and that none of its earlier µops is the load.
func (p *pipes) kind(name string, loads, stores bool) string {
	is := func(re *regexp.Regexp) bool { return re != nil && re.MatchString(name) }
	switch {
	case is(p.load) && loads:
		return "/load"
	case stores && (is(p.sta) || is(p.load)):
		return "/sta"
	case stores && is(p.std):
		return "/std"
	case is(p.branch):
		return "/branch"
	}
	return ""
}
