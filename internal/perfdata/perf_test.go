package perfdata

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// line is a line of perf script -F pid,ip,dso and, on the lines after it, branches.
var line = regexp.MustCompile(`^\s*(-?\d+)\s+([0-9a-f]+) \((.*)\)\s*(.*)$`)

// script returns what perf script says of a file: how often each process was at each address of each file.
func script(t *testing.T, file string) map[string]int {
	t.Helper()
	perf, err := exec.LookPath("perf")
	if err != nil {
		t.Skip("no perf")
	}
	cmd := exec.Command(perf, "script", "-i", file, "-G", "-F", "pid,ip,dso", "--show-kernel-path", "-f")
	out, err := cmd.Output()
	if err != nil {
		t.Skipf("perf script %s: %v", file, err)
	}
	got := map[string]int{}
	for l := range strings.Lines(string(out)) {
		if m := line.FindStringSubmatch(strings.TrimRight(l, "\n")); m != nil {
			got[key(m[1], m[2], m[3])]++
		}
	}
	return got
}

func key(pid, ip, dso string) string {
	if strings.HasPrefix(dso, "[kernel") || strings.HasPrefix(dso, "[guest") || strings.HasSuffix(dso, "vmlinux") || dso == "[unknown]" || strings.Contains(dso, ".ko") || strings.HasPrefix(dso, "/lib/modules") || dso == "//anon" || strings.HasPrefix(dso, "[") || strings.HasPrefix(dso, "inlined") {
		dso = ""
	}
	return pid + " " + ip + " " + dso
}

// ours returns the same from Read.
func ours(t *testing.T, file string) (map[string]int, *Data) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got := map[string]int{}
	d, err := Read(f, func(s *Sample) {
		path := ""
		if s.Map != nil {
			path = s.Map.Path
		}
		got[key(strconv.Itoa(int(int32(s.PID))), fmt.Sprintf("%x", s.IP), path)]++
	})
	if err != nil {
		t.Fatal(err)
	}
	return got, d
}

// compare compares the two, and returns the share of samples that agree.
func compare(t *testing.T, file string) {
	t.Helper()
	want := script(t, file)
	got, d := ours(t, file)
	n, same := 0, 0
	var first string
	for k, c := range want {
		if strings.Contains(k, "/tmp/perf-") { // code without a file, which perf script names so
			continue
		}
		n += c
		same += min(c, got[k])
		if got[k] < c && first == "" {
			first = fmt.Sprintf("%q: %d, perf script %d", k, got[k], c)
		}
	}
	t.Logf("%s: %d samples, %d as perf script has them; arch %q cpuid %q, unknown %d, cut %v", filepath.Base(file), n, same, d.Arch, d.CPUID, d.Unknown, d.Cut)
	if strings.Contains(file, "intel_pt") {
		return // perf script also makes samples of the trace
	}
	if n == 0 || float64(same) < 0.99*float64(n) {
		t.Errorf("%s: %d of %d samples agree; %s", filepath.Base(file), same, n, first)
	}
}

// TestRecorded: files that perf records here, plain, compressed and through a pipe, are read as perf script reads them. Software events need no counters.
func TestRecorded(t *testing.T) {
	perf, err := exec.LookPath("perf")
	if err != nil {
		t.Skip("no perf")
	}
	for name, args := range map[string][]string{"plain": {}, "compressed": {"-z"}, "two events": {"-e", "task-clock"}, "call graph": {"-g"}, "build ids": {"--buildid-all"}, "mmap build ids": {"--buildid-mmap"}} {
		file := filepath.Join(t.TempDir(), "perf.data")
		cmd := exec.Command(perf, append(append([]string{"record", "-q", "-e", "cpu-clock"}, args...), "-o", file, "--", "sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; ls /usr/bin /usr/lib >/dev/null")...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Logf("perf record %v: %v\n%s", args, err, out)
			continue
		}
		t.Run(name, func(t *testing.T) { compare(t, file) })
	}
	file := filepath.Join(t.TempDir(), "pipe.data")
	cmd := exec.Command(perf, "record", "-q", "-e", "cpu-clock", "-o", "-", "--", "sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done")
	var out bytes.Buffer
	cmd.Stdout = &out
	if err := cmd.Run(); err != nil {
		t.Skip(err)
	}
	if err := os.WriteFile(file, out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Run("pipe", func(t *testing.T) { compare(t, file) })
}

// TestPublic: files of many versions of perf, for example quipper's (github.com/google/perf_data_converter, src/quipper/testdata), in the folder that INCORE_PERFDATA names.
func TestPublic(t *testing.T) {
	dir := os.Getenv("INCORE_PERFDATA")
	files, _ := filepath.Glob(filepath.Join(dir, "perf.data*"))
	if dir == "" || len(files) == 0 {
		t.Skip("INCORE_PERFDATA names no folder with files of perf's")
	}
	for _, file := range files {
		if info, err := os.Stat(file); err == nil && info.Size() > 0 {
			t.Run(filepath.Base(file), func(t *testing.T) { compare(t, file) })
		}
	}
}
