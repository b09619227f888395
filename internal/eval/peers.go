package eval

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"incore/internal/base/platform"
	"incore/internal/isa"
)

// Peer is another tool that predicts blocks.
type Peer struct {
	Name    string
	Package string // the package that contains it
	// run predicts blocks for a core. It calls progress from time to time.
	run func(ctx context.Context, path, core string, blocks []Block, progress func(done int)) ([]Answer, error)
}

// Answer is the prediction of a tool for a block.
type Answer struct {
	Cycles  float64 // NaN: no prediction
	Partial bool    // the cycles leave out instructions that the tool does not know
	Why     string  // without a prediction: a line of the tool's messages, if it has any
}

// Peers lists the tools for comparison, by the names of their commands.
var Peers = []Peer{
	{"llvm-mca", "the Debian package llvm (llvm-mca-19: llvm-19)", runMCA},
	{"osaca", "pip install osaca", runOSACA},
	{"uiCA.py", "github.com/andreas-abel/uiCA", runUICA},
	{"uica-cli", "github.com/damageboy/uiCA", runUICA},
}

// PeerNamed returns the peer with a name that Peers has.
func PeerNamed(name string) *Peer {
	return &Peers[slices.IndexFunc(Peers, func(p Peer) bool { return p.Name == name })]
}

// NewestVersion is the greatest version of LLVM that is looked for in the names of commands ("llvm-mca-19").
const NewestVersion = 30

// NewestLLVM finds the newest version of a tool of LLVM.
func NewestLLVM(name string) (string, error) {
	for v := NewestVersion; v >= 14; v-- {
		if path, err := exec.LookPath(fmt.Sprintf("%s-%d", name, v)); err == nil {
			return path, nil
		}
	}
	return exec.LookPath(name)
}

// UICA is the command line by which uiCA, or its port uica-cli, predicts a file of machine code for a core.
func UICA(path, core, file string) []string {
	if filepath.Base(path) == "uiCA.py" {
		return []string{path, file, "-arch", core, "-raw", "-TPonly"}
	}
	return []string{path, file, "--arch", core, "--raw", "--tp-only"}
}

// runUICA predicts blocks with uiCA, each in a process of its own.
func runUICA(ctx context.Context, path, core string, blocks []Block, progress func(int)) ([]Answer, error) {
	dir, err := os.MkdirTemp("", "uica")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "block.bin")
	command := UICA(path, core, file)
	out := make([]Answer, len(blocks))
	for i := range blocks {
		out[i].Cycles = math.NaN()
		if code, err := encode(blocks[i].Kernel); err == nil {
			if err := os.WriteFile(file, code, 0o600); err != nil {
				return nil, err
			}
			text, err := exec.CommandContext(ctx, command[0], command[1:]...).Output()
			if cycles, bad := strconv.ParseFloat(strings.TrimSpace(string(text)), 64); err == nil && bad == nil {
				out[i].Cycles = cycles
			}
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		progress(i + 1)
	}
	return out, nil
}

// encode is the machine code of a block.
func encode(k *isa.Kernel) (code []byte, err error) {
	for i := range k.Lines {
		if code, err = k.ISA.Encode(code, &k.Lines[i].Inst, uint64(len(code))); err != nil {
			return nil, err
		}
	}
	return code, nil
}

// Predict runs a peer, which is installed as command, on blocks. The peer must read the AT&T syntax of the corpus.
func (p *Peer) Predict(ctx context.Context, command, core string, blocks []Block, progress func(done int)) ([]Answer, error) {
	path, err := exec.LookPath(command)
	if err != nil {
		return nil, fmt.Errorf("%s is not installed (%s)", command, p.Package)
	}
	return p.run(ctx, path, core, blocks, progress)
}

// mcaIterations is the number of iterations that llvm-mca simulates: filling the pipeline then adds about 1 % to the result.
const mcaIterations = 1000

// mcaBatch is the number of blocks per process. If llvm-mca cannot assemble one block it refuses the whole batch; then each block
// gets its own process.
const mcaBatch = 100

func runMCA(ctx context.Context, path, core string, blocks []Block, progress func(int)) ([]Answer, error) {
	out := make([]Answer, len(blocks))
	for i := 0; i < len(blocks); i += mcaBatch {
		end := min(i+mcaBatch, len(blocks))
		if err := mca(ctx, path, core, blocks[i:end], out[i:end]); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			for k := i; k < end; k++ {
				if err := mca(ctx, path, core, blocks[k:k+1], out[k:k+1]); err != nil {
					out[k] = Answer{Cycles: math.NaN(), Why: err.Error()}
				}
			}
		}
		progress(end)
	}
	return out, nil
}

