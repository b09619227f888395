package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestOpenAgree: where a cost has no upper bound, JSON, text and predict state one figure, the lower bound.
func TestOpenAgree(t *testing.T) {
	run := func(args ...string) string {
		var out, errs bytes.Buffer
		if code := Main(append([]string{"incore"}, args...), strings.NewReader(""), &out, &errs); code != exitOK {
			t.Fatalf("%v: status %d, %s", args, code, errs.String())
		}
		return out.String()
	}
	file := filepath.Join(t.TempDir(), "open.s")
	for _, code := range []string{"rep movsb", "rep stosq; addq $1, %rax", "fsin", "cpuid", "repne scasb; addq %rax, %rbx; imulq %rbx, %rcx", "xsave (%rdi)"} {
		if err := os.WriteFile(file, []byte(strings.ReplaceAll(code, "; ", "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, arch := range []string{"zen5", "zen3", "skl", "haswell"} {
			var d struct {
				Kernels []struct {
					Targets []struct {
						Prediction struct {
							Cycles  float64
							AtLeast bool `json:"at_least"`
						}
					}
				}
			}
			if err := json.Unmarshal([]byte(run("analyze", "--arch", arch, "--format", "json", file)), &d); err != nil {
				t.Fatal(err)
			}
			p := d.Kernels[0].Targets[0].Prediction
			text := run("analyze", "--arch", arch, "--width", "0", file)
			_, after, _ := strings.Cut(text, "at least ")
			figure, _, _ := strings.Cut(after, " ")
			said, err := strconv.ParseFloat(figure, 64)
			if !p.AtLeast || err != nil || fmt.Sprintf("%.3g", said) != fmt.Sprintf("%.3g", p.Cycles) {
				t.Errorf("%s on %s: JSON has %g (at least: %v), text at least %s (%v)", code, arch, p.Cycles, p.AtLeast, figure, err)
			}
			rows := strings.Split(run("predict", "--arch", arch, "--format", "jsonl", predictable(t, code)), "\n")
			var row struct{ Cycles float64 }
			if err := json.Unmarshal([]byte(rows[0]), &row); err != nil || fmt.Sprintf("%.4g", row.Cycles) != fmt.Sprintf("%.4g", p.Cycles) {
				t.Errorf("%s on %s: predict has %g, analyze %g (%v)", code, arch, row.Cycles, p.Cycles, err)
			}
		}
	}
}

// predictable writes a block to a file for predict.
func predictable(t *testing.T, code string) string {
	file := filepath.Join(t.TempDir(), "blocks.txt")
	if err := os.WriteFile(file, []byte(code+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}
