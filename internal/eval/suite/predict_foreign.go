package suite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"incore/internal/base/regex"
	"incore/internal/eval"
	"incore/internal/isa"
	"incore/internal/machine"
)

// foreign lists other tools by their installed commands. Package eval drives them.
func foreign() []Predictor {
	return []Predictor{
		{Name: "llvm-mca", Native: true, Lifting: "block", About: "LLVM's Machine Code Analyzer", Open: openMCA},
		{Name: "osaca", Native: true, Lifting: "block", About: "OSACA: the larger of port pressure and loop-carried dependence", Sample: 24, Every: 10, Open: openOSACA},
		{Name: "uica", Native: true, Lifting: "block", About: "uiCA", Open: openUICA},
	}
}

// foreignLimit is the time limit of another tool for one benchmark.
const foreignLimit = 60 * time.Second

// unanswered returns why another tool, asked within a limit, has not answered; nil if it has.
func unanswered(ctx, limited context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case limited.Err() != nil:
		return &FailError{fmt.Sprintf("more than %v", foreignLimit)}
	case err != nil:
		return &FailError{err.Error()}
	}
	return nil
}

// openMCA runs llvm-mca for the core of the model, which is native where the model is this machine's.
func openMCA(ctx context.Context, e *Env) (Predict, error) {
	path, err := eval.NewestLLVM("llvm-mca")
	if err != nil {
		return nil, errors.New("llvm-mca is not installed (Debian: llvm)")
	}
	core := ""
	if host, _, _ := machine.Host(); e.Model != nil && e.Model.Name != host {
		if core, err = mcaCore(ctx, path, e.Model); err != nil {
			return nil, err
		}
	}
	return asked("llvm-mca", path, core), nil
}

// mcaCore asks llvm-mca which cores it knows, and returns the first of a model's names among these; those that its
// key peers has for llvm-mca are the last.
func mcaCore(ctx context.Context, path string, m *machine.Model) (string, error) {
	cmd := exec.CommandContext(ctx, path, "-mcpu=help")
	cmd.WaitDelay = time.Second
	list, err := cmd.CombinedOutput()
	for _, name := range slices.Concat([]string{m.Name}, m.Aliases, machine.Peer("llvm-mca", m.Name)) {
		if regexp.MustCompile(`(?m)^ +` + regexp.QuoteMeta(name) + ` +- Select`).Match(list) {
			return name, nil
		}
	}
	if len(list) == 0 && err != nil {
		return "", fmt.Errorf("asking llvm-mca for the cores that it knows: %w", err)
	}
	return "", fmt.Errorf("llvm-mca knows no core %s; 'peers: llvm-mca=NAME' in the model may name one like it", m.Name)
}

// asmText returns instructions, one a line, as all tools read them.
func asmText(lines []isa.Line) string {
	var b strings.Builder
	for i := range lines {
		b.WriteString(encodingHint().ReplaceAllString(lines[i].Text, "") + "\n")
	}
	return b.String()
}

// encodingHint matches the prefix that chooses one of several encodings, as {evex}; not all tools read it.
var encodingHint = regex.Lazy(`^(\{\w+\}\s*)+`)

// openOSACA runs OSACA.
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
	return asked("osaca", path, core), nil
}

// asked predicts benchmarks with a peer for a core, this machine's where none is named, all blocks of a benchmark together, since a process may take a
// second to start.
func asked(name, path, core string) Predict {
	peer := eval.PeerNamed(name)
	return func(ctx context.Context, s *Subject) (*Prediction, error) {
		limited, cancel := context.WithTimeout(ctx, foreignLimit)
		defer cancel()
		pieces := s.Blocks()
		blocks := make([]eval.Block, len(pieces))
		for i, x := range pieces {
			blocks[i] = eval.Block{Kernel: x.Kernel, Text: strings.ReplaceAll(asmText(x.Kernel.Lines), "\n", ";")}
		}
		begun := time.Now()
		answers, err := peer.Predict(limited, path, cmp.Or(core, "native"), blocks, func(int) {})
		out := &Prediction{Core: core, Blocks: map[string]float64{}, Seconds: time.Since(begun).Seconds()}
		if err := unanswered(ctx, limited, err); err != nil {
			return out, err
		}
		for i, x := range pieces {
			if math.IsNaN(answers[i].Cycles) {
				return out, &FailError{fmt.Sprintf("%s gives no figure for the block at %#x on %s: %s", name, x.Addr, cmp.Or(core, "this machine"),
					cmp.Or(answers[i].Why, "it says nothing"))}
			}
			out.Cycles += answers[i].Cycles * float64(x.Count)
			out.Blocks[fmt.Sprintf("%x", x.Addr)] = answers[i].Cycles
		}
		return out, nil
	}
}

// openUICA runs uiCA or its port uica-cli, which read machine code and know only Intel's cores.
func openUICA(ctx context.Context, e *Env) (Predict, error) {
	if e.Model == nil || machine.Peer("uica", e.Model.Name) == nil {
		return nil, errors.New("uiCA does not know this core")
	}
	core := machine.Peer("uica", e.Model.Name)[0]
	for _, name := range []string{"uiCA.py", "uica-cli"} {
		if path, err := exec.LookPath(name); err == nil {
			return (&Command{args: eval.UICA(path, core, codePlace), core: core}).predict, nil
		}
	}
	return nil, errors.New("uiCA is not installed (uiCA.py or uica-cli in PATH)")
}
