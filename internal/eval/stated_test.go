package eval

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"incore/internal/isa/x86"
	"incore/internal/machine"
)

// stated finds what a model's comment says was measured: "mov %rbx, (%rax); mov (%rax), %rbx repeats every 0.5".
var stated = regexp.MustCompile(`([a-z][a-z0-9]* [^;:#]*%[^;:#]*(?:; [a-z][a-z0-9]* [^;:#]*)*) repeats? every ([0-9.]*[0-9])`)

// TestStatedMeasurements: a core's model predicts the loops that its own comments say were measured on it.
func TestStatedMeasurements(t *testing.T) {
	files, err := filepath.Glob("../machine/models/*.model")
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		core := strings.TrimSuffix(filepath.Base(file), ".model")
		for _, s := range stated.FindAllStringSubmatch(string(text), -1) {
			code := strings.ReplaceAll(s[1], "(m)", "(%rsi)")    // some place in memory
			if !readable(code) || strings.Contains(code, ",%") { // an index that the quoted instructions do not move
				continue
			}
			m, err := machine.Get(core)
			if err != nil {
				t.Fatal(err)
			}
			want, err := strconv.ParseFloat(s[2], 64)
			if err != nil {
				t.Fatal(err)
			}
			tried++
			if got := repeats(t, m, code); math.Abs(got-want) > 0.15*want {
				t.Errorf("%s: %s repeats every %.2f cycles, its own source says %g", core, code, got, want)
			}
		}
	}
	if tried < 10 {
		t.Errorf("%d measurements found", tried)
	}
}

// readable reports whether every instruction of a block is one of x86-64's as it stands.
func readable(code string) bool {
	for text := range strings.SplitSeq(code, "; ") {
		if _, err := x86.ISA().Parse(nil, text, "att"); err != nil {
			return false
		}
	}
	return true
}
