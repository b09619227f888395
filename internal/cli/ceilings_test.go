//go:build linux

package cli

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"incore/internal/base/long"
)

// ceilings are the largest inputs that were tried, and the memory that they take at most. Times and memory are logged:
// `INCORE_LONG=1 go test ./internal/cli -run TestCeilings -v`.
var ceilings = []struct {
	name  string
	input func(t *testing.T) string
	args  []string
	most  int // MB
}{
	{"100 MB of assembly", hundredMegabytes, []string{"analyze", "--arch", "skx"}, 600},
	{"loops of a shared library", largeLibrary, []string{"loops"}, 800},
	{"300,000 blocks with bounds", manyBlocks, []string{"predict", "--arch", "skl", "--engine", "bounds"}, 100},
}

func TestCeilings(t *testing.T) {
	long.Only(t, "analyses inputs of 100 MB")
	for _, c := range ceilings {
		t.Run(c.name, func(t *testing.T) {
			cmd := exec.Command("incore", append(c.args, c.input(t))...)
			cmd.Stdout = io.Discard
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			start := time.Now()
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			peak := peakOf(cmd.Process.Pid)
			err := cmd.Wait()
			took := time.Since(start)
			mb := <-peak
			if err != nil {
				t.Fatalf("%v: %.500s", err, stderr.String())
			}
			t.Logf("%.1f s, %.1f s of CPU time, %d MB", took.Seconds(), (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), mb)
			if mb > c.most {
				t.Errorf("%d MB, more than %d", mb, c.most)
			}
		})
	}
}

// peakOf follows the peak of a process's memory, in MB, until it ends. (What wait says of it has the memory of the parent in it.)
func peakOf(pid int) <-chan int {
	peak := make(chan int, 1)
	go func() {
		most := 0
		for {
			status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
			_, text, ok := strings.Cut(string(status), "VmHWM:")
			if err != nil || !ok { // it has ended
				peak <- most
				return
			}
			kib, _ := strconv.Atoi(strings.Fields(text)[0])
			most = max(most, kib*1024/1e6)
			time.Sleep(20 * time.Millisecond)
		}
	}()
	return peak
}

// hundredMegabytes repeats the loops of the examples, with labels of their own.
func hundredMegabytes(t *testing.T) string {
	files, err := filepath.Glob("../../examples/*.gcc-skx.s")
	if err != nil || len(files) == 0 {
		t.Fatal("no examples", err)
	}
	var all []byte
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, text...)
	}
	label := regexp.MustCompile(`\.L\w+|(?m:^\w+)`)
	var out bytes.Buffer
	for n := 0; out.Len() < 100e6; n++ {
		out.Write(label.ReplaceAll(all, fmt.Appendf(nil, "${0}_%d", n)))
	}
	return written(t, "large.s", out.Bytes())
}

// largeLibrary is a shared library of 100 MB and more, as Debian's compilers bring.
func largeLibrary(t *testing.T) string {
	for _, pattern := range []string{"/usr/lib/*/libLLVM*.so*", "/usr/lib/llvm-*/lib/libLLVM*.so*"} {
		files, _ := filepath.Glob(pattern)
		for _, f := range files {
			if info, err := os.Stat(f); err == nil && info.Mode().IsRegular() && info.Size() >= 100e6 {
				return f
			}
		}
	}
	t.Skip("no shared library of 100 MB (Debian's package libllvm19)")
	return ""
}

// manyBlocks joins blocks of common instructions by a seed, so that hardly two are the same.
func manyBlocks(t *testing.T) string {
	rng := rand.New(rand.NewPCG(1, 2))
	var insts []string
	for _, s := range strings.Fields("4801c8 4839c3 488b0424 4889442408 c5fc58c1 c4e27db8c1 660f6fc1 f20f58c1 0fafc3 48c1e003 83c001 89d8 " +
		"c5fd6f0407 c5fd7f0407 0fb64301 488d0448 85c0 31c0 f7d8 480fafc1 c4e2f9f7c3 410fb6c0 0f44c1 4d8d0c01") {
		if _, err := hex.DecodeString(s); err != nil {
			t.Fatal(err)
		}
		insts = append(insts, s)
	}
	var out bytes.Buffer
	out.WriteString("hex\n")
	for range 300_000 {
		for range 4 + rng.IntN(9) {
			out.WriteString(insts[rng.IntN(len(insts))])
		}
		out.WriteByte('\n')
	}
	return written(t, "blocks.csv", out.Bytes())
}

func written(t *testing.T, name string, text []byte) string {
	name = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}
