package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"incore/internal/base/long"
)

const tutorial = "../../docs/tutorial.md"

// fence begins or ends a block of code; its words are the language, and the name of a file or "measured".
var fence = regexp.MustCompile("^```(\\w*) ?(\\S*)$")

// lesson runs the blocks of the tutorial.
type lesson struct {
	t        *testing.T
	dir      string
	out      []string  // the page as it should be
	measured []float64 // cycles of the measured loops
	failed   bool
}

// TestTutorial runs every command of docs/tutorial.md and compares its output with the page; -update writes it. The loops of step 8 are three times as fast at the end.
func TestTutorial(t *testing.T) {
	long.Only(t, "builds incore and runs the tutorial")
	if out, err := exec.Command("gcc", "-dumpversion").Output(); err != nil || runtime.GOOS+runtime.GOARCH != "linuxamd64" || !strings.HasPrefix(string(out), "12") {
		t.Skip("no gcc 12 for x86-64 Linux, whose code the page shows")
	}
	program(t)
	t.Setenv("COLUMNS", "120")
	text, err := os.ReadFile(tutorial)
	if err != nil {
		t.Fatal(err)
	}
	l := &lesson{t: t, dir: t.TempDir()}
	lines := strings.Split(string(text), "\n")
	for i := 0; i < len(lines); {
		m := fence.FindStringSubmatch(lines[i])
		if m == nil || m[1] == "" {
			l.out = append(l.out, lines[i])
			i++
			continue
		}
		end := i + 1
		for lines[end] != "```" {
			end++
		}
		l.block(m[1], m[2], lines[i+1:end], lines[i])
		i = end + 1
	}
	if *update {
		if err := os.WriteFile(tutorial, []byte(strings.Join(l.out, "\n")), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if l.failed {
		t.Errorf("the page is not what the commands say; 'INCORE_LONG=1 go test ./internal/cli -run TestTutorial -update' writes it:\n%s", strings.Join(l.out, "\n"))
	}
	if len(l.measured) != 3 {
		t.Fatalf("measured %v", l.measured)
	}
	if gain := 16 * l.measured[0] / l.measured[2]; gain < 3 {
		t.Errorf("the last loop is %.1f times as fast as the first", gain)
	}
}

// block takes a block: writes a file, or runs commands.
func (l *lesson) block(language, name string, body []string, head string) {
	l.out = append(l.out, head)
	defer func() { l.out = append(l.out, "```") }()
	if language != "console" {
		l.out = append(l.out, body...)
		if err := os.WriteFile(filepath.Join(l.dir, name), []byte(strings.Join(body, "\n")+"\n"), 0o666); err != nil {
			l.t.Fatal(err)
		}
		return
	}
	var now []string
	for _, line := range body {
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			continue
		}
		text, code := ranIn(l.t, l.dir, "sh", "-c", command)
		if code != 0 {
			l.t.Errorf("%s: status %d\n%s", command, code, text)
		}
		now = append(now, line)
		if text = strings.TrimRight(text, "\n"); text != "" {
			for _, s := range strings.Split(text, "\n") {
				now = append(now, strings.TrimRight(s, " "))
			}
		}
		if name == "measured" {
			figure, _, _ := strings.Cut(text, " ")
			if v, err := strconv.ParseFloat(figure, 64); err == nil {
				l.measured = append(l.measured, v)
			}
		}
	}
	if name == "measured" && !*update {
		now = body
	}
	if strings.Join(now, "\n") != strings.Join(body, "\n") {
		l.failed = true
	}
	l.out = append(l.out, now...)
}
