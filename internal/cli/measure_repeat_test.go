package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"incore/internal/base/long"
	"incore/internal/bench/host"
)

// shortLoops are loops of about a cycle, most of which store: what they take hangs on what another thread leaves of the core.
var shortLoops = []struct{ name, body string }{
	{"axpy", "movsd (%rsi,%rax,8), %xmm1\nmulsd %xmm0, %xmm1\naddsd (%rdi,%rax,8), %xmm1\nmovsd %xmm1, (%rdi,%rax,8)\nincq %rax\ncmpq %rdx, %rax"},
	{"increment", "addl $1, (%rdi)\naddq $4, %rdi\ncmpq %rdx, %rdi"},
}

// TestRepeat measures loops in three processes each, whose figures must agree within the uncertainties that they state.
func TestRepeat(t *testing.T) {
	if file := os.Getenv("INCORE_TEST_REPEAT"); file != "" { // one of the processes
		os.Exit(Main([]string{"incore", "measure", "--format", "json", file}, nil, os.Stdout, os.Stderr))
	}
	if host.Arch != "amd64" {
		t.Skip("loops are measured in place on x86-64 only")
	}
	long.Only(t, "measures two loops three times")
	self, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	for _, l := range shortLoops {
		t.Run(l.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), l.name+".s")
			if err := os.WriteFile(file, []byte(l.name+":\n1:\n"+l.body+"\njne 1b\nret\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			for try := 1; ; try++ { // what else runs on the machine may disturb a process, but not in each try
				all := inProcesses(t, self, file)
				t.Log(all)
				wrong := disagreement(all)
				if wrong == "" {
					return
				}
				if try == tries {
					t.Fatal(wrong)
				}
			}
		})
	}
}

// tries is how often processes may disagree before TestRepeat fails.
const tries = 3

// repeatFigure is a part of the document of incore measure.
type repeatFigure struct{ Cycles, Uncertainty, Least float64 }

// inProcesses measures a loop in three processes.
func inProcesses(t *testing.T, self, file string) (all []repeatFigure) {
	t.Helper()
	for range 3 {
		c := exec.Command(self, "-test.run=^TestRepeat$")
		c.Env = append(os.Environ(), "INCORE_TEST_REPEAT="+file)
		var complaint bytes.Buffer
		c.Stderr = &complaint
		out, err := c.Output()
		var exit *exec.ExitError
		if errors.As(err, &exit) && (strings.Contains(complaint.String(), "unstable") || strings.Contains(complaint.String(), "a different time in each run")) {
			continue // it says so
		} else if strings.Contains(complaint.String(), "be traced") {
			t.Skip(complaint.String())
		} else if err != nil {
			t.Fatalf("%v: %s", err, complaint.String())
		}
		var f repeatFigure
		if err := json.Unmarshal(out, &f); err != nil || f.Cycles <= 0 {
			t.Fatalf("%v in %s", err, out)
		}
		all = append(all, f)
	}
	if len(all) < 2 {
		t.Skip("the machine is too noisy: no two of three processes have a figure")
	}
	return all
}

// disagreement names two figures that are further apart than both of their uncertainties; "" if there are none.
func disagreement(all []repeatFigure) string {
	const rounding = 0.01
	for i, a := range all {
		for _, b := range all[:i] {
			if math.Abs(a.Cycles-b.Cycles) > a.Uncertainty+b.Uncertainty+rounding {
				return fmt.Sprintf("%.2f ± %.2f in one process, %.2f ± %.2f in another", a.Cycles, a.Uncertainty, b.Cycles, b.Uncertainty)
			}
		}
	}
	return ""
}