func mca(ctx context.Context, path, core string, blocks []Block, out []Answer) error {
	var in bytes.Buffer
	comment, name := "#", blocks[0].Kernel.ISA.Name
	if name == "aarch64" {
		comment = "//"
	}
	for i := range blocks {
		fmt.Fprintf(&in, "%s LLVM-MCA-BEGIN %d\n%s%s LLVM-MCA-END %d\n", comment, i, statements(blocks[i].Text), comment, i)
	}
	cmd := exec.CommandContext(ctx, path, "-mtriple="+platform.Of(name).Triple, "-mcpu="+core, "-iterations="+strconv.Itoa(mcaIterations), "-instruction-info=0", "-resource-pressure=0", "-")
	cmd.Stdin = &in
	text, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && len(exit.Stderr) > 0 {
		first, _, _ := strings.Cut(string(exit.Stderr), "\n")
		return fmt.Errorf("llvm-mca: %s", first)
	} else if err != nil {
		return fmt.Errorf("llvm-mca: %w", err)
	}
	n := 0
	for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
		if v, ok := strings.CutPrefix(s.Text(), "Total Cycles:"); ok && n < len(out) {
			cycles, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
			if err != nil {
				return err
			}
			out[n].Cycles = cycles / mcaIterations
			n++
		}
	}
	if n != len(out) {
		return fmt.Errorf("llvm-mca: %d of %d blocks", n, len(out))
	}
	return nil
}

// statements returns a block's text with one statement per line. A separate prefix belongs to the next statement.
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

// osacaBatch runs OSACA's command many times.
//
//go:embed osaca_batch.py
var osacaBatch string

// runOSACA predicts blocks with OSACA: the larger of the greatest port pressure and the loop-carried dependence.
func runOSACA(ctx context.Context, path, core string, blocks []Block, progress func(int)) ([]Answer, error) {
	python, err := interpreter(path)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "osaca")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	in, yaml, messages := filepath.Join(dir, "block.s"), filepath.Join(dir, "block.yaml"), filepath.Join(dir, "messages")
	cmd := exec.CommandContext(ctx, python, "-c", osacaBatch)
	commands, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	defer func() { commands.Close(); _ = cmd.Wait() }()
	done := bufio.NewReader(stdout)
	out := make([]Answer, len(blocks))
	for i := range blocks {
		if err := os.WriteFile(in, []byte(statements(blocks[i].Text)), 0o600); err != nil {
			return nil, err
		}
		_ = os.Remove(yaml)
		fmt.Fprintf(commands, "%s\t--arch\t%s\t--syntax\tATT\t--ignore-unknown\t--lcd-timeout\t60\t--yaml-out\t%s\t%s\n", messages, core, yaml, in)
		if _, err := done.ReadString('\n'); err != nil {
			return nil, errors.Join(ctx.Err(), fmt.Errorf("osaca: it ended after %d of %d blocks", i, len(blocks)))
		}
		text, _ := os.ReadFile(yaml) // none: OSACA has failed on the block
		if out[i] = osaca(string(text)); math.IsNaN(out[i].Cycles) {
			out[i].Why = lastLine(messages)
		}
		progress(i + 1)
	}
	return out, nil
}

// lastLine returns the last line of a file of messages.
func lastLine(path string) string {
	text, _ := os.ReadFile(path)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// interpreter returns the Python interpreter that a script names in its first line.
func interpreter(script string) (string, error) {
	f, err := os.Open(script)
	if err != nil {
		return "", err
	}
	defer f.Close()
	first, _ := bufio.NewReader(io.LimitReader(f, 4096)).ReadString('\n')
	python, ok := strings.CutPrefix(strings.TrimSpace(first), "#!")
	if !ok || !strings.HasPrefix(filepath.Base(python), "python") {
		return "", fmt.Errorf("%s is no Python script", script)
	}
	return python, nil
}

// osaca reads the summary of OSACA's YAML, "LCD: 3.0" and "PortPressure: {'0': 0.34, …}", and the warning about
// unknown instructions.
func osaca(text string) Answer {
	_, summary, ok := strings.Cut(text, "\nSummary:")
	if !ok {
		return Answer{Cycles: math.NaN()}
	}
	cycles := 0.0
	_, lcd, _ := strings.Cut(summary, "LCD:")
	if v, err := strconv.ParseFloat(strings.TrimSpace(strings.SplitN(lcd, "\n", 2)[0]), 64); err == nil {
		cycles = v
	}
	_, ports, _ := strings.Cut(summary, "PortPressure: {")
	ports, _, ok = strings.Cut(ports, "}")
	if !ok {
		return Answer{Cycles: math.NaN()}
	}
	for _, p := range strings.Split(ports, ",") {
		_, v, _ := strings.Cut(p, ":")
		if v, err := strconv.ParseFloat(strings.TrimSpace(v), 64); err == nil {
			cycles = max(cycles, v)
		}
	}
	return Answer{Cycles: cycles, Partial: strings.Contains(summary, "UnknownInstrWarning")}
}
