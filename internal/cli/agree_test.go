package cli

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// agreeCalls are calls whose outputs TestFormatsAgree holds against each other.
var agreeCalls = []string{
	"--arch skx examples/triad.s",
	"--arch skx,zen4,spr,haswell examples/stencil7.gcc-hsw.s",
	"--arch zen4 --what-if ports.load+1 --what-if latency(*)+1,rob=2x --what-if latency(IMUL*)-1 examples/dot.s",
	"--arch zen5 --sensitivity examples/histogram.gcc-zen.s",
	"--arch zen5 --timeline=2 examples/histogram.gcc-zen.s",
	"--arch zen5,skx --iterations 12 examples/histogram.gcc-zen.s",
	"--arch zen4 --iterations 7 internal/cli/testdata/agree/open.s",
	"--arch zen3 --iterations 1 internal/cli/testdata/agree/unknown.s",
	"--arch zen4 --unroll 4 --sensitivity examples/gauss_seidel_u4.gcc-zen.s",
	"--arch tx2 --policy uniform --unroll 4 examples/gauss_seidel_f.gcc-tx2.s",
	"--arch neoverse-v2,m1,neoverse-n1 examples/spmv.clang-v2.s",
	"--arch a64fx,cortex-a53 --all-kernels examples/lu.gcc-tx2.s",
	"--arch tx2 --timeline --what-if rob=2x examples/prefix_sum.gcc-tx2.s",
	"--arch u74,p670,c910 --all-kernels --what-if ports.load+1 examples/lu.gcc-u74.s",
	"--arch spacemit-x60,x280 examples/bytes.clang-x280.s",
	"--arch haswell,zen3 --all-kernels examples/bytes.gcc-hsw.s",
	"--arch emeraldrapids --all-kernels --engine bounds examples/lu.gcc-skx.s",
	"--arch skl -v internal/cli/testdata/agree/memory.s",
	"--arch zen3,zen4 --unroll 2 --what-if rob=2x internal/cli/testdata/agree/unknown.s",
	"--arch haswell --unroll 2 internal/cli/testdata/agree/intel.s",
	"--arch haswell,zen3 --timeline internal/cli/testdata/agree/intel.s",
	"--arch neoverse-v1,neoverse-n2 internal/cli/testdata/agree/kinds.aarch64.s",
	"--arch skl,zen4,spr internal/cli/testdata/agree/stores.s",
	"--arch zen4,haswell --unroll 2 internal/cli/testdata/agree/open.s",
	"--arch zen2 --unroll 2 internal/cli/testdata/agree/open.s",
	"--arch neoverse-n1 --unroll 2 --sensitivity internal/cli/testdata/agree/unknown.aarch64.s",
	"--arch spacemit-x60,x280 internal/cli/testdata/agree/unknown.riscv64.s",
}

// TestFormatsAgree holds every figure of the text report and of CSV against the field of the JSON document that it comes from (docs/json.md). Text that has
// digits which no rule here accounts for is a mistake as well.
func TestFormatsAgree(t *testing.T) {
	t.Chdir("../..")
	calls := slices.Clone(agreeCalls)
	if cc, err := exec.LookPath("gcc"); err == nil && runtime.GOARCH == "amd64" {
		file := filepath.Join(t.TempDir(), "lu.o")
		if out, err := exec.Command(cc, "-O2", "-g", "-c", "-o", file, "examples/lu.c").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		calls = append(calls, "--arch skl,zen4 --all-kernels --timeline "+file)
	}
	for _, call := range calls {
		t.Run(call, func(t *testing.T) {
			var d agreeDoc
			if err := json.Unmarshal(analyzed(t, call, "json"), &d); err != nil {
				t.Fatal(err)
			}
			r := &reading{T: t, doc: &d, lines: strings.Split(strings.TrimRight(string(analyzed(t, call+" -v", "text")), "\n"), "\n")}
			r.report(strings.Contains(call, "--all-kernels"))
			if strings.Contains(call, "--timeline") { // has no CSV form
				return
			}
			rows, err := csv.NewReader(bytes.NewReader(analyzed(t, call, "csv"))).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			d.csv(t, rows)
		})
	}
}

