package suite

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"incore/internal/machine"
)

// TestParseCommand: what is wrong with a command is said before anything runs.
func TestParseCommand(t *testing.T) {
	for _, tt := range []struct{ spec, want string }{
		{"uiCA.py {code}", "NAME=COMMAND is needed"},
		{"=uiCA.py {code}", "NAME=COMMAND is needed"},
		{"llvm-mca=x {asm}", "known already"},
		{"uica2=", "neither"},
		{"uica2=uiCA.py -arch SKL", "neither"},
		{"uica2=uiCA.py {code} -arch SKL -raw -TPonly", ""},
	} {
		p, err := ParseCommand(tt.spec)
		if tt.want == "" && (err != nil || p.Name != "uica2" || p.Lifting != "block") || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %+v, %v", tt.spec, p, err)
		}
	}
	p, _ := ParseCommand("nobody=no-such-command {asm}")
	if _, err := p.Open(context.Background(), &Env{}); err == nil || !strings.Contains(err.Error(), "not installed") {
		t.Errorf("a command that is not there: %v", err)
	}
	for text, want := range map[string]float64{"2.50\n": 2.5, "a\nThroughput: 3\n": 3, "4 cycles": 4} {
		if got, err := lastFigure(text); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "none", "-1", "inf", "NaN"} {
		if got, err := lastFigure(text); err == nil {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestCommand asks a script, which counts the bytes of a block, and one that fails.
func TestCommand(t *testing.T) {
	native(t)
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no shell")
	}
	dir := t.TempDir()
	if _, err := Make(context.Background(), MakeOptions{Dir: dir, Kernels: regexp.MustCompile("^dot$"), Limit: 1, Target: Target{ISA: "x86-64"}}); err != nil {
		t.Fatal(err)
	}
	d, err := Read(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	run, err := record(context.Background(), dir, d.Benchmarks[0])
	if err != nil {
		t.Fatal(err)
	}
	script := func(text string) string {
		file := filepath.Join(t.TempDir(), "tool")
		if err := os.WriteFile(file, []byte("#!/bin/sh\n"+text), 0o700); err != nil {
			t.Fatal(err)
		}
		return file
	}
	s := &Subject{run: run}
	ask := func(command string) (*Prediction, error) {
		p, err := ParseCommand("mine=" + command)
		if err != nil {
			t.Fatal(err)
		}
		predict, err := p.Open(context.Background(), &Env{})
		if err != nil {
			t.Fatal(err)
		}
		return predict(context.Background(), s)
	}
	got, err := ask(script("test -s $2 || exit 1\nwc -c < $1\n") + " {code} {asm}")
	want := 0.0
	for _, x := range s.Blocks() {
		want += float64(x.Count) * float64(x.End-x.Addr)
	}
	if err != nil || got.Cycles != want || len(got.Blocks) != len(s.Blocks()) {
		t.Errorf("%+v, %v; want %v", got, err, want)
	}
	if got, err := ask(`sh -c 'test -s "$0" && echo "cycles: 7"' {asm}`); err != nil || got.Cycles <= 0 {
		t.Errorf("a command with words in quotes: %+v, %v", got, err)
	}
	var fail *FailError
	if _, err := ask(script("echo too hard >&2\nexit 3\n") + " {code}"); !errors.As(err, &fail) || !strings.Contains(fail.Why, "too hard") {
		t.Errorf("a command that fails: %v", err)
	}
	if _, err := ask(script("echo none\n") + " {code}"); !errors.As(err, &fail) || !strings.Contains(fail.Why, "no number") {
		t.Errorf("a command that says nothing: %v", err)
	}
}

// TestTwoRuns: two runs in one directory do not write one file; two shards at a time measure all, each once.
func TestTwoRuns(t *testing.T) {
	native(t)
	dir := t.TempDir()
	o := MakeOptions{Dir: dir, Kernels: regexp.MustCompile("^dot$"), Limit: 3, Target: Target{ISA: "x86-64"}}
	if _, err := Make(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	held, _, err := open(filepath.Join(dir, suiteFile))
	if err != nil {
		t.Fatal(err)
	}
	o.Limit = 4
	if _, err := Make(context.Background(), o); !errors.Is(err, ErrBusy) {
		t.Errorf("a second make in a directory: %v", err)
	}
	held.Close()

	r := &runner{RunOptions: RunOptions{Dir: dir, Shard: 1, Of: 1}}
	if r.rows, err = readSuite(dir); err != nil {
		t.Fatal(err)
	}
	if err := r.resume(); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(context.Background(), RunOptions{Dir: dir, Shard: 1, Of: 1, NoMeasure: true}); !errors.Is(err, ErrBusy) {
		t.Errorf("a second run in a directory: %v", err)
	}
	r.out.Close()

	done := make(chan error)
	for shard := range 2 {
		go func() {
			_, err := Run(context.Background(), RunOptions{Dir: dir, Shard: shard + 1, Of: 2})
			done <- err
		}()
	}
	for range 2 {
		if err := <-done; err != nil {
			t.Errorf("shards at a time: %v", err)
		}
	}
	d, err := Read(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range d.Benchmarks {
		noisyOnes := 0
		for _, x := range d.Dropped {
			if x.ID == b.ID {
				noisyOnes++
			}
		}
		if d.Measured[b.ID] == nil && noisyOnes != 1 {
			t.Errorf("%s is neither measured nor dropped once", b.ID)
		}
	}
}

// TestOtherMachine: a run in a directory with results of another CPU says so and keeps its own apart.
func TestOtherMachine(t *testing.T) {
	dir := t.TempDir()
	for name, row := range map[string]Row{
		suiteFile:                               {Header: &Header{Format: format, Target: "x86-64"}},
		resultsPrefix + "00000000-1-of-1.jsonl": {Header: &Header{Format: format, Target: "x86-64", Machine: "a CPU that is not ours"}},
	} {
		f, _, err := open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := f.add(row); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	var warned []string
	if _, err := Run(context.Background(), RunOptions{Dir: dir, Shard: 1, Of: 1, Warn: func(s string) { warned = append(warned, s) }}); err != nil {
		t.Fatal(err)
	}
	if len(warned) != 1 || !strings.Contains(warned[0], "a CPU that is not ours") {
		t.Errorf("warned of %q", warned)
	}
	if list := machines(dir); len(list) != 2 {
		t.Errorf("results of %q", list)
	}
}

// TestTools: OSACA, llvm-mca, uiCA and a command predict the blocks of three benchmarks, each for the core of the model, or for one that is like it.
func TestTools(t *testing.T) {
	native(t)
	dir := t.TempDir()
	if _, err := Make(context.Background(), MakeOptions{Dir: dir, Kernels: regexp.MustCompile("^(dot|axpy|dot3|triad)$"), Limit: 3, Target: Target{ISA: "x86-64"}}); err != nil {
		t.Fatal(err)
	}
	d, err := Read(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	m, err := machine.Get("skylake")
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "lines")
	if err := os.WriteFile(script, []byte("#!/bin/sh\ngrep -c . \"$1\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	command, err := ParseCommand("lines=" + script + " {asm}")
	if err != nil {
		t.Fatal(err)
	}
	tools, err := Choose([]string{"llvm-mca", "osaca", "uica"})
	if err != nil {
		t.Fatal(err)
	}
	cores := map[string]string{"llvm-mca": "skylake", "osaca": "SKX", "uica": "SKL", "lines": ""}
	for _, p := range append(tools, command) {
		t.Run(p.Name, func(t *testing.T) {
			ask, err := p.Open(context.Background(), &Env{Model: m, CPU: -1})
			if err != nil && strings.Contains(err.Error(), "is not installed") {
				t.Skip(err)
			} else if err != nil {
				t.Fatal(err)
			}
			if n := p.sample(len(d.Benchmarks)); n != len(d.Benchmarks) {
				t.Errorf("%d of %d benchmarks are predicted", n, len(d.Benchmarks))
			}
			predicted := 0
			for _, b := range d.Benchmarks {
				run, err := record(context.Background(), dir, b)
				if err != nil {
					t.Fatal(err)
				}
				out, err := ask(context.Background(), &Subject{run: run})
				var fail *FailError
				switch {
				case p.Name == "osaca" && errors.As(err, &fail) && strings.Contains(fail.Why, "Error"): // OSACA 0.7.1 fails on blocks such as vzeroupper; ret, and says how
				case err != nil || out.Cycles <= 0 || out.Core != cores[p.Name]:
					t.Errorf("%s: %+v, %v", b.Kernel, out, err)
				default:
					predicted++
				}
			}
			if predicted == 0 {
				t.Error("none of the benchmarks is predicted")
			}
		})
	}
}
