package eval

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"incore/internal/base/regex"
	"incore/internal/machine"
)

// osacaArchs matches the list of cores in OSACA's help.
var osacaArchs = regex.Lazy(`--arch ARCH[^(]*\(([A-Z0-9, \n]+)\)`)

// OSACACore asks OSACA which cores it knows, and returns its name of a machine's core, or of the most similar one.
func OSACACore(ctx context.Context, path, model string) (core string, err error) {
	help, err := exec.CommandContext(ctx, path, "--help").Output()
	if err != nil {
		return "", fmt.Errorf("asking osaca for the cores that it knows: %w", err)
	}
	m := osacaArchs().FindSubmatch(help)
	if m == nil {
		return "", fmt.Errorf("osaca --help does not tell which cores it knows")
	}
	known := strings.FieldsFunc(string(m[1]), func(r rune) bool { return r == ',' || r == ' ' || r == '\n' })
	for _, c := range machine.Peer("osaca", model) {
		if slices.Contains(known, c) {
			return c, nil
		}
	}
	return "", fmt.Errorf("osaca knows no core like %s; it knows %s", model, strings.Join(known, ", "))
}
