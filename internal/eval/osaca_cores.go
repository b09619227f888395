package eval

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

// osacaNearest lists OSACA's names of a core, its own name first, then those of the most similar cores.
var osacaNearest = map[string][]string{
	"sandybridge": {"SNB"}, "ivybridge": {"IVB", "SNB"}, "haswell": {"HSW"}, "broadwell": {"BDW", "HSW"},
	"skylake": {"SKL", "SKX"}, "skylake-server": {"SKX"}, "cascadelake": {"CSX", "SKX"}, "cooperlake": {"CPX", "CSX"}, "cannonlake": {"CNL", "SKX"},
	"icelake-client": {"ICL", "ICX"}, "icelake-server": {"ICX", "ICL"}, "tigerlake": {"TGL", "ICL"}, "rocketlake": {"RKL", "ICL"},
	"alderlake-p": {"ADL", "SPR"}, "raptorlake-p": {"RPL", "SPR"}, "meteorlake-p": {"MTL", "SPR"}, "arrowlake-p": {"ARL", "SPR"},
	"sapphirerapids": {"SPR"}, "emeraldrapids": {"EMR", "SPR"}, "graniterapids": {"GNR", "SPR"},
	"zen1": {"ZEN1"}, "zen2": {"ZEN2"}, "zen3": {"ZEN3"}, "zen4": {"ZEN4", "ZEN3"}, "zen5": {"ZEN5", "ZEN4", "ZEN3"},
	"thunderx2": {"TX2"}, "neoverse-n1": {"N1"}, "cortex-a76": {"A76", "N1"}, "neoverse-n2": {"N2", "V2"}, "neoverse-v1": {"V1", "V2"}, "neoverse-v2": {"V2"}, "neoverse-v3": {"V3", "V2"},
	"a64fx": {"A64FX"}, "tsv110": {"TSV110"}, "cortex-a72": {"A72"}, "apple-m1": {"M1"}, "apple-m2": {"M2", "M1"}, "apple-m3": {"M3", "M1"}, "apple-m4": {"M4", "M1"},
}

// osacaArchs matches the list of cores in OSACA's help.
var osacaArchs = regexp.MustCompile(`--arch ARCH[^(]*\(([A-Z0-9, \n]+)\)`)

// OSACACore asks OSACA which cores it knows, and returns its name of a machine's core, or of the most similar one.
func OSACACore(ctx context.Context, path, machine string) (core string, err error) {
	help, err := exec.CommandContext(ctx, path, "--help").Output()
	if err != nil {
		return "", fmt.Errorf("asking osaca for the cores that it knows: %w", err)
	}
	m := osacaArchs.FindSubmatch(help)
	if m == nil {
		return "", fmt.Errorf("osaca --help does not tell which cores it knows")
	}
	known := strings.FieldsFunc(string(m[1]), func(r rune) bool { return r == ',' || r == ' ' || r == '\n' })
	for _, c := range osacaNearest[machine] {
		if slices.Contains(known, c) {
			return c, nil
		}
	}
	return "", fmt.Errorf("osaca knows no core like %s; it knows %s", machine, strings.Join(known, ", "))
}
