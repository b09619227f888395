package eval

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// Peer is another tool that predicts blocks.
type Peer struct {
	Name    string
	Package string // that has it
	// run predicts blocks of a core; NaN where the tool says nothing. progress is called now and then.
	run func(ctx context.Context, path, core string, blocks []Block, progress func(done int)) ([]float64, error)
}

// Peers are the tools that can be compared with, by the names of their commands.
var Peers = []Peer{
	{"llvm-mca", "the Debian package llvm (llvm-mca-19: llvm-19)", runMCA},
	{"osaca", "pip install osaca", runOSACA},
}

// Predict runs a peer, installed as command, on blocks. Its assembler must know AT&T syntax as the corpus has it.
func (p *Peer) Predict(ctx context.Context, command, core string, blocks []Block, progress func(done int)) ([]float64, error) {
	path, err := exec.LookPath(command)
	if err != nil {
		return nil, fmt.Errorf("%s is not installed (%s)", command, p.Package)
	}
	return p.run(ctx, path, core, blocks, progress)
}

// mcaIterations is how many iterations llvm-mca simulates: its pipeline's fill is a hundredth of the result.
const mcaIterations = 1000

// mcaBatch is how many blocks one process gets. A block that llvm-mca does not assemble makes it refuse all of them: then
// each gets a process.
const mcaBatch = 100

func runMCA(ctx context.Context, path, core string, blocks []Block, progress func(int)) ([]float64, error) {
	out := make([]float64, len(blocks))
	for i := 0; i < len(blocks); i += mcaBatch {
		end := min(i+mcaBatch, len(blocks))
		if err := mca(ctx, path, core, blocks[i:end], out[i:end]); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			for k := i; k < end; k++ {
				if mca(ctx, path, core, blocks[k:k+1], out[k:k+1]) != nil {
					out[k] = math.NaN()
				}
			}
		}
		progress(end)
	}
	return out, nil
}

func mca(ctx context.Context, path, core string, blocks []Block, out []float64) error {
	var in bytes.Buffer
	for i := range blocks {
		fmt.Fprintf(&in, "# LLVM-MCA-BEGIN %d\n%s# LLVM-MCA-END %d\n", i, statements(blocks[i].Text), i)
	}
	cmd := exec.CommandContext(ctx, path, "-mcpu="+core, "-iterations="+strconv.Itoa(mcaIterations), "-instruction-info=0", "-resource-pressure=0", "-")
	cmd.Stdin = &in
	text, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("llvm-mca: %w", err)
	}
	n := 0
	for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
		if v, ok := strings.CutPrefix(s.Text(), "Total Cycles:"); ok && n < len(out) {
			cycles, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
			if err != nil {
				return err
			}
			out[n] = cycles / mcaIterations
			n++
		}
	}
	if n != len(out) {
		return fmt.Errorf("llvm-mca: %d of %d blocks", n, len(out))
	}
	return nil
}

// statements is a block's text with a statement a line. A prefix that stands for itself belongs to what follows.
func statements(text string) string {
	var b strings.Builder
	for _, s := range strings.Split(text, ";") {
		switch s = strings.TrimSpace(s); s {
		case "":
		case "lock", "rep", "repne":
			b.WriteString(s + " ")
		default:
			b.WriteString(s + "\n")
		}
	}
	return b.String()
}

// runOSACA takes the larger of OSACA's greatest port pressure and its loop-carried dependence.
func runOSACA(ctx context.Context, path, core string, blocks []Block, progress func(int)) ([]float64, error) {
	dir, err := os.MkdirTemp("", "osaca")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	in, yaml := filepath.Join(dir, "block.s"), filepath.Join(dir, "block.yaml")
	out := make([]float64, len(blocks))
	for i := range blocks {
		if err := os.WriteFile(in, []byte(statements(blocks[i].Text)), 0o600); err != nil {
			return nil, err
		}
		_ = os.Remove(yaml)
		err := exec.CommandContext(ctx, path, "--arch", core, "--ignore-unknown", "--yaml-out", yaml, in).Run()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		text, readErr := os.ReadFile(yaml)
		if out[i] = osaca(string(text)); err != nil || readErr != nil {
			out[i] = math.NaN()
		}
		progress(i + 1)
	}
	return out, nil
}

// osaca reads the summary of OSACA's YAML: "LCD: 3.0" and "PortPressure: {'0': 0.34, …}".
func osaca(text string) float64 {
	_, summary, ok := strings.Cut(text, "\nSummary:")
	if !ok {
		return math.NaN()
	}
	cycles := 0.0
	_, lcd, _ := strings.Cut(summary, "LCD:")
	if v, err := strconv.ParseFloat(strings.TrimSpace(strings.SplitN(lcd, "\n", 2)[0]), 64); err == nil {
		cycles = v
	}
	_, ports, _ := strings.Cut(summary, "PortPressure: {")
	ports, _, ok = strings.Cut(ports, "}")
	if !ok {
		return math.NaN()
	}
	for _, p := range strings.Split(ports, ",") {
		_, v, _ := strings.Cut(p, ":")
		if v, err := strconv.ParseFloat(strings.TrimSpace(v), 64); err == nil {
			cycles = max(cycles, v)
		}
	}
	return cycles
}