// analyzed is what incore analyze says to a call.
func analyzed(t *testing.T, call, format string) []byte {
	t.Helper()
	var out, errs bytes.Buffer
	args := append([]string{"incore", "analyze", "--format", format, "--width", "0"}, strings.Fields(call)...)
	if code := Main(args, strings.NewReader(""), &out, &errs); code != status(call) {
		t.Fatalf("%v: status %d, %s", args, code, errs.String())
	}
	return out.Bytes()
}

// status is the exit status of a call: 1 for code that none of its machines can execute.
func status(call string) int {
	if strings.Contains(call, "agree/unknown.") && !strings.Contains(call, "zen4") {
		return exitInput
	}
	return exitOK
}

// The document, as docs/json.md has it.
type (
	agreeDoc struct {
		Input struct {
			File, ISA, Syntax, Why string
			Chosen                 bool
		}
		Kernels     []agreeKernel
		Others      []agreeOther
		Diagnostics []agreeDiagnostic
	}
	agreeOther struct {
		Name, Lines, Bound, Engine string
		Depth, Instructions        int
		Cycles                     float64
		AtLeast                    bool `json:"at_least"`
	}
	agreeKernel struct {
		SourceLines               []struct{ Where, Text string } `json:"source_lines"`
		Name, Lines, Address, Why string
		Unroll                    float64
		Depth                     int
		Notes                     []string
		Branches                  []struct {
			Instruction int
			Loads       []int
		} `json:"data_branches"`
		Labels []struct {
			Name   string
			Before int
		}
		Targets []agreeTarget
	}
	agreeTarget struct {
		Arch, Title, Why string
		Lacks            []struct{ Extension string }
		Reserved         string
		Prediction       agreePrediction
		Throughput       struct {
			Cycles, Slots, Dispatch float64
			Width                   int
			Ports                   map[string]float64
			Bottleneck              []string
			Limit                   *struct {
				Ports    string
				Uops     int
				PerCycle int `json:"per_cycle"`
			} `json:"dispatch_limit"`
		}
		Path         agreePath    `json:"critical_path"`
		Chains       []agreeChain `json:"loop_carried"`
		Instructions []agreeInst
		Advice       []struct {
			Before, After            float64
			Text, Conditions, Option string
		}
		WhatIf []agreeWhatIf `json:"what_if"`
		Shares []struct {
			Limit  string
			Cycles float64
		}
		Sensitivity []struct {
			Resource     string
			Double, Free *agreeWhatIf
		}
		Entered  *agreeEntered
		Timeline *struct {
			First, Iterations int
			Uops              []struct {
				Iteration, Instruction int
				Kind, Port             string
				Dispatched, Retired    int64
				Waits                  []struct {
					For    string
					Cycles float64
				}
			}
		}
		Memory *struct {
			Without      *agreeEstimate
			Dependencies []struct {
				agreeFlow
				Method                string
				Bytes, Size, Seen, Of int
				Blocked               int
				Without               *agreeEstimate
			}
			Possible []struct {
				agreeFlow
				agreeEstimate
				If, Why string
				Renamed bool
			}
		}
		Accuracy []struct {
			Corpus           string
			Blocks           int
			Median, Within10 float64
		}
		Words       struct{ Bound, Trust string }
		Assumptions []string
		Diagnostics []agreeDiagnostic
	}
	agreePrediction struct {
		Cycles              float64
		Bound, Engine, Text string
		EngineWhy           string `json:"engine_why"`
		Partial             bool
		Unknown             *struct {
			Low, High    float64
			Instructions int
		} `json:"unknown_costs"`
		Open          []string
		Loop          float64 `json:"tp_loop"`
		Unrolled      float64 `json:"tp_unrolled"`
		UnrolledBound string  `json:"tp_unrolled_bound"`
		Steady        string
		Period        int
		Bounds        map[string]float64
		IfFree        []struct {
			Free   string
			Cycles float64
		} `json:"if_free"`
		Stalls []struct {
			Reason string
			Cycles float64
		}
		Gap string
	}
	agreePath struct {
		Cycles       float64
		Instructions []int
		Latencies    []float64
	}
	agreeChain struct {
		agreePath
		Latency  float64
		Distance int
		Via      string
	}
	agreeInst struct {
		Index, Line         int
		Address, Text, Form string
		Where               string
		Uops, Latency       float64
		Ports               map[string]float64
		LCD, CP             *float64
		Flags               []string
		Source              string
	}
	agreeEntered struct {
		Iterations, Unknown int
		Cycles              float64
		Missed              *float64
		AtLeast             bool   `json:"at_least"`
		Penalty             int    `json:"mispredict_penalty"`
		PenaltySource       string `json:"mispredict_penalty_source"`
	}
	agreeWhatIf struct {
		Question, Bound, Note string
		Cycles, Gain          float64
	}
	agreeEstimate struct {
		Cycles float64
		Bound  string
	}
	agreeFlow       struct{ From, To, Distance int }
	agreeDiagnostic struct {
		Severity, File, Message, Hint string
		Line, Col                     int
	}
)

