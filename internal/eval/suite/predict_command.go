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

// Command is a tool that predicts a block: its name in reports and its command line.
type Command struct {
	Name string
	args []string
	core string // its name of the core, if known
}

// NewCommand reads NAME=COMMAND. The command is run for each block as the body of a loop; {code} and {asm} are
// replaced by the names of files with the block's machine code and assembly text. The last line of the output must
// begin or end with the cycles of an iteration. No shell interprets the command.
func NewCommand(spec string) (*Command, error) {
	name, command, ok := strings.Cut(spec, "=")
	if !ok || !commandName().MatchString(name) {
		return nil, fmt.Errorf("predictor %q: NAME=COMMAND is needed, as in 'uica=uiCA.py {code} -arch SKL -raw -TPonly'",
			spec)
	}
	args := source.Words(command)
	if len(args) == 0 || !strings.Contains(command, codePlace) && !strings.Contains(command, textPlace) {
		return nil, fmt.Errorf("predictor %s: the command has neither %s nor %s, which stand for the block's file", name,
			codePlace, textPlace)
	}
	return &Command{Name: name, args: args}, nil
}

// Find looks the program up.
func (c *Command) Find() error {
	path, err := exec.LookPath(c.args[0])
	if err != nil {
		return fmt.Errorf("%s is not installed", c.args[0])
	}
	c.args[0] = path
	return nil
}

// ParseCommand makes a predictor from NAME=COMMAND.
func ParseCommand(spec string) (Predictor, error) {
	c, err := NewCommand(spec)
	if err != nil {
		return Predictor{}, err
	}
	if slices.ContainsFunc(Predictors(), func(p Predictor) bool { return p.Name == c.Name }) {
		return Predictor{}, fmt.Errorf("predictor %s is known already; another name is needed", c.Name)
	}
	_, about, _ := strings.Cut(spec, "=")
	open := func(context.Context, *Env) (Predict, error) {
		if err := c.Find(); err != nil {
			return nil, err
		}
		return c.predict, nil
	}
	return Predictor{Name: c.Name, Native: true, Lifting: "block", About: about, Open: open}, nil
}

// predict runs the command for each block, within foreignLimit for the whole benchmark.
func (c *Command) predict(ctx context.Context, s *Subject) (*Prediction, error) {
	limited, cancel := context.WithTimeout(ctx, foreignLimit)
	defer cancel()
	dir, err := os.MkdirTemp("", "incore-eval-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	out := &Prediction{Core: c.core, Blocks: map[string]float64{}}
	for _, x := range s.Blocks() {
		cycles, seconds, err := c.block(limited, dir, s.run.file.Bytes(x.Addr, int(x.End-x.Addr)), asmText(x.Kernel.Lines))
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

// Cycles asks the command, within foreignLimit, for the cycles of a block: machine code, and the same as text.
func (c *Command) Cycles(ctx context.Context, code []byte, text string) (float64, error) {
	ctx, cancel := context.WithTimeout(ctx, foreignLimit)
	defer cancel()
	dir, err := os.MkdirTemp("", "incore-eval-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	cycles, _, err := c.block(ctx, dir, code, text)
	return cycles, err
}

// block writes the files of a block to a directory, and asks the command.
func (c *Command) block(ctx context.Context, dir string, code []byte, text string) (cycles, seconds float64,
	err error) {
	machine, asm := filepath.Join(dir, "block.bin"), filepath.Join(dir, "block.s")
	if err := os.WriteFile(machine, code, 0o600); err != nil {
		return 0, 0, err
	}
	if err := os.WriteFile(asm, []byte(text), 0o600); err != nil {
		return 0, 0, err
	}
	return c.ask(ctx, strings.NewReplacer(codePlace, machine, textPlace, asm))
}

// ask runs the command once.
func (c *Command) ask(ctx context.Context, files *strings.Replacer) (cycles, seconds float64, err error) {
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
