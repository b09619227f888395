package suite

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"incore/internal/eval"
	"incore/internal/isa"
	"incore/internal/machine"
	"incore/internal/regex"
)

// foreign lists other tools by their installed commands. Each reads a file with one region per block.
func foreign() []Predictor {
	return []Predictor{
		{Name: "llvm-mca", Native: true, Lifting: "block", About: "LLVM's Machine Code Analyzer", Open: openMCA},
		{Name: "osaca", Native: true, Lifting: "block", About: "OSACA: the larger of port pressure and loop-carried dependence", Sample: 24, Every: 10, Open: openOSACA},
		{Name: "uica", Native: true, Lifting: "block", About: "uiCA", Open: openUICA},
	}
}

// mcaIterations is the number of iterations that llvm-mca simulates: filling the pipeline is some percent of the result of short blocks.
const mcaIterations = 300

// foreignLimit is the time limit of another tool for one benchmark.
const foreignLimit = 60 * time.Second

// newest finds the newest version of a tool of LLVM.
func newest(name string) (string, error) {
	for v := newestClang; v >= 14; v-- {
		if path, err := exec.LookPath(fmt.Sprintf("%s-%d", name, v)); err == nil {
			return path, nil
		}
	}
	return exec.LookPath(name)
}

// openMCA runs llvm-mca for the core of the model, which is native where the model is this machine's.
func openMCA(ctx context.Context, e *Env) (Predict, error) {
	path, err := newest("llvm-mca")
	if err != nil {
		return nil, errors.New("llvm-mca is not installed (Debian: llvm)")
	}
	core := ""
	if host, _, _ := machine.Host(); e.Model != nil && e.Model.Name != host {
		if core, err = mcaCore(ctx, path, e.Model); err != nil {
			return nil, err
		}
	}
	return (&tool{args: []string{path, "-mcpu=" + cmp.Or(core, "native"), "-iterations=" + strconv.Itoa(mcaIterations), "-instruction-info=0", "-resource-pressure=0"},
		core: core, regions: mcaRegions, read: readMCA}).predict, nil
}

// mcaCore asks llvm-mca which cores it knows, and returns the first of a model's names among these.
func mcaCore(ctx context.Context, path string, m *machine.Model) (string, error) {
	cmd := exec.CommandContext(ctx, path, "-mcpu=help")
	cmd.WaitDelay = time.Second
	list, err := cmd.CombinedOutput()
	for _, name := range append([]string{m.Name}, m.Aliases...) {
		if regexp.MustCompile(`(?m)^ +` + regexp.QuoteMeta(name) + ` +- Select`).Match(list) {
			return name, nil
		}
	}
	if len(list) == 0 && err != nil {
		return "", fmt.Errorf("asking llvm-mca for the cores that it knows: %w", err)
	}
	return "", fmt.Errorf("llvm-mca knows no core %s", m.Name)
}

// tool is a command that predicts blocks of a file.
type tool struct {
	args    []string
	core    string // its name of the core, if it is asked by name
	regions func(blocks [][]isa.Line) string
	read    func(output string) ([]float64, error)
}

func (t *tool) predict(ctx context.Context, s *Subject) (*Prediction, error) {
	ctx, cancel := context.WithTimeout(ctx, foreignLimit)
	defer cancel()
	pieces := s.Blocks()
	var blocks [][]isa.Line
	for _, x := range pieces {
		blocks = append(blocks, x.Kernel.Lines)
	}
	figures, seconds, err := t.ask(ctx, []byte(t.regions(blocks)), len(blocks))
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil, ctx.Err()
	} else if err != nil {
		return nil, &FailError{err.Error()}
	}
	out := &Prediction{Core: t.core, Blocks: map[string]float64{}, Seconds: seconds}
	for i, x := range pieces {
		out.Cycles += figures[i] * float64(x.Count)
		out.Blocks[fmt.Sprintf("%x", x.Addr)] = figures[i]
	}
	return out, nil
}

