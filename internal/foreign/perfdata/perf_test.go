package perfdata

import (
	"bytes"
	"fmt"
	"maps"
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
	const loop = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"
	for name, args := range map[string][]string{"plain": {}, "compressed": {"-z"}, "two events": {"-e", "task-clock"}, "call graph": {"-g"}, "build ids": {"--buildid-all"}, "mmap build ids": {"--buildid-mmap"}, "pipe": nil} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "perf.data")
			to, program := file, loop+"; ls /usr/bin /usr/lib >/dev/null"
			if name == "pipe" {
				to, program = "-", loop
			}
			cmd := exec.Command(perf, append(append([]string{"record", "-q", "-e", "cpu-clock"}, args...), "-o", to, "--", "sh", "-c", program)...)
			var out, message bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &message
			if err := cmd.Run(); err != nil {
				t.Skipf("perf record %v: %v\n%s", args, err, message.String())
			}
			if name == "pipe" {
				if err := os.WriteFile(file, out.Bytes(), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			compare(t, file)
		})
	}
}

// TestCompressed: a compressed file of perf 6.1's, without its header's features, has the samples that perf script finds in it, wherever the test runs.
func TestCompressed(t *testing.T) {
	all, d := ours(t, filepath.Join("testdata", "compressed.data"))
	got := map[string]int{}
	for k, n := range all {
		f := strings.Fields(k)
		got[filepath.Base(f[len(f)-1])] += n
	}
	want := map[string]int{"dash": 41, "ld-linux-x86-64.so.2": 1, "libc.so.6": 46}
	if !maps.Equal(got, want) || d.Cut != nil || len(d.Events) != 1 || d.Events[0].Name != "cpu-clock" {
		t.Errorf("%v, want %v; %+v", got, want, d)
	}
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