func (in *agreeInst) place() string {
	if in.Address != "" {
		return in.Address
	}
	return strconv.Itoa(in.Line)
}

// csv holds the rows against the document: all that they have.
func (d *agreeDoc) csv(t *testing.T, rows [][]string) {
	head, n := rows[0], 1
	for ki := range d.Kernels {
		for ti := range d.Kernels[ki].Targets {
			k, x := &d.Kernels[ki], &d.Kernels[ki].Targets[ti]
			hold := func(want map[string]any) {
				t.Helper()
				if n >= len(rows) {
					t.Errorf("CSV: %d rows, expected one for %v", len(rows), want)
					return
				}
				for c, name := range head {
					got, w := rows[n][c], want[name]
					text := ""
					switch w := w.(type) {
					case string:
						text = w
					case int:
						text = strconv.Itoa(w)
					case float64:
						text = strconv.FormatFloat(w, 'g', -1, 64)
					case *float64:
						if w != nil {
							text = strconv.FormatFloat(*w, 'g', -1, 64)
						}
					}
					if got != text {
						t.Errorf("CSV, row %d, %s: %q, the JSON has %q", n+1, name, got, text)
					}
				}
				n++
			}
			for i := range x.Instructions {
				in := &x.Instructions[i]
				want := map[string]any{"kernel": k.Name, "arch": x.Arch, "index": in.Index, "line": in.Line, "address": in.Address, "form": in.Form, "uops": in.Uops, "latency": in.Latency,
					"lcd": in.LCD, "cp": in.CP, "flags": strings.Join(in.Flags, " "), "source": in.Source, "text": in.Text}
				for p, v := range in.Ports {
					want["port:"+p] = v
				}
				hold(want)
			}
			lcd := 0.0
			if len(x.Chains) > 0 {
				lcd = x.Chains[0].Cycles
			}
			p := &x.Prediction
			sum := map[string]any{"kernel": k.Name, "arch": x.Arch, "index": "sum", "line": k.Lines, "address": k.Address, "uops": x.Throughput.Slots, "lcd": lcd, "cp": x.Path.Cycles,
				"cycles": p.Cycles, "bound": p.Bound, "engine": p.Engine, "tp_unrolled": p.Unrolled, "text": p.Text}
			for p, v := range x.Throughput.Ports {
				if v != 0 {
					sum["port:"+p] = v
				}
			}
			hold(sum)
			asked := slices.Clone(x.WhatIf)
			for _, s := range x.Sensitivity {
				for _, a := range []*agreeWhatIf{s.Double, s.Free} {
					if a != nil {
						asked = append(asked, *a)
					}
				}
			}
			for _, a := range asked {
				want := map[string]any{"kernel": k.Name, "arch": x.Arch, "index": "what-if", "line": k.Lines, "address": k.Address, "cycles": a.Cycles, "bound": a.Bound, "engine": p.Engine,
					"source": a.Note, "text": a.Question}
				if a.Note != "" {
					want["cycles"] = ""
				}
				hold(want)
			}
			if e := x.Entered; e != nil {
				hold(map[string]any{"kernel": k.Name, "arch": x.Arch, "index": "entered", "line": k.Lines, "address": k.Address, "cycles": e.Cycles, "text": e.words()})
				if e.Missed != nil {
					hold(map[string]any{"kernel": k.Name, "arch": x.Arch, "index": "entered-mispredicted", "line": k.Lines, "address": k.Address, "cycles": *e.Missed, "source": e.PenaltySource})
				}
			}
		}
	}
	if n != len(rows) {
		t.Errorf("CSV: %d rows, the JSON has %d", len(rows), n)
	}
}