// ask runs the command once on a file, and expects n figures.
func (t *tool) ask(ctx context.Context, input []byte, n int) (figures []float64, seconds float64, err error) {
	dir, err := os.MkdirTemp("", "incore-eval-")
	if err != nil {
		return nil, 0, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "block.s")
	if err := os.WriteFile(file, input, 0o600); err != nil {
		return nil, 0, err
	}
	cmd := exec.CommandContext(ctx, t.args[0], append(slices.Clone(t.args[1:]), file)...)
	cmd.WaitDelay = time.Second
	var errs strings.Builder
	cmd.Stderr = &limitedWriter{&errs, 4 << 10}
	text, err := cmd.Output()
	if cmd.ProcessState != nil {
		seconds = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	}
	if ctx.Err() != nil {
		return nil, seconds, fmt.Errorf("more than %v", foreignLimit)
	}
	if err != nil {
		return nil, seconds, errors.New(reason(errs.String(), err))
	}
	figures, err = t.read(string(text))
	if err == nil && len(figures) != n {
		err = fmt.Errorf("%d of %d blocks", len(figures), n)
	}
	return figures, seconds, err
}

// mcaRegions marks each block as a region.
func mcaRegions(blocks [][]isa.Line) string {
	var b strings.Builder
	for i, lines := range blocks {
		fmt.Fprintf(&b, "# LLVM-MCA-BEGIN %d\n%s# LLVM-MCA-END %d\n", i, oneRegion([][]isa.Line{lines}), i)
	}
	return b.String()
}

func oneRegion(blocks [][]isa.Line) string {
	var b strings.Builder
	for _, l := range blocks[0] {
		b.WriteString(encodingHint().ReplaceAllString(l.Text, "") + "\n")
	}
	return b.String()
}

// encodingHint matches the prefix that chooses one of several encodings, as {evex}; not all tools read it.
var encodingHint = regex.Lazy(`^(\{\w+\}\s*)+`)

func readMCA(text string) (out []float64, err error) {
	for s := bufio.NewScanner(strings.NewReader(text)); s.Scan(); {
		if v, ok := strings.CutPrefix(s.Text(), "Total Cycles:"); ok {
			cycles, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
			if err != nil {
				return nil, err
			}
			out = append(out, cycles/mcaIterations)
		}
	}
	return out, nil
}

// openOSACA runs OSACA as package eval does, in one process for all blocks of a benchmark, since it needs one second to start.
func openOSACA(ctx context.Context, e *Env) (Predict, error) {
	path, err := exec.LookPath("osaca")
	if err != nil {
		return nil, errors.New("osaca is not installed (pip install osaca)")
	}
	if e.Model == nil {
		return nil, errors.New("there is no model of this machine")
	}
	core, err := eval.OSACACore(ctx, path, e.Model.Name)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(eval.Peers, func(p eval.Peer) bool { return p.Name == "osaca" })
	return func(ctx context.Context, s *Subject) (*Prediction, error) {
		limited, cancel := context.WithTimeout(ctx, foreignLimit)
		defer cancel()
		pieces := s.Blocks()
		blocks := make([]eval.Block, len(pieces))
		for i, x := range pieces {
			blocks[i] = eval.Block{Kernel: x.Kernel, Text: strings.ReplaceAll(oneRegion([][]isa.Line{x.Kernel.Lines}), "\n", ";")}
		}
		begun := time.Now()
		answers, err := eval.Peers[at].Predict(limited, path, core, blocks, func(int) {})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		out := &Prediction{Core: core, Blocks: map[string]float64{}, Seconds: time.Since(begun).Seconds()}
		if err != nil {
			return out, &FailError{err.Error()}
		}
		for i, x := range pieces {
			if math.IsNaN(answers[i].Cycles) {
				return out, &FailError{fmt.Sprintf("osaca --arch %s gives no figure for the block at %#x: %s", core, x.Addr, cmp.Or(answers[i].Why, "it says nothing"))}
			}
			out.Cycles += answers[i].Cycles * float64(x.Count)
			out.Blocks[fmt.Sprintf("%x", x.Addr)] = answers[i].Cycles
		}
		return out, nil
	}, nil
}

// openUICA runs uiCA or its port uica-cli, which read machine code and know only Intel's cores.
func openUICA(ctx context.Context, e *Env) (Predict, error) {
	if e.Model == nil || machine.Peer("uica", e.Model.Name) == nil {
		return nil, errors.New("uiCA does not know this core")
	}
	core := machine.Peer("uica", e.Model.Name)[0]
	for _, name := range []string{"uiCA.py", "uica-cli"} {
		if path, err := exec.LookPath(name); err == nil {
			return (&commandPredictor{args: eval.UICA(path, core, codePlace), core: core}).predict, nil
		}
	}
	return nil, errors.New("uiCA is not installed (uiCA.py or uica-cli in PATH)")
}
