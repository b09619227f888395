package suite

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"incore/internal/base/regex"
	"incore/internal/base/source"
)

// This file makes predictors from command lines: any tool that prints the cycles of a block.

// Placeholders of a command: a file of the block's machine code, and one of its assembly text.
const (
	codePlace = "{code}"
	textPlace = "{asm}"
)

var commandName = regex.Lazy(`^[A-Za-z][A-Za-z0-9._-]*$`)

// ParseCommand makes a predictor from NAME=COMMAND. It runs the command for each block as the body of a loop; {code} and {asm} are replaced by the names of files with
// the block's machine code and assembly text. The last line of the output must begin or end with the cycles of an iteration. No shell interprets the command.
func ParseCommand(spec string) (Predictor, error) {
	name, command, ok := strings.Cut(spec, "=")
	if !ok || !commandName().MatchString(name) {
		return Predictor{}, fmt.Errorf("predictor %q: NAME=COMMAND is needed, as in 'uica=uiCA.py {code} -arch SKL -raw -TPonly'", spec)
	}
	if slices.ContainsFunc(Predictors(), func(p Predictor) bool { return p.Name == name }) {
		return Predictor{}, fmt.Errorf("predictor %s is known already; another name is needed", name)
	}
	args := source.Words(command)
	if len(args) == 0 || !strings.Contains(command, codePlace) && !strings.Contains(command, textPlace) {
		return Predictor{}, fmt.Errorf("predictor %s: the command has neither %s nor %s, which stand for the block's file", name, codePlace, textPlace)
	}
	return Predictor{Name: name, Native: true, Lifting: "block", About: command, Open: func(context.Context, *Env) (Predict, error) {
		path, err := exec.LookPath(args[0])
		if err != nil {
			return nil, fmt.Errorf("%s is not installed", args[0])
		}
		return (&commandPredictor{args: append([]string{path}, args[1:]...)}).predict, nil
	}}, nil
}

// commandPredictor predicts with a command.
type commandPredictor struct {
	args []string
	core string // its name of the core, if known
}

// predict runs the command for each block, within foreignLimit for the whole benchmark.
func (c *commandPredictor) predict(ctx context.Context, s *Subject) (*Prediction, error) {
	limited, cancel := context.WithTimeout(ctx, foreignLimit)
	defer cancel()
	dir, err := os.MkdirTemp("", "incore-eval-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := &Prediction{Core: c.core, Blocks: map[string]float64{}}
	for _, x := range s.Blocks() {
		code, text := filepath.Join(dir, "block.bin"), filepath.Join(dir, "block.s")
		if err := os.WriteFile(code, s.run.file.Bytes(x.Addr, int(x.End-x.Addr)), 0o600); err != nil {
			return nil, err
		}
		if err := os.WriteFile(text, []byte(asmText(x.Kernel.Lines)), 0o600); err != nil {
			return nil, err
		}
		cycles, seconds, err := c.ask(limited, strings.NewReplacer(codePlace, code, textPlace, text))
		out.Seconds += seconds
		if err != nil {
			err = fmt.Errorf("block at %#x: %w", x.Addr, err)
		}
		if err := unanswered(ctx, limited, err); err != nil {
			return out, err
		}
		out.Cycles += cycles * float64(x.Count)
		out.Blocks[fmt.Sprintf("%x", x.Addr)] = cycles
	}
	return out, nil
}

// ask runs the command once.
func (c *commandPredictor) ask(ctx context.Context, files *strings.Replacer) (cycles, seconds float64, err error) {
	var args []string
	for _, a := range c.args {
		args = append(args, files.Replace(a))
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.WaitDelay = time.Second
	var said, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &limitedWriter{&said, 1 << 20}, &limitedWriter{&errs, 4 << 10}
	err = cmd.Run()
	if cmd.ProcessState != nil {
		seconds = (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	}
	if err != nil {
		return 0, seconds, errors.New(reason(errs.String(), err))
	}
	cycles, err = lastFigure(said.String())
	return cycles, seconds, err
}

// lastFigure returns the number at the end or the beginning of the last line of a text.
func lastFigure(text string) (float64, error) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	fields := strings.Fields(lines[len(lines)-1])
	if len(fields) > 0 {
		for _, f := range []string{fields[len(fields)-1], fields[0]} {
			if v, err := strconv.ParseFloat(f, 64); err == nil && v >= 0 && !math.IsInf(v, 0) {
				return v, nil
			}
		}
	}
	return 0, fmt.Errorf("its last line has no number of cycles: %.60q", lines[len(lines)-1])
}
